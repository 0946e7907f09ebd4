"""A cache for what is done with the text of each match."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

Result = TypeVar("Result")


class Once(dict[bytes, Result], Generic[Result]):
    """The results of a function for the texts of matches; most texts repeat.

    Args:
        function: called once for each text that is looked up.
    """

    LIMIT = 131_072  # about 40 MB; with more texts it is emptied and refilled
    LONGEST = 96  # bytes of a text that is kept; few longer ones are addresses

    def __init__(self, function: Callable[[bytes], Result]) -> None:
        super().__init__()
        self._function = function

    def __missing__(self, text: bytes) -> Result:
        if len(self) >= self.LIMIT:
            self.clear()
        result = self._function(text)
        if len(text) <= self.LONGEST:
            self[text] = result
        return result
