"""What a pasted line names: addresses, networks, apps and ports, and which end is the source.

Provisional: a minor release may change it (docs/api/index.md has what is promised).

    text -> places and names -> ends with their ports -> source and target
    text -> words -> evidence, and the phase in which it was printed

Nothing is looked up, and nothing is printed: `fdaa.explain` has the answers.

>>> from fdaa.lines import read_line
>>> line = read_line("read tcp [fdaa:2:45b::2]:40112->[fdaa:0:18::3]:5432: i/o timeout")
>>> str(line.source), str(line.target), line.port
('fdaa:2:45b::2', 'fdaa:0:18::3', 5432)
"""

from fdaa._support.exports import publish as _publish
from fdaa.lines._evidence import Circumstance, Evidence, Phase
from fdaa.lines._line import Line, read_line
from fdaa.lines._line_ends import Named
from fdaa.lines._places import CutOff, PortOrGroup
from fdaa.lines._words import Words

__all__ = [
    "Circumstance",
    "CutOff",
    "Evidence",
    "Line",
    "Named",
    "Phase",
    "PortOrGroup",
    "Words",
    "read_line",
]

_publish(__name__)
