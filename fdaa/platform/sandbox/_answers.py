"""How the sandbox answers where the specification says "not shown".

Each choice is ours, see `docs/sandbox.md`. `Answers.USUAL` answers in one way. `Answers.OTHER` goes
through all other ways that a client must take, in turn.
"""

from __future__ import annotations

import json
import time
from enum import StrEnum
from itertools import cycle
from typing import TYPE_CHECKING

from starlette.responses import JSONResponse, PlainTextResponse, Response

from fdaa.platform.sandbox._state import DEFAULT

if TYPE_CHECKING:
    from collections.abc import Callable

    from fdaa.platform.sandbox._state import App


class Answers(StrEnum):
    """In which way to answer what the specification leaves open."""

    USUAL = "usual"
    OTHER = "other"


class Replies:
    """The answers of one sandbox."""

    def __init__(self, answers: Answers) -> None:
        other = answers is Answers.OTHER
        self.algorithm = "ES256" if other else "RS256"
        self._created = cycle(_OTHER_CREATED if other else [_id_and_network])
        self._errors = cycle(_OTHER_ERRORS if other else [_error_and_status])
        self._tokens = cycle(_OTHER_TOKENS if other else [PlainTextResponse])
        self._listed = cycle(_OTHER_LISTED if other else [_whole_app])

    def created(self, app: App) -> Response:
        """Answer a creation (section 4.2)."""
        return next(self._created)(app)

    def apps(self, apps: list[App]) -> Response:
        """Answer a list (section 4.3)."""
        listed = [next(self._listed)(app) for app in apps]
        return JSONResponse({"total_apps": len(apps), "apps": listed})

    def token(self, token: str) -> Response:
        """Answer a request for a token (section 4.4)."""
        return next(self._tokens)(token)

    def error(self, status: int, code: str, message: str) -> Response:
        """Answer a request that is refused (section 7)."""
        response = next(self._errors)(status, code, message)
        if status == 401:
            response.headers["WWW-Authenticate"] = "Bearer"
        return response


def _id_and_network(app: App) -> Response:
    return JSONResponse({"id": app.id, "name": app.name, "network": app.network}, 201)


_OTHER_CREATED: list[Callable[[App], Response]] = [
    lambda _: Response(status_code=201),
    lambda app: JSONResponse({"name": app.name, "status": "pending"}, 201),
    lambda app: JSONResponse({"id": app.id, "created_at": int(time.time())}, 200),
    lambda _: Response(status_code=204),
    lambda app: JSONResponse(app._asdict(), 201),
]


def _whole_app(app: App) -> dict[str, object]:
    return app._asdict()


def _default_network_as(network: str | None) -> Callable[[App], dict[str, object]]:
    def listed(app: App) -> dict[str, object]:
        shown = network if app.network == DEFAULT else app.network
        return {**app._asdict(), "network": shown, "status": "deployed"}

    return listed


def _default_network_left_out(app: App) -> dict[str, object]:
    fields = app._asdict()
    if app.network == DEFAULT:
        del fields["network"]
    return fields


_OTHER_LISTED = [_default_network_as(""), _default_network_as(None), _default_network_left_out]

_OTHER_TOKENS: list[Callable[[str], Response]] = [
    JSONResponse,
    lambda token: JSONResponse({"token": token}),
    lambda token: PlainTextResponse(token + "\n"),
    lambda token: JSONResponse({"value": token}),
    lambda token: Response(json.dumps({"id_token": token})),  # no content type
]


def _error_and_status(status: int, code: str, message: str) -> Response:
    return JSONResponse({"error": message, "status": code}, status)


_OTHER_ERRORS: list[Callable[[int, str, str], Response]] = [
    lambda status, code, message: JSONResponse({"message": message, "code": code}, status),
    lambda status, _, message: PlainTextResponse(message, status),
    lambda status, _, __: Response(status_code=status),
    lambda status, code, message: JSONResponse(
        {"errors": [{"title": code, "detail": message}]}, status
    ),
]
