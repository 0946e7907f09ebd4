"""Calls of the client and of the asynchronous one, and what a server does to them."""

from __future__ import annotations

import asyncio
import json
import socket
import struct
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

import pytest
from hostile_server import HostileServer, answers

from fdaa.platform import AsyncClient, Client

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hostile_server import Received

    Script = Callable[[socket.socket, Received], None]

TOKEN = "canary-4f1a9c77d0"
Error = TypeVar("Error", bound=Exception)
LIST: dict[str, Any] = {
    "total_apps": 2,
    "apps": [
        {"id": "a1", "name": "web", "machine_count": 2, "volume_count": 0, "network": "blue"},
        {"id": "a2", "name": "api", "machine_count": 0, "volume_count": 1, "network": ""},
    ],
}
CREATE: tuple[str, dict[str, Any]] = ("create_app", {"org": "acme"})  # operation and options
DESTROY: tuple[str, dict[str, Any]] = ("destroy_app", {})
GOOD = answers(200, json.dumps(LIST).encode())


def call(
    kind: str,
    server: HostileServer,
    operation: str,
    *arguments: object,
    timeout: float = 30,
    settings: Mapping[str, Any] = MappingProxyType({}),
    **options: object,
) -> Any:
    """Call a method of the client, or of the asynchronous one."""
    if kind == "sync":
        with Client(server.url, TOKEN, timeout=timeout, **settings) as client:
            return getattr(client, operation)(*arguments, **options)

    async def main() -> Any:
        async with AsyncClient(server.url, TOKEN, timeout=timeout, **settings) as client:
            return await getattr(client, operation)(*arguments, **options)

    return asyncio.run(main())


def api_at(server: HostileServer) -> dict[str, str]:
    """Return the variables with which a command calls a server."""
    return {"FDAA_API_URL": server.url, "FDAA_API_TOKEN": TOKEN}


def failed(
    error: type[Error], kind: str, script: Script, *arguments: Any, **options: Any
) -> tuple[Error, HostileServer]:
    """Return the error of a call to a server that does what `script` says, and the server."""
    with HostileServer(script) as server, pytest.raises(error) as info:
        call(kind, server, *arguments, **options)
    return info.value, server


def in_turn(*scripts: Script) -> Script:
    """Return a script that is another one for each request; the last one stays."""
    rest = list(scripts)

    def script(connection: socket.socket, request: Received) -> None:
        current = rest[0]
        if len(rest) > 1:
            rest.pop(0)
        current(connection, request)

    return script


def broken(connection: socket.socket, _: Received) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{")
    connection.close()


def closed(connection: socket.socket, _: Received) -> None:
    connection.close()


def reset(connection: socket.socket, _: Received | None = None) -> None:
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def refusing() -> str:
    """Return the URL of a port that nothing listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return f"http://127.0.0.1:{listener.getsockname()[1]}"
