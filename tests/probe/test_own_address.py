"""The own address, read from a list of interfaces as Linux prints it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fdaa.probe._own_address import read_this_computer

if TYPE_CHECKING:
    from pathlib import Path

FIRST = "fdaa:2:45b::1"
SECOND = "fdaa:2:45b::2"

# Flags of FIRST and of SECOND, in hex (if_addr.h) -> the own address, and why it is unusable.
LISTS = [
    ("80", "80", FIRST, None),
    ("88", "80", SECOND, None),  # a duplicate: the other one is used
    ("c4", "80", FIRST, None),  # tentative and optimistic: it is used (RFC 4429)
    ("c8", "c0", FIRST, "duplicate"),
    ("c0", "c8", FIRST, "tentative"),
]


@pytest.fixture
def interfaces(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return a file that is read in place of /proc/net/if_inet6."""
    file = tmp_path / "if_inet6"
    # No file of the system can be written to; a namespace shows one duplicate only (lab.py).
    monkeypatch.setattr("fdaa.probe._own_address._INTERFACES", file)
    monkeypatch.delenv("PLATFORM_PRIVATE_IP", raising=False)
    return file


def line(last_group: int, flags: str) -> str:
    return f"fdaa0002045b0000{last_group:016x} 02 80 00 {flags} eth0\n"


@pytest.mark.parametrize(("of_first", "of_second", "address", "unusable"), LISTS)
def test_an_address_that_is_used_comes_first(
    interfaces: Path, of_first: str, of_second: str, address: str, unusable: str | None
) -> None:
    interfaces.write_text(line(1, of_first) + line(2, of_second))
    own = read_this_computer()
    assert (str(own.address), own.interface, own.unusable) == (address, "eth0", unusable)


def test_that_of_the_variable_is_the_own_address_even_where_it_is_not_used(
    interfaces: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    interfaces.write_text(line(1, "80") + line(2, "88"))
    monkeypatch.setenv("PLATFORM_PRIVATE_IP", SECOND)
    own = read_this_computer()
    assert (str(own.address), own.unusable, own.elsewhere) == (SECOND, "duplicate", False)


def test_where_no_interface_has_a_private_address_the_variable_counts(
    interfaces: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLATFORM_PRIVATE_IP", FIRST)
    interfaces.write_text(f"{1:032x} 01 80 10 80 lo\n")
    own = read_this_computer()
    assert (str(own.address), own.on_interface, own.elsewhere) == (FIRST, None, True)
    interfaces.unlink()  # as on a system other than Linux: nothing can be compared
    own = read_this_computer()
    assert (own.address, own.elsewhere) == (own.on_interface, False)
    assert str(own.address) == FIRST


def test_another_address_of_an_interface_counts_and_not_the_variable(
    interfaces: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLATFORM_PRIVATE_IP", FIRST)
    interfaces.write_text(line(2, "80"))
    own = read_this_computer()
    assert (str(own.address), own.interface, own.elsewhere) == (SECOND, "eth0", True)
