"""The sandbox's HTTP interfaces: the API, the issuers' published files, a Machine's socket."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from fdaa._support import strict_json
from fdaa._support.escapes import quote
from fdaa.platform.sandbox._faults import Fault, Faults, error_response, faulty_responses
from fdaa.platform.sandbox._state import TOKEN_LIFE, Key, RefusedError, invalid_field
from fdaa.platform.sandbox._tokens import ALGORITHM, issue, new_private_key, public_jwk

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.types import ASGIApp, Receive, Scope, Send

    from fdaa.platform.sandbox._listeners import Listeners
    from fdaa.platform.sandbox._state import Machine, State

_BODY_LIMIT = 65536  # bytes of a request
# The types of a field: what its value must be, for messages, and in Python.
_STRING = ("a string", str)
_OPTIONAL_STRING = ("a string, or omitted", str)
_NUMBER = ("a number", int, float)
_WHOLE_NUMBER = ("a whole number", int)
_BOOLEAN = ("true or false", bool)
_SURROGATE = re.compile("[\ud800-\udfff]")  # half a pair, as JSON's "\\ud800": it has no UTF-8

_SHIFT = TOKEN_LIFE + 3600  # seconds
_SHIFTS = {
    Fault.EXPIRED_TOKEN: -_SHIFT,
    Fault.TOKEN_NOT_VALID_YET: _SHIFT,
}


@dataclass
class Api:
    """The endpoints of one sandbox.

    Args:
        state: the stored state.
        listeners: the sockets of Machines are opened and closed here.
        token: the API token.
        base_url: where the API is.
        oidc_issuer: `{oidc_issuer}` of the specification.
        faults: the faults of the next tokens and responses.
    """

    state: State
    listeners: Listeners
    token: str = field(repr=False)
    base_url: str
    oidc_issuer: str
    faults: Faults = field(default_factory=Faults)

    def http_app(self) -> Starlette:
        """Return the application that serves the API and the issuers."""
        routes = [
            Route("/v1/apps", self._apps, methods=["GET", "POST"]),
            Route("/v1/apps/{app_name:path}", self._destroy_app, methods=["DELETE"]),
            # The files that third parties read at an issuer (section 5, rule 4).
            Route("/oidc/{org}/.well-known/openid-configuration", self._configuration),
            Route("/oidc/{org}/keys", self._keys),
            # Additional requests, which the platform does not have.
            Route("/sandbox/machines", self._start_machine, methods=["POST"]),
            Route("/sandbox/machines/{machine}", self._destroy_machine, methods=["DELETE"]),
            Route("/sandbox/keys", self._rotate_key, methods=["POST"]),
            Route("/sandbox/faults", self._inject_fault, methods=["POST"]),
        ]
        bearer_only = Middleware(_bearer_only, token=self.token)
        return self._application(routes, bearer_only)

    def open_socket(self, machine: Machine) -> None:
        """Serve a Machine's socket (section 4.4).

        Raises:
            OSError: it cannot be opened.
        """

        async def token(request: Request) -> Response:
            if request.headers.getlist("host") != ["localhost"]:
                raise RefusedError(400, "invalid_host", "the host must be localhost")
            fields = await _read(request, aud=_OPTIONAL_STRING)
            text = self.issue_token(machine, fields.get("aud"))
            return PlainTextResponse(text)

        routes = [Route("/v1/tokens/oidc", token, methods=["POST"])]
        self.listeners.open(machine.socket, self._application(routes))

    def issuer(self, org: str) -> str:
        """Return the issuer of an organization (section 2.4)."""
        return f"{self.oidc_issuer}/{org}"

    def issue_token(self, machine: Machine, audience: str | None) -> str:
        """Return a new token for a Machine (section 4.4).

        Raises:
            RefusedError: it was destroyed.
        """
        identity = self.state.identity(machine)
        org = identity["org_name"]
        key = self._published_keys(org)[0]
        if audience is None:
            audience = f"{self.base_url}/{org}"
        issued = int(time.time())
        fault = self.faults.next_of_token()
        if fault is Fault.UNPUBLISHED_KEY:
            key = Key(f"{org}-unpublished", new_private_key())
        elif fault is not None:
            issued += _SHIFTS[fault]
        return issue(identity, key, self.issuer(org), audience, issued)

    async def _apps(self, request: Request) -> Response:
        """List (section 4.3) or create (section 4.2): one route, so that `Allow` has both."""
        if request.method == "POST":
            return await self._create_app(request)
        slugs = request.query_params.getlist("org_slug")
        if len(slugs) != 1:
            raise RefusedError(400, "invalid_query", "give org_slug exactly once")
        apps = self.state.apps(slugs[0])
        found = {
            "total_apps": len(apps),
            "apps": apps,
        }
        return JSONResponse(found)

    async def _create_app(self, request: Request) -> Response:
        fields = await _read(
            request,
            app_name=_STRING,
            org_slug=_STRING,
            network=_OPTIONAL_STRING,
        )
        app = self.state.create_app(**fields)
        return JSONResponse(app, 201)

    async def _destroy_app(self, request: Request) -> Response:
        machines = self.state.destroy_app(request.path_params["app_name"])
        for machine in machines:
            self.listeners.close(machine.socket)
        return Response(status_code=202)

    async def _configuration(self, request: Request) -> Response:
        """Return the metadata of OpenID Connect Discovery 1.0, section 3.

        Section 3 also requires `authorization_endpoint`. It is left out: no one logs in here.
        """
        org = request.path_params["org"]
        self.state.find_organization(org)
        issuer = self.issuer(org)
        return JSONResponse(
            {
                "issuer": issuer,
                "jwks_uri": f"{issuer}/keys",
                "id_token_signing_alg_values_supported": [ALGORITHM],
                "response_types_supported": ["id_token"],
                "subject_types_supported": ["public"],
            }
        )

    async def _keys(self, request: Request) -> Response:
        """Return the JWK set of RFC 7517, section 5."""
        published = self._published_keys(request.path_params["org"])
        keys = [public_jwk(key) for key in published]
        return JSONResponse({"keys": keys})

    def _published_keys(self, org: str) -> list[Key]:
        """Return an organization's keys, the one that signs first; the first is made when needed.

        Raises:
            RefusedError: there is no such organization.
        """
        keys = self.state.keys(org)
        if keys:
            return keys
        self.state.add_key(new_private_key(), org)
        return self.state.keys(org)

    async def _start_machine(self, request: Request) -> Response:
        fields = await _read(request, app_name=_STRING)
        machine = self.state.start_machine(fields["app_name"])
        try:
            self.open_socket(machine)
        except OSError as error:
            self.state.destroy_machine(machine.id)
            reason = f"the Machine's socket cannot be opened: {error}"
            raise RefusedError(503, "no_socket", reason) from None
        return JSONResponse(machine.to_dict(), 201)

    async def _destroy_machine(self, request: Request) -> Response:
        machine = self.state.destroy_machine(request.path_params["machine"])
        self.listeners.close(machine.socket)
        return Response(status_code=204)

    async def _rotate_key(self, request: Request) -> Response:
        fields = await _read(
            request,
            org_slug=_STRING,
            after=_NUMBER,
            withdraw=_BOOLEAN,
        )
        self.state.add_key(new_private_key(), **fields)
        return Response(status_code=204)

    async def _inject_fault(self, request: Request) -> Response:
        fields = await _read(
            request,
            fault=_STRING,
            count=_WHOLE_NUMBER,
            seconds=_NUMBER,
        )
        self.faults.add(**fields)
        return Response(status_code=204)

    def _application(self, routes: list[Route], *inside: Middleware) -> Starlette:
        faulty = Middleware(faulty_responses, faults=self.faults)
        application = Starlette(
            routes=routes,
            middleware=[faulty, *inside],
            exception_handlers={
                RefusedError: _refused,
                HTTPException: _not_served,
            },
        )
        application.router.redirect_slashes = False  # the platform does not redirect
        return application


async def _refused(_: Request, error: Any) -> Response:
    return error_response(error.status, error.code, str(error))


async def _not_served(_: Request, error: Any) -> Response:
    return error_response(error.status_code, "refused", error.detail, error.headers)


def _bearer_only(app: ASGIApp, token: str) -> ASGIApp:
    """Return an application that without the token has the issuers' published files (section 5)."""

    async def respond(scope: Scope, receive: Receive, send: Send) -> None:
        authorization = Headers(scope=scope).get("authorization", "")
        scheme, _, credentials = authorization.partition(" ")
        has_token = scheme.lower() == "bearer" and credentials == token
        is_published = scope["path"].startswith("/oidc/")
        if has_token or is_published:
            await app(scope, receive, send)
            return
        reason = "the header Authorization: Bearer must contain the sandbox's token"
        headers = {"WWW-Authenticate": "Bearer"}
        refusal = error_response(401, "unauthorized", reason, headers)
        await refusal(scope, receive, send)

    return respond


async def _read(request: Request, **types: tuple[Any, ...]) -> dict[str, Any]:
    """Return the fields of a body: these, and no others. No body is an empty object.

    Raises:
        RefusedError: the body is something else.
    """
    body = await _read_body(request)
    try:
        text = strict_json.decode(body or b"{}")
        fields = strict_json.load(text)
    except strict_json.JSONError as error:
        reason = f"the body is not valid: {error}"
        raise RefusedError(400, "invalid_json", reason) from None
    if not isinstance(fields, dict):
        raise RefusedError(400, "invalid_body", "the body must be an object")
    for name, expected in types.items():
        if name not in fields and expected is not _OPTIONAL_STRING:
            reason = f"the field {name} is missing"
            raise RefusedError(422, "missing_field", reason)
    for name, value in fields.items():
        if name not in types:
            reason = f"there is no field {quote(name)}"
            raise RefusedError(422, "unknown_field", reason)
        description, *allowed = types[name]
        if type(value) not in allowed or _SURROGATE.search(str(value)):
            raise invalid_field(f"the field {name} must be {description}")
    return fields


async def _read_body(request: Request) -> bytes:
    """Return the body of a request.

    Raises:
        RefusedError: it is too long, or of another type than JSON.
    """
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > _BODY_LIMIT:
            reason = f"the body is longer than {_BODY_LIMIT // 1024} KiB"
            raise RefusedError(413, "too_large", reason)
    content_type = request.headers.get("content-type", "")
    media_type = content_type.partition(";")[0].strip().lower()
    if body and media_type != "application/json":
        reason = "the body must be application/json"
        raise RefusedError(415, "invalid_content_type", reason)
    return bytes(body)
