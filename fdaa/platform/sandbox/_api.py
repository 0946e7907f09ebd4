"""The sandbox's HTTP interfaces: the API, the issuers' published files, a Machine's socket."""

from __future__ import annotations

import hmac
import json
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from fdaa.errors import quote
from fdaa.platform.sandbox._state import DEFAULT, RefusedError
from fdaa.platform.sandbox._tokens import ALGORITHMS, public_jwk

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.types import ASGIApp, Receive, Scope, Send

    from fdaa.platform.sandbox._answers import Replies
    from fdaa.platform.sandbox._service import Service

BODY_LIMIT = 65536  # bytes of a request


def http_app(service: Service, token: str) -> Starlette:
    """Return what answers on loopback."""
    replies = service.replies
    guard = Middleware(_BearerOnly, token=token, replies=replies)
    api = _Api(service)
    routes = [
        Route("/v1/apps", api.list_apps, methods=["GET"]),
        Route("/v1/apps", api.create_app, methods=["POST"]),
        Route("/v1/apps/{app_name:path}", api.destroy_app, methods=["DELETE"]),
        # What third parties read at an issuer (section 5, rule 4).
        Route("/oidc/{org}/.well-known/openid-configuration", api.configuration),
        Route("/oidc/{org}/keys", api.keys),
        # The sandbox's own, which the platform does not have.
        Route("/sandbox/machines", api.start_machine, methods=["POST"]),
        Route("/sandbox/machines/{machine}", api.destroy_machine, methods=["DELETE"]),
        Route("/sandbox/keys", api.rotate_key, methods=["POST"]),
    ]
    return _application(routes, replies, [guard])


def machine_app(service: Service, machine_number: int) -> Starlette:
    """Return what answers on a Machine's socket (section 4.4)."""

    async def issue_token(request: Request) -> Response:
        if request.headers.getlist("host") != ["localhost"]:
            raise RefusedError(400, "invalid_host", "the host must be localhost")
        fields = await _read(request, (), ("aud",))
        return service.replies.token(service.token(machine_number, fields.get("aud")))

    routes = [Route("/v1/tokens/oidc", issue_token, methods=["POST"])]
    return _application(routes, service.replies)


class _Api:
    """The endpoints on loopback."""

    def __init__(self, service: Service) -> None:
        self._service = service

    async def list_apps(self, request: Request) -> Response:
        slugs = request.query_params.getlist("org_slug")
        if len(slugs) != 1:
            raise RefusedError(400, "invalid_query", "give org_slug exactly once")
        return self._service.replies.apps(self._service.state.apps(slugs[0]))

    async def create_app(self, request: Request) -> Response:
        fields = await _read(request, ("app_name", "org_slug"), ("network",))
        network = fields.get("network", DEFAULT)
        app = self._service.state.create_app(fields["app_name"], fields["org_slug"], network)
        return self._service.replies.created(app)

    async def destroy_app(self, request: Request) -> Response:
        self._service.destroy_app(request.path_params["app_name"])
        return Response(status_code=202)

    async def configuration(self, request: Request) -> Response:
        """Answer as OpenID Connect Discovery 1.0, section 3."""
        org = request.path_params["org"]
        self._service.published_keys(org)
        issuer = self._service.issuer(org)
        return JSONResponse(
            {
                "issuer": issuer,
                "jwks_uri": f"{issuer}/keys",
                "id_token_signing_alg_values_supported": list(ALGORITHMS),
                "response_types_supported": ["id_token"],
                "subject_types_supported": ["public"],
            }
        )

    async def keys(self, request: Request) -> Response:
        """Answer as RFC 7517, section 5."""
        published = self._service.published_keys(request.path_params["org"])
        return JSONResponse({"keys": [public_jwk(key) for key in published]})

    async def start_machine(self, request: Request) -> Response:
        fields = await _read(request, ("app_name",))
        machine = self._service.start_machine(fields["app_name"])
        return JSONResponse({**machine._asdict(), "address": str(machine.address)}, 201)

    async def destroy_machine(self, request: Request) -> Response:
        self._service.destroy_machine(request.path_params["machine"])
        return Response(status_code=204)

    async def rotate_key(self, request: Request) -> Response:
        fields = await _read(request, ("org_slug", "old_keys"))
        if fields["old_keys"] not in ("keep", "withdraw"):
            raise RefusedError(422, "invalid_field", "old_keys must be keep or withdraw")
        self._service.rotate_key(fields["org_slug"], withdraw=fields["old_keys"] == "withdraw")
        return Response(status_code=204)


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

    application = Starlette(
        routes=routes,
        middleware=middleware,
        exception_handlers={RefusedError: refused, HTTPException: http_error, Exception: failed},
        max_body_size=BODY_LIMIT,
    )
    application.router.redirect_slashes = False  # a redirect is no answer of the platform
    return application


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
