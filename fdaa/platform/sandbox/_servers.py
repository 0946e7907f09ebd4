"""The servers of a running sandbox, in one event loop."""

import asyncio
import socket
from pathlib import Path

import uvicorn
from starlette.applications import Starlette

from fdaa._support.escapes import quote
from fdaa.platform.sandbox._state import SandboxError


class Servers:
    """The servers of a sandbox; use it in the event loop."""

    def __init__(self) -> None:
        self._running: dict[uvicorn.Server, asyncio.Task[None]] = {}
        self._of_sockets: dict[str, uvicorn.Server] = {}

    async def aclose(self) -> None:
        """Stop listening, and wait for the last responses."""
        for server in self._running:
            server.should_exit = True
        await asyncio.gather(*self._running.values())

    def serve(
        self,
        listener: socket.socket,
        app: Starlette,
        *,
        certificate: tuple[str, str] | None = None,
    ) -> uvicorn.Server:
        """Serve an application on a socket; with https if there is a certificate."""
        file, key = certificate or (None, None)
        config = uvicorn.Config(
            app,
            http="h11",
            lifespan="off",
            log_config=None,  # logging is the user's
            timeout_graceful_shutdown=1,
            ssl_certfile=file,
            ssl_keyfile=key,
        )
        try:
            config.load()
        except OSError as error:
            listener.close()
            names = f"the certificate {quote(str(file))} with the key {quote(str(key))}"
            raise SandboxError(f"{names} cannot be used: {error.strerror or error}") from None
        server = uvicorn.Server(config)
        self._running[server] = asyncio.create_task(server.serve([listener]))
        return server

    def open_socket(self, path: str, app: Starlette) -> None:
        """Serve an application on a Unix socket."""
        listener = socket.socket(socket.AF_UNIX)
        try:
            listener.bind(path)
            listener.listen()
        except OSError:
            listener.close()
            raise
        self._of_sockets[path] = self.serve(listener, app)

    def close_socket(self, path: str) -> None:
        """Delete a Unix socket, and stop its server."""
        Path(path).unlink(missing_ok=True)
        self._of_sockets.pop(path).should_exit = True


def listen(host: str, port: int) -> socket.socket:
    """Listen on a port; 0 is any free one."""
    family = socket.AF_INET
    if ":" in host:
        family = socket.AF_INET6
    try:
        listener = socket.create_server((host, port), family=family, dualstack_ipv6=host == "::")
    except OSError as error:
        reason, _, _ = str(error.strerror).partition(" (")  # Python adds the address
        raise SandboxError(f"{quote(host)} port {port} cannot be used: {reason}") from None
    # Its connections inherit this. Without it each response is delayed by 40 ms (Nagle).
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def url_of(host: str, port: int, scheme: str) -> str:
    """Return the URL of a listener: to listen on every address includes loopback."""
    if host == "0.0.0.0":  # noqa: S104 - what is given
        host = "127.0.0.1"
    elif host == "::":
        host = "[::1]"
    elif ":" in host:
        host = f"[{host}]"
    return f"{scheme}://{host}:{port}"
