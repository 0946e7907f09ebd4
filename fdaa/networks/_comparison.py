"""Whether two networks are one, as far as each is known, and what that rests on."""

from typing import Literal, NamedTuple, TypeAlias

from fdaa._values.address import NetworkID
from fdaa._values.network_name import NetworkName
from fdaa.networks._assumptions import Assumed, together
from fdaa.networks._findings import KnownNetwork, Reason
from fdaa.networks._model import Network

ComparisonKind: TypeAlias = Literal[
    Reason.SAME_ID, Reason.DIFFERENT_IDS, Reason.SAME_NAME, Reason.DIFFERENT_NAMES
]


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
        kind: whether their IDs or their names show it; None where neither do.
        assumed: the assumptions that it rests on.
    """

    same: bool | None
    kind: ComparisonKind | None = None
    assumed: Assumed = ()


def compare(first: PlacedNetwork, second: PlacedNetwork) -> Comparison:
    """Compare two networks by their IDs, else by their names.

    The ID is in the address itself (specification, 2.3), whatever name documents have for it.
    """
    kind: ComparisonKind
    if first.network_id is not None and second.network_id is not None:
        same = first.network_id == second.network_id
        kind = Reason.SAME_ID if same else Reason.DIFFERENT_IDS
        return Comparison(same, kind, together(first.id_assumed, second.id_assumed))
    if first.name is not None and second.name is not None:
        same = first.name == second.name
        kind = Reason.SAME_NAME if same else Reason.DIFFERENT_NAMES
        return Comparison(same, kind, together(first.name_assumed, second.name_assumed))
    return Comparison(None)
