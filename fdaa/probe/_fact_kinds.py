"""What a computer may itself know of a connection, as names.

It is a module of its own because the sentences of `fdaa.explain` need nothing else of this package.
"""

from enum import StrEnum


class FactKind(StrEnum):
    """What was read on this computer; `fdaa.explain` has the sentences."""

    IN_HOSTS = "in-hosts"  # a line of /etc/hosts has the name, with this address
    NO_OWN_ADDRESS = "no-own-address"
    IPV6_OFF = "ipv6-off"
    INTERFACE_DOWN = "interface-down"
    NO_ROUTE = "no-route"  # to an address of the target, or to a resolver
    NO_FREE_PORT = "no-free-port"
    OTHER_SOURCE = "other-source"  # than the own address is connected from
    NO_RESOLVER = "no-resolver"  # is asked for IPv6 addresses
    RESOLVER_PUBLIC = "resolver-public"
    LISTENS_HERE = "listens-here"  # a program of this computer, at this address and port
    LISTENS_ELSEWHERE = "listens-elsewhere"
    NOT_LISTENING = "not-listening"
    NOT_ACCEPTED = "not-accepted"  # connections wait in the queue of the program
    REJECTED = "rejected"  # by a firewall
    NEXT_HOP_SILENT = "next-hop-silent"
    HOPS_EXCEEDED = "hops-exceeded"  # packets went through too many routers
    NOT_READ = "not-read"
