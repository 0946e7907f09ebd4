"""The words that are known, with what they mean: a page, and `fdaa help symptoms`."""

# Without `annotations` from `__future__`: annotations of public names must be objects.

from collections.abc import Iterator
from dataclasses import dataclass

from fdaa.explain._cause_kinds import Cause
from fdaa.explain._cause_table import CAUSES_SHOWN, causes_of
from fdaa.explain._line_causes import sentence_of
from fdaa.explain._meanings import MEANING
from fdaa.lines import Circumstance, Evidence, Phase
from fdaa.lines._words import WORDS, find_words

# What is known of a line that names one private address, or one name.
_KNOWN = {
    Circumstance.PRINTED,
    Circumstance.INTERNAL_NAME,
    Circumstance.GIVEN_ADDRESS,
    Circumstance.NETWORKS_UNKNOWN,
    Circumstance.PORT_WITHOUT_BRACKETS,
    Circumstance.IN_BRACKETS,
    Circumstance.A_URL,
    Circumstance.PERCENT_ESCAPES,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedWords:
    """Words of lines that are evidence of one kind.

    Args:
        phase: how far a program had come when it prints them.
        evidence: what they show.
        words: the words, in any case.
        meaning: what they mean.
        causes: what fits, the likeliest first, each with its sentence.
    """

    phase: Phase
    evidence: Evidence
    words: tuple[str, ...]
    meaning: str
    causes: tuple[tuple[Cause, str], ...]


def explain_words() -> Iterator[ExplainedWords]:
    """Yield all words that are known, with what they mean and their three likeliest causes.

    >>> [row.meaning for row in explain_words() if "connection refused" in row.words]
    ['The connection was refused.']
    """
    words: dict[Evidence, list[str]] = {}
    phases: dict[Evidence, Phase] = {}
    for row in WORDS:
        phases.setdefault(row.evidence, row.phase)
        found = words.setdefault(row.evidence, [])
        found.extend(text for text in row.words if text not in found and len(text) > 1)
    for evidence, found in words.items():
        alone = [text for text in found if _is_enough(text, evidence)]
        if alone:
            words[evidence] = alone
    for phase in Phase:
        for evidence in words:
            if phases[evidence] is phase:
                yield _row(phase, evidence, tuple(words[evidence]))


def _is_enough(text: str, evidence: Evidence) -> bool:
    """Return whether words are evidence of a kind alone, without others beside them."""
    found = find_words(text)
    return found is not None and found.evidence is evidence


def _row(phase: Phase, evidence: Evidence, words: tuple[str, ...]) -> ExplainedWords:
    known = set(_KNOWN)
    if evidence is Evidence.NO_ROUTE:
        known.add(Circumstance.NO_PRIVATE_ADDRESS)
    causes = causes_of(evidence, known)[:CAUSES_SHOWN]
    explained = tuple((cause, sentence_of(cause)) for cause in causes)
    return ExplainedWords(
        phase=phase,
        evidence=evidence,
        words=words,
        meaning=f"{MEANING[evidence]}.",
        causes=explained,
    )
