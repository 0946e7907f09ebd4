"""The words of lines in docs/symptoms.md, with their causes, made of `explain_words`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from places import DOCS, filled

from fdaa.explain._meanings import ON_OPEN_CONNECTION
from fdaa.explain._symptoms import explain_words
from fdaa.lines import Evidence

if TYPE_CHECKING:
    from pathlib import Path

    from fdaa.explain import Cause

PAGE = DOCS / "symptoms.md"
BEGIN = "<!-- Made by `docs/tools` -->\n"
END = "<!-- End -->\n"

# The headings of the page; below each the evidence that it is about, with the words that are shown.
_SYMPTOMS: dict[str, dict[Evidence, tuple[str, ...]]] = {
    "Timeout": {Evidence.NO_RESPONSE: ("i/o timeout", "timed out", "deadline exceeded")},
    "Connection refused": {Evidence.REFUSED: ("connection refused", "ECONNREFUSED")},
    "Cannot connect": {
        Evidence.NOT_CONNECTED: ("cannot connect", "failed to connect", "max retries exceeded")
    },
    "No route to host": {Evidence.ADDRESS_UNREACHABLE: ("no route to host", "EHOSTUNREACH")},
    "Network is unreachable": {Evidence.NO_ROUTE: ("network is unreachable", "ENETUNREACH")},
    "Permission denied": {Evidence.PERMISSION_DENIED: ("permission denied", "EACCES")},
    "A proxy gets no response from its app": {
        Evidence.BAD_GATEWAY: ("bad gateway",),
        Evidence.GATEWAY_TIMEOUT: ("gateway timeout", "gateway time-out"),
        Evidence.NO_UPSTREAM: ("no live upstreams",),
    },
    "Name not found": {
        Evidence.NOT_FOUND: ("NXDOMAIN", "ENOTFOUND", "no such host", "name or service not known"),
        Evidence.NO_IPV4_ADDRESS: ("no address associated with hostname", "ENODATA"),
    },
    "The resolver fails": {
        Evidence.RESOLVER_FAILED: ("EAI_AGAIN", "temporary failure in name resolution", "SERVFAIL")
    },
    "An address or a URL is not valid": {
        Evidence.ADDRESS_NOT_READ: ("invalid port", "too many colons in address", "invalid URL"),
        Evidence.NO_NAME_LOOKED_UP: ("[[fdaa:", "invalid host name"),
    },
    "The connection was open": {
        Evidence.NO_REPLY: ("Read timed out", "TLS handshake timeout", "upstream request timeout"),
        Evidence.CLOSED: ("connection reset", "ECONNRESET", "broken pipe", "socket hang up"),
        Evidence.TLS_FAILED: ("wrong version number", "does not support SSL"),
        Evidence.ACCESS_DENIED: ("no pg_hba.conf entry", "is not allowed to connect"),
    },
    "A token is refused": {
        Evidence.TOKEN_AUDIENCE: ("incorrect token audience", "invalid audience"),
        Evidence.TOKEN_EXPIRED: ("token has expired", "ExpiredToken"),
        Evidence.TOKEN_REFUSED: ("InvalidIdentityToken", "issuer is invalid"),
    },
    "A program cannot listen": {
        Evidence.ADDRESS_IN_USE: ("address already in use", "EADDRINUSE"),
        Evidence.FAMILY_NOT_SUPPORTED: ("address family not supported",),
    },
}
# Where the first cause is not by far the likeliest.
_TWO_CAUSES = (Evidence.NO_RESPONSE, Evidence.REFUSED, Evidence.NOT_FOUND)
_NOT_THE_CAUSE = "So the network and the name are right: the cause is in one of the programs."


def pages() -> dict[Path, str]:
    """Return the page, with the commonest words of a line, and their causes."""
    known = {row.evidence: row for row in explain_words()}
    sections = ""
    for heading, shown in _SYMPTOMS.items():
        sections += f"\n### {heading}\n\n"
        rows = [known[evidence] for evidence in shown]
        are_open = ON_OPEN_CONNECTION.keys() >= shown.keys()
        if are_open:
            sections += f"{_NOT_THE_CAUSE}\n\n"
        for row, words in zip(rows, shown.values(), strict=True):
            shown_causes = 2 if row.evidence in _TWO_CAUSES else 1
            if not set(words) <= set(row.words):
                raise ValueError(f"{row.evidence} has other words than {words}")
            meaning = row.meaning
            if are_open:
                seen = ON_OPEN_CONNECTION[row.evidence]
                meaning = f"{seen[0].upper()}{seen[1:]}."
            sections += _symptom(words, meaning, row.causes[:shown_causes])
    return {PAGE: filled(PAGE, BEGIN, END, sections + "\n")}


def _symptom(words: tuple[str, ...], meaning: str, causes: tuple[tuple[Cause, str], ...]) -> str:
    """Return an item of a list: words of a line, what they mean, and the likeliest causes."""
    item = f"- {', '.join(f'`{word}`' for word in words)}: {meaning}\n"
    if len(causes) == 1:
        return item + f"    {causes[0][1]}\n"
    for number, (_, text) in enumerate(causes, 1):
        item += f"    {number}. {text}\n"
    return item
