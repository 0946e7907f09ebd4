"""The sandbox's HTTP interfaces: the API, the issuers' published files, a Machine's socket."""

from __future__ import annotations

import hmac
import json
from typing import TYPE_CHECKING, Any, Protocol

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from fdaa.errors import quote
from fdaa.platform.sandbox._state import DEFAULT, KEY_OUTLIVES_ROTATION, RefusedError
from fdaa.platform.sandbox._tokens import ALGORITHMS, claims_of, new_private_key, public_jwk, sign

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterable

    from starlette.requests import Request
    from starlette.types import ASGIApp, Receive, Scope, Send

    from fdaa.platform.sandbox._answers import Replies
    from fdaa.platform.sandbox._state import Key, MachineRecord, State

    Endpoint = Callable[[Request], Coroutine[Any, Any, Response]]

BODY_LIMIT = 65536  # bytes of a request


class Machines(Protocol):
    """What starts and stops the sockets of Machines."""

    def open_socket(self, record: MachineRecord) -> str:
        """Listen on a Machine's socket and return its path."""

    def close_sockets(self, records: Iterable[MachineRecord]) -> None:
        """Stop listening on the sockets of these Machines."""


class Service:
    """The operations of the platform, and those of the sandbox's own."""

    def __init__(self, state: State, replies: Replies, base_url: str, machines: Machines) -> None:
        self.state = state
        self.replies = replies
        self.base_url = base_url
        self._machines = machines

    def issuer(self, org: str) -> str:
        """Return the issuer of an organization (section 2.4)."""
        return f"{self.base_url}/oidc/{org}"

    def start_machine(self, app: str) -> tuple[MachineRecord, str]:
        """Start a Machine; return it and the path of its socket."""
        record = self.state.start_machine(app)
        return record, self._machines.open_socket(record)

    def destroy_machine(self, machine_id: str) -> None:
        """Destroy a Machine."""
        for record in self.state.machines():
            if record.id == machine_id:
                self.state.destroy_machine(record.number)
                self._machines.close_sockets([record])
                return
        raise RefusedError(404, "not_found", f"there is no Machine {quote(machine_id)}")

    def destroy_app(self, name: str) -> None:
        """Destroy an app and its Machines (section 4.1)."""
        self._machines.close_sockets(self.state.destroy_app(name))

    def published_keys(self, org: str) -> list[Key]:
        """Return an organization's keys, the one that signs first; the first is made when needed.

        Raises:
            RefusedError: there is no such organization.
        """
        if self.state.organization(org) is None:
            raise RefusedError(404, "not_found", f"there is no organization {quote(org)}")
        if not self.state.keys(org):
            self.rotate_key(org, withdraw=False)
        return self.state.keys(org)

    def rotate_key(self, org: str, *, withdraw: bool) -> None:
        """Sign with a new key; `withdraw` stops publishing the old ones at once."""
        old_ones_live = 0 if withdraw else KEY_OUTLIVES_ROTATION
        self.state.add_key(org, new_private_key(self.replies.algorithm), old_ones_live)

    def token(self, machine_number: int, audience: str | None) -> str:
        """Return a new token for a Machine (section 4.4)."""
        record = self.state.machine(machine_number)
        if audience is None:
            audience = f"{self.base_url}/{record.organization}"
        claims = claims_of(record, self.issuer(record.organization), audience)
        return sign(claims, self.published_keys(record.organization)[0])


def http_app(service: Service, token: str) -> Starlette:
    """Return what answers on loopback."""
    state, replies = service.state, service.replies

    async def list_apps(request: Request) -> Response:
        slugs = request.query_params.getlist("org_slug")
        if len(slugs) != 1:
            raise RefusedError(400, "invalid_query", "give org_slug exactly once")
        return replies.apps(state.apps(slugs[0]))

    async def create_app(request: Request) -> Response:
        fields = await _read(request, ("app_name", "org_slug"), ("network",))
        network = fields.get("network", DEFAULT)
        return replies.created(state.create_app(fields["app_name"], fields["org_slug"], network))

    async def destroy_app(request: Request) -> Response:
        service.destroy_app(request.path_params["app_name"])
        return Response(status_code=202)

    async def configuration(request: Request) -> Response:
        org = request.path_params["org"]
        service.published_keys(org)
        return JSONResponse(_configuration(service.issuer(org)))

    async def keys(request: Request) -> Response:
        published = service.published_keys(request.path_params["org"])
        return JSONResponse({"keys": [public_jwk(key) for key in published]})

    async def start_machine(request: Request) -> Response:
        fields = await _read(request, ("app_name",))
        record, socket = service.start_machine(fields["app_name"])
        return JSONResponse(
            {"id": record.id, "address": str(record.address), "socket": socket}, 201
        )

    async def destroy_machine(request: Request) -> Response:
        service.destroy_machine(request.path_params["machine"])
        return Response(status_code=204)

    async def rotate_key(request: Request) -> Response:
        fields = await _read(request, ("org_slug", "old_keys"))
        service.published_keys(fields["org_slug"])
        service.rotate_key(fields["org_slug"], withdraw=fields["old_keys"] == "withdraw")
        return Response(status_code=204)

    routes = [
        Route("/v1/apps", list_apps, methods=["GET"]),
        Route("/v1/apps", create_app, methods=["POST"]),
        Route("/v1/apps/{app_name:path}", destroy_app, methods=["DELETE"]),
        Route("/oidc/{org}/.well-known/openid-configuration", configuration, methods=["GET"]),
        Route("/oidc/{org}/keys", keys, methods=["GET"]),
        Route("/sandbox/machines", start_machine, methods=["POST"]),
        Route("/sandbox/machines/{machine}", destroy_machine, methods=["DELETE"]),
        Route("/sandbox/keys", rotate_key, methods=["POST"]),
    ]
    guard = Middleware(_BearerOnly, token=token, replies=replies)
    return _application(routes, replies, [guard])


def machine_app(service: Service, machine_number: int) -> Starlette:
    """Return what answers on a Machine's socket."""

    async def issue_token(request: Request) -> Response:
        if request.headers.getlist("host") != ["localhost"]:
            raise RefusedError(400, "invalid_host", "the host must be localhost")
        fields = await _read(request, (), ("aud",))
        return service.replies.token(service.token(machine_number, fields.get("aud")))

    routes = [Route("/v1/tokens/oidc", issue_token, methods=["POST"])]
    return _application(routes, service.replies)


class _BearerOnly:
    """Lets nobody without the token to anything but the issuers' published files (section 5)."""

    def __init__(self, app: ASGIApp, token: str, replies: Replies) -> None:
        self._app = app
        self._expected = f"Bearer {token}".encode()
        self._replies = replies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        given = [value for name, value in scope["headers"] if name == b"authorization"]
        known = len(given) == 1 and hmac.compare_digest(given[0], self._expected)
        if known or scope["path"].startswith("/oidc/"):
            await self._app(scope, receive, send)
        else:
            reason = "the header Authorization: Bearer must carry the sandbox's token"
            await self._replies.error(401, "unauthorized", reason)(scope, receive, send)


def _application(
    routes: list[Route], replies: Replies, middleware: list[Middleware] | None = None
) -> Starlette:
    async def refused(_: Request, error: Exception) -> Response:
        assert isinstance(error, RefusedError)  # noqa: S101 - it is registered for these
        return replies.error(error.status, error.code, str(error))

    async def http_error(_: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)  # noqa: S101 - it is registered for these
        response = replies.error(error.status_code, "refused", error.detail)
        response.headers.update(error.headers or {})
        return response

    async def failed(_: Request, __: Exception) -> Response:
        return replies.error(500, "internal", "the sandbox failed; its log says why")

    return Starlette(
        routes=routes,
        middleware=middleware,
        exception_handlers={RefusedError: refused, HTTPException: http_error, Exception: failed},
        max_body_size=BODY_LIMIT,
    )


async def _read(
    request: Request, required: tuple[str, ...], optional: tuple[str, ...] = ()
) -> dict[str, str]:
    """Return the fields of a body: these texts and no others.

    Raises:
        RefusedError: the body is something else.
    """
    body = await request.body()
    if not body and not required:
        return {}
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != "application/json":
        raise RefusedError(415, "invalid_content_type", "the body must be application/json")
    try:
        fields = json.loads(body, object_pairs_hook=_without_duplicates)
    except (ValueError, RecursionError) as error:
        message = f"the body is not valid JSON: {quote(str(error))}"
        raise RefusedError(400, "invalid_json", message) from None
    if not isinstance(fields, dict):
        raise RefusedError(400, "invalid_body", "the body must be an object")
    for name in required:
        if name not in fields:
            raise RefusedError(422, "missing_field", f"the field {name} is missing")
    for name, value in fields.items():
        if name not in required and name not in optional:
            raise RefusedError(422, "unknown_field", f"there is no field {quote(name)}")
        if not isinstance(value, str) or any("\ud800" <= c <= "\udfff" for c in value):
            raise RefusedError(422, "invalid_field", f"the field {name} must be a text")
    return fields


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError("a field is given twice")
    return fields


def _configuration(issuer: str) -> dict[str, Any]:
    """Return what the issuer publishes (OpenID Connect Discovery 1.0, section 3)."""
    return {
        "issuer": issuer,
        "jwks_uri": f"{issuer}/keys",
        "id_token_signing_alg_values_supported": list(ALGORITHMS),
        "response_types_supported": ["id_token"],
        "subject_types_supported": ["public"],
    }
