"""The kinds of evidence, and what else is known: the same for a line and for a probe."""

# Without `annotations` from `__future__`: annotations of public names must be objects.

from enum import StrEnum


class Phase(StrEnum):
    """How far a program had come when it printed a line."""

    ADDRESS = "address"  # it reads an address, a URL or a setting
    LOOKUP = "lookup"  # it looks a name up
    CONNECTING = "connecting"
    CONNECTED = "connected"
    APPLICATION = "application"  # the other end responded
    HERE = "here"  # it listens, or fails on its own computer


class Evidence(StrEnum):
    """What was seen of a name or of an address, or printed by a program."""

    # A name, by the system's resolver.
    FOUND = "found"
    IPV4_ONLY = "ipv4-only"
    NOT_FOUND = "not-found"
    NO_ADDRESS = "no-address"  # the name exists
    RESOLVER_FAILED = "resolver-failed"  # an error, sooner than a resolver can be given up
    RESOLVER_TIMED_OUT = "resolver-timed-out"
    LOOKUP_NOT_TRIED = "lookup-not-tried"

    # An address: a SYN was sent.
    OPEN = "open"
    RESET = "reset"  # after the handshake
    REFUSED = "refused"
    PORT_UNREACHABLE = "port-unreachable"  # this and the next five: by ICMPv6
    PROHIBITED = "prohibited"
    NO_ROUTE_REPORTED = "no-route-reported"
    ADDRESS_UNREACHABLE = "address-unreachable"
    UNREACHABLE = "unreachable"  # another message
    HOP_LIMIT_EXCEEDED = "hop-limit-exceeded"
    TIMED_OUT = "timed-out"

    # An address: nothing was sent.
    NO_ROUTE = "no-route"
    NO_SOURCE_ADDRESS = "no-source-address"
    NO_FREE_PORT = "no-free-port"
    NOT_PERMITTED = "not-permitted"
    NOT_TRIED = "not-tried"
    ROUTED = "routed"  # no port was given, and there is a route

    # Printed by another program.
    ADDRESS_NOT_READ = "address-not-read"  # an address, a URL or a port
    NO_NAME_LOOKED_UP = "no-name-looked-up"  # what was looked up is no name
    NAME_NOT_SHOWN = "name-not-shown"  # not found, for IPv6 and IPv4; it may be no name
    NO_IPV4_ADDRESS = "no-ipv4-address"  # the name has none, and the program asks for one
    FAMILY_NOT_SUPPORTED = "family-not-supported"  # IPv6, or IPv4, by the system or the program
    PERMISSION_DENIED = "permission-denied"  # to connect; by the source, or by a firewall
    NOT_CONNECTED = "not-connected"  # the line does not say why
    NO_UPSTREAM = "no-upstream"  # that a proxy could connect to: each of them had failed
    GAVE_UP = "gave-up"  # the same, of a client that tries again and again
    NO_RESPONSE = "no-response"  # in time; the connection may have been open
    BAD_GATEWAY = "bad-gateway"  # a proxy responded; it got no valid response from its app
    GATEWAY_TIMEOUT = "gateway-timeout"  # the same, in time
    SERVICE_UNAVAILABLE = "service-unavailable"  # a proxy, or the app, responded so
    NO_REPLY = "no-reply"  # over an open connection, in time
    ESTABLISHED = "established"  # in a list of sockets
    CLOSED = "closed"  # an open connection, by the other end
    TLS_FAILED = "tls-failed"
    CERTIFICATE_REFUSED = "certificate-refused"
    ACCESS_DENIED = "access-denied"  # by rules about clients
    CREDENTIALS_REFUSED = "credentials-refused"
    TOO_MANY_CONNECTIONS = "too-many-connections"
    SERVER_NOT_READY = "server-not-ready"  # it starts or stops, and said so
    POOL_EXHAUSTED = "pool-exhausted"  # of the client
    QUERY_TIMED_OUT = "query-timed-out"
    CLUSTER_DOWN = "cluster-down"  # of Redis
    NODE_NOT_CONNECTED = "node-not-connected"  # of Erlang
    NODE_REFUSED = "node-refused"
    NODE_NOT_STARTED = "node-not-started"
    TOKEN_AUDIENCE = "token-audience"  # noqa: S105 - no password
    TOKEN_EXPIRED = "token-expired"  # noqa: S105
    TOKEN_REFUSED = "token-refused"  # noqa: S105
    FILE_LIMIT = "file-limit"  # the program may open no other file or socket
    ADDRESS_IN_USE = "address-in-use"
    QUEUE_FULL = "queue-full"  # of connections that the server has not accepted yet
    LISTENS_ELSEWHERE = "listens-elsewhere"  # where other Machines cannot connect
    LISTEN_ADDRESS = "listen-address"  # this computer does not have the one to listen on


class Circumstance(StrEnum):
    """What else is known about a name or an address."""

    IDS_DIFFER = "ids-differ"  # of both ends; 0 is not compared (assumed: the platform's services)
    NO_PRIVATE_ADDRESS = "no-private-address"  # to connect from
    OWN_ADDRESS_NOT_USED = "own-address-not-used"  # this computer has a private address
    GIVEN_ADDRESS = "given-address"  # a private one, as the target
    FOUND_ADDRESS = "found-address"  # a private one, by a lookup
    NOT_PRIVATE = "not-private"  # an address by a lookup, where a private one is expected
    INTERNAL_NAME = "internal-name"
    PORT_WITHOUT_BRACKETS = "port-without-brackets"  # maybe
    SHORT_WAIT = "short-wait"  # until the deadline
    THIS_COMPUTER = "this-computer"  # has the address
    OPEN_ON_ANOTHER_PORT = "open-on-another-port"  # in the same round; perhaps a proxy is
    REPORTED_BY_TARGET = "reported-by-target"  # the ICMPv6 message
    REPORTED_HERE = "reported-here"
    REPORTED_ON_THE_WAY = "reported-on-the-way"
    OPEN_AT_ANOTHER_ADDRESS = "open-at-another-address"  # of the same name
    OPEN_IN_ANOTHER_ROUND = "open-in-another-round"  # the same port of the address

    # What a line shows, which another program printed.
    PRINTED = "printed"
    NO_NAME = "no-name"  # no .internal name, but another one
    UNNAMED = "unnamed"  # no name at all
    NETWORKS_UNKNOWN = "networks-unknown"  # that of one end at least
    ASKS_BOTH_FAMILIES = "asks-both-families"  # the program looks up IPv6 and IPv4 addresses
    ASKS_IPV6 = "asks-ipv6"  # the lookup that failed was of an IPv6 address
    READS_ADDRESS = "reads-address"  # the program connects to a private address
    CONNECTS_TO_ITSELF = "connects-to-itself"  # it connects to its own computer
    IS_PROXY = "is-proxy"  # the program that connects
    TARGET_IS_SERVICE = "target-is-service"  # assumed: of the platform
    TARGET_OUTSIDE = "target-outside"  # an IP address that is not private
    IN_BRACKETS = "in-brackets"  # an address, where a name is expected
    A_URL = "a-url"  # where a name is expected
    PERCENT_ESCAPES = "percent-escapes"  # in an address
    NO_TLS_AT_ONE_END = "no-tls-at-one-end"
    NOT_ABOUT_TLS = "not-about-tls"
    CLOSED_AT_ONCE = "closed-at-once"  # a new connection, on which the other end sent nothing
    PROTECTED_MODE = "protected-mode"  # of Redis
    NAMES_DIFFER = "names-differ"  # those of a certificate, and that of the target

    # What was read on this computer. Of a lookup, the way is that to each of the resolvers.
    LINK_UP = "link-up"  # of the interface on the way; without a route, of all interfaces
    LINK_DOWN = "link-down"  # the same
    NO_CARRIER = "no-carrier"  # the same
    NEXT_HOP_RESPONDS = "next-hop-responds"  # to neighbour discovery
    NEXT_HOP_SILENT = "next-hop-silent"
    NEXT_HOP_UNKNOWN = "next-hop-unknown"
    TARGET_RESPONDS = "target-responds"  # the same, where it is on the link
    TARGET_SILENT = "target-silent"
    TARGET_UNKNOWN = "target-unknown"
    LARGE_HOP_LIMIT = "large-hop-limit"
    SMALL_HOP_LIMIT = "small-hop-limit"
    IPV6_ON = "ipv6-on"
    IPV6_OFF = "ipv6-off"
    LOOPBACK_UP = "loopback-up"
    LOOPBACK_DOWN = "loopback-down"
    LISTENS_HERE = "listens-here"  # a program of this computer, at this address and port
    LISTENS_ELSEWHERE = "listens-elsewhere"
    LISTENS_FOR_UDP = "listens-for-udp"
    NOT_LISTENING = "not-listening"
    IN_HOSTS = "in-hosts"  # a line of /etc/hosts has the name and this address
    ASKS_RESOLVER = "asks-resolver"  # for IPv6 addresses
    ASKS_NO_RESOLVER = "asks-no-resolver"
    NO_RESOLVER = "no-resolver"
    RESOLVER_UNROUTED = "resolver-unrouted"
    RESOLVER_PRIVATE = "resolver-private"
    RESOLVER_HERE = "resolver-here"
    RESOLVER_PUBLIC = "resolver-public"
    NOT_READ = "not-read"
    ACCEPT_QUEUE_FULL = "accept-queue-full"  # of the program of this computer that listens
    ACCEPT_QUEUE_HAS_ROOM = "accept-queue-has-room"
    PORTS_ELSEWHERE = "ports-elsewhere"  # programs listen at other addresses of this computer only
