"""The name that may be meant by a misspelled one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fdaa._support.escapes import inline

if TYPE_CHECKING:
    from collections.abc import Iterable


def did_you_mean(text: str, names: Iterable[str], *, before: str = "") -> str:
    """Return "did you mean" with the name most like a misspelled one, or an empty text.

    Of several names that are equally like it, none is returned. `before` is the text that the
    argument has before such a name.
    """
    import difflib  # late: needed only for names that are not found

    candidates = list(dict.fromkeys(names))
    letters = sorted(text)
    nearest = [name for name in candidates if sorted(name) == letters]  # customer-71: customer-17
    if not nearest:
        nearest = difflib.get_close_matches(text, candidates, 2)
    if len(nearest) == 2 and _likeness(nearest[0], text) > _likeness(nearest[1], text):
        nearest = nearest[:1]
    if len(nearest) != 1:
        return ""
    return f"; did you mean {before}{inline(nearest[0])}?"


def _likeness(name: str, text: str) -> float:
    """Return how much a name is like a text, as `difflib.get_close_matches` orders them."""
    from difflib import SequenceMatcher

    return SequenceMatcher(None, name, text).ratio()
