"""Machines of the sandbox, their identity tokens and the issuer (specification, 2.3, 2.4, 4.4)."""

from __future__ import annotations

import time
import uuid
from typing import TYPE_CHECKING, Any

import jwt
import pytest
from sandbox_calls import ask_token, call, create, listed

from fdaa.platform.sandbox import Sandbox, SandboxError

if TYPE_CHECKING:
    from fdaa.platform.sandbox import Machine


# Specification, 2.4.
CLAIMS = {
    "iss": str,
    "aud": str,
    "sub": str,
    "iat": int,
    "nbf": int,
    "exp": int,
    "jti": str,
    "app_id": str,
    "app_name": str,
    "org_id": str,
    "org_name": str,
    "machine_id": str,
    "machine_name": str,
    "machine_version": str,
    "image": str,
    "image_digest": str,
    "region": str,
}


def verified(sandbox: Sandbox, token: str, audience: str) -> dict[str, Any]:
    """Return the claims of a token, checked against the keys that the sandbox publishes."""
    issuer = jwt.decode(token, options={"verify_signature": False})["iss"]
    assert issuer.startswith(sandbox.base_url)
    path = issuer.removeprefix(sandbox.base_url)
    published = call(sandbox, "GET", f"{path}/.well-known/openid-configuration", headers={}).json
    assert published["issuer"] == issuer
    keys_path = published["jwks_uri"].removeprefix(sandbox.base_url)
    keys = jwt.PyJWKSet.from_dict(call(sandbox, "GET", keys_path, headers={}).json)
    header = jwt.get_unverified_header(token)
    assert header["alg"] in published["id_token_signing_alg_values_supported"]
    key = keys[header["kid"]]
    return jwt.decode(token, key, [header["alg"]], audience=audience, issuer=issuer)


def test_a_token_carries_the_seventeen_claims(sandbox: Sandbox) -> None:
    create(sandbox, "web", "customer-17")
    machine = sandbox.start_machine("web")
    before = int(time.time())
    token = ask_token(machine, {"aud": "https://example.com/a"}).body.decode()
    claims = verified(sandbox, token, "https://example.com/a")
    assert {name: type(value) for name, value in claims.items()} == CLAIMS
    assert claims["iss"] == sandbox.ensure_issuer("acme")
    assert claims["sub"] == f"acme:web:{claims['machine_name']}"
    assert before <= claims["iat"] <= time.time()
    assert claims["nbf"] == claims["iat"]
    assert claims["exp"] == claims["iat"] + 600
    assert str(uuid.UUID(claims["jti"])) == claims["jti"]
    assert claims["machine_id"] == machine.id
    assert (claims["app_name"], claims["org_name"]) == ("web", "acme")
    assert claims["app_id"] == listed(sandbox)["web"]["id"]


def test_every_request_makes_a_new_token_and_the_default_audience_names_the_organization(
    sandbox: Sandbox,
) -> None:
    create(sandbox, "new", org="newest")
    machine = sandbox.start_machine("new")
    bodies: tuple[object, ...] = (None, None, {}, {})
    tokens = [ask_token(machine, body).body.decode() for body in bodies]
    default = f"{sandbox.base_url}/newest"
    assert len({verified(sandbox, token, default)["jti"] for token in tokens}) == 4


@pytest.mark.parametrize(
    ("body", "host", "status"),
    [
        ({"aud": 1}, None, 422),
        ({"aud": "\ud800"}, None, 422),
        ({"audience": "a"}, None, 422),
        (None, "example.com", 400),
    ],
)
def test_a_request_for_a_token_that_is_none_is_refused(
    sandbox: Sandbox, body: object, host: str | None, status: int
) -> None:
    create(sandbox, "refusing")  # if need be
    assert ask_token(sandbox.start_machine("refusing"), body, host).status == status


def test_a_machine_counts_and_has_an_address_on_the_network_of_its_app(sandbox: Sandbox) -> None:
    for app, network in {"a": "shared", "b": "shared", "c": "separate"}.items():
        create(sandbox, app, network)
    machines = [sandbox.start_machine(app) for app in ("a", "a", "b", "c")]
    assert [listed(sandbox)[app]["machine_count"] for app in ("a", "b", "c")] == [2, 1, 1]
    ids = [machine.address.network_id for machine in machines]
    assert ids[0] == ids[1] == ids[2] != ids[3]
    assert len({machine.address for machine in machines}) == 4
    assert machines[0].environment == {
        "PLATFORM_PRIVATE_IP": str(machines[0].address),
        "FDAA_IDENTITY_SOCKET": machines[0].socket,
    }


def test_a_destroyed_machine_has_no_socket_and_its_app_one_less(sandbox: Sandbox) -> None:
    create(sandbox, "once")
    machine = sandbox.start_machine("once")
    second = sandbox.start_machine("once")
    sandbox.destroy_machine(machine)
    assert listed(sandbox)["once"]["machine_count"] == 1
    with pytest.raises(OSError, match="No such file"):
        ask_token(machine)
    assert ask_token(second).status == 200
    with pytest.raises(SandboxError, match="there is no Machine"):
        sandbox.destroy_machine(machine)


def test_the_machines_of_a_destroyed_app_are_gone(sandbox: Sandbox) -> None:
    create(sandbox, "whole")
    machine = sandbox.start_machine("whole")
    call(sandbox, "DELETE", "/v1/apps/whole")
    with pytest.raises(OSError, match="No such file"):
        ask_token(machine)
    with pytest.raises(SandboxError, match="there is no app 'whole'"):
        sandbox.start_machine("whole")


def published(sandbox: Sandbox, org: str) -> set[str]:
    """Return the IDs of the published keys."""
    path = sandbox.ensure_issuer(org).removeprefix(sandbox.base_url)
    return {key["kid"] for key in call(sandbox, "GET", f"{path}/keys", headers={}).json["keys"]}


def key_id(machine: Machine) -> str:
    return str(jwt.get_unverified_header(ask_token(machine).body.decode())["kid"])


def test_a_rotation_publishes_the_next_key_before_it_signs(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    create(sandbox, "planned", org="planned")
    machine = sandbox.start_machine("planned")
    first = key_id(machine)
    sandbox.rotate_key("planned")  # a minute is the default
    (second,) = published(sandbox, "planned") - {first}
    assert key_id(machine) == first
    for seconds, signs, keys in ((61, second, {first, second}), (1000, second, {second})):
        now = time.time() + seconds
        with monkeypatch.context() as patch:
            patch.setattr(time, "time", lambda now=now: now)
            assert key_id(machine) == signs
            assert published(sandbox, "planned") == keys


def test_a_token_from_before_a_rotation_stays_valid_until_its_key_is_withdrawn(
    sandbox: Sandbox,
) -> None:
    create(sandbox, "rotating", org="rotation")
    machine = sandbox.start_machine("rotating")
    audience = f"{sandbox.base_url}/rotation"
    first = ask_token(machine).body.decode()
    sandbox.rotate_key("rotation", after=0)
    second = ask_token(machine).body.decode()
    kids = [jwt.get_unverified_header(token)["kid"] for token in (first, second)]
    assert kids[0] != kids[1]
    assert verified(sandbox, first, audience)["jti"] != verified(sandbox, second, audience)["jti"]
    sandbox.rotate_key("rotation", withdraw=True)
    for token in (first, second):
        with pytest.raises(KeyError):
            verified(sandbox, token, audience)
    assert verified(sandbox, ask_token(machine).body.decode(), audience)


def test_each_organization_has_an_issuer_and_keys_of_its_own(sandbox: Sandbox) -> None:
    create(sandbox, "mine", org="first")
    token = ask_token(sandbox.start_machine("mine")).body.decode()
    published_keys = call(
        sandbox, "GET", sandbox.ensure_issuer("second").removeprefix(sandbox.base_url) + "/keys"
    )
    assert sandbox.ensure_issuer("first") != sandbox.ensure_issuer("second")
    (published_key,) = published_keys.json["keys"]
    assert set(published_key) == {"kty", "n", "e", "kid", "use", "alg"}  # nothing private
    for key in jwt.PyJWKSet.from_dict(published_keys.json).keys:
        with pytest.raises(jwt.InvalidSignatureError):
            jwt.decode(token, key, ["RS256"], options={"verify_aud": False})
