"""Requests to a sandbox as they stand on the wire: no client of ours in between."""

from __future__ import annotations

import http.client
import json
import socket
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from fdaa.platform.sandbox import Machine, Sandbox


class Response(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path: str) -> None:
        super().__init__("localhost", timeout=10)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(10)
        self.sock.connect(self._path)


def send(
    connection: http.client.HTTPConnection,
    method: str,
    target: str,
    body: object = None,
    headers: dict[str, str] | None = None,
) -> Response:
    """Send one request; a body that is no bytes goes as JSON."""
    sent = headers or {}
    if body is not None:
        sent = {"Content-Type": "application/json", **sent}
        if not isinstance(body, bytes):
            body = json.dumps(body).encode()
    try:
        connection.request(method, target, body, sent)
        response = connection.getresponse()
        names = {name.lower(): value for name, value in response.getheaders()}
        return Response(response.status, names, response.read())
    finally:
        connection.close()


def call(
    sandbox: Sandbox,
    method: str,
    target: str,
    body: object = None,
    headers: dict[str, str] | None = None,
) -> Response:
    """Send one request to the API, with the token unless other headers are given."""
    address = urlsplit(sandbox.base_url)
    connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=10)
    if headers is None:
        headers = {"Authorization": f"Bearer {sandbox.token}"}
    return send(connection, method, target, body, headers)


def create(sandbox: Sandbox, name: str, network: str | None = None, org: str = "acme") -> Response:
    fields = {"app_name": name, "org_slug": org}
    if network is not None:
        fields["network"] = network
    return call(sandbox, "POST", "/v1/apps", fields)


def listed(sandbox: Sandbox, org: str = "acme") -> dict[str, dict[str, Any]]:
    """Return an organization's apps by name."""
    response = call(sandbox, "GET", f"/v1/apps?org_slug={org}")
    assert response.status == 200
    document = response.json
    assert document["total_apps"] == len(document["apps"])
    return {app["name"]: app for app in document["apps"]}


def ask_token(machine: Machine, body: object = None, host: str | None = None) -> Response:
    """Ask a Machine's socket for a token."""
    headers = {}
    if host is not None:
        headers["Host"] = host
    return send(UnixConnection(machine.socket), "POST", "/v1/tokens/oidc", body, headers)
