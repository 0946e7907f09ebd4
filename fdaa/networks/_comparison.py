"""Whether two networks are one, as far as each is known, and what that rests on."""

from typing import NamedTuple

from fdaa._values.address import NetworkID
from fdaa._values.network_name import NetworkName
from fdaa.networks._assumptions import Assumed, together
from fdaa.networks._findings import KnownNetwork
from fdaa.networks._model import Network


class PlacedNetwork(NamedTuple):
    """A network, as far as it is known, and the assumptions that its name and its ID rest on."""

    name: NetworkName | None = None
    network_id: NetworkID | None = None
    name_assumed: Assumed = ()
    id_assumed: Assumed = ()

    @property
    def known(self) -> KnownNetwork:
        """The network without its assumptions."""
        return KnownNetwork(name=self.name, network_id=self.network_id)

    def completed(self, row: Network | None) -> "PlacedNetwork":
        """Return it with the name or the ID that a row joins to the other one."""
        if row is None:
            return self
        name = self.name
        network_id = self.network_id
        name_assumed = self.name_assumed
        id_assumed = self.id_assumed
        if name is None and row.name is not None:
            name = row.name
            name_assumed = together(self.id_assumed, row.assumed)
        if network_id is None and row.network_id is not None:
            network_id = row.network_id
            id_assumed = together(self.name_assumed, row.assumed)
        return PlacedNetwork(name, network_id, name_assumed, id_assumed)


class Comparison(NamedTuple):
    """What two networks are to each other.

    Args:
        same: whether they are one; None where that is not known.
        is_by_id: whether their IDs show it, not their names.
        assumed: the assumptions that it rests on.
    """

    same: bool | None
    is_by_id: bool = False
    assumed: Assumed = ()


def compare(first: PlacedNetwork, second: PlacedNetwork) -> Comparison:
    """Compare two networks by their IDs, else by their names.

    The ID is in the address itself (specification, 2.3), whatever name documents have for it.
    """
    if first.network_id is not None and second.network_id is not None:
        same = first.network_id == second.network_id
        return Comparison(same, True, together(first.id_assumed, second.id_assumed))
    if first.name is not None and second.name is not None:
        same = first.name == second.name
        return Comparison(same, False, together(first.name_assumed, second.name_assumed))
    return Comparison(None)
