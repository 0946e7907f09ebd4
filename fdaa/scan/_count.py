"""How often each network occurs: texts are counted, and grouped by network at the end.

The memory is for the distinct texts, about 330 bytes each, and as much for each network.
"""

# Without `annotations` from `__future__`: annotations of public names must be objects.
import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import KW_ONLY, dataclass
from itertools import islice
from typing import Any

from fdaa._support.escapes import as_unicode
from fdaa._values.address import NetworkID
from fdaa._values.bits import ADDRESS_BITS, ID_BYTES, unpack_head
from fdaa._values.id_text import id_fields
from fdaa.scan._blocks import Block, count_lines
from fdaa.scan._expression import judge_packed
from fdaa.scan._report import EVERYTHING, Filter


@dataclass(frozen=True, slots=True)
class NetworkCount:
    """The counts of one network.

    Args:
        network_id: its ID.
        matches: how many of its addresses and prefixes were found.
        addresses: how many distinct addresses among them.
        file, line: the place of the first one.
    """

    network_id: NetworkID
    _: KW_ONLY
    matches: int
    addresses: int
    file: str
    line: int

    def to_dict(self) -> dict[str, Any]:
        """Return the fields of a line of `fdaa scan --count --json`."""
        return {
            **id_fields(self.network_id),
            "prefix": str(self.network_id.prefix),
            "matches": self.matches,
            "addresses": self.addresses,
            "first": {"file": as_unicode(self.file), "line": self.line},
        }


class Count:
    """The counts of the networks in all files read so far.

    Args:
        keep: which addresses are counted.
    """

    def __init__(self, keep: Filter = EVERYTHING) -> None:
        self._keep = keep
        self._texts: Counter[bytes] = Counter()
        self._values: list[bytes] = []  # of each text, in the same order: 16 bytes, and a length
        # Lines are counted through all files, so that a place is one number.
        self._first: dict[int, int] = {}
        self._lines = 0
        self._has_new = True
        self._files: list[tuple[int, str]] = []  # the lines before each, and its name

    def begin_file(self, name: str) -> None:
        """Begin another file."""
        self._files.append((self._lines, name))
        self._lines += 1  # its last line may have no line feed

    def read(self, block: Block) -> None:
        """Count the next block of a file."""
        # Finding texts without their places is fastest. New networks need places, too; mostly
        # the block before had some.
        matches: list[re.Match[bytes]] = []
        if self._has_new:
            matches = list(block.matches())
            runs = [match.group() for match in matches]
        else:
            runs = block.runs()
        new = self._add(runs)
        self._has_new = bool(new)
        if new:
            self._place(new, matches or list(block.matches()), block)
        self._lines += count_lines(block.raw[block.begin : block.end])

    def _add(self, texts: list[bytes]) -> dict[bytes, int]:
        """Count texts; return the first one of each new network, in order."""
        before = len(self._texts)
        self._texts.update(texts)
        new = list(islice(reversed(self._texts), len(self._texts) - before))  # they are at its end
        first: dict[bytes, int] = {}
        for text in reversed(new):
            reading = judge_packed(text)
            if reading is None:
                del self._texts[text]
                continue
            packed, length = reading
            network_id = unpack_head(packed)[1]
            if not self._keep.keeps(network_id):
                del self._texts[text]
                continue
            self._values.append(packed + bytes((length,)))
            if network_id not in self._first:
                self._first[network_id] = self._lines
                first[text] = network_id
        return first

    def _place(self, new: dict[bytes, int], matches: list[re.Match[bytes]], block: Block) -> None:
        """Find the lines of new networks, by the first text of each."""
        line = self._lines
        at = block.begin
        for match in matches:
            network_id = new.pop(match.group(), None)
            if network_id is None:
                continue
            line += block.raw.count(b"\n", at, match.start())
            at = match.start()
            self._first[network_id] = line
            if not new:
                return

    def add(self, part: "Count") -> None:
        """Add the counts of the next part of a file."""
        for (text, count), value in zip(part._texts.items(), part._values, strict=True):
            if text not in self._texts:
                self._values.append(value)
            self._texts[text] += count
        for network_id, line in part._first.items():
            self._first.setdefault(network_id, self._lines + line)
        self._lines += part._lines

    @property
    def place(self) -> tuple[str, int] | None:
        """The file and the number of the line that are being read; None before the first file."""
        if not self._files:
            return None
        lines_before, file = self._files[-1]
        return file, self._lines - lines_before

    @property
    def network_ids(self) -> Iterable[int]:
        """The IDs of the networks found so far."""
        return self._first.keys()

    def networks(self) -> Iterator[NetworkCount]:
        """Yield the networks, those with most matches first, and then by ID."""
        matches = dict.fromkeys(self._first, 0)
        addresses: dict[int, list[bytes]] = defaultdict(list)
        for value, count in zip(self._values, self._texts.values(), strict=True):
            network_id = int.from_bytes(value[ID_BYTES])
            matches[network_id] += count
            if value[-1] == ADDRESS_BITS:
                addresses[network_id].append(value)
        by_id = sorted(matches)
        for network_id in sorted(by_id, key=matches.__getitem__, reverse=True):
            line = self._first[network_id]
            lines_before, file = self._files[bisect_left(self._files, (line,)) - 1]
            yield NetworkCount(
                NetworkID(network_id),
                matches=matches[network_id],
                addresses=len(set(addresses[network_id])),
                file=file,
                line=line - lines_before,
            )
