"""Every `to_dict` of the rooms holds plain types, which JSON, YAML and TOML write as they are."""

from __future__ import annotations

import inspect
import ipaddress
from typing import TYPE_CHECKING, Any

import pytest
from sql_servers import need

import fdaa
from fdaa import (
    Address,
    NetworkID,
    NetworkName,
    columns,
    explain,
    lines,
    networks,
    platform,
    probe,
    scan,
)
from fdaa.platform import sandbox

if TYPE_CHECKING:
    from collections.abc import Iterator

ADDRESS = Address("fdaa:2:45b::3")
NAME = NetworkName("blue")
ID = NetworkID("2:45b")
ORIGIN = networks.Origin(file="apps.json", place="apps[3].network")
FACT = networks.Fact(name=NAME, network_id=ID, app="web", address=ADDRESS, origins=(ORIGIN,))
KNOWN = networks.KnownNetwork(name=NAME, network_id=ID)
NETWORK = networks.Network(
    name=NAME,
    network_id=ID,
    apps=("web",),
    machine_count=1,
    fact=FACT,
    disputed_by=(networks.Rule.NAME_HAS_TWO_IDS,),
)
ALLOCATED = networks.CrossNetworkAddress(
    app="web", address=ADDRESS, network_name=NAME, origin=ORIGIN
)
OWN_NETWORK = networks.AllocationWarning.OWN_NETWORK
FINDING = networks.Finding(networks.Reason.STALE, end="source", looked_at=("web", "api"))
ALLOCATED_FOR = networks.Finding(
    networks.Reason.ALLOCATED_FOR_SOURCE,
    app="web",
    source=KNOWN,
    serves=KNOWN,
    addresses=(ADDRESS,),
)
FROM_BOOK = networks.Finding(
    networks.Reason.KNOWN_FROM_SAVED,
    end="target",
    app="web",
    learned_on="2026-11-21T19:30:00Z",
    network=KNOWN,
)
CONDITION = networks.Finding(
    networks.Reason.ADDRESS_DISPUTED,
    end="target",
    app="web",
    addresses=(ADDRESS,),
    rules=(networks.Rule.ADDRESS_OF_TWO_APPS,),
)
WAY = networks.Finding(networks.Way.REPLAY)
IPV4 = ipaddress.IPv4Address("10.0.0.1")
TARGET = probe.Target.parse("[fdaa:2:45b::3]:80")
LOOKUP = probe.Lookup("web.internal", addresses=(ADDRESS,), ipv4=(IPV4,), seconds=0.1)
CONNECTION = probe.Connection(
    target=TARGET,
    address=ADDRESS,
    phase=lines.Phase.REFUSED,
    seconds=0.1,
    source=ADDRESS,
    error="e",
)
LOCAL = probe.LocalFact(
    probe.FactKind.INTERFACE_DOWN, origin="/sys", detail="eth0", address=ADDRESS
)
CONCLUSION = probe.Conclusion(TARGET, lookup=LOOKUP, connections=(CONNECTION,), facts=(LOCAL,))
VERDICT = networks.Verdict(
    source=ADDRESS,
    target=networks.App("web"),
    outcome=networks.Outcome.UNKNOWN,
    permitted=None,
    same_network=None,
    reasons=(FINDING,),
    ways=(WAY,),
)
TIMED_OUT = "[fdaa:2:45b::2]:40112->[fdaa:0:18::3]:5432: i/o timeout"
EXPLAINED_VERDICT = explain.explain_verdict(VERDICT)
EXPLAINED = explain.explain_conclusion(CONCLUSION, probe.ThisComputer(ADDRESS))
APP = platform.PlatformApp("web", id="app-1", network=NAME, machine_count=1, volume_count=2)
CLAIMS = {
    "iss": "https://issuer.example/acme",
    "aud": "A",
    "sub": "acme:web:m1",
    "iat": 1,
    "nbf": 1,
    "exp": 2,
    "note": {"a": [1, None, True, 1.5]},
}

RECORDS: tuple[Any, ...] = (
    ORIGIN,
    FACT,
    KNOWN,
    NETWORK,
    networks.ListedApp(
        "web", network_name="blue", origin=ORIGIN, id="app-1", machine_count=1, volume_count=2
    ),
    networks.Unused(file="apps.json", place="apps[3]", reason="it has no name"),
    networks.Contradiction(networks.Rule.NAME_HAS_TWO_IDS, facts=(FACT, FACT)),
    networks.CheckedAllocation(ALLOCATED, network=NETWORK, own_network=True, warning=OWN_NETWORK),
    networks.Holder(
        ADDRESS,
        holding=networks.Holding.STALE,
        machine_id="m1",
        state="stopped",
        app="web",
        network_name=NAME,
        looked_at=("web",),
        learned_on=None,
        origins=(ORIGIN,),
    ),
    FINDING,
    ALLOCATED_FOR,
    FROM_BOOK,
    CONDITION,
    WAY,
    networks.Verdict(
        source=NAME,
        target=ID,
        outcome=networks.Outcome.UNKNOWN,
        permitted=None,
        same_network=None,
        reasons=(FINDING, ALLOCATED_FOR, FROM_BOOK),
        ways=(WAY,),
        via=(ADDRESS,),
        unless=CONDITION,
    ),
    networks.Verdict(
        source=ADDRESS,
        target=networks.App("web"),
        outcome=networks.Outcome.SAME_NETWORK,
        permitted=True,
        same_network=True,
        reasons=(),
    ),
    probe.ThisComputer(ADDRESS, interface="eth0", platform_private_ip=ADDRESS),
    LOOKUP,
    CONNECTION,
    LOCAL,
    CONCLUSION,
    explain.explain(TIMED_OUT),
    explain.Missing((networks.DocumentKind.APP_LIST,)),
    explain.ProbeStep(ADDRESS, port=80),
    explain.ReachStep(source=ADDRESS, target=ADDRESS),
    explain.DecodeStep(ADDRESS),
    explain.Decoded(ADDRESS),
    explain.Compared((explain.Decoded(ADDRESS), explain.Decoded(ADDRESS))),
    EXPLAINED_VERDICT,
    EXPLAINED_VERDICT.reasons[0],
    EXPLAINED,
    EXPLAINED.phases[0],
    APP,
    platform.EnsuredApp(APP, created=True),
    platform.FailedCheck("aud", reason="expected 'A'", got="'B'"),
    platform.UnverifiedClaims.from_payload(CLAIMS),
    sandbox.Machine("m1", address=ADDRESS, socket="/tmp/socket"),  # noqa: S108 - a text
)
PLAIN = (str, int, float, bool, type(None))


def types_in(value: object) -> Iterator[type]:
    """Yield the type of each value in dictionaries and lists, and of each key."""
    if type(value) is dict:
        for key, below in value.items():
            yield type(key)
            yield from types_in(below)
    elif type(value) is list:
        for below in value:
            yield from types_in(below)
    else:
        yield type(value)


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: type(record).__qualname__)
def test_a_record_s_dictionary_holds_plain_types(record: Any) -> None:
    fields = record.to_dict()
    assert type(fields) is dict
    assert set(types_in(fields)) <= set(PLAIN), fields


def test_every_record_with_a_dictionary_is_in_the_table() -> None:
    tested = {base for record in RECORDS for base in type(record).__mro__}
    for room in (fdaa, scan, networks, probe, explain, columns, platform, sandbox):
        for exported in vars(room).values():
            if inspect.isclass(exported) and "to_dict" in vars(exported):
                assert exported in tested


@pytest.mark.engines
def test_yaml_writes_and_reads_each_of_them() -> None:
    need("yaml")
    import yaml

    for record in RECORDS:
        fields = record.to_dict()
        assert yaml.safe_load(yaml.safe_dump(fields)) == fields
