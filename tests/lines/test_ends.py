"""Which ends a line has, and which of them opened the connection."""

from __future__ import annotations

import pytest

from fdaa import Address, Prefix
from fdaa.lines import CutOff, Named, read_line
from fdaa.networks import Host

OWN = Address("fdaa:2:45b:a7b:174:db43:d3c6:2")
PEER = "fdaa:0:18:a7b:7d:f066:3418:2"
OTHER = "fdaa:2:45b::3"

# A line, and the source and the target in it.
ENDS = [
    # Two ends.
    (f"read tcp [{OTHER}]:40112->[{PEER}]:5432: i/o timeout", (OTHER, PEER)),
    (f"IP6 {OTHER}.55356 > fdaa::3.53: AAAA?", (OTHER, "fdaa::3")),
    # The source is second.
    (f"connect to {PEER} port 5432 from {OTHER} port 40112 failed", (OTHER, PEER)),
    (f"{PEER} <- {OTHER}", (OTHER, PEER)),
    # The client of a proxy has another connection than the one that failed.
    (
        f"connect() failed (111: Connection refused) while connecting to upstream, "
        f'client: {OTHER}, server: shop.internal, request: "GET /", '
        f'upstream: "http://[{PEER}]:80/", '
        'host: "shop.internal"',
        ("self", PEER),
    ),
    (
        f'{{"msg":"dial tcp [{PEER}]:80: connect: connection refused","request":{{"remote_ip":'
        f'"{OTHER}","client_ip":"{OTHER}","host":"shop.internal"}}}}',
        ("self", PEER),
    ),
    # The ports, and what was sent in reply.
    (f"IP6 {PEER}.443 > {OTHER}.48512: Flags [R.]", (OTHER, PEER)),
    (f"[{PEER}]:443 > [{OTHER}]:32767", (PEER, OTHER)),
    (f"[{PEER}]:443 > [{OTHER}]:32768", (OTHER, PEER)),  # the first that Linux gives to clients
    # What is read from an end is not from a source.
    ("Timeout reading from reports.internal:6379", ("self", "reports")),
    # This Machine is the target.
    (f"Connect from [{PEER}]:40112 to [{OWN}]:443", (PEER, "self")),
    # This Machine and another end.
    (f"read tcp [{OWN}]:40112->[{PEER}]:5432: i/o timeout", ("self", PEER)),
    (f"{OWN} looked {PEER} up at [fdaa::3]:53", ("self", PEER)),
    # The port of a server is stronger than that an end is this Machine.
    (f"[{OWN}]:443 is down, checked from {PEER}", (PEER, "self")),
    # A name and an address are ends alike.
    (f"dial tcp reports.internal:8080 from {OTHER}: i/o timeout", (OTHER, "reports")),
    (f"ESTAB 0 0 worker.internal:40112 [{PEER}]:5432", ("worker", PEER)),
    # A name beside its address is one end with it.
    (f"Resolving reports.internal... {PEER}", ("self", PEER)),
    # So are a name and an address that were both dialled.
    (f'Get "http://reports.internal:80/x": dial tcp [{PEER}]:80: no route', ("self", PEER)),
    # So is a name that nothing calls the source: gRPC.
    (
        f'failed to connect to {{Addr: "[{PEER}]:50051", ServerName: "reports.internal:50051", }}. '
        f"Err: dial tcp [{PEER}]:50051: i/o timeout",
        ("self", PEER),
    ),
    # These call it the source.
    (f"worker.internal -> connect to [{PEER}]:80: i/o timeout", ("worker", PEER)),
    (
        f"dial tcp: lookup reports.internal on [fdaa::3]:53: read udp [{OTHER}]:43210->[fdaa::3]",
        (OTHER, "reports"),
    ),
    # An end that was dialled is the target, with a port or without one.
    (f"connect to worker.internal failed (local {OTHER})", (OTHER, "worker")),
    # One end.
    ("dial tcp: lookup reports.internal on [fdaa::3]:53: no such host", ("self", "reports")),
    (f"ConnectException: reports.internal/{PEER}:8080", ("self", PEER)),
    # The network of an end that is cut off, or that is a network.
    (f"read tcp [fdaa:9:9:a7b:174...]:40112->[{OTHER}]:5432: timeout", ("fdaa:9:9::/48", OTHER)),
    (f"[{OTHER}]:40112->[fdaa:9:9:a7b:174", (OTHER, "fdaa:9:9::/48")),
    (f"from fdaa:9:9::/48 to {OTHER}", ("fdaa:9:9::/48", OTHER)),
    # The client of the server that printed the line.
    (f'no pg_hba.conf entry for host "{PEER}", user "web", no encryption', (PEER, "self")),
    (f"Access denied for user 'web'@'{PEER}' (using password: YES)", (PEER, "self")),
    (f'no pg_hba.conf entry for host "{OWN}", user "web"', ("self", None)),
    (
        f'connection to server at "{PEER}", port 5432 failed: FATAL: no pg_hba.conf entry for host '
        f'"{OTHER}", user "web"',
        (OTHER, PEER),
    ),
    # Names after an escape.
    (r'{"msg":"dial\nreports.internal:80 timeout"}', ("self", "reports")),
    ("dial \x1b[31mreports.internal\x1b[0m:80", ("self", "reports")),
    ("url=http%3A%2F%2Freports.internal%2Fx y", ("self", "reports")),
    ("dial self.internal:80", ("self", "self.internal")),
]


def shown(end: Named | None) -> str | None:
    """An end as a word: an app, a network, an address, or `self` for this Machine."""
    if end is None:
        return None
    if end == OWN:
        return "self"
    if isinstance(end, Host):
        return end.app if end.app != "self" else "self.internal"
    if isinstance(end, Prefix | CutOff):
        return str(end.network_id.prefix)
    return str(end)


@pytest.mark.parametrize(("text", "ends"), ENDS)
def test_the_ends_of_a_line(text: str, ends: tuple[str, str | None]) -> None:
    line = read_line(text, OWN)
    assert (shown(line.source), shown(line.target)) == ends


# A line, its source and target, and the end that is not private.
OUTSIDE = [
    (f"connect to 10.0.0.5:80 from {OTHER}", (OTHER, None), "10.0.0.5"),
    (f"read tcp [{OTHER}]:3000->203.0.113.9:51234: reset", (None, OTHER), "203.0.113.9"),
    (f'upstream: "http://10.0.0.5:8080/", client: {OTHER}', (None, None), "10.0.0.5"),
    # The request to a proxy is another connection.
    (f'client: 203.0.113.9, upstream: "http://[{PEER}]:80/", host: "10.0.0.5"', ("self", PEER), ""),
    # Neither an address of another computer nor an end.
    (f"{PEER} from :: via fe80::1 dev eth0", ("self", PEER), ""),
    (f"From 203.0.113.9 icmp_seq=1 Time exceeded: {PEER}", ("self", PEER), ""),
]


@pytest.mark.parametrize(("text", "ends", "outside"), OUTSIDE)
def test_the_other_end_may_be_no_private_address(
    text: str, ends: tuple[str | None, str | None], outside: str
) -> None:
    line = read_line(text, OWN)
    assert (shown(line.source), shown(line.target)) == ends
    name = ""
    if line.outside is not None:
        name = line.outside.name
    assert name == outside


# A line, its source, and the ends that it tried.
TRIED = [
    (f"from {OTHER} via {PEER} to reports.internal:80", None, []),  # or from PEER
    (f"{OTHER}, {PEER}, fdaa:2:1::1", "self", [OTHER, PEER, "fdaa:2:1::1"]),
    (f"{OWN}: {OTHER} did not reach {PEER}", OTHER, [PEER]),
    ("api.internal, web.internal and worker.internal", "self", ["api", "web", "worker"]),
    (f"[{OTHER}]:40112->[{PEER}]:80 [fdaa:2:1::1]:40113->[{PEER}]:80", None, []),
    ("connection refused", None, []),
    ("dial _apps.internal:80", None, []),
]


@pytest.mark.parametrize(("text", "source", "tried"), TRIED)
def test_all_ends_without_evidence_are_targets(
    text: str, source: str | None, tried: list[str]
) -> None:
    line = read_line(text, OWN)
    assert shown(line.source) == source
    assert [shown(each.end) for each in line.targets] == tried


@pytest.mark.parametrize(
    "text",
    [
        "it's.internal to us",
        "at jdk.internal.misc.Unsafe.park (Native Method)",
        "lookup foo.internal.example.com failed",
        f"From gw.internal ({PEER}) icmp_seq=1 Destination unreachable: No route",
    ],
)
def test_a_line_without_a_target(text: str) -> None:
    assert read_line(text, OWN).target is None


def test_the_source_of_one_end_is_this_machine_if_it_is_known() -> None:
    assert read_line(f"refused by {PEER}").source is None
    alone = read_line(f"listening on [{OWN}]:22", OWN)
    assert (alone.source, alone.target, alone.port) == (None, OWN, 22)


# A line, and the port of its target.
PORTS = [
    (f"Error: connect ECONNREFUSED {PEER}:50051", 50051),
    (f"UNKNOWN: ipv6:%5B{PEER}%5D:50051: refused", 50051),
    (f"Could not connect to Redis at {OTHER}:6379: refused", 6379),
    (f"refused by {OTHER}:6379", None),
    ("{to_address,{{64938,2,1115,2683,126,12629,38980,2},3000}}", 3000),
    (f"[{PEER}]:99999", None),
    (f"dial tcp [{PEER}]:0: refused", None),
    (f"Accepted publickey for root from {PEER} port 40112 ssh2", None),
    (f"reports.internal:8080 ({PEER}) timed out", 8080),
]


@pytest.mark.parametrize(("text", "port"), PORTS)
def test_the_port_of_the_target(text: str, port: int | None) -> None:
    assert read_line(text, OWN).port == port


# A line with addresses that are cut off, and what is found.
CUT_OFF = [
    ("fdaa:2:45b:a7b:17:51234 fdaa:0:18:a7b:7d:f:5432", ["fdaa:2:45b::/48", "fdaa:0:18::/48"]),
    ("tcp 0 1 fdaa:2:45b:a7b:174:db43 x", ["fdaa:2:45b::/48"]),  # BusyBox cuts the port off, too
    ("[fdaa:2:45b::...", ["fdaa:2:45b::/48"]),
    ("[fdaa:2:45b:a7b:174:db43:d3c6:2\u2026", ["fdaa:2:45b::/48"]),
]


@pytest.mark.parametrize(("text", "networks"), CUT_OFF)
def test_an_address_that_is_cut_off_is_its_network(text: str, networks: list[str]) -> None:
    line = read_line(text)
    assert all(isinstance(found, CutOff) for found in line.found)
    assert [str(found) for found in line.found] == [f"{each} (cut off)" for each in networks]
    assert line.unread == ()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "Connecting to fdaa:0:18:a7b:7d:f066:b83b:2... complete",
            ["fdaa:0:18:a7b:7d:f066:b83b:2"],
        ),
        ("fdaa:2:45b:a7b:17:51234x fdaa:2:45b:a7b:17:5123", []),  # 24 and 22 characters
    ],
)
def test_an_address_that_is_whole_or_wrong_is_not_cut_off(text: str, found: list[str]) -> None:
    assert [str(value) for value in read_line(text).found] == found


def test_known_addresses_decide_which_group_is_a_port() -> None:
    own = Address("fdaa:7:1a::2")
    line = read_line(f"SERVER=fdaa:7:1a::2:443 unreachable from {PEER}", own)
    assert (str(line.source), line.target, line.port) == (PEER, own, 443)
    text = "from fdaa:2:45b::7:80 to fdaa:2:45b::7"
    both = (Address("fdaa:2:45b::7:80"), Address("fdaa:2:45b::7"))
    assert read_line(text, OWN, both[:1]).ends == both[1:]
    assert read_line(text, OWN, both).ends == both


def test_the_apps_of_a_line_have_their_ports() -> None:
    line = read_line("lookup reports.internal: no reports.internal:80, no api.internal")
    assert line.apps == (Host("reports.internal", port=80), Host("api.internal"))
    assert read_line("worker:3000").apps == (Host("worker", port=3000),)
    assert read_line("db.example.com:3000").apps == ()
