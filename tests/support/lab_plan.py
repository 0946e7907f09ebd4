"""The Machines, addresses, ports and names of lab.py."""

from __future__ import annotations

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
        "pair.internal": (MACHINES["worker"], GONE),
        "legacy.internal": ("10.0.0.5",),
        "reports.example": (MACHINES["reports"],),
        "many.internal": tuple(f"fdaa:2:45b:a7b:9::{number:x}" for number in range(1, 71)),
    },
    "fdaa:2:224b::/48": {"reports.internal": (MACHINES["reports"],)},
    "fdaa:0:18::/48": {"billing.internal": (MACHINES["billing"],)},
}
EMPTY_NAME = "empty.internal"  # it has no address, on each network
