"""The own address, read from a list of interfaces as Linux prints it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from command import invoke, records

from fdaa.probe._own_address import read_this_computer

if TYPE_CHECKING:
    from pathlib import Path

FIRST = "fdaa:2:45b::1"
SECOND = "fdaa:2:45b::2"


@pytest.fixture
def interfaces(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return a file that is read in place of /proc/net/if_inet6."""
    file = tmp_path / "if_inet6"
    # No file of the system can be written to; a namespace shows one duplicate only (lab.py).
    monkeypatch.setattr("fdaa.probe._own_address._INTERFACES", file)
    return file


def line(last_group: int, flags: str, interface: str = "eth0") -> str:
    return f"fdaa0002045b0000{last_group:016x} 02 80 00 {flags} {interface}\n"


# PLATFORM_PRIVATE_IP, flags of FIRST and of SECOND in hex (if_addr.h; empty where no interface has
# the address) -> the own address, why it is unusable, whether the variable's address is elsewhere.
OWN = [
    ("", "80", "80", FIRST, None, False),
    ("", "88", "80", SECOND, None, False),  # a duplicate: the other one is used
    ("", "c4", "80", FIRST, None, False),  # tentative and optimistic: it is used (RFC 4429)
    ("", "c8", "c0", FIRST, "duplicate", False),
    ("", "c0", "c8", FIRST, "tentative", False),
    (SECOND, "80", "88", SECOND, "duplicate", False),  # that of the variable comes first
    (FIRST, "", "80", SECOND, None, True),  # an interface's counts, and not the variable
    (FIRST, "", "", FIRST, None, True),
]


@pytest.mark.parametrize(
    ("variable", "of_first", "of_second", "address", "unusable", "elsewhere"), OWN
)
def test_the_own_address_is_an_interfaces_if_one_has_a_private_address(
    interfaces: Path,
    monkeypatch: pytest.MonkeyPatch,
    variable: str,
    of_first: str,
    of_second: str,
    address: str,
    unusable: str | None,
    elsewhere: bool,
) -> None:
    monkeypatch.setenv("PLATFORM_PRIVATE_IP", variable)
    text = f"{1:032x} 01 80 10 80 lo\n"
    if of_first:
        text += line(1, of_first)
    if of_second:
        text += line(2, of_second)
    interfaces.write_text(text)
    own = read_this_computer()
    assert (str(own.address), own.unusable, own.elsewhere) == (address, unusable, elsewhere)


def test_for_commands_self_is_the_address_of_the_interface(interfaces: Path) -> None:
    interfaces.write_text(line(1, "80"))
    result = invoke("reach", "self", FIRST, "--json", PLATFORM_PRIVATE_IP=SECOND)
    (verdict,) = records(result.stdout)
    assert verdict["source"] == FIRST
    assert f"PLATFORM_PRIVATE_IP is {SECOND}, but no interface" in result.stderr


def test_where_interfaces_cannot_be_read_the_variable_counts(
    interfaces: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not interfaces.exists()  # as on a system other than Linux: nothing can be compared
    monkeypatch.setenv("PLATFORM_PRIVATE_IP", FIRST)
    own = read_this_computer()
    assert (str(own.address), own.on_interface, own.elsewhere) == (FIRST, own.address, False)


# A title for the terminal, a name that is not UTF-8, one that is, and separators of lines.
STRANGE_NAMES = ["\x1b]0;owned\x07", "caf\udce9", "na\u00efve", "a\x1c\x85b"]


@pytest.mark.parametrize("name", STRANGE_NAMES, ids=ascii)
def test_the_name_of_an_interface_is_escaped(interfaces: Path, name: str) -> None:
    """Any process with CAP_NET_ADMIN chooses it."""
    in_bytes = line(1, "80", name).encode("utf-8", "surrogateescape")
    interfaces.write_bytes(in_bytes)
    shown = invoke("probe", "::1").stdout.splitlines()[0]
    assert shown.startswith(f"own address  {FIRST} ('")
    assert shown.isascii()
    assert shown.isprintable()
    (own, *_) = records(invoke("probe", "::1", "--json").stdout)
    decoded = name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    assert own["interface"] == decoded
