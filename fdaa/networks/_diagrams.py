"""Networks drawn as text for Mermaid and for Graphviz.

Networks are boxes with their apps inside; an address for cross-network access is an arrow from the
network that the requests come from to the app that takes them. Identifiers are counted (`n0a1`), so
that names stand in quoted labels only, and in those every character but letters, digits and a few
marks is written as a number: no name can break out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from fdaa.networks._join import NetworkMap

_MAX_LABEL = 200  # characters of a name that are drawn; nothing limits what a document has
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.:/")


class _Box(NamedTuple):
    id: str
    label: str
    apps: list[tuple[str, str]]  # identifier and label of each


class _Arrow(NamedTuple):
    start: str
    end: str
    label: str


def mermaid(joined: NetworkMap) -> str:
    """Return a Mermaid flowchart of the networks.

    >>> from fdaa.networks import NetworkMap, parse_document
    >>> print(mermaid(NetworkMap([parse_document(b'{"apps": [{"name": "web"}]}', "apps.json")])))
    flowchart LR
      subgraph n0["default"]
        n0a0["web"]
      end
    <BLANKLINE>
    """
    boxes, arrows = _draw(joined, _mermaid_text)
    lines = ["flowchart LR"]
    for box in boxes:
        lines.append(f'  subgraph {box.id}["{box.label}"]')
        # Mermaid takes a subgraph without a node for a node.
        inside = box.apps or [(f"{box.id}empty", "no app")]
        lines += [f'    {id_}["{label}"]' for id_, label in inside]
        lines.append("  end")
    lines += [f'  {arrow.start} -->|"{arrow.label}"| {arrow.end}' for arrow in arrows]
    return "\n".join(lines) + "\n"


def dot(joined: NetworkMap) -> str:
    """Return a Graphviz graph of the networks.

    >>> from fdaa.networks import NetworkMap
    >>> print(dot(NetworkMap()))
    digraph networks {
      rankdir=LR; compound=true; node [shape=box];
    }
    <BLANKLINE>
    """
    boxes, arrows = _draw(joined, _dot_text)
    lines = ["digraph networks {", "  rankdir=LR; compound=true; node [shape=box];"]
    for box in boxes:
        lines += [f"  subgraph cluster_{box.id} {{", f'    label="{box.label}";']
        # An arrow has to start at a node; the cluster's own, without size, is where.
        lines.append(f'    {box.id} [shape=point, style=invis, label=""];')
        lines += [f'    {id_} [label="{label}"];' for id_, label in box.apps]
        lines.append("  }")
    clusters = {box.id for box in boxes}
    for arrow in arrows:
        tail = f", ltail=cluster_{arrow.start}" if arrow.start in clusters else ""
        lines.append(f'  {arrow.start} -> {arrow.end} [label="{arrow.label}"{tail}];')
    return "\n".join([*lines, "}"]) + "\n"


def _draw(joined: NetworkMap, text: Callable[[str], str]) -> tuple[list[_Box], list[_Arrow]]:
    boxes: list[_Box] = []
    of_network: dict[int, str] = {}
    of_app: dict[str, str] = {}

    def add_box(*title: str) -> _Box:
        boxes.append(_Box(f"n{len(boxes)}", " ".join(map(text, title)), []))
        return boxes[-1]

    def add_app(box: _Box, app: str) -> None:
        node = f"{box.id}a{len(box.apps)}"
        box.apps.append((node, text(app)))
        of_app.setdefault(app, node)  # where documents disagree it is in several boxes

    for row in joined.networks:
        known = (row.name, row.network_id)
        box = add_box(*(str(part) for part in known if part is not None))
        if row.network_id is not None:
            of_network[row.network_id] = box.id
        for app in row.apps:
            add_app(box, app)
    placed = [(allocated, allocated.app or "unknown app") for allocated in joined.allocated]
    if strangers := {app for _, app in placed} - of_app.keys():
        box = add_box("network", "unknown")
        for app in sorted(strangers):
            add_app(box, app)
    arrows: list[_Arrow] = []
    for allocated, app in placed:
        start, end = of_network[allocated.network_id], of_app[app]
        if end.startswith(f"{start}a"):  # no arrow leads from a box into itself
            start = end
        arrows.append(_Arrow(start, end, text(str(allocated.address))))
    return boxes, arrows


def _mermaid_text(text: str) -> str:
    """Write a label's text; Mermaid reads `#65;` as the character of that number."""
    return "".join(c if c in _PLAIN else f"#{_shown(c)};" for c in _cut(text))


def _dot_text(text: str) -> str:
    """Write a label's text; Graphviz reads `&#65;` as the character of that number."""
    # It looks for escapes behind that, so a backslash has to be there twice; and for a number above
    # 65535 it writes broken UTF-8.
    cut = _cut(text).replace("\\", "\\\\")
    cut = "".join(c if c <= "\uffff" else "\ufffd" for c in cut)
    return "".join(c if c in _PLAIN else f"&#{_shown(c)};" for c in cut)


def _cut(text: str) -> str:
    return text if len(text) <= _MAX_LABEL else text[:_MAX_LABEL] + "..."


def _shown(character: str) -> int:
    """Return the number of a character, or of U+FFFD where no picture can show it."""
    return ord(character) if character.isprintable() else 0xFFFD
