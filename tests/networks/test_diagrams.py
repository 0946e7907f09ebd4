"""Pictures: what is drawn, and that no name breaks out of its label.

A label is in quotes, and only letters, digits, marks that mean nothing to Mermaid, and `#number;`.
"""

from __future__ import annotations

import re

import pytest
from organizations import parse

from fdaa.networks import NetworkMap, mermaid

# The name of an app -> the same as its label shows it: cut, and without control characters.
HOSTILE = [
    ('a"]\nclick n0 "javascript:alert(1)"', 'a"]\ufffdclick n0 "javascript:alert(1)"'),
    ("\x1b[31m\u202egnp\ud800", "\ufffd[31m\ufffdgnp\ufffd"),
    ("`md` %%{init}%% ]]> --> | &quot;<b>", "`md` %%{init}%% ]]> --> | &quot;<b>"),
    ("a" * 10_000, "a" * 200 + "..."),
]
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


@pytest.mark.parametrize(("name", "shown"), HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_name_stays_in_its_label(name: str, shown: str) -> None:
    machine = parse([{"id": "m", "private_ip": "fdaa:2:45b::3"}], name)
    joined = NetworkMap([parse([{"Name": name, "Network": "blue"}]), machine])
    head, network, app, end, after = mermaid(joined).split("\n")
    assert (head, network, end, after) == (
        "flowchart LR",
        '  subgraph n0["blue 2:45b"]',
        "  end",
        "",
    )
    label = re.fullmatch(r'    n0a0\["((?:[\w\-.:/ ]|#[0-9]+;)*)"\]', app, re.ASCII)
    assert label is not None
    assert re.sub(r"#(\d+);", lambda entity: chr(int(entity[1])), label[1]) == shown
