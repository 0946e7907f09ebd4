"""What a pasted line names: addresses, networks, apps and ports, and which end is the source.

Provisional: a minor release may change it (docs/api/index.md lists what is promised).

    text -> places and names -> ends with their ports -> source and targets
    text -> words -> the phase in which it was printed

Nothing is looked up, and nothing is printed: `fdaa.explain` has the answers.

>>> from fdaa.lines import read_line
>>> line = read_line("read tcp [fdaa:2:45b::2]:40112->[fdaa:0:18::3]:5432: i/o timeout")
>>> str(line.source), str(line.target), line.port
('fdaa:2:45b::2', 'fdaa:0:18::3', 5432)
"""

from fdaa._support.exports import publish as _publish
from fdaa.lines._ends import Tried
from fdaa.lines._line import Line, read_line
from fdaa.lines._phases import Phase
from fdaa.lines._places import CutOff, Named, Outside, Unread

__all__ = [
    "CutOff",
    "Line",
    "Named",
    "Outside",
    "Phase",
    "Tried",
    "Unread",
    "read_line",
]

_publish(__name__)
