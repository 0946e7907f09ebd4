"""The words of a line: the phase in which programs print them, and what they are evidence of."""

# Without `annotations` from `__future__`: annotations of public names must be objects.

import re
from dataclasses import dataclass

from fdaa._checks import check_type
from fdaa.lines._evidence import Circumstance, Evidence, Phase


@dataclass(frozen=True, slots=True)
class Words:
    """Words that programs print in one phase, all of which are evidence of one kind.

    Args:
        phase: how far the program had come.
        evidence: what the words show.
        words: the words, in any case.
        also: an expression that a text has to match, too; "" for none.
        unless: an expression that a text must not match; "" for none.
        known: what else is known then.
    """

    phase: Phase
    evidence: Evidence
    words: tuple[str, ...]
    also: str = ""
    unless: str = ""
    known: frozenset[Circumstance] = frozenset()

    def fit(self, text: str) -> bool:
        """Return whether a text has one of the words, which is no setting and in no path.

        `read_timeout` and `timeout=30s` are settings.
        """
        any_of_them = "|".join(map(re.escape, self.words))
        if re.search(rf"(?i)(?<![_/])(?:{any_of_them})(?![_=])", text) is None:
            return False
        if self.also and re.search(self.also, text) is None:
            return False
        return not self.unless or re.search(self.unless, text) is None


# A lookup failed.
_NOT_FOUND = (
    "NXDOMAIN",
    "ENOTFOUND",
    "non-existing domain",
    "name or service not known",
    "name does not resolve",
    "nodename nor servname",
    "could not resolve host",
    "couldn't resolve host",
    "could not translate host name",
    "failed to lookup address information",
    "failed host lookup",
    "failed to resolve",
    "getaddrinfo failed",
    "host not found",
    "bad address '",
    "unknown host",
    "unknown MySQL server host",
    "UnknownHostException",
    "no such host",
)
_TIMEOUT = ("i/o timeout", "timed out", "timeout", "deadline exceeded")
_OPENING = r"(?i)\bdial (?:tcp|udp)|while (?:waiting for connection|connecting)|lookup "

# The first row that fits counts, so those that say more come first.
WORDS = (
    # The other end responded.
    Words(
        Phase.APPLICATION,
        Evidence.TOKEN_AUDIENCE,
        (
            "incorrect token audience",
            "invalid for the target audiences",
            "JWT claim 'aud'",
            "invalid audience",
            "audience mismatch",
            "audience is invalid",
            "unexpected audience",
            'unexpected "aud"',
            "audience doesn't match",
        ),
    ),
    Words(
        Phase.APPLICATION,
        Evidence.TOKEN_EXPIRED,
        (
            "token expired",
            "token is expired",
            "token has expired",
            "ExpiredToken",
            "ExpiredIdentityToken",
            "TokenExpiredError",
            "jwt expired",
            "signature has expired",
        ),
    ),
    Words(
        Phase.APPLICATION,
        Evidence.TOKEN_REFUSED,
        ("InvalidIdentityToken", "invalid identity token", "invalid bearer token"),
    ),
    Words(
        Phase.APPLICATION,
        Evidence.ACCESS_DENIED,
        (
            "no pg_hba.conf entry",
            "pg_hba.conf rejects",
            "is not allowed to connect to this",
            "running in protected mode",
        ),
    ),
    Words(
        Phase.APPLICATION,
        Evidence.CREDENTIALS_REFUSED,
        (
            "password authentication failed",
            "access denied for user",
            "authentication required",
            "authentication failed",
            "invalid username-password",
            "no password supplied",
            "ACCESS_REFUSED",
            "WRONGPASS",
            "NOAUTH",
        ),
    ),
    Words(
        Phase.APPLICATION,
        Evidence.CERTIFICATE_REFUSED,
        (
            "x509:",
            "certificate verify failed",
            "certificate has expired",
            "unable to find valid certification path",
            "PKIX path building failed",
            "unknown authority",
            "self-signed certificate",
            "self signed certificate",
            "selfsigned_peer",
            "bad certificate",
            "unable to verify the first certificate",
            "unable to get local issuer",
            "Hostname/IP does not match certificate",
        ),
    ),
    Words(
        Phase.APPLICATION,
        Evidence.TLS_FAILED,
        (
            "first record does not look like a TLS handshake",
            "server gave HTTP response to HTTPS client",
            "HTTP request to an HTTPS server",
            "wrong version number",
            "WRONG_VERSION_NUMBER",
            "packet length too long",
            "unrecognized SSL message",
            "SSL is not enabled on the server",
            "does not support SSL",
            "SSL connection is required",
            "handshake failure",
            "TLS handshake error",
            "tls_alert",
        ),
    ),
    Words(
        Phase.APPLICATION,
        Evidence.TOO_MANY_CONNECTIONS,
        (
            "too many clients",
            "too many connections",
            "remaining connection slots",
            "max number of clients reached",
        ),
    ),
    Words(
        Phase.APPLICATION,
        Evidence.POOL_EXHAUSTED,
        (
            "connection pool timeout",
            "connection pool timed out",
            "connection from the connection pool",
            "connection from the pool",
            "connection not available and request was dropped from queue",
            "Connection is not available, request timed out",
            "QueuePool limit",
            "pool exhausted",
            "pool is exhausted",
        ),
    ),
    Words(
        Phase.APPLICATION,
        Evidence.QUERY_TIMED_OUT,
        (
            "statement timeout",
            "lock wait timeout",
            "lock timeout",
            "canceling statement",
            "idle-in-transaction timeout",
            "maximum statement execution time exceeded",
            "deadlock detected",
        ),
    ),
    # The distribution of Erlang.
    Words(
        Phase.APPLICATION,
        Evidence.NODE_NOT_STARTED,
        ("register/listen error", "nodistribution"),
    ),
    Words(
        Phase.APPLICATION,
        Evidence.NODE_REFUSED,
        (
            "invalid challenge reply",
            "attempt from disallowed node",
            "nodename, cookie and network",
        ),
    ),
    Words(
        Phase.LOOKUP,
        Evidence.NODE_NOT_CONNECTED,
        ("no_ping", "'pang'", ":pang", "connect to epmd", "cannot connect to node"),
    ),
    # It listens, or does not.
    Words(Phase.HERE, Evidence.ADDRESS_IN_USE, ("address already in use", "EADDRINUSE")),
    Words(
        Phase.HERE,
        Evidence.LISTEN_ADDRESS,
        ("assign requested address", "EADDRNOTAVAIL", "address not available"),
        also=r"(?i)\b(?:bind|listen)",
    ),
    # It reads an address, a URL or a setting.
    Words(
        Phase.ADDRESS,
        Evidence.ADDRESS_NOT_READ,
        ("[",),
        also=r"(?i)\[(?:[0-9a-f]{1,4}:){8}[0-9]{1,5}\]",
    ),
    Words(
        Phase.ADDRESS,
        Evidence.ADDRESS_NOT_READ,
        (
            "invalid port",
            "too many colons in address",
            "missing port in address",
            "invalid URL",
            "malformed URL",
            "MalformedURLException",
            "malformed IP address",
            "URL using bad/illegal format",
            "bad URI",
            "InvalidURIError",
            "URISyntaxException",
            "nonnumeric port",
            "could not be cast to integer",
            "invalid integer value",
            "invalid percent-encoded token",
            "invalid IPv6 address",
            "invalid network bind parameter",
            "valid network bind parameter",
            "host not found in resolver",
            "cannot contain colon",
        ),
    ),
    Words(
        Phase.ADDRESS,
        Evidence.ADDRESS_NOT_READ,
        ("invalid literal for int() with base 10",),
        also=r"base 10: '[^'\n]{0,60}:",
    ),
    Words(
        Phase.ADDRESS,
        Evidence.NO_NAME_LOOKED_UP,
        (*_NOT_FOUND, "can't reach database server"),
        also=(
            r"(?i)(?:\bhost|\bserver|\bat|ENOTFOUND|\blookup|\bto|://|url)"
            r"[\s'\"`(:]{0,6}\[(?:fdaa:|:0: )"
        ),
        unless=r"(?i)\.internal|\bread udp",
        known=frozenset({Circumstance.IN_BRACKETS}),
    ),
    Words(
        Phase.ADDRESS,
        Evidence.NO_NAME_LOOKED_UP,
        _NOT_FOUND,
        also=r"(?i)(?:ENOTFOUND|lookup|host|not resolve:?) ['\"]?[a-z]{1,12}://",
        known=frozenset({Circumstance.A_URL}),
    ),
    Words(
        Phase.ADDRESS,
        Evidence.NO_NAME_LOOKED_UP,
        _NOT_FOUND,
        also=r"(?i)(?<!/)\bfdaa%3a",
        known=frozenset({Circumstance.PERCENT_ESCAPES}),
    ),
    # It looks a name up.
    Words(
        Phase.LOOKUP,
        Evidence.NO_IPV4_ADDRESS,
        (
            "no address associated with hostname",
            "no address associated with name",
            "ENODATA",
            "EAI_NODATA",
            "EAI_ADDRFAMILY",
            "address family for hostname not supported",
            "no suitable address",
            "eafnosupport",
            "no data of the requested type",
            "no data record of requested type",
        ),
    ),
    Words(
        Phase.LOOKUP,
        Evidence.RESOLVER_TIMED_OUT,
        (*_TIMEOUT, "no servers could be reached"),
        also=r"(?i)\bread udp |\blookup [^\s:]+(?: on [^\s]+)?: |no servers could|\bdns\b|resolver",
        unless=r"(?i)no such host|NXDOMAIN",
    ),
    Words(
        Phase.LOOKUP,
        Evidence.RESOLVER_FAILED,
        (
            "EAI_AGAIN",
            "temporary failure in name resolution",
            "SERVFAIL",
            "server misbehaving",
        ),
    ),
    Words(
        Phase.LOOKUP,
        Evidence.NOT_FOUND,
        _NOT_FOUND,
        also=(
            r"(?i)no such host|\blookup [^\s:]+ on|could not translate host name|"
            r"\[Errno -?[0-9]+\] (?:name|nodename)|\b(?:dig|nslookup)\b|status: NXDOMAIN|"
            r"A IN [^\s]+ |urllib3|gaierror|NameResolutionError"
        ),
        unless=r"\bdial tcp4|\btcp4\b",
        known=frozenset({Circumstance.ASKS_BOTH_FAMILIES}),
    ),
    Words(Phase.LOOKUP, Evidence.NOT_FOUND, _NOT_FOUND),
    # The connection was open.
    Words(
        Phase.CONNECTED,
        Evidence.NO_REPLY,
        (
            "while awaiting headers",
            "while reading response header",
            "awaiting response headers",
            "Read timed out",
            "ReadTimeout",
            "SocketTimeoutException: Read",
            "UND_ERR_HEADERS_TIMEOUT",
            "upstream request timeout",
            "bytes received",
        ),
        unless=_OPENING,
    ),
    Words(
        Phase.CONNECTED,
        Evidence.NO_REPLY,
        (*_TIMEOUT,),
        also=r"\b(?:read|write) tcp[46]? ",
        unless=_OPENING,
    ),
    Words(
        Phase.CONNECTED,
        Evidence.CLOSED,
        (
            "broken pipe",
            "EPIPE",
            "socket hang up",
            "server closed the connection unexpectedly",
            "closing bad idle connection",
            "unexpected EOF",
            "empty reply from server",
            "RemoteDisconnected",
            "remote end closed connection",
            "closed by the remote",
            "upstream prematurely closed",
            "server has gone away",
            "lost connection to",
            "other side closed",
            "tcp recv: closed",
            "ECONNRESET",
            "connection reset",
            "reset by peer",
        ),
    ),
    # It opens a connection.
    Words(Phase.CONNECTING, Evidence.PORT_UNREACHABLE, ("unreachable port", "port unreachable")),
    Words(Phase.CONNECTING, Evidence.PROHIBITED, ("administratively prohibited",)),
    Words(
        Phase.CONNECTING,
        Evidence.HOP_LIMIT_EXCEEDED,
        ("time exceeded", "hop limit exceeded"),
        also=r"(?i)icmp|hop",
    ),
    Words(
        Phase.CONNECTING,
        Evidence.FAMILY_NOT_SUPPORTED,
        (
            "address family not supported",
            "protocol family unavailable",
            "EAFNOSUPPORT",
        ),
    ),
    Words(
        Phase.CONNECTING,
        Evidence.ADDRESS_UNREACHABLE,
        (
            "no route to host",
            "EHOSTUNREACH",
            "host is unreachable",
            "host unreachable",
            "host is down",
            "EHOSTDOWN",
            "NoRouteToHostException",
            "address unreachable",
        ),
    ),
    Words(
        Phase.CONNECTING,
        Evidence.NO_ROUTE,
        ("network is unreachable", "ENETUNREACH", "NetworkUnreachable"),
    ),
    Words(
        Phase.CONNECTING,
        Evidence.NO_SOURCE_ADDRESS,
        ("assign requested address", "EADDRNOTAVAIL", "no free ports"),
    ),
    Words(
        Phase.CONNECTING,
        Evidence.REFUSED,
        (
            "connection refused",
            "ECONNREFUSED",
            "refused connection",
            "actively refused",
        ),
        also=r"(?i)\b(?:127\.0\.0\.1|localhost)\b|\[?::1\]?:[0-9]",
        unless=r"(?i)\bfdaa:|\.internal\b|listening on",
        known=frozenset({Circumstance.CONNECTS_TO_ITSELF}),
    ),
    Words(
        Phase.CONNECTING,
        Evidence.REFUSED,
        (
            "connection refused",
            "ECONNREFUSED",
            "refused connection",
            "actively refused",
        ),
    ),
    Words(
        Phase.CONNECTING,
        Evidence.TIMED_OUT,
        (*_TIMEOUT, "ETIMEDOUT", "SYN_SENT", "SYN-SENT"),
        also=(r"(?i)\bdial (?:tcp|udp)|\bconnect|ETIMEDOUT|SYN.SENT|while connecting|Layer4"),
    ),
    Words(Phase.CONNECTING, Evidence.NO_RESPONSE, _TIMEOUT),
    Words(Phase.CONNECTING, Evidence.GAVE_UP, ("MaxRetriesPerRequestError",)),
    Words(
        Phase.CONNECTING,
        Evidence.NOT_CONNECTED,
        (
            "can't reach database server",
            "connection attempt failed",
            "upstream connect error",
            "failed to connect",
            "could not connect",
            "cannot connect",
            "can't connect",
            "unable to connect",
            "max retries exceeded",
        ),
    ),
)


def find_words(text: str) -> Words | None:
    """Return the row whose words a text has; None without one.

    >>> words = find_words("dial tcp [fdaa:2:45b::3]:80: connect: connection refused")
    >>> print(words.phase, words.evidence)
    connecting refused
    """
    check_type(text, "text", str)
    for words in WORDS:
        if words.fit(text):
            return words
    return None
