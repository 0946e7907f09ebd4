"""The steps of a probe as lines for people, which fit on one screen."""

from __future__ import annotations

import re
import shlex
import textwrap
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from fdaa._address import Address
from fdaa._escapes import inline
from fdaa._membership import PRIVATE_IP_VARIABLE
from fdaa.cli import _output as output
from fdaa.explain import (
    Cause,
    describe_network,
    describe_step,
    explain_conclusion,
    explain_verdict,
)
from fdaa.networks import KnownNetwork
from fdaa.probe import Connection, Lookup, OwnAddress

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fdaa.cli._document_options import DocumentOptions, Inputs
    from fdaa.explain import ExplainedConclusion
    from fdaa.lines import Evidence
    from fdaa.networks import Verdict
    from fdaa.probe import Conclusion, Observation, Step

_BELOW = " " * 13
_WORD = re.compile(r"'[^']*'|[^ ]+")  # of a command; one in quotes is not split
_NO_BREAK = "\xa0"
_UNUSABLE = {
    "duplicate": "a duplicate: another computer has it, and this one does not connect from it",
    "tentative": "tentative: it is being checked for duplicates, and is not connected from yet",
}
_FILE_TEXT = "FILE is a document of the platform: see `fdaa networks --help`."
_COMPARED = {True: ", same network", False: ", another network", None: ""}

# What is shown without --all: on a screen of 24 lines, the last one has the prompt.
SCREEN = 23
ADDRESSES_SHOWN = 3


class _Shape(NamedTuple):
    """How much of a conclusion is shown.

    Args:
        kinds: how many kinds of evidence.
        causes: how many causes of each.
        ways: how many ways around by documents.
    """

    kinds: int
    causes: int
    ways: int


# The first shape that fits is taken.
_SHAPES = (
    _Shape(ADDRESSES_SHOWN, 3, 1),
    _Shape(ADDRESSES_SHOWN, 2, 1),
    _Shape(ADDRESSES_SHOWN, 1, 1),
    _Shape(ADDRESSES_SHOWN, 1, 0),
    _Shape(2, 1, 0),
    _Shape(1, 1, 0),
)
_EVERYTHING = _Shape(1000, 1000, 1000)

_UNTRIED_TEXT = "{tried} of {found} addresses were tried."
_NOT_TESTED_TEXT = "Not tested: a response of the app, TLS, large packets (MTU)."

# What a line about a step begins with; the next column is the same for all.
_LABELS = ("lookup", "SYN sent to", "not sent to")


class ProbeText:
    """The lines for the steps of one round.

    Args:
        inputs: the documents and the book, which name networks.
        documents: the options that name them, for the next commands.
        own: the own address.
        show_all: print every cause and address.
        room: the lines that are left on the screen.
    """

    def __init__(
        self,
        inputs: Inputs,
        documents: DocumentOptions,
        own: OwnAddress,
        *,
        show_all: bool,
        room: int = SCREEN,
    ) -> None:
        self._inputs = inputs
        self._documents = documents
        self._own = own
        self._show_all = show_all
        self._room = room

    def lines(self, step: Step) -> Iterator[str]:
        """Yield the lines for a step.

        Args:
            step: the step.
        """
        if isinstance(step, OwnAddress):
            yield from self._own_address()
        elif isinstance(step, Lookup):
            yield from self._lookup(step)
        elif isinstance(step, Connection):
            yield from self._connection(step)
        else:
            yield from self._fitting(step)

    def _fitting(self, conclusion: Conclusion) -> list[str]:
        """Return as much of a conclusion as fits on the screen, or the least."""
        networks = None
        if self._inputs.documents or self._inputs.joined.book:
            networks = self._inputs.joined
        explained = explain_conclusion(conclusion, self._own, networks)
        explained = with_given(explained, self._documents)
        if self._show_all:
            return ["", *self._conclusion(explained, _EVERYTHING)]
        lines: list[str] = []
        for shape in _SHAPES:
            lines = ["", *self._conclusion(explained, shape)]
            if len("\n".join(lines).splitlines()) <= self._room:
                break
        return lines

    def _own_address(self) -> Iterator[str]:
        own = self._own
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
        yield _seen(lookup)
        shown = lookup.addresses
        if not self._show_all:
            shown = shown[:ADDRESSES_SHOWN]
        for address in shown:
            compared = _COMPARED[self._own.same_network(address)]
            yield _filled(f"{address}, {self._network(address)}{compared}", _BELOW, _BELOW)
        yield from _more(len(lookup.addresses) - len(shown), _BELOW)

    def _connection(self, connection: Connection) -> Iterator[str]:
        yield _seen(connection)
        source = connection.source
        if source not in (None, self._own.address, connection.address):
            yield f"{_BELOW}from {source}, {self._network(source)}"

    def _conclusion(self, explained: ExplainedConclusion, shape: _Shape) -> Iterator[str]:
        """Yield whether a port is open, and the causes that fit what is not.

        Args:
            explained: the conclusion.
            shape: how much is shown.
        """
        conclusion = explained.conclusion
        target = f"{conclusion.target.text}: "
        is_open = explained.summary.removeprefix(target).replace(" ", _NO_BREAK)
        yield _filled(f"{target}{is_open}", below="  ")
        if explained.not_tested:
            yield _filled(_NOT_TESTED_TEXT, "  ", "  ")
            for cause in explained.not_tested:
                if cause.cause is not Cause.PROXY or self._show_all:
                    yield from _command(cause.next, "")
        if conclusion.untried:
            tried = len(conclusion.connections)
            found = tried + conclusion.untried
            yield f"  {_UNTRIED_TEXT.format(tried=tried, found=found)}"
        yield from self._explanations(explained, shape, has_verdict=bool(explained.verdicts))
        for verdict in explained.verdicts:
            yield from self._verdict(verdict, shape.ways)

    def _explanations(
        self, explained: ExplainedConclusion, shape: _Shape, *, has_verdict: bool
    ) -> Iterator[str]:
        """Yield the causes of each kind of evidence, and what was checked."""
        groups = explained.explanations[: shape.kinds]
        needs_file = False
        for group in groups:
            if len(explained.conclusion.connections) > 1:
                yield f"  {_group(group.observation)}"
            if group.checked:
                yield _filled(f"checked: {', '.join(group.checked)}", "  ", "    ")
            causes = group.causes[: shape.causes]
            yield "  Possible causes, the most likely first:"
            for number, cause in enumerate(causes, 1):
                yield _filled(f"{number}. {cause.text}", "  ", "     ")
                needs_file = needs_file or "FILE" in cause.next
                is_answered = has_verdict and cause.next.startswith("fdaa reach ")
                if cause.next and not is_answered:
                    yield from _command(cause.next, cause.where)
            yield from _more(len(group.causes) - len(causes), "  ")
        yield from _more(len(explained.explanations) - len(groups), "  ")
        if needs_file and not self._inputs.documents:
            yield _filled(_FILE_TEXT, "  ", "  ")

    def _verdict(self, verdict: Verdict, ways: int) -> Iterator[str]:
        """Yield what documents say, and so many ways around."""
        yield "  According to the documents:"
        is_incomplete = bool(self._inputs.errors)
        explained = explain_verdict(verdict, is_tried=True, is_incomplete=is_incomplete)
        shown = replace(explained, ways=explained.ways[:ways])
        for line in shown.lines():
            yield output.indented(line, "    ").rstrip("\n")
        hidden = len(explained.ways) - len(shown.ways)
        if hidden:
            yield f"    {output.counted(hidden, 'more way', 's')} around: --all"

    def _network(self, address: object) -> str:
        if not isinstance(address, Address):
            return "no private network"
        network = self._inputs.joined.by_id(address.network_id)
        name = None
        if network is not None:
            name = network.name
        return describe_network(KnownNetwork(name, address.network_id))


def with_given(explained: ExplainedConclusion, documents: DocumentOptions) -> ExplainedConclusion:
    """Return a conclusion whose next commands have the documents that this command was given."""
    groups = []
    for group in explained.explanations:
        causes = [replace(cause, next=_with_given(cause.next, documents)) for cause in group.causes]
        groups.append(replace(group, causes=tuple(causes)))
    return replace(explained, explanations=tuple(groups))


def _with_given(command: str, documents: DocumentOptions) -> str:
    given = {
        "--apps FILE": ("--apps", documents.apps),
        "--machines APP=FILE": ("--machines", documents.machines),
        "--addresses APP=FILE": ("--addresses", documents.addresses),
    }
    for placeholder, (option, values) in given.items():
        if values:
            options = [f"{option} {shlex.quote(value)}" for value in values]
            command = command.replace(placeholder, " ".join(options))
    if documents.org is not None:
        org = f"--org {shlex.quote(documents.org)}"
        command = command.replace("--org SLUG", org).replace("--apps FILE", org)
    return command


def words_of(evidence: Evidence) -> str:
    """Return evidence in a few words, as a group or a summary shows it."""
    return evidence.value.replace("-", " ")


def _more(number: int, indent: str) -> Iterator[str]:
    if number > 0:
        yield f"{indent}{number} more: --all"


def _seen(step: Lookup | Connection) -> str:
    """Return what a step saw, with its label in a column, and each duration in one piece."""
    text = describe_step(step)
    for label in _LABELS:
        if text.startswith(f"{label} "):
            text = f"{label:12} {text.removeprefix(label).lstrip()}"
    return _filled(re.sub(r"(?<=\d) (?=m?s\b)", _NO_BREAK, text), below=_BELOW)


def _group(observation: Observation) -> str:
    """Return the addresses of an observation, and what was seen of them."""
    more = len(observation.addresses) - 1
    others = f" and {more} more" if more else ""
    return f"{observation.addresses[0]}{others}: {words_of(observation.evidence)}."


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


def _command(command: str, where: str) -> Iterator[str]:
    """Yield a command and where to run it; on a narrow terminal, it continues after a backslash."""
    lines = ["     next:"]
    for word in _WORD.findall(command):
        if len(f"{lines[-1]} {word} \\") > output.width():
            lines[-1] += " \\"
            lines.append("          ")
        lines[-1] += f" {word}"
    if where and len(f"{lines[-1]}  ({where})") <= output.width():
        lines[-1] += f"  ({where})"
    elif where:
        lines.append(_filled(f"({where})", " " * 11, " " * 11))
    yield from lines
