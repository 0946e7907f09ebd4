"""The tables of texts: what each row is read as, or the reason for which it is refused."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
import slow_parser
from vectors import accepted, refused, why

import fdaa
from fdaa._values.hosts import read_host  # no export: `parse_end` reads hosts with it
from fdaa._values.id_text import read_rest  # no export: only `fdaa build` reads a rest

if TYPE_CHECKING:
    from collections.abc import Callable

# A table, what reads its texts, and the error of those that it refuses.
READERS: list[tuple[str, Callable[[str], object], type[fdaa.InputError]]] = [
    ("addresses", fdaa.Address, fdaa.AddressError),
    ("addresses", fdaa.extract_network_id, fdaa.AddressError),
    ("pointers", fdaa.Address.from_reverse_pointer, fdaa.AddressError),
    ("network-ids", fdaa.NetworkID, fdaa.NetworkIDError),
    ("network-names", fdaa.NetworkName, fdaa.NetworkNameError),
    ("prefixes", fdaa.Prefix, fdaa.PrefixError),
    ("rests", read_rest, fdaa.AddressError),
]
REFUSED = []
for _table, _read, _error in READERS:
    for _row in refused(_table):
        REFUSED.append(pytest.param(_read, _error, _row, id=f"{_table}: {why(_row)}"))


@pytest.mark.parametrize(("read", "error", "row"), REFUSED)
def test_a_wrong_text_is_refused_with_its_reason_and_place(
    read: Callable[[str], object], error: type[fdaa.InputError], row: dict[str, Any]
) -> None:
    if error is fdaa.AddressError and row["reason"] == "does not start with 'fdaa'":
        error = fdaa.OutsidePrefixError
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - its type and reason are checked
        read(row["text"])
    refusal: Any = caught.value
    assert type(refusal) is error
    assert row["reason"] in refusal.reason
    assert (refusal.at, refusal.text) == (row.get("at"), row["text"])
    if refusal.at is not None:
        assert str(refusal).endswith(f" (index {refusal.at})")
    # It continues a sentence, after a colon; names are written as their documents write them.
    assert not refusal.reason[0].isupper()
    assert set(re.findall("ipv[46]", refusal.reason, re.IGNORECASE)) <= {"IPv4", "IPv6"}


@pytest.mark.parametrize("row", accepted("addresses"), ids=why)
def test_an_address_is_read_and_printed_in_one_way(row: dict[str, Any]) -> None:
    packed = bytes.fromhex(row["packed"])
    address = fdaa.Address(row["text"])
    assert address.packed == packed
    assert (str(address), str(address.network_id)) == (row["address"], row["network_id"])
    assert type(fdaa.extract_network_id(row["text"])) is int
    assert slow_parser.parse(row["text"]) == packed
    assert slow_parser.write(packed) == row["address"]


@pytest.mark.parametrize("row", accepted("pointers"), ids=why)
def test_a_reverse_pointer_is_read(row: dict[str, Any]) -> None:
    """RFC 3596, section 2.5."""
    assert str(fdaa.Address.from_reverse_pointer(row["text"])) == row["address"]


@pytest.mark.parametrize("row", accepted("network-ids"), ids=why)
def test_a_network_id_is_read(row: dict[str, Any]) -> None:
    network_id = fdaa.NetworkID(row["text"])
    assert (str(network_id), int(network_id)) == (row["network_id"], row["network_id_int"])


@pytest.mark.parametrize("row", accepted("network-names"), ids=why)
def test_a_network_name_is_taken_as_it_is(row: dict[str, Any]) -> None:
    assert fdaa.NetworkName(row["text"]) == row["text"]


@pytest.mark.parametrize("row", accepted("prefixes"), ids=why)
def test_a_prefix_of_a_network_is_read(row: dict[str, Any]) -> None:
    prefix = fdaa.Prefix(row["text"])
    assert (str(prefix), str(prefix.network_id)) == (row["prefix"], row["network_id"])


@pytest.mark.parametrize("row", accepted("rests"), ids=why)
def test_a_rest_is_read(row: dict[str, Any]) -> None:
    assert read_rest(row["text"]) == int(row["rest"], 16)


def test_a_host_has_at_most_253_characters_and_a_label_63() -> None:
    """RFC 1035, section 2.3.4."""
    longest = ".".join(("a" * 63, "b" * 63, "c" * 63, "d" * 61))
    assert len(longest) == 253
    assert read_host(longest) is not None
    assert read_host(f"{longest}d") is None
    assert read_host(f"{'a' * 64}.example") is None
