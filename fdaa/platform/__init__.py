"""The live platform: its apps and their networks, and who a Machine is.

Needs the extra `platform`: `pip install fdaa[platform]`.
"""

from fdaa._extras import missing_extra as _missing_extra

try:
    from fdaa.networks import App
    from fdaa.platform._claims import Claims, UnverifiedClaims
    from fdaa.platform._client import AsyncClient, Client
    from fdaa.platform._errors import (
        ArgumentError,
        Check,
        Failure,
        NoIdentityError,
        PlatformError,
        ResponseError,
        TokenRefusedError,
        UnexpectedAnswerError,
        UnreachableError,
    )
    from fdaa.platform._identity import MachineIdentity, Token
    from fdaa.platform._messages import AppList, Created
    from fdaa.platform._verifier import Verifier
except ModuleNotFoundError as error:
    raise _missing_extra("fdaa.platform", "platform", error) from error

__all__ = [
    "App",
    "AppList",
    "ArgumentError",
    "AsyncClient",
    "Check",
    "Claims",
    "Client",
    "Created",
    "Failure",
    "MachineIdentity",
    "NoIdentityError",
    "PlatformError",
    "ResponseError",
    "Token",
    "TokenRefusedError",
    "UnexpectedAnswerError",
    "UnreachableError",
    "UnverifiedClaims",
    "Verifier",
]
