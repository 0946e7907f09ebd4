"""Which network am I on, and are these on the same one (specification, section 2.3)."""

from __future__ import annotations

import pytest

import fdaa

GROUPS_OF_TEXTS = (
    # texts, are they on one network?, why
    (("fdaa::1:2", "fdaa:0:0:1::"), True, "ID 0, swallowed by '::'"),
    (("fdaa:102:45b::", "fdaa:2:45b::"), False, "the first byte of the ID differs"),
    (("fdaa::3", "fdaa:0:3::"), False, "texts that a cut at the colons confuses"),
    (("fdaa::1", "fdaa::2", "fdaa:1::3"), False, "the third differs"),
    (("fdaa::1", "fdaa:1::2", "fdaa::3"), False, "the second differs"),
)


@pytest.mark.parametrize(("texts", "same", "why"), GROUPS_OF_TEXTS)
def test_addresses_are_on_one_network_when_their_ids_agree(
    texts: tuple[str, ...], same: bool, why: str
) -> None:
    addresses = [fdaa.Address(text) for text in texts]
    assert fdaa.same_network(*texts) is same, why
    assert fdaa.same_network(*addresses) is same
    assert fdaa.same_network(addresses[0], *texts[1:]) is same


def test_prefixes_are_compared_too() -> None:
    prefix = fdaa.Prefix("fdaa:2:45b:a7b::/64")
    assert fdaa.same_network("fdaa:2:45b::1", prefix, fdaa.Prefix("fdaa:2:45b::/48"))
    assert not fdaa.same_network(prefix, "fdaa:2:45c::1")


@pytest.mark.parametrize("text", ["10.0.0.1", "2001:db8::1", "web.internal", "", "fdaa::\0"])
def test_a_filter_needs_no_try(text: str) -> None:
    assert fdaa.extract_network_id(text, None) is None
    assert fdaa.extract_network_id(text, -1) == -1


@pytest.mark.parametrize(
    ("texts", "named"),
    [
        (("fdaa::1", "fdaa:1::1", "[fdaa::1]"), "[fdaa::1]"),  # after one that differs
        (("fdaa::1", "x", "y"), "x"),
    ],
)
def test_every_text_is_checked_and_the_first_wrong_one_is_named(
    texts: tuple[str, ...], named: str
) -> None:
    with pytest.raises(fdaa.AddressError) as caught:
        fdaa.same_network(*texts)
    assert caught.value.text == named


# --- the address of this Machine (specification, section 2.3, rule 5) -----------------------------

TEXT = "fdaa:2:45b:a7b:174:db43:d3c6:2"


def test_the_own_address_is_read_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLATFORM_PRIVATE_IP", TEXT)
    assert fdaa.own_address() == fdaa.Address(TEXT)
    monkeypatch.delenv("PLATFORM_PRIVATE_IP")
    with pytest.raises(fdaa.OwnAddressNotSetError, match="PLATFORM_PRIVATE_IP is not set"):
        fdaa.own_address()
    # No text was wrong, so this is no ValueError.
    assert not issubclass(fdaa.OwnAddressNotSetError, ValueError)
    with pytest.raises(fdaa.OwnAddressNotSetError):
        fdaa.own_address({"PLATFORM_PRIVATE_IP": ""})


@pytest.mark.parametrize(("text", "at"), [(" ", 0), (f"{TEXT}\n", len(TEXT)), ("::1", 0)])
def test_a_variable_that_holds_no_private_address_is_refused(text: str, at: int) -> None:
    with pytest.raises(fdaa.AddressError) as caught:
        fdaa.own_address({"PLATFORM_PRIVATE_IP": text})
    assert (caught.value.text, caught.value.at) == (text, at)
    assert caught.value.reason.endswith("; it is the value of PLATFORM_PRIVATE_IP")
