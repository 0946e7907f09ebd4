"""Conclusions of probes as sentences, from steps that are made by hand."""

from __future__ import annotations

from dataclasses import replace
from ipaddress import IPv4Address

import pytest

from fdaa import Address
from fdaa.explain import explain_conclusion, explain_verdict
from fdaa.lines import Phase
from fdaa.networks import App, NetworkMap, parse_document, reach
from fdaa.probe import (
    Conclusion,
    Connection,
    FactKind,
    LocalFact,
    Lookup,
    Target,
    ThisComputer,
    conclude_rounds,
)

OWN = ThisComputer(Address("fdaa:2:45b::1"), interface="eth0")
ADDRESS = Address("fdaa:2:45b::2")
OTHER = Address("fdaa:0:18::3")


def made(
    phase: Phase | None, address: Address = ADDRESS, facts: tuple[LocalFact, ...] = ()
) -> Conclusion:
    target = Target.parse(f"[{address}]:80" if phase is not None else str(address))
    connection = Connection(
        target=target, address=address, phase=phase, seconds=1.0, source=OWN.address
    )
    return Conclusion(target, connections=(connection,), facts=facts)


def unfound(**lookup: object) -> Conclusion:
    target = Target.parse("web:80")
    found = Lookup("web.internal", **lookup)  # type: ignore[arg-type]
    return Conclusion(target, lookups=(found,))


def shown(conclusion: Conclusion, networks: NetworkMap | None = None) -> str:
    return str(explain_conclusion(conclusion, OWN, networks))


@pytest.mark.parametrize("phase", [phase for phase in Phase if phase is not Phase.LOOKUP])
def test_of_each_phase_at_most_four_checks_are_shown(phase: Phase) -> None:
    explained = explain_conclusion(made(phase), OWN)
    assert "{" not in str(explained)
    assert all(len(each.checks) <= 4 for each in explained.phases)


@pytest.mark.parametrize("kind", FactKind)
def test_a_fact_is_stated_before_the_checks(kind: FactKind) -> None:
    fact = LocalFact(kind, detail="eth0", address=ADDRESS)
    text = shown(made(Phase.SILENT, facts=(fact,)))
    first = text.splitlines()[1]
    assert not first.startswith(("  Check", "   "))
    assert "{" not in text


@pytest.mark.parametrize(
    ("fact", "answered"),
    [
        (FactKind.NOT_LISTENING, "must listen"),
        (FactKind.LISTENS_ELSEWHERE, "firewall"),
        (FactKind.INTERFACE_DOWN, "may be gone"),
        (FactKind.LISTENS_HERE, "must listen"),
    ],
)
def test_what_a_fact_answers_is_not_to_be_checked(fact: FactKind, answered: str) -> None:
    assert answered in shown(made(Phase.REFUSED))
    known = LocalFact(fact, detail="lo", address=ADDRESS)
    assert answered not in shown(made(Phase.REFUSED, facts=(known,))).replace("ll of it may be", "")


def test_networks_apart_are_a_no_with_documents_and_without() -> None:
    for phase in (Phase.SILENT, Phase.UNREACHABLE):
        text = shown(made(phase, OTHER))
        assert f"\n  no: {OWN.address} cannot reach {OTHER} privately" in text
        assert "may be gone" not in text
    assert "no: " not in shown(made(Phase.SILENT))


def test_an_open_port_on_another_network_is_no_no() -> None:
    text = shown(made(Phase.CONNECTED, OTHER))
    assert "no: " not in text
    assert "The networks differ, so some cross-network route exists." in text
    assert f"ping -M do -s 1300 {OTHER}" in text


def test_a_misspelled_app_has_the_suggestion_of_reach() -> None:
    apps = parse_document('{"apps": [{"name": "webb", "network": "blue"}]}', file="apps.json")
    networks = NetworkMap([apps])
    text = shown(unfound(error="Name or service not known"), networks)
    assert "did you mean webb?" in text
    assert OWN.address is not None
    reached = explain_verdict(reach(OWN.address, App("web"), networks), networks)
    assert [str(reason) for reason in reached.reasons if str(reason) in text]


def test_a_target_is_not_open_if_one_of_its_addresses_is_not() -> None:
    conclusion = made(Phase.CONNECTED)
    (silent,) = made(Phase.SILENT, Address("fdaa:2:45b::3")).connections
    both = replace(conclusion, connections=(*conclusion.connections, silent))
    assert (both.is_open, both.opened) == (False, (ADDRESS,))
    assert shown(both).startswith("[fdaa:2:45b::2]:80: 1 open, 1 no response\n")
    assert "\n  no response (1): fdaa:2:45b::3\n" in shown(both)


def test_a_report_of_this_computer_is_no_response() -> None:
    """Nothing came back from the network, so it is not known whether the port is open."""
    conclusion = made(Phase.UNREACHABLE)
    (connection,) = conclusion.connections
    for sender, is_open in ((OWN.address, None), (ADDRESS, False), (None, False)):
        reported = replace(connection, reported_by=sender)
        assert replace(conclusion, connections=(reported,)).is_open is is_open


def test_a_name_that_is_not_found_in_each_round_is_not_open_each_time() -> None:
    found = Lookup("web.internal", addresses=(ADDRESS,))
    failed = unfound(error="Temporary failure in name resolution")
    opened = replace(made(Phase.CONNECTED), target=failed.target, lookups=(found,))
    for rounds in ([opened, failed], [failed, opened]):
        both = conclude_rounds(rounds)
        assert (both.is_open, both.counts) == (None, {Phase.CONNECTED: 1, Phase.LOOKUP: 1})
        assert "The resolver is not the platform's" in shown(both)
    assert conclude_rounds([opened, opened]).is_open is True
    assert conclude_rounds([failed, failed]).counts == {Phase.LOOKUP: 2}


def test_a_fact_about_an_address_says_nothing_of_a_lookup_in_another_round() -> None:
    failed = unfound(error="Temporary failure in name resolution")
    fact = LocalFact(FactKind.HOPS_EXCEEDED, detail="a router", address=ADDRESS)
    looped = replace(made(Phase.UNREACHABLE, facts=(fact,)), target=failed.target)
    of_lookup, of_address = explain_conclusion(conclude_rounds([failed, looped]), OWN).phases
    assert (of_lookup.facts, len(of_address.facts)) == ((), 1)
    assert of_lookup.checks


def test_a_name_without_ipv4_is_not_found_by_some_programs() -> None:
    opened = made(Phase.CONNECTED)
    found = Lookup("web.internal", addresses=(ADDRESS,))
    both = replace(found, ipv4=(IPv4Address("10.0.0.5"),))
    words = "a program that asks for IPv4 finds none"
    assert words in shown(replace(opened, lookups=(found,)))
    assert words not in shown(replace(opened, lookups=(both,)))
    assert words not in shown(opened)
