"""fdaa as it would be on other platforms: run as a script, in a Python of its own.

    python -I -S other_platform.py PLATFORM

replaces `_socket.inet_pton` or `_socket.inet_ntop` by a function that is lax or prints otherwise,
then imports fdaa. It reads a JSON list of texts, and prints as JSON which functions fdaa took, and
what fdaa says of each text.
"""

from __future__ import annotations

import _socket
import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Never

if TYPE_CHECKING:
    from collections.abc import Callable

_pton = _socket.inet_pton
_ntop = _socket.inet_ntop


# --- inet_pton: what it makes of a text before it reads it ----------------------------------------


def drop_idle_gap(text: str) -> str:
    without_gap = text.replace("::", ":")
    if len(without_gap.split(":")) != 8:
        return text
    return without_gap


def drop_zeros_of_octets(text: str) -> str:
    before, colon, last = text.rpartition(":")
    octets = last.split(".")
    if len(octets) < 4:
        return text
    return before + colon + ".".join(octet.lstrip("0") or octet[:1] for octet in octets)


def drop_everything(text: str) -> str:
    text = re.sub(r"[%/].*", "", text.strip().strip("[]"))
    text = re.sub(r":0+(?=[0-9a-f]+$)", ":", text.replace(":0x", ":"))
    return drop_idle_gap(drop_zeros_of_octets(text))


LAX: dict[str, Callable[[str], str]] = {
    "drops a zone": lambda text: text.partition("%")[0],
    "drops a numeric zone": lambda text: re.sub(r"%[0-9]+$", "", text),
    "drops a named zone": lambda text: re.sub(r"%[a-z]+$", "", text),
    "takes five digits first": lambda text: re.sub(r"^0(?=[0-9a-f]{4}:)", "", text),
    "takes five digits last": lambda text: re.sub(r":0(?=[0-9a-f]{4}$)", ":", text),
    "takes 0x": lambda text: text.replace(":0x", ":"),
    "takes leading zeros in a dotted quad": drop_zeros_of_octets,
    "takes '::' for no group": drop_idle_gap,
    "takes brackets": lambda text: re.sub(r"^\[(.*)\]$", r"\1", text),
    "takes a prefix length": lambda text: text.partition("/")[0],
    "takes white space before": str.lstrip,
    "takes a space behind": lambda text: text.rstrip(" "),
    "takes a line feed behind": lambda text: text.removesuffix("\n"),
    "takes all of this": drop_everything,
}


def refuse(_family: int, text: str) -> bytes:
    raise OSError(text)


def unknown_family(family: int, _value: object) -> Never:
    raise ValueError(f"unknown address family {family}")


# --- inet_ntop: how it prints ---------------------------------------------------------------------


def groups_of(packed: bytes) -> list[str]:
    return [f"{int.from_bytes(packed[i : i + 2], 'big'):x}" for i in range(0, 16, 2)]


def print_single_zero_as_gap(_family: int, packed: bytes) -> str:
    groups = groups_of(packed)
    text = _ntop(_socket.AF_INET6, packed)
    if "::" in text or "0" not in groups:
        return text
    start = groups.index("0")
    return ":".join(groups[:start]) + "::" + ":".join(groups[start + 1 :])


def print_last_run_as_gap(_family: int, packed: bytes) -> str:
    return _ntop(_socket.AF_INET6, packed).replace("::1:0:0:1:1", ":0:0:1::1:1")


def print_isatap(packed: bytes, fifth: str) -> str:
    text = _ntop(_socket.AF_INET6, packed)
    if groups_of(packed)[4:6] == [fifth, "5efe"]:
        return text.rsplit(":", 2)[0] + ":" + ".".join(map(str, packed[12:]))
    return text


NTOP: dict[str, Callable[[int, bytes], str]] = {
    "prints a single zero as '::'": print_single_zero_as_gap,
    "prints the last run as '::'": print_last_run_as_gap,
    "prints a quad behind 0:5efe": lambda _, packed: print_isatap(packed, "0"),
    "prints a quad behind 200:5efe": lambda _, packed: print_isatap(packed, "200"),
    "prints upper case": lambda _, packed: _ntop(_socket.AF_INET6, packed).upper(),
    "prints no '::'": lambda _, packed: ":".join(groups_of(packed)),
}


def become(platform: str) -> None:
    if platform in LAX:
        prepare = LAX[platform]
        _socket.inet_pton = lambda family, text: _pton(family, prepare(text))
    elif platform in NTOP:
        # Python's own takes other buffers than bytes, too.
        _socket.inet_ntop = NTOP[platform]  # type: ignore[assignment]
    elif platform == "refuses everything":
        _socket.inet_pton = refuse
    elif platform == "without IPv6":
        _socket.inet_pton = unknown_family
        _socket.inet_ntop = unknown_family
    elif platform == "without AF_INET6":
        del _socket.AF_INET6
    elif platform == "without _socket":
        # An import of it is an ImportError now.
        sys.modules["_socket"] = None  # type: ignore[assignment]


def answer(text: str) -> list[object]:
    """Return what fdaa says about one text, as JSON can hold it."""
    import fdaa

    answers: list[object] = []
    for ask in (
        lambda: [(a := fdaa.Address(text)).packed.hex(), str(a), repr(a), a.exploded],
        lambda: fdaa.extract_network_id(text),
        lambda: fdaa.same_network(text, "fdaa::1"),
    ):
        try:
            answers.append(ask())
        except fdaa.InputError as error:
            answers.append([type(error).__name__, error.reason, error.at])
    return answers


def main() -> None:
    sys.path.insert(0, str(Path(__file__).parent.parent.parent))
    become(sys.argv[1])
    from fdaa._values import text as text

    names = ("inet_pton", "inet_ntop")
    native = [getattr(text, name) is getattr(_socket, name, None) for name in names]
    answers = [answer(each) for each in json.load(sys.stdin)]
    print(json.dumps([native, answers]))


if __name__ == "__main__":
    main()
