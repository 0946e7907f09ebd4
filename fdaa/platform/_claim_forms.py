"""The names, types and forms of the claims (specification, section 2.4)."""

from __future__ import annotations

import json
import re

from fdaa._support.escapes import QUOTED, quote

NUMBERS = ("iat", "nbf", "exp")
NAMES = ("org_name", "app_name", "machine_name")  # the parts of `sub`
ALL = (
    "iss",
    "aud",
    "sub",
    "iat",
    "nbf",
    "exp",
    "jti",
    "app_id",
    "app_name",
    "org_id",
    "org_name",
    "machine_id",
    "machine_name",
    "machine_version",
    "image",
    "image_digest",
    "region",
)
REQUIRED = ("iss", "aud", "sub", *NUMBERS, *NAMES)

# Claims whose form is given, and what it is called.
_FORMS = {
    "jti": (re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE), "a UUID"),
    "image_digest": (re.compile(r"sha256:[0-9a-f]+", re.IGNORECASE), "sha256:<hex>"),
}


def has_its_form(name: str, value: object) -> bool:
    """Whether a claim has the type and the form that the specification gives it."""
    if name in NUMBERS:
        return type(value) is int
    if not isinstance(value, str):
        return False
    if name not in _FORMS:
        return True
    form, _ = _FORMS[name]
    return form.fullmatch(value) is not None


def form_of(name: str) -> str:
    """Describe the type and the form that a claim must have."""
    if name in NUMBERS:
        return "an integer"
    if name in _FORMS:
        _, description = _FORMS[name]
        return description
    return "text"


def shown(value: object) -> str | None:
    """Return a value from a token for a message."""
    if value is None:
        return None
    if isinstance(value, str):
        return quote(value)
    return json.dumps(value)[:QUOTED]


SLASH = "the required issuer differs by a slash; use the issuer as it is published"


def differ_by_a_slash(first: str, second: str) -> bool:
    """Whether one of two issuers is the other one with a slash at its end."""
    return f"{first}/" == second or f"{second}/" == first


def is_subject(text: str) -> bool:
    """Whether a text has the three parts of `sub`, none of them empty."""
    parts = text.split(":")
    return len(parts) == len(NAMES) and "" not in parts
