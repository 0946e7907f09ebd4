"""The sentence for each reason of a verdict, and for each way around.

`{...}` is filled in by `_verdicts`.
"""

from fdaa.networks import Finding, Reason, Way


def sentence_for(finding: Finding) -> str:
    """Return the sentence for a reason or a way; it depends on the facts that it has."""
    kind = finding.kind
    if (finding.addresses or finding.public) and kind in _WITH_ADDRESSES:
        return _WITH_ADDRESSES[kind]
    if kind is Reason.CONTRADICTION and finding.end is None:
        return _APART + "; documents contradict each other: {broken}"
    if kind is Reason.OWN_NETWORK_UNKNOWN and finding.app is None:
        return _OWN_UNKNOWN + "APP= to --addresses FILE, and an app list (--apps)"
    is_unnamed = finding.network is not None and finding.network.name is None
    if kind is Way.CROSS_NETWORK_ADDRESS and is_unnamed:
        return _UNNAMED
    return SENTENCES[kind]


_UNCLEAR = "{end} is not clear: "
_APART = "{source} is on {on_source}, {target} on {on_target}"
_ALLOCATED = "{target} is allocated to {app} for clients on "
_OWN_UNKNOWN = (
    "the network of {app} itself is unknown, and this address does not work from that network; add "
)
_UNNAMED = (
    "allocate a cross-network address to {app} with the name of the network that {source} is on "
    "({network}; an app list or a book has its name)"
)
SENTENCES: dict[Reason | Way, str] = {
    Reason.SAME_ID: "{source} and {target} are both on {on_source}",
    Reason.DIFFERENT_IDS: _APART,
    Reason.SAME_NAME: "{source} and {target} are both on {on_source}",
    Reason.DIFFERENT_NAMES: _APART,
    Reason.ALLOCATED_FOR_SOURCE: _ALLOCATED + "{serves}, and {source} is on it",
    Reason.ALLOCATED_FOR_ANOTHER: _ALLOCATED + "{serves}, and {source} is on {on_source}",
    Reason.ASKED_FROM_OWN_NETWORK: _ALLOCATED + "{serves}; {source} is on {on_source}, the "
    "network of {app} itself: use the address of a Machine of {app}",
    Reason.OWN_NETWORK_UNKNOWN: _OWN_UNKNOWN + "an app list (--apps FILE) or --machines {app}=FILE",
    Reason.SOURCE_ID_UNKNOWN: "{addresses} is allocated to {app}, perhaps for clients on "
    "{on_source}; add a Machine list of an app on that network (--machines), which has its ID",
    Reason.SOURCE_IS_ALLOCATED: "{source} is allocated to {app} for clients on {network}; no "
    "requests come from it",
    Reason.NOT_COMPARABLE: _APART + "; add documents that have the names of both networks, or the "
    "IDs of both",
    Reason.NOT_IN_DOCUMENTS: "{end} is in none of these documents{hint}",
    Reason.NAME_OF_NETWORK: "{end} is a network, not an app: use network:{end}",
    Reason.NETWORK_NOT_IN_DOCUMENTS: "{end} is in none of these documents{hint}",
    Reason.APP_UNKNOWN: "{end} has no address yet, and its list does not name its app; use "
    "--machines APP=FILE",
    Reason.SERVICE_ADDRESS: "{end}: network ID 0 is assumed to belong to the platform's services "
    "(fdaa::3 is its resolver); no rule says which networks can reach them",
    Reason.CONTRADICTION: _UNCLEAR + "{broken}; use a Machine's address, or documents that agree",
    Reason.ADDRESS_DISPUTED: _UNCLEAR + "{broken}; use documents that agree",
    Reason.APP_OR_MACHINE: _UNCLEAR + "an app and a Machine have this name; use the Machine's "
    "address",
    Reason.MACHINE_OF_TWO_APPS: _UNCLEAR + "it has no address yet, and is in the Machine lists of "
    "two apps",
    Reason.MACHINE_ON_TWO_NETWORKS: _UNCLEAR + "it has addresses on two networks; use one of them",
    Reason.KNOWN_FROM_BOOK: "{app} was on {network} when the book learned it {day}; an app stays "
    "on its network as long as it exists",
    Reason.MEMBERSHIP_ONLY: "fdaa did not test whether anything is listening; the app must "
    "listen on its private IPv6 address or on [::], not only on 0.0.0.0 or 127.0.0.1",
    Reason.NO_MACHINE: "{app} has no Machine",
    Reason.STALE: "{end} is stale: no Machine of {looked_at} has this address",
    Reason.STOPPED: "{machine} is {states}",
    Reason.NO_STARTED_MACHINE: "no Machine of {app} is started ({states})",
    Way.PUBLIC_ADDRESS: "use a public address of {app}, if it has one (an app created through the "
    "API has none by default) and a service that is publicly reachable",
    Way.CROSS_NETWORK_ADDRESS: "allocate a cross-network address to {app} with the network "
    "name {name}, unless it has one (see --addresses)",
    Way.EXISTING_CROSS_NETWORK_ADDRESS: "use the address already allocated to {app} for {network}: "
    "{addresses}",
    Way.REPLAY: "for HTTP only: respond with the header platform-replay; the edge proxy then "
    "forwards the request to {app}, which must be in the same organization and have a service that "
    "exposes a port",
    Way.ADMINISTRATOR: "as an administrator, use the remote console, file transfer or tunnel of "
    "the platform's command-line tool, which reach any network of the organization",
}
_WITH_ADDRESSES: dict[Reason | Way, str] = {
    Reason.ALLOCATED_FOR_SOURCE: "allocated to {app} for clients on {serves}, and {source} is on "
    "it; the addresses of {app}'s own Machines are still not reachable",
    Way.PUBLIC_ADDRESS: "use a public address of {app}, if it has a service that is publicly "
    "reachable: {public}",
}
# What completes the documents, where no name in them is like the one that was given.
TO_ADD: dict[Reason | Way, str] = {
    Reason.NOT_IN_DOCUMENTS: "; add an --apps or --machines FILE that lists it",
    Reason.NETWORK_NOT_IN_DOCUMENTS: "; add an --apps FILE that lists an app on it, or a --book",
}
