"""An ASGI middleware: only Machines of this network, with a token for this service, get through."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from fdaa import Address, AddressError, NetworkID
from fdaa.platform import AsyncVerifier, CannotVerifyError, TokenRefusedError

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]
FORWARDING = {b"forwarded", b"x-forwarded-for", b"x-real-ip"}  # anyone can send these headers


class Gate:
    """Refuses requests with 401 or 403, and with 503 while the issuer cannot be reached."""

    def __init__(self, app: App, verifier: AsyncVerifier, network: NetworkID) -> None:
        self.app = app
        self.verifier = verifier
        self.network = network

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        status = 200
        if scope["type"] != "lifespan":
            status = await self.status_of(scope)
        if status == 200:
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close"})
        else:
            headers = [(b"content-length", b"0")]
            await send({"type": "http.response.start", "status": status, "headers": headers})
            await send({"type": "http.response.body"})

    async def status_of(self, scope: Message) -> int:
        """Return 200, or the status with which a request is refused."""
        if not self.is_on_network(scope):
            return 403
        kind, _, token = dict(scope["headers"]).get(b"authorization", b"").partition(b" ")
        if kind.lower() != b"bearer":
            return 401
        try:
            await self.verifier.verify(token.decode("ascii", "replace"))
        except TokenRefusedError:
            return 401
        except CannotVerifyError:
            return 503
        return 200

    def is_on_network(self, scope: Message) -> bool:
        """Whether the peer's address is on the network, and is not what a header says."""
        host, port = scope.get("client") or ("", 0)
        names = {name for name, _ in scope["headers"]}
        if not port or names & FORWARDING:  # an address from a header often comes without a port
            return False
        try:
            return Address(host) in self.network
        except AddressError:
            return False
