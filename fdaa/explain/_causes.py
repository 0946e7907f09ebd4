"""The sentence for each cause, the command that confirms or excludes it, and words for checks.

`{...}` is filled in by `_conclusion_words`. A sentence has no full stop: `(assumed)` may follow it.
"""

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from enum import Enum, auto
from typing import NamedTuple

from fdaa.explain._cause_kinds import Cause
from fdaa.explain._steps import NextStep
from fdaa.lines import Circumstance
from fdaa.networks import DocumentKind


class RunsAt(Enum):
    """The computer on which a command has to run."""

    HERE = auto()
    TARGET = auto()
    FIREWALL = auto()  # where the firewall is


class CauseText(NamedTuple):
    """The text for a cause.

    Args:
        sentence: the cause.
        command: the command of another program that shows whether it is the one; "" where one of
            ours does, or where there is none.
        runs_at: where to run it.
        remark: what else is said of that place.
        needs: the documents that our command needs.
    """

    sentence: str
    command: str = ""
    runs_at: RunsAt = RunsAt.HERE
    remark: str = ""
    needs: tuple[DocumentKind, ...] = ()


_DIG = "dig AAAA {host}"
_RESOLVER = "cat /etc/resolv.conf"
_LISTENERS = "ss -ltnp 'sport = :{port}'"
_NETWORKS = (DocumentKind.APP_LIST,)
_MACHINES = (DocumentKind.MACHINE_LIST,)
_ROUTE = "ip -6 route get {address}"
_ADDRESSES = "ip -6 address show"
_QUEUE = "ss -ltn 'sport = :{port}'"
_RULES = "nft list ruleset"

CAUSE_TEXT = {
    Cause.OTHER_NETWORK: CauseText(
        "{address} is on {network}, this computer on {own_network}; apps on different networks "
        "cannot communicate unless that is configured",
        needs=_NETWORKS,
    ),
    Cause.OWN_CROSS_NETWORK_ADDRESS: CauseText(
        "{address} is allocated to an app on this computer's own network, for clients on another; "
        "from here, only the addresses of its Machines work",
        needs=(DocumentKind.APP_LIST, DocumentKind.ADDRESS_LIST),
    ),
    Cause.OUTSIDE: CauseText(
        "This computer has no private address to connect from: run this in a Machine, or through "
        "a tunnel",
        _ADDRESSES,
    ),
    Cause.NAME_OF_OTHER_NETWORK: CauseText(
        "App {app} is on another network; .internal names resolve on their own network only",
        needs=_NETWORKS,
    ),
    Cause.NO_STARTED_MACHINE: CauseText(
        "App {app} has no started Machine; its name has no address without one",
        needs=_MACHINES,
    ),
    Cause.NO_SUCH_NAME: CauseText("{host} does not exist: it is misspelled, or was removed", _DIG),
    Cause.OTHER_RESOLVER: CauseText(
        "This computer does not use the platform's resolver, which has the .internal names",
        _RESOLVER,
    ),
    Cause.OTHER_RECORDS: CauseText(
        "{host} has DNS records, but none with an address", "dig ANY {host}"
    ),
    Cause.NO_IPV6_RECORD: CauseText(
        "{host} has IPv4 addresses only ({ipv4}), in DNS or in /etc/hosts; private addresses are "
        "IPv6 (AAAA)",
        _DIG,
    ),
    Cause.IPV6_LOOKUP_FAILED: CauseText(
        "The resolver failed for IPv6 (AAAA), but not for IPv4 (A)", _DIG
    ),
    Cause.LOOKUP_CONFIGURATION: CauseText(
        "This computer is configured to use no resolver (hosts in nsswitch.conf), or to look up "
        "no IPv6 addresses (option no-aaaa in resolv.conf)",
        "cat /etc/nsswitch.conf /etc/resolv.conf",
    ),
    Cause.WRONG_ADDRESS: CauseText(
        "{host} has a wrong address, in DNS or in /etc/hosts: {address} is not private (fdaa::/16)",
        "getent ahostsv6 {host}",
    ),
    Cause.HOSTS_LINE: CauseText(
        "{detail} has {address} for {host}; the line may be stale", "grep -n {host} /etc/hosts"
    ),
    Cause.RESOLVER_ERROR: CauseText(
        "The resolver responds with an error, such as SERVFAIL, REFUSED or FORMERR", _DIG
    ),
    Cause.RESOLVER_UNREACHABLE: CauseText(
        "No resolver is configured, there is no route to it, or nothing listens at its address",
        _RESOLVER,
    ),
    Cause.RESOLVER_FIREWALL: CauseText(
        "A firewall rejects the packets to the resolver, or one in this computer drops them",
        _RULES,
    ),
    Cause.RESOLVER_SILENT: CauseText(
        "The resolver does not respond in time: it is down or slow, its address is wrong, or a "
        "firewall drops the packets",
        _DIG,
    ),
    Cause.LISTENS_ELSEWHERE: CauseText(
        "The app listens on 0.0.0.0, 127.0.0.1 or ::1 only; it must listen on [::] or on its "
        "private address",
        _LISTENERS,
        RunsAt.TARGET,
    ),
    Cause.NOT_LISTENING: CauseText(
        "Nothing listens on port {port}: the app has not started, has crashed, or uses another "
        "port",
        "ss -ltnp",
        RunsAt.TARGET,
    ),
    Cause.UDP_ONLY: CauseText(
        "The service on port {port} uses UDP; a probe tries TCP",
        "ss -lunp 'sport = :{port}'",
        RunsAt.TARGET,
    ),
    Cause.RESET_BY_PROGRAM: CauseText(
        "The program that listens, or a proxy before it, closed the connection immediately",
        _LISTENERS,
        RunsAt.TARGET,
    ),
    Cause.ACCEPT_QUEUE_FULL: CauseText(
        "The program that listens is overloaded, hung or stopped, and its accept queue is full",
        _QUEUE,
        RunsAt.TARGET,
        ": Recv-Q is above Send-Q",
    ),
    Cause.STALE_ADDRESS: CauseText(
        "No Machine has {address} any longer: a deploy replaces Machines and their addresses",
        needs=_MACHINES,
    ),
    Cause.STALE_NAME: CauseText(
        "{host} still has the address of a Machine that is gone",
        needs=_MACHINES,
    ),
    Cause.MACHINE_DOWN: CauseText(
        "The Machine is not running, or its interface is down",
        _ADDRESSES,
        RunsAt.TARGET,
        ", if it runs",
    ),
    Cause.FIREWALL_REJECTS: CauseText(
        "A firewall rejects the connection: {firewall}", _RULES, RunsAt.FIREWALL
    ),
    Cause.FIREWALL_DROPS: CauseText(
        "A firewall drops the packets, or rejects them and its message is lost: {firewall}",
        _RULES,
        RunsAt.FIREWALL,
    ),
    Cause.NO_ROUTE_ON_THE_WAY: CauseText(
        "A router on the way{at} has no route to {address}, or forbids it",
        "traceroute -6 -n {address}",
    ),
    Cause.NO_ROUTE_BACK: CauseText(
        "The Machine, or a router on the way back, has no route to {source}",
        "ip -6 route get {source}",
        RunsAt.TARGET,
    ),
    Cause.NEXT_HOP_SILENT: CauseText(
        "The next hop from this computer does not respond", "ip -6 neighbour show"
    ),
    Cause.ROUTING_LOOP: CauseText(
        "Routers on the way send the packets in a circle; perhaps no one has the address",
        "traceroute -6 -n {address}",
    ),
    Cause.SMALL_HOP_LIMIT: CauseText(
        "The hop limit of this computer, or of its route, is too small for the way",
        "ip -6 route get {address}; sysctl net.ipv6.conf.all.hop_limit",
    ),
    Cause.SHORT_TIMEOUT: CauseText("The timeout is too short for a response"),
    Cause.LOST: CauseText("Packets are lost on the way, or the response takes longer"),
    Cause.OTHER_SOURCE: CauseText(
        "This computer does not connect from its private address: that address is tentative or a "
        "duplicate, or a route sets another one",
        "ip -6 address show; ip -6 route show",
    ),
    Cause.NO_ROUTE_HERE: CauseText(
        "This computer has no route to {address}, or one that discards packets", _ROUTE
    ),
    Cause.INTERFACE_DOWN: CauseText(
        "An interface of this computer is down, or has no carrier", "ip link show"
    ),
    Cause.IPV6_OFF: CauseText(
        "IPv6 is switched off on this computer", "sysctl -a -r 'ipv6.*disable_ipv6'"
    ),
    Cause.NO_IPV6_HERE: CauseText(
        "No interface of this computer has a suitable IPv6 address", _ADDRESSES
    ),
    Cause.LOOPBACK_DOWN: CauseText(
        "The loopback interface of this computer is down; connections to its own addresses need it",
        "ip link set lo up",
    ),
    Cause.FORBIDDEN_HERE: CauseText(
        "A route of type prohibit, an IPsec policy or another rule of this computer forbids the "
        "connection",
        f"{_ROUTE}; ip xfrm policy show",
    ),
    Cause.PORTS_EXHAUSTED: CauseText(
        "All local ports for new connections are in use on this computer",
        "ss -s; sysctl net.ipv4.ip_local_port_range",
    ),
    Cause.LIMIT: CauseText(
        "This computer is at a limit of files, processes or memory", "ulimit -a"
    ),
    Cause.NO_BRACKETS: CauseText(
        "{target} was read as an address without a port; a port requires brackets"
    ),
    Cause.NO_PORT: CauseText("No port was given, so no connection was tried"),
    Cause.HUNG: CauseText(
        "The program that listens is stopped, hung or slow: the system accepts connections for it",
        _QUEUE,
        RunsAt.TARGET,
        ": Recv-Q grows",
    ),
    Cause.PROXY: CauseText(
        "A proxy on the way completed the handshake, not that Machine",
        "traceroute -6 -n -T -p {port} {address}",
    ),
    Cause.TLS: CauseText(
        "The app expects TLS, or its certificate is not accepted",
        "openssl s_client -connect '{place}'",
    ),
    Cause.SMALL_MTU: CauseText(
        "Large packets are lost on the way, and so are the ICMPv6 messages about them (MTU)",
        "ping -c 3 -M do -s 1452 {address}",
    ),
    # What another program printed; no command of this computer confirms these.
    Cause.SOURCE_ON_OTHER_NETWORK: CauseText(
        "The source may be on another network than {the_address}; apps on different networks "
        "cannot communicate unless that is configured",
    ),
    Cause.ASKS_IPV4_ONLY: CauseText(
        "The program asks for IPv4 only, and private addresses are IPv6 (AAAA)", _DIG
    ),
    Cause.REFUSED_BY_HOST: CauseText(
        "The Machine that had {the_address} is gone (a deploy replaces Machines), and its host "
        "refuses connections",
    ),
    Cause.LOOPBACK_FOR_HOST: CauseText(
        "The program connects to its own computer (localhost): the setting for the host is "
        "missing, or not read",
    ),
    Cause.PORTS_IN_USE: CauseText(
        "All ports of the source for connections to this target are in use: connections are opened "
        "too often and not used again (ss -s)",
    ),
    Cause.SUPERFLUOUS_BRACKETS: CauseText(
        "The program reads the brackets as a part of the name: give it the address without them, "
        "or a name",
    ),
    Cause.SPECIAL_CHARACTER: CauseText(
        "A character in the user, password or path of the URL needs a percent escape: @ is %40, "
        "/ is %2F, : is %3A, % is %25",
    ),
    Cause.MISSING_PART: CauseText(
        "A part is missing or in the wrong place: an empty variable, a port in the setting for the "
        "host, a name where an address is expected",
    ),
    Cause.URL_FOR_NAME: CauseText(
        "The setting expects the name of a host and contains a URL: leave out the scheme and the "
        "path",
    ),
    Cause.ESCAPED_ADDRESS: CauseText(
        "The address has percent escapes (%3A for a colon), which this program does not decode",
    ),
    Cause.SLOW_APP: CauseText("The app at the other end is slow, overloaded or hung"),
    Cause.SHORT_READ_TIMEOUT: CauseText(
        "The read timeout of the client is shorter than the work takes"
    ),
    Cause.IDLE_CLOSED: CauseText(
        "The other end, or a proxy before it, closes idle connections, and the client used one "
        "again: its keep-alive or pool lifetime must be shorter",
    ),
    Cause.PROXY_WITHOUT_APP: CauseText(
        "A proxy opened the connection, and its app does not listen where the proxy connects: it "
        "listens on 127.0.0.1 only, or on another port",
    ),
    Cause.ONE_END_WITHOUT_TLS: CauseText(
        "One end speaks TLS on this port and the other does not: compare the scheme (https, "
        "rediss, sslmode) with what the server expects",
    ),
    Cause.CERTIFICATE: CauseText(
        "The certificate is self-signed, expired, or from an authority that the client does not "
        "trust",
    ),
    Cause.CERTIFICATE_NAME: CauseText(
        "The certificate is not for the name or the address that the client connected to: connect "
        "by a name that it has, or add this one to it",
    ),
    Cause.ACCESS_RULES: CauseText(
        "The server has no rule for this client: add its /48 ({network_of_client}) to pg_hba.conf "
        "(PostgreSQL), or its address to the host of the user (MySQL)",
    ),
    Cause.CREDENTIALS: CauseText("The user or the password is wrong, or was not sent"),
    Cause.CONNECTION_LIMIT: CauseText(
        "All connections that the server allows are in use: use a pool, a smaller one for each "
        "process, or a higher limit",
    ),
    Cause.NOT_READY: CauseText(
        "The server is starting, recovering or stopping: its log shows why, and the client must "
        "try again"
    ),
    Cause.POOL_TOO_SMALL: CauseText(
        "All connections of the client's own pool are in use: it is too small, or connections are "
        "not returned",
    ),
    Cause.SLOW_QUERY: CauseText("A query takes longer than the limit for it"),
    Cause.LOCK_HELD: CauseText("Another transaction holds a lock, and was left open"),
    Cause.SLOTS_NOT_SERVED: CauseText(
        "Slots have no node: the cluster was not created yet, or a master failed that has no "
        "replica (redis-cli cluster info)",
    ),
    Cause.NODES_APART: CauseText(
        "The nodes cannot connect to each other: each also listens on a second port, by default "
        "its own plus 10000, and announces its address",
    ),
    Cause.IPV4_DISTRIBUTION: CauseText(
        "Erlang's distribution uses IPv4 unless both ends are configured for IPv6; private "
        "addresses are IPv6",
    ),
    Cause.COOKIE: CauseText("The nodes have different cookies"),
    Cause.NODE_NAME: CauseText(
        "No node has this name, or one node has a short name and the other a long name"
    ),
    Cause.EPMD: CauseText("epmd does not run yet, or listens on the other IP version"),
    Cause.AUDIENCE: CauseText(
        "The token's aud is not exactly the audience that the other end expects"
    ),
    Cause.ISSUER: CauseText("The other end does not trust the issuer (iss) of the token"),
    Cause.EXPIRED: CauseText(
        "The token was stored, and has expired: request a new one for each use"
    ),
    Cause.PORT_IN_USE: CauseText(
        "Another program listens on this port, or this program listens twice: on [::] and on "
        "0.0.0.0",
        "ss -ltnp 'sport = :{port}'",
    ),
    Cause.NOT_OWN_ADDRESS: CauseText(
        "The program is configured to listen on an address that this computer does not have: "
        "listen on [::], or on the address in PLATFORM_PRIVATE_IP",
        _ADDRESSES,
    ),
    Cause.PORTS_ELSEWHERE: CauseText(
        "Programs of this computer listen where other Machines cannot connect: {detail}; a program "
        "for other Machines must listen on [::] or on its private address",
        "ss -ltnp",
    ),
}

# Ports on which apps speak HTTP: those that IANA has for it, and what frameworks listen on where
# no port is set.
HTTP_PORTS = frozenset((80, 591, 3000, 4000, 5000, 8000, 8008, 8080, 8081, 8787, 8888, 9090))
HTTPS_PORTS = frozenset((443, 8443))

# A cause, and what was read on this computer -> the sentence that says so.
SEEN_TEXT = {
    (Cause.INTERFACE_DOWN, Circumstance.LINK_DOWN): "Interface {detail} of this computer is down",
    (Cause.INTERFACE_DOWN, Circumstance.NO_CARRIER): (
        "Interface {detail} of this computer has no carrier"
    ),
    (Cause.NEXT_HOP_SILENT, Circumstance.NEXT_HOP_SILENT): (
        "The next hop from this computer, {detail}, does not respond"
    ),
    (Cause.MACHINE_DOWN, Circumstance.TARGET_SILENT): (
        "{address} is on this link and does not respond there: the Machine is not running, or its "
        "interface is down"
    ),
    (Cause.SMALL_HOP_LIMIT, Circumstance.SMALL_HOP_LIMIT): (
        "The hop limit of this computer, or of its route, is {detail}: too small for the way"
    ),
    (Cause.LISTENS_ELSEWHERE, Circumstance.LISTENS_ELSEWHERE): (
        "The app listens on {detail} only; it must listen on [::] or on its private address"
    ),
    (Cause.RESOLVER_UNREACHABLE, Circumstance.NO_RESOLVER): "No resolver is configured",
    (Cause.RESOLVER_UNREACHABLE, Circumstance.RESOLVER_UNROUTED): (
        "This computer has no route to the resolver {detail}"
    ),
    (Cause.LOOKUP_CONFIGURATION, Circumstance.ASKS_NO_RESOLVER): (
        "This computer asks no resolver for IPv6 addresses: {detail}"
    ),
    (Cause.WRONG_ADDRESS, Circumstance.IN_HOSTS): (
        "{host} has a wrong address, in {detail}: {address} is not private (fdaa::/16)"
    ),
    (Cause.NO_IPV6_RECORD, Circumstance.IN_HOSTS): (
        "{host} has IPv4 addresses only ({ipv4}), in {detail}; private addresses are IPv6 (AAAA)"
    ),
    (Cause.HOSTS_LINE, Circumstance.IN_HOSTS): CAUSE_TEXT[Cause.HOSTS_LINE].sentence,
    (Cause.LOOPBACK_DOWN, Circumstance.LOOPBACK_DOWN): CAUSE_TEXT[Cause.LOOPBACK_DOWN].sentence,
    (Cause.ACCEPT_QUEUE_FULL, Circumstance.ACCEPT_QUEUE_FULL): (
        "The program that listens is overloaded, hung or stopped: its accept queue is full "
        "({detail})"
    ),
    (Cause.PORTS_ELSEWHERE, Circumstance.PORTS_ELSEWHERE): (
        CAUSE_TEXT[Cause.PORTS_ELSEWHERE].sentence
    ),
}

# What was read on this computer, in a few words.
CHECK_TEXT = {
    Circumstance.LINK_UP: "interface {detail} up",
    Circumstance.LINK_DOWN: "interface {detail} down",
    Circumstance.NO_CARRIER: "interface {detail} without a carrier",
    Circumstance.NEXT_HOP_RESPONDS: "next hop {detail} reachable",
    Circumstance.NEXT_HOP_SILENT: "next hop {detail} does not respond",
    Circumstance.NEXT_HOP_UNKNOWN: "next hop {detail} not confirmed",
    Circumstance.TARGET_RESPONDS: "responds to neighbour discovery",
    Circumstance.TARGET_SILENT: "no response to neighbour discovery",
    Circumstance.TARGET_UNKNOWN: "on the link",
    Circumstance.LARGE_HOP_LIMIT: "hop limit {detail}",
    Circumstance.SMALL_HOP_LIMIT: "hop limit {detail}",
    Circumstance.IPV6_ON: "IPv6 on",
    Circumstance.IPV6_OFF: "IPv6 off",
    Circumstance.LOOPBACK_UP: "loopback up",
    Circumstance.LOOPBACK_DOWN: "loopback down",
    Circumstance.LISTENS_HERE: "a program listens on this port",
    Circumstance.LISTENS_ELSEWHERE: "a program listens on {detail}",
    Circumstance.LISTENS_FOR_UDP: "a program listens for UDP only",
    Circumstance.NOT_LISTENING: "no program listens on this port",
    Circumstance.IN_HOSTS: "address from {detail}",
    Circumstance.ASKS_RESOLVER: "lookups ask a resolver",
    Circumstance.ASKS_NO_RESOLVER: "lookups limited by {detail}",
    Circumstance.NO_RESOLVER: "no resolver configured",
    Circumstance.RESOLVER_UNROUTED: "no route to resolver {detail}",
    Circumstance.RESOLVER_PRIVATE: "resolver {detail} private",
    Circumstance.RESOLVER_HERE: "resolver {detail} on this computer",
    Circumstance.RESOLVER_PUBLIC: "resolver {detail} not private",
    Circumstance.NOT_READ: "{source} not read ({detail})",
    Circumstance.ACCEPT_QUEUE_FULL: "accept queue full ({detail})",
    Circumstance.ACCEPT_QUEUE_HAS_ROOM: "accept queue has room ({detail})",
    Circumstance.PORTS_ELSEWHERE: "programs that listen elsewhere",
}

# The sentence for a cause of a line, where that of a probe has more than a line shows.
LINE_TEXT = {
    Cause.OTHER_NETWORK: (
        "The ends are on different networks; apps on different networks cannot communicate unless "
        "that is configured"
    ),
    Cause.OWN_CROSS_NETWORK_ADDRESS: (
        "{The_address} may be allocated to an app on the network of the source, for clients on "
        "another; only the addresses of its Machines work from there"
    ),
    Cause.OUTSIDE: (
        "The source has no route to private networks, which is normal outside a Machine: run "
        "the program in one, or through a tunnel"
    ),
    Cause.NAME_OF_OTHER_NETWORK: (
        "{The_app} is on another network; .internal names resolve on their own network only"
    ),
    Cause.NO_STARTED_MACHINE: (
        "{The_app} has no started Machine; its name has no address without one"
    ),
    Cause.NO_SUCH_NAME: (
        "{The_host} does not exist: it is misspelled, was removed, or is no .internal name"
    ),
    Cause.OTHER_RECORDS: "{The_host} has other DNS records only, such as IPv4 addresses (A)",
    Cause.OTHER_RESOLVER: (
        "The source does not use the platform's resolver, which has the .internal names"
    ),
    Cause.LOOKUP_CONFIGURATION: (
        "The source is configured to use no resolver (hosts in nsswitch.conf), or to look up no "
        "IPv6 addresses"
    ),
    Cause.NOT_LISTENING: (
        "Nothing listens on the port yet, or any longer: the app is starting, has crashed, or uses "
        "another port"
    ),
    Cause.STALE_ADDRESS: (
        "No Machine has {the_address} any longer: a deploy replaces Machines and their addresses"
    ),
    Cause.STALE_NAME: (
        "{The_host} still has the address of a Machine that is gone, perhaps as the first of "
        "several"
    ),
    Cause.FIREWALL_REJECTS: "A firewall rejects the connection, at one of the ends or on the way",
    Cause.FIREWALL_DROPS: "A firewall drops the packets, at one of the ends or on the way",
    Cause.NO_ROUTE_ON_THE_WAY: "A router on the way has no route to {the_address}, or forbids it",
    Cause.NO_ROUTE_BACK: "The Machine, or a router on the way back, has no route to the source",
    Cause.ROUTING_LOOP: ("Routers send the packets in a circle; perhaps no one has the address"),
    Cause.SMALL_HOP_LIMIT: "The hop limit of the source is too small for the way",
    Cause.UDP_ONLY: "The service on this port uses UDP",
    Cause.FORBIDDEN_HERE: (
        "The source forbids the connection: a route of type prohibit, a firewall, SELinux or a "
        "sandbox"
    ),
    Cause.NO_ROUTE_HERE: (
        "The route of the source to {the_address} discards packets, or was removed"
    ),
    Cause.INTERFACE_DOWN: "An interface of the source is down, or has no carrier",
    Cause.IPV6_OFF: "IPv6 is switched off at the source",
    Cause.NO_IPV6_HERE: (
        "No interface of the source has a suitable IPv6 address, or IPv6 is switched off"
    ),
    Cause.LIMIT: (
        "The program has too many files and connections open: it does not close them, or its limit "
        "is too small (ulimit -n)"
    ),
    Cause.NO_BRACKETS: "An IPv6 address in a URL, or before a port, requires brackets",
    Cause.NEXT_HOP_SILENT: "The next hop from the source does not respond",
}

# The same, where the line shows more.
LINE_SEEN_TEXT = {
    (Cause.NOT_LISTENING, Circumstance.CONNECTS_TO_ITSELF): (
        "Nothing listens there, on the program's own computer, yet or any longer: the app is "
        "starting, has crashed, or uses another port"
    ),
    (Cause.LISTENS_ELSEWHERE, Circumstance.CONNECTS_TO_ITSELF): (
        "The app listens on another address of its computer only: on its private address, or on "
        "one of 127.0.0.1 and ::1"
    ),
    (Cause.FORBIDDEN_HERE, Circumstance.CONNECTS_TO_ITSELF): (
        "The program has no permission for the socket (its file's owner and mode), or SELinux "
        "forbids it to connect"
    ),
    (Cause.ACCESS_RULES, Circumstance.PROTECTED_MODE): (
        "Redis has no password, so it accepts clients of its own computer only: set one"
    ),
    (Cause.LOOPBACK_FOR_HOST, Circumstance.IS_PROXY): (
        "The app is in another Machine or container, and the proxy connects to its own"
    ),
}


# --- a cause in an answer -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ExplainedCause:
    """A cause, and what to do next.

    Args:
        cause: the cause.
        text: its sentence.
        next: the command of another program that confirms or excludes it; "" without one, and if it
            would have to run in a service of the platform.
        where: where to run that, if not on this computer; else "".
        step: the step that confirms or excludes it; None without one, and if the documents have
            answered it.
        needs: the kinds of documents that the step needs.
    """

    cause: Cause
    _: KW_ONLY
    text: str
    next: str = ""
    where: str = ""
    step: NextStep | None = None
    needs: tuple[DocumentKind, ...] = ()

    def __str__(self) -> str:
        return self.text

    def to_dict(self) -> dict[str, object]:
        """Return it as a dictionary for `json.dumps`; `step` and `needs` where it has them."""
        fields: dict[str, object] = {**self.cause.to_dict(), "text": self.text}
        fields.update(next=self.next, where=self.where)
        if self.step is not None:
            fields["step"] = self.step.to_dict()
        if self.needs:
            fields["needs"] = [kind.value for kind in self.needs]
        return fields


def explain_cause(cause: Cause, words: Mapping[str, object], sentence: str | None = None) -> str:
    """Return the sentence for a cause; one about the platform says so where it is assumed."""
    if sentence is None:
        sentence = CAUSE_TEXT[cause].sentence
    filled = sentence.format_map(words)
    if cause.assumed is not None:
        return f"{filled} (assumed)."
    return f"{filled}."
