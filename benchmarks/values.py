"""Values: text to an ID, to a verdict and to an address; refusals; what is done with addresses.

Each contestant is written as its users would write it at its best, and does the whole job: where it
belongs to the job, it refuses what is outside fdaa::/16.
"""

from __future__ import annotations

import gc
import ipaddress
import socket
import sys
import tracemalloc
from functools import partial
from typing import TYPE_CHECKING, Any

import fdaa
from benchmarks.inputs import COUNT, REFUSED_COUNT, REFUSED_KINDS, pairs, refused, texts
from benchmarks.measure import Row, compare, require_same

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Parse = Callable[[str], Any]

PARSERS: dict[str, Parse] = {"fdaa": fdaa.Address, "ipaddress": ipaddress.IPv6Address}


def ids_by(parse: Parse) -> list[int]:
    """Return the network IDs by a parser of IPv6."""
    ids = []
    for text in texts():
        number = int(parse(text))
        if number >> 112 != 0xFDAA:
            raise ValueError(text)
        ids.append(number >> 80 & 0xFFFFFFFF)
    return ids


def verdicts_by(parse: Parse) -> list[bool]:
    """Return whether the texts of each pair are on one network."""
    verdicts = []
    for first, second in pairs():
        a = int(parse(first))
        b = int(parse(second))
        if a >> 112 != 0xFDAA or b >> 112 != 0xFDAA:
            raise ValueError(first, second)
        verdicts.append(a >> 80 == b >> 80)
    return verdicts


def packed_by_inet_pton() -> list[bytes]:
    """Do only the part of the job that no one can leave out."""
    inet_pton = socket.inet_pton
    family = socket.AF_INET6
    return [inet_pton(family, text) for text in texts()]


def refusals(parse: Parse, kind: str, prefix: int | None = None) -> list[bool]:
    """Return whether each text is refused; a library that takes all IPv6 needs a second look."""
    found = []
    for text in refused(kind):
        try:
            address = parse(text)
            found.append(prefix is not None and int(address) >> 112 != prefix)
        except ValueError:
            found.append(True)
    return found


def rows(*, small: bool) -> Iterator[Row]:
    """Yield the rows of this area."""
    rounds = 11
    if small:
        rounds = 1
    gc.disable()  # its pauses depend on what else the process holds
    yield from _of_texts(rounds)
    yield from _of_refusals(rounds)
    yield from _of_values(rounds)
    gc.enable()
    ours, theirs = (held_bytes(parse) for parse in PARSERS.values())
    yield Row("memory of a held address", ours, "ipaddress", theirs, "bytes")


def _of_texts(rounds: int) -> Iterator[Row]:
    extract = fdaa.extract_network_id
    same = fdaa.same_network
    ids: dict[str, Callable[[], list[Any]]] = {
        "fdaa": lambda: [extract(text) for text in texts()],
        "ipaddress": lambda: ids_by(ipaddress.IPv6Address),
    }
    require_same({name: do() for name, do in ids.items()})
    ids["inet_pton"] = packed_by_inet_pton
    yield from compare("`extract_network_id(text)`", ids, answers=COUNT, rounds=rounds)
    verdicts: dict[str, Callable[[], list[bool]]] = {
        "fdaa": lambda: [same(first, second) for first, second in pairs()],
        "ipaddress": lambda: verdicts_by(ipaddress.IPv6Address),
    }
    require_same({name: do() for name, do in verdicts.items()})
    yield from compare("`same_network(text, text)`", verdicts, answers=COUNT, rounds=rounds)
    parsed = {name: partial(_parsed, parse) for name, parse in PARSERS.items()}
    require_same({name: map(int, do()) for name, do in parsed.items()})
    yield from compare("`Address(text)`", parsed, answers=COUNT, rounds=rounds)


def _parsed(parse: Parse) -> list[Any]:
    return [parse(text) for text in texts()]


def _of_refusals(rounds: int) -> Iterator[Row]:
    """Yield the row of the kind of text that is slowest beside the rival."""
    found = []
    for kind in REFUSED_KINDS:
        contestants = {
            "fdaa": partial(refusals, fdaa.Address, kind),
            "ipaddress": partial(refusals, ipaddress.IPv6Address, kind, 0xFDAA),
        }
        require_same({name: do() for name, do in contestants.items()})
        found += compare(f"refusal: {kind}", contestants, answers=REFUSED_COUNT, rounds=rounds)
    yield max(found, key=lambda row: row.ours / row.theirs)


def _of_values(rounds: int) -> Iterator[Row]:
    given = {name: _parsed(parse) for name, parse in PARSERS.items()}
    ours = given["fdaa"]
    theirs = given["ipaddress"]
    jobs: dict[str, Callable[[list[Any]], Any]] = {
        "`str(address)`": lambda values: list(map(str, values)),
        "`int(address)`": lambda values: list(map(int, values)),
    }
    for job, do in jobs.items():
        require_same({name: map(str, do(values)) for name, values in given.items()})
        contestants = {name: partial(do, values) for name, values in given.items()}
        yield from compare(job, contestants, answers=COUNT, rounds=rounds)
    ids: dict[str, Callable[[], list[Any]]] = {
        "fdaa": lambda: [value.network_id for value in ours],
        "ipaddress": lambda: [int(value) >> 80 & 0xFFFFFFFF for value in theirs],
    }
    require_same({name: map(int, do()) for name, do in ids.items()})
    yield from compare("`address.network_id`", ids, answers=COUNT, rounds=rounds)


def held_bytes(parse: Parse) -> float:
    """Return the bytes that one held address takes, without its place in the list."""
    tracemalloc.start()
    held = _parsed(parse)
    traced, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return (traced - sys.getsizeof(held)) / COUNT
