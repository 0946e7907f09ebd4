"""The sandbox's HTTP interfaces: the API, the issuers' published files, a Machine's socket."""

from __future__ import annotations

import hmac
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from fdaa import _json
from fdaa.errors import quote
from fdaa.platform.sandbox._faults import Fault, FaultyResponses, error
from fdaa.platform.sandbox._state import DEFAULT, RefusedError
from fdaa.platform.sandbox._tokens import ALGORITHM, public_jwk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.requests import Request
    from starlette.types import ASGIApp, Receive, Scope, Send

    from fdaa.platform.sandbox._service import Service

BODY_LIMIT = 65536  # bytes of a request


def http_app(service: Service, token: str) -> Starlette:
    """Return the application that serves the API and the issuers."""
    api = _Api(service)
    routes = [
        Route("/v1/apps", api.apps, methods=["GET", "POST"]),
        Route("/v1/apps/{app_name:path}", api.destroy_app, methods=["DELETE"]),
        # What third parties read at an issuer (section 5, rule 4).
        Route("/oidc/{org}/.well-known/openid-configuration", api.configuration),
        Route("/oidc/{org}/keys", api.keys),
        # The sandbox's own, which the platform does not have.
        Route("/sandbox/machines", api.start_machine, methods=["POST"]),
        Route("/sandbox/machines/{machine}", api.destroy_machine, methods=["DELETE"]),
        Route("/sandbox/keys", api.rotate_key, methods=["POST"]),
        Route("/sandbox/faults", api.inject_fault, methods=["POST"]),
    ]
    return _application(routes, service, [Middleware(_BearerOnly, token=token)])


def machine_app(service: Service, machine_number: int) -> Starlette:
    """Return the application that serves a Machine's socket (section 4.4)."""

    async def issue_token(request: Request) -> Response:
        if request.headers.getlist("host") != ["localhost"]:
            raise RefusedError(400, "invalid_host", "the host must be localhost")
        fields = await _read(request, {}, {"aud": str})
        return PlainTextResponse(service.token(machine_number, fields.get("aud")))

    return _application([Route("/v1/tokens/oidc", issue_token, methods=["POST"])], service, [])


class _Api:
    """The endpoints on the network."""

    def __init__(self, service: Service) -> None:
        self._service = service

    async def apps(self, request: Request) -> Response:
        """List (section 4.3) or create (section 4.2): one route, so that `Allow` has both."""
        if request.method == "POST":
            return await self._create_app(request)
        slugs = request.query_params.getlist("org_slug")
        if len(slugs) != 1:
            raise RefusedError(400, "invalid_query", "give org_slug exactly once")
        apps = self._service.state.apps(slugs[0])
        return JSONResponse({"total_apps": len(apps), "apps": apps})

    async def _create_app(self, request: Request) -> Response:
        fields = await _read(request, {"app_name": str, "org_slug": str}, {"network": str})
        network = fields.get("network", DEFAULT)
        app = self._service.state.create_app(fields["app_name"], fields["org_slug"], network)
        return JSONResponse(app, 201)

    async def destroy_app(self, request: Request) -> Response:
        self._service.destroy_app(request.path_params["app_name"])
        return Response(status_code=202)

    async def configuration(self, request: Request) -> Response:
        """Return the metadata of OpenID Connect Discovery 1.0, section 3.

        Section 3 also requires `authorization_endpoint`. It is left out: no one logs in here.
        """
        org = request.path_params["org"]
        self._service.published_keys(org)
        issuer = self._service.issuer(org)
        return JSONResponse(
            {
                "issuer": issuer,
                "jwks_uri": f"{issuer}/keys",
                "id_token_signing_alg_values_supported": [ALGORITHM],
                "response_types_supported": ["id_token"],
                "subject_types_supported": ["public"],
            }
        )

    async def keys(self, request: Request) -> Response:
        """Return the JWK set of RFC 7517, section 5."""
        published = self._service.published_keys(request.path_params["org"])
        return JSONResponse({"keys": [public_jwk(key) for key in published]})

    async def start_machine(self, request: Request) -> Response:
        fields = await _read(request, {"app_name": str})
        machine = self._service.start_machine(fields["app_name"])
        return JSONResponse(machine.to_dict(), 201)

    async def destroy_machine(self, request: Request) -> Response:
        self._service.destroy_machine(request.path_params["machine"])
        return Response(status_code=204)

    async def rotate_key(self, request: Request) -> Response:
        fields = await _read(request, {"org_slug": str, "after": float, "withdraw": bool})
        with _checked():
            self._service.rotate_key(**fields)
        return Response(status_code=204)

    async def inject_fault(self, request: Request) -> Response:
        fields = await _read(request, {"fault": str, "count": int, "seconds": float})
        with _checked():
            self._service.faults.add(Fault(fields["fault"]), fields["count"], fields["seconds"])
        return Response(status_code=204)


class _BearerOnly:
    """Lets no one without the token to anything but the issuers' published files (section 5)."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._token = token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = [value for name, value in scope["headers"] if name == b"authorization"]
        scheme, _, token = b",".join(headers).partition(b" ")
        known = scheme.lower() == b"bearer" and hmac.compare_digest(token, self._token)
        if known or scope["path"].startswith("/oidc/"):
            await self._app(scope, receive, send)
        else:
            reason = "the header Authorization: Bearer must carry the sandbox's token"
            response = error(401, "unauthorized", reason, {"WWW-Authenticate": "Bearer"})
            await response(scope, receive, send)


def _application(routes: list[Route], service: Service, middleware: list[Middleware]) -> Starlette:
    async def refused(_: Request, exception: Exception) -> Response:
        assert isinstance(exception, RefusedError)  # noqa: S101 - it is registered for these
        return error(exception.status, exception.code, str(exception))

    async def http_error(_: Request, exception: Exception) -> Response:
        assert isinstance(exception, HTTPException)  # noqa: S101 - it is registered for these
        headers = dict(exception.headers or {})
        return error(exception.status_code, "refused", exception.detail, headers)

    async def failed(_: Request, __: Exception) -> Response:
        return error(500, "internal", "the sandbox failed; see its log")

    application = Starlette(
        routes=routes,
        middleware=[Middleware(FaultyResponses, faults=service.faults), *middleware],
        exception_handlers={RefusedError: refused, HTTPException: http_error, Exception: failed},
    )
    application.router.redirect_slashes = False  # the platform does not redirect
    return application


async def _read(
    request: Request, required: dict[str, type], optional: dict[str, type] | None = None
) -> dict[str, Any]:
    """Return the fields of a body: these, of these types, and no others.

    Raises:
        RefusedError: the body is something else.
    """
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > BODY_LIMIT:
            reason = f"the body is longer than {BODY_LIMIT // 1024} KiB"
            raise RefusedError(413, "too_large", reason)
    if not body and not required:
        return {}
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != "application/json":
        raise RefusedError(415, "invalid_content_type", "the body must be application/json")
    try:
        fields = _json.load(_json.decode(bytes(body)))
    except _json.JSONError as exception:
        message = f"the body is not valid: {exception}"
        raise RefusedError(400, "invalid_json", message) from None
    if not isinstance(fields, dict):
        raise RefusedError(400, "invalid_body", "the body must be an object")
    _check_fields(fields, required, optional or {})
    return fields


def _check_fields(
    fields: dict[str, Any], required: dict[str, type], optional: dict[str, type]
) -> None:
    for name in required:
        if name not in fields:
            raise RefusedError(422, "missing_field", f"the field {name} is missing")
    for name, value in fields.items():
        wanted = required.get(name) or optional.get(name)
        if wanted is None:
            raise RefusedError(422, "unknown_field", f"there is no field {quote(name)}")
        is_number = wanted is float and type(value) is int
        is_text = isinstance(value, str) and not any("\ud800" <= c <= "\udfff" for c in value)
        if not (type(value) is wanted or is_number) or (wanted is str and not is_text):
            raise RefusedError(422, "invalid_field", f"the field {name} must be {_KINDS[wanted]}")


_KINDS = {str: "a text", float: "a number", int: "a whole number", bool: "true or false"}


@contextmanager
def _checked() -> Iterator[None]:
    """Refuse a request whose fields have wrong values."""
    try:
        yield
    except ValueError as exception:
        raise RefusedError(422, "invalid_field", str(exception)) from None
