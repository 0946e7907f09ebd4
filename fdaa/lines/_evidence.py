"""The kinds of evidence: what a program printed, and what a probe saw, are of the same kinds."""

# Without `annotations` from `__future__`: annotations of public names must be objects.

from enum import StrEnum


class Evidence(StrEnum):
    """What was seen of a name or of an address."""

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
