"""The live platform: its apps and their networks, and who a Machine is.

Needs the extra `platform`.
"""

from fdaa._support.exports import publish as _publish
from fdaa._support.extras import needs_extra as _needs_extra

with _needs_extra("fdaa.platform", "platform"):
    from fdaa.platform._apps import AppList, EnsuredApp, PlatformApp
    from fdaa.platform._claims import Claims, UnverifiedClaims
    from fdaa.platform._client import AsyncClient, Client
    from fdaa.platform._errors import (
        AccessDeniedError,
        CannotVerifyError,
        ConflictError,
        FailedCheck,
        IncompleteListError,
        InvalidResponseError,
        NoIdentityError,
        NotFoundError,
        OtherNetworkError,
        PlatformError,
        RateLimitError,
        ResponseError,
        TokenRefusedError,
        UnreachableError,
    )
    from fdaa.platform._identity import AsyncMachineIdentity, MachineIdentity
    from fdaa.platform._token import Token
    from fdaa.platform._verifier import AsyncVerifier, Verifier

__all__ = [
    "AccessDeniedError",
    "AppList",
    "AsyncClient",
    "AsyncMachineIdentity",
    "AsyncVerifier",
    "CannotVerifyError",
    "Claims",
    "Client",
    "ConflictError",
    "EnsuredApp",
    "FailedCheck",
    "IncompleteListError",
    "InvalidResponseError",
    "MachineIdentity",
    "NoIdentityError",
    "NotFoundError",
    "OtherNetworkError",
    "PlatformApp",
    "PlatformError",
    "RateLimitError",
    "ResponseError",
    "Token",
    "TokenRefusedError",
    "UnreachableError",
    "UnverifiedClaims",
    "Verifier",
]

_publish(__name__)
