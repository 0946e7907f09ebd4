"""Calls of the client, and what a server does to them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TypeVar

import pytest
from hostile_server import HostileServer, answers

from fdaa.platform import Client

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable

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
GOOD = answers(200, json.dumps(LIST).encode())


def call(
    server: HostileServer, operation: str, *arguments: object, timeout: float = 30, **options: Any
) -> Any:
    """Call a method of a new client of a server."""
    with Client(server.url, TOKEN, timeout=timeout) as client:
        return getattr(client, operation)(*arguments, **options)


def failed(
    error: type[Error], script: Script, *arguments: Any, **options: Any
) -> tuple[Error, HostileServer]:
    """Return the error of a call to a server that does what `script` says, and the server."""
    with HostileServer(script) as server, pytest.raises(error) as info:
        call(server, *arguments, **options)
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


def api_at(server: HostileServer) -> dict[str, str]:
    """Return the variables with which a command calls a server."""
    return {"FDAA_API_URL": server.url, "FDAA_API_TOKEN": TOKEN}
