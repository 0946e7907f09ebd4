"""Instance lists: entries that are bad or cut off, and TXT records as tools print them."""

from __future__ import annotations

import pytest
from organizations import parse

WEB = "fdaa:2:45b:a7b:174:db43:d3c6:2"


# An entry of an instance list -> the place and what is said.
BAD_ENTRIES = [
    ("instance=m,app=web", "instances[1].ip", "missing"),
    ("instance=m,app=,ip=fdaa::3", "instances[1].app", "empty"),
    ("instance=m,web,ip=fdaa::3", "instances[1].app", "missing"),
    ("instance=m,app=web,ip=fdaa:", "instances[1].ip", "colon"),  # cut off
]


@pytest.mark.parametrize(("entry", "place", "reason"), BAD_ENTRIES)
def test_a_bad_entry_of_an_instance_list_is_left_out(entry: str, place: str, reason: str) -> None:
    good = f"instance=m,app=web,ip={WEB}"
    document = parse(f"{good};{entry};{good}".encode())
    (problem,) = document.problems
    assert (problem.place, len(document.machines)) == (place, 2)
    assert reason in problem.reason


CUT_OFF = f"instance=m,app=web,ip={WEB},region=sea;instance=n,app=api,ip=fdaa:2:224b::a"
ESCAPED = (
    rf'"instance=m,app=web,ip={WEB},region=x\059inst\097nce=n\,app=api,ip=fdaa::3" ",region=x"'
)


def test_an_entry_without_the_region_that_others_have_was_cut_off() -> None:
    document = parse(CUT_OFF.encode())
    (problem,) = document.problems
    assert (problem.place, len(document.machines)) == ("instances[1].region", 1)
    assert "cut off" in problem.reason


def test_txt_strings_have_their_escapes_undone() -> None:
    document = parse(ESCAPED.encode())
    assert document.problems == ()
    first, second = document.machines
    assert (first.id, first.app) == ("m", "web")
    assert (second.id, second.app) == ("n", "api")


def test_a_quote_that_never_ends_is_read_once() -> None:
    # A search from each would take minutes.
    document = parse(('"instance=' + '\\"' * 200_000).encode())
    assert len(document.problems) == 1
