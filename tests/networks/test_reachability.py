"""Verdicts: one for each way that two ends can stand to each other, with reasons and ways."""

from __future__ import annotations

from typing import Any

import pytest
from ends import as_end
from organizations import parse

from fdaa import Address, NetworkID, NetworkName, OwnAddressNotSetError
from fdaa.networks import (
    AddressPort,
    App,
    Document,
    EndError,
    Host,
    NetworkMap,
    ThisMachine,
    Way,
    reach,
)

WEB = Address("fdaa:2:45b::3")
DB = Address("fdaa:2:45b::4")
API = Address("fdaa:7::3")
API_FOR_BLUE = Address("fdaa:2:45b:0:1::2")
DB_FOR_BLUE = Address("fdaa:2:45b:0:1::9")
UNLISTED = Address("fdaa:2:45b::99")  # of no Machine in the lists


def machine(name: str, address: Address) -> list[dict[str, str]]:
    return [{"id": name, "state": "STARTED", "private_ip": str(address)}]  # in any case


def listed(**networks: Any) -> Document:
    return parse([{"Name": app, "Network": name} for app, name in networks.items()])


def allocated(app: str, *addresses: Any) -> Document:
    """Return the address list of an app."""
    return parse({"ips": [{"ip": str(address)} for address in addresses]}, app)


# web and db on blue (2:45b), api on red (7:0), lone on green (no Machine seen).
ORGANIZATION = [
    listed(web="blue", db="blue", api="red", lone="green"),
    parse(machine("148e1", WEB), "web"),
    parse(machine("148e2", DB), "db"),
    parse(machine("148e3", API), "api"),
    parse([], "lone"),
    # api for blue's clients; db for blue's, its own network: a mistake.
    allocated("api", API_FOR_BLUE, "2001:db8::7"),
    allocated("db", DB_FOR_BLUE),
]
JOINED = NetworkMap(ORGANIZATION)

SAME = "same-network"
APART = "different-networks"
CROSS = "cross-network-address"
OWN = "own-cross-network-address"
SILENT = "nothing-responds"
SAME_ID = "same-id membership-only"
FOR_OTHER = "allocated-for-source different-ids membership-only"

# Source, target -> outcome, what is permitted, and the kinds of the reasons in their order.
# tests/property/test_written_rules.py has all outcomes and reasons, for documents of any kind.
VERDICTS: list[tuple[Any, Any, str, bool | None, str]] = [
    ("web", "db", SAME, True, SAME_ID),
    ("lone", NetworkName("green"), SAME, True, "same-name membership-only"),
    # Configured access is access; the Machine's own address stays out of reach.
    ("web", "api", CROSS, True, FOR_OTHER),
    ("web", Host("api.internal"), CROSS, True, FOR_OTHER),
    ("web", API, APART, False, "different-ids"),
    ("api", API_FOR_BLUE, OWN, False, "asked-from-own-network"),
    ("lone", "api", APART, False, "different-names nothing-allocated"),
    # The reason for a no that an address list may reverse.
    ("web", "lone", SILENT, None, "no-machine different-names"),
    # It may be a cross-network address, so what is permitted is not known.
    ("web", UNLISTED, SAME, None, f"{SAME_ID} unlisted-address"),
    (UNLISTED, "web", SAME, None, f"{SAME_ID} unlisted-address"),
]


@pytest.mark.parametrize(("source", "target", "outcome", "permitted", "reasons"), VERDICTS)
def test_reach_gives_an_outcome_with_its_reasons(
    source: Any, target: Any, outcome: str, permitted: bool | None, reasons: str
) -> None:
    verdict = reach(as_end(source), as_end(target), JOINED)
    assert (verdict.outcome, verdict.permitted) == (outcome, permitted)
    assert [reason.kind for reason in verdict.reasons] == reasons.split()
    assert verdict.reachable is (outcome in (SAME, CROSS))
    assert verdict.via == (API_FOR_BLUE,) * (outcome == CROSS)


def test_without_documents_an_address_is_taken_for_a_machines() -> None:
    verdict = reach(WEB, DB)
    unlisted = ["unlisted-address", "unlisted-address"]
    assert [reason.kind for reason in verdict.reasons] == [*SAME_ID.split(), *unlisted]
    assert (verdict.reachable, verdict.permitted, verdict.same_network) == (True, None, None)
    verdict = reach(WEB, API)
    assert (verdict.reachable, verdict.permitted, verdict.same_network) == (False, None, None)
    unlisted = ["unlisted-addresses; clients-network-id"] * 2
    assert [reason.assumed for reason in verdict.reasons[1:]] == unlisted
    assert reach(App("web"), DB).reachable is None


def test_a_verdict_is_neither_true_nor_false() -> None:
    with pytest.raises(TypeError, match=r"use \.reachable"):
        bool(reach(WEB, API))


def test_the_ways_around_name_what_to_type() -> None:
    ways = reach(App("web"), API, JOINED).to_dict()["ways"]
    assert ways == [
        {
            "kind": "public-address",
            "section": "Networking rules, 2; 2.1, rule 2",
            "app": "api",
            "public": ["2001:db8::7"],
        },
        {
            "kind": "existing-cross-network-address",
            "assumed": "clients-network-id",
            "app": "api",
            "network_name": "blue",  # the network that the requests come from
            "network_id": "2:45b",
            "network_id_int": 0x2045B,
            "addresses": [str(API_FOR_BLUE)],  # allocated already
        },
        {"kind": "replay", "section": "Networking rules, 4", "app": "api"},
        {"kind": "administrator", "section": "Networking rules, 5", "app": "api"},
    ]
    # On its app's own network an address is no way around, nor is one that two apps claim.
    verdict = reach(App("web"), DB_FOR_BLUE, JOINED)
    assert [way.kind for way in verdict.ways] == ["public-address", "replay", "administrator"]
    disputed = NetworkMap([*ORGANIZATION, allocated("lone", API_FOR_BLUE)])
    assert reach(App("web"), App("api"), disputed).ways[1].kind is Way.CROSS_NETWORK_ADDRESS


def test_a_host_of_no_app_is_refused() -> None:
    with pytest.raises(EndError, match=r"only names that end in .internal"):
        reach(WEB, Host("db.example.com", port=5432), JOINED)


def test_what_rests_on_saved_networks_says_when_that_was() -> None:
    day = "2026-11-21T19:30:00Z"
    line = {"network_id": "2:45b", "app": "gone", "learned_on": day}
    saved = parse({"fdaa_networks": 1, "networks": {"blue": line}})
    known = {"network_name": "blue", "network_id": "2:45b", "network_id_int": 0x2045B}
    app, name = reach(App("gone"), NetworkID("2:45b"), NetworkMap([saved])).reasons[-2:]
    assert app.to_dict() == {
        "kind": "known-from-saved",
        "section": "2.1, rule 1",
        "end": "source",
        "app": "gone",
        **known,
        "learned_on": day,
    }
    assert (name.kind, name.end, name.learned_on) == ("name-from-saved", "target", day)
    # What a list shows as well does not come from the saved networks.
    shown = NetworkMap([*ORGANIZATION, saved])
    assert "name-from-saved" not in [reason.kind for reason in reach(WEB, DB, shown).reasons]


def test_this_machine_is_its_address_in_a_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLATFORM_PRIVATE_IP", str(WEB))
    verdict = reach(ThisMachine(port=80), ThisMachine(), JOINED)
    assert (verdict.source, verdict.target) == (AddressPort(WEB, port=80), WEB)


def test_this_machine_without_an_address_is_an_error_that_names_the_variable(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("PLATFORM_PRIVATE_IP", raising=False)
    with pytest.raises(OwnAddressNotSetError, match="PLATFORM_PRIVATE_IP"):
        reach(ThisMachine(), App("web"), JOINED)
