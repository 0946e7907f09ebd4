"""Whole organizations, written in every shape and joined again."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from organizations import fewer, parse

from fdaa import NetworkID
from fdaa.networks import NetworkMap, Rule
from fdaa.strategies import organizations

ONE = "fdaa:ffff:fffd::1"
OTHER = "fdaa:ffff:fffe::1"
N_TWICE = [{"Name": "one app", "Network": "N"}, {"Name": "other app", "Network": "N"}]
N_AND_M = [{"Name": "one app", "Network": "N"}, {"Name": "other app", "Network": "M"}]
# A contradiction's rule -> the documents that plant it, each with the app it is given out for.
# APP is an app of the organization.
PLANTS: dict[Rule, list[tuple[Any, str | None]]] = {
    Rule.APP_ON_TWO_NETWORKS: [
        ({"Name": "APP", "Machines": [{"id": "m", "private_ip": ONE}]}, None),
        ([{"id": "n", "private_ip": OTHER}], "APP"),
    ],
    Rule.APP_LISTED_TWICE: [([{"Name": "APP", "Network": "N"}], None)],
    Rule.ADDRESS_OF_TWO_APPS: [
        ([{"id": "m", "private_ip": ONE}], "one app"),
        ([{"Address": ONE.upper()}], "other app"),
    ],
    Rule.ADDRESS_HELD_TWICE: [
        ([{"id": "m", "private_ip": ONE}], None),
        ([{"id": "n", "private_ip": ONE.upper()}], "one app"),
    ],
    Rule.MACHINE_OF_TWO_APPS: [
        ([{"id": "m", "private_ip": ONE}], "one app"),
        ([{"id": "m", "state": "started"}], "other app"),
    ],
    Rule.NAME_HAS_TWO_IDS: [
        (N_TWICE, None),
        ([{"id": "m", "private_ip": ONE}], "one app"),
        ([{"id": "n", "private_ip": OTHER}], "other app"),
    ],
    Rule.ID_HAS_TWO_NAMES: [
        (N_AND_M, None),
        ([{"id": "m", "private_ip": ONE}], "one app"),
        ([{"id": "n", "private_ip": ONE.replace("::1", "::2")}], "other app"),
    ],
}


@pytest.mark.parametrize("rule", list(Rule))
@fewer
@given(data=st.data())
def test_a_planted_contradiction_is_found_and_nothing_else(rule: Rule, data: st.DataObject) -> None:
    made = data.draw(organizations())
    assume(not {NetworkID("ffff:fffd"), NetworkID("ffff:fffe")} & set(made.networks.values()))
    name = data.draw(st.sampled_from(sorted(made.apps)))
    written = list(made.documents)
    for value, app in PLANTS[rule]:
        text = json.dumps(value).replace("APP", name)
        owner = app and app.replace("APP", name)
        written.append(parse(text.encode(), owner))
    joined = NetworkMap(data.draw(st.permutations(written)))
    (found,) = joined.contradictions
    assert found.rule == rule
    assert len(found.facts) >= 2
    assert len(set(found.facts)) == len(found.facts)
    assert all(fact.origins for fact in found.facts)
