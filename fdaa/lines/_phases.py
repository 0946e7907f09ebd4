"""How far a program had come when it printed a line, by its words: the phase.

A phase is what a network can know of a failure. Why a server closed a connection, or refused a
password, its own words and its log say better.
"""

import re
from enum import StrEnum

from fdaa._values.checks import check_type


class Phase(StrEnum):
    """How far a program had come when it printed a line."""

    ADDRESS = "address"  # it could not read an address, a URL or a port
    LOOKUP = "lookup"  # it found no address for a name
    NOT_SENT = "not-sent"  # its own computer has no way to the address
    REFUSED = "refused"
    UNREACHABLE = "unreachable"
    SILENT = "silent"  # nothing came back in time
    STALLED = "stalled"  # the connection was open, and then nothing came back in time
    RESPONDED = "responded"  # the connection was open, and the other end objected or closed it
    CONNECTED = "connected"  # no failure
    HERE = "here"  # it cannot listen, or open a socket
    FAILED = "failed"  # it got no connection, and does not say why

    @property
    def was_open(self) -> bool:
        """Whether the connection was open."""
        return self in (Phase.STALLED, Phase.RESPONDED, Phase.CONNECTED)


# A phase, the words that show it, in lower case, and an expression. The first row that fits counts,
# so words that leave no doubt come first. `{N}` is a number of an error, as systems print it.
_ERROR = (
    r"(?:errno|os error|\bcode|connect(?:ion)? error|winsock error)[\s:=(\[#]{{1,3}}-?(?:{0})\b|"
    r"\berror (?:{0}) connecting|connect.{{0,120}}\((?:{0})[):,]"
)
# What two ends agree on once a connection is open, and that they did not.
_ABOUT = (
    r"\b(?:certificates?|tls|ssl|https|encryption|handshake|password|authenticat\w{1,4}|"
    r"credentials|"
    r"login|username|role|token|jwt|audiences?|aud|issuer|exp)\b"
)
_WRONG = (
    r"(?:\bfail|error|invalid|expired|refused|denied|reject|untrusted|mismatch|unsupported|wrong|"
    r"incorrect|missing|required|unknown|\bbad\b|\bnot (?:valid|supported|allowed|trusted|accepted|"
    r"available|match\w*|enabled|for|exist)|n't (?:match|support|verif)|insecure|expect)"
)
_ROWS: tuple[tuple[Phase, str, str], ...] = (
    (
        Phase.HERE,
        "address already in use|address in use|eaddrinuse|connection in use:|"
        "port is already allocated|only one usage of each socket|too many open files|emfile|"
        "cannot create listening socket|could not create listen socket|register/listen error",
        r"\bport\b.{0,40}(?:in use|already bound|occupied)|"
        r"\b(?:listen|bind).{0,80}(?:assign requested address|eaddrnotavail|address not available|"
        r"eafnosupport|address family)|(?:accept|listen) queue.{0,40}(?:full|overflow)|"
        # A list of sockets: other Machines cannot connect there.
        r"(?:\slisten|^listen|\blisten\s).{0,40}\s(?:127(?:\.[0-9]+){3}|0\.0\.0\.0|"
        r"\[?::1\]?):[0-9]+\s|"
        r"\s(?:127(?:\.[0-9]+){3}|0\.0\.0\.0|\[?::1\]?):[0-9]+\s.{0,40}\slisten",
    ),
    (
        Phase.ADDRESS,
        "too many colons in address|missing port in address|invalid port|nonnumeric port|"
        "bad port number|could not be cast to integer|addrparseerror|invaliduri|urisyntaxexception|"
        "malformedurl|bad_host_port|missing ']'|invalid dns name|invalid server name|"
        "cannot contain colon|bad/illegal format|invalid ipv6|host not found in resolver|bad uri|"
        "invalidhostname|failed to parse|network bind parameter|err_invalid_url|badhostname|"
        "unescaped",
        # A name that is the first groups of an address, or one in brackets.
        r"(?:host(?:[ -]?name)?|at|enotfound|lookup|to|address|resolve|for)\]?:? ?['\"`(]{0,2}"
        r"(?:fdaa(?:[:/][0-9]{0,5})?/?(?![\w.:%-])|\[{1,2}fdaa:[0-9a-f:]{2,40}\][`'\" ,]|"
        r"fdaa(?::[0-9a-f]{1,4}){1,6}:['\"`])|fdaa%3a|\[\[fdaa:|"
        r"\[(?:[0-9a-f]{1,4}:){8}[0-9]{1,5}\]|"
        r"fdaa:[0-9a-f:]{1,40}:([0-9]{2,5})\]?:\1(?![0-9]|:[0-9a-f])|"
        r"(?:invalid|malformed|illegal|bad|n.t parse|(?:cannot|unable to|failed to|error) pars\w+|"
        r"not a (?:valid|legal)).{0,40}\b(?:ur[il]|port|host ?name\b(?!/ip)|ip(?:v6)? address|"
        r"authority|"
        r"ipv6|endpoint|dsn|connection string|socket address)\b|"
        r"base 10: '[0-9a-f:]{9,}",
    ),
    (
        Phase.LOOKUP,
        "nxdomain|enotfound|eai_again|eai_noname|non-existing domain|no such host|unknown host|"
        "unknownhost|unknown mysql server host|name or service not known|name does not resolve|"
        "nodename nor servname|name resolution|nameresolution|failed to lookup|failed host lookup|"
        "could not translate host|getaddrinfo|gethostby|bad address '|zero addresses|servfail|"
        "err_name_not_resolved|gaierror|dns lookup failed|host not found|server misbehaving|"
        "no address associated with|no data of the requested type|no suitable address|"
        "c-ares|no servers could be reached|no nameservers|dns server returned|"
        "could not contact dns",
        r"\blookup [^\s:]{1,200}(?: on \S{1,60})?: |\bquery[a-z]{1,8} e[a-z]{4,}|"
        r"(?:resolv\w+|look(?:ing)? ?up) (?:the )?(?:host|name|dns|address|domain|"
        r"['\"]?[\w.-]{1,100}\.internal)|(?:host|name|dns|address|domain|\.internal).{0,60}"
        r"(?:not be resolved|resol\w+ (?:fail|time)|lookup (?:fail|error)|entries for)|"
        r"unresolved address|domain name not found|\bdial (?:tcp|udp)[46]?: i/o timeout|"
        r"\bread udp .{0,80}:53: i/o timeout|error -[235] connecting|" + _ERROR.format("1100[124]"),
    ),
    (
        Phase.REFUSED,
        "connection refused|econnrefused|connectionrefused|refused connection|actively refused|"
        "port unreachable|unreachable port|administratively prohibited|"
        "flags [r.], seq 0|refused. check that",
        _ERROR.format("111|61|10061"),
    ),
    (
        Phase.UNREACHABLE,
        "no route to host|noroutetohost|ehostunreach|hostunreachable|host is unreachable|"
        "host unreachable|host is down|ehostdown|address unreachable|hop limit exceeded",
        r"time exceeded.{0,20}(?:hop|icmp)|icmp.{0,40}time exceeded|" + _ERROR.format("113|10065"),
    ),
    (
        Phase.NOT_SENT,
        "network is unreachable|network unreachable|networkunreachable|unreachable network|"
        "enetunreach|network is down|enetdown|assign requested address|eaddrnotavail|eafnosupport|"
        "address family not supported|protocol family unavailable|incompatible with the requested "
        "protocol|no free ports",
        r"\b(?:connect|dial|connection to)\b.{0,120}(?:permission denied(?! for| to)|eacces|"
        r"eperm|not permitted)|permission denied \(connect|"
        + _ERROR.format("9[79]|47|101|51|65|10047|10051"),
    ),
    (
        Phase.STALLED,
        "read timed out|readtimeout|read timeout|read operation timed out|headers_timeout|"
        "body_timeout|esockettimedout|request canceled (client.timeout|awaiting response headers|"
        "tls handshake timeout|handshake timed out|handshake timeout|ssl connection timeout|"
        "upstream request timeout|did not receive any response|waiting for greeting",
        r"\bread tcp[46]? (?!.{0,80}->.{0,60}:53\b).{0,200}(?:timeout|timed out|deadline exceeded)|"
        r"timed out.{0,30}while read|with [0-9]+ (?:out of -?[0-9]+ )?bytes received|"
        r"(?:banner|handshake|response|greeting|reply).{0,30}(?:timed out|timeout)",
    ),
    (
        Phase.FAILED,  # whether a pool could open no connection, or all of them are in use
        "limit of size|dropped from queue|acquisition timeout|waiting for a free connection|"
        "resource from the pool|exhaustedpool",
        r"pool\b(?!\().{0,80}(?:exhaust|timed? ?out|timeout|\bfull\b|waiting[=: ]{1,2}[1-9])|"
        r"(?:timed? ?out|waiting|exhausted|unable).{0,60}pool\b(?!\()|idle=0, waiting=[1-9]",
    ),
    (Phase.RESPONDED, "", r"\b(?:read|write) tcp[46]? (?!.{0,80}->.{0,60}:53\b)"),
    (
        Phase.SILENT,
        "etimedout|syn_sent|syn-sent|connect timeout|connecttimeout|connection timeout|"
        "opentimeout|open timeout|connect timed out|connection timed out while connecting",
        r"\bdial (?:tcp|udp).{0,200}(?:i/o timeout|deadline exceeded)|tcp connect \(.{0,80}timeout|"
        r"\bconnect(?:ing|ion)?\b(?: attempt)?(?: to .{0,80})? (?:timed out|timeout)|"
        r"timed? ?out .{0,30}connecting|" + _ERROR.format("110|60|10060"),
    ),
    (
        Phase.RESPONDED,
        "x509|unknown authority|unknown ca|self-signed|self signed|certification path|altname|"
        "first record does not look like|http response to https|http request to an https|"
        "wrong version number|wrong_version_number|malformed http response|tls_alert|sslv3_alert|"
        "packet length too long|unexpected packet|corrupted frame|ssl_error|eproto|write eproto|"
        "access denied|wrongpass|noauth|access_refused|unauthenticated|pg_hba.conf|protected mode|"
        "not allowed to connect|too many clients|too many connections|too many open connections|"
        "connection slots|max number of clients|max_client_conn|max_user_connections|"
        "starting up|shutting down|not yet accepting|in recovery mode|loading the dataset|"
        "clusterdown|clusterdownerror|hash slot|bad gateway|gateway time|service unavailable|"
        "service temporarily unavailable|econnreset|connection reset|reset by peer|broken pipe|"
        "epipe|socket hang up|end of file reached|unexpected eof|eof detected|from server: eof|"
        "preface: eof|closing bad idle|empty reply|remotedisconnected|prematurely|closed by|"
        "closed the connection|"
        "closed connection|connection was closed|connection has been closed|closed unexpectedly|"
        "connection closed|other side closed|closed abruptly|goaway|lost connection|"
        "connection lost|connection_lost|bad connection|incompletemessage|tcp recv: closed|"
        "terminating connection|terminated unexpectedly|connection was killed|forcibly closed|"
        "marked as broken|server has gone away|server disconnected|disconnected by peer|"
        "last packet successfully|statement timeout|lock wait|lock timeout|execution timeout|"
        "maxtimemsexpired|"
        "canceling statement|deadlock|missed heartbeat|could not obtain "
        "lock|internal server error|invalid challenge reply|"
        "disallowed node|idle-in-transaction|query execution was interrupted|"
        "operation exceeded time limit|maximum statement execution|jwt expired|expiredtoken|"
        "invalididentitytoken",
        r"\b(?:get|head|post|put|patch|delete) \"?https?://\S{1,400}: eof\b|"
        r"(?:http|status|error)(?: code)?:? 50[0234]\b|connection .{0,80} closed\b|"
        rf"{_ABOUT}.{{0,80}}{_WRONG}|{_WRONG}.{{0,60}}{_ABOUT}|no more connections|"
        r"(?:connections|clients|sessions).{0,20}\b(?:limit|maximum)\b.{0,20}(?:reached|exceeded)|"
        r"connection is insecure",
    ),
    (Phase.SILENT, "timed out|timeout|deadline exceeded|execution expired", ""),
    (
        Phase.FAILED,
        "no live upstreams|no server available|no servers available|no suitable servers|"
        "maxretriesperrequest|no healthy upstream|nobrokersavailable|max retries exceeded|"
        "communications link failure|upstream connect error|could not be established|"
        "may not be available|not possible to connect|nodename, cookie|no_ping|'pang'|nodedown|"
        "endpoints were reachable",
        r"(?:fail\w{0,4}|unable|could ?n.t|can(?:not|'t)|not able|could not|error) (?:to )?"
        r"(?:\w{1,20} ){0,3}(?:connect|dial|reach)|no (?:known|available) .{0,20}(?:server|broker)|"
        r"connect(?:ion|ing)?\b.{0,60}\b(?:failed|failure|unavailable)\b",
    ),
    (
        Phase.CONNECTED,
        "estab|established|accepted connection|connection accepted|connection authorized|"
        "connection received|accepted publickey|accepted password|handshake complete|"
        "verify return code: 0|flags [s.]|flags [p.]|tcp open|hit enter to connect",
        r"(?<!not )(?<!n't )(?<!never )\bconnected(?: to|\(0| \()|connect\w*\b.{0,120}\bsucceeded|"
        r"\b[0-9]+ bytes from|\bhttp/[0-9.]{1,3}\"? [1-5][0-9][0-9]\b|"
        r"\bstatus(?: ?code)?[\"']?[:= ]{1,3}[1-4][0-9][0-9]\b|\) open$|\bopen\b.{0,20}\btcp\b",
    ),
)


def words_of(phase: Phase) -> tuple[str, ...]:
    """Return the words that show a phase alone."""
    words = "|".join(row_words for row, row_words, _ in _ROWS if row is phase)
    return tuple(word for word in words.split("|") if word)


def find_phase(text: str) -> Phase | None:
    """Return the phase in which a program prints the words of a text; None if none are known.

    >>> print(find_phase("dial tcp [fdaa:2:45b::3]:80: connect: connection refused"))
    refused
    """
    check_type(text, "text", str)
    lowered = text.lower()
    for phase, words, expression in _ROWS:
        found = [re.escape(word) for word in words.split("|") if word and word in lowered]
        if found:
            found = [rf"(?<![_/a-z])(?:{'|'.join(found)})(?!=|_[a-z]*=)"]
        if expression:
            found.append(expression)
        if any(re.search(each, lowered) is not None for each in found):
            return Phase.ADDRESS if phase is Phase.LOOKUP and _has_no_name(lowered) else phase
    return None


def _has_no_name(lowered: str) -> bool:
    """Return whether what was looked up is an address, which is not that of the resolver."""
    return ".internal" not in lowered and re.search(_AN_ADDRESS, lowered) is not None


_AN_ADDRESS = r"\bfdaa:(?!:3\]?[:#]53\b)[0-9a-f:]{2,40}+(?!\]?:[0-9]{1,5}->)"
