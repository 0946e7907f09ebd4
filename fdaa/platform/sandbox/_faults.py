"""Faults on demand: failures that a client or a relying party must handle, for tests."""

import asyncio
import math
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from enum import StrEnum

from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fdaa.platform.sandbox._state import InvalidArgumentError

_A_DAY = 86_400  # seconds


class Fault(StrEnum):
    """A fault of the next tokens (the first three), or of the next responses."""

    EXPIRED_TOKEN = "expired-token"  # noqa: S105 - no password
    TOKEN_NOT_VALID_YET = "token-not-valid-yet"  # noqa: S105
    UNPUBLISHED_KEY = "unpublished-key"
    RATE_LIMIT = "rate-limit"
    UNAVAILABLE = "unavailable"
    DELAY = "delay"
    CUT_OFF = "cut-off"


_OF_TOKENS = (
    Fault.EXPIRED_TOKEN,
    Fault.TOKEN_NOT_VALID_YET,
    Fault.UNPUBLISHED_KEY,
)


class Faults:
    """The pending faults, in order."""

    def __init__(self) -> None:
        self._tokens: deque[Fault] = deque()
        self._responses: deque[tuple[Fault, float]] = deque()
        self._end = asyncio.Event()  # of the sandbox

    def add(self, fault: str, count: int, seconds: float) -> None:
        """Make the next tokens or responses fail."""
        if fault not in list(Fault):
            names = ", ".join(Fault)
            raise InvalidArgumentError(f"fault must be one of {names}")
        if not 1 <= count <= 1000:
            raise InvalidArgumentError("count must be 1 to 1000")
        if not 0 <= seconds <= _A_DAY:
            raise InvalidArgumentError(f"seconds must be 0 to {_A_DAY}")
        if fault in _OF_TOKENS:
            self._tokens.extend([Fault(fault)] * count)
        else:
            self._responses.extend([(Fault(fault), seconds)] * count)

    def end(self) -> None:
        """End all delays, as the sandbox ends."""
        self._end.set()

    async def delay(self, seconds: float) -> None:
        """Wait, at most until the sandbox ends."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._end.wait(), seconds)

    def next_of_token(self) -> Fault | None:
        """Return the fault of the next token, if any."""
        if not self._tokens:
            return None
        return self._tokens.popleft()

    def next_of_response(self) -> tuple[Fault | None, float]:
        """Return the fault of the next response, if any, and its seconds."""
        if not self._responses:
            return None, 0
        return self._responses.popleft()


def faulty_responses(app: ASGIApp, faults: Faults) -> ASGIApp:
    """Return an application whose responses fail as it is demanded."""

    async def respond(scope: Scope, receive: Receive, send: Send) -> None:
        fault, seconds = faults.next_of_response()
        responder = app
        if fault is Fault.RATE_LIMIT:
            wait = {"Retry-After": str(math.ceil(seconds))}
            responder = error_response(429, "rate_limited", "too many requests", wait)
        elif fault is Fault.UNAVAILABLE:
            responder = error_response(503, "unavailable", "temporarily unavailable")
        elif fault is Fault.DELAY:
            send = _delayed(send, faults, seconds)
        elif fault is Fault.CUT_OFF:
            send = _first_part(send)
        with suppress(ClientDisconnect):  # before its request was read
            await responder(scope, receive, send)

    return respond


def error_response(
    status: int, code: str, message: str, headers: Mapping[str, str] | None = None
) -> JSONResponse:
    """Return the response to a request that is refused (section 7)."""
    body = {"error": message, "status": code}
    return JSONResponse(body, status, headers)


def _delayed(send: Send, faults: Faults, seconds: float) -> Send:
    """Return a `send` that waits before the response."""

    async def send_later(message: Message) -> None:
        if message["type"] == "http.response.start":
            await faults.delay(seconds)
        await send(message)

    return send_later


def _first_part(send: Send) -> Send:
    """Return a `send` that announces more than it sends; the server then closes the connection."""

    async def send_part(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message)["Content-Length"] = "1000000"
        first = message.get("body", b"")[:10]
        await send({**message, "body": first, "more_body": True})

    return send_part
