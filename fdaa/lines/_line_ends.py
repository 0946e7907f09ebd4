"""The ends of connections in a line: where they are named, and which of them is the source."""

# Without `annotations` from `__future__`: annotations of public names must be objects.

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass
from ipaddress import ip_address
from itertools import pairwise
from typing import Self, TypeAlias

from fdaa._values.address import Address, NetworkID, Prefix
from fdaa._values.hosts import Host, read_port
from fdaa.lines._internal_names import digits_after, find_names
from fdaa.lines._places import CutOff, Place

# What a text names: an end of a connection.
Named: TypeAlias = Address | Prefix | CutOff | Host

# Linux gives clients the ports from here on. Some servers have one, too.
CLIENTS_PORT = 32768

# What marks the address after it as the source of a connection.
_SOURCE = r"""(?axi)
    (?:
        \b (?: from | src | source | saddr | client | remote (?= _? (?: ip | addr ) ) )
        (?: _? (?: ip | addr | address ) )?
      | <-
    )
    ["']? [ ]* [:=]? [ ]* ["'(\[]{0,2}
    \Z
"""
# What marks the address after it as the client of the server that printed the text: PostgreSQL
# and MySQL.
_SERVERS_CLIENT = r"""(?axi)
    (?:
        \b pg_hba\.conf [ ] (?: entry | rejects ) [ ] .{0,60} \b host [ ] "
      | \b user [ ] '[^']{0,80}' @ '
    )
    \Z
"""
# What marks the address or the name after it as the one that was dialled, or that listens.
_DIALLED = r"""(?axi)
    (?:
        \b (?:
            (?: dial | dialing | bind | listen | listening | connect | connecting )
            (?: [ ] (?: tcp | udp ) [46]? )?
            (?: [ ] (?: to | on | at ) )?
          | (?: connected | connection ) [ ] to
        )
        (?: [ ] (?: host | server | address | (?: \w{1,20} [ ] ){1,2} (?: at | on ) ) )?
        [ ]
      | \b connect [ ] call [ ] failed [ ]
      | \b connect\(2\) [ ] for [ ]
      | \b lookup [ ]
      | \b E (?: CONNREFUSED | TIMEDOUT | HOSTUNREACH | NETUNREACH | ACCES ) [ ]
      | \b [a-z] [a-z0-9+.-]{0,20} :// (?: [^\s/@]{1,64} @ )?
      | \b ipv6 [:\#]
      | \b connect [ ] to [ ] \{ Addr: [ ]
      | \b (?: upstream | backend ) ["']? [ ]{0,2} [:=] [ ]{0,2}
    )
    ["'(]{0,2} (?: \[ | %5b )?
    \Z
"""
# What names the client of a proxy, whose request is another connection than that to the upstream.
_PROXYS_CLIENT = r"""(?axi)
    (?:
        \b (?: client | client_ip | client_addr | remote_ip | remote_addr )
        ["']? [ ]{0,2} [:=] [ ]{0,2} ["']?
      | \[ client [ ]                               # Apache
    )
    \[? \Z
"""
# What else is about that request: a server block of nginx, the header Host.
_PROXYS_REQUEST = r"""(?axi)
    \b (?: server | host | referrer | referer ) ["']? [ ]{0,2} [:=] [ ]{0,2} ["']{0,2}
    (?: https?:// )? \[? \Z
"""
# A client of a proxy that is no private address.
_CLIENT_OUTSIDE = r"\bclient: |\[client |remote_ip"
# An upstream of a proxy that is no private address.
_OTHER_UPSTREAM = r"(?ai)\bupstream: \"?[a-z]{1,12}://|\bdial (?:tcp|udp)"
# What follows the address or the name of a router that reports an ICMPv6 message, as ping prints
# it, and what is before its address if both are there: From gw.internal (ADDRESS) icmp_seq=1 Time
_REPORTER = r"(?ai)(?: \([^)\s]{1,60}\)|\))? icmp_seq=[0-9]+ [a-z]"
_NAME_OF_REPORTER = r"(?ai)\bfrom [^\s()]{1,80} \(\Z"
_LONGEST_MARK = 100  # characters
_FARTHEST_PORT = 500  # characters from SRC= to SPT=
# The names of addresses in the kernel's log and of conntrack: SRC=... DST=... SPT=40112 DPT=443.
_PACKET_END = r"(?ai)\b([sd])(?:rc|st)=\Z"
_PACKET_PORT = r"(?ai)\b{}p(?:or)?t=([0-9]{{1,5}})\b"


@dataclass(frozen=True, slots=True)
class Mention:
    """A place of a text that has an end of a connection.

    Args:
        end: the address, the network or the host.
        start, stop: where its text begins and ends.
        is_source: whether the text calls it the source, with `from`, `src=`, `client:` or `<-`.
        is_dialled: whether the text says that it was connected to, or that it listens: with
            `dial tcp`, `connect to`, `ECONNREFUSED`, `http://` and others.
        digits: the port after it, as it is written; it may be no port.
        is_client: whether the text says that it is the client of the server that printed it.
        is_reporter: whether the text says that it reports an ICMPv6 message; it is no end of a
            connection then.
    """

    end: Named
    _: KW_ONLY
    start: int
    stop: int
    is_source: bool
    is_dialled: bool
    digits: str | None
    is_client: bool = False
    is_reporter: bool = False

    @property
    def port(self) -> int | None:
        """The port after it."""
        return read_port(self.digits)

    @property
    def host(self) -> Host | None:
        """The host with its port; None for an address or a network."""
        if isinstance(self.end, Host):
            return Host(self.end.name, port=self.port)
        return None

    @property
    def may_be_clients(self) -> bool:
        """Whether systems give the port to clients, and it was not dialled."""
        return not self.is_dialled and self.port is not None and self.port >= CLIENTS_PORT

    @property
    def is_clients(self) -> bool:
        """Whether the port is one that a system gives to a client, and the end is the source."""
        return self.is_source and self.may_be_clients


def find_mentions(text: str, places: Iterable[Place]) -> list[Mention]:
    """Return the places of a text that have an end: its `.internal` names, and its addresses.

    Args:
        text: the text.
        places: what `find_places` found in it.
    """
    mentions = [_mention(text, Host(name), start, end) for name, start, end in find_names(text)]
    mentions.extend(_mention(text, place.value, place.start, place.end) for place in places)
    return sorted(mentions, key=lambda mention: mention.start)


def _mention(text: str, end: Named, start: int, stop: int) -> Mention:
    before = text[max(0, start - _LONGEST_MARK) : start]
    is_client = re.search(_SERVERS_CLIENT, before) is not None
    is_source = is_client or re.search(_SOURCE, before) is not None
    is_dialled = not is_source and re.search(_DIALLED, before) is not None
    digits = digits_after(text, stop)
    packet_end = re.search(_PACKET_END, before)
    if packet_end is not None:
        port = re.compile(_PACKET_PORT.format(packet_end[1])).search(
            text, stop, stop + _FARTHEST_PORT
        )
        if port is not None:
            digits = port[1]
    may_report = is_source or re.search(_NAME_OF_REPORTER, before) is not None
    is_reporter = may_report and re.compile(_REPORTER).match(text, stop) is not None
    return Mention(
        end,
        start=start,
        stop=stop,
        is_source=is_source,
        is_dialled=is_dialled,
        digits=digits,
        is_client=is_client,
        is_reporter=is_reporter,
    )


def without_proxys_request(
    text: str, mentions: Sequence[Mention]
) -> tuple[list[Mention], list[Mention]]:
    """Return the mentions of the connection that failed, and those of a proxy's client.

    In a line about a proxy's connection to its upstream, those of the client's request are left
    out: its client, and the server or host that it asked for.

    Args:
        text: the text.
        mentions: what `find_mentions` found in it.
    """
    of_clients: list[Mention] = []
    others: list[Mention] = []  # those of the connection to the upstream
    without_requests: list[Mention] = []
    for mention in mentions:
        before = text[max(0, mention.start - _LONGEST_MARK) : mention.start]
        if re.search(_PROXYS_CLIENT, before) is not None:
            of_clients.append(mention)
            without_requests.append(mention)
        elif re.search(_PROXYS_REQUEST, before) is None:
            others.append(mention)
            without_requests.append(mention)
    if not of_clients and re.search(_CLIENT_OUTSIDE, text) is None:
        return list(mentions), []
    is_about_upstream = any(mention.is_dialled for mention in others)
    if is_about_upstream or re.search(_OTHER_UPSTREAM, text) is not None:
        return others, of_clients
    if of_clients and "server: " in text:
        return without_requests, []
    return list(mentions), []


def is_source_first(
    first: Sequence[Mention], second: Sequence[Mention], own: Address | None
) -> bool:
    """Return whether the first of two ends opened the connection.

    Args:
        first, second: the mentions of each end, in the order of the text.
        own: the address of this Machine, if it is known.
    """
    one = _Shown(first, own)
    other = _Shown(second, own)
    for is_first, is_second in zip(one.opened_to(other), other.opened_to(one), strict=True):
        if is_first and not is_second:
            return True
        if is_second and not is_first:
            return False
    return True


class _Shown:
    """What a text shows of an end."""

    def __init__(self, mentions: Sequence[Mention], own: Address | None) -> None:
        self.is_own = False
        self.is_source = False
        self.has_clients_port = False
        self.is_server = False  # it has a server's port, or was dialled
        for mention in mentions:
            if mention.end == own:
                self.is_own = True
            if mention.is_source:
                self.is_source = True
            if mention.may_be_clients:
                self.has_clients_port = True
            elif mention.port is not None or mention.is_dialled:
                self.is_server = True

    def opened_to(self, other: Self) -> Iterator[bool]:
        """Yield whether each rule shows that this end is the source; the strongest rule first."""
        yield self.has_clients_port and other.is_server
        yield self.is_source
        yield other.is_server
        yield self.is_own


# --- the ends -------------------------------------------------------------------------------------

# What is between a name and its address, or between an address and its name. A port may follow
# the first of them.
_BESIDE = r"""(?axi)
    ["')\]|]{0,3}
    (?: [:.\#] [0-9]{1,5} )?
    \.? ["')\]]{0,2}
    (?:
        [ ]{0,2} ["']? [(\[<|] ["'(\[]{0,2}             # reports.internal (ADDRESS)
      | [/@=] [\[(]?                                   # reports.internal/ADDRESS
      | \.{2,3} [ ] \[?                                # Resolving reports.internal... ADDRESS
      | [:]? \s{1,8} \[?                               # ADDRESS reports.internal
      | \s{1,8} [0-9]{1,10} \s{1,8} IN \s{1,8} AAAA \s{1,8}    # an answer of the resolver
      | [ ] (?: has | is | was )? [ ]? (?: IPv6 [ ] )? (?: address | at | resolved [ ] to ) [ ] \[?
      | [ ] resolves [ ] to [ ] \[?
      | ["']? ,? [ ]? ["']?                            # "host":"reports.internal","ip":"ADDRESS"
        (?: ip | ipv6 | addr | address | ip_address ) ["']? [ ]? [:=] [ ]? ["'\[]{0,2}
    )
"""
_LONGEST_BESIDE = 60  # characters
# What follows a name that is the source: web.internal:3000 -> ADDRESS, web.internal cannot reach.
_OPENS = r"""(?axi)
    ["')\]]{0,2} (?: [:.\#] [0-9]{1,5} )?
    (?:
        [ ]{0,8} (?: -> | => | > )
      | [ ] (?: to | cannot | can't | could | couldn't | failed | unable | did )
    )
"""


def group_by_end(
    text: str, mentions: Sequence[Mention], services: Container[NetworkID]
) -> dict[Named, list[Mention]]:
    """Return the ends that count, in order, each with its mentions.

    Args:
        text: the text.
        mentions: what `find_mentions` found in it.
        services: the network IDs in it that are assumed to be those of the platform's services.
    """
    addresses = _addresses_of_names(text, mentions)
    by_end: dict[Named, list[Mention]] = {}
    for mention in mentions:
        if mention.is_reporter:
            continue
        end: Named = mention.end
        if isinstance(end, Host):
            if end.app is None:
                continue
            end = addresses.get(end.app, Host(end.app))
        by_end.setdefault(end, []).append(mention)
    others = [end for end in by_end if isinstance(end, Host) or end.network_id not in services]
    has_app = any(isinstance(end, Host) for end in others)
    if has_app and len(others) == 2:
        others = _without_name_of_target(text, others, by_end)
    if has_app or len(others) > 1:
        return {_with_port(end, by_end[end]): by_end[end] for end in others}
    return by_end


def _without_name_of_target(
    text: str, ends: Sequence[Named], by_end: dict[Named, list[Mention]]
) -> list[Named]:
    """Return two ends without the name of the target; its mentions are added to the target.

    A name that nothing in the text calls the source is that of the target, or of the Machine that
    printed the line.
    """
    for name, target in (ends, ends[::-1]):
        if not isinstance(name, Host) or isinstance(target, Host):
            continue
        if _is_target(text, by_end[target], by_end[name]):
            by_end[target].extend(by_end[name])
            return [target]
    return list(ends)


def _is_target(text: str, mentions: Sequence[Mention], of_name: Sequence[Mention]) -> bool:
    """Return whether an address was connected to, and the other end's name is not the source.

    Args:
        text: the text.
        mentions, of_name: the mentions of the address, and those of the name.
    """
    ports = {mention.port for mention in mentions}
    for mention in of_name:
        has_clients_port = mention.may_be_clients and mention.port not in ports
        if mention.is_source or has_clients_port:
            return False
        if re.compile(_OPENS).match(text, mention.stop) is not None:
            return False
    if any(mention.is_source for mention in mentions):
        return False
    if any(mention.is_dialled for mention in mentions):
        return True
    is_server = any(mention.port is not None and not mention.may_be_clients for mention in mentions)
    return is_server and of_name[0].start < mentions[0].start


def _with_port(end: Named, mentions: Sequence[Mention]) -> Named:
    """Return an app by the first of its hosts, with its port if one of them has one."""
    if not isinstance(end, Host):
        return end
    hosts = [mention.host for mention in mentions if mention.host is not None]
    with_ports = [host for host in hosts if host.port is not None]
    return (with_ports or hosts)[0]


def _addresses_of_names(text: str, mentions: Sequence[Mention]) -> dict[str, Address]:
    """Return the apps whose names stand beside an address, each with the first address.

    A name and an address that were both dialled are one, too: in messages about a URL, the address
    follows later.
    """
    addresses: dict[str, Address] = {}
    for first, second in pairwise(mentions):
        match (first.end, second.end):
            case (Host(app=str(app)), Address() as address):
                pass
            case (Address() as address, Host(app=str(app))):
                pass
            case _:
                continue
        has_two_ports = first.port is not None and second.port not in (None, first.port)
        if has_two_ports:
            continue
        between = text[first.stop : second.start]
        is_beside = len(between) <= _LONGEST_BESIDE and re.fullmatch(_BESIDE, between) is not None
        if is_beside or (first.is_dialled and second.is_dialled):
            addresses.setdefault(app, address)
    return addresses


# --- an end that is not private -------------------------------------------------------------------

_OUTSIDE = r"""(?axi)
    (?<! [\w.:] )
    (?:
        (?: ::ffff: )? [0-9]{1,3} (?: \. [0-9]{1,3} ){3}
      | [0-9a-f]{0,4} : [0-9a-f]{0,4} : [0-9a-f:]{0,30}
    )
    (?! \w )
"""
_LOOPBACK_PORT = r"::1:[0-9]{1,4}"  # as Node.js prints it
# What makes the address after it an end. `client:` and `remote_ip=` are of the request to a proxy,
# which opens another connection.
_END_AFTER = r"""(?axi)
    \b (?: from | src | source | saddr | to | dst | destination | daddr )
    (?: _? (?: ip | addr | address ) )?
    ["']? [ ]* [:=]? [ ]* ["'(\[]{0,2}
    \Z
"""
# What is between two ends in a line of lsof or tcpdump, and in columns of ss or netstat.
_ARROW = r"""(?ax)
    ["')\]]{0,2} (?: [:.\#] [0-9]{1,5} )?
    (?: \s* (?: -> | => | <- ) \s* | \s+ > \s+ )
    [(\[]?
"""
_COLUMNS = r"(?a)\]?[:.][0-9]{1,5}\s+\[?"


def find_outside(text: str, mentions: Sequence[Mention]) -> Mention | None:
    """Return the other end of a connection, if it is an IP address that is not private.

    Args:
        text: the text.
        mentions: the mentions of its only private end.
    """
    others = list(_addresses_outside(text))
    was_dialled = any(mention.is_dialled for mention in mentions)
    for other in others:
        before = text[max(0, other.start - _LONGEST_MARK) : other.start]
        if re.search(_END_AFTER, before) is not None:
            return other
        if other.is_dialled and not was_dialled:
            return other
    starts = {other.start for other in others}
    in_order = sorted((*mentions, *others), key=lambda mention: mention.start)
    for first, second in pairwise(in_order):
        if not _are_connected(text, first, second):
            continue
        if first.start in starts and second.start not in starts:
            return first
        if second.start in starts and first.start not in starts:
            return second
    return None


def _addresses_outside(text: str) -> Iterator[Mention]:
    for match in re.finditer(_OUTSIDE, text):
        name = match[0].rstrip(":")
        if not _is_outside(name):
            continue
        mention = _mention(text, Host(name.lower()), match.start(), match.start() + len(name))
        if not mention.is_reporter:
            yield mention


def _is_outside(text: str) -> bool:
    """Return whether a text is an address that another computer may have, and is not private."""
    with suppress(ValueError):
        address = ip_address(text)
        is_here = address.is_unspecified or address.is_loopback or address.is_link_local
        is_here = is_here or re.fullmatch(_LOOPBACK_PORT, text) is not None
        is_private = text[:5].lower() == "fdaa:"
        return not (is_here or is_private or address.is_multicast)
    return False


def _are_connected(text: str, first: Mention, second: Mention) -> bool:
    """Return whether two places beside each other are the ends of a connection."""
    between = text[first.stop : second.start]
    if re.fullmatch(_ARROW, between) is not None:
        return True
    return re.fullmatch(_COLUMNS, between) is not None and second.port is not None
