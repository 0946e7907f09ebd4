"""The ends in a line: where they are named, which of them opened a connection, and to which."""

# Annotations are objects (no `__future__`), but an alias is text, so that help() shows its name.

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from itertools import pairwise
from typing import NamedTuple

from fdaa._values.address import Address, NetworkID, Prefix
from fdaa._values.hosts import Host, read_port
from fdaa.lines._phases import Phase
from fdaa.lines._places import CutOff, Named, Outside, Place
from fdaa.scan._expression_parts import COLOUR

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
            \b from (?: [ ] [^\s()]{1,80} [ ] (?= \( ) )?      # from worker.internal (ADDRESS)
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
# What marks the end after it as the one that was dialled, or that listens.
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
# The client of a proxy, whose request is another connection than that to the upstream.
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
# An upstream of a proxy, of any kind.
_UPSTREAM = r"(?ai)\bupstream: \"?[a-z]{1,12}://|\bdial (?:tcp|udp)"
# What follows a router that reports an ICMPv6 message, and an end that answers ping.
_REPORTER = r"(?ai)(?: \([^)\s]{1,60}\)|\))? icmp_seq=[0-9]+ [a-z]"
_REPLY = r"\)?: icmp_seq="

_PORT = rf"""(?axi)
    (?: % (?: 25 )? \w [\w.-]{{0,30}} )?    # a zone: [fdaa::3%eth0]:53
    (?: \\{{0,8}} {COLOUR} ){{0,3}}
    \.? (?: ["')\]|]{{0,2}} | %5D )  # what closes the name or the address
    (?: \\{{0,8}} {COLOUR} ){{0,3}}
    (?:
        [:.\#]            # [fdaa::3]:53, fdaa::3.53, fdaa::3#53
      | %3A               # %5Bfdaa%3A%3A3%5D%3A53
      | ,? [ ] (?: (?: tcp | udp ) [ ] )? port [ =:] [ ]?  # "reports.internal", port 5432
        # (ADDRESS) and accepting TCP/IP connections on port 5432
      | [ ] and [ ] accepting (?: \s | \\[nt] ){{1,8}} TCP/IP [ ] connections [ ] on [ ] port [ ]
      | , [ ] (?= [0-9]+ , [ ] [0-9]+ , )     # ('fdaa::3', 53, 0, 0)
      | [ ]? , [ ]? (?= [0-9]+ [ ]? \}} )      # {{{{64938,0,0,0,0,0,0,3}},53}}
    )
    ([0-9]{{1,20}})
    (?! [.:]? \w )        # neither a group of an address nor a longer number
"""
_LONGEST_MARK = 100  # characters
_LONGEST_PORT = 400  # characters, with colours


class Mention(NamedTuple):
    """A place of a text that names an end of a connection.

    Args:
        end: the address, the network or the host.
        start, stop: where its text begins and ends.
        before: the text before it.
        digits: the port after it, as it is written; it may be no port.
        is_source: whether the text calls it the source, with `from`, `src=`, `local`, `->`.
        is_dialled: whether the text says that it was connected to, or that it listens.
        is_reporter: whether it reports an ICMPv6 message; it is no end of a connection then.
    """

    end: Named
    start: int
    stop: int
    before: str
    digits: str | None
    is_source: bool
    is_dialled: bool
    is_reporter: bool

    @property
    def port(self) -> int | None:
        """The port after it."""
        return read_port(self.digits)

    @property
    def has_clients_port(self) -> bool:
        """Whether systems give the port to clients, and it was not dialled."""
        return not self.is_dialled and self.port is not None and self.port >= CLIENTS_PORT

    @property
    def is_server(self) -> bool:
        """Whether it has a server's port, or was dialled."""
        return self.is_dialled or (self.port is not None and not self.has_clients_port)


def find_mentions(text: str, places: Sequence[Place]) -> list[Mention]:
    """Return the places of a text with the port and the role that its words give to each."""
    is_report = re.search(_REPORT, text) is not None
    return [_mention(text, place, is_report) for place in places[:MOST_MENTIONS]]


def _mention(text: str, place: Place, is_report: bool) -> Mention:
    before = text[max(0, place.start - _LONGEST_MARK) : place.start]
    after = text[place.stop : place.stop + _LONGEST_MARK]
    is_called = re.search(_SOURCE, before) is not None and re.match(_REPLY, after) is None
    is_dialled = not is_called and re.search(_DIALLED, before) is not None
    opening = re.match(_OPENS, after)
    if is_report:
        opens = before.endswith("> ")
    else:  # an arrow is stronger than `dial`
        opens = opening is not None and (not is_dialled or opening[0].endswith(">"))
    port = re.match(_PORT, text[place.stop : place.stop + _LONGEST_PORT])
    digits = None
    if port is not None:
        digits = port[1]
    return Mention(
        place.end,
        start=place.start,
        stop=place.stop,
        before=before,
        digits=digits,
        is_source=is_called or opens,
        is_dialled=is_dialled and not opens,
        is_reporter=is_called and re.match(_REPORTER, after) is not None,
    )


def without_proxys_request(
    text: str, mentions: Sequence[Mention]
) -> tuple[list[Mention], list[Mention]]:
    """Return the mentions of the connection that failed, and those of a proxy's client.

    In a line about a proxy's connection to its upstream, those of the client's request are left
    out: its client, and the server or host that it asked for.
    """
    kept: list[Mention] = []
    clients: list[Mention] = []
    requests: list[Mention] = []
    for mention in mentions:
        if re.search(_PROXYS_CLIENT, mention.before) is not None:
            clients.append(mention)
        elif re.search(_PROXYS_REQUEST, mention.before) is not None:
            if not isinstance(mention.end, Outside):
                requests.append(mention)
        else:
            kept.append(mention)
    has_upstream = any(mention.is_dialled for mention in kept)
    if clients and (has_upstream or re.search(_UPSTREAM, text) is not None):
        return kept, clients
    return sorted([*clients, *requests, *kept], key=_start), []


def _start(mention: Mention) -> int:
    return mention.start


# --- the ends -------------------------------------------------------------------------------------


class EndInText:
    """An end, and what all its mentions say of it."""

    def __init__(self, end: Named) -> None:
        self.end = end
        self.starts: list[int] = []  # where it is named, but not by a name beside its address
        self.port: int | None = None  # of a target
        self.has_clients_port = False
        self.is_server = False
        self.is_source = False

    def add(self, mention: Mention) -> None:
        """Take a mention in."""
        if isinstance(mention.end, Host) is isinstance(self.end, Host):
            self.starts.append(mention.start)
        if isinstance(self.end, Host) and self.end.port is None:
            self.end = Host(self.end.name, port=mention.port)
        if self.port is None and not (mention.is_source and mention.has_clients_port):
            self.port = mention.port
        self.has_clients_port |= mention.has_clients_port
        self.is_server |= mention.is_server
        self.is_source |= mention.is_source


def find_ends(mentions: Sequence[Mention], services: Container[NetworkID]) -> list[EndInText]:
    """Return the ends of connections, in order, each once; an app by the first of its hosts.

    Args:
        mentions: what `find_mentions` found.
        services: the network IDs that are assumed to be those of the platform's services. Beside
            an app or two other ends, such an address is no end.
    """
    named: list[Mention] = []
    others: list[Mention] = []
    outside: list[Mention] = []
    for mention in mentions:
        if _is_end_outside(mention):
            outside.append(mention)
        elif _may_be_end(mention):
            named.append(mention)
            if _network_id(mention.end) not in services:
                others.append(mention)
    addresses = _addresses_of_names(others)
    ends = _by_end(others, addresses)
    if len(ends) < 2 and not any(isinstance(end.end, Host) for end in ends):
        ends = _by_end(named, addresses)
    if len(ends) < 2:
        ends += _by_end(outside[:1], {})
    return ends


def _by_end(mentions: Sequence[Mention], addresses: Mapping[str, Address]) -> list[EndInText]:
    """Return the ends, each with its mentions; an app by its address if it has one there."""
    ends: dict[object, EndInText] = {}
    for mention in mentions:
        end = mention.end
        key: object = end
        if isinstance(end, Host):
            key = str(end.app)
            end = addresses.get(str(end.app), end)
        if isinstance(end, Address):
            key = end
        if key not in ends:
            ends[key] = EndInText(end)
        ends[key].add(mention)
    return list(ends.values())


def _may_be_end(mention: Mention) -> bool:
    if mention.is_reporter or isinstance(mention.end, Outside):
        return False
    return not isinstance(mention.end, Host) or mention.end.app is not None


def _is_end_outside(mention: Mention) -> bool:
    """Return whether an address that is not private has a port, or its words say that it counts."""
    if mention.is_reporter or not isinstance(mention.end, Outside):
        return False
    return mention.is_source or mention.is_dialled or mention.port is not None


def _network_id(end: Named) -> NetworkID | None:
    if isinstance(end, Address | Prefix | CutOff):
        return end.network_id
    return None


# What may stand between a name and its address.
_BESIDE = r"""(?axi)
    [^a-z]*
    (?: (?: has | is | in | aaaa | ip | ipv6 | addr | address | at | resolve[sd] | to ) [^a-z]+ )*
"""


def _addresses_of_names(mentions: Sequence[Mention]) -> dict[str, Address]:
    """Return the apps whose names are those of an address, each with the first such address.

    They stand side by side, or the address was dialled. Their ports do not differ, and both or
    none of them are called the source.
    """
    sources: list[Mention] = []
    targets: list[Mention] = []
    for mention in mentions:
        if mention.is_source:
            sources.append(mention)
        else:
            targets.append(mention)
    addresses: dict[str, Address] = {}
    for first, second in (*pairwise(sources), *pairwise(targets)):
        match (first.end, second.end):
            case (Host(app=str(app)), Address() as address):
                is_server = second.is_server
            case (Address() as address, Host(app=str(app))):
                is_server = first.is_server
            case _:
                continue
        between = second.before[first.stop - second.start :]
        is_same_port = first.port is None or second.port in (None, first.port)
        if is_same_port and (is_server or re.fullmatch(_BESIDE, between) is not None):
            addresses.setdefault(app, address)
    return addresses


# --- their roles ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Tried:
    """An end that a connection was opened to.

    Args:
        end: the end.
        port: its port, but not one that systems give to clients.
        phase: how far the program had come with this end; None if its words are not known.
    """

    end: "Named"
    _: KW_ONLY
    port: int | None = None
    phase: Phase | None = None


def in_roles(
    ends: Sequence[EndInText], own: Address | None
) -> tuple[Named | None, list[EndInText]]:
    """Return the source, and the ends that it tried.

    An end is the source only with evidence, the strongest first: its port is a client's, and
    another end has a server's; the text calls it the source; it is this Machine. Without any, the
    source is this Machine. Where several ends may be the source, or the text is a list of more ends
    than a message about connections has, nothing is returned.

    Args:
        ends: the ends.
        own: the address of this Machine, if it is known.
    """
    if not ends or len(ends) > MOST_ENDS:
        return None, []
    servers = sum(end.is_server for end in ends)
    clients: list[EndInText] = []
    called: list[EndInText] = []
    marked: list[EndInText] = []
    for end in ends:
        if end.has_clients_port and servers > end.is_server:
            clients.append(end)
        if end.is_source:
            marked.append(end)
        if end.is_source and not end.is_server:
            called.append(end)
    sources = clients or called or marked
    if len(sources) > 1:
        sources = [end for end in sources if end.end == own]  # what this Machine opened failed
        if not sources:
            return None, []
    source: Named | None = own
    if sources:
        source = sources[0].end
    tried = [end for end in ends if end.end != source]
    if source != own and len(tried) > 1:
        tried = [end for end in tried if end.end != own]  # this Machine only printed the line
    if not tried and own is not None:
        if source != own:
            tried = [EndInText(own)]  # a client of this Machine
        elif not sources:
            return None, list(ends)  # this Machine itself is tried
    return source, tried
