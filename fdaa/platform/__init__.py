"""The live platform: its apps and their networks, and who a Machine is.

Needs the extra `platform`: `pip install fdaa[platform]`.
"""

from fdaa.platform._client import AsyncClient, Client
from fdaa.platform._errors import (
    ArgumentError,
    NoIdentityError,
    PlatformError,
    ResponseError,
    UnexpectedAnswerError,
    UnreachableError,
)
from fdaa.platform._messages import App, AppList, Created

__all__ = [
    "App",
    "AppList",
    "ArgumentError",
    "AsyncClient",
    "Client",
    "Created",
    "NoIdentityError",
    "PlatformError",
    "ResponseError",
    "UnexpectedAnswerError",
    "UnreachableError",
]
