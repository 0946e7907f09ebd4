"""The words of lines in docs/symptoms.md, with their causes, made of `explain_words`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from places import DOCS, filled

from fdaa.explain._symptoms import ExplainedWords, explain_words
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
        Evidence.CERTIFICATE_REFUSED: ("x509:", "self-signed", "unknown authority"),
        Evidence.ACCESS_DENIED: ("no pg_hba.conf entry", "is not allowed to connect"),
        Evidence.CREDENTIALS_REFUSED: ("password authentication failed", "access denied for user"),
        Evidence.TOO_MANY_CONNECTIONS: ("too many clients", "too many connections"),
        Evidence.QUERY_TIMED_OUT: ("statement timeout", "lock timeout", "deadlock detected"),
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
_WAS_OPEN = "The connection was open, so networks, names and firewalls are not the cause"
_NOT_THE_CAUSE = "So the network and the name are right: the cause is in one of the programs."


def pages() -> dict[Path, str]:
    """Return the page, with the commonest words of a line, and their causes."""
    known = {row.evidence: row for row in explain_words()}
    sections = ""
    for heading, shown in _SYMPTOMS.items():
        sections += f"\n### {heading}\n\n"
        rows = [known[evidence] for evidence in shown]
        shown_causes = 2
        if len(rows) > 2:
            shown_causes = 1
        if all(row.meaning.startswith(f"{_WAS_OPEN}:") for row in rows):
            sections += f"{_NOT_THE_CAUSE}\n\n"
        for row, words in zip(rows, shown.values(), strict=True):
            if not set(words) <= set(row.words):
                raise ValueError(f"{row.evidence} has other words than {words}")
            sections += _symptom(row, words, row.causes[:shown_causes])
    return {PAGE: filled(PAGE, BEGIN, END, sections + "\n")}


def _symptom(
    row: ExplainedWords, words: tuple[str, ...], causes: tuple[tuple[Cause, str], ...]
) -> str:
    """Return an item of a list: words of a line, what they mean, and the likeliest causes."""
    meaning = row.meaning.removeprefix(f"{_WAS_OPEN}: ")
    meaning = meaning[0].upper() + meaning[1:]
    item = f"- {', '.join(f'`{word}`' for word in words)}: {meaning}\n"
    if len(causes) == 1:
        return item + f"    {causes[0][1]}\n"
    for number, (_, text) in enumerate(causes, 1):
        item += f"    {number}. {text}\n"
    return item
