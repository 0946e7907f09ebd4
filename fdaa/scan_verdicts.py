r"""The same proposals as `fdaa.scan` defines, found at the speed of a log.

One regular expression takes a block apart in one go, each distinct run is judged once, and Python
code looks at none of the usual ones. What the expression cannot decide is decided by the rules: a
proposal behind a colon or a word, and a run that may have swallowed another.
"""

from __future__ import annotations

import re
from itertools import accumulate, pairwise, repeat
from typing import TYPE_CHECKING, Generic, TypeVar

from fdaa.scan import RUN, TAIL, judge, left_edge, proposals

if TYPE_CHECKING:
    from collections.abc import Callable

    from fdaa.address import Address
    from fdaa.scan import Block

Value = TypeVar("Value")

_SUSPECT = rb"(?<=[0-9a-z_:]fdaa:)(?=[0-9a-f:])"
# A run behind a harmless byte is captured; any other proposal captures nothing.
_HASTY = re.compile(rb"fdaa:(?:(?<![0-9a-z_:]fdaa:)(" + RUN + rb")|" + _SUSPECT + rb")")
# A run that has swallowed a proposal, or its first letters: five digits are no group, so an address
# may follow them and a colon.
_SWALLOWED = re.compile(rb"[0-9a-f]{5}:+f")


class Verdicts(dict["bytes | None", Value], Generic[Value]):
    """What there is to say about each run, worked out once for all that read the same.

    Args:
        render: makes the value of an address.
        refused: the value of a run that is no address.
    """

    # Few logs have more addresses; those that do forget all and begin again.
    LIMIT = 32768

    def __init__(self, render: Callable[[Address], Value], refused: Value) -> None:
        super().__init__()
        self._render = render
        self._refused = refused
        self._suspect = self._swallowed = False

    def __missing__(self, run: bytes | None) -> Value:
        if run is None:
            self._suspect = True
            return self._refused
        judged = judge(b"fdaa:" + run)
        value = self._refused if judged is None else self._render(judged[0])
        if _SWALLOWED.search(run):
            self._swallowed = True  # and the value is not kept, so it is noticed each time
            return value
        if len(self) >= self.LIMIT:
            self.clear()
        self[run] = value
        return value

    def read(self, block: Block) -> tuple[list[Value], list[bytes]]:
        r"""Return the values of a block's proposals, in order, and the bytes between them.

        Of the bytes between, which are one piece more, only the number of `\n` is exact.
        """
        if block.whole:
            self._suspect = self._swallowed = False
            pieces = _HASTY.split(block.low[block.begin : block.end])
            values = list(map(self.__getitem__, pieces[1::2]))
            if self._suspect and not self._swallowed:
                self._settle(block, pieces, values)
            if not self._swallowed:
                return values, pieces[::2]
        proposed = list(proposals(block.low, block.begin, block.end))
        starts = [block.begin, *(start for start, _ in proposed), block.end]
        between = [bytes(block.low[start:end]) for start, end in pairwise(starts)]
        return [self[run[5:]] for _, run in proposed], between

    def _settle(self, block: Block, pieces: list[bytes | None], values: list[Value]) -> None:
        """Put right the values of suspects: runs that stand behind a colon or in a word."""
        suspects = [index for index, run in enumerate(pieces[1::2]) if run is None]
        ends = list(accumulate(len(piece or b"") for piece in pieces))
        for index in suspects:
            start = block.begin + ends[2 * index] + 5 * index
            if left_edge(block.low, start):
                tail = TAIL.match(block.low, start + 5)
                assert tail is not None  # noqa: S101 - the look-ahead has seen its first byte
                values[index] = self[tail.group()]


def lines_of(between: list[bytes], line: int) -> list[int]:
    """Return the lines of a block's proposals, and as the last one that which the block ends in.

    Args:
        between: from `Verdicts.read`.
        line: the number of the line that the block begins in.
    """
    return list(accumulate(map(bytes.count, between, repeat(b"\n")), initial=line))[1:]
