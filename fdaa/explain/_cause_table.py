"""The table of evidence and causes; docs/examples/causes.json has it for other implementations.

A row is the evidence, then every cause that fits it, the likeliest first. `NEEDS` and
`RULED_OUT_BY` say when what else is known leaves a cause out, `FIRST_WITH` when it comes first and
`LAST_WITH` when it comes last. Where the network IDs of both ends differ, that is the first one,
after a missing pair of brackets of a target that a probe was given.
"""

from collections.abc import Set as AbstractSet

from fdaa.explain._cause_kinds import Cause
from fdaa.lines import Circumstance, Evidence

CAUSES_SHOWN = 3  # to a person, who may ask for all

CAUSES_OF = {
    # A name.
    Evidence.NOT_FOUND: (
        Cause.ASKS_IPV4_ONLY,
        Cause.OUTSIDE,
        Cause.OTHER_SOURCE,
        Cause.OTHER_RESOLVER,
        Cause.NAME_OF_OTHER_NETWORK,
        Cause.NO_STARTED_MACHINE,
        Cause.NO_SUCH_NAME,
        Cause.RESOLVER_ERROR,
        Cause.LOOKUP_CONFIGURATION,
    ),
    Evidence.NO_ADDRESS: (
        Cause.OUTSIDE,
        Cause.OTHER_SOURCE,
        Cause.OTHER_RESOLVER,
        Cause.NO_STARTED_MACHINE,
        Cause.NAME_OF_OTHER_NETWORK,
        Cause.OTHER_RECORDS,
        Cause.RESOLVER_ERROR,
        Cause.LOOKUP_CONFIGURATION,
    ),
    Evidence.IPV4_ONLY: (
        Cause.NO_IPV6_RECORD,
        Cause.IPV6_LOOKUP_FAILED,
        Cause.LOOKUP_CONFIGURATION,
    ),
    Evidence.NO_IPV4_ADDRESS: (
        Cause.ASKS_IPV4_ONLY,
        Cause.NO_STARTED_MACHINE,
        Cause.NAME_OF_OTHER_NETWORK,
        Cause.NO_SUCH_NAME,
    ),
    Evidence.RESOLVER_FAILED: (
        Cause.OUTSIDE,
        Cause.OTHER_SOURCE,
        Cause.RESOLVER_ERROR,
        Cause.IPV6_OFF,
        Cause.INTERFACE_DOWN,
        Cause.RESOLVER_UNREACHABLE,
        Cause.RESOLVER_FIREWALL,
    ),
    Evidence.RESOLVER_TIMED_OUT: (
        Cause.OUTSIDE,
        Cause.SHORT_TIMEOUT,
        Cause.OTHER_SOURCE,
        Cause.RESOLVER_SILENT,
        Cause.RESOLVER_ERROR,
        Cause.INTERFACE_DOWN,
        Cause.NEXT_HOP_SILENT,
        Cause.RESOLVER_UNREACHABLE,
    ),
    Evidence.LOOKUP_NOT_TRIED: (Cause.LIMIT,),
    # An address: something came back.
    Evidence.RESET: (
        Cause.OTHER_NETWORK,
        Cause.OWN_CROSS_NETWORK_ADDRESS,
        Cause.OUTSIDE,
        Cause.OTHER_SOURCE,
        Cause.WRONG_ADDRESS,
        Cause.RESET_BY_PROGRAM,
        Cause.FIREWALL_REJECTS,
        Cause.ACCEPT_QUEUE_FULL,
        Cause.HOSTS_LINE,
    ),
    Evidence.REFUSED: (
        Cause.OTHER_NETWORK,
        Cause.LOOPBACK_FOR_HOST,
        Cause.OWN_CROSS_NETWORK_ADDRESS,
        Cause.OUTSIDE,
        Cause.OTHER_SOURCE,
        Cause.WRONG_ADDRESS,
        Cause.LISTENS_ELSEWHERE,
        Cause.NOT_LISTENING,
        Cause.UDP_ONLY,
        Cause.REFUSED_BY_HOST,
        Cause.FIREWALL_REJECTS,
        Cause.HOSTS_LINE,
    ),
    Evidence.PORT_UNREACHABLE: (
        Cause.OTHER_NETWORK,
        Cause.OWN_CROSS_NETWORK_ADDRESS,
        Cause.OUTSIDE,
        Cause.OTHER_SOURCE,
        Cause.WRONG_ADDRESS,
        Cause.FIREWALL_REJECTS,
        Cause.HOSTS_LINE,
    ),
    Evidence.PROHIBITED: (
        Cause.OTHER_NETWORK,
        Cause.OWN_CROSS_NETWORK_ADDRESS,
        Cause.OUTSIDE,
        Cause.OTHER_SOURCE,
        Cause.WRONG_ADDRESS,
        Cause.FIREWALL_REJECTS,
        Cause.NO_ROUTE_ON_THE_WAY,
        Cause.HOSTS_LINE,
    ),
    Evidence.NO_ROUTE_REPORTED: (
        Cause.OTHER_NETWORK,
        Cause.SOURCE_ON_OTHER_NETWORK,
        Cause.OWN_CROSS_NETWORK_ADDRESS,
        Cause.OUTSIDE,
        Cause.OTHER_SOURCE,
        Cause.WRONG_ADDRESS,
        Cause.NO_ROUTE_ON_THE_WAY,
        Cause.FIREWALL_REJECTS,
        Cause.HOSTS_LINE,
        Cause.STALE_ADDRESS,
        Cause.MACHINE_DOWN,
        Cause.STALE_NAME,
    ),
    Evidence.ADDRESS_UNREACHABLE: (
        Cause.OTHER_NETWORK,
        Cause.SOURCE_ON_OTHER_NETWORK,
        Cause.OWN_CROSS_NETWORK_ADDRESS,
        Cause.OUTSIDE,
        Cause.OTHER_SOURCE,
        Cause.WRONG_ADDRESS,
        Cause.INTERFACE_DOWN,
        Cause.HOSTS_LINE,
        Cause.MACHINE_DOWN,
        Cause.STALE_ADDRESS,
        Cause.STALE_NAME,
        Cause.NEXT_HOP_SILENT,
        Cause.FIREWALL_REJECTS,
        Cause.NO_ROUTE_ON_THE_WAY,
    ),
    Evidence.UNREACHABLE: (
        Cause.OTHER_NETWORK,
        Cause.OWN_CROSS_NETWORK_ADDRESS,
        Cause.OUTSIDE,
        Cause.OTHER_SOURCE,
        Cause.WRONG_ADDRESS,
        Cause.NO_ROUTE_ON_THE_WAY,
        Cause.FIREWALL_REJECTS,
        Cause.HOSTS_LINE,
        Cause.STALE_ADDRESS,
        Cause.MACHINE_DOWN,
        Cause.STALE_NAME,
    ),
    Evidence.HOP_LIMIT_EXCEEDED: (
        Cause.OTHER_NETWORK,
        Cause.OWN_CROSS_NETWORK_ADDRESS,
        Cause.OUTSIDE,
        Cause.OTHER_SOURCE,
        Cause.WRONG_ADDRESS,
        Cause.ROUTING_LOOP,
        Cause.SMALL_HOP_LIMIT,
        Cause.HOSTS_LINE,
    ),
    # An address: nothing came back.
    Evidence.TIMED_OUT: (
        Cause.OTHER_NETWORK,
        Cause.SOURCE_ON_OTHER_NETWORK,
        Cause.OWN_CROSS_NETWORK_ADDRESS,
        Cause.OUTSIDE,
        Cause.LOOPBACK_DOWN,
        Cause.SHORT_TIMEOUT,
        Cause.OTHER_SOURCE,
        Cause.WRONG_ADDRESS,
        Cause.HOSTS_LINE,
        Cause.STALE_ADDRESS,
        Cause.STALE_NAME,
        Cause.FIREWALL_DROPS,
        Cause.MACHINE_DOWN,
        Cause.ACCEPT_QUEUE_FULL,
        Cause.NO_ROUTE_ON_THE_WAY,
        Cause.NO_ROUTE_BACK,
        Cause.INTERFACE_DOWN,
        Cause.NEXT_HOP_SILENT,
        Cause.LOST,
    ),
    # An address: nothing was sent.
    Evidence.NO_ROUTE: (
        Cause.OTHER_NETWORK,
        Cause.LOOPBACK_DOWN,
        Cause.OUTSIDE,
        Cause.ASKS_IPV4_ONLY,
        Cause.WRONG_ADDRESS,
        Cause.NO_ROUTE_HERE,
        Cause.IPV6_OFF,
        Cause.INTERFACE_DOWN,
        Cause.NO_BRACKETS,
    ),
    Evidence.NO_SOURCE_ADDRESS: (
        Cause.OTHER_NETWORK,
        Cause.LOOPBACK_FOR_HOST,
        Cause.LOOPBACK_DOWN,
        Cause.NO_IPV6_HERE,
        Cause.PORTS_IN_USE,
        Cause.IPV6_OFF,
        Cause.OUTSIDE,
        Cause.OTHER_SOURCE,
        Cause.WRONG_ADDRESS,
        Cause.INTERFACE_DOWN,
    ),
    Evidence.NO_FREE_PORT: (
        Cause.OTHER_NETWORK,
        Cause.PORTS_EXHAUSTED,
    ),
    Evidence.NOT_PERMITTED: (
        Cause.OTHER_NETWORK,
        Cause.OUTSIDE,
        Cause.WRONG_ADDRESS,
        Cause.FORBIDDEN_HERE,
    ),
    Evidence.NOT_TRIED: (
        Cause.OTHER_NETWORK,
        Cause.LIMIT,
    ),
    Evidence.ROUTED: (
        Cause.OTHER_NETWORK,
        Cause.OUTSIDE,
        Cause.OTHER_SOURCE,
        Cause.WRONG_ADDRESS,
        Cause.NO_BRACKETS,
        Cause.PORTS_ELSEWHERE,
        Cause.NO_PORT,
    ),
    # What another program printed.
    Evidence.ADDRESS_NOT_READ: (
        Cause.NO_BRACKETS,
        Cause.SPECIAL_CHARACTER,
        Cause.MISSING_PART,
    ),
    Evidence.NO_NAME_LOOKED_UP: (
        Cause.SUPERFLUOUS_BRACKETS,
        Cause.URL_FOR_NAME,
        Cause.ESCAPED_ADDRESS,
        Cause.MISSING_PART,
    ),
    Evidence.NAME_NOT_SHOWN: (
        Cause.SUPERFLUOUS_BRACKETS,
        Cause.NO_BRACKETS,
        Cause.NO_SUCH_NAME,
        Cause.NO_STARTED_MACHINE,
        Cause.NAME_OF_OTHER_NETWORK,
        Cause.RESOLVER_ERROR,
    ),
    Evidence.FAMILY_NOT_SUPPORTED: (
        Cause.NO_IPV6_HERE,
        Cause.ASKS_IPV4_ONLY,
        Cause.IPV6_OFF,
    ),
    Evidence.PERMISSION_DENIED: (
        Cause.OTHER_NETWORK,
        Cause.FIREWALL_REJECTS,
        Cause.FORBIDDEN_HERE,
    ),
    Evidence.NO_UPSTREAM: (
        Cause.OTHER_NETWORK,
        Cause.NOT_LISTENING,
        Cause.STALE_ADDRESS,
        Cause.LISTENS_ELSEWHERE,
        Cause.SLOW_APP,
    ),
    Evidence.BAD_GATEWAY: (
        Cause.NOT_LISTENING,
        Cause.PROXY_WITHOUT_APP,
        Cause.STALE_ADDRESS,
        Cause.RESET_BY_PROGRAM,
    ),
    Evidence.SERVICE_UNAVAILABLE: (
        Cause.NOT_LISTENING,
        Cause.NOT_READY,
        Cause.PROXY_WITHOUT_APP,
        Cause.SLOW_APP,
        Cause.STALE_ADDRESS,
    ),
    Evidence.GATEWAY_TIMEOUT: (
        Cause.SLOW_APP,
        Cause.SHORT_READ_TIMEOUT,
        Cause.STALE_ADDRESS,
        Cause.FIREWALL_DROPS,
    ),
    Evidence.NOT_CONNECTED: (
        Cause.NOT_LISTENING,
        Cause.ASKS_IPV4_ONLY,
        Cause.NO_SUCH_NAME,
        Cause.LISTENS_ELSEWHERE,
        Cause.OTHER_NETWORK,
        Cause.SOURCE_ON_OTHER_NETWORK,
        Cause.STALE_ADDRESS,
        Cause.NO_IPV6_HERE,
    ),
    Evidence.GAVE_UP: (
        Cause.ASKS_IPV4_ONLY,
        Cause.ONE_END_WITHOUT_TLS,
        Cause.NOT_LISTENING,
        Cause.NO_SUCH_NAME,
    ),
    Evidence.NO_RESPONSE: (
        Cause.OTHER_NETWORK,
        Cause.SOURCE_ON_OTHER_NETWORK,
        Cause.STALE_ADDRESS,
        Cause.STALE_NAME,
        Cause.FIREWALL_DROPS,
        Cause.SLOW_APP,
        Cause.MACHINE_DOWN,
    ),
    Evidence.NO_REPLY: (
        Cause.SLOW_APP,
        Cause.SHORT_READ_TIMEOUT,
        Cause.IDLE_CLOSED,
        Cause.SMALL_MTU,
    ),
    Evidence.ESTABLISHED: (
        Cause.SLOW_APP,
        Cause.ONE_END_WITHOUT_TLS,
        Cause.SMALL_MTU,
    ),
    Evidence.CLOSED: (
        Cause.RESET_BY_PROGRAM,
        Cause.IDLE_CLOSED,
        Cause.PROXY_WITHOUT_APP,
        Cause.ONE_END_WITHOUT_TLS,
    ),
    Evidence.TLS_FAILED: (
        Cause.ONE_END_WITHOUT_TLS,
        Cause.CERTIFICATE,
        Cause.CERTIFICATE_NAME,
    ),
    Evidence.CERTIFICATE_REFUSED: (Cause.CERTIFICATE, Cause.CERTIFICATE_NAME),
    Evidence.ACCESS_DENIED: (Cause.ACCESS_RULES, Cause.ONE_END_WITHOUT_TLS),
    Evidence.CREDENTIALS_REFUSED: (Cause.CREDENTIALS, Cause.SPECIAL_CHARACTER),
    Evidence.TOO_MANY_CONNECTIONS: (Cause.CONNECTION_LIMIT,),
    Evidence.SERVER_NOT_READY: (Cause.NOT_READY,),
    Evidence.POOL_EXHAUSTED: (
        Cause.POOL_TOO_SMALL,
        Cause.SLOW_QUERY,
        Cause.NOT_LISTENING,
    ),
    Evidence.QUERY_TIMED_OUT: (Cause.SLOW_QUERY, Cause.LOCK_HELD),
    Evidence.CLUSTER_DOWN: (Cause.SLOTS_NOT_SERVED, Cause.NODES_APART),
    Evidence.NODE_NOT_CONNECTED: (
        Cause.IPV4_DISTRIBUTION,
        Cause.COOKIE,
        Cause.NODE_NAME,
    ),
    Evidence.NODE_REFUSED: (Cause.COOKIE, Cause.NODE_NAME, Cause.IPV4_DISTRIBUTION),
    Evidence.NODE_NOT_STARTED: (Cause.EPMD, Cause.IPV4_DISTRIBUTION, Cause.NODE_NAME),
    Evidence.TOKEN_AUDIENCE: (Cause.AUDIENCE,),
    Evidence.TOKEN_EXPIRED: (Cause.EXPIRED,),
    Evidence.TOKEN_REFUSED: (Cause.AUDIENCE, Cause.ISSUER, Cause.EXPIRED),
    Evidence.FILE_LIMIT: (Cause.LIMIT,),
    Evidence.ADDRESS_IN_USE: (Cause.PORT_IN_USE,),
    Evidence.QUEUE_FULL: (Cause.ACCEPT_QUEUE_FULL, Cause.SLOW_APP),
    Evidence.LISTEN_ADDRESS: (Cause.NOT_OWN_ADDRESS, Cause.NO_IPV6_HERE, Cause.IPV6_OFF),
    Evidence.LISTENS_ELSEWHERE: (Cause.LISTENS_ELSEWHERE,),
}

# What an open port does not show.
NOT_TESTED = (Cause.HUNG, Cause.PROXY, Cause.TLS, Cause.SMALL_MTU)

# A cause is left out without this.
NEEDS = {
    Cause.OTHER_NETWORK: Circumstance.IDS_DIFFER,
    Cause.OWN_CROSS_NETWORK_ADDRESS: Circumstance.IDS_DIFFER,
    Cause.OUTSIDE: Circumstance.NO_PRIVATE_ADDRESS,
    Cause.NAME_OF_OTHER_NETWORK: Circumstance.INTERNAL_NAME,
    Cause.NO_STARTED_MACHINE: Circumstance.INTERNAL_NAME,
    Cause.OTHER_RESOLVER: Circumstance.INTERNAL_NAME,
    Cause.WRONG_ADDRESS: Circumstance.NOT_PRIVATE,
    Cause.HOSTS_LINE: Circumstance.IN_HOSTS,
    Cause.STALE_ADDRESS: Circumstance.GIVEN_ADDRESS,
    Cause.STALE_NAME: Circumstance.FOUND_ADDRESS,
    Cause.SHORT_TIMEOUT: Circumstance.SHORT_WAIT,
    Cause.OTHER_SOURCE: Circumstance.OWN_ADDRESS_NOT_USED,
    Cause.LOOPBACK_DOWN: Circumstance.LOOPBACK_DOWN,
    Cause.NO_BRACKETS: Circumstance.PORT_WITHOUT_BRACKETS,
    Cause.SOURCE_ON_OTHER_NETWORK: Circumstance.NETWORKS_UNKNOWN,
    Cause.ASKS_IPV4_ONLY: Circumstance.PRINTED,
    Cause.LOOPBACK_FOR_HOST: Circumstance.CONNECTS_TO_ITSELF,
    Cause.PORTS_IN_USE: Circumstance.PRINTED,
    Cause.REFUSED_BY_HOST: Circumstance.PRINTED,
    Cause.SUPERFLUOUS_BRACKETS: Circumstance.IN_BRACKETS,
    Cause.URL_FOR_NAME: Circumstance.A_URL,
    Cause.ESCAPED_ADDRESS: Circumstance.PERCENT_ESCAPES,
    Cause.PORTS_ELSEWHERE: Circumstance.PORTS_ELSEWHERE,
}

# A cause is left out with one of these.
_NOT_THE_MACHINE = (
    Circumstance.REPORTED_BY_TARGET,
    Circumstance.THIS_COMPUTER,
    Circumstance.TARGET_RESPONDS,
)
_ON_THE_LINK = (
    Circumstance.TARGET_RESPONDS,
    Circumstance.TARGET_SILENT,
    Circumstance.TARGET_UNKNOWN,
)
_NOT_THIS_LINK = (
    Circumstance.OPEN_ON_ANOTHER_PORT,
    Circumstance.REPORTED_BY_TARGET,
    Circumstance.REPORTED_ON_THE_WAY,
    Circumstance.THIS_COMPUTER,
)
RULED_OUT_BY = {
    Cause.STALE_ADDRESS: _NOT_THE_MACHINE,
    Cause.STALE_NAME: (*_NOT_THE_MACHINE, Circumstance.IN_HOSTS),
    Cause.MACHINE_DOWN: _NOT_THE_MACHINE,
    Cause.HOSTS_LINE: (Circumstance.THIS_COMPUTER, Circumstance.NOT_PRIVATE),
    Cause.OWN_CROSS_NETWORK_ADDRESS: (Circumstance.INTERNAL_NAME,),
    Cause.NO_ROUTE_ON_THE_WAY: (
        Circumstance.REPORTED_BY_TARGET,
        Circumstance.REPORTED_HERE,
        Circumstance.THIS_COMPUTER,
        *_ON_THE_LINK,
    ),
    Cause.NO_ROUTE_BACK: (Circumstance.THIS_COMPUTER,),
    Cause.NEXT_HOP_SILENT: (*_NOT_THIS_LINK, Circumstance.NEXT_HOP_RESPONDS, *_ON_THE_LINK),
    Cause.INTERFACE_DOWN: (*_NOT_THIS_LINK, Circumstance.LINK_UP),
    Cause.LOST: (Circumstance.THIS_COMPUTER,),
    Cause.SMALL_HOP_LIMIT: (Circumstance.LARGE_HOP_LIMIT,),
    Cause.IPV6_OFF: (Circumstance.IPV6_ON,),
    Cause.LISTENS_ELSEWHERE: (
        Circumstance.LISTENS_HERE,
        Circumstance.LISTENS_FOR_UDP,
        Circumstance.NOT_LISTENING,
    ),
    Cause.ASKS_IPV4_ONLY: (Circumstance.ASKS_IPV6, Circumstance.READS_ADDRESS),
    Cause.NO_BRACKETS: (Circumstance.READS_ADDRESS,),
    Cause.NO_SUCH_NAME: (Circumstance.READS_ADDRESS,),
    Cause.NOT_LISTENING: (Circumstance.LISTENS_HERE, Circumstance.LISTENS_ELSEWHERE),
    Cause.UDP_ONLY: (
        Circumstance.LISTENS_HERE,
        Circumstance.LISTENS_ELSEWHERE,
        Circumstance.NOT_LISTENING,
    ),
    Cause.LOOKUP_CONFIGURATION: (Circumstance.ASKS_RESOLVER,),
    Cause.CERTIFICATE: (Circumstance.NO_TLS_AT_ONE_END, Circumstance.NAMES_DIFFER),
    Cause.CERTIFICATE_NAME: (Circumstance.NO_TLS_AT_ONE_END,),
    Cause.ONE_END_WITHOUT_TLS: (Circumstance.NOT_ABOUT_TLS,),
    Cause.IDLE_CLOSED: (Circumstance.CLOSED_AT_ONCE,),
    Cause.OTHER_RESOLVER: (Circumstance.RESOLVER_PRIVATE,),
    Cause.RESOLVER_ERROR: (Circumstance.RESOLVER_UNROUTED, Circumstance.RESOLVER_NOT_REACHED),
    Cause.RESOLVER_FIREWALL: (Circumstance.RESOLVER_UNROUTED,),
}
# What leaves many causes out.
_RULES_OUT = {
    # The name had a right address, and a program of a running Machine listened at it.
    Circumstance.OPEN_IN_ANOTHER_ROUND: (
        Cause.OTHER_NETWORK,
        Cause.OWN_CROSS_NETWORK_ADDRESS,
        Cause.OUTSIDE,
        Cause.NAME_OF_OTHER_NETWORK,
        Cause.NO_STARTED_MACHINE,
        Cause.NO_SUCH_NAME,
        Cause.OTHER_RECORDS,
        Cause.HOSTS_LINE,
        Cause.LISTENS_ELSEWHERE,
        Cause.UDP_ONLY,
        Cause.STALE_ADDRESS,
        Cause.STALE_NAME,
        Cause.MACHINE_DOWN,
    ),
    # No packet leaves the computer.
    Circumstance.CONNECTS_TO_ITSELF: (
        Cause.OTHER_NETWORK,
        Cause.SOURCE_ON_OTHER_NETWORK,
        Cause.ASKS_IPV4_ONLY,
        Cause.NO_SUCH_NAME,
        Cause.UDP_ONLY,
        Cause.REFUSED_BY_HOST,
        Cause.STALE_ADDRESS,
        Cause.MACHINE_DOWN,
        Cause.FIREWALL_REJECTS,
        Cause.NO_ROUTE_ON_THE_WAY,
    ),
    Circumstance.TARGET_IS_SERVICE: (
        Cause.LISTENS_ELSEWHERE,
        Cause.NOT_LISTENING,
        Cause.MACHINE_DOWN,
        Cause.OTHER_NETWORK,
        Cause.OWN_CROSS_NETWORK_ADDRESS,
        Cause.REFUSED_BY_HOST,
        Cause.SOURCE_ON_OTHER_NETWORK,
        Cause.STALE_ADDRESS,
        Cause.STALE_NAME,
    ),
    # The causes of private networks.
    Circumstance.TARGET_OUTSIDE: (
        Cause.ASKS_IPV4_ONLY,
        Cause.IPV6_OFF,
        Cause.LISTENS_ELSEWHERE,
        Cause.NO_IPV6_HERE,
        Cause.OTHER_NETWORK,
        Cause.OUTSIDE,
        Cause.OWN_CROSS_NETWORK_ADDRESS,
        Cause.REFUSED_BY_HOST,
        Cause.SOURCE_ON_OTHER_NETWORK,
        Cause.STALE_ADDRESS,
    ),
}
for _circumstance, _causes in _RULES_OUT.items():
    for _cause in _causes:
        RULED_OUT_BY[_cause] = (*RULED_OUT_BY.get(_cause, ()), _circumstance)

# A cause comes first with one of these.
FIRST_WITH = {
    Cause.INTERFACE_DOWN: (Circumstance.LINK_DOWN, Circumstance.NO_CARRIER),
    Cause.NEXT_HOP_SILENT: (Circumstance.NEXT_HOP_SILENT,),
    Cause.STALE_NAME: (Circumstance.OPEN_AT_ANOTHER_ADDRESS,),
    Cause.MACHINE_DOWN: (Circumstance.TARGET_SILENT,),
    Cause.FIREWALL_REJECTS: (Circumstance.REPORTED_HERE, Circumstance.LISTENS_HERE),
    Cause.NOT_LISTENING: (Circumstance.IS_PROXY,),
    Cause.NO_IPV6_RECORD: (Circumstance.IN_HOSTS,),
    Cause.SMALL_HOP_LIMIT: (Circumstance.SMALL_HOP_LIMIT,),
    Cause.ONE_END_WITHOUT_TLS: (Circumstance.CLOSED_AT_ONCE,),
    Cause.IPV6_OFF: (Circumstance.IPV6_OFF,),
    Cause.LOOPBACK_DOWN: (Circumstance.LOOPBACK_DOWN,),
    Cause.UDP_ONLY: (Circumstance.LISTENS_FOR_UDP,),
    Cause.LOOKUP_CONFIGURATION: (Circumstance.ASKS_NO_RESOLVER,),
    Cause.RESOLVER_UNREACHABLE: (Circumstance.NO_RESOLVER, Circumstance.RESOLVER_UNROUTED),
    Cause.ACCEPT_QUEUE_FULL: (Circumstance.ACCEPT_QUEUE_FULL,),
}

# A cause comes last with one of these. After a handshake on another port, these are unlikely, but
# a proxy may have completed it.
_UNLIKELY = (Circumstance.OPEN_ON_ANOTHER_PORT,)
LAST_WITH = {
    Cause.STALE_ADDRESS: _UNLIKELY,
    Cause.STALE_NAME: _UNLIKELY,
    Cause.NO_STARTED_MACHINE: (Circumstance.NO_NAME,),
    Cause.NO_SUCH_NAME: (Circumstance.UNNAMED,),
    Cause.OWN_CROSS_NETWORK_ADDRESS: _UNLIKELY,
    Cause.NO_ROUTE_BACK: _UNLIKELY,
    Cause.OTHER_RESOLVER: (Circumstance.RESOLVER_HERE, Circumstance.PRINTED),
    Cause.ASKS_IPV4_ONLY: (Circumstance.ASKS_BOTH_FAMILIES,),
    Cause.FIREWALL_DROPS: (Circumstance.OPEN_IN_ANOTHER_ROUND,),
    Cause.LOOPBACK_FOR_HOST: (Circumstance.IS_PROXY,),
    # What a line seldom means.
    Cause.MACHINE_DOWN: (*_UNLIKELY, Circumstance.PRINTED),
    Cause.NEXT_HOP_SILENT: (Circumstance.PRINTED,),
    Cause.UDP_ONLY: (Circumstance.PRINTED,),
    Cause.INTERFACE_DOWN: (Circumstance.PRINTED,),
    Cause.IPV6_OFF: (Circumstance.PRINTED,),
    Cause.NO_ROUTE_ON_THE_WAY: (*_UNLIKELY, Circumstance.PRINTED),
    Cause.ACCEPT_QUEUE_FULL: (Circumstance.ACCEPT_QUEUE_HAS_ROOM, Circumstance.PRINTED),
}


def causes_of(evidence: Evidence, circumstances: AbstractSet[Circumstance]) -> tuple[Cause, ...]:
    """Return the causes that fit, the likeliest first.

    Args:
        evidence: what was seen.
        circumstances: what else is known.
    """
    first = []
    others = []
    last = []
    for cause in CAUSES_OF[evidence]:
        needed = NEEDS.get(cause)
        if needed is not None and needed not in circumstances:
            continue
        if not circumstances.isdisjoint(RULED_OUT_BY.get(cause, ())):
            continue
        if not circumstances.isdisjoint(LAST_WITH.get(cause, ())):
            last.append(cause)
        elif not circumstances.isdisjoint(FIRST_WITH.get(cause, ())):
            first.append(cause)
        else:
            others.append(cause)
    if Cause.OTHER_NETWORK in others:
        others.remove(Cause.OTHER_NETWORK)
        first.insert(0, Cause.OTHER_NETWORK)
    if Cause.NO_BRACKETS in others and Circumstance.PRINTED not in circumstances:
        others.remove(Cause.NO_BRACKETS)  # the target is another one than was meant
        first.insert(0, Cause.NO_BRACKETS)
    return (*first, *others, *last)


def supported_causes(
    causes: tuple[Cause, ...], checked: AbstractSet[Circumstance]
) -> tuple[Cause, ...]:
    """Return the causes that come first because of what was read on this computer.

    Args:
        causes: what `causes_of` returned.
        checked: what was read.
    """
    return tuple(cause for cause in causes if not checked.isdisjoint(FIRST_WITH.get(cause, ())))
