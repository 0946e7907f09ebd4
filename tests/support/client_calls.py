"""Calls of the client and of the asynchronous one, and what a server does to them."""

from __future__ import annotations

import asyncio
import json
import socket
import struct
from typing import TYPE_CHECKING

from hostile_server import answers
from secrets_seen import CANARY

from fdaa.platform import AsyncClient, Client

if TYPE_CHECKING:
    from hostile_server import HostileServer, Received

TOKEN = CANARY
LIST = {
    "total_apps": 2,
    "apps": [
        {"id": "a1", "name": "web", "machine_count": 2, "volume_count": 0, "network": "blue"},
        {"id": "a2", "name": "api", "machine_count": 0, "volume_count": 1, "network": ""},
    ],
}
GOOD = answers(200, json.dumps(LIST).encode())


def call(kind: str, server: HostileServer, operation: str, *arguments: object, **options):
    """Call a method of the client, or of the asynchronous one."""
    timeout = options.pop("timeout", 5)
    if kind == "sync":
        with Client(server.url, TOKEN, timeout) as client:
            return getattr(client, operation)(*arguments, **options)

    async def main():
        async with AsyncClient(server.url, TOKEN, timeout) as client:
            return await getattr(client, operation)(*arguments, **options)

    return asyncio.run(main())


def broken(connection, _: Received) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{")
    connection.close()


def closed(connection, _: Received) -> None:
    connection.close()


def reset(connection: socket.socket, _: Received | None = None) -> None:
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()
