"""What a computer may itself know of a connection, as names; `fdaa.explain` has the sentences."""

from enum import StrEnum


class FactKind(StrEnum):
    """What was read on this computer."""

    IN_HOSTS = "in-hosts"  # a line of /etc/hosts has the name, with this address
    NOT_ON_INTERFACE = "not-on-interface"  # the address in PLATFORM_PRIVATE_IP
    NO_OWN_ADDRESS = "no-own-address"
    OWN_ADDRESS_UNUSABLE = "own-address-unusable"
    IPV6_OFF = "ipv6-off"
    INTERFACE_DOWN = "interface-down"
    NO_ROUTE = "no-route"
    NO_FREE_PORT = "no-free-port"
    OTHER_SOURCE = "other-source"  # than the own address is connected from
    ASKS_NO_RESOLVER = "asks-no-resolver"
    NO_RESOLVER = "no-resolver"
    RESOLVER_UNROUTED = "resolver-unrouted"
    RESOLVER_PUBLIC = "resolver-public"
    LISTENS_HERE = "listens-here"  # a program of this computer, at this address and port
    LISTENS_ELSEWHERE = "listens-elsewhere"
    LISTENS_FOR_UDP = "listens-for-udp"
    NOT_LISTENING = "not-listening"
    NOT_ACCEPTED = "not-accepted"  # connections wait in the queue of the program
    REJECTED_HERE = "rejected-here"  # by a firewall of this computer
    REJECTED = "rejected"  # by a firewall elsewhere
    NEXT_HOP_SILENT = "next-hop-silent"
    HOPS_EXCEEDED = "hops-exceeded"  # packets went through too many routers
    NOT_READ = "not-read"
