"""What each phase means, and what to check: no more than a network can know of a failure.

One table of sentences, for lines that people paste and for what a probe sees. `{...}` is filled in
with what is known.
"""

# Without `annotations` from `__future__`: annotations of public names must be objects.

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import NamedTuple

from fdaa.lines import Phase
from fdaa.probe import FactKind

MOST_CHECKS = 4


@dataclass(frozen=True, slots=True)
class Check:
    """Something to check; `str` returns the sentence.

    Args:
        text: the sentence.
        section: the section of the specification that it rests on, or None.
        assumed: the assumption that it rests on, or None. Both are None for what is so in any
            network: TCP, DNS, firewalls.
    """

    text: str
    _: KW_ONLY
    section: str | None = None
    assumed: str | None = None

    def __str__(self) -> str:
        return self.text

    @property
    def basis(self) -> str | None:
        """What it rests on: a section, or `assumed: ` and an assumption; None for neither."""
        if self.assumed is not None:
            return f"assumed: {self.assumed}"
        return self.section

    def with_basis(self) -> str:
        """Return the sentence, and in brackets what it rests on."""
        if self.basis is None:
            return self.text
        return f"{self.text} [{self.basis}]"

    def to_dict(self) -> dict[str, object]:
        """Return it as a dictionary for JSON."""
        return {"text": self.text, "section": self.section, "assumed": self.assumed}


# Addresses and URLs.
BRACKETS = Check(
    "An IPv6 address in a URL, or before a port, requires brackets; alone, it has none"
)
URL = Check("In a URL, @ / : % in a user or a password are %40 %2F %3A %25")
# Names.
IPV6_ONLY = Check(
    "Private addresses are IPv6 (AAAA): a program that asks for IPv4 finds none",
    section="2.3, rule 1",
)
OTHER_NAME = Check(
    ".internal names resolve on the network of their app only (assumed)",
    assumed="internal-names",
)
NO_MACHINE = Check(
    "{app} needs a started Machine to have an address (assumed)",
    assumed="names-of-started-machines",
)
SPELLING = Check(
    "{name} may be misspelled, or the resolver is not the platform's, or does not respond: "
    "cat /etc/resolv.conf"
)
RESOLVER = Check(
    "The resolver is not the platform's, does not respond, or has an error, or a firewall or a "
    "router on the way loses what is sent to it: cat /etc/resolv.conf"
)
# The source.
OUTSIDE = Check(
    "Outside a Machine there is no route to private networks: run it in one, or in a tunnel",
    section="Networking rules, 1; Networking rules, 5",
)
NO_IPV6 = Check(
    "At the source, IPv6 may be off, a rule may forbid the connection (firewall, SELinux), or all "
    "ports for it are in use: ip -6 route get {target}"
)
LISTEN = Check(
    "To listen for other Machines, use [::] or the address in PLATFORM_PRIVATE_IP; another program "
    "may have the port: ss -ltnp",
    assumed="listening",
)
LIMIT = Check("This computer is at a limit of files, processes, ports or memory: ulimit -a")
POOL = Check(
    "All connections of the pool may be in use, or new ones fail: see its log for the reason"
)
ITSELF = Check(
    "The program connects to its own computer (localhost), so no network is between: is that "
    "meant, and what listens there, on the same IP version?"
)
# The target.
LISTENS = Check(
    "The app must listen on {port} by TCP, and on [::] or its private address, not only on "
    "0.0.0.0, 127.0.0.1 or ::1 (assumed); in its Machine: ss -ltnp",
    assumed="listening",
)
NOTHING_LISTENS = Check("Nothing may listen there on this port: ss -ltnp at the target")
GONE = Check(
    "The Machine with {target} may be gone or down: a deploy replaces Machines and addresses "
    "(assumed)",
    assumed="deploys-replace-machines",
)
SLOW = Check("The app may hang, or accept no connections; in its Machine: ss -ltn, column Recv-Q")
TLS = Check(
    "One end may speak TLS on this port and the other not: compare the scheme with the server"
)
CLOSED = Check(
    "The app may close idle connections sooner than the client, have crashed, or not be where its "
    "proxy connects"
)
CLIENTS = Check(
    "If the server has rules for clients, they need its network: {networks}",
    section="2.3, rule 2",
)
# The way between them.
NETWORK = Check(
    "The ends may be on different networks, which cannot communicate unless that is configured",
    section="Networking rules, 1",
)
FIREWALL = Check(
    "A firewall at one of the ends or on the way may drop or reject the packets: nft list ruleset"
)
WAY = Check("A router on the way, or the way back, may lack a route: traceroute -6 {target}")
LARGE = Check(
    "Large packets may be lost on the way (MTU): ping -M do -s 1300 {target}; compare with -s 1200"
)
PROXY = Check("The log of the proxy names its upstream, and why the connection failed")


class Words(NamedTuple):
    """The words for a phase.

    Args:
        meaning: what a line says that is printed in it.
        seen: what a probe says.
        checks: what to check, the likeliest first.
    """

    meaning: str
    seen: str
    checks: tuple[Check, ...]


_NOT_THE_CAUSE = (
    "so names, ports and private networks are not the cause (assumed: no proxy in between)"
)
WORDS = {
    Phase.ADDRESS: Words(
        "The program could not read an address, a URL or a port; it did not connect",
        "not read",
        (BRACKETS, URL),
    ),
    Phase.LOOKUP: Words(
        "The program found no address for a name; it did not connect",
        "no address",
        (IPV6_ONLY, OTHER_NAME, NO_MACHINE, SPELLING, RESOLVER, BRACKETS),
    ),
    Phase.NOT_SENT: Words(
        "The source has no route, address or permission to connect; nothing was sent",
        "nothing was sent",
        (OUTSIDE, IPV6_ONLY, NO_IPV6),
    ),
    Phase.REFUSED: Words(
        "The connection was refused: the target, or a firewall, responded",
        "refused",
        (LISTENS, GONE, FIREWALL),
    ),
    Phase.UNREACHABLE: Words(
        "A router, or the source itself, reported that the address cannot be reached",
        "unreachable",
        (NETWORK, GONE, FIREWALL, WAY),
    ),
    Phase.SILENT: Words(
        "Nothing came back in time",
        "no response",
        (NETWORK, GONE, FIREWALL, SLOW, WAY),
    ),
    Phase.CONNECTED: Words(
        "The connection was open; the line shows no failure",
        "open",
        (),
    ),
    Phase.STALLED: Words(
        f"The connection was open, {_NOT_THE_CAUSE}; then no complete response came in time",
        "open, then no response",
        (SLOW, LARGE),
    ),
    Phase.RESPONDED: Words(
        f"The other end responded, {_NOT_THE_CAUSE}: see what the line says, and the log of the "
        "other end",
        "open, then closed",
        (),
    ),
    Phase.HERE: Words(
        "The program failed on its own computer: it cannot listen, or has no free port, file or "
        "connection of its pool; this says nothing about networks",
        "not tried",
        (LISTEN, LIMIT),
    ),
    Phase.FAILED: Words(
        "The program got no connection; the line does not show why",
        "no connection",
        (LISTENS, IPV6_ONLY, NETWORK),
    ),
}
_OF_A_PROXY = "A proxy reports that its upstream failed; the line does not show why"
# The phases of which networks apart may be the cause, and then they are all of it.
NOTHING_BACK = (Phase.LOOKUP, Phase.UNREACHABLE, Phase.SILENT)
AFTER_OPEN = (SLOW, LARGE, TLS)  # what a probe does not test

# Words of lines that choose between the checks of a phase.
_PROXYS = r"(?i)\b50[234]\b|upstream|gateway|unavailable"
_RESOLVER_FAILED = r"""(?xi)
    eai_again | temporary [ ] failure | servfail | server [ ] misbehaving | timed? [ ]? out
  | etimeout | no [ ] response | no [ ] servers | no [ ] nameservers | dns [ ] servers
  | lookup .{0,80} timeout
"""
_OF_CLOSED = r"""(?xi)
    \b eof | clos | reset | hang [ ] up | broken [ ] pipe | empty [ ] reply | epipe
  | record | version [ ] number | to [ ] https | http [ ] re
"""
_OF_LIMITS = r"(?i)too many open files|emfile|no free ports"

_UNKNOWN = {
    "app": "The app",
    "name": "The name",
    "port": "this port",
    "target": "ADDRESS",
    "networks": "",
}


def meaning_of(phase: Phase, text: str) -> str:
    """Return what a line says that is printed in a phase."""
    if phase is Phase.FAILED and re.search(_PROXYS, text) is not None:
        return _OF_A_PROXY
    return WORDS[phase].meaning


def checks_of(phase: Phase, text: str) -> tuple[Check, ...]:
    """Return what to check in a phase, the likeliest first.

    Args:
        phase: the phase.
        text: the line, or the error message of a probe.
    """
    if phase is Phase.LOOKUP and re.search(_RESOLVER_FAILED, text) is not None:
        return (RESOLVER,)
    if phase is Phase.RESPONDED and re.search(_OF_CLOSED, text) is not None:
        return (TLS, CLOSED)
    if phase is Phase.FAILED and re.search(_PROXYS, text) is not None:
        return (PROXY, *WORDS[phase].checks)
    if phase is Phase.HERE and "pool" in text.lower():
        return (POOL,)
    if phase is Phase.HERE and re.search(_OF_LIMITS, text) is not None:
        return (LIMIT,)
    return WORDS[phase].checks


def sentence(text: str) -> str:
    """Return a text that ends with a full stop, or a question mark."""
    if text.endswith("?"):
        return text
    return f"{text}."


def check_lines(title: str, checks: Sequence[Check], *, basis: bool = False) -> Iterator[str]:
    """Yield the lines for checks: one line for one, a numbered list for several.

    Args:
        title: what to do with them.
        checks: the checks, the likeliest first.
        basis: end each with what it rests on.
    """
    texts = [check.with_basis() if basis else check.text for check in checks]
    meaning = ""
    if any("(assumed)" in text for text in texts):
        meaning = " (assumed: not in the platform's specification)"
    if len(texts) == 1:
        yield f"{title}{meaning}: {texts[0]}"
    elif texts:
        yield f"{title}, the likeliest first{meaning}:"
        for number, text in enumerate(texts, 1):
            yield f"  {number}. {text}"


def filled(
    checks: Iterable[Check], known: Iterable[Check], words: Mapping[str, object]
) -> tuple[Check, ...]:
    """Return at most four checks as sentences, without those that are answered already.

    Args:
        checks: of this table.
        known: those that are answered.
        words: what is known of the target.
    """
    asked = dict.fromkeys(checks)
    answered = set(known)
    if SPELLING in asked and SPELLING not in answered:
        answered.add(RESOLVER)  # SPELLING has what may be wrong with the resolver, too
    left = []
    for check in asked:
        if check not in answered:
            text = sentence(check.text.format_map({**_UNKNOWN, **words}))
            left.append(replace(check, text=text))
    return tuple(left[:MOST_CHECKS])


# --- what a computer itself knows -----------------------------------------------------------------

# The sentence for a fact, and the checks that it answers; None for all of them.
FACTS: dict[FactKind, tuple[str, tuple[Check, ...] | None]] = {
    FactKind.IN_HOSTS: (
        "/etc/hosts has {address} for {host} in {detail}: is the line stale?",
        (SPELLING, OTHER_NAME, NO_MACHINE, IPV6_ONLY, LISTENS, GONE, SLOW, WAY),
    ),
    FactKind.NO_OWN_ADDRESS: (
        "This computer has no private address: run this in a Machine, or in a tunnel",
        (OUTSIDE, OTHER_NAME, NO_MACHINE, NETWORK),
    ),
    FactKind.IPV6_OFF: (
        "IPv6 is off on this computer: sysctl net.ipv6.conf.all.disable_ipv6",
        None,
    ),
    FactKind.INTERFACE_DOWN: ("Interface {detail} of this computer is down: ip link", None),
    FactKind.NO_ROUTE: (
        "This computer has no way to {address} ({detail}): ip -6 route get {address}",
        (NO_IPV6, IPV6_ONLY, OTHER_NAME, NO_MACHINE),
    ),
    FactKind.NO_FREE_PORT: (
        "All ports for connections are in use: sysctl net.ipv4.ip_local_port_range",
        None,
    ),
    FactKind.OTHER_SOURCE: (
        "This computer connects to {address} from {detail}, not from its private address: "
        "ip -6 route get {address}",
        (GONE, SLOW),
    ),
    FactKind.NO_RESOLVER: (
        "Lookups of IPv6 addresses are not configured on this computer: {detail}",
        None,
    ),
    FactKind.RESOLVER_PUBLIC: (
        "The resolver {detail} has no private address, so it may not know .internal names",
        (),
    ),
    FactKind.LISTENS_HERE: (
        "A program of this computer listens there, so a firewall of it may be the cause: "
        "nft list ruleset",
        (LISTENS, GONE, NETWORK, FIREWALL, WAY, SLOW),
    ),
    FactKind.LISTENS_ELSEWHERE: (
        "Listening only where no other Machine can connect: {detail}; use [::]",
        None,
    ),
    FactKind.NOT_LISTENING: (
        "No program on this computer listens on TCP {port}: ss -ltunp",
        None,
    ),
    FactKind.NOT_ACCEPTED: (
        "Connections waiting to be accepted: {detail}; if Recv-Q is above Send-Q, the queue of the "
        "program is full: ss -ltn",
        (LISTENS, GONE, NETWORK, SLOW, WAY),
    ),
    FactKind.REJECTED: (
        "A firewall rejects the connection: {detail}; see nft list ruleset there",
        None,
    ),
    FactKind.NEXT_HOP_SILENT: (
        "This computer itself reports it: the next hop, or a Machine on its link, does not respond "
        "(ip -6 neigh), or a firewall here rejects the packets",
        (NETWORK, FIREWALL, WAY),
    ),
    FactKind.HOPS_EXCEEDED: (
        "Routers send the packets in a loop, or they start with too few hops ({detail}): "
        "traceroute -6 {target}",
        None,
    ),
    FactKind.NOT_READ: ("Could not be read: {detail}", ()),
}

# --- the setting of a program that asks for IPv4 only ---------------------------------------------

# What shows a program, and the setting to change.
_SETTINGS = (
    (r"(?i)rabbit", "RabbitMQ: -proto_dist inet6_tcp in RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS"),
    (r"no_ping|'pang'|epmd", 'Erlang: ERL_AFLAGS="-proto_dist inet6_tcp" at both ends'),
    (r"Postgrex|DBConnection|Ecto\.|MyXQL", "Ecto: socket_options: [:inet6] for the Repo"),
    (r"\bMint\.|Finch|\bReq\.", "Mint, Finch, Req: transport_opts: [inet6: true] (conn_opts)"),
    (r"Redix", "Redix: socket_opts: [:inet6]"),
    (r"nxdomain|:econn", "Erlang: the option inet6 of the socket, ipfamily: inet6 of httpc"),
    (
        r"(?i)ioredis|bullmq|redis.{0,80}ENOTFOUND|MaxRetriesPerRequest",
        "ioredis, BullMQ: family: 0, or ?family=0 in the URL",
    ),
    (r"ENOTFOUND|getaddrinfo E[A-Z]|\bnode:", "Node.js: family: 0 or 6, where a library sets 4"),
    (r"StackExchange|Pipelines\.Sockets", "StackExchange.Redis: a version after 2.6.48"),
    (r"System\.Net\.|Npgsql", ".NET: remove DOTNET_SYSTEM_NET_DISABLEIPV6=1"),
    (r"(?i)curl|php", "curl, PHP: remove -4 and CURL_IPRESOLVE_V4"),
    (r"\bjavax?\.|UnknownHostException|PSQLException", "Java: remove preferIPv4Stack=true"),
    (r"\b(?:tcp4|udp4)\b", "Go: the network tcp in place of tcp4"),
    (r"\bnginx\b|could not be resolved", "nginx: remove ipv6=off from resolver"),
    (r"(?i)envoy|upstream connect error", "Envoy: dns_lookup_family: V6_ONLY or AUTO"),
)


def find_setting(text: str) -> str | None:
    """Return the setting for the program that a text shows, if it may ask for IPv4 only."""
    for shown_by, setting in _SETTINGS:
        if re.search(shown_by, text) is not None:
            return setting
    return None
