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
from fdaa.networks._model import Network

if TYPE_CHECKING:
    from fdaa._values.address import NetworkID

_MAX_LABEL = 200  # characters of a name that are drawn; a document may have longer ones
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.:/ ")


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
    chosen = networks.networks
    if only is not None:
        chosen = tuple(only)
    drawn = set(map(id, chosen))
    ids: set[NetworkID | None] = set()
    apps: set[str | None] = set()
    for network in chosen:
        ids.add(network.network_id)
        apps.update(network.apps)
    allocated = knowledge_of(networks).allocated
    arrows = [row for row in allocated if row.network_id in ids or row.app in apps]
    clients = {row.network_id for row in arrows}
    receivers = {row.app for row in arrows}

    lines = ["flowchart LR"]
    box_of: dict[NetworkID | None, str] = {}
    node_of: dict[str | None, str] = {}  # by app
    boxes = 0
    for network in networks.networks:
        shown = network.apps
        if id(network) not in drawn:  # at the other end of an arrow, perhaps
            shown = tuple(app for app in shown if app in receivers)
            if not shown and network.network_id not in clients:
                continue
        box = f"n{boxes}"
        boxes += 1
        box_of[network.network_id] = box
        label = " ".join(map(str, filter(None, (network.name, network.network_id))))
        lines.append(f'  subgraph {box}["{_escaped(label)}"]')
        for number, app in enumerate(shown):
            node = f"{box}a{number}"
            lines.append(f'    {node}["{_escaped(app)}"]')
            node_of.setdefault(app, node)  # where documents disagree it is in several boxes
        if not shown:  # Mermaid draws an empty subgraph as a node
            lines.append(f'    {box}empty["no app"]')
        lines.append("  end")
    for row in arrows:
        if row.app not in node_of:  # on no known network, so in no box
            node_of[row.app] = f"a{len(node_of)}"
            lines.append(f'  {node_of[row.app]}["{_escaped(row.app or "unknown app")}"]')
        first = box_of[row.network_id]
        last = node_of[row.app]
        if last.startswith(f"{first}a"):  # no arrow leads from a box into itself
            first = last
        lines.append(f'  {first} -->|"{_escaped(str(row.address))}"| {last}')
    return "\n".join(lines) + "\n"


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
