"""Prints the steps of a probe, for people or as JSON, and counts what was seen in all rounds."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import click

from fdaa.cli import _render as output
from fdaa.cli._probe_text import ADDRESSES_SHOWN, SCREEN, ProbeText, words_of
from fdaa.explain import add_documents, explain_conclusion, explain_verdict
from fdaa.probe import Conclusion, Connection, OwnAddress

if TYPE_CHECKING:
    from fdaa.cli._document_options import DocumentOptions, Inputs
    from fdaa.cli._records import Records
    from fdaa.networks import Verdict
    from fdaa.probe import Evidence, Step

FIELDS = (
    "kind",
    "round",
    "target",
    "address",
    "network_id",
    "network_id_int",
    "interface",
    "platform_private_ip",
    "unusable",
    "invalid",
    "host",
    "evidence",
    "addresses",
    "ipv4",
    "seconds",
    "source",
    "reported_by",
    "error",
    "open",
    "explanations",
    "not_tested",
    "rounds",
    "counts",
    "reachable",
    "outcome",
    "same_network",
    "via",
    "reasons",
    "ways",
)


class Report:
    """Prints each step when it is finished, and keeps the conclusions.

    Args:
        inputs: the documents and the book.
        documents: the options that name them.
        records: --json and --field.
        quiet: print nothing.
        show_all: print every cause and address.
    """

    def __init__(
        self,
        inputs: Inputs,
        documents: DocumentOptions,
        records: Records,
        *,
        quiet: bool,
        show_all: bool,
    ) -> None:
        self.conclusions: list[Conclusion] = []
        self._inputs = inputs
        self._documents = documents
        self._show_all = show_all
        self._records = records
        self._quiet = quiet
        self._own = OwnAddress()
        self._lines = 0  # of this round, for people
        self._connections: Counter[tuple[int, str]] = Counter()  # of a round and a target
        self._last: dict[object, object] = {}  # kind and target -> the record of the last round

    def add(self, number: int, step: Step) -> None:
        """Print a step of a round; for people, nothing that the last round showed already."""
        verdicts: list[Verdict] = []
        if isinstance(step, OwnAddress):
            self._own = step
            self._lines = 0
        elif isinstance(step, Conclusion):
            step, verdicts = self._with_documents(step)
            self.conclusions.append(step)
        record = step.to_dict()
        if self._records:
            if isinstance(step, Conclusion):
                record = explain_conclusion(step, self._own, self._inputs.joined).to_dict()
            self._write_record({**record, "round": number})
            for verdict in verdicts:
                self._write_record({**explain_verdict(verdict).to_dict(), "round": number})
            return
        place = (record["kind"], record.get("target"))
        if self._last.get(place) != record and not self._is_one_of_many(number, step):
            self._last[place] = record
            text = ProbeText(
                self._inputs,
                self._documents,
                self._own,
                show_all=self._show_all,
                room=SCREEN - self._lines,
            )
            for line in text.lines(step, verdicts):
                self._write(line)

    def _is_one_of_many(self, number: int, step: Step) -> bool:
        """Return whether a connection is left to the conclusion, which shows all that are alike."""
        if self._show_all or not isinstance(step, Connection):
            return False
        self._connections[number, step.target.text] += 1
        return self._connections[number, step.target.text] > ADDRESSES_SHOWN

    def summarize(self) -> None:
        """Print what was seen of each target, in all rounds together."""
        rounds: Counter[str] = Counter()
        seen: dict[str, Counter[Evidence]] = {}
        for conclusion in self.conclusions:
            target = conclusion.target.text
            rounds[target] += 1
            counts = seen.setdefault(target, Counter())
            for connection in conclusion.connections:
                counts[connection.evidence] += 1
            if conclusion.lookup is not None and not conclusion.connections:
                counts[conclusion.lookup.evidence] += 1
        for target, counts in seen.items():
            self._write_summary(target, rounds[target], counts)

    def _with_documents(self, conclusion: Conclusion) -> tuple[Conclusion, list[Verdict]]:
        joined = self._inputs.joined
        if not (self._inputs.documents or joined.book):
            return conclusion, []
        return add_documents(conclusion, self._own.address, joined)

    def _write_summary(self, target: str, rounds: int, counts: Counter[Evidence]) -> None:
        if self._records:
            self._write_record(
                {"kind": "summary", "target": target, "rounds": rounds, "counts": counts}
            )
            return
        shown = []
        for evidence, count in counts.items():
            shown.append(f"{count} {words_of(evidence)}")
        seen = ", ".join(shown)
        self._write(f"{target}: {seen} ({output.counted(rounds, 'round')})")

    def _write(self, line: str) -> None:
        self._lines += 1 + line.count("\n")
        if not self._quiet:
            click.echo(line)  # it flushes

    def _write_record(self, record: dict[str, object]) -> None:
        if not self._quiet:
            click.echo(self._records.line(record), nl=False)
