"""The words of a line: the phase in which programs print them, and what they are evidence of."""

# Without `annotations` from `__future__`: annotations of public names must be objects.

import re
from dataclasses import dataclass

from fdaa._values.checks import check_type
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
        lowered = text.lower()
        in_text = [word for word in self.words if word.lower() in lowered]
        if not in_text:  # the usual case, much faster than the expression
            return False
        any_of_them = "|".join(map(re.escape, in_text))
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
    "ERR_NAME_NOT_RESOLVED",
    "EAI_NONAME",
    "hostname could not be found",
    "NameResolutionError",
)
# The same, in words about names in general.
_NAME = r"(?:\bhost|\baddress|(?:domain |host|\b)name\b|\bdomain|\bdns\b)"
_RESOLVING_FAILED = (
    r"(?i)(?:not|n't|cannot|unable to|fail\w*(?: to)?|error) (?:be )?(?:resolv|look ?up)"
    rf".{{0,30}}{_NAME}|"
    rf"{_NAME}.{{0,60}}(?:not be resolved|resolution fail|resolve fail|lookup (?:fail|error))|"
    r"unresolved address|no resolvable|domain name not found|no address(?:es)? found for"
)
# Words for a number of Linux, macOS or Windows; `{}` is the number.
_ERROR_NUMBER = (
    r"(?i)(?:errno|os error|connect(?:ion)? error|winsock error)\b[\s:=(\[#]{{1,3}}-?(?:{0})\b|"
    r"\berror (?:{0}) connecting|connect.{{0,120}}\((?:{0})[):,]"
)
# What programs print before a host.
_AT_HOST = (
    r"(?:\bhost(?:[ -]?name)?|\bserver|\bat|ENOTFOUND|EAI_AGAIN|\blookup|\bto|\baddress|"
    r"\bresolve|\bfor|url|://(?:[^\s/@]{1,64}@)?)"
)
# A lookup by c-ares (Node.js, gRPC), which asks a resolver itself, and one of IPv6 addresses.
_BY_CARES = r"\bquery[A-Z][A-Za-z]{0,10} E[A-Z]|C-ares status"
_OF_IPV6 = r"(?a)queryAaaa|\bqtype=AAAA\b"
_TIMEOUT = ("i/o timeout", "timed out", "timeout", "deadline exceeded")
_OPENING = r"(?i)\bdial (?:tcp|udp)|while (?:waiting for connection|connecting)|lookup "

# The first row that fits counts, so those that say more come first.
WORDS = (
    # The other end responded.
    Words(
        Phase.APPLICATION,
        Evidence.TOKEN_AUDIENCE,
        (
            "audience",
            "aud",
            "incorrect token audience",
            "invalid audience",
            "audience is invalid",
            "audience does not match",
            "not issued for this audience",
        ),
        also=(
            r"(?i)(?:invalid|incorrect|wrong|unexpected|unknown|expect|mismatch|\bnot?\b|n't\b|"
            r"missing|required?s?\b|reject|must|bad|unauthorized|disallowed).{0,80}"
            r"(?:audience|\baud\b)|"
            r"(?:audience|\baud\b).{0,80}(?:invalid|incorrect|wrong|unexpected|unknown|expect|"
            r"mismatch|\bnot?\b|n't\b|missing|required|reject|must|fail|bad\b|empty)"
        ),
    ),
    Words(
        Phase.APPLICATION,
        Evidence.TOKEN_EXPIRED,
        (
            "token expired",
            "token is expired",
            "token has expired",
            "token is no longer valid",
            "ExpiredToken",
            "ExpiredIdentityToken",
            "TokenExpiredError",
            "jwt expired",
            "signature has expired",
        ),
    ),
    Words(
        Phase.APPLICATION,
        Evidence.TOKEN_EXPIRED,
        ("token", "jwt", "exp"),
        also=(
            r"(?i)\b(?:id|access|identity|bearer|oidc)?[ _]?(?:token|jwt)\b.{0,40}\bexpired|"
            r"\bexpired.{0,20}\b(?:token|jwt)\b|['\"(]exp['\")]? claim"
        ),
    ),
    Words(
        Phase.APPLICATION,
        Evidence.TOKEN_REFUSED,
        ("InvalidIdentityToken", "invalid identity token", "invalid bearer token"),
    ),
    Words(
        Phase.APPLICATION,
        Evidence.TOKEN_REFUSED,
        ("issuer", "iss", "OpenIDConnect provider", "issuer is invalid"),
        also=(
            r"(?i)(?:invalid|unknown|untrusted|unexpected|wrong|incorrect) (?:token )?\bissuer\b|"
            r"(?:\bissuer\b|['\"(]iss['\")]).{0,60}(?:mismatch|invalid|not match|n't match|"
            r"not trusted|untrusted|unknown|expected|not allowed)|no OpenIDConnect provider"
        ),
        unless=r"(?i)certificate|x509",
    ),
    Words(
        Phase.APPLICATION,
        Evidence.ACCESS_DENIED,
        ("pg_hba.conf", "requires a valid client certificate"),
        also=r"(?i)SSL off|no encryption|client certificate",
    ),
    Words(
        Phase.APPLICATION,
        Evidence.ACCESS_DENIED,
        (
            "no pg_hba.conf entry",
            "pg_hba.conf rejects",
            "is not allowed to connect",
            "not allowed to access",
            "is blocked because of many connection errors",
            "not in the allowlist",
            "not in whitelist",
        ),
        known=frozenset({Circumstance.NOT_ABOUT_TLS}),
    ),
    Words(
        Phase.APPLICATION,
        Evidence.ACCESS_DENIED,
        ("running in protected mode",),
        known=frozenset({Circumstance.NOT_ABOUT_TLS, Circumstance.PROTECTED_MODE}),
    ),
    Words(
        Phase.APPLICATION,
        Evidence.CERTIFICATE_REFUSED,
        (
            "certificate is valid for",
            "certificate is not valid for",
            "certificate not valid for name",
            "match certificate's altnames",
            "ERR_TLS_CERT_ALTNAME_INVALID",
            "ERR_CERT_COMMON_NAME_INVALID",
            "RemoteCertificateNameMismatch",
            "CertNotValidForName",
            "hostname_check_failed",
            "contain any IP SANs",
            "hostname mismatch",
            "IP address mismatch",
            "alternative certificate subject name matches",
            "no subject alternative",
            "not match target host name",
            "not match host name",
        ),
        known=frozenset({Circumstance.NAMES_DIFFER}),
    ),
    Words(
        Phase.APPLICATION,
        Evidence.CERTIFICATE_REFUSED,
        (
            "x509:",
            "certificate",
            "unable to find valid certification path",
            "PKIX path building failed",
            "unknown authority",
            "unknown ca",
            "self-signed",
            "self signed",
            "selfsigned",
            "UnknownIssuer",
            "SSLPeerUnverified",
            "subject alternative",
            "unable to get local issuer",
        ),
        also=(
            r"(?i)x509:|PKIX|certification path|unknown (?:authority|ca\b)|unknownissuer|"
            r"unverified|subject alternative|local issuer|self.?signed|"
            r"certificate.{0,80}(?:unsupported|invalid|expired|trusted|unknown|reject|revoked|"
            r"verif|mismatch|not valid|fail|match|\bbad|required)|"
            r"(?:verif|unsupported|invalid|untrusted|bad|unknown|expired|reject).{0,40}certificate"
        ),
    ),
    Words(
        Phase.APPLICATION,
        Evidence.TLS_FAILED,
        (
            "first record does not look like a TLS handshake",
            "server gave HTTP response to HTTPS client",
            "HTTP request to an HTTPS server",
            "HTTP request was sent to HTTPS port",
            "SSL routines::http request",
            "malformed HTTP response",
            "wrong version number",
            "WRONG_VERSION_NUMBER",
            "packet length too long",
            "unrecognized SSL message",
            "corrupted frame was received",
            "unexpected packet format",
            "InvalidContentType",
            "insecure transport are prohibited",
            "connection is insecure",
            "insecure connection",
            "unencrypted connection",
            "1234.5679",
            "tls_alert",
            r"\x16\x03",
            r"\x15\x03",
            "<<22,3,",
            "unsupported_record_type",
            "unexpected_tls_header",
            "Unknown sigil type",
            "reply type byte",
            "UNEXPECTED_MESSAGE",
            "http2: frame too large",
            "write EPROTO",
        ),
        unless=r"(?i)bad.?certificate|unknown.?ca\b",
        known=frozenset({Circumstance.NO_TLS_AT_ONE_END}),
    ),
    Words(
        Phase.APPLICATION,
        Evidence.TLS_FAILED,
        (
            "SSL",
            "TLS",
            "HTTPS",
            "encryption",
            "does not support SSL",
            "SSL is not enabled on the server",
            "ssl not available",
            "SSL connection is required",
            "SSL is required",
        ),
        also=(
            r"(?i)(?:\bnot|n't|without) (?:\w{1,12} ){0,2}(?:support\w{0,3}|offer|configured for|"
            r"speak) (?:an? )?(?:SSL|TLS|HTTPS|encryption)\b|"
            r"\b(?:SSL|TLS|HTTPS|encryption)\b(?: \w{1,12}){0,3} (?:not (?:available|support\w*|"
            r"enabled|configured|offered)|unsupported|unavailable|(?:(?:is|are|was) )?required)|"
            r"(?:requires?|must use) (?:an? )?(?:secure )?(?:SSL|TLS|encryption)\b"
        ),
        unless=r"(?i)timed out|timeout|host not|connection refused",
        known=frozenset({Circumstance.NO_TLS_AT_ONE_END}),
    ),
    Words(
        Phase.APPLICATION,
        Evidence.TLS_FAILED,
        (
            "handshake failure",
            "TLS handshake error",
            "SSL handshake failed",
            "pre-login handshake",
            "error occurred during the login process",
            "EOF occurred in violation of protocol",
            "SSLV3_ALERT",
            "tlsv1 alert",
            "SSL_ERROR_SYSCALL",
            "SSL_connect",
            "SSLHandshakeException",
            "SSL connection error",
            "SSL_do_handshake() failed",
            "SSL peer shut down incorrectly",
        ),
    ),
    Words(
        Phase.APPLICATION,
        Evidence.CREDENTIALS_REFUSED,
        (
            "access denied for user",
            "invalid username",
            "no password supplied",
            "ACCESS_REFUSED",
            "WRONGPASS",
            "NOAUTH",
            "authorization violation",
            "unauthenticated",
        ),
    ),
    Words(
        Phase.APPLICATION,
        Evidence.CREDENTIALS_REFUSED,
        (
            "password",
            "credentials",
            "login",
            "auth",
            "authentication",
            "role",
            "password authentication failed",
            "authentication failed",
            "authentication required",
            "login failed",
            "invalid password",
            "invalid credentials",
        ),
        also=(
            r"(?i)(?:\bpassword|\bcredentials|\blogin|\bauthenticat\w{1,4}).{0,60}"
            r"(?:\bfailed|failure|invalid|incorrect|wrong|\bdenied|reject|refused)|"
            r"authenticat\w{1,4} (?:is )?required|"
            r"(?:invalid|incorrect|wrong|bad|unknown) (?:username|password|credentials|login)|"
            r"\bauth (?:fail|error|denied)|"
            r"\brole \"[^\"\s]{1,60}\" does not exist"
        ),
        unless=r"(?i)connection refused|ECONNREFUSED|host not found|certificate|timed out",
    ),
    Words(
        Phase.APPLICATION,
        Evidence.TOO_MANY_CONNECTIONS,
        (
            "too many clients",
            "too many connections",
            "too many open connections",
            "no more connections allowed",
            "max_user_connections",
            "max_client_conn",
            "remaining connection slots",
            "max number of clients reached",
        ),
    ),
    Words(
        Phase.APPLICATION,
        Evidence.SERVER_NOT_READY,
        (
            "the database system is starting up",
            "the database system is shutting down",
            "the database system is in recovery mode",
            "the database system is not yet accepting connections",
            "Redis is loading the dataset in memory",
        ),
    ),
    Words(
        Phase.APPLICATION,
        Evidence.POOL_EXHAUSTED,
        (
            "connection not available and request was dropped from queue",
            "Connection is not available, request timed out",
            "acquisition timeout",
            "timeout acquiring a connection",
            "waiting for a free connection",
            "waiting for an available connection",
        ),
    ),
    Words(
        Phase.APPLICATION,
        Evidence.POOL_EXHAUSTED,
        ("pool",),
        also=(
            r"(?i)(?:\b|queue|connection|redis|database|hikari)pool(?:\b|-?[0-9]|time|ex).{0,80}"
            r"(?:exhaust|timed ?out|timeout|\bfull\b|limit of size|no (?:free|idle|available)|"
            r"waiting[=: ]{1,2}[1-9])|"
            r"(?:timed ?out|timeout|could ?n.t|can ?not|unable|failed|exhausted|waiting|obtain|"
            r"acquir|check(?:ed|ing)? ?out|no (?:free|idle|available)).{0,60}pool\b|"
            r"idle=0, waiting=[1-9]|exhaustedpool"
        ),
        unless=r"HTTPS?ConnectionPool\(|(?i:connection attempt failed|refused|failed connecting)",
    ),
    Words(
        Phase.APPLICATION,
        Evidence.POOL_EXHAUSTED,
        ("waiting=",),
        also=r"idle=0, waiting=[1-9]",
    ),
    Words(
        Phase.APPLICATION,
        Evidence.TOO_MANY_CONNECTIONS,
        ("connection", "connections", "clients", "sessions", "connection limit exceeded"),
        also=(
            r"(?i)(?:no more|exceed\w{0,3}|reached).{0,40}\b(?:connections|clients|sessions)\b|"
            r"\b(?:connections?|clients?|sessions?)\b.{0,20}\b(?:limit|maximum)\b.{0,20}"
            r"(?:reached|exceeded|hit)|"
            r"\bmax\w{0,4}\b.{0,20}\b(?:connections|clients|sessions)\b.{0,20}(?:reached|exceeded)"
        ),
        unless=r"(?i)\bpool|retries|deadline exceeded",
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
            "execution timeout expired",
            "query execution was interrupted",
            "operation exceeded time limit",
            "MaxTimeMSExpired",
            "could not obtain lock",
            "deadlock detected",
        ),
    ),
    Words(
        Phase.APPLICATION,
        Evidence.CLUSTER_DOWN,
        ("CLUSTERDOWN", "ClusterDownError", "hash slot not served"),
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
    # It opens no socket at all.
    Words(
        Phase.HERE,
        Evidence.FILE_LIMIT,
        ("too many open files", "EMFILE", "ENFILE"),
        also=r"(?i:too many open files)|\bE[MN]FILE\b",
    ),
    # It listens, or does not.
    Words(
        Phase.HERE,
        Evidence.ADDRESS_IN_USE,
        (
            "address already in use",
            "address in use",
            "connection in use:",
            "EADDRINUSE",
            "port is already allocated",
            "only one usage of each socket address",
        ),
    ),
    Words(
        Phase.HERE,
        Evidence.ADDRESS_IN_USE,
        ("in use", "already bound", "occupied"),
        also=r"(?i)\bport\b.{0,40}(?:in use|already bound|occupied)",
    ),
    Words(
        Phase.HERE,
        Evidence.LISTEN_ADDRESS,
        ("cannot create listening socket", "could not create listen socket"),
    ),
    Words(
        Phase.HERE,
        Evidence.FAMILY_NOT_SUPPORTED,
        ("EAFNOSUPPORT", "address family not supported", "protocol not supported"),
        also=r"(?i)\b(?:listen|bind)",
    ),
    Words(
        Phase.HERE,
        Evidence.QUEUE_FULL,
        (
            "accept queue is full",
            "listen queue",
            "accept queue",
            "resource temporarily unavailable",
            "EAGAIN",
        ),
        also=(
            r"(?i)connect.{0,80}unix:|\bunix:.{0,80}connect|"
            r"(?:listen|accept) queue.{0,80}(?:full|overflow)"
        ),
    ),
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
    # A port twice, the first of them as a group of the address.
    Words(
        Phase.ADDRESS,
        Evidence.ADDRESS_NOT_READ,
        ("fdaa:",),
        also=r"(?i)(?<![0-9a-f:])fdaa:[0-9a-f:]{1,40}:([0-9]{2,5})\]?:\1(?![0-9]|:[0-9a-f])",
    ),
    # A variable and its value, where a name is expected.
    Words(
        Phase.ADDRESS,
        Evidence.NO_NAME_LOOKED_UP,
        _NOT_FOUND,
        also=r"(?:ENOTFOUND|lookup|host) ['\"]?[A-Z][A-Z0-9_]{2,60}=",
    ),
    # The first groups of an address, up to the colon where the program took it apart.
    Words(
        Phase.ADDRESS,
        Evidence.ADDRESS_NOT_READ,
        ("fdaa", "://fdaa"),
        also=(
            rf"(?i){_AT_HOST}:?[ ]?['\"`(]{{0,2}}"
            r"(?:fdaa(?:[:/][0-9]{0,5})?/?(?![\w.:%-])|fdaa(?::[0-9a-f]{1,4}){1,6}:['\"`])"
        ),
    ),
    Words(
        Phase.ADDRESS,
        Evidence.NO_NAME_LOOKED_UP,
        ("[[fdaa:", "[fdaa:"),
        also=(
            r"(?i)\[\[fdaa:|\bparse (?:the )?(?:IPv6 )?address.{0,8}\[fdaa:"
            r"(?:[0-9]{1,5}['\"&]|[0-9a-f:]{2,60}\]['\"&])"
        ),
        known=frozenset({Circumstance.IN_BRACKETS}),
    ),
    Words(
        Phase.ADDRESS,
        Evidence.NO_NAME_LOOKED_UP,
        (
            "invalid dns name",
            "invalid server name",
            "InvalidHostName",
            "invalid host name",
            "invalid hostname",
            "BadHostName",
            "bad hostname",
        ),
        known=frozenset({Circumstance.IN_BRACKETS, Circumstance.A_URL}),
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
            "bad port number",
            "could not be cast to integer",
            "invalid integer value",
            "invalid percent-encoded token",
            "invalid IPv6 address",
            "invalid network bind parameter",
            "valid network bind parameter",
            "host not found in resolver",
            "cannot contain colon",
            "failed to parse address",
            "port number was not a decimal number",
            "AddrParseError",
            "InvalidUri",
            "does not appear to be an IPv4 or IPv6",
            "is not a valid IPv6 address",
            "is not a legal IPv6 address",
            "invalid socket address",
            "bad_host_port",
            "missing ']'",
            "unescaped ':'",
            "unescaped at-sign",
            "unescaped characters",
            "must be escaped",
            "must be percent-encoded",
            "must be URL encoded",
        ),
    ),
    Words(
        Phase.ADDRESS,
        Evidence.ADDRESS_NOT_READ,
        ("failed to parse",),
        also=r"(?i)failed to parse:? ['\"]?[a-z][a-z0-9+]{0,12}://(?:[^\s/@]{1,64}@)?fdaa:",
    ),
    Words(
        Phase.ADDRESS,
        Evidence.ADDRESS_NOT_READ,
        ("for input string",),
        also=r"(?i)for input string: \"[^\"\n]{0,60}:",
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
        (*_NOT_FOUND, "can't reach database server", "no address found", "resolve"),
        also=(
            rf"(?i){_AT_HOST}"
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
        Evidence.NO_ADDRESS,
        ("ENODATA", "returned answer with no data"),
        also=_OF_IPV6,
    ),
    Words(
        Phase.LOOKUP,
        Evidence.RESOLVER_TIMED_OUT,
        ("ETIMEOUT", "timeout while contacting DNS servers"),
        also=_BY_CARES,
    ),
    Words(
        Phase.LOOKUP,
        Evidence.RESOLVER_FAILED,
        ("ECONNREFUSED", "EREFUSED"),
        also=_BY_CARES,
    ),
    Words(
        Phase.LOOKUP,
        Evidence.NOT_FOUND,
        (*_NOT_FOUND, "domain name not found"),
        also=_OF_IPV6,
        known=frozenset({Circumstance.ASKS_IPV6}),
    ),
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
            "returned answer with no data",
            "has no usable address",
            "DialDualStack",
            "only IPv4 is supported",
        ),
    ),
    Words(
        Phase.LOOKUP,
        Evidence.NO_IPV4_ADDRESS,
        ("-5", "-9"),
        also=r"(?i)Errno -[59]\b|error -[59] connecting|(?:host|server) .{0,100}\(-[59]\)",
    ),
    Words(
        Phase.LOOKUP,
        Evidence.RESOLVER_TIMED_OUT,
        (*_TIMEOUT, "no servers could be reached", "timeout while contacting DNS servers"),
        also=(
            r"(?i)\bread udp |\blookup [^\s:]{1,200}(?: on [^\s]{1,100})?: |no servers could|"
            r"\bdns\b|resolver|\bdial (?:tcp|udp)[46]?: i/o timeout|not be resolved"
        ),
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
            "could not contact DNS servers",
            "DNS server returned",
            "no nameservers",
            "-3 connecting",
        ),
    ),
    # No answer came from the resolver: the refusal is of its port.
    Words(
        Phase.LOOKUP,
        Evidence.RESOLVER_FAILED,
        ("refused", "unreachable", "no route to host", "not permitted"),
        also=r"(?i)\blookup [^\s]{1,200} on [^\s]{1,60}:53:",
    ),
    Words(
        Phase.LOOKUP,
        Evidence.RESOLVER_FAILED,
        ("11002",),
        also=_ERROR_NUMBER.format("11002"),
    ),
    Words(
        Phase.LOOKUP,
        Evidence.NO_IPV4_ADDRESS,
        ("11004",),
        also=_ERROR_NUMBER.format("11004"),
    ),
    Words(
        Phase.LOOKUP,
        Evidence.NOT_FOUND,
        ("11001",),
        also=_ERROR_NUMBER.format("11001"),
    ),
    # nginx prints the response code of the resolver.
    Words(
        Phase.LOOKUP,
        Evidence.RESOLVER_FAILED,
        ("could not be resolved",),
        also=r"could not be resolved \([12456]:",
    ),
    # Languages whose lookups ask for both families print no name, nor that it was one.
    Words(
        Phase.LOOKUP,
        Evidence.NAME_NOT_SHOWN,
        _NOT_FOUND,
        also=(
            r"(?i)failed to lookup address information|php_network_getaddresses|"
            r"client DNS lookup failed|getaddrinfo(?:\(3\))?: n(?:ame|odename)|gaierror"
        ),
        unless=r"(?i)\.internal|://|\bhost(?:[ -]?name)?[ =:]{1,2}['\"]|\bfor ['\"]?[a-z0-9]",
        known=frozenset({Circumstance.IN_BRACKETS}),
    ),
    Words(
        Phase.LOOKUP,
        Evidence.NAME_NOT_SHOWN,
        ("client DNS lookup failed",),
        known=frozenset({Circumstance.IN_BRACKETS}),
    ),
    Words(
        Phase.LOOKUP,
        Evidence.NOT_FOUND,
        _NOT_FOUND,
        also=(
            r"(?i)no such host|\blookup [^\s:]{1,200} on|could not translate host name|"
            r"\[Errno -?[0-9]+\] (?:name|nodename)|\b(?:dig|nslookup)\b|status: NXDOMAIN|"
            r"A IN [^\s]+ |urllib3|gaierror|NameResolutionError"
        ),
        unless=r"\bdial tcp4|\btcp4\b",
        known=frozenset({Circumstance.ASKS_BOTH_FAMILIES}),
    ),
    Words(Phase.LOOKUP, Evidence.NOT_FOUND, _NOT_FOUND),
    Words(
        Phase.LOOKUP,
        Evidence.NOT_FOUND,
        ("resolver error: produced zero addresses",),
        known=frozenset({Circumstance.ASKS_BOTH_FAMILIES}),  # grpc-go
    ),
    Words(
        Phase.LOOKUP,
        Evidence.NOT_FOUND,
        ("resolve",),
        also=(
            r"(?i)could not resolve address|unable to resolve host address|"
            r"\bnot be resolved \(3:"
        ),
        known=frozenset({Circumstance.ASKS_BOTH_FAMILIES}),
    ),
    Words(
        Phase.LOOKUP,
        Evidence.NOT_FOUND,
        ("resolve",),
        also=r"(?i)(?:not|n't|cannot|unable to|failed to) resolve ['\"]?[\w.-]{1,100}\.internal\b",
    ),
    Words(
        Phase.LOOKUP,
        Evidence.NOT_FOUND,
        ("resol", "lookup", "look up", "domain name not found", "no address"),
        also=_RESOLVING_FAILED,
        unless=r"(?i)refused|timed out|unreachable|symbol|module|dependenc|import|reference",
    ),
    # The connection was open.
    Words(
        Phase.CONNECTED,
        Evidence.NO_REPLY,
        (
            "request canceled (Client.Timeout exceeded while awaiting headers",
            "while reading response header",
            "awaiting response headers",
            "Read timed out",
            "ReadTimeout",
            "SocketTimeoutException: Read",
            "UND_ERR_HEADERS_TIMEOUT",
            "upstream request timeout",
            "bytes received",
            "TLS handshake timeout",
            "timeout awaiting response",
            "ESOCKETTIMEDOUT",
            "UND_ERR_BODY_TIMEOUT",
        ),
        unless=rf"{_OPENING}|prematurely|reset by peer|broken pipe",
    ),
    Words(
        Phase.CONNECTED,
        Evidence.NO_REPLY,
        (*_TIMEOUT,),
        also=r"\b(?:read|write) tcp[46]? ",
        unless=_OPENING,
    ),
    # The first thing that a server sends: its preface in HTTP/2, its version in SSH.
    Words(
        Phase.CONNECTED,
        Evidence.CLOSED,
        ("error reading server preface: EOF",),
        known=frozenset({Circumstance.CLOSED_AT_ONCE}),
    ),
    Words(
        Phase.CONNECTED,
        Evidence.CLOSED,
        ("kex_exchange_identification", "ssh_exchange_identification"),
        also=r"(?i)connection (?:closed|reset)",
        known=frozenset({Circumstance.CLOSED_AT_ONCE, Circumstance.NOT_ABOUT_TLS}),
    ),
    Words(
        Phase.CONNECTED,
        Evidence.CLOSED,
        ("connection closed by",),
        also=r"(?i)connection closed by \S.{0,80} port [0-9]",
        known=frozenset({Circumstance.NOT_ABOUT_TLS}),
    ),
    Words(
        Phase.CONNECTED,
        Evidence.CLOSED,
        ("EOF",),
        also=r"\b(?:Get|Head|Post|Put|Patch|Delete) \"?https?://\S{1,400}: EOF\b|from server: EOF",
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
            "server disconnected",
            "disconnected by peer",
            "closed by peer",
            "closed the connection",
            "connection was closed",
            "connection has been closed",
            "closed abruptly",
            "closed prematurely",
            "connection prematurely closed",
            "forcibly closed",
            "marked as broken",
            "terminating connection due to",
            "EOF detected",
            "end of file reached",
            "missed heartbeat",
            "connection terminated unexpectedly",
            "PROTOCOL_CONNECTION_LOST",
            "lost connection",
            "connection lost",
            "connection was killed",
            "GOAWAY",
            "driver: bad connection",
            "IncompleteMessage",
            "connection closed before message completed",
            "last packet successfully received",
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
            "incompatible with the requested protocol",
            "EAFNOSUPPORT",
            "EPROTONOSUPPORT",
        ),
    ),
    Words(
        Phase.CONNECTING,
        Evidence.FAMILY_NOT_SUPPORTED,
        ("97", "47", "10047"),
        also=_ERROR_NUMBER.format("97|47|10047"),
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
        (
            "network is unreachable",
            "network unreachable",
            "unreachable network",
            "network is down",
            "ENETUNREACH",
            "ENETDOWN",
            "NetworkUnreachable",
        ),
    ),
    # The 65 of macOS is "no route to host", reported at once: nothing was sent.
    Words(
        Phase.CONNECTING,
        Evidence.NO_ROUTE,
        ("101", "51", "65", "10051"),
        also=_ERROR_NUMBER.format("101|51|65|10051"),
    ),
    Words(
        Phase.CONNECTING,
        Evidence.ADDRESS_UNREACHABLE,
        ("113", "10065"),
        also=_ERROR_NUMBER.format("113|10065"),
    ),
    Words(
        Phase.CONNECTING,
        Evidence.PERMISSION_DENIED,
        ("permission denied", "EACCES", "EPERM", "operation not permitted"),
        also=r"(?i)\b(?:connect|connecting|connection to|dial)\b",
        unless=r"(?i)\b(?:listen|bind)|publickey|denied (?:for|to)\b",
    ),
    Words(
        Phase.CONNECTING,
        Evidence.NO_SOURCE_ADDRESS,
        ("assign requested address", "EADDRNOTAVAIL"),
        also=r"(?i)\blocalhost\b|\[?::1\]?:[0-9]",
        unless=r"(?i)\bfdaa:|\.internal\b",
        known=frozenset({Circumstance.CONNECTS_TO_ITSELF}),
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
            "Flags [R.], seq 0",  # tcpdump: the response to the first packet
            "refused. Check that the hostname and port are correct",
        ),
    ),
    Words(
        Phase.CONNECTING,
        Evidence.REFUSED,
        ("111", "61", "10061"),
        also=_ERROR_NUMBER.format("111|61|10061"),
    ),
    Words(
        Phase.APPLICATION,
        Evidence.GATEWAY_TIMEOUT,
        ("gateway timeout", "gateway time-out", "status code 504", "error code: 504"),
    ),
    # A client that tries several addresses at once waits for each of them a fourth of a second.
    Words(
        Phase.CONNECTING,
        Evidence.TIMED_OUT,
        ("ETIMEDOUT",),
        also=r"AggregateError|internalConnectMultiple",
        known=frozenset({Circumstance.SHORT_WAIT}),
    ),
    Words(
        Phase.CONNECTING,
        Evidence.NOT_CONNECTED,
        (
            "server selection timed out",
            "server selection timeout",
            "ServerSelectionTimeoutError",
        ),
    ),
    Words(
        Phase.CONNECTING,
        Evidence.TIMED_OUT,
        ("110", "60", "10060"),
        also=_ERROR_NUMBER.format("110|60|10060"),
    ),
    Words(
        Phase.CONNECTING,
        Evidence.TIMED_OUT,
        (*_TIMEOUT, "ETIMEDOUT", "SYN_SENT", "SYN-SENT", "execution expired"),
        also=(
            r"(?i)\bdial (?:tcp|udp)|\bconnect|ETIMEDOUT|SYN.SENT|while connecting|Layer4|"
            r"OpenTimeout|open TCP connection"
        ),
    ),
    Words(Phase.CONNECTING, Evidence.NO_RESPONSE, _TIMEOUT),
    Words(Phase.CONNECTING, Evidence.GAVE_UP, ("MaxRetriesPerRequestError",)),
    Words(Phase.CONNECTING, Evidence.NO_UPSTREAM, ("no live upstreams", "has no server available")),
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
            "not possible to connect",
            "could not be established",
            "no servers available",
            "no suitable servers",
            "no brokers available",
            "NoBrokersAvailable",
            "NoNodeAvailable",
            "BrokerUnreachable",
            "endpoints were reachable",
            "broker may not be available",
            "no healthy upstream",
            "connection attempts failed",
            "communications link failure",
            "error connecting to",
            "error while connecting",
            "can't open a connection",
            "failed to establish a connection",
            "failed to establish a new connection",
        ),
    ),
    Words(
        Phase.CONNECTING,
        Evidence.NOT_CONNECTED,
        ("connect", "connecting", "connection", "dial", "reach"),
        also=(
            r"(?i)(?:fail\w{0,4}|unable|could ?n.t|can(?:not|'t)|not able|could not|error) (?:to )?"
            r"(?:\w{1,20} ){0,3}(?:connect|dial|reach)|"
            r"connect(?:ion|ing)?\b.{0,60}\b(?:failed|failure|unavailable)\b"
        ),
    ),
    Words(
        Phase.ADDRESS,
        Evidence.ADDRESS_NOT_READ,
        ("invalid", "malformed", "illegal", "parse", "not a valid", "parsing"),
        also=(
            r"(?i)(?:invalid|malformed|illegal|n.t parse|cannot parse|unable to parse|"
            r"failed to parse|error parsing|not a valid).{0,40}\b(?:ur[il]|port|host(?:name)?|"
            r"IP address|authority|IPv6|endpoint|dsn|connection string|database string)\b"
        ),
    ),
    Words(
        Phase.APPLICATION,
        Evidence.BAD_GATEWAY,
        ("bad gateway", "502 proxy error", "status code 502", "error code: 502"),
    ),
    Words(
        Phase.APPLICATION,
        Evidence.SERVICE_UNAVAILABLE,
        (
            "503 service unavailable",
            "503 service temporarily unavailable",
            "status code 503",
            "error code: 503",
        ),
    ),
    # A list of sockets, by ss or netstat.
    Words(
        Phase.HERE,
        Evidence.LISTENS_ELSEWHERE,
        ("LISTEN",),
        also=r"(?a)\s(?:127(?:\.[0-9]+){3}(?:%\w+)?|0\.0\.0\.0|\[?::1\]?):[0-9]+\s",
        unless=r"(?ai)\s(?:\*|\[::\]|::|\[?fdaa:[0-9a-f:]+\]?):[0-9]+\s",
    ),
    Words(Phase.CONNECTED, Evidence.ESTABLISHED, ("ESTAB", "ESTABLISHED"), also=r"\bESTAB"),
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
