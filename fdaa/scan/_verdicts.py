r"""The same proposals as `fdaa.scan._rules` defines, found at the speed of a log.

One regular expression goes through a block, each distinct run is judged once, and Python code looks
at none of the usual ones. It knows the usual left edges too; where it is in doubt, behind a word or
an odd colon or in a run that may have swallowed another, the definition decides the whole block.
"""

from __future__ import annotations

import re
from itertools import accumulate, pairwise, repeat
from typing import TYPE_CHECKING, Generic, TypeVar

from fdaa.scan._rules import RUN, judge, judge_again, proposals

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from fdaa.address import Address
    from fdaa.scan._rules import Block

Value = TypeVar("Value")

# Behind one group and its colons starts no address: `2001:db8:fdaa::1`, `fe80::fdaa:1`.
_NO_GROUP = b"".join(
    rb"(?<![^0-9a-zA-Z_]" + b"[0-9a-fA-F]" * digits + colons + rb"fdaa:)"
    for digits in range(1, 5)
    for colons in (b":", b"::")
)
_SUSPECT = rb"(?<=[0-9a-zA-Z_:]fdaa:)" + _NO_GROUP
# A run at a clean left edge is captured, also behind `peer:`; a suspect captures nothing.
_HASTY = re.compile(
    rb"fdaa:(?:(?:(?<![0-9a-zA-Z_:]fdaa:)|(?<=[g-zG-Z_]:fdaa:))(" + RUN + rb")|" + _SUSPECT + rb")"
)
# A run that has swallowed a proposal, or its first letters: five digits are no group, so an address
# may follow them and a colon.
_SWALLOWED = re.compile(rb"[0-9a-fA-F]{5}:+f")
# Where `fdaa:` is farther apart than this, on the average behind the first few, each is looked for
# alone.
_FAR_APART = 1024
_FEW = 3


def hasty_runs(block: Block) -> list[bytes]:
    """Return the runs behind `fdaa:` in a block; a suspect's is empty, others may be wrong."""
    if not block.whole:
        return exact_runs(block)
    text, begin, end = block.folded, block.begin, block.end
    runs: list[bytes] = []
    at = end
    for room in range(end + _FEW * _FAR_APART, begin, -_FAR_APART):
        # `rfind` skips what cannot be it, where `re` and `find` look at each byte.
        at = text.rfind(b"fdaa:", begin, at)
        if at < 0:
            runs.reverse()
            return runs
        if at > room:
            break
        match = _HASTY.match(text, at, end)
        if match:
            runs.append(match[1] or b"")
    many: list[bytes] = _HASTY.findall(text, begin, end)
    return many


def exact_runs(block: Block) -> list[bytes]:
    """Return the runs behind `fdaa:` in a block, by the definition."""
    return [run[5:] for _, run in proposals(block.folded, block.begin, block.end)]


class _InDoubtError(Exception):
    """A hasty run that may be wrong."""


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
        self._are_hasty = False

    def __missing__(self, run: bytes | None) -> Value:
        if not run:
            raise _InDoubtError
        swallowed = _SWALLOWED.search(run)
        if swallowed and self._are_hasty:
            raise _InDoubtError
        judged = (judge_again if swallowed else judge)(b"fdaa:" + run.lower())
        value = self._refused if judged is None else self._render(judged[0])
        if swallowed:
            return value  # not kept: as a hasty run it is in doubt each time
        if len(self) >= self.LIMIT:
            self.clear()
        self[run] = value
        return value

    def of(self, runs: Iterable[bytes | None]) -> list[Value] | None:
        """Return the values of hasty runs, or None where the definition must decide."""
        self._are_hasty = True
        try:
            return list(map(self.__getitem__, runs))
        except _InDoubtError:
            return None
        finally:
            self._are_hasty = False

    def read(self, block: Block) -> list[Value]:
        """Return the values of a block's proposals, in order."""
        values = self.of(hasty_runs(block))
        return list(map(self.__getitem__, exact_runs(block))) if values is None else values

    def read_numbered(self, block: Block, line: int) -> tuple[list[Value], list[int]]:
        """Return the values of a block's proposals, and their lines with the one it ends in.

        Args:
            block: what is read.
            line: the number of the line that it begins in.
        """
        values = None
        if block.whole:
            pieces = _HASTY.split(block.folded[block.begin : block.end])
            values, between = self.of(pieces[1::2]), pieces[::2]
        if values is None:
            proposed = list(proposals(block.folded, block.begin, block.end))
            values = [self[run[5:]] for _, run in proposed]
            starts = [block.begin, *(start for start, _ in proposed), block.end]
            between = [block.folded[start:end] for start, end in pairwise(starts)]
        lines = map(bytes.count, between, repeat(b"\n"))
        return values, list(accumulate(lines, initial=line))[1:]
