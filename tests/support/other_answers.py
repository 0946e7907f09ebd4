"""A platform that answers what the specification leaves open in every other way that it may.

A sandbox does the work. A server in front of it rewrites its responses, each in the next way.
"""

from __future__ import annotations

import json
import time
from contextlib import ExitStack
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from hostile_server import HostileServer, Received, answer
from sandbox_calls import ask_token, call

from fdaa.platform.sandbox import Machine, Sandbox

if TYPE_CHECKING:
    import socket

JSON = "Content-Type: application/json"
TEXT = "Content-Type: text/plain"

Shown = tuple[int, bytes, str]  # a response: status, body and a header


def _json(value: object, status: int = 200) -> Shown:
    return status, json.dumps(value).encode(), JSON


def _created(app: dict[str, Any]) -> list[Shown]:
    return [
        (201, b"", TEXT),
        _json({"name": app["name"], "status": "pending"}, 201),
        _json({"id": app["id"], "created_at": int(time.time())}),
        (204, b"", TEXT),
        _json({**app, "machine_count": 0, "volume_count": 0}, 201),
    ]


def _listed(app: dict[str, Any]) -> list[dict[str, Any]]:
    """Return an app with the default network as nothing, in three ways."""
    if app["network"] != "default":
        return [{**app, "status": "deployed"}] * 3
    left_out = app.copy()
    del left_out["network"]
    return [{**app, "network": ""}, {**app, "network": None}, left_out]


def _refused(status: int, message: str, code: str) -> list[Shown]:
    return [
        _json({"message": message, "code": code}, status),
        (status, message.encode(), TEXT),
        (status, b"", TEXT),
        _json({"errors": [{"title": code, "detail": message}]}, status),
    ]


def _token(token: str) -> list[Shown]:
    return [
        _json(token),
        _json({"token": token}),
        (200, f"{token}\n".encode(), TEXT),
        _json({"value": token}),
        (200, json.dumps({"id_token": token}).encode(), "X-No-Content-Type: 1"),
    ]


class OtherAnswers:
    """Stands for a `Sandbox`, from `start` to `stop`."""

    def __init__(self, *, state: str) -> None:
        self._sandbox = Sandbox(state=state)
        self._started = ExitStack()
        self._turn = cycle(range(60))  # 60 is a multiple of each number of ways

    def start(self) -> Self:
        self._started.enter_context(self._sandbox)
        self._api = self._started.enter_context(HostileServer(self._answer))
        self.base_url = self._api.url
        self.token = self._sandbox.token
        self.ensure_issuer = self._sandbox.ensure_issuer
        return self

    def stop(self) -> None:
        self._started.close()

    def start_machine(self, app: str) -> Machine:
        machine = self._sandbox.start_machine(app)
        path = str(Path(machine.socket).parent.parent / f"other-{machine.id}")

        def script(connection: socket.socket, request: Received) -> None:
            body = ask_token(machine, json.loads(request.body)).body.decode()
            self._write(connection, _token(body))

        self._started.enter_context(HostileServer(script, path=path))
        return replace(machine, socket=path)

    def _answer(self, connection: socket.socket, request: Received) -> None:
        headers = {"Authorization": request.headers["authorization"]}
        if request.body:
            headers["Content-Type"] = request.headers["content-type"]
        body = request.body or None
        response = call(self._sandbox, request.method, request.target, body, headers)
        if response.status >= 400:
            fields = response.json
            self._write(connection, _refused(response.status, fields["error"], fields["status"]))
        elif request.method == "POST":
            self._write(connection, _created(response.json))
        elif request.method == "GET":
            apps = [_listed(app)[next(self._turn) % 3] for app in response.json["apps"]]
            self._write(connection, [_json({"total_apps": len(apps), "apps": apps})])
        else:
            self._write(connection, [(202, b"", TEXT)])

    def _write(self, connection: socket.socket, ways: list[Shown]) -> None:
        status, body, header = ways[next(self._turn) % len(ways)]
        answer(connection, status, body, header)
