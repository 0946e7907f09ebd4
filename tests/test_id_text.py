"""The other texts: network IDs, prefixes, the 80 bits after an ID, reverse pointers, hosts."""

from __future__ import annotations

from typing import Any

import pytest
from vectors import accepted, check_refusal, check_refused_address, refused, why

import fdaa
from fdaa._values.hosts import read_host  # no export: `parse_end` reads hosts with it
from fdaa._values.id_text import read_rest  # no export: only `fdaa build` reads a rest


@pytest.mark.parametrize("row", accepted("network-ids"), ids=why)
def test_a_network_id_is_read(row: dict[str, Any]) -> None:
    network_id = fdaa.NetworkID(row["text"])
    assert (str(network_id), int(network_id)) == (row["network_id"], row["network_id_int"])


@pytest.mark.parametrize("row", refused("network-ids"), ids=why)
def test_what_is_no_network_id_is_refused(row: dict[str, Any]) -> None:
    check_refusal(fdaa.NetworkID, fdaa.NetworkIDError, row)


@pytest.mark.parametrize("row", accepted("prefixes"), ids=why)
def test_a_prefix_of_a_network_is_read(row: dict[str, Any]) -> None:
    prefix = fdaa.Prefix(row["text"])
    assert (str(prefix), str(prefix.network_id)) == (row["prefix"], row["network_id"])


@pytest.mark.parametrize("row", refused("prefixes"), ids=why)
def test_what_is_no_prefix_of_a_network_is_refused(row: dict[str, Any]) -> None:
    check_refusal(fdaa.Prefix, fdaa.PrefixError, row)


@pytest.mark.parametrize("row", accepted("rests"), ids=why)
def test_a_rest_is_read(row: dict[str, Any]) -> None:
    assert read_rest(row["text"]) == int(row["rest"], 16)


@pytest.mark.parametrize("row", refused("rests"), ids=why)
def test_what_is_no_rest_is_refused(row: dict[str, Any]) -> None:
    check_refusal(read_rest, fdaa.AddressError, row)


@pytest.mark.parametrize("row", accepted("pointers"), ids=why)
def test_a_reverse_pointer_is_read(row: dict[str, Any]) -> None:
    """RFC 3596, section 2.5."""
    assert str(fdaa.Address.from_reverse_pointer(row["text"])) == row["address"]


@pytest.mark.parametrize("row", refused("pointers"), ids=why)
def test_what_is_no_reverse_pointer_of_a_private_address_is_refused(row: dict[str, Any]) -> None:
    check_refused_address(fdaa.Address.from_reverse_pointer, row)


def test_a_host_has_at_most_253_characters_and_a_label_63() -> None:
    """RFC 1035, section 2.3.4."""
    longest = ".".join(("a" * 63, "b" * 63, "c" * 63, "d" * 61))
    assert len(longest) == 253
    assert read_host(longest) is not None
    assert read_host(f"{longest}d") is None
    assert read_host(f"{'a' * 64}.example") is None
