"""Conclusions of probes as sentences, with the next commands, from steps that are made by hand."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from fdaa import Address
from fdaa.explain import Cause, ExplainedCause, ReachStep, explain_conclusion
from fdaa.explain._cause_table import CAUSES_OF, NEEDS  # private: the rows of this test
from fdaa.explain._evidence_words import describe_step
from fdaa.lines import Circumstance, Evidence
from fdaa.networks import DocumentKind, NetworkMap, parse_document
from fdaa.probe import Check, Conclusion, Connection, Lookup, Observation, Target, ThisComputer
from fdaa.probe._conclusion import conclude  # private: from steps that no network shows

OWN = ThisComputer(Address("fdaa:2:45b::1"), interface="eth0")
TARGET = Target.parse("[fdaa:2:45b::2]:80")
ADDRESS = Address("fdaa:2:45b::2")
OPENED = Connection(
    target=TARGET, address=ADDRESS, evidence=Evidence.OPEN, seconds=1.0, source=OWN.address
)
OPEN = Conclusion(TARGET, lookup=None, connections=(OPENED,), is_open=True, observations=())


def conclusion(
    evidence: Evidence, *circumstances: Circumstance, checks: tuple[Check, ...] = ()
) -> Conclusion:
    connection = Connection(
        target=TARGET, address=ADDRESS, evidence=evidence, seconds=1.0, source=OWN.address
    )
    known = {*circumstances, *(check.found for check in checks)}
    observation = Observation(
        evidence,
        addresses=(ADDRESS,),
        circumstances=frozenset(known),
        source=OWN.address,
        checks=checks,
    )
    return Conclusion(
        TARGET, lookup=None, connections=(connection,), is_open=None, observations=(observation,)
    )


def shown(made: Conclusion, networks: NetworkMap | None = None) -> list[Cause]:
    """Return the causes of the only kind of evidence."""
    [explained] = explain_conclusion(made, OWN, networks).explanations
    return [cause.cause for cause in explained.causes]


def sentence(made: Conclusion, cause: Cause) -> ExplainedCause:
    """Return a cause of the only kind of evidence."""
    [explained] = explain_conclusion(made, OWN).explanations
    [found] = [entry for entry in explained.causes if entry.cause is cause]
    return found


# Cause -> a kind of evidence that it fits.
FITS: dict[Cause, Evidence] = {}
_OF_LINES = (Circumstance.PRINTED, Circumstance.CONNECTS_TO_ITSELF, Circumstance.NETWORKS_UNKNOWN)
_KINDS = list(Evidence)
for _evidence in _KINDS[: _KINDS.index(Evidence.ADDRESS_NOT_READ)]:
    for _cause in CAUSES_OF.get(_evidence, ()):
        if NEEDS.get(_cause) not in _OF_LINES:
            FITS.setdefault(_cause, _evidence)


_OF_NAMES = (Cause.NAME_OF_OTHER_NETWORK, Cause.NO_STARTED_MACHINE)


def needed(cause: Cause) -> list[Circumstance]:
    """Return what has to be known for a cause to fit."""
    if cause in NEEDS:
        return [NEEDS[cause]]
    return []


# What was read on this computer, the cause, and what the sentence then says.
SEEN = [
    (Circumstance.LINK_DOWN, Cause.INTERFACE_DOWN, "Interface eth0 of this computer is down."),
    (Circumstance.NO_CARRIER, Cause.INTERFACE_DOWN, "eth0 of this computer has no carrier."),
    (Circumstance.NEXT_HOP_SILENT, Cause.NEXT_HOP_SILENT, "this computer, eth0, does not respond"),
    (Circumstance.IN_HOSTS, Cause.HOSTS_LINE, "eth0 has fdaa:2:45b::2 for "),
    (Circumstance.SMALL_HOP_LIMIT, Cause.SMALL_HOP_LIMIT, "is eth0: too small for the way"),
]


@pytest.mark.parametrize(("found", "cause", "words"), SEEN)
def test_a_sentence_names_what_was_read(found: Circumstance, cause: Cause, words: str) -> None:
    check = Check(found, origin="a file", detail="eth0")
    made = conclusion(FITS[cause], *needed(cause), checks=(check,))
    assert words in sentence(made, cause).text
    [explained] = explain_conclusion(made, OWN).explanations
    assert "eth0" in explained.checked[0]


@pytest.mark.parametrize("cause", FITS)
def test_each_cause_has_a_sentence_and_a_command_or_a_step(cause: Cause) -> None:
    made = conclusion(FITS[cause], *needed(cause))
    if cause in _OF_NAMES:
        made = replace(made, target=Target.parse("web:80"))
    if cause is Cause.NO_BRACKETS:
        made = replace(made, target=Target.parse(f"{ADDRESS}:80"))
    found = sentence(made, cause)
    assert found.text.endswith("(assumed).") == (cause.assumed is not None)
    assert bool(found.next) != (found.step is not None)
    assert "{" not in found.text + found.next + found.where


def test_no_command_runs_in_a_service_of_the_platform() -> None:
    """The network ID of fdaa::3 is 0: no one can enter it."""
    address = Address("fdaa::3")
    target = Target.parse("[fdaa::3]:54")
    observation = Observation(Evidence.REFUSED, addresses=(address,), source=OWN.address)
    made = Conclusion(
        target, lookup=None, connections=(), is_open=False, observations=(observation,)
    )
    assert sentence(made, Cause.NOT_LISTENING).next == ""
    silent = Observation(Evidence.TIMED_OUT, addresses=(address,), source=OWN.address)
    made = Conclusion(target, lookup=None, connections=(), is_open=False, observations=(silent,))
    dropped = sentence(made, Cause.FIREWALL_DROPS)
    assert (dropped.next, dropped.where) == ("nft list ruleset", "in this computer")
    way = sentence(made, Cause.NO_ROUTE_ON_THE_WAY)
    assert (way.next, way.where) == ("traceroute -6 -n fdaa::3", "")
    reported = replace(observation, addresses=(ADDRESS,), reported_by=address)
    made = Conclusion(TARGET, lookup=None, connections=(), is_open=False, observations=(reported,))
    rejected = sentence(made, Cause.FIREWALL_REJECTS)
    assert rejected.text.endswith("on the way, at fdaa::3, which reports it.")
    assert rejected.next == ""


def test_what_could_not_be_read_is_said_with_its_source() -> None:
    check = Check(
        Circumstance.NOT_READ,
        origin="rtnetlink RTM_GETROUTE",
        detail="darwin does not have rtnetlink",
    )
    made = conclusion(Evidence.TIMED_OUT, checks=(check,))
    [explained] = explain_conclusion(made, OWN).explanations
    assert explained.checked == (
        "rtnetlink RTM_GETROUTE not read (darwin does not have rtnetlink)",
    )


def documents(*addresses: str) -> NetworkMap:
    """Return the map of an app list with `web` alone, of its Machines, and its address list."""
    rows = [{"id": f"m{number}", "private_ip": text} for number, text in enumerate(addresses)]
    apps = [{"Name": "web", "Network": "blue"}]
    return NetworkMap(
        [
            parse_document(json.dumps(apps), file="apps.json"),
            parse_document(json.dumps(rows), file="web.json", app="web"),
            parse_document('{"ips": []}', file="ips.json", app="web"),
        ]
    )


GIVEN = Circumstance.GIVEN_ADDRESS


def test_an_address_that_a_machine_has_is_not_stale() -> None:
    made = conclusion(Evidence.TIMED_OUT, GIVEN)
    assert shown(made, documents("fdaa:2:45b::1"))[0] is Cause.STALE_ADDRESS
    held = shown(made, documents("fdaa:2:45b::1", "fdaa:2:45b::2"))
    assert held[0] is Cause.FIREWALL_DROPS
    assert Cause.STALE_ADDRESS not in held


def test_what_was_read_here_comes_before_what_documents_say() -> None:
    check = Check(Circumstance.NO_CARRIER, origin="rtnetlink RTM_GETLINK", detail="eth0")
    made = conclusion(Evidence.TIMED_OUT, GIVEN, checks=(check,))
    found = shown(made, documents("fdaa:2:45b::1"))
    assert found[:2] == [Cause.INTERFACE_DOWN, Cause.STALE_ADDRESS]


def test_a_command_names_its_documents_as_data_until_they_have_answered() -> None:
    made = conclusion(Evidence.TIMED_OUT, Circumstance.IDS_DIFFER, GIVEN)
    other = sentence(made, Cause.OTHER_NETWORK)
    assert other.step == ReachStep(source=None, target=ADDRESS)
    assert other.needs == (DocumentKind.APP_LIST,)
    assert other.to_dict()["needs"] == ["app-list"]
    assert "needs" not in sentence(made, Cause.FIREWALL_DROPS).to_dict()
    [explained] = explain_conclusion(made, OWN, documents("fdaa:2:45b::1")).explanations
    [answered] = [entry for entry in explained.causes if entry.cause is Cause.OTHER_NETWORK]
    assert (answered.step, answered.needs) == (None, ())


def test_groups_of_addresses_of_one_kind_have_each_cause_once() -> None:
    other = Address("fdaa:2:45b::3")
    silent = Check(Circumstance.TARGET_SILENT, origin="rtnetlink RTM_GETNEIGH")
    observations = []
    for address, checks in ((ADDRESS, ()), (other, (silent,))):
        known = {GIVEN, *(check.found for check in checks)}
        kind = Evidence.TIMED_OUT
        observations.append(
            Observation(kind, addresses=(address,), circumstances=frozenset(known), checks=checks)
        )
    made = Conclusion(
        TARGET, lookup=None, connections=(), is_open=None, observations=tuple(observations)
    )
    [explained] = explain_conclusion(made, OWN).explanations
    assert explained.addresses == (ADDRESS, other)
    causes = [cause.cause for cause in explained.causes]
    assert causes[:2] == [Cause.STALE_ADDRESS, Cause.MACHINE_DOWN]  # the first of each group
    assert len(causes) == len(set(causes))


# The evidence of each address, and what is concluded: open, and the answer.
ADDRESSES = [
    ((Evidence.OPEN, Evidence.OPEN), True, "port open (TCP handshake only; no data was sent)"),
    ((Evidence.OPEN, Evidence.TIMED_OUT), False, "1 of 2 addresses is open"),
    ((Evidence.OPEN, Evidence.REFUSED, Evidence.OPEN), False, "2 of 3 addresses are open"),
    ((Evidence.OPEN, Evidence.NO_ROUTE), None, "1 of 2 addresses is open"),
    ((Evidence.REFUSED, Evidence.REFUSED), False, "no connection"),
    ((Evidence.REFUSED, Evidence.TIMED_OUT), None, "unknown whether it is open"),
]


@pytest.mark.parametrize(("evidence", "is_open", "answer"), ADDRESSES)
def test_the_answer_says_at_how_many_addresses_a_port_is_open(
    evidence: tuple[Evidence, ...], is_open: bool | None, answer: str
) -> None:
    target = Target.parse("web:80")
    addresses = [Address.build(0x2045B, number) for number in range(len(evidence))]
    lookup = Lookup("web.internal", evidence=Evidence.FOUND, addresses=tuple(addresses))
    made = []
    for kind, address in zip(evidence, addresses, strict=True):
        made.append(
            Connection(
                target=target, address=address, evidence=kind, seconds=1.0, source=OWN.address
            )
        )
    concluded = conclude(target, OWN, [lookup], made, dict.fromkeys(made, ()))
    assert concluded.is_open is is_open
    assert explain_conclusion(concluded, OWN).summary == f"web:80: {answer}"


def test_a_stopped_machine_is_the_first_cause() -> None:
    rows = [{"id": "m1", "private_ip": str(ADDRESS), "state": "stopped"}]
    networks = NetworkMap([parse_document(json.dumps(rows), file="web.json", app="web")])
    found = shown(conclusion(Evidence.TIMED_OUT, GIVEN), networks)
    assert found[:2] == [Cause.MACHINE_DOWN, Cause.FIREWALL_DROPS]


# --- a step in a line -----------------------------------------------------------------------------

OF_LOOKUPS = list(Evidence)[:7]


@pytest.mark.parametrize("evidence", _KINDS[: _KINDS.index(Evidence.ADDRESS_NOT_READ)])
def test_each_evidence_is_a_line(evidence: Evidence) -> None:
    step: Lookup | Connection
    if evidence in OF_LOOKUPS:
        step = Lookup(
            "web.internal",
            evidence=evidence,
            addresses=(ADDRESS,),
            ipv4=(),
            seconds=0.0012,
            error="bad\x1b",
        )
        assert str(describe_step(step)).startswith("lookup web.internal: ")
    else:
        step = Connection(
            target=TARGET, address=ADDRESS, evidence=evidence, seconds=0.0012, error="bad"
        )
        assert " sent to [fdaa:2:45b::2]:80: " in str(describe_step(step))
    assert "{" not in str(describe_step(step))


def test_a_line_has_what_came_back_and_after_how_long() -> None:
    found = Lookup(
        "web.internal", evidence=Evidence.FOUND, addresses=(ADDRESS,), ipv4=(), seconds=0.0012
    )
    assert str(describe_step(found)) == "lookup web.internal: 1 IPv6 address after 1.2 ms"
    late = Connection(target=TARGET, address=ADDRESS, evidence=Evidence.TIMED_OUT, seconds=4.0)
    assert str(describe_step(late)) == "SYN sent to [fdaa:2:45b::2]:80: no response after 4.0 s"
    no_port = Connection(
        target=Target.parse("fdaa:2:45b::2"), address=ADDRESS, evidence=Evidence.ROUTED, seconds=0.0
    )
    assert str(describe_step(no_port)) == "not sent to fdaa:2:45b::2: no port; there is a route"


def test_a_conclusion_is_printed_as_its_summary_and_its_causes() -> None:
    made = conclusion(Evidence.REFUSED)
    summary, *causes = str(explain_conclusion(made, OWN)).splitlines()
    assert summary == "[fdaa:2:45b::2]:80: unknown whether it is open"
    assert [line[:5] for line in causes] == ["  1. ", "  2. ", "  3. ", "  4. "]
    assert str(explain_conclusion(OPEN, OWN)).startswith("[fdaa:2:45b::2]:80: port open (TCP")


def test_equal_network_ids_exclude_another_network_though_no_document_has_the_address() -> None:
    made = conclusion(Evidence.TIMED_OUT, Circumstance.NETWORKS_UNKNOWN)
    documents = [parse_document('[{"id": "m", "private_ip": "fdaa:2:45b::1"}]', file="m.json")]
    assert Cause.SOURCE_ON_OTHER_NETWORK not in shown(made, NetworkMap(documents))


@pytest.mark.parametrize("evidence", CAUSES_OF)
def test_each_cause_of_a_probe_has_its_words_with_documents_too(evidence: Evidence) -> None:
    """Some causes of the table are of lines; the words for their sentences are there."""
    apps = '{"apps": [{"name": "web", "network": "blue"}]}'
    networks = NetworkMap([parse_document(apps, file="apps.json")])
    for target in (OWN, ThisComputer(Address("fdaa:9::1"), interface="eth0"), ThisComputer()):
        [explained] = explain_conclusion(conclusion(evidence), target, networks).explanations
        for cause in explained.causes:
            assert "{" not in cause.text
