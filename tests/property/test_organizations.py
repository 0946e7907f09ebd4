"""Whole organizations, written in every shape and joined again."""

from __future__ import annotations

import json
from typing import Any

import pytest
from ends import as_end
from hypothesis import assume, given
from hypothesis import strategies as st
from organizations import fewer, parse
from random_organizations import Organization, organizations

from fdaa import Address, NetworkID
from fdaa.networks import Network, NetworkMap, Rule, check_allocations, reach


def on(made: Organization, network: str) -> list[str]:
    """Return the apps on a network."""
    return sorted(app for app, its in made.apps.items() if its == network)


def seen(made: Organization, network: str) -> int:
    """Return how many Machines are on a network, by its name."""
    return sum(made.apps[app] == network for app in made.machines.values())


def seen_with(made: Organization, network_id: NetworkID) -> int:
    """Return how many Machines are on a network, by its ID."""
    return sum(address.network_id == network_id for address in made.machines)


@fewer
@given(st.data())
def test_the_join_gives_back_the_organization(data: st.DataObject) -> None:
    made = data.draw(organizations())
    joined = NetworkMap(made.documents)
    assert joined.contradictions == ()
    assert joined.unused == ()
    named = [row for row in joined.networks if row.name is not None]
    assert {row.name for row in named} == set(made.apps.values())
    served = {address.network_id for address in made.cross_network_addresses}
    nameless = {row.network_id for row in joined.networks if row.name is None}
    assert nameless == {id_ for id_ in served if not seen_with(made, id_)}
    for row in named:
        check_network(row, made)
        assert joined.by_name(str(row.name)) is row
        assert row.network_id is None or joined.by_id(row.network_id) is row
    checked = check_allocations(joined)
    assert {
        row.allocated.address: row.allocated.app for row in checked
    } == made.cross_network_addresses


def check_network(row: Network, made: Organization) -> None:
    """Compare a row of the join, which has a name, with what was drawn."""
    name = row.name
    assert name is not None
    machines = seen(made, name)
    assert row.apps == tuple(on(made, name))
    if machines:
        assert row.machine_count == machines
        assert row.network_id == made.networks[name]
    else:
        assert row.machine_count in (None, 0)
        assert row.network_id is None


@fewer
@given(st.data())
def test_each_allocated_address_serves_the_network_that_it_was_made_for(
    data: st.DataObject,
) -> None:
    made = data.draw(organizations())
    joined = NetworkMap(made.documents)
    named = {}
    without_machines = []
    for name in made.apps.values():
        if seen(made, name):
            named[made.networks[name]] = name
        else:
            without_machines.append(name)
    for serving in check_allocations(joined):
        network_id = serving.allocated.network_id
        app = serving.allocated.app
        assert app is not None
        own = made.apps[app]
        served = named.get(network_id)
        assert serving.network.name == served
        if served is None and without_machines:
            assert serving.warning == "unknown-network"
        elif served is None:
            assert serving.warning == "no-app-on-network"
        elif served == own:
            assert serving.warning == "own-network"
        else:
            assert serving.warning is None


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


def ends(made: Organization) -> Any:
    return st.sampled_from([*made.machines, *made.apps, *made.cross_network_addresses])


@fewer
@given(st.data())
def test_the_verdict_for_two_machine_addresses_is_symmetric(data: st.DataObject) -> None:
    made = data.draw(organizations().filter(lambda made: made.machines))
    joined = data.draw(st.sampled_from([None, NetworkMap(made.documents)]))
    machines = st.sampled_from(sorted(made.machines))
    one = data.draw(machines)
    two = data.draw(machines)
    there = reach(as_end(one), as_end(two), joined)
    back = reach(as_end(two), as_end(one), joined)
    assert (there.outcome, there.reachable) == (back.outcome, back.reachable)
    if there.reachable is None:  # it may be a service of the platform
        assert 0 in (one.network_id, two.network_id)
    else:
        assert there.reachable == (one.network_id == two.network_id)


@fewer
@given(st.data())
def test_more_documents_never_turn_a_known_verdict_round(data: st.DataObject) -> None:
    made = data.draw(organizations())
    strange = data.draw(organizations())  # may contradict the first
    all_written = made.documents + strange.documents
    written = data.draw(st.permutations(all_written))
    one = data.draw(ends(made))
    two = data.draw(ends(made))
    known = None
    if isinstance(one, Address) and isinstance(two, Address):
        known = reach(as_end(one), as_end(two)).same_network
    for count in range(len(written) + 1):
        joined = NetworkMap(written[:count])
        if joined.contradictions:
            return
        answer = reach(as_end(one), as_end(two), joined)
        if count and written[count - 1].allocated:  # it may tell a way to what was out of reach
            known = None
        verdict = answer.same_network
        assert None in (known, verdict) or verdict == known
        if known is None:
            known = verdict


@fewer
@given(st.data())
def test_a_verdict_is_what_the_organization_says(data: st.DataObject) -> None:
    made = data.draw(organizations())
    joined = NetworkMap(made.documents)
    sources: list[Any] = [*made.machines, *made.apps]
    source = data.draw(st.sampled_from(sources))
    target = data.draw(ends(made))
    app = made.machines.get(source, source)
    verdict = reach(as_end(source), as_end(target), joined)
    here = made.apps[app]
    if verdict.outcome == "nothing-responds":
        silent = made.cross_network_addresses.get(target, target)
        assert silent not in made.machines.values()
        assert verdict.same_network in (None, made.apps[silent] == here)
    elif verdict.reachable is None:
        kinds = {"not-comparable", "not-in-documents", "own-network-unknown", "service-address"}
        kinds |= {"source-id-unknown", "allocated-for-source"}
        assert {reason.kind for reason in verdict.reasons} & kinds
    elif target in made.cross_network_addresses:
        own = made.apps[made.cross_network_addresses[target]]
        serves = made.networks[here] == target.network_id
        assert verdict.reachable == (serves and own != here)
        if own == here:
            assert verdict.outcome == "own-cross-network-address"
    else:
        on = made.apps[made.machines.get(target, target)]
        for_source = set()
        for address, holder in made.cross_network_addresses.items():
            if holder == target and address.network_id == made.networks[here]:
                for_source.add(address)
        assert verdict.reachable == (on == here or bool(verdict.via))
        assert for_source.issuperset(verdict.via)
