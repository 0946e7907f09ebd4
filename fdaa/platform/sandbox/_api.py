"""The sandbox's HTTP interfaces: the API, the issuers' published files, a Machine's socket."""

import json
import time
import uuid
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from fdaa._support.escapes import quote
from fdaa.platform.sandbox._faults import Fault, Faults, error_response, faulty_responses
from fdaa.platform.sandbox._servers import Servers
from fdaa.platform.sandbox._state import (
    ALGORITHM,
    TOKEN_LIFE,
    InvalidArgumentError,
    Machine,
    SandboxError,
    State,
    new_key,
)

_SHIFT = TOKEN_LIFE + 3600  # seconds
_SHIFTS = {
    Fault.EXPIRED_TOKEN: -_SHIFT,
    Fault.TOKEN_NOT_VALID_YET: _SHIFT,
}


class Api:
    """The endpoints of one sandbox."""

    def __init__(
        self, state: State, servers: Servers, *, token: str, base_url: str, oidc_issuer: str
    ) -> None:
        self.state = state
        self.token = token
        self.base_url = base_url
        self.oidc_issuer = oidc_issuer
        self.faults = Faults()
        self._servers = servers

    def http_app(self) -> Starlette:
        """Return the application that serves the API and the issuers."""
        routes = [
            Route("/v1/apps", self._apps, methods=["GET", "POST"]),
            Route("/v1/apps/{app_name:path}", self._destroy_app, methods=["DELETE"]),
            # The files that third parties read at an issuer (section 5, rule 4).
            Route("/oidc/{org}/.well-known/openid-configuration", self._configuration),
            Route("/oidc/{org}/keys", self._keys),
        ]
        return self._application(routes)

    def start_machine(self, app_name: str) -> Machine:
        """Start a Machine of an app, and serve its socket (section 4.4)."""
        machine = self.state.start_machine(app_name)

        async def token(request: Request) -> Response:
            if request.headers.getlist("host") != ["localhost"]:
                raise _invalid_request("invalid_host", "the host must be localhost")
            fields = await _read(request, optional=("aud",))
            return PlainTextResponse(self.issue_token(machine, fields.get("aud")))

        routes = [Route("/v1/tokens/oidc", token, methods=["POST"])]
        try:
            self._servers.open_socket(machine.socket, self._application(routes))
        except OSError as error:
            self.state.destroy_machine(machine.id)
            raise SandboxError(f"the Machine's socket cannot be opened: {error}") from None
        return machine

    def destroy_machine(self, machine: Machine) -> None:
        """Destroy a Machine, and close its socket."""
        self.state.destroy_machine(machine.id)
        self._servers.close_socket(machine.socket)

    def issuer(self, org: str) -> str:
        """Return the issuer of an organization (section 2.4)."""
        return f"{self.oidc_issuer}/{org}"

    def issue_token(self, machine: Machine, audience: str | None) -> str:
        """Return a new token for a Machine, with the seventeen claims of section 2.4."""
        identity = self.state.identity(machine)
        org = identity["org_name"]
        key = self.state.keys(org)[0]
        issued = int(time.time())
        fault = self.faults.next_of_token()
        if fault is Fault.UNPUBLISHED_KEY:
            key = new_key(f"{org}-unpublished")
        elif fault is not None:
            issued += _SHIFTS[fault]
        if audience is None:
            audience = f"{self.base_url}/{org}"
        claims = {
            **identity,
            "iss": self.issuer(org),
            "aud": audience,
            "iat": issued,
            "nbf": issued,
            "exp": issued + TOKEN_LIFE,
            "jti": str(uuid.uuid4()),
        }
        return key.sign(claims)

    async def _apps(self, request: Request) -> Response:
        """List (section 4.3) or create (section 4.2): one route, so that `Allow` has both."""
        self._authorize(request)
        if request.method == "POST":
            fields = await _read(request, required=("app_name", "org_slug"), optional=("network",))
            return JSONResponse(self.state.create_app(**fields), 201)
        slugs = request.query_params.getlist("org_slug")
        if len(slugs) != 1:
            raise _invalid_request("invalid_query", "give org_slug exactly once")
        apps = self.state.apps(slugs[0])
        return JSONResponse({"total_apps": len(apps), "apps": apps})

    async def _destroy_app(self, request: Request) -> Response:
        self._authorize(request)
        for machine in self.state.destroy_app(request.path_params["app_name"]):
            self._servers.close_socket(machine.socket)
        return Response(status_code=202)

    def _authorize(self, request: Request) -> None:
        scheme, _, credentials = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or credentials != self.token:
            reason = "the header Authorization: Bearer must contain the sandbox's token"
            raise HTTPException(401, reason, {"WWW-Authenticate": "Bearer"})

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
        keys = self.state.keys(request.path_params["org"])
        return JSONResponse({"keys": [key.public_jwk() for key in keys]})

    def _application(self, routes: list[Route]) -> Starlette:
        application = Starlette(
            routes=routes,
            middleware=[Middleware(faulty_responses, faults=self.faults)],
            exception_handlers={SandboxError: _refused, HTTPException: _not_served},
        )
        application.router.redirect_slashes = False  # the platform does not redirect
        return application


async def _refused(_: Request, error: Any) -> Response:
    return error_response(error.status, error.code, str(error))


async def _not_served(_: Request, error: Any) -> Response:
    return error_response(error.status_code, "refused", error.detail, error.headers)


async def _read(
    request: Request, *, required: tuple[str, ...] = (), optional: tuple[str, ...] = ()
) -> dict[str, str]:
    """Return the fields of a body, which are texts: these, and no others. No body has no fields."""
    body = await request.body()
    media_type = request.headers.get("content-type", "").partition(";")[0]
    if body and media_type.strip().lower() != "application/json":
        reason = "the body must be application/json"
        raise SandboxError(reason, status=415, code="invalid_content_type")
    try:
        fields = json.loads(body or b"{}")
    except (ValueError, RecursionError):
        raise _invalid_request("invalid_json", "the body must be JSON") from None
    if not isinstance(fields, dict):
        raise _invalid_request("invalid_body", "the body must be an object")
    for name in required:
        if name not in fields:
            raise InvalidArgumentError(f"the field {name} is missing", code="missing_field")
    for name, value in fields.items():
        if name not in (*required, *optional):
            raise InvalidArgumentError(f"there is no field {quote(name)}", code="unknown_field")
        if not isinstance(value, str):
            raise InvalidArgumentError(f"the field {name} must be a string")
    return fields


def _invalid_request(code: str, reason: str) -> SandboxError:
    return SandboxError(reason, status=400, code=code)
