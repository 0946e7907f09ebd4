"""Networks drawn as text for Mermaid and for Graphviz.

Networks are boxes with their apps inside; an address for cross-network access is an arrow from the
network that the requests come from to the app that receives them. Identifiers are numbered
(`n0a1`), so names occur only in quoted labels, where every character except letters, digits and a
few marks is written as a number: no name can break out of its label.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Collection

    from fdaa.address import NetworkID
    from fdaa.networks._join import NetworkMap
    from fdaa.networks._model import Network

_UNKNOWN = "unknown app"
_MAX_LABEL = 200  # characters of a name that are drawn; a document may have longer ones
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.:/")


def mermaid(joined: NetworkMap, only: Collection[Network] | None = None) -> str:
    """Return a Mermaid flowchart of the networks.

    Args:
        joined: the networks.
        only: draw these, and the others that an address for cross-network access links to them.

    >>> from fdaa.networks import NetworkMap, parse_document
    >>> print(mermaid(NetworkMap([parse_document('{"apps": [{"name": "web"}]}', "apps.json")])))
    flowchart LR
      subgraph n0["default"]
        n0a0["web"]
      end
    <BLANKLINE>
    """
    boxes, arrows = _draw(joined, only)
    lines = ["flowchart LR"]
    for box in boxes:
        lines.append(f'  subgraph {box.id}["{" ".join(map(_mermaid_text, box.title))}"]')
        lines += [f'    {id_}["{_mermaid_text(app)}"]' for id_, app in box.apps]
        if not box.apps:  # Mermaid draws an empty subgraph as a node
            lines.append(f'    {box.id}empty["no app"]')
        lines.append("  end")
    lines += [f'  {start} -->|"{_mermaid_text(label)}"| {end}' for start, end, label in arrows]
    return "\n".join(lines) + "\n"


def dot(joined: NetworkMap, only: Collection[Network] | None = None) -> str:
    """Return a Graphviz graph of the networks; `only` is as in `mermaid`.

    >>> from fdaa.networks import NetworkMap
    >>> print(dot(NetworkMap()))
    digraph networks {
      rankdir=LR; compound=true; node [shape=box];
    }
    <BLANKLINE>
    """
    boxes, arrows = _draw(joined, only)
    lines = ["digraph networks {", "  rankdir=LR; compound=true; node [shape=box];"]
    for box in boxes:
        lines.append(f"  subgraph cluster_{box.id} {{")
        lines.append(f'    label="{" ".join(map(_dot_text, box.title))}";')
        # An arrow has to start at a node; the cluster's own, without size, is where.
        lines.append(f'    {box.id} [shape=point, style=invis, label=""];')
        lines += [f'    {id_} [label="{_dot_text(app)}"];' for id_, app in box.apps]
        lines.append("  }")
    clusters = {box.id for box in boxes}
    for start, end, label in arrows:
        tail = f", ltail=cluster_{start}" if start in clusters else ""
        lines.append(f'  {start} -> {end} [label="{_dot_text(label)}"{tail}];')
    return "\n".join([*lines, "}"]) + "\n"


class _Box(NamedTuple):
    id: str
    title: tuple[str, ...]  # words
    apps: list[tuple[str, str]]  # identifier and name of each


_Arrow: TypeAlias = tuple[str, str, str]  # identifiers of its start and its end, and a label


def _draw(joined: NetworkMap, only: Collection[Network] | None) -> tuple[list[_Box], list[_Arrow]]:
    chosen = set(joined.networks if only is None else only)
    ids = {row.network_id for row in chosen}
    inside = {app for row in chosen for app in row.apps}
    allocated = [row for row in joined.allocated if row.network_id in ids or row.app in inside]
    ends = {row.app or _UNKNOWN for row in allocated}
    served = {row.network_id for row in allocated}
    boxes: list[_Box] = []
    of_network: dict[NetworkID, str] = {}
    of_app: dict[str, str] = {}

    def add_box(title: tuple[str, ...], apps: Collection[str]) -> str:
        box = f"n{len(boxes)}"
        boxes.append(_Box(box, title, [(f"{box}a{i}", app) for i, app in enumerate(apps)]))
        for id_, app in boxes[-1].apps:
            of_app.setdefault(app, id_)  # where documents disagree it is in several boxes
        return box

    for row in joined.networks:
        apps = [app for app in row.apps if row in chosen or app in ends]
        if row in chosen or apps or row.network_id in served:
            shown = (row.name, row.network_id)
            box = add_box(tuple(str(part) for part in shown if part is not None), apps)
            if row.network_id is not None:
                of_network[row.network_id] = box
    if strangers := ends - of_app.keys():
        add_box(("network", "unknown"), sorted(strangers))
    arrows: list[_Arrow] = []
    for address in allocated:
        start, end = of_network[address.network_id], of_app[address.app or _UNKNOWN]
        if end.startswith(f"{start}a"):  # no arrow leads from a box into itself
            start = end
        arrows.append((start, end, str(address.address)))
    return boxes, arrows


def _mermaid_text(text: str) -> str:
    """Return a label's text; Mermaid reads `#65;` as the character of that number."""
    return _escaped(text, "#{};")


def _dot_text(text: str) -> str:
    """Return a label's text; Graphviz reads `&#65;` as the character of that number."""
    # It looks for escapes after that, so a backslash has to be there twice; and for a number above
    # 65535 it writes broken UTF-8.
    shown = "".join(c if c <= "\uffff" else "\ufffd" for c in text)
    return _escaped(shown, "&#{};").replace("&#92;", "&#92;&#92;")


def _escaped(text: str, escape: str) -> str:
    """Return an outside text for a diagram: cut if long, special characters as numbers."""
    cut = text if len(text) <= _MAX_LABEL else text[:_MAX_LABEL] + "..."
    return "".join(c if c in _PLAIN else escape.format(_character_number(c)) for c in cut)


def _character_number(character: str) -> int:
    """Return the number of a character, or of U+FFFD where no picture can show it."""
    return ord(character) if character.isprintable() else 0xFFFD
