"""How far a program had come when it printed a line, by its words: the phase.

A phase is what a network can know of a failure. Why a server closed a connection, or refused a
password, its own words and its log say better.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import cache
from typing import NamedTuple

from fdaa.scan._expression_parts import COLOUR


class Phase(StrEnum):
    """How far a program had come when it printed a line."""

    ADDRESS = "address"  # it could not read an address, a URL or a port
    LOOKUP = "lookup"  # it found no address for a name
    NOT_SENT = "not-sent"  # its own computer has no way to the address
    REFUSED = "refused"
    UNREACHABLE = "unreachable"
    SILENT = "silent"  # nothing came back in time
    CONNECTED = "connected"  # no failure
    STALLED = "stalled"  # the connection was open, and then nothing came back in time
    RESPONDED = "responded"  # the connection was open, and the other end objected or closed it
    HERE = "here"  # it cannot listen, or has no free port, file or connection of its pool
    FAILED = "failed"  # it got no connection, and does not say why

    @property
    def was_open(self) -> bool:
        """Whether the connection was open."""
        return self in (Phase.CONNECTED, Phase.STALLED, Phase.RESPONDED)


class _Row(NamedTuple):
    """What shows a phase.

    Args:
        phase: the phase.
        words: phrases in lower case, one a line or with ` | ` between them. `...` stands for at
            most 80 characters.
        errors: the numbers of errors in it, as Linux, macOS and Windows print them.
        expression: what phrases cannot say, for a line in lower case.
        is_sure: whether the words say how far the program had come. If not, another line of the
            text may say it better.
    """

    phase: Phase
    words: str
    errors: str = ""
    expression: str = r"(?!)"
    is_sure: bool = True


# What is before the number of a status of HTTP.
_STATUS = r"""
    \b (?: http | status | error | response )
    (?: / [0-9.]{1,3} "? )?
    (?: [ _]? code )? ["':=]{0,3} [ ]?
"""
# What two ends agree on once a connection is open.
_ABOUT = r"""
    certificates? | tls | ssl | https | encryption | handshake | password | credentials
  | authenticat\w{1,4} | login | username | role | token | jwt | audiences? | aud | issuer | exp
"""
# That they did not.
_WRONG = r"""
    \b fail | error | invalid | expired | refused | denied | reject | untrusted | mismatch
  | unsupported | wrong | incorrect | missing | required | unknown | \b bad \b | insecure | expect
  | n't [ ] (?: match | support | verif )
  | \b not [ ] (?: valid | support | allowed | trusted | accepted | available | match | enabled
    | issued | for | exist )
"""
# The first row that fits a line counts, so the most certain words come first.
_ROWS = (
    _Row(
        Phase.RESPONDED,
        "password authentication failed",
        # The error of a server, whatever it says, after that of its client (libpq).
        expression=r"\bconnection (?:to .{1,200} )?failed: (?:fatal:|error:  )",
    ),
    _Row(
        Phase.HERE,
        """
        address already in use | address in use | eaddrinuse | connection in use:
        port ... in use | port ... already bound | port is already allocated
        only one usage of each socket
        too many open files | emfile | no free ports
        create listening socket | create listen socket | register/listen error
        listen ... assign requested address | bind ... assign requested address
        listen ... eaddrnotavail | bind ... eaddrnotavail | listen ... address not available
        listen eafnosupport | listen ... address family
        listen queue ... full | accept queue ... full | queue overflow
        connection is not available | limit of size | dropped from queue | acquisition timeout
        waiting for a free connection
        resource from the pool | connection from the pool | exhaustedpool | idle=0, waiting=
        pool ... exhausted | pool ... timed out | pool ... timeout | pool is full | pool full
        pool is probably full | timed out ... connection pool | timed out ... from pool
        """,
        expression=r"""(?x)
            # A list of sockets: other Machines cannot connect there.
            (?: ^ | \s ) listen \s .{0,40} \s
            (?: 127 (?: \. [0-9]+ ){3} | 0\.0\.0\.0 | \[? ::1 \]? ) : [0-9]+ \s
          | \s (?: 127 (?: \. [0-9]+ ){3} | 0\.0\.0\.0 | \[? ::1 \]? ) : [0-9]+ \s .{0,40} \s listen
        """,
    ),
    _Row(
        Phase.ADDRESS,
        """
        too many colons in address | missing port in address | cannot contain colon
        invalid port | nonnumeric port | bad port number | port could not be cast to integer
        bad_host_port | missing ']' | network bind parameter | unescaped at-sign
        addrparseerror | invaliduri | invalidurl | err_invalid_url | urisyntaxexception
        malformedurl | bad uri | bad/illegal format | url using bad | url rejected
        invalidhostname | badhostname | invalid dns name | invalid server name
        invalid ipv6 | url without brackets | failed to parse | host not found in resolver
        base 10: '...:
        """,
        expression=r"""(?x)
            # The first groups of an address as a name, or an address in brackets as one.
            \b (?: host (?: [ -]? name )? | at | enotfound | lookup | to | address | resolve | for )
            \]? :? [ ]? ['"`(]{0,2}
            (?:
                fdaa (?: [:/] [0-9]{0,5} )? /? (?! [\w.:%-] )
              | \[{1,2} fdaa: [0-9a-f:]{2,40} \] [`'" ,]
              | fdaa (?: : [0-9a-f]{1,4} ){1,6} : ['"`]
            )
          | \b enotfound [ ] \[
          | fdaa%3a | \[\[fdaa:
          | \[ (?: [0-9a-f]{1,4} : ){8} [0-9]{1,5} \]                   # a port inside brackets
          | fdaa: [0-9a-f:]{1,40} : ([0-9]{2,5}) \]? : \1 (?! [0-9] | :[0-9a-f] )     # or twice
          | \b (?:
                invalid | malformed | illegal | bad | n.t [ ] parse
              | not [ ] a [ ] (?: valid | legal )
              | (?: cannot | unable [ ] to | failed [ ] to | error ) [ ] pars \w{1,5}
            )
            .{0,40}
            \b (?:
                ur[il] | port | host [ ]? name \b (?! /ip ) | ip (?: v6 )? [ ] address | authority
              | ipv6 | endpoint | dsn | connection [ ] string | socket [ ] address
            ) \b
        """,
    ),
    _Row(
        Phase.LOOKUP,
        """
        nxdomain | enotfound | eai_again | eai_noname | servfail | gaierror
        getaddrinfo | gethostby | c-ares | server misbehaving | zero addresses
        name or service not known | nodename nor servname | name does not resolve
        name resolution | nameresolution | err_name_not_resolved
        non-existing domain | domain name not found | no such host | unknown host | unknownhost
        unknown mysql server host | host not found | unresolved address | bad address '
        failed to lookup | failed host lookup | could not translate host
        no address associated with | no data of the requested type | no suitable address
        resolving timed out | no servers could be reached | no nameservers
        dns server returned | contact dns server
        dns entries for | address family for hostname | get address for
        """,
        "11001|11002|11004",
        r"""(?x)
            \b lookup [ ] (?! fail | error ) [^\s:]{1,200} (?: [ ] on [ ] \S{1,60} )? : [ ]
          | \b query [a-z]{1,8} [ ] e [a-z]{4}                          # queryAaaa ENODATA
          | (?: not | n't | unable [ ] to | fail\w{0,3} [ ] to | error | failed | failure )
            [ ] (?: resolv\w{1,3} | look (?: ing )? [ ]? up ) [ ] (?: the [ ] )?
            (?: host | name | dns | address | domain | ['"]? [\w.-]{1,100} \.internal )
          | (?: host | name | dns | address | domain | \.internal ) .{0,60}
            (?: not [ ] be [ ] resolved | resol\w{1,5} [ ] (?: fail | time )
              | lookup [ ] (?: fail | err ) )
          | \b dial [ ] (?: tcp | udp ) [46]? : [ ] i/o [ ] timeout     # no address was dialled
          | \b read [ ] udp [ ] .{0,80} :53: [ ] i/o [ ] timeout
          | \b error [ ] -[235] [ ] connecting
        """,
    ),
    _Row(
        Phase.REFUSED,
        """
        connection refused | econnrefused | connectionrefused | refused connection
        actively refused | port unreachable | unreachable port | administratively prohibited
        flags [r.], seq 0
        """,
        "111|61|10061",
    ),
    _Row(
        Phase.NOT_SENT,
        """
        network is unreachable | network unreachable | networkunreachable | unreachable network
        enetunreach | network is down | enetdown | assign requested address | eaddrnotavail
        eafnosupport | address family not supported | protocol family unavailable
        incompatible with the requested protocol | eprotonosupport
        connect einval | connect ... invalid argument | remote host: invalid argument
        connect eacces | connect eperm | connect ... not permitted | permission denied (connect
        """,
        "97|99|47|101|51|65|22|10047|10051|10022",
        r"(?:\bconnect|\bdial|\bconnection to)\b.{0,120}permission denied(?! for| to| \()",
    ),
    _Row(
        Phase.UNREACHABLE,
        """
        no route to host | noroutetohost | ehostunreach | hostunreachable | host is unreachable
        host unreachable | destination unreachable | address unreachable | host is down | ehostdown
        hop limit exceeded | time exceeded ... hop | icmp ... time exceeded
        """,
        "113|10065",
    ),
    _Row(
        Phase.STALLED,
        """
        read timed out | readtimeout | read timeout | read operation timed out | read etimedout
        timed out ... while read | timeout ... while read | timeout reading from
        headers_timeout | headers timeout | body_timeout | body timeout | esockettimedout
        awaiting response headers
        request canceled (client.timeout | command timed out
        handshake ... timeout | handshake ... timed out | handshake ... deadline exceeded
        handshake timed | ssl connection timeout | waiting for greeting
        upstream request timeout | did not receive any response
        banner ... timeout | banner ... timed out | greeting ... timed out
        response ... timed out | response timeout | reply ... timed out
        """,
        expression=r"""(?x)
            with [ ] [0-9]+ (?: [ ] out [ ] of [ ] -? [0-9]+ )? [ ] bytes [ ] received
          | \b read [ ] tcp [46]? [ ] (?! .{0,80} -> .{0,60} :53 \b )
            .{0,200} (?: timeout | timed [ ] out | deadline [ ] exceeded )
        """,
    ),
    _Row(
        Phase.RESPONDED,
        "use of closed network connection",
        expression=r"\b(?:read|write) tcp[46]? (?!.{0,80}->.{0,60}:53\b)",
    ),
    _Row(
        Phase.SILENT,
        """
        etimedout | syn_sent | syn-sent | did not properly respond | 100% packet loss | curl: (28)
        connect timeout | connecttimeout | connection timeout | opentimeout | open timeout
        connect timed out | connection timed out | connection attempt ... timed out
        connect to ... timed out | connection to ... timed out | connecting ... timed out
        connect to ... timeout | connecting ... timeout | tcp connect (... timeout
        timed out ... connecting | timeout ... connecting
        dial tcp ... timeout | dial udp ... timeout | dial tcp ... deadline exceeded
        """,
        "110|60|10060",
    ),
    _Row(
        Phase.FAILED,  # a proxy, which says nothing of its upstream
        """
        upstream connect error | upstream reset | upstream_reset | no live upstreams
        no healthy upstream | server selection timed out | bad gateway
        gateway timeout | gateway time-out
        service unavailable | service temporarily unavailable
        """,
        expression=rf"(?x) {_STATUS} 50[234] \b",
        is_sure=False,
    ),
    _Row(
        Phase.RESPONDED,
        """
        x509 | unknown authority | unknown ca | self-signed | self signed | certification path
        altname | first record does not look like | http response to https
        http request to an https | malformed http response | wrong version number
        wrong_version_number | tls_alert | sslv3_alert | ssl_error | ssl routines | eproto
        packet length too long | unexpected packet | corrupted frame
        access denied | access_refused | wrongpass | noauth | unauthenticated | permission denied (p
        permission denied, please try again | host key verification failed
        pg_hba.conf | protected mode | not allowed to connect | disallowed node
        invalid challenge reply | invalididentitytoken | expiredtoken
        too many clients | too many connections | too many open connections | connection slots
        max number of clients | max_client_conn | max_user_connections | no more connections
        maximum of ... connections | connections ... exceeded | connection is insecure
        starting up | shutting down | not yet accepting | in recovery mode | loading the dataset
        clusterdown | hash slot | internal server error | eof occurred | unexpected_eof
        econnreset | connection reset | reset by peer | broken pipe | epipe | socket hang up
        unexpected eof | eof detected | from server: eof | preface: eof | end of file reached
        connection: eof | closing bad idle | empty reply | prematurely | socket disconnected
        closed by | closed the connection | closed connection
        closed unexpectedly | closed abruptly
        other side closed | connection ... closed | tcp recv: closed | forcibly closed
        remotedisconnected | server disconnected | disconnected by peer | goaway
        lost connection | connection lost | connection_lost | bad connection | incompletemessage
        terminating connection | terminated unexpectedly | connection was killed
        marked as broken | server has gone away | last packet successfully
        statement timeout | lock wait | lock timeout | execution timeout | maxtimemsexpired
        canceling statement | deadlock | obtain lock | missed heartbeat | exceeded time limit
        idle-in-transaction | query execution was interrupted | maximum statement execution
        """,
        expression=r"""(?x)
            # The error of a server, after that of its client.
            (?: failed | error | server | connection | psql | postgres | \b pq ) .{0,80}
            \b (?: fatal : | error : [ ]{2} ) (?! .{0,20} connect )
          | \b (?: get | head | post | put | patch | delete ) [ ] "?
            https?:// \S{1,400} : [ ] eof \b
          | STATUS 500 \b
            # What two ends agree on once a connection is open, and that they did not.
          | \b (?: ABOUT ) \b .{0,80} (?: WRONG )
          | (?: WRONG ) .{0,60} \b (?: ABOUT ) \b
        """.replace("STATUS", _STATUS)
        .replace("ABOUT", _ABOUT)
        .replace("WRONG", _WRONG),
    ),
    _Row(
        Phase.SILENT,
        "timed out | timeout | deadline exceeded | execution expired",
        is_sure=False,
    ),
    # Drivers of Java print it for other errors, too, which stand on the next line.
    # People write the bare word after a port.
    _Row(
        Phase.REFUSED,
        "connection to ... refused. check that",
        expression=r":[0-9]{1,5}:? refused\b",
        is_sure=False,
    ),
    _Row(
        Phase.FAILED,
        """
        no server available | no ... server available | no ... servers available
        no suitable servers | nobrokersavailable | no known server | no available server
        brokers are down | may not be available | - no response
        maxretriesperrequest | max retries exceeded | communications link failure
        could not be established | not possible to connect | endpoints were reachable
        unsuccessful connection | connection problem | gave up after
        nodename, cookie | no_ping | 'pang' | nodedown
        connection ... failed | connect ... failed | connecting ... failed | connection failure
        connection error | connection ... unavailable
        """,
        expression=r"""(?x)
            (?: fail\w{0,4} | unable | could [ ]? n.t | can (?: not | 't ) | not [ ] able
              | could [ ] not | error )
            [ ] (?: to [ ] )? (?: \w{1,20} [ ] ){0,3} (?: connect | dial | reach )
        """,
        is_sure=False,
    ),
    _Row(
        Phase.CONNECTED,
        """
        established | connection complete | handshake complete | tcp open
        accepted connection | connection accepted | connection received | connection authorized
        accepted publickey | accepted password | verify return code: 0 | hit enter to connect
        - accepting connections | flags [s.] | flags [p.] | connect ... succeeded
        connection ... succeeded
        """,
        expression=r"""(?x)
            (?<! not [ ] ) (?<! n't [ ] ) (?<! never [ ] )
            \b connected (?: [ ] to \b | \( 0 | [ ] \( | \. (?= \s | $ ) )
          | ^ estab \s
          | \b [0-9]+ [ ] bytes [ ] from \b
            # A status of HTTP below 500.
          | \b http/ [0-9.]{1,3} "? [ ] [1-4][0-9][0-9] \b
          | \b status (?: [ _]? code )? ["']? [:= ]{1,3} [1-4][0-9][0-9] \b
          | https?:// [^\s"']{1,400} ["']? [ ,:>-]{1,4} (?: \( )? [1-4][0-9][0-9] \b
          | \) [ ] open $
          | \b open \b .{0,20} \b tcp \b
        """,
    ),
)

# A number of an error, where it can only be one.
_ERROR = r"""(?x)
    (?:
        (?: errno | \b os [ ] error | \b code | connect (?:ion)? [ _] error | winsock [ ] error
          | returned [ ] error )
        [\s:=(\[\#_]{1,3} -?
      | connect .{0,120} \(
    )
    (?: NUMBERS ) (?! \.? [0-9] )
  | \b error [ ] (?: NUMBERS ) [ ] connecting
"""
_OF_ADDRESSES = frozenset("0123456789abcdef:.[]/")  # a line of these alone has no words


@cache
def _phrases(row: _Row) -> list[tuple[str, ...]]:
    """Return the phrases of a row, each as the parts between its gaps."""
    phrases = re.split(r"\s*[|\n]\s*", row.words.strip())
    return [tuple(re.split(r"\s*\.\.\.\s*", phrase)) for phrase in phrases]


@cache
def _expression(parts: tuple[str, ...]) -> re.Pattern[str]:
    """Return the expression for a phrase: not inside a word or a path, and no name of a setting."""
    phrase = ".{0,80}?".join(map(re.escape, parts))
    return re.compile(rf"(?<![_/a-z])(?:{phrase})(?!=|_[a-z]{{0,20}}=)")


class PhaseOfLine(NamedTuple):
    """A line of a text, or a piece of one, and its phase.

    Args:
        start, end: where it begins and ends.
        phase: how far the program had come; None if its words are not known.
        is_sure: whether its words say so; else another line may say it better.
    """

    start: int
    end: int
    phase: Phase | None
    is_sure: bool

    def has_any(self, places: Sequence[int]) -> bool:
        """Return whether any of these places of the text, which are in order, is in it."""
        return bisect_left(places, self.start) < bisect_left(places, self.end + 1)


def read_phases(text: str) -> list[PhaseOfLine]:
    r"""Return the lines of a text, each with its phase; `\n` written as an escape ends one, too."""
    return list(_read(text, 0, r"\n|\\n"))


def read_pieces(text: str, line: PhaseOfLine) -> list[PhaseOfLine]:
    """Return the pieces of a line that may each be about another target, with their phases."""
    separator = r"(?i); |\), \[|\}, \{|\) \(|, (?=connect |error: )"
    return list(_read(text[line.start : line.end], line.start, separator))


def _read(text: str, offset: int, separator: str) -> Iterator[PhaseOfLine]:
    start = 0
    for match in re.finditer(separator, text):
        yield _phase_of(text[start : match.start()], offset + start)
        start = match.end()
    yield _phase_of(text[start:], offset + start)


def _phase_of(line: str, start: int) -> PhaseOfLine:
    end = start + len(line)
    lowered = re.sub(COLOUR, "", line.lower())  # its last letter would join the word after it
    if not _OF_ADDRESSES.issuperset(lowered):
        for row in _ROWS:
            if _fits(row, lowered):
                phase = row.phase
                if phase is Phase.LOOKUP and _names_an_address(lowered):
                    phase = Phase.ADDRESS
                return PhaseOfLine(start, end, phase, row.is_sure)
    return PhaseOfLine(start, end, None, is_sure=True)


def _fits(row: _Row, line: str) -> bool:
    for parts in _phrases(row):
        if parts[0] in line and _expression(parts).search(line) is not None:
            return True
    if row.errors and re.search(_ERROR.replace("NUMBERS", row.errors), line) is not None:
        return True
    return re.search(row.expression, line) is not None


# An address that is not the resolver's, and not the source of a question to it.
_AN_ADDRESS = r"\bfdaa:(?!:3\]?[:#]53\b)[0-9a-f:]{2,40}+(?!\]?:[0-9]{1,5}->)"


def _names_an_address(line: str) -> bool:
    """Return whether what was looked up is an address, which is not that of the resolver."""
    return ".internal" not in line and re.search(_AN_ADDRESS, line) is not None


def first_failure(lines: Sequence[PhaseOfLine]) -> Phase | None:
    """Return the phase of the first line that shows a failure, one that is sure before others.

    Without a failure, it is that of a line that shows an open connection, or None.
    """
    best: Phase | None = None
    for line in lines:
        if line.phase not in (None, Phase.CONNECTED) and line.is_sure:
            return line.phase
        if best in (None, Phase.CONNECTED):
            best = line.phase or best
    return best
