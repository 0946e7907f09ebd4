"""Keys that are replaced without a new ID, and signatures that none of the known keys made."""

from __future__ import annotations

import threading

import pytest
from token_issuer import Issuer, ec_jwk, refused, rsa_jwk, verifier

from fdaa.platform import CannotVerifyError, TokenRefusedError

# The key set before and after a rotation that no key ID shows, and the header of a new token.
REPLACED: dict[str, tuple[list[dict[str, object]], dict[str, object]]] = {
    "one key, no ID in the token": ([rsa_jwk("key-1")], {"kid": None}),
    "two keys, no ID in the token": ([rsa_jwk("key-1"), ec_jwk("key-2")], {"kid": None}),
    "another algorithm": ([{**ec_jwk("key-2"), "kid": "key-1"}], {"kid": None}),
}


@pytest.mark.parametrize(("before", "header"), REPLACED.values(), ids=REPLACED)
def test_a_key_that_was_replaced_without_a_new_id_is_found_at_once(
    issuer: Issuer, kind: str, before: list[dict[str, object]], header: dict[str, object]
) -> None:
    issuer.keys = {"keys": before}
    checker = verifier(issuer, kind=kind)
    refused(checker, issuer.token(exp=1))
    issuer.keys = {"keys": [rsa_jwk("key-3", kid="key-1")]}
    for _ in range(3):
        assert checker.verify(issuer.token(header=header, key="key-3")).app_name == "web"
    assert issuer.fetches == 2


def test_forged_signatures_cost_no_fetch(issuer: Issuer, kind: str) -> None:
    """A key ID names one key."""
    checker = verifier(issuer, kind=kind)
    checker.verify(issuer.token())
    for _ in range(20):
        refused(checker, issuer.token(key="forged"))
    assert issuer.fetches == 1


def test_forged_signatures_without_a_key_id_cost_one_fetch_however_many_come(
    issuer: Issuer, clock: list[float], kind: str
) -> None:
    """Only for the first of them is it known that the issuer's key did not sign it."""
    header: dict[str, object] = {"kid": None}
    issuer.keys = {"keys": [rsa_jwk("key-1")]}
    checker = verifier(issuer, kind=kind)
    checker.verify(issuer.token())
    refused(checker, issuer.token(header=header, key="forged"))
    for _ in range(20):
        with pytest.raises(CannotVerifyError, match=r"no known key .* in 30 seconds"):
            checker.verify(issuer.token(header=header, key="forged"))
        assert checker.verify(issuer.token()).app_name == "web"
    assert issuer.fetches == 2
    clock[0] += 29.9
    with pytest.raises(CannotVerifyError):
        checker.verify(issuer.token(header=header, key="forged"))
    clock[0] += 0.1
    refused(checker, issuer.token(header=header, key="forged"))
    assert issuer.fetches == 3


def test_a_forged_signature_costs_a_new_verifier_one_fetch(issuer: Issuer, kind: str) -> None:
    (failure,) = refused(verifier(issuer, kind=kind), issuer.token(key="forged")).failures
    assert failure.claim == "signature"
    assert issuer.fetches == 1


def test_forged_signatures_of_many_threads_cost_one_fetch(issuer: Issuer) -> None:
    checker = verifier(issuer)
    checker.verify(issuer.token())
    issuer.answers.clear()

    def check(token: str) -> None:
        with pytest.raises((TokenRefusedError, CannotVerifyError)):
            checker.verify(token)

    tokens = [issuer.token(header={"kid": None}, key="forged") for _ in range(8)]
    threads = [threading.Thread(target=check, args=(token,)) for token in tokens]
    for thread in threads:
        thread.start()
    issuer.wait_for_requests(3)
    issuer.answers.set()
    for thread in threads:
        thread.join()
    assert issuer.fetches == 2


def test_a_signature_that_no_key_made_is_not_refused_in_an_outage(
    issuer: Issuer, clock: list[float], kind: str
) -> None:
    checker = verifier(issuer, kind=kind)
    checker.verify(issuer.token())
    issuer.status = 404
    for _ in range(2):
        with pytest.raises(CannotVerifyError, match="status 404"):
            checker.verify(issuer.token(header={"kid": None}, key="key-3"))
    assert len(issuer.server.received) == 3
    issuer.status = 200
    issuer.keys = {"keys": [rsa_jwk("key-3", kid="key-1")]}
    clock[0] += 30
    assert checker.verify(issuer.token(header={"kid": None}, key="key-3")).app_name == "web"
