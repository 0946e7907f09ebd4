"""Requests to a sandbox as they stand on the wire: no client of ours in between."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import httpx2

if TYPE_CHECKING:
    from fdaa.platform.sandbox import Machine, Sandbox


def call(
    sandbox: Sandbox, method: str, target: str, body: object = None, authorization: str = ""
) -> httpx2.Response:
    """Send one request to the API, with the sandbox's token unless another one is given."""
    headers = {"Authorization": authorization or f"Bearer {sandbox.token}"}
    with httpx2.Client(base_url=sandbox.base_url, verify=False) as http:
        return _send(http, method, target, body, headers)


def ask_token(machine: Machine, body: object = None, host: str = "localhost") -> httpx2.Response:
    """Ask a Machine's socket for a token."""
    transport = httpx2.HTTPTransport(uds=machine.socket, verify=False)
    with httpx2.Client(base_url=f"http://{host}", transport=transport) as http:
        return _send(http, "POST", "/v1/tokens/oidc", body, {})


def _send(
    http: httpx2.Client, method: str, target: str, body: object, headers: dict[str, str]
) -> httpx2.Response:
    """Send one request; a body that is no bytes goes as JSON."""
    if body is None:
        return http.request(method, target, headers=headers)
    if not isinstance(body, bytes):
        body = json.dumps(body).encode()
    headers = {"Content-Type": "application/json", **headers}
    return http.request(method, target, headers=headers, content=body)
