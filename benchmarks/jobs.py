"""What a job is: contestants that do the same thing, and a check that they do."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    Contestants = Mapping[str, Callable[[], object]]


class Job(NamedTuple):
    """One job, and those who do it.

    Args:
        contestants: what is timed, by the contestant's name; fdaa's own is called `fdaa`.
        check: raises unless all contestants give the same answers.
        answers: how many answers one call of a contestant gives; the time is told for each.
        turns: how often each contestant is called.
    """

    contestants: Contestants
    check: Callable[[], None]
    answers: int
    turns: int


def require_same(answers: Mapping[str, Iterable[object]]) -> None:
    """Compare the answers of all contestants, one by one and in their order.

    Raises:
        AssertionError: two contestants answer differently.
    """
    (first, expected), *others = ((name, [*given]) for name, given in answers.items())
    for other, given in others:
        if given != expected:
            pairs = enumerate(zip(expected, given, strict=False))
            at = next((i for i, (one, two) in pairs if one != two), "the end")
            raise AssertionError(f"{first} and {other} differ in answer {at}")
