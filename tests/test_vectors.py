"""The rows for other implementations are right, and their page names each key of them."""

from __future__ import annotations

import json
import re
from typing import Any

import jwt
import pytest
from vectors import VECTORS, rows

from fdaa.platform import TokenRefusedError, Verifier

PAGE = (VECTORS.parent / "vectors.md").read_text("utf-8")
FILES = sorted(path.stem for path in VECTORS.glob("*.jsonl"))
MAX_BYTES = 200_000  # of all of them: they are a part of each clone

TOKENS = rows("tokens")
ISSUER = json.loads((VECTORS / "tokens.json").read_text("ascii"))
NAMES = [row["why"] for row in TOKENS]
OPTIONAL = ("sub", "bound", "require_jti")  # requirements that a row may have


@pytest.mark.parametrize("name", FILES)
def test_the_page_names_each_file_and_each_key(name: str) -> None:
    words = set(re.findall(r"`([a-z_.-]+)`", PAGE))
    assert f"{name}.jsonl" in words
    for row in rows(name):
        assert row.keys() <= words, row


def test_no_row_stands_twice() -> None:
    for name in FILES:
        texts = [json.dumps([row[key] for key in row if key != "why"]) for row in rows(name)]
        assert len(set(texts)) == len(texts), name


def test_the_vectors_are_small() -> None:
    size = sum(path.stat().st_size for path in VECTORS.iterdir())
    assert size < MAX_BYTES, f"{size} bytes: leave out rows that show what others show"


# --- tokens ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("row", TOKENS, ids=NAMES)
def test_a_token_fails_these_checks(row: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fdaa.platform._verifier.time.time", lambda: ISSUER["now"])
    keys = ISSUER["key_sets"][row["key_set"] - 1]
    required = {key: row[key] for key in OPTIONAL if key in row}
    failures: set[str] = set()
    with Verifier(issuer=ISSUER["iss"], aud=ISSUER["aud"], keys=keys, **required) as verifier:
        try:
            verifier.verify(row["token"])
        except TokenRefusedError as error:
            failures = {failure.claim for failure in error.failures}
    assert sorted(failures) == row["failures"]


PASSED = [row for row in TOKENS if not row["failures"]]


@pytest.mark.parametrize("row", PASSED, ids=[row["why"] for row in PASSED])
def test_a_token_that_passes_is_valid_for_another_library(row: dict[str, Any]) -> None:
    header = jwt.get_unverified_header(row["token"])
    keys = ISSUER["key_sets"][row["key_set"] - 1]["keys"]
    key = next(key for key in keys if key.get("kid") == header.get("kid"))
    options: Any = {"verify_exp": False, "verify_nbf": False, "verify_iat": False}
    algorithm = header["alg"]
    claims = jwt.decode(
        row["token"],
        jwt.PyJWK(key, algorithm),
        [algorithm],
        options,
        audience=ISSUER["aud"],
        issuer=ISSUER["iss"],
    )
    assert claims["exp"] > ISSUER["now"] - 30


def test_a_new_row_can_be_signed_by_the_private_keys_of_the_first_key_set() -> None:
    for private, published in zip(ISSUER["private"], ISSUER["key_sets"][0]["keys"], strict=True):
        algorithm = {"RSA": "RS256", "EC": "ES256"}[private["kty"]]
        token = jwt.encode({"aud": "a"}, jwt.PyJWK(private, algorithm), algorithm)
        jwt.decode(token, jwt.PyJWK(published, algorithm), [algorithm], audience="a")
