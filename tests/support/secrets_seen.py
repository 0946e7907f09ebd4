"""The secrets that the tests of the live part know, and the output in which they are looked for.

A test that asks for a secret says so of the output that has it: `asked_for(result.stdout)`.
"""

from __future__ import annotations

import re
from typing import TypeVar

CANARY = "canary-4f1a9c77d0"
SECRETS = {CANARY, "PRIVATE KEY"}
LET_OUT: list[str] = []  # what commands and processes wrote

_Output = TypeVar("_Output", str, bytes)
_TOKEN = re.compile(r"eyJ[\w-]+\.[\w-]+\.[\w-]*|sandbox-[\w-]{43}")


def remember(secret: str) -> None:
    """Look for a secret from now on; a part of an identity token tells it by its signature."""
    SECRETS.add(secret.rpartition(".")[2] or secret)


def secrets_in(text: str) -> list[str]:
    return [secret for secret in SECRETS if secret in text]


def hear(*outputs: str | bytes | None) -> None:
    """Keep what a command or a process wrote."""
    LET_OUT.extend(_text(output) for output in outputs if output)


def asked_for(output: _Output) -> _Output:
    """Return output that is meant to have secrets in it; everywhere else they are looked for."""
    for token in _TOKEN.findall(_text(output)):
        remember(token)
    LET_OUT[:] = [each for each in LET_OUT if each != _text(output)]
    return output


def _text(output: str | bytes) -> str:
    if isinstance(output, bytes):
        return output.decode(errors="replace")
    return output
