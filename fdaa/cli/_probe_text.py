"""The steps of a probe as lines for people: the texts of `_cause_text.py`, filled in."""

from __future__ import annotations

import re
import textwrap
from typing import TYPE_CHECKING

from fdaa._address import Address
from fdaa._escapes import inline, printable
from fdaa._membership import PRIVATE_IP_VARIABLE
from fdaa.cli import _render as output
from fdaa.cli._cause_text import (
    CAUSE_TEXT,
    CAUSES_TEXT,
    EVIDENCE_TEXT,
    NOT_TESTED_TEXT,
    OPEN_TEXT,
    UNTRIED_TEXT,
)
from fdaa.cli._this_machine import SELF
from fdaa.explain import describe_network, explain_verdict
from fdaa.networks import KnownNetwork
from fdaa.probe import Connection, Lookup, OwnAddress

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fdaa.cli._document_options import Inputs
    from fdaa.networks import Verdict
    from fdaa.probe import Cause, Conclusion, Evidence, Explanation, Step, Target

_BELOW = " " * 13
_WORD = re.compile(r"'[^']*'|[^ ]+")  # of a command; one in quotes is not split
_NO_BREAK = "\xa0"
_UNUSABLE = {
    "duplicate": "a duplicate: another computer has it, and this one does not connect from it",
    "tentative": "tentative: it is being checked for duplicates, and is not connected from yet",
}
_FILE_TEXT = "FILE is a document of the platform: see `fdaa networks --help`."
_COMPARED = {True: ", same network", False: ", another network", None: ""}


class ProbeText:
    """The lines for the steps of one round.

    Args:
        inputs: the documents and the book, which name networks.
        own: the own address.
    """

    def __init__(self, inputs: Inputs, own: OwnAddress) -> None:
        self._inputs = inputs
        self._own = own

    def lines(self, step: Step, verdicts: list[Verdict]) -> Iterator[str]:
        """Yield the lines for a step.

        Args:
            step: the step.
            verdicts: what documents add to a conclusion.
        """
        if isinstance(step, OwnAddress):
            yield from self._own_address()
        elif isinstance(step, Lookup):
            yield from self._lookup(step)
        elif isinstance(step, Connection):
            yield from self._connection(step)
        else:
            yield ""
            yield from self._conclusion(step)
            for verdict in verdicts:
                yield "  According to the documents:"
                for line in explain_verdict(verdict, is_tried=True).lines():
                    yield output.indented(line, "    ").rstrip("\n")

    def _own_address(self) -> Iterator[str]:
        own = self._own
        if own.is_elsewhere:
            claimed = f"{PRIVATE_IP_VARIABLE} is {own.platform_private_ip}"
            yield _filled(f"{claimed}, but no interface of this computer has that address.")
        if own.address is None:
            yield "own address  none"
            return
        where = f"from {PRIVATE_IP_VARIABLE}"
        if own.interface is not None:
            where = f"on {inline(own.interface)}"
        yield f"own address  {own.address} {where}"
        yield f"{_BELOW}{self._network(own.address)}"
        if own.unusable is not None:
            yield _filled(_UNUSABLE[own.unusable], _BELOW, _BELOW)

    def _lookup(self, lookup: Lookup) -> Iterator[str]:
        words = {
            "host": lookup.host,
            "number": output.counted(len(lookup.addresses), "IPv6 address", "es"),
            "ipv4": _ipv4(lookup),
            "error": _in_brackets(lookup.error),
            **_duration(lookup.seconds),
        }
        yield _evidence_line(lookup.evidence, words)
        for address in lookup.addresses:
            compared = _COMPARED[self._own.same_network(address)]
            yield _filled(f"{address}, {self._network(address)}{compared}", _BELOW, _BELOW)

    def _connection(self, connection: Connection) -> Iterator[str]:
        yield _evidence_line(connection.evidence, _words_of_connection(connection))
        source = connection.source
        if source not in (None, self._own.address, connection.address):
            yield f"{_BELOW}from {source}, {self._network(source)}"

    def _conclusion(self, conclusion: Conclusion) -> Iterator[str]:
        """Yield whether a port is open, and every cause that fits what is not."""
        is_open = OPEN_TEXT[conclusion.is_open].replace(" ", _NO_BREAK)
        yield _filled(f"{conclusion.target.text}: {is_open}", below="  ")
        if conclusion.is_open:
            yield _filled(NOT_TESTED_TEXT, "  ", "  ")
        if conclusion.untried:
            tried = len(conclusion.connections)
            found = tried + conclusion.untried
            yield f"  {UNTRIED_TEXT.format(tried=tried, found=found)}"
        needs_file = False
        for explanation in conclusion.explanations:
            if len(conclusion.connections) > 1:
                yield f"  {_group(explanation)}"
            yield f"  {CAUSES_TEXT}"
            words = self._cause_words(conclusion, explanation)
            for number, cause in enumerate(explanation.causes, 1):
                sentence = sentence_of(cause).format_map(words)
                command = CAUSE_TEXT[cause].command.format_map(words)
                needs_file = needs_file or "FILE" in command
                yield _filled(f"{number}. {sentence}", "  ", "     ")
                yield from _command(command)
        if needs_file and not self._inputs.documents:
            yield _filled(_FILE_TEXT, "  ", "  ")

    def _cause_words(self, conclusion: Conclusion, explanation: Explanation) -> dict[str, object]:
        """Return the values for the texts of causes."""
        target = conclusion.target
        host = target.host or ""
        address = explanation.addresses[0] if explanation.addresses else None
        own = explanation.source
        if not isinstance(own, Address):
            own = self._own.address
        where, there = _firewall(explanation)
        source = explanation.source
        if source is None:
            source = self._own.address
        words: dict[str, object] = {
            "target": target.text,
            "with_brackets": target.with_brackets,
            "without_port": host or f"[{address}]",
            "host": host,
            "app": host.removesuffix(".").removesuffix(".internal").rpartition(".")[2],
            "port": target.port,
            "address": address,
            "source": source,
            "machine": _machine(explanation),
            "network": self._network(address),
            "own": self._own_end(own),
            "own_network": self._network(own),
            "where": where,
            "there": there,
            "at": _in_brackets(explanation.reported_by),
            "ipv4": "",
        }
        if conclusion.lookup is not None:
            words["ipv4"] = _ipv4(conclusion.lookup)
        return words

    def _own_end(self, own: Address | None) -> str:
        """Return the source for `fdaa reach`."""
        if own is None or own == self._own.platform_private_ip:
            return SELF
        return str(own)

    def _network(self, address: object) -> str:
        if not isinstance(address, Address):
            return "no private network"
        network = self._inputs.joined.by_id(address.network_id)
        name = None
        if network is not None:
            name = network.name
        return describe_network(KnownNetwork(name, address.network_id))


def sentence_of(cause: Cause) -> str:
    """Return the sentence for a cause; one about the platform says so where it is assumed."""
    sentence = CAUSE_TEXT[cause].sentence
    if cause.assumed is not None:
        return f"{sentence} (assumed)."
    return f"{sentence}."


def words_of(evidence: Evidence) -> str:
    """Return evidence in a few words, as a group or a summary shows it."""
    return evidence.value.replace("-", " ")


def _words_of_connection(connection: Connection) -> dict[str, str]:
    """Return the values for the text of its evidence."""
    message = connection.error or ""
    if connection.reported_by is not None:
        message = f"ICMPv6 '{connection.error}' from {connection.reported_by}"
    return {
        "place": _place(connection.target, connection.address),
        "message": message,
        "error": _in_brackets(connection.error),
        **_duration(connection.seconds),
    }


def _duration(seconds: float) -> dict[str, str]:
    """Return a duration in milliseconds and in seconds, with its unit on the same line."""
    return {"ms": f"{seconds * 1000:.1f}{_NO_BREAK}ms", "s": f"{seconds:.1f}{_NO_BREAK}s"}


def _evidence_line(evidence: Evidence, words: dict[str, str]) -> str:
    return _filled(EVIDENCE_TEXT[evidence].format_map(words), below=_BELOW)


def _machine(explanation: Explanation) -> str:
    """Return where a command shows what listens."""
    if explanation.is_here:
        return "in this computer"
    for address in explanation.addresses:
        if not isinstance(address, Address):
            return f"at {address}"
    return "in that Machine"


def _firewall(explanation: Explanation) -> tuple[str, str]:
    """Return where a firewall may be, and where its rules can be listed."""
    reported_by = explanation.reported_by
    if explanation.is_here:
        return "in this computer", "in this computer"
    if reported_by is None:
        return "in that Machine, in this computer or on the way", "in both"
    if reported_by in explanation.addresses:
        return "in that Machine, which reports it", "in that Machine"
    if reported_by == explanation.source:
        return "in this computer, which reports it", "in this computer"
    return f"on the way, at {reported_by}, which reports it", f"at {reported_by}"


def _group(explanation: Explanation) -> str:
    """Return the addresses of an explanation, and what was seen of them."""
    more = len(explanation.addresses) - 1
    others = f" and {more} more" if more else ""
    return f"{explanation.addresses[0]}{others}: {words_of(explanation.evidence)}."


def _place(target: Target, address: object) -> str:
    if target.port is None:
        return str(address)
    return f"[{address}]:{target.port}"


def _ipv4(lookup: Lookup) -> str:
    return ", ".join(lookup.ipv4[:3])


def _in_brackets(value: object) -> str:
    if value is None:
        return ""
    return f" ({printable(str(value))})"


def _filled(text: str, indent: str = "", below: str = "") -> str:
    filled = textwrap.fill(
        text,
        output.width(),
        initial_indent=indent,
        subsequent_indent=below,
        break_on_hyphens=False,
        break_long_words=False,
    )
    return filled.replace(_NO_BREAK, " ")


def _command(command: str) -> Iterator[str]:
    """Yield a command; on a narrow terminal, it continues after a backslash.

    Two spaces separate it from where to run it, in brackets.
    """
    command, _, place = command.partition("  (")
    lines = ["     next:"]
    for word in _WORD.findall(command):
        if len(f"{lines[-1]} {word} \\") > output.width():
            lines[-1] += " \\"
            lines.append("          ")
        lines[-1] += f" {word}"
    if place and len(f"{lines[-1]}  ({place}") <= output.width():
        lines[-1] += f"  ({place}"
    elif place:
        lines.append(_filled(f"({place}", " " * 11, " " * 11))
    yield from lines
