"""The private networks of a platform, as network namespaces: one for each Machine, and a router.

The router isolates each /48 from the others (nftables), translates an address for cross-network
access, drops what is for an address that no Machine has, and serves `.internal` names to each
network (dnsmasq). Machines and addresses are those of docs/examples. `elsewhere` is a machine
without a private address.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from command import environ

if TYPE_CHECKING:
    from collections.abc import Iterator

# Machine -> its address.
MACHINES = {
    "web": "fdaa:2:45b:a7b:174:db43:d3c6:2",
    "worker": "fdaa:2:45b:a7b:7e:3155:9844:2",
    "reports": "fdaa:2:224b:a7b:2dbb:3e15:aaea:2",
    "billing": "fdaa:0:18:a7b:7d:f066:3418:2",
}
GONE = "fdaa:2:45b:a7b:196:e274:9ce1:2"  # on the network of web; its Machine is gone
ALLOCATED = "fdaa:2:45b:0:1::23"  # to billing, for clients on the network of web

NETWORKS = ("fdaa:2:45b::/48", "fdaa:2:224b::/48", "fdaa:0:18::/48")
RESOLVER = "fdaa::3"
OPEN, IPV4_ONLY, CLOSED, DROPPED, RESET = 3000, 3001, 3002, 3003, 3004  # ports of each Machine

# Network -> the names that resolve on it.
NAMES = {
    "fdaa:2:45b::/48": {
        "web.internal": (MACHINES["web"],),
        "worker.internal": (MACHINES["worker"],),
        "legacy.internal": ("10.0.0.5",),
        "reports.example": (MACHINES["reports"],),
        "many.internal": tuple(f"fdaa:2:45b:a7b:9::{number:x}" for number in range(1, 71)),
    },
    "fdaa:2:224b::/48": {"reports.internal": (MACHINES["reports"],)},
    "fdaa:0:18::/48": {"billing.internal": (MACHINES["billing"],)},
}

_TO_ITS_RESOLVER = "\n".join(
    f"ip6 daddr {RESOLVER} ip6 saddr {network} {protocol} dport 53 dnat to [{RESOLVER}]:{port}"
    for port, network in enumerate(NETWORKS, 5300)
    for protocol in ("udp", "tcp")
)
_ROUTER_RULES = f"""
table ip6 platform {{
  chain translate {{
    type nat hook prerouting priority dstnat
    ip6 saddr {NETWORKS[0]} ip6 daddr {ALLOCATED} dnat to {MACHINES["billing"]}
    {_TO_ITS_RESOLVER}
  }}
  chain isolate {{
    type filter hook forward priority filter; policy drop
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
  }}
}}
"""
_LISTENERS = f"""
import socket
ports = {OPEN, DROPPED, RESET}
listeners = [socket.create_server(("::", port), family=socket.AF_INET6) for port in ports]
listeners.append(socket.create_server(("0.0.0.0", {IPV4_ONLY})))
print("listening", flush=True)
input()
"""


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

    def name(self, machine: str) -> str:
        """Return the namespace of a Machine, or of the router."""
        return f"fdaa-{os.getpid()}-{machine}"

    def inside(self, machine: str, *command: str, resolver: str = RESOLVER) -> list[str]:
        """Return a command as it runs inside a Machine."""
        file = self.directory / f"resolver-{resolver}"
        file.write_text(f"nameserver {resolver}\n")
        script = f'mount --bind {file} /etc/resolv.conf && exec "$@"'
        return ["ip", "netns", "exec", self.name(machine), "sh", "-c", script, "sh", *command]

    def run(
        self, machine: str, *command: str, resolver: str = RESOLVER, **variables: str
    ) -> subprocess.CompletedProcess[str]:
        """Run a command inside a Machine, with the variable that the platform sets there."""
        path = f"{Path(sys.executable).parent}:{_PATH}"
        own = {"PLATFORM_PRIVATE_IP": MACHINES.get(machine, "")}
        env = environ(PATH=path, **{**own, **variables})
        return subprocess.run(
            self.inside(machine, *command, resolver=resolver),
            env=env,
            capture_output=True,
            check=False,
            text=True,
            timeout=60,
        )


@contextmanager
def lab() -> Iterator[Lab]:
    """Build the networks; remove them at the end."""
    need_namespaces()
    with tempfile.TemporaryDirectory() as directory, ExitStack() as stack:
        built = Lab(Path(directory))
        for name in ("router", "elsewhere", *MACHINES):
            _ip("netns", "add", built.name(name))
            stack.callback(_ip, "netns", "delete", built.name(name), check=False)
        _start_router(built)
        for number, (machine, address) in enumerate(MACHINES.items()):
            _connect(built, machine, address, f"m{number}")
            stack.enter_context(_listeners(built, machine))
        for port, network in enumerate(NETWORKS, 5300):
            stack.enter_context(_resolver(built, "router", RESOLVER, port, NAMES[network]))
        _sh(built, "elsewhere", "ip link set lo up")
        stack.enter_context(_resolver(built, "elsewhere", "::1", 53, {}))
        yield built


def _sh(built: Lab, machine: str, script: str, stdin: str = "") -> None:
    subprocess.run(
        ["ip", "netns", "exec", built.name(machine), "sh", "-ec", script],
        env=environ(PATH=_PATH),
        input=stdin.encode(),
        check=True,
    )


# Addresses can be used at once: nothing waits for duplicates (DAD).
_NO_WAIT = "echo 0 > /proc/sys/net/ipv6/conf/all/accept_dad; "
_NO_WAIT += "echo 0 > /proc/sys/net/ipv6/conf/default/accept_dad; ip link set lo up; "


def _start_router(built: Lab) -> None:
    forward = "echo 1 > /proc/sys/net/ipv6/conf/all/forwarding; "
    here = f"ip -6 addr add {RESOLVER}/128 dev lo; ip -6 route add blackhole fdaa::/16; "
    _sh(built, "router", f"{_NO_WAIT}{forward}{here}nft -f -", _ROUTER_RULES)


def _connect(built: Lab, machine: str, address: str, link: str) -> None:
    """Join a Machine to the router by a pair of virtual devices."""
    _sh(built, machine, _NO_WAIT)
    own, router = built.name(machine), built.name("router")
    _ip("link", "add", "eth0", "netns", own, "type", "veth", "peer", link, "netns", router)
    route = f"ip -6 route add {address}/128 dev {link}"
    _sh(built, "router", f"ip link set {link} up; ip -6 addr add fe80::1/64 dev {link}; {route}")
    own_address = f"ip link set eth0 up; ip -6 addr add {address}/128 dev eth0; "
    default = "ip -6 route add default via fe80::1 dev eth0; "
    _sh(built, machine, f"{own_address}{default}nft -f -", _MACHINE_RULES)


@contextmanager
def _listeners(built: Lab, machine: str) -> Iterator[None]:
    command = ["ip", "netns", "exec", built.name(machine), sys.executable, "-c", _LISTENERS]
    with subprocess.Popen(
        command, env=environ(PATH=_PATH), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"listening\n"
        yield
        process.communicate(b"\n")


@contextmanager
def _resolver(
    built: Lab, where: str, address: str, port: int, names: dict[str, tuple[str, ...]]
) -> Iterator[None]:
    """Start dnsmasq, which returns when it listens."""
    pid_file = built.directory / f"{port}.pid"
    options = ["--conf-file=/dev/null", "--no-resolv", "--no-hosts", "--bind-interfaces"]
    options += [f"--port={port}", f"--listen-address={address}", f"--pid-file={pid_file}"]
    options += [
        "--user=root",
        "--local=/internal/",
        "--local=/example/",
        "--log-facility=/dev/null",
    ]
    options += [f"--host-record={name},{text}" for name, texts in names.items() for text in texts]
    _ip("netns", "exec", built.name(where), "dnsmasq", *options)
    try:
        yield
    finally:
        with suppress(ProcessLookupError):
            os.kill(int(pid_file.read_text()), 15)
