"""Probes on real networks: namespaces, a router that isolates them, a resolver, listeners.

Which causes are printed in which situation is in test_matrix.py.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import schemas
from lab_plan import (
    ALLOCATED,
    CLOSING,
    DEAD,
    FROM_PUBLIC,
    GONE,
    MACHINES,
    NO_RESOLVER,
    PORTS,
    PROXIED,
    PUBLIC,
    RESET,
    ROUTER,
    SILENT_HOP,
)

if TYPE_CHECKING:
    from lab import Lab

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parent.parent.parent
EXAMPLES = ROOT / "docs" / "examples"
DOCUMENTS = (
    f"--apps={EXAMPLES}/apps.json",
    f"--machines=web={EXAMPLES}/machines-web.json",
    f"--machines={EXAMPLES}/status-billing.json",
    f"--addresses=billing={EXAMPLES}/addresses-billing.json",
)


def probed(networks: Lab, machine: str, *arguments: str, **options: Any) -> tuple[int, list[Any]]:
    """Return the exit status and the steps of a probe inside a Machine."""
    command = ("fdaa", "probe", "--json", "--timeout", "1", *arguments)
    result = networks.run(machine, *command, **options)
    schemas.check("probe", result.stdout)
    return result.returncode, [json.loads(line) for line in result.stdout.splitlines()]


def steps(found: list[Any], kind: str) -> list[Any]:
    return [step for step in found if step["kind"] == kind]


def causes_of(conclusion: Any) -> list[str]:
    """Return the causes of all explanations of a conclusion."""
    causes: list[str] = []
    for explanation in conclusion["explanations"]:
        causes.extend(entry["cause"] for entry in explanation["causes"])
    return causes


WORKER = MACHINES["worker"]
BILLING = MACHINES["billing"]


@pytest.mark.parametrize(
    ("machine", "target", "evidence"),
    [
        ("web", "[fdaa::3]:53", ["open"]),  # the resolver
        ("web", f"[{ALLOCATED}]:3000", ["open"]),
        ("billing", "billing:3000", ["found", "open"]),  # itself
    ],
)
def test_an_open_port_is_found_open(
    networks: Lab, machine: str, target: str, evidence: list[str]
) -> None:
    status, found = probed(networks, machine, target)
    assert evidence_of(found) == evidence
    (conclusion,) = steps(found, "conclusion")
    assert conclusion["open"] is True
    assert causes_of(conclusion) == []
    assert status == 0


@pytest.mark.parametrize(
    ("target", "evidence", "causes"),
    [
        ("worker", ["found", "routed"], ["no-port"]),
        ("fdaa:2:45b::7:3000", ["routed"], ["no-brackets", "no-port"]),
        ("fdaa:2:45c::7:3000", ["routed"], ["no-brackets", "other-network", "no-port"]),
        (BILLING, ["routed"], ["other-network", "no-port"]),
    ],
)
def test_without_a_port_the_route_is_seen_and_no_more(
    networks: Lab, target: str, evidence: list[str], causes: list[str]
) -> None:
    status, found = probed(networks, "web", target)
    assert evidence_of(found) == evidence
    (conclusion,) = steps(found, "conclusion")
    assert conclusion["open"] is None
    assert causes_of(conclusion) == causes
    assert status == 3


def evidence_of(found: list[Any]) -> list[str]:
    """Return the evidence of lookups, then of connections."""
    seen = steps(found, "lookup") + steps(found, "connection")
    return [step["evidence"] for step in seen]


def test_network_id_0_is_compared_with_no_network(networks: Lab) -> None:
    _, found = probed(networks, "web", "[fdaa::3]:54")
    (conclusion,) = steps(found, "conclusion")
    assert {"other-network", "own-cross-network-address"}.isdisjoint(causes_of(conclusion))


UNLIKELY = ["stale-address", "machine-down", "no-route-on-the-way", "no-route-back"]


def test_with_an_open_port_other_causes_are_likelier_than_that_its_machine_is_gone(
    networks: Lab,
) -> None:
    _, found = probed(networks, "web", f"[{WORKER}]:3003", f"[{WORKER}]:3000")
    dropped, _ = steps(found, "conclusion")
    assert causes_of(dropped) == ["firewall-drops", "accept-queue-full", "lost", *UNLIKELY]


def test_a_proxy_on_the_way_does_not_exclude_that_a_machine_is_gone(networks: Lab) -> None:
    _, found = probed(networks, "web", f"[{DEAD}]:80", f"[{DEAD}]:{PROXIED}")
    silent, proxied = steps(found, "conclusion")
    assert proxied["open"] is True
    assert set(UNLIKELY).issubset(causes_of(silent))


# Where the firewall is -> the sender of its message, and the words of the cause.
REPORTERS = {
    "target": (WORKER, "in that Machine, which reports it"),
    "source": (MACHINES["web"], "in this computer, which reports it"),
    "way": (ROUTER, f"on the way, at {ROUTER}, which reports it"),
}


@pytest.mark.parametrize("place", REPORTERS)
def test_the_sender_of_a_message_shows_where_the_firewall_is(networks: Lab, place: str) -> None:
    sender, words = REPORTERS[place]
    target = f"worker:{PORTS[place, 'prohibit']}"
    _, found = probed(networks, "web", target)
    (connection,) = steps(found, "connection")
    assert connection["reported_by"] == sender
    assert connection["error"] == "administratively prohibited"
    shown = networks.run("web", "fdaa", "probe", target).stdout
    assert words in " ".join(shown.split())


def test_a_reset_is_seen_each_time(networks: Lab) -> None:
    command = ("--count", "20", "--interval", "0")
    _, found = probed(networks, "web", f"worker:{RESET}", *command)
    (conclusion,) = steps(found, "conclusion")
    assert conclusion["counts"] == {"reset": 20}


def test_two_ports_of_an_app_are_one_lookup(networks: Lab) -> None:
    _, found = probed(networks, "web", "worker:3000", "worker:3002", "worker:3000")
    assert len(steps(found, "lookup")) == 1
    assert len(steps(found, "connection")) == len(steps(found, "conclusion")) == 2


def test_at_most_64_addresses_of_a_target_are_tried(networks: Lab) -> None:
    """All that are tried refuse; those that are not tried may be open."""
    status, found = probed(networks, "web", "many:80")
    (lookup,) = steps(found, "lookup")
    assert len(lookup["addresses"]) == 70
    assert len(steps(found, "connection")) == 64
    (conclusion,) = steps(found, "conclusion")
    (explanation,) = conclusion["explanations"]  # all alike
    assert (explanation["evidence"], len(explanation["addresses"])) == ("refused", 64)
    assert (status, conclusion["open"]) == (3, None)
    shown = networks.run("web", "fdaa", "probe", "many:80").stdout
    assert "many:80: unknown whether it is open\n  64 of 70 addresses were tried.\n" in shown
    assert "  67 more: --all\n" in shown


@pytest.mark.parametrize("show_all", [False, True])
def test_each_kind_of_evidence_has_three_causes_each_of_them_once(
    networks: Lab, show_all: bool
) -> None:
    hosts = ""
    for address in (WORKER, GONE, SILENT_HOP, DEAD):
        hosts += f"{address} worker.internal\n"
    command = ["fdaa", "probe", "worker:3002", "--timeout", "1"]
    if show_all:
        command.append("--all")
    shown = networks.run("web", *command, files={"/etc/hosts": hosts}, COLUMNS="80").stdout
    assert shown.count("  Possible causes, the most likely first:\n") == 2
    assert f"  {WORKER}: refused.\n" in shown
    assert f"  {GONE} and 2 more: timed out.\n" in shown
    for kind in shown.split("Possible causes")[1:]:
        causes = re.findall(r"\n  [0-9]+\. (.*(?:\n     (?!next:).*)*)", kind)
        assert (len(causes) == 3) is not show_all
        assert len(set(causes)) == len(causes)
        assert (" more: --all\n" in kind) is not show_all


def test_a_name_with_a_dead_address_is_open_at_one_of_two(networks: Lab) -> None:
    shown = networks.run("web", "fdaa", "probe", "pair:3000", "--timeout", "1")
    assert "\npair:3000: 1 of 2 addresses is open\n" in shown.stdout
    assert f"  {GONE}: timed out.\n" in shown.stdout
    assert shown.returncode == 1
    _, found = probed(networks, "web", "pair:3000")
    (conclusion,) = steps(found, "conclusion")
    assert (conclusion["open"], conclusion["opened"]) == (False, [WORKER])


@pytest.mark.parametrize(("target", "is_ipv6_only"), [("worker:3000", True), ("both:3000", False)])
def test_a_name_without_an_ipv4_address_is_not_found_by_some_programs(
    networks: Lab, target: str, is_ipv6_only: bool
) -> None:
    hosts = f"{WORKER} both.internal\n10.0.0.5 both.internal\n"
    files = {"/etc/hosts": hosts}
    shown = networks.run("web", "fdaa", "probe", target, files=files).stdout
    row = "\n             IPv6 only: a program that asks for IPv4 finds no such name\n"
    assert (row in shown) is is_ipv6_only


@pytest.mark.parametrize("target", ["missing", "missing:80"])
def test_a_name_that_does_not_exist_is_not_found(networks: Lab, target: str) -> None:
    shown = networks.run("web", "fdaa", "probe", target)
    assert f"\n{target}: no address" in shown.stdout
    assert shown.returncode == 3


def test_self_lists_what_listens_where_no_other_machine_can_connect(networks: Lab) -> None:
    shown = networks.run("web", "fdaa", "probe", "self").stdout
    listed = " ".join(shown.split())
    assert "cannot connect: 0.0.0.0:3001, 127.0.0.1:3005, [::1]:3006; a program for" in listed
    _, found = probed(networks, "web", "self")
    (conclusion,) = steps(found, "conclusion")
    assert causes_of(conclusion) == ["ports-elsewhere", "no-port"]
    _, found = probed(networks, "web", WORKER)
    (conclusion,) = steps(found, "conclusion")
    assert causes_of(conclusion) == ["no-port"]


@pytest.mark.parametrize(
    ("port", "command"),
    [
        (3000, f"     next: curl -m 5 -v 'http://[{WORKER}]:3000/'\n"),
        (3008, "     next (in that Machine: Recv-Q grows): ss -ltn 'sport = :3008'\n"),
    ],
)
def test_curl_is_for_ports_that_speak_http(networks: Lab, port: int, command: str) -> None:
    shown = networks.run("web", "fdaa", "probe", f"worker:{port}").stdout
    assert command in shown
    assert ("curl" in shown) is (port == 3000)


def test_a_machine_that_responded_once_is_running(networks: Lab) -> None:
    """The router drops what is for the port between two connections."""
    name = networks.name("router")
    rule = f"ip6 daddr {WORKER} tcp dport 3000 drop"
    script = (
        "from fdaa.probe import conclude_rounds, probe\n"
        "from fdaa.explain import explain_conclusion\n"
        "import subprocess\n"
        "rounds = []\n"
        "for _ in range(2):\n"
        f"    own, *_, last = probe('[{WORKER}]:3000', timeout=1)\n"
        "    rounds.append(last)\n"
        f"    nft = ['ip', 'netns', 'exec', '{name}', 'nft']\n"
        f"    rule = 'insert rule ip6 platform isolate {rule}'\n"
        "    subprocess.run([*nft, rule], check=True)\n"
        "both = conclude_rounds(rounds)\n"
        "for each in (last, both):\n"
        "    [group] = explain_conclusion(each, own).explanations\n"
        "    print(each.is_open, *[cause.cause for cause in group.causes])\n"
    )
    try:
        once, both = networks.run("web", "python", "-c", script).stdout.splitlines()
    finally:
        table = "ip netns exec {0} nft -a list chain ip6 platform isolate"
        delete = (
            f"{table.format(name)} | sed -n 's/.*dport 3000 drop.*handle //p' | "
            f"xargs -n1 ip netns exec {name} nft delete rule ip6 platform isolate handle"
        )
        networks.run("router", "sh", "-c", delete)
    assert once.startswith("None ")
    assert "machine-down" in once
    assert both == "False accept-queue-full no-route-on-the-way no-route-back lost firewall-drops"


def test_a_resolver_that_does_not_respond_delays_no_other_target(networks: Lab) -> None:
    """The system's resolver waits for 10 seconds; the deadline is 1 second."""
    target = f"[{WORKER}]:3000"
    status, found = probed(networks, "web", "worker:3000", target, resolver=NO_RESOLVER)
    (lookup,) = steps(found, "lookup")
    assert lookup["phase"] == "lookup"
    silent, answering = steps(found, "conclusion")
    assert (silent["open"], answering["open"], status) == (None, True, 3)


_ROUNDS = """
import threading
from fdaa.probe import Lookup, probe
for _ in range(30):
    for step in probe("worker:3000", timeout=0.1):
        if isinstance(step, Lookup) and step.error:
            for thread in threading.enumerate():
                if thread is not threading.main_thread():
                    thread.join(30)  # its result is there, and it ends
            print(threading.active_count(), step.phase, step.seconds >= 1)
            raise SystemExit
    assert threading.active_count() <= 2, threading.enumerate()
"""


def test_a_lookup_that_hangs_is_one_thread_in_all_rounds(networks: Lab) -> None:
    """It ends after a second, in a later round, which shows how long it took."""
    options: dict[str, Any] = {"resolver": NO_RESOLVER, "RES_OPTIONS": "timeout:1 attempts:1"}
    result = networks.run("web", "python", "-c", _ROUNDS, **options)
    assert (result.stderr, result.stdout) == ("", "1 lookup True\n")


@pytest.mark.parametrize("machine", ["web", "billing"])
def test_without_the_variable_an_interface_has_the_own_address(networks: Lab, machine: str) -> None:
    _, found = probed(networks, machine, f"[{GONE}]:80", PLATFORM_PRIVATE_IP="")
    assert (found[0]["address"], found[0]["interface"]) == (MACHINES[machine], "eth0")
    assert found[0]["platform_private_ip"] is None
    (conclusion,) = steps(found, "conclusion")
    assert ("other-network" in causes_of(conclusion)) is (machine == "billing")


def test_an_address_that_no_interface_has_is_reported_first_and_not_used(networks: Lab) -> None:
    variable: dict[str, Any] = {"PLATFORM_PRIVATE_IP": MACHINES["web"]}
    shown = networks.run("billing", "fdaa", "probe", "billing:3000", **variable)
    assert shown.stderr.startswith(f"fdaa: PLATFORM_PRIVATE_IP is {MACHINES['web']}, but no interf")
    assert shown.stdout.splitlines()[0] == f"own address  {BILLING} on eth0"
    _, found = probed(networks, "elsewhere", "worker:80", resolver="::1", **variable)
    assert (found[0]["address"], found[0]["elsewhere"]) == (MACHINES["web"], True)
    (conclusion,) = steps(found, "conclusion")
    assert "outside" in causes_of(conclusion)  # nothing is sent from it


def test_self_is_the_address_of_an_interface_whatever_the_variable_says(networks: Lab) -> None:
    for claimed in ("", GONE):
        status, found = probed(networks, "web", "self:3000", PLATFORM_PRIVATE_IP=claimed)
        (connection,) = steps(found, "connection")
        assert (status, connection["address"]) == (0, MACHINES["web"])


def test_the_source_is_shown_where_it_is_not_the_own_address(networks: Lab) -> None:
    arguments = ("fdaa", "probe", f"[{FROM_PUBLIC[1]}]:80", "--timeout", "1")
    shown = networks.run("web", *arguments).stdout
    assert f"\n             from {PUBLIC}, no private network\n" in shown
    assert "has no private address" not in " ".join(shown.split())
    assert f"from {MACHINES['web']}" not in shown


def test_a_duplicate_own_address_is_shown_as_one(networks: Lab) -> None:
    shown = networks.run("double", "fdaa", "probe", f"[{WORKER}]:3000").stdout
    _, _, third, *_ = shown.splitlines()
    assert third.split()[:2] == ["a", "duplicate:"]
    assert re.search(r"\n {13}from fe80::\S+, no private network\n", shown)
    _, found = probed(networks, "double", f"[{WORKER}]:3000")
    assert (found[0]["address"], found[0]["unusable"]) == (MACHINES["double"], "duplicate")


@pytest.mark.parametrize("target", ["[fdaa:2:224b:a7b:2dbb:3e15:aaea:2]:80", "reports:80"])
def test_without_documents_nothing_is_said_of_documents(networks: Lab, target: str) -> None:
    shown = networks.run("web", "fdaa", "probe", target, "--timeout", "1").stdout
    assert "Possible causes" in shown
    assert "According to the documents" not in shown
    with_documents = ("fdaa", "probe", target, "--timeout", "1", *DOCUMENTS)
    assert "  According to the documents:\n    no: " in networks.run("web", *with_documents).stdout


def test_a_server_that_closes_at_once_is_open_and_that_is_shown(networks: Lab) -> None:
    shown = networks.run("web", "fdaa", "probe", f"[{WORKER}]:{CLOSING}").stdout
    assert "(the other end closed it immediately)" in " ".join(shown.split())


@pytest.mark.parametrize("machine", ["web", "stranded"])
def test_a_timeout_under_a_second_is_the_likeliest_cause(networks: Lab, machine: str) -> None:
    """Also where the next hop is looked for, and could not respond yet."""
    networks.run(machine, "ip", "-6", "neighbour", "flush", "nud", "failed")
    status, found = probed(networks, machine, f"[{GONE}]:80", "worker:80", "--timeout", "0")
    for conclusion in steps(found, "conclusion"):
        assert causes_of(conclusion)[0] == "short-timeout"
    assert status == 3


@pytest.mark.parametrize("target", [f"[{GONE}]:3003", "worker:3007", f"[{FROM_PUBLIC[1]}]:80"])
def test_no_address_is_split_at_60_columns(networks: Lab, target: str) -> None:
    command = ("fdaa", "probe", target, "--timeout", "1")
    result = networks.run("web", *command, COLUMNS="60")
    assert "\\\n" in result.stdout
    assert "unknown whether it is open\n" in result.stdout  # on one line
    for line in result.stdout.splitlines():
        assert len(line) <= 60, line
    joined = re.sub(r" \\\n +", " ", result.stdout)
    wide = networks.run("web", *command, COLUMNS="100").stdout
    assert len(_next(wide)) >= 4
    assert _next(joined) == _next(wide)


def _next(shown: str) -> list[str]:
    """Return the commands, without where to run them."""
    return re.findall(r"^     next(?: \([^)\n]*\))?: *(.*)$", shown, re.MULTILINE)


# A title for the terminal, a name that is not UTF-8, one that is, and separators of lines.
STRANGE_NAMES = ["\x1b]0;owned\x07", "caf\udce9", "na\u00efve", "a\x1c\x85b"]


@pytest.mark.parametrize("name", STRANGE_NAMES, ids=ascii)
def test_the_name_of_an_interface_is_escaped(networks: Lab, name: str) -> None:
    """Any process with CAP_NET_ADMIN chooses it."""
    with networks.interface("elsewhere", name, "fdaa:2:45b::77"):
        result = networks.run("elsewhere", "fdaa", "probe", "::1", PLATFORM_PRIVATE_IP="")
        _, found = probed(networks, "elsewhere", "::1", PLATFORM_PRIVATE_IP="")
    own = result.stdout.splitlines()[0]
    assert own.startswith("own address  fdaa:2:45b::77 on '")
    assert own.isascii()
    assert own.isprintable()
    assert (result.returncode, result.stderr) == (3, "")
    in_bytes = name.encode("utf-8", "surrogateescape")
    assert found[0]["interface"] == in_bytes.decode("utf-8", "backslashreplace")


@pytest.mark.parametrize(
    ("machine", "claimed", "address", "source"),
    [
        ("web", MACHINES["web"], MACHINES["web"], "PLATFORM_PRIVATE_IP"),
        (
            "web",
            GONE,
            MACHINES["web"],
            f"interface eth0; PLATFORM_PRIVATE_IP is {GONE}, which no interface has",
        ),
        (
            "web",
            "",
            MACHINES["web"],
            "interface eth0; PLATFORM_PRIVATE_IP is not set; the platform sets it inside a Machine",
        ),
        ("elsewhere", GONE, GONE, "PLATFORM_PRIVATE_IP; no interface has this address"),
    ],
)
def test_whoami_compares_the_variable_with_the_interfaces(
    networks: Lab, machine: str, claimed: str, address: str, source: str
) -> None:
    command = ("fdaa", "whoami", "--json", "--socket", "/nowhere")
    result = networks.run(machine, *command, PLATFORM_PRIVATE_IP=claimed)
    facts = json.loads(result.stdout)
    assert (facts["address"], facts["origins"]["address"]) == (address, source)


def test_documents_show_whose_an_address_is(networks: Lab) -> None:
    target = f"[{ALLOCATED}]:3000"
    status, found = probed(networks, "billing", target, *DOCUMENTS)
    (conclusion,) = steps(found, "conclusion")
    assert causes_of(conclusion)[:2] == ["own-cross-network-address", "other-network"]
    (verdict,) = steps(found, "verdict")
    assert (status, verdict["outcome"]) == (3, "own-cross-network-address")


def test_a_machine_s_address_is_not_allocated_to_an_app(networks: Lab) -> None:
    """GONE is in the Machine list of web."""
    _, found = probed(networks, "web", f"[{GONE}]:3000", *DOCUMENTS)
    (conclusion,) = steps(found, "conclusion")
    assert "own-cross-network-address" not in causes_of(conclusion)


def test_a_yes_by_documents_stands_beside_a_refusal(networks: Lab) -> None:
    shown = networks.run("web", "fdaa", "probe", "worker:3001", *DOCUMENTS).stdout
    assert "worker:3001: refused" in shown
    assert f"yes: {MACHINES['web']} can reach {WORKER}" in shown
    assert "whether anything is listening" not in shown


def test_documents_show_where_an_app_is_that_does_not_resolve(networks: Lab) -> None:
    status, found = probed(networks, "web", "reports:3000", *DOCUMENTS)
    (verdict,) = steps(found, "verdict")
    assert (status, verdict["outcome"], verdict["target"]) == (3, "different-networks", "reports")
    assert {way["kind"] for way in verdict["ways"]} >= {"public-address", "replay"}


def test_each_round_looks_names_up_again(networks: Lab) -> None:
    options = ("--count", "2", "--interval", "0")
    status, found = probed(networks, "web", "worker:3000", "worker:3001", *options)
    assert [step["round"] for step in steps(found, "lookup")] == [1, 2]
    counts = {step["target"]: step["counts"] for step in steps(found, "conclusion")}
    assert counts == {"worker:3000": {"open": 2}, "worker:3001": {"refused": 2}}
    assert status == 1
