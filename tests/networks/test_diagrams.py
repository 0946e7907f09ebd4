"""Pictures: what is drawn, and that no name breaks out of its label.

Mermaid's flowchart parser comes only with all of Mermaid (180 MB of packages), so the text is held
to a grammar instead: the few lines of Mermaid's language that are used, labels in quotes, and in a
label only letters, digits, marks that mean nothing to Mermaid, and `#number;`, which it reads as a
character. Mermaid 12.3 read such pictures when this was written.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from organizations import parse

from fdaa.networks import NetworkMap, mermaid

HOSTILE = [
    'x"];end',
    'a"]\nclick n0 "javascript:alert(1)"',
    "#quot;&quot;<b>x</b>",
    "\x1b[31m\u202egnp\ud800",
    '`md` %%{init}%% "," \\" \\N a;b {} ]]> - x --> |',
    "\u65e5\u672c\U0001f600",
    "a" * 10_000,
    "end",
    "cluster_n0",
]
LABEL = r'"((?:[\w\-.:/ ]|#[0-9]+;)*)"'
LINES = [
    r"flowchart LR",
    rf"  subgraph n[0-9]+\[{LABEL}\]",
    rf"    n[0-9]+(?:a[0-9]+|empty)\[{LABEL}\]",
    r"  end",
    rf"  n[0-9]+(?:a[0-9]+)? -->\|{LABEL}\| n[0-9]+a[0-9]+",
]


def labels_of(picture: str) -> Any:
    """Return the labels of a Mermaid picture, as Mermaid shows them; all of it must be grammar."""
    labels = []
    assert picture.endswith("\n")
    for line in picture[:-1].split("\n"):
        matches = list(filter(None, (re.fullmatch(form, line, re.ASCII) for form in LINES)))
        assert len(matches) == 1, line
        for label in matches[0].groups():
            labels.append(re.sub(r"#(\d+);", numbered_character, label))
    return labels


def numbered_character(entity: re.Match[str]) -> str:
    return chr(int(entity[1]))


def shown(name: str) -> str:
    """Return a name as a label shows it: cut, and without control characters."""
    if len(name) > 200:
        name = name[:200] + "..."
    for character in name:
        if not character.isprintable():
            name = name.replace(character, "\ufffd")
    return name


def picture_of(names: Any) -> Any:
    apps = [{"Name": name, "Network": "blue"} for name in names]
    machine = parse([{"id": "m", "private_ip": "fdaa:2:45b::3"}], names[0])
    allocated = parse([{"Address": "fdaa:7:0:1:1::2"}], names[0])
    return NetworkMap([parse(apps), machine, allocated])


EXPECTED = """\
flowchart LR
  subgraph n0["blue 2:45b"]
    n0a0["web"]
  end
  subgraph n1["red 7:0"]
    n1a0["api"]
  end
  n1 -->|"fdaa:7:0:1::2"| n0a0
"""


def test_networks_are_boxes_with_apps_inside_and_arrows_between() -> None:
    joined = NetworkMap(
        [
            parse([{"Name": "web", "Network": "blue"}, {"Name": "api", "Network": "red"}]),
            parse([{"id": "m", "private_ip": "fdaa:2:45b::3"}], "web"),
            parse([{"id": "n", "private_ip": "fdaa:7::3"}], "api"),
            parse([{"Address": "fdaa:7:0:1::2"}], "web"),
        ]
    )
    assert mermaid(joined) == EXPECTED


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_name_stays_in_its_label(name: str) -> None:
    labels = labels_of(mermaid(picture_of([name])))
    assert labels == ["blue 2:45b", shown(name), "7:0", "no app", "fdaa:7:0:1:1::2"]
