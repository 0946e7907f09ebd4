"""The rows for other implementations are right, and their page names each key of them."""

from __future__ import annotations

import base64
import json
import re
from typing import Any

import jwt
import pytest
from vectors import VECTORS, rows

from fdaa.platform import TokenRefusedError, Verifier

PAGE = (VECTORS.parent / "vectors.md").read_text("utf-8")
FILES = sorted(path.stem for path in VECTORS.glob("*.jsonl"))
MAX_BYTES = 100_000  # of all of them: they are a part of each clone

TOKENS = rows("tokens")
ISSUER = json.loads((VECTORS / "tokens.json").read_text("ascii"))
ALGORITHMS = {"rsa": "RS256", "ec": "ES256"}
PRIVATE = {key["kid"]: jwt.PyJWK(key, ALGORITHMS[key["kid"]]) for key in ISSUER["private"]}
REQUIREMENTS = ("sub", "bound", "require_jti")  # that a row may have


@pytest.mark.parametrize("name", FILES)
def test_the_page_names_each_file_and_each_key(name: str) -> None:
    words = set(re.findall(r"`([a-z_.-]+)`", PAGE))
    assert f"{name}.jsonl" in words
    for row in rows(name):
        assert row.keys() <= words, row


def test_no_row_stands_twice() -> None:
    for name in FILES:
        texts = [json.dumps({**row, "why": None}, sort_keys=True) for row in rows(name)]
        assert len(set(texts)) == len(texts), name


REFUSABLE = {
    "addresses": "address",
    "prefixes": "prefix",
    "network-ids": "network_id",
    "network-names": "valid",
}


@pytest.mark.parametrize("name", REFUSABLE)
def test_a_row_has_a_reason_if_it_is_refused_and_only_then(name: str) -> None:
    for row in rows(name):
        assert ("reason" in row) == (not row[REFUSABLE[name]]), row


def test_the_vectors_are_small() -> None:
    size = sum(path.stat().st_size for path in VECTORS.iterdir())
    assert size < MAX_BYTES, f"{size} bytes: leave out rows that show what others show"


# --- tokens ---------------------------------------------------------------------------------------


def base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def changed(part: str, row: dict[str, Any]) -> str:
    """Return the header or the claims of a row's token as JSON."""
    fields = ISSUER[part] | row.get(part, {})
    return json.dumps({name: value for name, value in fields.items() if value is not None})


def signed(row: dict[str, Any]) -> str:
    """Return the text that a row verifies, signed by PyJWT."""
    payload = row.get("payload", changed("claims", row))
    data = f"{base64url(changed('header', row).encode())}.{base64url(payload.encode())}"
    key = PRIVATE[row.get("key", "rsa")]
    signature = key.Algorithm.sign(data.encode(), key.key)
    token = f"{data}.{base64url(signature)}"
    cut = len(token) - row.get("cut", 0)
    text: str = row.get("text", "TOKEN")
    return text.replace("TOKEN", token[:cut])


def published(row: dict[str, Any]) -> dict[str, Any]:
    keys: dict[str, Any] = ISSUER["key_sets"][row.get("key_set", 1) - 1]
    return keys


@pytest.mark.parametrize("row", TOKENS, ids=[row["why"] for row in TOKENS])
def test_a_token_fails_these_checks(row: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fdaa.platform._verifier.time.time", lambda: ISSUER["now"])
    required = {key: row[key] for key in REQUIREMENTS if key in row}
    failures: set[str] = set()
    with Verifier(
        issuer=ISSUER["iss"], aud=ISSUER["aud"], keys=published(row), **required
    ) as verifier:
        try:
            verifier.verify(signed(row))
        except TokenRefusedError as error:
            failures = {failure.claim for failure in error.failures}
    assert sorted(failures) == row["failures"]


PASSED = [row for row in TOKENS if not row["failures"]]


@pytest.mark.parametrize("row", PASSED, ids=[row["why"] for row in PASSED])
def test_a_token_that_passes_is_valid_for_another_library(row: dict[str, Any]) -> None:
    token = signed(row)
    header = jwt.get_unverified_header(token)
    key = next(key for key in published(row)["keys"] if key.get("kid") == header.get("kid"))
    options: Any = {"verify_exp": False, "verify_nbf": False, "verify_iat": False}
    algorithm = header["alg"]
    claims = jwt.decode(
        token,
        jwt.PyJWK(key, algorithm),
        [algorithm],
        options,
        audience=ISSUER["aud"],
        issuer=ISSUER["iss"],
    )
    assert claims["exp"] > ISSUER["now"] - 30


def test_a_private_key_belongs_to_each_published_one() -> None:
    for key in published({})["keys"]:
        algorithm = ALGORITHMS[key["kid"]]
        token = jwt.encode({"aud": "a"}, PRIVATE[key["kid"]], algorithm)
        jwt.decode(token, jwt.PyJWK(key, algorithm), [algorithm], audience="a")
