"""The `.internal` names in a text, and the port after a name or an address."""

# Without `annotations` from `__future__`: annotations of public names must be objects.

import re
from collections.abc import Iterator

from fdaa._values.hosts import INTERNAL_NAME
from fdaa.scan._expression_parts import COLOUR, JSON_ESCAPE, OTHER_ESCAPE

# COLOUR is the scanner's.
_PORT = r"""(?axi)
    (?: % (?: 25 )? \w [\w.-]{0,30} )?    # a zone: [fdaa::3%eth0]:53
    (?: \\{0,8} COLOUR ){0,3}
    \.? (?: ["')\]|]{0,2} | %5D )  # what closes the name or the address
    (?: \\{0,8} COLOUR ){0,3}
    (?:
        [:.\#]            # [fdaa::3]:53, fdaa::3.53, fdaa::3#53
      | %3A               # %5Bfdaa%3A%3A3%5D%3A53
      | ,? [ ] (?: (?: tcp | udp ) [ ] )? port [ =:] [ ]?  # "reports.internal", port 5432
        # (ADDRESS) and accepting TCP/IP connections on port 5432
      | [ ] and [ ] accepting (?: \s | \\[nt] ){1,8} TCP/IP [ ] connections [ ] on [ ] port [ ]
      | , [ ] (?= [0-9]+ , [ ] [0-9]+ , )     # ('fdaa::3', 53, 0, 0)
      | [ ]? , [ ]? (?= [0-9]+ [ ]? \} )      # {{64938,0,0,0,0,0,0,3},53}
    )
    ([0-9]{1,20})
    (?! [.:]? \w )        # neither a group of an address nor a longer number
"""


def find_names(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the `.internal` names in a text, each with its place, in order.

    >>> list(find_names("dial tcp reports.internal:8080: i/o timeout"))
    [('reports.internal', 9, 25)]
    """
    if ".internal" not in text.lower():
        return
    for match in re.finditer(INTERNAL_NAME, without_escapes(text)):
        yield match[0].lower(), match.start(), match.end()


def without_escapes(text: str) -> str:
    r"""Return a text with spaces in place of escapes, so that every other place stays.

    >>> without_escapes(r"dial\nreports.internal")
    'dial  reports.internal'
    """
    escape = rf"""(?axi)
        {COLOUR}
      | {OTHER_ESCAPE}
      | (?<! \\ ) {JSON_ESCAPE}
      | (?<= [^\s"'(=\\] ) \\+ {JSON_ESCAPE}    # JSON in JSON; not \\reports\share
    """
    return re.sub(escape, lambda match: " " * len(match[0]), text)


def digits_after(text: str, end: int) -> str | None:
    """Return the digits in the place of a port after a name or an address that ends there."""
    match = re.compile(_PORT.replace("COLOUR", COLOUR)).match(text, end)
    if match is None:
        return None
    return match[1]
