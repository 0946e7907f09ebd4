"""The names of networks, if documents are given."""

# Without `annotations` from `__future__`: annotations of public names must be objects.

from collections.abc import Iterator
from dataclasses import replace

from fdaa._support.escapes import inline
from fdaa._values.address import Address, NetworkID
from fdaa._values.membership import is_service
from fdaa.explain._document_words import describe_network
from fdaa.lines._places import Found
from fdaa.networks import NetworkMap
from fdaa.networks._model import KnownNetwork

# Platform rules, "network-id-0".
_SERVICE = "assumed: the platform's services"
IS_OF_SERVICES = "is assumed to belong to the platform's services (fdaa::3 is the resolver)"
WHO_REACHES_SERVICES = "the specification does not say which networks can reach them"
ABOUT_SERVICES = f"Network ID 0 {IS_OF_SERVICES}; {WHO_REACHES_SERVICES}."


def without_nothing(networks: NetworkMap | None) -> NetworkMap | None:
    """Return the joined documents; None if there are none, or nothing is in them."""
    if networks is None:
        return None
    if networks.names or networks.apps or networks.addresses or networks.machines:
        return networks
    return None


class Names:
    """The names of networks, if documents are given."""

    def __init__(self, networks: NetworkMap | None) -> None:
        self.networks = networks

    def name_of(self, network_id: NetworkID) -> str | None:
        if self.networks is None:
            return None
        network = self.networks.by_id(network_id)
        if network is None or network.name is None:
            return None
        return str(network.name)

    def is_service(self, network_id: NetworkID) -> bool:
        """Return whether a network ID is assumed to belong to the platform's services."""
        return is_service(network_id, self.name_of(network_id))

    def describe(self, network_id: NetworkID) -> str:
        """Return what a network is called: its ID, and its name if it is known."""
        if self.is_service(network_id):
            return f"{network_id} ({_SERVICE})"
        if self.networks is None:
            return str(network_id)
        name = self.name_of(network_id)
        if name is None:
            return f"{network_id} (name unknown)"
        return f"{inline(name)} ({network_id})"

    def what_is(self, name: str) -> Iterator[tuple[str, str]]:
        """Yield what has a name in the documents: an app, a Machine or a network."""
        if self.networks is None:
            return
        if name in self.networks.apps:
            yield "app", describe_network(self.networks.known_network(name))
        if name in self.networks.machines:
            state = self.networks.state_of(name) or "state unknown"
            yield "Machine", inline(state)
        network = self.networks.by_name(name)
        if network is not None:
            yield (
                "network",
                describe_network(KnownNetwork(name=network.name, network_id=network.network_id)),
            )

    def describe_app(self, app: str | None) -> str:
        """Return an app and its network, as far as they are known."""
        if app is None:
            return "no app"
        if self.networks is None:
            return f"a name of app {inline(app)}"
        network = self.networks.known_network(app)
        return f"app {inline(app)} is on {describe_network(network)}"


def describe_network_of(address: object, networks: NetworkMap | None = None) -> str:
    """Return what the network of an address is called; `no private network` for another address.

    >>> describe_network_of(Address("fdaa:2:45b::3"))
    'network 2:45b'
    """
    if not isinstance(address, Address):
        return "no private network"
    known = KnownNetwork(network_id=address.network_id)
    if networks is not None:
        row = networks.by_id(address.network_id)
        if row is not None:
            known = replace(known, name=row.name)
    return describe_network(known)


def rows_of_network(
    network_id: NetworkID, networks: NetworkMap | None = None
) -> Iterator[tuple[str, str]]:
    """Yield the forms of a network ID, and the name of its network, each with what it is.

    Args:
        network_id: the network ID.
        networks: the joined documents, or None.

    >>> from fdaa import NetworkID
    >>> dict(rows_of_network(NetworkID("2:45b")))["prefix"]
    'fdaa:2:45b::/48'
    """
    if networks is not None:
        name = Names(networks).name_of(network_id) or "unknown"
        yield "network name", inline(name)
    yield "network ID", f"{network_id}  {network_id:#x}  {network_id:d}"
    yield "prefix", str(network_id.prefix)


def compared(found: Found, own: Address, names: Names) -> str:
    """Return how an address or a network compares with the address of this Machine."""
    if found == own:
        return "this is its address"
    if found.network_id == own.network_id:
        return f"on the same network ({own})"
    return f"on another network, {names.describe(own.network_id)}"
