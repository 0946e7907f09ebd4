"""Networks drawn as text for Mermaid.

Networks are boxes with their apps inside; a cross-network address is an arrow from the clients'
network to the app that receives the requests. Identifiers are numbered (`n0a1`), so names occur
only in quoted labels, where every character except letters, digits and a few marks is written as a
number: no name can break out of its label.
"""

from collections.abc import Collection
from typing import TYPE_CHECKING

from fdaa._values.checks import check_type
from fdaa.networks._map import NetworkMap, knowledge_of
from fdaa.networks._model import CrossNetworkAddress, Network

if TYPE_CHECKING:
    from fdaa._values.address import NetworkID

_UNKNOWN = "unknown app"
_MAX_LABEL = 200  # characters of a name that are drawn; a document may have longer ones
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.:/")


def mermaid(networks: NetworkMap, only: Collection[Network] | None = None) -> str:
    """Return a Mermaid flowchart of the networks.

    Args:
        networks: the networks.
        only: draw these, and the others that a cross-network address links to them.

    >>> from fdaa.networks import NetworkMap, parse_document
    >>> apps = parse_document('{"apps": [{"name": "web"}]}', file="apps.json")
    >>> print(mermaid(NetworkMap([apps])))
    flowchart LR
      subgraph n0["default"]
        n0a0["web"]
      end
    <BLANKLINE>
    """
    check_type(networks, "networks", NetworkMap)
    chosen = networks.networks if only is None else only
    ids: set[NetworkID | None] = set()
    apps: set[str | None] = set()
    for network in chosen:
        ids.add(network.network_id)
        apps.update(network.apps)
    allocated = knowledge_of(networks).allocated
    linked = [row for row in allocated if row.network_id in ids or row.app in apps]
    drawn = set(map(id, chosen))
    picture = _Picture(linked)
    for network in networks.networks:
        picture.add_network(network, is_chosen=id(network) in drawn)
    picture.add_unknown()
    for row in linked:
        picture.add_arrow(row)
    return picture.text()


class _Picture:
    """The lines of a flowchart: boxes first, then arrows.

    Args:
        linked: the cross-network addresses that are drawn.
    """

    def __init__(self, linked: list[CrossNetworkAddress]) -> None:
        self._receivers = {row.app or _UNKNOWN for row in linked}
        self._clients = {row.network_id for row in linked}
        self._boxes = 0
        self._lines = ["flowchart LR"]
        self._box_of: dict[NetworkID, str] = {}
        self._node_of: dict[str, str] = {}  # by app

    def add_network(self, network: Network, *, is_chosen: bool) -> None:
        """Add a box for a network if it was chosen, or is at the other end of an arrow."""
        apps = list(network.apps)
        if not is_chosen:
            apps = [app for app in network.apps if app in self._receivers]
            if not apps and network.network_id not in self._clients:
                return
        title = []
        if network.name is not None:
            title.append(str(network.name))
        if network.network_id is not None:
            title.append(str(network.network_id))
        box = self._add_box(title, apps)
        if network.network_id is not None:
            self._box_of[network.network_id] = box

    def add_unknown(self) -> None:
        """Add a box for the receivers whose network is not known."""
        strangers = sorted(self._receivers - self._node_of.keys())
        if strangers:
            self._add_box(["network", "unknown"], strangers)

    def _add_box(self, title: list[str], apps: list[str]) -> str:
        box = f"n{self._boxes}"
        self._boxes += 1
        label = " ".join(map(_escaped, title))
        self._lines.append(f'  subgraph {box}["{label}"]')
        for number, app in enumerate(apps):
            node = f"{box}a{number}"
            self._lines.append(f'    {node}["{_escaped(app)}"]')
            self._node_of.setdefault(app, node)  # where documents disagree it is in several boxes
        if not apps:  # Mermaid draws an empty subgraph as a node
            self._lines.append(f'    {box}empty["no app"]')
        self._lines.append("  end")
        return box

    def add_arrow(self, row: CrossNetworkAddress) -> None:
        """Add the arrow of a cross-network address."""
        start = self._box_of[row.network_id]
        end = self._node_of[row.app or _UNKNOWN]
        if end.startswith(f"{start}a"):  # no arrow leads from a box into itself
            start = end
        self._lines.append(f'  {start} -->|"{_escaped(str(row.address))}"| {end}')

    def text(self) -> str:
        """Return the flowchart."""
        return "\n".join(self._lines) + "\n"


def _escaped(text: str) -> str:
    """Return an outside text for a label: cut if long, special characters as `#65;`."""
    if len(text) > _MAX_LABEL:
        text = text[:_MAX_LABEL] + "..."
    return "".join(map(_escaped_character, text))


def _escaped_character(character: str) -> str:
    """Return a character, its number, or that of U+FFFD where no picture can show it."""
    if character in _PLAIN:
        return character
    if not character.isprintable():
        character = "\ufffd"
    return f"#{ord(character)};"
