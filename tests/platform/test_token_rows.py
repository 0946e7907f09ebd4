"""The tokens in `tests/tables/tokens.jsonl`: each fails these checks, and no others."""

from __future__ import annotations

import base64
import json
from typing import Any

import jwt
import pytest
from vectors import TABLES, rows

from fdaa.platform import TokenRefusedError, Verifier

TOKENS = rows("tokens")
# The header and the claims of a token that is accepted, the keys, and the requirements of all rows.
ISSUER = json.loads((TABLES / "tokens.json").read_text("ascii"))
ALGORITHMS = {"rsa": "RS256", "ec": "ES256"}
PRIVATE = {key["kid"]: jwt.PyJWK(key, ALGORITHMS[key["kid"]]) for key in ISSUER["private"]}
REQUIREMENTS = ("sub", "bound")  # that a row may have


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
