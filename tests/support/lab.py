"""The private networks of a platform, as network namespaces: one for each Machine, and a router.

The router isolates each /48 from the others (nftables), translates an address for cross-network
access, drops what is for an address that no Machine has, and serves `.internal` names to each
network (dnsmasq). Machines and addresses are those of docs/examples. `elsewhere` is a machine
without a private address, and `bare` one without any. What is broken on purpose is broken by port:
see `PORTS`.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import zlib
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from command import environ

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


# Machine -> its address.
MACHINES = {
    "web": "fdaa:2:45b:a7b:174:db43:d3c6:2",
    "worker": "fdaa:2:45b:a7b:7e:3155:9844:2",
    "reports": "fdaa:2:224b:a7b:2dbb:3e15:aaea:2",
    "billing": "fdaa:0:18:a7b:7d:f066:3418:2",
    "asleep": "fdaa:2:45b:a7b:aa::2",  # its interface is down
    "unplugged": "fdaa:2:45b:a7b:ab::2",  # its interface has no carrier
    "double": "fdaa:2:45b:a7b:ad::2",  # the router says that it has this address
    "busy": "fdaa:2:45b:a7b:ac::2",  # its only port for connections is in use
    "off": "fdaa:2:45b:a7b:ae::2",  # IPv6 is switched off
    "cut": "fdaa:2:45b:a7b:af::2",  # it has no route
    "unlooped": "fdaa:2:45b:a7b:b0::2",  # its loopback interface is down
    "stranded": "fdaa:2:45b:a7b:b2::2",  # its router is down
    "short": "fdaa:2:45b:a7b:b1::2",  # its hop limit is 1
}
# App -> the name of its network, as documents show it.
APPS = {
    "web": "customer-17",
    "worker": "customer-17",
    "asleep": "customer-17",
    "idle": "customer-17",
    "reports": "customer-18",
    "billing": "default",
}
GONE = "fdaa:2:45b:a7b:196:e274:9ce1:2"  # on the network of web; its Machine is gone
DEAD = "fdaa:2:45b:a7b:dead::2"  # the same, but the router still sends packets to its host
# Types of routes that web has -> an address that it is for.
ROUTES = {
    "blackhole": "fdaa:2:45b:a7b:bad::1",
    "unreachable": "fdaa:2:45b:a7b:bad::2",
    "prohibit": "fdaa:2:45b:a7b:bad::3",
}
SILENT_HOP = "fdaa:2:45b:a7b:bad::4"  # web looks for it on its own link, and no one has it
ABSENT_HOP = "fdaa:2:45b:a7b:bad::5"  # web sends packets for it to a router that is gone
UNROUTED = "fdaa:2:45b:a7b:bad::6"  # the router has no route to it, and reports that
LOOPED = "fdaa:2:45b:a7b:bad::7"  # the router and worker send packets for it to each other
FAR = "fdaa:2:45b:a7b:bad::8"  # web sends packets for it with a hop limit of 1
ONE_WAY = "fdaa:2:45b:a7b:bad::9"  # of worker, which has no route back from it
# Addresses that web sends packets to from PUBLIC, on its own network and on another.
FROM_PUBLIC = ("fdaa:2:45b:a7b:bad::a", "fdaa:2:224b:a7b:bad::b")
PUBLIC = "2001:db8::77"
REFUSING = "fdaa:2:45b:a7b:9::/112"  # worker has all of these addresses
ALLOCATED = "fdaa:2:45b:0:1::23"  # to billing, for clients on the network of web

NETWORKS = ("fdaa:2:45b::/48", "fdaa:2:224b::/48", "fdaa:0:18::/48")
RESOLVER = "fdaa::3"
NO_RESOLVER = "fdaa::4"  # no one has this address
FAILING_RESOLVER = "fdaa::5"  # see lab_resolver.py
PUBLIC_RESOLVER = "2001:db8::53"  # it has no .internal name
CLOSED_RESOLVER = "fdaa::6"  # an address of the router where no resolver listens
BLOCKED_RESOLVER = "fdaa::7"  # Machines' own firewalls drop what is for it
ROUTER = "fdaa::9"  # where the router's ICMPv6 messages come from

# Ports of each Machine.
OPEN = 3000
IPV4_ONLY = 3001
CLOSED = 3002
DROPPED = 3003
RESET = 3004
LOOPBACK_4 = 3005
LOOPBACK_6 = 3006
FULL = 3007
STOPPED = 3008
UDP = 3009
CLOSING = 3014  # closes each connection at once
RESETTING = 3015  # resets each connection at once
SMALL_MTU = 3050
PROXIED = 3060  # of DEAD: the router sends it to worker

REFUSALS = {
    "drop": "drop",
    "reject": "reject",
    "reset": "reject with tcp reset",
    "prohibit": "reject with icmpv6 type admin-prohibited",
    "address": "reject with icmpv6 type addr-unreachable",
    "no route": "reject with icmpv6 type no-route",
}
# Where a firewall is, and what it does -> a port.
PORTS = {
    ("target", "drop"): 3010,
    ("target", "reject"): 3011,
    ("target", "reset"): 3012,
    ("target", "prohibit"): 3013,
    ("source", "drop"): 3020,
    ("source", "reject"): 3021,
    ("source", "reset"): 3022,
    ("source", "prohibit"): 3023,
    ("source", "address"): 3024,
    ("source", "no route"): 3025,
    ("way", "drop"): 3030,
    ("way", "reject"): 3031,
    ("way", "reset"): 3032,
    ("way", "prohibit"): 3033,
}
# What the router does between networks, where it does not drop.
BOUNDARY = {
    3040: "reject",
    3041: "reject with tcp reset",
    3042: "reject with icmpv6 type admin-prohibited",
    3043: "reject with icmpv6 type addr-unreachable",
    3044: "reject with icmpv6 type no-route",
}
LISTENERS = {
    "::": [OPEN, DROPPED, RESET, SMALL_MTU, *PORTS.values()],
    "0.0.0.0": [IPV4_ONLY],  # noqa: S104 - that is the fault
    "127.0.0.1": [LOOPBACK_4],
    "::1": [LOOPBACK_6],
    "udp": [UDP],
    "full": [FULL],
    "closing": [CLOSING],
    "resetting": [RESETTING],
}

# Network -> the names that resolve on it.
NAMES: dict[str, dict[str, tuple[str, ...]]] = {
    "fdaa:2:45b::/48": {
        "web.internal": (MACHINES["web"],),
        "worker.internal": (MACHINES["worker"],),
        "asleep.internal": (MACHINES["asleep"],),
        "gone.internal": (GONE,),
        "dead.internal": (DEAD,),
        "legacy.internal": ("10.0.0.5",),
        "reports.example": (MACHINES["reports"],),
        "many.internal": tuple(f"fdaa:2:45b:a7b:9::{number:x}" for number in range(1, 71)),
    },
    "fdaa:2:224b::/48": {"reports.internal": (MACHINES["reports"],)},
    "fdaa:0:18::/48": {"billing.internal": (MACHINES["billing"],)},
}
EMPTY_NAME = "empty.internal"  # it has no address, on each network


def _to_its_resolver() -> str:
    """Return the rules that send what a network asks to its resolver, which has a port."""
    rules = []
    for port, network in enumerate(NETWORKS, 5300):
        asked = f"ip6 daddr {RESOLVER} ip6 saddr {network}"
        rules.append(f"{asked} udp dport 53 dnat to [{RESOLVER}]:{port}")
        rules.append(f"{asked} tcp dport 53 dnat to [{RESOLVER}]:{port}")
    rules.append(f"ip6 daddr {PUBLIC_RESOLVER} udp dport 53 dnat to [{PUBLIC_RESOLVER}]:5399")
    return "\n".join(rules)


def _refusals(place: str) -> str:
    """Return the rules of the firewall at a place."""
    rules = []
    for (where, name), port in PORTS.items():
        if where == place:
            rules.append(f"tcp dport {port} {REFUSALS[name]}")
    return "\n    ".join(rules)


_BOUNDARY_RULES = "\n    ".join(
    f"ip6 saddr {NETWORKS[0]} ip6 daddr {NETWORKS[1]} tcp dport {port} {rule}"
    for port, rule in BOUNDARY.items()
)
_ROUTER_RULES = f"""
table ip6 platform {{
  chain translate {{
    type nat hook prerouting priority dstnat
    ip6 saddr {NETWORKS[0]} ip6 daddr {ALLOCATED} dnat to {MACHINES["billing"]}
    ip6 daddr {DEAD} tcp dport {PROXIED} dnat to [{MACHINES["worker"]}]:{OPEN}
    {_to_its_resolver()}
  }}
  chain isolate {{
    type filter hook forward priority filter; policy drop
    {_refusals("way")}
    tcp dport {SMALL_MTU} meta length > 600 drop
    tcp sport {SMALL_MTU} meta length > 600 drop
    {_BOUNDARY_RULES}
    ct state established,related accept
    ct status dnat accept
    ip6 saddr {NETWORKS[0]} ip6 daddr {NETWORKS[0]} accept
    ip6 saddr {NETWORKS[1]} ip6 daddr {NETWORKS[1]} accept
    ip6 saddr {NETWORKS[2]} ip6 daddr {NETWORKS[2]} accept
  }}
}}
"""
_MACHINE_RULES = f"""
table ip6 firewall {{
  chain input {{
    type filter hook input priority filter
    tcp dport {DROPPED} drop
    tcp dport {RESET} tcp flags & (syn | ack) == ack reject with tcp reset
    {_refusals("target")}
  }}
  chain output {{
    type filter hook output priority filter
    ip6 daddr {BLOCKED_RESOLVER} drop
    {_refusals("source")}
  }}
}}
"""
_LINKS = {machine: f"m{number}" for number, machine in enumerate(MACHINES)}  # at the router
# The ways that are broken: no way, a loop, a small hop limit, no way back, another source.
_WAYS = {
    "router": f"""
        ip -6 route add {DEAD}/128 dev {_LINKS["worker"]}
        ip -6 route add unreachable {UNROUTED}
        for place in {LOOPED} {FAR} {ONE_WAY} {REFUSING}; do
            ip -6 route add $place via fe80::77 dev {_LINKS["worker"]}
        done
    """,
    "worker": f"""
        echo 1 > /proc/sys/net/ipv6/conf/all/forwarding
        ip -6 addr add fe80::77/64 dev eth0 nodad
        ip -6 addr add {ONE_WAY}/128 dev lo
        ip -6 rule add from {ONE_WAY} lookup 77
        ip -6 route add blackhole default table 77
        ip -6 route add local {REFUSING} dev lo
    """,
    "web": f"""
        ip -6 route add {SILENT_HOP} dev eth0
        ip -6 neighbour add fe80::2 lladdr 02:00:00:00:00:02 dev eth0
        ip -6 route add {ABSENT_HOP} via fe80::2 dev eth0
        ip -6 route add blackhole {ROUTES["blackhole"]}
        ip -6 route add unreachable {ROUTES["unreachable"]}
        ip -6 route add prohibit {ROUTES["prohibit"]}
        ip -6 route add {FAR} via fe80::1 dev eth0 hoplimit 1
        ip -6 addr add {PUBLIC}/128 dev lo
        ip -6 route add {FROM_PUBLIC[0]} via fe80::1 dev eth0 src {PUBLIC}
        ip -6 route add {FROM_PUBLIC[1]} via fe80::1 dev eth0 src {PUBLIC}
    """,
    "elsewhere": "ip link set lo up",
    # A route without an address to connect from.
    "bare": """
        ip link add eth0 type veth peer name other
        ip link set other addrgenmode none up
        ip link set eth0 addrgenmode none up
        ip -6 route add default dev eth0
    """,
}
# What has to be whole until everything else runs.
_BROKEN = {
    "asleep": "ip link set eth0 down",
    "off": "echo 1 > /proc/sys/net/ipv6/conf/all/disable_ipv6",
    "cut": "ip -6 route flush table main",
    "stranded": "ip -6 route replace default via fe80::3 dev eth0",
    "unlooped": "ip link set lo down",
    "short": "echo 1 > /proc/sys/net/ipv6/conf/eth0/hop_limit",
    "router": f"ip link set {_LINKS['unplugged']} down",
    "busy": f"echo {OPEN} {OPEN} > /proc/sys/net/ipv4/ip_local_port_range",
}
_SUPPORT = Path(__file__).parent
_PLACES = ("router", "elsewhere", "bare", *MACHINES)


def need_namespaces() -> None:
    """Skip, and say why, where namespaces cannot be made."""
    for program, package in (("ip", "iproute2"), ("nft", "nftables"), ("dnsmasq", "dnsmasq-base")):
        if shutil.which(program, path=_PATH) is None:
            pytest.skip(f"{program} is not installed; Debian's package `{package}` has it")
    if os.geteuid() != 0:
        pytest.skip("network namespaces need root")
    if _ip("netns", "add", f"fdaa-{os.getpid()}-try", check=False).returncode:
        pytest.skip("this machine does not allow network namespaces")
    _ip("netns", "delete", f"fdaa-{os.getpid()}-try")


_PATH = "/usr/sbin:/usr/bin:/sbin:/bin"


def _ip(*arguments: str, check: bool = True) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        ["ip", *arguments], env=environ(PATH=_PATH), capture_output=True, check=check
    )


@dataclass(frozen=True)
class Lab:
    """The namespaces of one test process, and the file that says where their resolver is."""

    directory: Path
    running: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def name(self, machine: str) -> str:
        """Return the namespace of a Machine, or of the router."""
        return f"fdaa-{os.getpid()}-{machine}"

    def run(
        self,
        machine: str,
        *command: str,
        resolver: str = RESOLVER,
        files: Mapping[str, str] | None = None,
        **variables: str,
    ) -> subprocess.CompletedProcess[str]:
        """Run a command inside a Machine, with the variable that the platform sets there.

        Without a resolver if that is empty. `files` are other texts for files of the system.
        """
        configuration = ""
        if resolver:
            configuration = f"nameserver {resolver}\n"
        script = ""
        for path, text in {"/etc/resolv.conf": configuration, **(files or {})}.items():
            file = self.directory / f"{Path(path).name}-{zlib.crc32(text.encode())}"
            file.write_text(text)
            script += f"mount --bind {file} {path} && "
        script += 'exec "$@"'
        own = {"PLATFORM_PRIVATE_IP": MACHINES.get(machine, "")}
        return subprocess.run(
            ["ip", "netns", "exec", self.name(machine), "sh", "-c", script, "sh", *command],
            env=environ(own | variables, PATH=f"{Path(sys.executable).parent}:{_PATH}"),
            capture_output=True,
            check=False,
            text=True,
            timeout=60,
        )


@contextmanager
def lab() -> Iterator[Lab]:
    """Build the networks; at the end, remove them, and end what runs in them."""
    need_namespaces()
    with tempfile.TemporaryDirectory() as directory:
        built = Lab(Path(directory))
        try:
            _build(built)
            yield built
        finally:
            _remove(built)


def _remove(built: Lab) -> None:
    for place in _PLACES:
        name = built.name(place)
        for number in _ip("netns", "pids", name, check=False).stdout.split():
            os.kill(int(number), signal.SIGKILL)
        _ip("netns", "delete", name, check=False)
    for process in built.running:
        process.communicate()


def _build(built: Lab) -> None:
    for name in _PLACES:
        _ip("netns", "add", built.name(name))
    _start_router(built)
    for machine in MACHINES:
        _connect(built, machine)
    for machine, script in _WAYS.items():
        _sh(built, machine, script)
    for machine, address in MACHINES.items():
        _listen(built, machine, "lab_listeners.py", address, json.dumps(LISTENERS))
    _listen(built, "router", "lab_resolver.py", FAILING_RESOLVER)
    stopped = _listen(built, "worker", "lab_listeners.py", "", json.dumps({"::": [STOPPED]}))
    _duplicate(built)
    for port, network in enumerate(NETWORKS, 5300):
        _start_resolver(built, "router", RESOLVER, port, NAMES[network])
    _start_resolver(built, "elsewhere", "::1", 53, {})
    _start_resolver(built, "router", PUBLIC_RESOLVER, 5399, {})
    for process in built.running:
        assert process.stdout is not None
        assert process.stdout.readline() == b"listening\n"
    stopped.send_signal(signal.SIGSTOP)
    for machine, script in _BROKEN.items():
        _sh(built, machine, script)


def _duplicate(built: Lab) -> None:
    """Let the router say that it has the address of `double`, too, and `double` find that.

    Its check is that of RFC 4862, section 5.4.
    """
    address = MACHINES["double"]
    link = _LINKS["double"]
    reply = f"""
        echo 1 > /proc/sys/net/ipv6/conf/{link}/proxy_ndp
        ip -6 neighbour add proxy {address} dev {link}
    """
    _sh(built, "router", reply)
    find = f"""
        echo 1 > /proc/sys/net/ipv6/conf/eth0/accept_dad
        ip -6 addr del {address}/128 dev eth0
        ip -6 addr add {address}/128 dev eth0
        until ip -6 addr show dev eth0 dadfailed | grep -q fdaa; do sleep 0.05; done
    """
    _sh(built, "double", find)


def _sh(built: Lab, machine: str, script: str, stdin: str = "") -> None:
    subprocess.run(
        ["ip", "netns", "exec", built.name(machine), "sh", "-ec", script],
        env=environ(PATH=_PATH),
        input=stdin.encode(),
        check=True,
    )


# Addresses can be used at once: nothing waits for duplicates (DAD). No ICMPv6 message is left out:
# by default, a few in a second to one address are (RFC 4443, section 2.4).
_NO_WAIT = """
    echo 0 > /proc/sys/net/ipv6/conf/all/accept_dad
    echo 0 > /proc/sys/net/ipv6/conf/default/accept_dad
    echo 0 > /proc/sys/net/ipv6/icmp/ratelimit
    ip link set lo up
"""


def _start_router(built: Lab) -> None:
    here = (RESOLVER, FAILING_RESOLVER, CLOSED_RESOLVER, BLOCKED_RESOLVER, PUBLIC_RESOLVER, ROUTER)
    script = f"""
        {_NO_WAIT}
        echo 1 > /proc/sys/net/ipv6/conf/all/forwarding
        ip -6 route add blackhole fdaa::/16
        for address in {" ".join(here)}; do ip -6 addr add $address/128 dev lo; done
        nft -f -
    """
    _sh(built, "router", script, _ROUTER_RULES)


def _connect(built: Lab, machine: str) -> None:
    """Join a Machine to the router by a pair of virtual devices.

    The router is and stays a reachable neighbour, as it is where packets come and go.
    """
    _sh(built, machine, _NO_WAIT)
    address = MACHINES[machine]
    link = _LINKS[machine]
    hardware = f"02:00:00:00:01:{int(link.removeprefix('m')):02x}"
    peer = ("type", "veth", "peer", "name", link, "netns", built.name("router"))
    _ip("link", "add", "eth0", "netns", built.name(machine), *peer, "address", hardware)
    at_router = f"""
        ip link set {link} up
        ip -6 addr add fe80::1/64 dev {link}
        ip -6 route add {address}/128 dev {link}
    """
    _sh(built, "router", at_router)
    script = f"""
        echo 3600000 > /proc/sys/net/ipv6/neigh/eth0/base_reachable_time_ms
        ip link set eth0 up
        ip -6 addr add {address}/128 dev eth0
        ip -6 route add default via fe80::1 dev eth0
        ip -6 neighbour replace fe80::1 lladdr {hardware} nud reachable dev eth0
        nft -f -
    """
    _sh(built, machine, script, _MACHINE_RULES)


def _listen(built: Lab, machine: str, script: str, *arguments: str) -> subprocess.Popen[bytes]:
    """Start a script that prints a line when it listens."""
    command = ["ip", "netns", "exec", built.name(machine), sys.executable, str(_SUPPORT / script)]
    process = subprocess.Popen(
        [*command, *arguments], env=environ(PATH=_PATH), stdout=subprocess.PIPE
    )
    built.running.append(process)
    return process


def _start_resolver(
    built: Lab, where: str, address: str, port: int, names: dict[str, tuple[str, ...]]
) -> None:
    """Start dnsmasq, which returns when it listens."""
    pid_file = built.directory / f"{port}.pid"
    options = ["--conf-file=/dev/null", "--no-resolv", "--no-hosts", "--bind-interfaces"]
    options += [f"--port={port}", f"--listen-address={address}", f"--pid-file={pid_file}"]
    options += ["--user=root", "--local=/internal/", "--local=/example/"]
    options += ["--log-facility=/dev/null", f"--txt-record={EMPTY_NAME},no address"]
    for name, texts in names.items():
        options += [f"--host-record={name},{text}" for text in texts]
    _ip("netns", "exec", built.name(where), "dnsmasq", *options)
