"""The vectors for other implementations are current, complete and described on their page."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import jwt
import pytest

from fdaa import __version__

ROOT = Path(__file__).parent.parent
FILES = sorted((ROOT / "docs/vectors").iterdir())
PAGE = (ROOT / "docs/vectors.md").read_text("utf-8")
MAX_BYTES = 300_000  # of all of them: they are a part of each clone


def vectors(name: str) -> list[dict[str, Any]]:
    version, *found = lines(name)
    assert version == {"fdaa_version": __version__, "file": name, "vectors": len(found)}
    return found


def lines(name: str) -> list[dict[str, Any]]:
    text = (ROOT / "docs/vectors" / f"{name}.jsonl").read_text("ascii")
    return [json.loads(line) for line in text.splitlines()]


# RFC 7517 and RFC 7518 describe these.
OF_A_JWK = {"keys", "kty", "use", "key_ops", "n", "e", "d", "crv", "x", "y", "k"}


def keys_in(value: Any) -> set[str]:
    """Return the keys of all objects in a value."""
    keys: set[str] = set()
    parts = []
    if isinstance(value, dict):
        keys.update(value)
        parts = list(value.values())
    elif isinstance(value, list):
        parts = value
    for part in parts:
        keys |= keys_in(part)
    return keys


@pytest.mark.slow
def test_the_vectors_are_those_of_this_version() -> None:
    subprocess.run([sys.executable, "docs/tools/make_vectors.py", "--check"], cwd=ROOT, check=True)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_page_names_each_file_and_each_key(path: Path) -> None:
    words = set(re.findall(r"`([a-z_.-]+)`", PAGE))
    assert path.name in words
    assert keys_in(lines(path.stem)) - OF_A_JWK <= words


def test_the_vectors_are_small() -> None:
    assert sum(path.stat().st_size for path in FILES) < MAX_BYTES


def test_tokens_that_pass_are_valid_for_another_library() -> None:
    published = {row["key_set"]: row["jwks"]["keys"] for row in vectors("key-sets")}
    options: Any = {"verify_exp": False, "verify_nbf": False, "verify_iat": False}
    passed = [row for row in vectors("tokens") if not row["failures"]]
    assert len(passed) > 10
    for row in passed:
        header = jwt.get_unverified_header(row["token"])
        keys = published[row["key_set"]]
        key = next(key for key in keys if key.get("kid") == header.get("kid"))
        claims = jwt.decode(
            row["token"],
            jwt.PyJWK(key, header["alg"]),
            [header["alg"]],
            options,
            audience=row["aud"],
            issuer=row["iss"],
        )
        assert claims["exp"] > row["now"] - 30


def test_inputs_are_accepted_and_refused() -> None:
    for name, key in (("addresses", "address"), ("prefixes", "prefix")):
        refused = [each for each in vectors(name) if each[key] is None]
        assert 10 < len(refused) < len(vectors(name)) - 10
