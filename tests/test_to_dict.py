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
ORIGIN = networks.Origin("apps.json", "apps[3].network")
FACT = networks.Fact(NAME, ID, "web", ADDRESS, (ORIGIN,))
KNOWN = networks.KnownNetwork(NAME, ID)
NETWORK = networks.Network(NAME, ID, ("web",), 1, FACT, (networks.Rule.NAME_HAS_TWO_IDS,))
ALLOCATED = networks.AllocatedAddress("web", ADDRESS, NAME, ORIGIN)
OWN_NETWORK = networks.AllocationWarning.OWN_NETWORK
FINDING = networks.Finding(
    networks.Reason.STALE,
    end="source",
    app="web",
    source=KNOWN,
    target=KNOWN,
    serves=KNOWN,
    network=KNOWN,
    addresses=(ADDRESS,),
    looked_at=("web", "api"),
    rules=(networks.Rule.NAME_HAS_TWO_IDS,),
    learned_on="2026-11-21T19:30:00Z",
)
WAY = networks.Finding(networks.Way.REPLAY)
IPV4 = ipaddress.IPv4Address("10.0.0.1")
TARGET = probe.Target.parse("[fdaa:2:45b::3]:80")
LOOKUP = probe.Lookup("web.internal", lines.Evidence.FOUND, (ADDRESS,), (IPV4,), 0.1)
CONNECTION = probe.Connection(TARGET, ADDRESS, lines.Evidence.OPEN, 0.1, ADDRESS, ADDRESS, "e")
CHECK = probe.Check(lines.Circumstance.LINK_UP, "rtnetlink RTM_GETLINK", "eth0")
OBSERVATION = probe.Observation(
    lines.Evidence.REFUSED, (ADDRESS,), frozenset(), ADDRESS, ADDRESS, checks=(CHECK,)
)
CONCLUSION = probe.Conclusion(TARGET, LOOKUP, (CONNECTION,), True, (OBSERVATION,))
VERDICT = networks.Verdict(
    ADDRESS, networks.App("web"), networks.Outcome.UNKNOWN, None, None, (FINDING,), (WAY,)
)
TIMED_OUT = "[fdaa:2:45b::2]:40112->[fdaa:0:18::3]:5432: i/o timeout"
EXPLAINED_VERDICT = explain.explain_verdict(VERDICT)
EXPLAINED = explain.explain_conclusion(CONCLUSION, probe.OwnAddress(ADDRESS))
APP = platform.App("web", id="app-1", network=NAME, machine_count=1, volume_count=2)
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
    networks.ListedApp("web", "blue", ORIGIN, "app-1", 1, 2),
    networks.Unused("apps.json", "apps[3]", "it has no name"),
    networks.Contradiction(networks.Rule.NAME_HAS_TWO_IDS, (FACT, FACT)),
    networks.CheckedAllocation(ALLOCATED, NETWORK, own_network=True, warning=OWN_NETWORK),
    networks.Entry(NAME, ID, "web", ADDRESS, "apps.json"),
    networks.Holder(
        ADDRESS, networks.Holding.STALE, "m1", "stopped", "web", NAME, ("web",), None, (ORIGIN,)
    ),
    FINDING,
    WAY,
    networks.Verdict(
        NAME, ID, networks.Outcome.UNKNOWN, None, None, (FINDING,), (WAY,), (ADDRESS,), FINDING
    ),
    networks.Verdict(ADDRESS, networks.App("web"), networks.Outcome.SAME_NETWORK, True, True, ()),
    probe.ThisComputer(ADDRESS, "eth0", ADDRESS),
    LOOKUP,
    CONNECTION,
    OBSERVATION,
    CHECK,
    CONCLUSION,
    explain.explain(TIMED_OUT),
    explain.SETTINGS[0],
    explain.Missing(explain.MissingKind.APPS),
    explain.VerifyStep(),
    explain.SameStep(ADDRESS),
    explain.ProbeStep(ADDRESS, 80),
    explain.ReachStep(ADDRESS, ADDRESS),
    explain.WhoisStep(ADDRESS),
    EXPLAINED_VERDICT,
    EXPLAINED_VERDICT.reasons[0],
    EXPLAINED,
    EXPLAINED.explanations[0],
    EXPLAINED.not_tested[0],
    *explain.Cause,
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
