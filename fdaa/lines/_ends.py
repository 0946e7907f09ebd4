"""The ends in a line: where they are named, which of them opened a connection, and to which."""

# Without `annotations` from `__future__`: annotations of public names must be objects.

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass
from ipaddress import ip_address
from itertools import pairwise
from typing import TypeAlias

from fdaa._values.address import Address, NetworkID, Prefix
from fdaa._values.hosts import Host, read_port
from fdaa.lines._internal_names import digits_after, find_names
from fdaa.lines._phases import Phase
from fdaa.lines._places import CutOff, Place, Unread


@dataclass(frozen=True, slots=True)
class Outside:
    """An IP address that is not private.

    Args:
        name: the address, in lower case.
    """

    name: str

    def __str__(self) -> str:
        return self.name


# What a text names: an end of a connection.
Named: TypeAlias = Address | Prefix | CutOff | Host | Outside | Unread

_WITH_NETWORK = (Address, Prefix, CutOff)
# More are no message about connections, but a list.
MOST_ENDS = 100
MOST_MENTIONS = 1000

# Linux gives clients the ports from here on. Some servers have one, too.
CLIENTS_PORT = 32768

# What marks the end after it as the source: also the client of the server that printed the text.
_SOURCE = r"""(?axi)
    (?:
        (?:
            (?<! bytes [ ] ) (?<! reply [ ] ) (?<! response [ ] ) (?<! answer [ ] )
            (?<! read [ ] ) (?<! reading [ ] )
            \b from
          | \b (?: src | source | saddr | client | remote (?= _? (?: ip | addr ) ) )
          | \b local (?: [ ] (?: port | end ) )?
        )
        (?: [ _]? (?: ip | addr | address ) )?
      | <-
    )
    ["']? [ ]* [:=]? [ ]* ["'(\[]{0,2}
    \Z
  | \b pg_hba\.conf [ ] (?: entry | rejects ) [ ] .{0,60} \b host [ ] " \Z
  | \b user [ ] '[^']{0,80}' @ ' \Z
"""
# What follows the source: web.internal:3000 -> ADDRESS, web.internal cannot reach.
_OPENS = r"""(?axi)
    ["')\]]{0,2} (?: [:.\#] [0-9]{1,5} )?
    (?:
        [ ]{0,8} (?: -> | => | > )
      | [ ] (?:
            to [ ] (?! address \b )
          | (?: can (?: not | 't ) | could (?: n't | [ ] not ) | did (?: n't | [ ] not ) )
            [ ] (?! be\b )
          | (?: failed | (?: is [ ] )? unable ) [ ] to [ ] (?! be\b )
        )
      | [ ] \( [^()]{1,60} \) [ ] to [ ]    # worker.internal (ADDRESS) to
      | [ ] TCP_ [A-Z_]{3,30} /              # a line of Squid
    )
"""
# A packet that reports an error goes back to the source.
_REPORT = r"(?i)\bicmp6, (?:unreachable|destination unreachable|time exceeded|packet too big)"
_BEFORE_SOURCE_OF_REPORT = r"> \Z"
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
# An upstream of a proxy that is no private address.
_OTHER_UPSTREAM = r"(?ai)\bupstream: \"?[a-z]{1,12}://|\bdial (?:tcp|udp)"
# What follows the address or the name of a router that reports an ICMPv6 message, as ping prints
# it, and what is before its address if both are there: From gw.internal (ADDRESS) icmp_seq=1 Time
_REPORTER = r"(?ai)(?: \([^)\s]{1,60}\)|\))? icmp_seq=[0-9]+ [a-z]"
_REPLY = r"\)?: icmp_seq="
_NAME_OF_REPORTER = r"(?ai)\bfrom [^\s()]{1,80} \(\Z"
_LONGEST_MARK = 100  # characters


@dataclass(frozen=True, slots=True)
class Mention:
    """A place of a text that has an end of a connection.

    Args:
        end: the address, the network or the host.
        start, stop: where its text begins and ends.
        is_source: whether the text calls it the source, with `from`, `src=`, `local`, `->`.
        is_dialled: whether the text says that it was connected to, or that it listens.
        digits: the port after it, as it is written; it may be no port.
        is_reporter: whether it reports an ICMPv6 message; it is no end of a connection then.
    """

    end: Named
    _: KW_ONLY
    start: int
    stop: int
    is_source: bool
    is_dialled: bool
    digits: str | None
    is_reporter: bool = False

    @property
    def port(self) -> int | None:
        """The port after it."""
        return read_port(self.digits)

    @property
    def host(self) -> Host | None:
        """The host with its port; None for an address or a network."""
        if not isinstance(self.end, Host):
            return None
        return Host(self.end.name, port=self.port)

    @property
    def has_clients_port(self) -> bool:
        """Whether systems give the port to clients, and it was not dialled."""
        return not self.is_dialled and self.port is not None and self.port >= CLIENTS_PORT

    @property
    def is_server(self) -> bool:
        """Whether it has a server's port, or was dialled."""
        return self.is_dialled or (self.port is not None and not self.has_clients_port)


def find_mentions(text: str, places: Iterable[Place]) -> list[Mention]:
    """Return the places of a text that have an end: its names, and its addresses, private or not.

    Args:
        text: the text.
        places: the private addresses and networks in it, and what cannot be read.
    """
    found: list[tuple[Named, int, int]]
    found = [(place.value, place.start, place.end) for place in places]
    for name, start, stop in find_names(text):
        found.append((Host(name), start, stop))
    for match in re.finditer(_OUTSIDE, text):
        name = match[0].rstrip(":").lower()
        if _is_outside(name):
            found.append((Outside(name), match.start(), match.start() + len(name)))
    found.sort(key=_start)
    is_report = re.search(_REPORT, text) is not None
    return [_mention(text, *place, is_report) for place in found[:MOST_MENTIONS]]


def _start(place: tuple[Named, int, int]) -> int:
    return place[1]


def _mention(text: str, end: Named, start: int, stop: int, is_report: bool) -> Mention:
    before = text[max(0, start - _LONGEST_MARK) : start]
    is_reply = re.compile(_REPLY).match(text, stop) is not None
    is_called_source = not is_reply and re.search(_SOURCE, before) is not None
    is_dialled = not is_called_source and re.search(_DIALLED, before) is not None
    if is_report:
        opens = re.search(_BEFORE_SOURCE_OF_REPORT, before) is not None
    else:
        after = re.compile(_OPENS).match(text, stop)
        opens = after is not None and (not is_dialled or after[0].endswith(">"))
    may_report = is_called_source or re.search(_NAME_OF_REPORTER, before) is not None
    return Mention(
        end,
        start=start,
        stop=stop,
        is_source=is_called_source or opens,
        is_dialled=is_dialled and not opens,
        digits=digits_after(text, stop),
        is_reporter=may_report and re.compile(_REPORTER).match(text, stop) is not None,
    )


def without_proxys_request(
    text: str, mentions: Sequence[Mention]
) -> tuple[list[Mention], list[Mention]]:
    """Return the mentions of the connection that failed, and those of a proxy's client.

    In a line about a proxy's connection to its upstream, those of the client's request are left
    out: its client, and the server or host that it asked for.
    """
    of_clients: list[Mention] = []
    of_requests: list[Mention] = []
    others: list[Mention] = []
    for mention in mentions:
        before = text[max(0, mention.start - _LONGEST_MARK) : mention.start]
        if re.search(_PROXYS_CLIENT, before) is not None:
            of_clients.append(mention)
        elif re.search(_PROXYS_REQUEST, before) is not None:
            if not isinstance(mention.end, Outside):
                of_requests.append(mention)
        else:
            others.append(mention)
    is_dialled = any(mention.is_dialled for mention in others)
    if of_clients and (is_dialled or re.search(_OTHER_UPSTREAM, text) is not None):
        return others, of_clients
    if of_clients and "server: " in text:
        return [*of_clients, *others], []
    return sorted([*of_clients, *of_requests, *others], key=lambda each: each.start), []


# --- the ends, and their roles --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Tried:
    """An end that a connection was opened to.

    Args:
        end: the end.
        port: its port, but not one that systems give to clients.
        phase: how far the program had come with this end; None if its words are not known.
    """

    end: Named
    _: KW_ONLY
    port: int | None = None
    phase: Phase | None = None


def in_roles(
    by_end: Mapping[Named, Sequence[Mention]], own: Address | None
) -> tuple[Named | None, tuple[Tried, ...]]:
    """Return the source, and the ends that it tried.

    An end is the source only with evidence, the strongest first: its port is a client's, and
    another end has a server's; the text calls it the source; it is this Machine. Without any, the
    source is this Machine. Where several ends may be the source, or the text is a list of more ends
    than a message about connections has, nothing is returned.

    Args:
        by_end: the ends, each with its mentions.
        own: the address of this Machine, if it is known.
    """
    if len(by_end) > MOST_ENDS:
        return None, ()
    for is_shown in (_is_client, _is_called_source, _is_marked):
        sources = [end for end in by_end if is_shown(end, by_end)]
        if len(sources) > 1 and own in sources:
            sources = [own]  # what this Machine has opened is what failed
        if len(sources) > 1:
            return None, ()
        if sources:
            break
    if not by_end:
        return None, ()
    source: Named | None = own
    if sources:
        source = sources[0]
    tried = [end for end in by_end if end != source]
    if source != own and len(tried) > 1 and own in tried:
        tried.remove(own)  # this Machine only printed the line
    targets = [_tried(end, by_end[end]) for end in tried]
    if not targets and source is not None and source != own and own is not None:
        targets = [Tried(own)]  # a client of this Machine
    if own is not None and own in by_end and not targets and source == own:
        if _is_marked(own, by_end):
            return own, ()
        return None, (_tried(own, by_end[own]),)
    return source, tuple(targets)


def _is_client(end: Named, by_end: Mapping[Named, Sequence[Mention]]) -> bool:
    if not any(mention.has_clients_port for mention in by_end[end]):
        return False
    return any(_is_server(other, by_end) for other in by_end if other != end)


def _is_called_source(end: Named, by_end: Mapping[Named, Sequence[Mention]]) -> bool:
    return _is_marked(end, by_end) and not _is_server(end, by_end)


def _is_server(end: Named, by_end: Mapping[Named, Sequence[Mention]]) -> bool:
    return any(mention.is_server for mention in by_end[end])


def _is_marked(end: Named, by_end: Mapping[Named, Sequence[Mention]]) -> bool:
    return any(mention.is_source for mention in by_end[end])


def _tried(end: Named, mentions: Sequence[Mention]) -> Tried:
    for mention in mentions:
        is_clients = mention.is_source and mention.has_clients_port
        if mention.port is not None and not is_clients:
            return Tried(end, port=mention.port)
    return Tried(end)


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
        end: Named = mention.end
        if mention.is_reporter or isinstance(end, Outside):
            continue
        if isinstance(end, Host) and end.app is None:
            continue
        if isinstance(end, Host):
            end = addresses.get(str(end.app), Host(str(end.app)))
        by_end.setdefault(end, []).append(mention)
    others = {
        end: of_end
        for end, of_end in by_end.items()
        if not (isinstance(end, _WITH_NETWORK) and end.network_id in services)
    }
    if len(others) < 2 and not any(isinstance(end, Host) for end in others):
        return by_end
    _add_names_to_targets(others)
    return {_with_port(end, of_end): of_end for end, of_end in others.items()}


def _add_names_to_targets(by_end: dict[Named, list[Mention]]) -> None:
    """Take a name that nothing calls the source for that of the target, if its port fits."""
    tried: list[Address] = []
    ports: set[int | None] = {None}
    for end, mentions in by_end.items():
        is_tried = _is_server(end, by_end) and not _is_marked(end, by_end)
        if isinstance(end, Address) and is_tried:
            tried.append(end)
            ports.update(mention.port for mention in mentions)
    for name in list(by_end):
        has_port = {mention.port for mention in by_end[name]} <= ports
        if tried and isinstance(name, Host) and has_port and not _is_marked(name, by_end):
            by_end[tried[0]].extend(by_end.pop(name))


def _with_port(end: Named, mentions: Sequence[Mention]) -> Named:
    """Return an app by the first of its hosts, with its port if one of them has one."""
    if not isinstance(end, Host):
        return end
    host: Host | None = None
    for mention in mentions:
        if host is None or host.port is None:
            host = mention.host or host
    return host or end


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
# What makes the address after it an end.
_END_AFTER = r"""(?axi)
    \b (?: to | dst | destination | daddr ) (?: _? (?: ip | addr | address ) )?
    ["']? [ ]* [:=]? [ ]* ["'(\[]{0,2}
    \Z
"""


def find_outside(text: str, mentions: Iterable[Mention]) -> Mention | None:
    """Return the first mention of an end that is an address, and not a private one.

    One without a port is an end only if the text says so.
    """
    for mention in mentions:
        if not isinstance(mention.end, Outside):
            continue
        before = text[max(0, mention.start - _LONGEST_MARK) : mention.start]
        is_said = mention.is_source or mention.is_dialled or re.search(_END_AFTER, before)
        if (is_said or mention.port is not None) and not mention.is_reporter:
            return mention
    return None


def _is_outside(text: str) -> bool:
    """Return whether a text is an address that another computer may have, and is not private."""
    with suppress(ValueError):
        address = ip_address(text)
        is_here = address.is_unspecified or address.is_loopback or address.is_link_local
        is_here = is_here or re.fullmatch(_LOOPBACK_PORT, text) is not None
        return not (is_here or text[:5] == "fdaa:" or address.is_multicast)
    return False
