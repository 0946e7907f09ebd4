"""A FastAPI service that accepts the tokens of some apps, by their IDs."""

from typing import Annotated

from fastapi import Depends, FastAPI, HTTPException
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from fdaa.platform import AsyncVerifier, CannotVerifyError, Claims, TokenRefusedError

Bearer = Annotated[HTTPAuthorizationCredentials, Depends(HTTPBearer())]


def create_service(verifier: AsyncVerifier, allowed_apps: set[str]) -> FastAPI:
    service = FastAPI()

    async def caller(credentials: Bearer) -> Claims:
        try:
            claims = await verifier.verify(credentials.credentials)
        except TokenRefusedError as error:
            failures = [failure.to_dict() for failure in error.failures]
            raise HTTPException(401, failures, {"WWW-Authenticate": "Bearer"}) from None
        except CannotVerifyError:  # the key of the token is not known: it may be valid
            raise HTTPException(503, "try again later", {"Retry-After": "30"}) from None
        if claims.app_id not in allowed_apps:
            raise HTTPException(403, f"{claims.app_name} is not on the list")
        return claims

    @service.get("/report")
    async def report(caller: Annotated[Claims, Depends(caller)]) -> dict[str, str]:
        return {"app": caller.app_name, "machine": caller.machine_name}

    return service
