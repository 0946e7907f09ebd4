"""Faults on demand: what a client or a relying party must survive, without waiting for it."""

from __future__ import annotations

import asyncio
import math
from collections import deque
from enum import StrEnum
from typing import TYPE_CHECKING

from starlette.datastructures import MutableHeaders
from starlette.responses import JSONResponse

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_LONGEST = 86_400  # seconds


class Fault(StrEnum):
    """What goes wrong with the next tokens (the first three), or with the next responses."""

    EXPIRED_TOKEN = "expired-token"  # noqa: S105 - no password
    TOKEN_NOT_VALID_YET = "token-not-valid-yet"  # noqa: S105
    UNPUBLISHED_KEY = "unpublished-key"
    RATE_LIMIT = "rate-limit"
    UNAVAILABLE = "unavailable"
    DELAY = "delay"
    CUT_OFF = "cut-off"


_OF_TOKENS = (Fault.EXPIRED_TOKEN, Fault.TOKEN_NOT_VALID_YET, Fault.UNPUBLISHED_KEY)


class Faults:
    """The faults that are still to come, in their order."""

    def __init__(self) -> None:
        self._tokens: deque[Fault] = deque()
        self._responses: deque[tuple[Fault, float]] = deque()

    def add(self, fault: Fault, count: int, seconds: float) -> None:
        """Let the next tokens or responses fail.

        Raises:
            ValueError: a number is out of range.
        """
        if not 1 <= count <= 1000:
            raise ValueError("count must be 1 to 1000")
        if not 0 <= seconds <= _LONGEST:
            raise ValueError(f"seconds must be 0 to {_LONGEST}")
        if fault in _OF_TOKENS:
            self._tokens.extend([fault] * count)
        else:
            self._responses.extend([(fault, seconds)] * count)

    def next_of_token(self) -> Fault | None:
        """Return what goes wrong with the next token, if anything."""
        return self._tokens.popleft() if self._tokens else None

    def next_of_response(self) -> tuple[Fault | None, float]:
        """Return what goes wrong with the next response, if anything, and the fault's seconds."""
        return self._responses.popleft() if self._responses else (None, 0)


class FaultyResponses:
    """Middleware: lets responses fail; those to the sandbox's own requests do not."""

    def __init__(self, app: ASGIApp, faults: Faults) -> None:
        self._app = app
        self._faults = faults

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        fault, seconds = None, 0.0
        if not scope["path"].startswith("/sandbox/"):
            fault, seconds = self._faults.next_of_response()
        if fault is Fault.RATE_LIMIT:
            wait = {"Retry-After": str(math.ceil(seconds))}
            await error(429, "rate_limited", "too many requests", wait)(scope, receive, send)
        elif fault is Fault.UNAVAILABLE:
            await error(503, "unavailable", "temporarily unavailable")(scope, receive, send)
        elif fault is Fault.CUT_OFF:
            await self._app(scope, receive, _first_half(send))
        else:
            await asyncio.sleep(seconds)
            await self._app(scope, receive, send)


def error(
    status: int, code: str, message: str, headers: dict[str, str] | None = None
) -> JSONResponse:
    """Return the response to a request that is refused (section 7)."""
    return JSONResponse({"error": message, "status": code}, status, headers)


def _first_half(send: Send) -> Send:
    """Return a `send` that promises more than it sends; the server then closes the connection."""

    async def send_half(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers["Content-Length"] = str(int(headers.get("Content-Length", "0")) + 1)
            await send(message)
        else:
            body = message.get("body", b"")
            await send({**message, "body": body[: len(body) // 2], "more_body": True})

    return send_half
