"""What else is known beside the evidence; `fdaa.explain` says what follows from it."""

from enum import StrEnum


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
