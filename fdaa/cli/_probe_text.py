"""The steps of a probe as lines for people."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fdaa._support.escapes import inline
from fdaa._values.membership import PRIVATE_IP_VARIABLE
from fdaa.cli import _layout as layout
from fdaa.cli._next import command_of_cause, verdict_with_options
from fdaa.explain import Cause, explain_conclusion, explain_verdict
from fdaa.explain._evidence_words import describe_step
from fdaa.explain._known_names import describe_network_of
from fdaa.probe import Connection, Lookup, ThisComputer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fdaa.cli._document_options import DocumentOptions, Inputs
    from fdaa.explain import ExplainedCause, ExplainedConclusion, ExplainedEvidence
    from fdaa.explain._evidence_words import DescribedStep
    from fdaa.networks import Verdict
    from fdaa.probe import Step

_LABEL = 12  # columns of what a line about a step begins with
_BELOW = " " * (_LABEL + 1)
_UNUSABLE = {
    "duplicate": "a duplicate: another computer has it, and this one does not connect from it",
    "tentative": "tentative: the system checks it for duplicates, and does not connect from it yet",
}
_FILE_TEXT = "FILE is a document of the platform: see `fdaa networks --help`."
_NOT_TESTED_TEXT = "Not tested: a response of the app, TLS, large packets (MTU)."
# Of addresses, causes and ways around; --all shows the rest.
SHOWN = 3
_ALL = 1_000_000


class ProbeText:
    """The lines for the steps of a probe.

    Args:
        inputs: the documents and the book, which name networks.
        documents: the options that name the documents, for the next commands.
        book_file: the file of the book, or None.
        own: the own address.
        show_all: print every cause, address and way around.
    """

    def __init__(
        self,
        inputs: Inputs,
        documents: DocumentOptions,
        book_file: str | None,
        own: ThisComputer,
        *,
        show_all: bool,
    ) -> None:
        self._inputs = inputs
        self._documents = documents
        self._book_file = book_file
        self._own = own
        self._show_all = show_all
        self._shown = _ALL if show_all else SHOWN

    def lines(self, step: Step) -> Iterator[str]:
        """Yield the lines for a step.

        Args:
            step: the step.
        """
        if isinstance(step, ThisComputer):
            yield from self._own_address()
        elif isinstance(step, Lookup):
            yield from self._lookup(step)
        elif isinstance(step, Connection):
            yield from self._connection(step)
        else:
            yield ""
            yield from self._conclusion(explain_conclusion(step, self._own, self._inputs.joined))

    def _own_address(self) -> Iterator[str]:
        own = self._own
        if own.address is None:
            yield "own address  none"
            return
        where = f"from {PRIVATE_IP_VARIABLE}"
        if own.interface is not None:
            where = f"on {inline(own.interface)}"
        yield f"own address  {own.address} {where}"
        yield f"{_BELOW}{describe_network_of(own.address, self._inputs.joined)}"
        if own.unusable is not None:
            yield _filled(_UNUSABLE[own.unusable].split(), _BELOW, _BELOW)

    def _lookup(self, lookup: Lookup) -> Iterator[str]:
        described = describe_step(lookup)
        yield _seen(described)
        for address in lookup.addresses[: self._shown]:
            compared = ""
            if self._own.shares_network(address):
                compared = ", same network"
            elif self._own.has_other_network(address):
                compared = ", another network"
            network = describe_network_of(address, self._inputs.joined)
            yield _filled(f"{address}, {network}{compared}".split(), _BELOW, _BELOW)
        yield from _more(len(lookup.addresses) - self._shown, _BELOW)
        if described.remark:
            yield _filled(described.remark.split(), _BELOW, _BELOW)

    def _connection(self, connection: Connection) -> Iterator[str]:
        yield _seen(describe_step(connection))
        source = connection.source
        if source not in (None, self._own.address, connection.address):
            yield f"{_BELOW}from {source}, {describe_network_of(source, self._inputs.joined)}"

    def _conclusion(self, explained: ExplainedConclusion) -> Iterator[str]:
        """Yield whether a port is open, and the causes that fit what is not."""
        conclusion = explained.conclusion
        yield _filled([f"{conclusion.target.text}:", explained.answer], below="  ")
        if explained.not_tested:
            yield _filled(_NOT_TESTED_TEXT.split(), "  ", "  ")
            for cause in explained.not_tested:
                if cause.cause is not Cause.PROXY or self._show_all:
                    yield from self._next(cause)
        if conclusion.untried:
            tried = len(conclusion.tried)
            yield f"  {tried} of {tried + conclusion.untried} addresses were tried."
        for group in explained.explanations:
            yield from self._explanation(group, has_others=len(conclusion.connections) > 1)
        if not self._documents and _need_documents(explained, self._shown):
            yield _filled(_FILE_TEXT.split(), "  ", "  ")
        for verdict in explained.verdicts:
            yield from self._verdict(verdict)

    def _explanation(self, group: ExplainedEvidence, *, has_others: bool) -> Iterator[str]:
        """Yield the causes of one kind of evidence, and what was checked."""
        if has_others and group.addresses:
            yield f"  {_addresses(group)}: {group.words}."
        if group.checked:
            yield _filled(f"checked: {', '.join(group.checked)}".split(), "  ", "    ")
        yield "  Possible causes, the most likely first:"
        for number, cause in enumerate(group.causes[: self._shown], 1):
            yield _filled(f"{number}. {cause.text}".split(), "  ", "     ")
            yield from self._next(cause)
        yield from _more(len(group.causes) - self._shown, "  ")

    def _next(self, cause: ExplainedCause) -> Iterator[str]:
        """Yield the next command for a cause, if there is one."""
        command = command_of_cause(cause, self._documents, self._book_file)
        if not command:
            return
        label = f"     next ({cause.where}):" if cause.where else "     next:"
        yield layout.command(label, command).rstrip("\n")

    def _verdict(self, verdict: Verdict) -> Iterator[str]:
        """Yield what documents say."""
        yield "  According to the documents:"
        is_incomplete = bool(self._inputs.errors)
        explained = verdict_with_options(
            explain_verdict(verdict, is_tried=True, is_incomplete=is_incomplete)
        )
        shown = replace(explained, ways=explained.ways[: self._shown])
        for line in shown.lines():
            yield layout.indented(line, "    ").rstrip("\n")
        hidden = len(explained.ways) - len(shown.ways)
        if hidden:
            yield f"    {layout.counted(hidden, 'more way')} around: --all"


def with_commands(
    explained: ExplainedConclusion, documents: DocumentOptions, book_file: str | None
) -> ExplainedConclusion:
    """Return a conclusion whose steps are commands, with the options that name their documents."""
    groups = []
    for group in explained.explanations:
        causes = []
        for cause in group.causes:
            command = command_of_cause(cause, documents, book_file)
            causes.append(replace(cause, next=command, step=None))
        groups.append(replace(group, causes=tuple(causes)))
    return replace(explained, explanations=tuple(groups))


def _need_documents(explained: ExplainedConclusion, shown: int) -> bool:
    """Return whether a command that is shown needs documents."""
    for group in explained.explanations:
        for cause in group.causes[:shown]:
            if cause.needs:
                return True
    return False


def _more(number: int, indent: str) -> Iterator[str]:
    if number > 0:
        yield f"{indent}{number} more: --all"


def _seen(described: DescribedStep) -> str:
    """Return what a step saw, with its label in a column."""
    words = [f"{described.what}:", *described.seen.split()]
    if described.after:
        words += ["after", described.after]  # a number and its unit stay together
    if described.error:
        words += f"({described.error})".split()
    return _filled(words, f"{described.done:{_LABEL}} ", _BELOW)


def _addresses(group: ExplainedEvidence) -> str:
    """Return the first address of a group, and the number of the others."""
    first, *others = group.addresses
    if not others:
        return str(first)
    return f"{first} and {len(others)} more"


def _filled(words: Iterable[str], indent: str = "", below: str = "") -> str:
    """Return words as lines that fit the terminal; none of them is split.

    Args:
        words: the words.
        indent: what the first line begins with.
        below: what the others begin with.
    """
    lines = [indent]
    space = ""
    for word in words:
        if space and len(f"{lines[-1]} {word}") > layout.width():
            lines.append(below)
            space = ""
        lines[-1] += f"{space}{word}"
        space = " "
    return "\n".join(lines)
