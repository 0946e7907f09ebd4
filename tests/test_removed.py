"""What 0.2 had says in its error what took its place."""

from __future__ import annotations

import operator
import pkgutil
from pathlib import Path

import pytest

import fdaa
from fdaa._public import REMOVED  # private: the table has what no public name shows

CHANGELOG = Path(__file__).parent.parent / "docs" / "changelog.md"
NAMES = [(room, name) for room, names in REMOVED.items() for name in names]


@pytest.mark.parametrize(("room", "name"), NAMES)
def test_a_removed_name_says_what_took_its_place(room: str, name: str) -> None:
    with pytest.raises(AttributeError) as raised:
        pkgutil.resolve_name(f"{room}:{name}")
    assert str(raised.value) == f"{room}.{name} was removed: use {REMOVED[room][name]}"


def test_an_attribute_of_an_object_says_it_too() -> None:
    address = fdaa.Address("fdaa::3")
    assert not hasattr(address.network_id, "cidr")
    with pytest.raises(AttributeError, match=r"use str\(network_id.prefix\)$"):
        operator.attrgetter("network_id.cidr")(address)


def test_a_name_that_never_was_has_python_s_own_error() -> None:
    with pytest.raises(AttributeError, match=r"^module 'fdaa.networks' has no attribute"):
        pkgutil.resolve_name("fdaa.networks:nosuch")


@pytest.mark.parametrize(("room", "name"), NAMES)
def test_the_changelog_has_it(room: str, name: str) -> None:
    attribute = name.rpartition(".")[2]
    assert attribute in CHANGELOG.read_text("utf-8"), f"{room}.{name}"
