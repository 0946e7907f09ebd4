"""docs/examples/causes.json: what each kind of evidence means, its causes, and their conditions."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from places import DOCS

from fdaa.explain import Cause
from fdaa.explain._cause_table import CAUSES_OF, FIRST_WITH, LAST_WITH, NEEDS, RULED_OUT_BY
from fdaa.lines import Evidence

if TYPE_CHECKING:
    from pathlib import Path

PAGE = DOCS / "examples" / "causes.json"

# What each kind of evidence means, by what happened before it.
EVIDENCE = {
    "A lookup of a name": {
        "not-found": "it reports no such name",
        "no-address": "it reports that the name has no address",
        "ipv4-only": "it returned IPv4 addresses only",
        "resolver-failed": "the resolver failed immediately",
        "resolver-timed-out": "the resolver did not respond in time",
        "lookup-not-tried": "there is no thread, memory or file for it",
    },
    "A packet was sent to an address": {
        "reset": "a reset came after a complete handshake",
        "refused": "a TCP reset came; outside Linux, perhaps an ICMPv6 message",
        "port-unreachable": "ICMPv6 'port unreachable' came",
        "prohibited": "ICMPv6 says that the connection is prohibited",
        "no-route-reported": "ICMPv6 'no route to destination' or 'reject route' came",
        "address-unreachable": "ICMPv6 'address unreachable' came",
        "unreachable": "another ICMPv6 message came",
        "hop-limit-exceeded": "ICMPv6 'hop limit exceeded' came",
        "timed-out": "no response came within the timeout",
    },
    "Nothing was sent": {
        "no-route": "this system has no route",
        "no-source-address": "there is no address to connect from",
        "no-free-port": "there is no free port to connect from",
        "not-permitted": "this system forbids it",
        "not-tried": "another error",
        "routed": "there is a route, but no port was given",
    },
    "A line, before a connection was open": {
        "no-ipv4-address": "the lookup of an IPv4 address found none",
        "address-not-read": "an address, a URL or a port could not be read",
        "no-name-looked-up": "a text that is no name was looked up",
        "name-not-shown": "a lookup of a name that is not shown found no address",
        "family-not-supported": "this version of IP is not supported",
        "permission-denied": "the source, or a firewall, does not permit the connection",
        "not-connected": "no connection, without a reason",
        "no-upstream": "a proxy tried no app, as each had failed before",
        "bad-gateway": "a proxy responded, and got no valid response from its app",
        "gateway-timeout": "a proxy responded, and got no response from its app in time",
        "service-unavailable": "a proxy, or the app, responded that it is unavailable",
        "gave-up": "several tries failed, without a reason",
        "no-response": "no response came in time; the connection may have been open",
        "pool-exhausted": "no connection of the pool became free in time",
        "cluster-down": "the Redis cluster does not serve the key",
        "node-not-connected": "an Erlang node did not connect to another",
        "node-refused": "an Erlang node refused another",
        "node-not-started": "Erlang's distribution did not start",
        "token-audience": "the token is for another audience",
        "token-expired": "the token has expired",
        "token-refused": "the token was refused",
        "file-limit": "the program may open no other file or socket",
        "address-in-use": "the program could not listen: the port is in use",
        "queue-full": "the queue of connections to accept is full",
        "listens-elsewhere": "the program listens on loopback or IPv4 only",
        "listen-address": "the program could not listen on this address",
    },
    "A line; the connection was open, so no network, name or firewall is the cause": {
        "no-reply": "no reply came in time",
        "established": "the connection is open",
        "closed": "the other end, or a proxy, closed it",
        "tls-failed": "the two ends did not agree on TLS",
        "certificate-refused": "a certificate was not accepted",
        "access-denied": "the server does not allow the client",
        "credentials-refused": "the user or the password is wrong",
        "too-many-connections": "the server has too many connections",
        "server-not-ready": "the server starts, recovers or stops",
        "query-timed-out": "a query or a lock took too long",
    },
}

# When each condition of a cause is true.
CONDITIONS = {
    "ids-differ": "both network IDs are known and differ, and neither is 0",
    "no-private-address": "no interface has a private address to connect from",
    "own-address-not-used": "an interface has a private address, but the system connects from "
    "another address, or from none",
    "given-address": "the target is a private address",
    "found-address": "the private address was found by a lookup",
    "not-private": "an .internal name has an address that is not private; or another name except "
    "localhost has an address that is neither private nor public",
    "internal-name": "the target is an app, or another .internal name",
    "port-without-brackets": "the last group of the address may be a port",
    "short-wait": "it took less than half a second",
    "this-computer": "this computer itself has the address",
    "open-on-another-port": "another target of the round is open at this address",
    "reported-by-target": "the ICMPv6 message came from the target",
    "reported-here": "the ICMPv6 message came from this computer",
    "reported-on-the-way": "the ICMPv6 message came from elsewhere",
    "open-at-another-address": "another address of the same name is open in the same round",
    "open-in-another-round": "in another round, this port and address were open; for a lookup, an "
    "address of the name",
    "printed": "another program printed a line",
    "no-name": "the line has a name, and no .internal name",
    "unnamed": "the line has no name",
    "networks-unknown": "the network of an end is not known",
    "asks-both-families": "the program looks up IPv6 and IPv4, as Go and libpq do",
    "asks-ipv6": "the lookup that failed was of an IPv6 address (AAAA)",
    "reads-address": "a private address is the target of a program that could read it",
    "connects-to-itself": "the program connects to its own computer",
    "is-proxy": "the program is a proxy, such as nginx",
    "target-is-service": "the target has network ID 0",
    "target-outside": "the target is an IP address outside fdaa::/16",
    "in-brackets": "an address in brackets was looked up",
    "a-url": "a URL was looked up",
    "percent-escapes": "an address with percent escapes was looked up",
    "no-tls-at-one-end": "the words say that one end does not speak TLS",
    "not-about-tls": "the words are not about TLS",
    "closed-at-once": "the other end closed a new connection and had sent nothing",
    "protected-mode": "the words are those of Redis in protected mode",
    "names-differ": "the words say that the certificate is for other names",
    "link-up": "the interface on the way (without a route: each) is up with a carrier",
    "link-down": "the interface on the way (without a route: each) is down",
    "no-carrier": "the interface on the way (without a route: each) has no carrier",
    "next-hop-responds": "the next hop is REACHABLE in neighbour discovery",
    "next-hop-silent": "the next hop is FAILED, or INCOMPLETE after half a second",
    "next-hop-unknown": "the next hop has another state",
    "target-responds": "the address itself is on the link, and REACHABLE",
    "target-silent": "the address itself is on the link, and FAILED, or INCOMPLETE after half a "
    "second",
    "target-unknown": "the address itself is on the link, and has another state",
    "large-hop-limit": "packets start with 64 hops or more",
    "small-hop-limit": "packets start with fewer than 64 hops",
    "ipv6-on": "disable_ipv6 is 0",
    "ipv6-off": "disable_ipv6 is 1 for each interface",
    "loopback-up": "this computer has the address, and loopback is up",
    "loopback-down": "this computer has the address, and loopback is down",
    "listens-here": "a program here listens on the port at this address",
    "listens-elsewhere": "programs here listen on the port at other addresses only",
    "listens-for-udp": "programs here listen on the port for UDP only",
    "not-listening": "no program here listens on the port",
    "in-hosts": "/etc/hosts has the name with this address, or with an IPv4 address",
    "asks-resolver": "nsswitch.conf and resolv.conf let a lookup ask a resolver for IPv6",
    "asks-no-resolver": "nsswitch.conf and resolv.conf do not let a lookup ask a resolver for IPv6",
    "no-resolver": "resolv.conf has no name server",
    "resolver-unrouted": "there is no route to any name server",
    "resolver-private": "all name servers have private addresses",
    "resolver-here": "all name servers are on this computer",
    "resolver-public": "neither resolver-private nor resolver-here",
    "not-read": "something could not be read",
    "accept-queue-full": "this computer has the address, and more connections wait than the "
    "program's queue has room for",
    "accept-queue-has-room": "this computer has the address, and no more connections wait than the "
    "program's queue has room for",
    "ports-elsewhere": "no port was given, this computer has the address, and programs listen on "
    "ports at its other addresses only",
}


def pages() -> dict[Path, str]:
    """Return the file."""
    evidence = {}
    for happened, kinds in EVIDENCE.items():
        for kind, meaning in kinds.items():
            causes_of_kind = CAUSES_OF[Evidence(kind)]
            evidence[kind] = {"meaning": f"{happened}: {meaning}", "causes": causes_of_kind}
    causes = {}
    for cause in Cause:
        fields: dict[str, object] = dict(cause.to_dict())
        del fields["cause"]
        if cause in NEEDS:
            fields["needs"] = NEEDS[cause]
        for key, table in (
            ("not_with", RULED_OUT_BY),
            ("first_with", FIRST_WITH),
            ("last_with", LAST_WITH),
        ):
            if cause in table:
                fields[key] = list(table[cause])
        causes[cause] = fields
    content = {"evidence": evidence, "causes": causes, "conditions": CONDITIONS}
    return {PAGE: json.dumps(content, indent=1) + "\n"}
