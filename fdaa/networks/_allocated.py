"""The cross-network addresses of a target, compared with the network of a source.

Two apps on different networks cannot communicate unless it is configured (specification, Networking
rules, 1), and an address list is where the configuration can be read. So a list that is not given
leaves the answer open.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from fdaa.networks._assumptions import Assumed, together
from fdaa.networks._comparison import compare
from fdaa.networks._findings import DisputedAddress, NoAddressList

if TYPE_CHECKING:
    from fdaa._values.address import Address
    from fdaa.networks._known_ends import KnownEnd
    from fdaa.networks._model import CrossNetworkAddress, Rule


class AllocatedRow(NamedTuple):
    """A cross-network address that is or may be for the source's network.

    Args:
        app: the app that it is allocated to; None where no document names it.
        address: the address.
        assumed: the assumptions that this rests on, besides `clients-network-id`.
    """

    app: str | None
    address: Address
    assumed: Assumed = ()


class Allocated:
    """The cross-network addresses that are or may be for the source's network.

    Attributes:
        of_app: those of the target's app, whether the target is the app or an address of it.
        certain: those of the target, which is an app or a network.
        possible: those of the target of which it is not known whether they are for that network.
        elsewhere: those for that network of which it is not known whether their app is on the
            target, a network.
        without_list: the apps of the target whose address lists are not given, so that there may
            be more; None if all are given.
        unless: why a no may be wrong: an address list is not given, or documents disagree.
    """

    def __init__(self) -> None:
        self.of_app: list[AllocatedRow] = []
        self.certain: list[AllocatedRow] = []
        self.possible: list[AllocatedRow] = []
        self.elsewhere: list[AllocatedRow] = []
        self.without_list: tuple[str, ...] | None = None
        self.unless: NoAddressList | DisputedAddress | None = None


def find_allocated(source: KnownEnd, target: KnownEnd) -> Allocated:
    """Find the cross-network addresses of a target that are or may be for a source's network."""
    found = Allocated()
    knowledge = target.knowledge
    facts = knowledge.facts
    apps: set[str] = set()
    if target.is_network:
        apps.update(knowledge.whereabouts.possible(target.network))
        rows = [row for row in facts.allocated if row.app is None or row.app in apps]
        is_complete = facts.all_apps_listed
    else:
        if target.app is not None:
            apps.add(target.app)
        rows = facts.app(target.app).allocated
        is_complete = bool(apps)
    without_list = tuple(app for app in sorted(apps) if not facts.app(app).has_address_list)
    if without_list or not is_complete:
        found.without_list = without_list
    disputed: list[CrossNetworkAddress] = []
    for row in rows:
        _add(row, found, disputed, source, target)
    if not target.is_app and not target.is_network:
        return found
    if disputed:
        found.unless = _disputed(disputed, target)
    elif found.without_list is not None:
        found.unless = NoAddressList(app=target.app, apps=without_list, network=source.network)
    return found


def _add(
    row: CrossNetworkAddress,
    found: Allocated,
    disputed: list[CrossNetworkAddress],
    source: KnownEnd,
    target: KnownEnd,
) -> None:
    """Add a cross-network address where it belongs, unless it is for another network."""
    knowledge = target.knowledge
    served = compare(source.placed, knowledge.served_network(row))
    if served.same is False:
        return
    if row.address in knowledge.disputes.of_address:
        disputed.append(row)
        return
    if not target.is_network:
        kept = AllocatedRow(row.app, row.address, served.assumed)
        if served.same:
            found.of_app.append(kept)
        if not target.is_app:
            return
        if served.same:
            found.certain.append(kept)
        else:
            found.possible.append(kept)
        return
    own = compare(knowledge.own_network(row), target.placed)
    kept = AllocatedRow(row.app, row.address, together(served.assumed, own.assumed))
    if served.same is None:
        found.possible.append(kept)
    elif own.same:
        found.certain.append(kept)
    else:
        found.elsewhere.append(kept)


def _disputed(rows: list[CrossNetworkAddress], target: KnownEnd) -> DisputedAddress:
    rules: set[Rule] = set()
    addresses: dict[Address, None] = {}
    for row in rows:
        rules.add(target.knowledge.disputes.of_address[row.address])
        addresses[row.address] = None
    return DisputedAddress(
        end="target",
        app=target.app,
        addresses=tuple(addresses),
        rules=tuple(sorted(rules)),
    )
