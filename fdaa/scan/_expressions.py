"""What the scanner's regular expressions share: how they are compiled, and the edge of a word."""

from __future__ import annotations

import re
from functools import cache

LEFT = 128  # how far an expression looks to the left of an address

# Of reversed text: no word in front, or the end of an escape, whose letter or digit belongs to no
# word. ESC is raw or as JSON writes it; of colours, also as tools write it (ECMA-48).
EDGE = rb"""
    (?:
        (?! [0-9a-z_] | [\x80-\xbf][\xc3-\xd4] )
    |
        (?=
            [bfnrt]\\                                       # \n of JSON
        |   [0-9a-f]{4}u\\                                  # \u00e9 of JSON
        |   [0-9a-f]{2}%                                    # %5B
        |   [0-Z\\-~] (?: \x1b | b100u\\ )                  # ESC c
        |   [0-~][ -/] (?: \x1b | b100u\\ )                 # ESC ( B
        |   [@-~] (?: [0-?]{0,48} | [ -/][0-?]{0,3} ) \[    # ESC [ 31 m
            (?: \x1b | b100u\\ | \[\^ | 330\# | b1x\\ | 330\\ | e\\ )
        )
    )
"""


@cache
def compiled(source: bytes) -> re.Pattern[bytes]:
    """Compile an expression when it is first needed: most scans take less time."""
    return re.compile(source, re.VERBOSE)
