"""The first answer about a line: its addresses and networks, whether, why, and what to do next."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from types import NoneType

from fdaa._address import Address, NetworkID
from fdaa._checks import check_type
from fdaa._hosts import Host
from fdaa.explain._first import first_answer, text_of
from fdaa.explain._steps import Probe, Step
from fdaa.explain._symptoms import Symptom
from fdaa.explain._verdicts import ExplainedVerdict, explain_verdict
from fdaa.lines import End, Line
from fdaa.networks import App, NetworkMap, Verdict, reach


@dataclass(frozen=True, slots=True)
class Answer:
    """What can be said about a line; `str` returns it as lines, without the next steps.

    Args:
        line: what the line names.
        explained: whether its source can reach its target, and why; None without both.
        symptom: the symptom that the line shows, if it is a known one.
        next: what to do next.
        title: the address or the network, if there is only one; or that there is none.
        rows: what is known of it, each with a short name.
        table: several addresses and networks: each with its network, and its name if documents or
            a book are given.
        conclusion: sentences that compare their networks; with documents, the verdict.
    """

    line: Line
    explained: ExplainedVerdict | None
    symptom: Symptom | None
    next: tuple[Step, ...]
    title: str
    rows: tuple[tuple[str, str], ...]
    table: tuple[tuple[str, ...], ...]
    conclusion: tuple[str, ...]

    @property
    def verdict(self) -> Verdict | None:
        """Whether the source can reach the target; None without both."""
        if self.explained is None:
            return None
        return self.explained.verdict

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        if self.title:
            yield self.title
        for row in self.table:
            yield "  ".join(row)
        yield from self.conclusion
        for name, text in self.rows:
            yield f"  {name:16} {text}"

    def to_dict(self) -> dict[str, object]:
        """Return ends, verdict, symptom and next steps as a dictionary for JSON."""
        verdict = None
        if self.explained is not None:
            verdict = self.explained.to_dict()
        symptom = None
        if self.symptom is not None:
            symptom = self.symptom.to_dict()
        return {
            "kind": "answer",
            "source": text_of(self.line.source),
            "target": text_of(self.line.target),
            "port": self.line.port,
            "unread": list(self.line.unread),
            "verdict": verdict,
            "symptom": symptom,
            "next": [step.to_dict() for step in self.next],
        }


def explain(line: Line, networks: NetworkMap | None = None) -> Answer:
    """Return the first answer about a line.

    Args:
        line: what `fdaa.lines.read_line` returned.
        networks: the joined documents and book, or None.

    >>> from fdaa.lines import read_line
    >>> line = read_line("[fdaa:2:45b::2]:40112->[fdaa:0:18::3]:5432: i/o timeout")
    >>> answer = explain(line)
    >>> print(answer.explained.summary)
    no: fdaa:2:45b::2 cannot reach fdaa:0:18::3 privately
    >>> print(answer.next[0].source, answer.next[0].target)
    fdaa:2:45b::2 fdaa:0:18::3
    """
    check_type(line, "line", Line)
    check_type(networks, "networks", NetworkMap, NoneType)
    explained = None
    if line.source is not None and line.target is not None:
        verdict = reach(_end(line.source), _end(line.target), networks)
        explained = explain_verdict(verdict, networks)
    first = first_answer(line, networks)
    title = first.title
    conclusion = first.conclusion
    steps = first.next
    if explained is not None and networks is not None:
        if not line.found:
            title = ""
        conclusion = (str(explained),)
        steps = tuple(_by_its_address(step, explained.verdict) for step in steps)
    return Answer(
        line=line,
        explained=explained,
        symptom=first.symptom,
        next=steps,
        title=title,
        rows=first.rows,
        table=first.table,
        conclusion=conclusion,
    )


def _by_its_address(step: Step, verdict: Verdict) -> Step:
    """Return a step that does not use a name, which does not resolve on another network."""
    if isinstance(step, Probe) and verdict.via and isinstance(step.target, Host):
        return replace(step, target=verdict.via[0])
    return step


def _end(end: End) -> Address | NetworkID | App | Host:
    """Return an end of a line as `reach` takes it."""
    if isinstance(end, Address):
        return end
    if isinstance(end, Host):
        return end
    return end.network_id
