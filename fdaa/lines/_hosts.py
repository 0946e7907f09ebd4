"""Names in text: of a command or a network, and of apps and hosts, with their ports.

How a text is written distinguishes names from addresses. Which apps exist is in the documents.
"""

# Without `annotations` from `__future__`: annotations of public names must be objects.

import re
from collections.abc import Iterator
from dataclasses import dataclass

from fdaa._checks import check_type
from fdaa._hosts import app_of

_LOCALHOST = "localhost"
_HIGHEST_PORT = 0xFFFF
_IN_NO_NAME = ":./%"  # addresses, paths and percent escapes have them

# Expressions are compiled where they are used, as a bare address needs none.

# A name, and maybe a port: reports:8080, reports.internal, db.example.com:5432.
_HOST = r"""(?axi)
    ( (?: \w [\w-]{0,62} \. ){0,16} [a-z_] [\w-]{0,62} )
    \.?
    (?: : ([0-9]{1,20}) )?
"""
# A part does not begin with a dash: in a command, it would be an option.
_INTERNAL = r"""(?axi)
    (?<! [.-] | (?u:\w) )               # a letter of any alphabet makes it another name
    (?: \w [\w-]{0,62} \. )+ internal    # reports.internal, sea.reports.internal
    (?! \.? [\w-] )                      # not jdk.internal.misc
"""
# COLOUR is the scanner's.
_PORT = r"""(?axi)
    (?: % (?: 25 )? \w [\w.-]{0,30} )?    # a zone: [fdaa::3%eth0]:53
    (?: \\{0,8} COLOUR ){0,3}
    \.? (?: ["')\]]{0,2} | %5D )  # what closes the name or the address
    (?: \\{0,8} COLOUR ){0,3}
    (?:
        [:.\#]            # [fdaa::3]:53, fdaa::3.53, fdaa::3#53
      | %3A               # %5Bfdaa%3A%3A3%5D%3A53
      | ,? [ ] (?: (?: tcp | udp ) [ ] )? port [ =:] [ ]?  # "reports.internal", port 5432
      | , [ ] (?= [0-9]+ , [ ] [0-9]+ , )     # ('fdaa::3', 53, 0, 0)
      | [ ]? , [ ]? (?= [0-9]+ [ ]? \} )      # {{64938,0,0,0,0,0,0,3},53}
    )
    ([0-9]{1,20})
    (?! [.:]? \w )        # neither a group of an address nor a longer number
"""


@dataclass(frozen=True, slots=True)
class Host:
    """A host, or an app by its bare name.

    Args:
        name: `reports.internal`, `reports` or `db.example.com`, in lower case.
        port: the port after it, if there is one.
    """

    name: str
    port: int | None = None

    @property
    def app(self) -> str | None:
        """The app that it belongs to: the last part before `.internal`, or a bare name.

        >>> Host("sea.reports.internal").app, Host("reports").app, Host("db.example.com").app
        ('reports', 'reports', None)
        """
        if self.name == _LOCALHOST:
            return None
        if "." in self.name:
            return app_of(self.name)
        return app_of(f"{self.name}.internal")

    def __str__(self) -> str:
        if self.port is None:
            return self.name
        return f"{self.name}:{self.port}"


def is_name(text: str) -> bool:
    """Whether a text can only be meant as a name, of a network or of a command."""
    check_type(text, "text", str)
    return text[:1].isalpha() and may_be_name(text)


def may_be_name(text: str) -> bool:
    """Whether a text may be the name of an app, or the identifier of a Machine."""
    check_type(text, "text", str)
    if not text:
        return False
    return not any(character in _IN_NO_NAME or character.isspace() for character in text)


def read_host(text: str) -> Host | None:
    """Return the host, or the app with a port, that a whole text is; None for any other text.

    >>> read_host("reports.internal:8080"), read_host("reports")
    (Host(name='reports.internal', port=8080), None)
    """
    check_type(text, "text", str)
    match = re.fullmatch(_HOST, text)
    if match is None:
        return None
    name = match[1].lower()
    port = read_port(match[2])
    if name.endswith(".arpa") or ("." not in name and port is None):
        return None
    return Host(name, port)


def has_wrong_port(text: str) -> bool:
    """Whether a whole text is a host, or an app, with a port that is not from 1 to 65535."""
    check_type(text, "text", str)
    match = re.fullmatch(_HOST, text)
    return match is not None and match[2] is not None and read_port(match[2]) is None


def find_names(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the `.internal` names in a text, each with its place, in order.

    >>> list(find_names("dial tcp reports.internal:8080: i/o timeout"))
    [('reports.internal', 9, 25)]
    """
    if ".internal" not in text.lower():
        return
    for match in re.finditer(_INTERNAL, without_escapes(text)):
        yield match[0].lower(), match.start(), match.end()


def without_escapes(text: str) -> str:
    r"""Return a text with spaces in place of escapes, so that every other place stays.

    >>> without_escapes(r"dial\nreports.internal")
    'dial  reports.internal'
    """
    from fdaa.scan.engine import COLOUR, JSON_ESCAPE, OTHER_ESCAPE  # late, as in `_places`

    escape = rf"""(?axi)
        {COLOUR}
      | {OTHER_ESCAPE}
      | (?<! \\ ) {JSON_ESCAPE}
      | (?<= [^\s"'(=\\] ) \\+ {JSON_ESCAPE}    # JSON in JSON; not \\reports\share
    """
    return re.sub(escape, lambda match: " " * len(match[0]), text)


def digits_after(text: str, end: int) -> str | None:
    """Return the digits in the place of a port after a name or an address that ends there."""
    from fdaa.scan.engine import COLOUR  # late, as in `_places`

    match = re.compile(_PORT.replace("COLOUR", COLOUR)).match(text, end)
    if match is None:
        return None
    return match[1]


def read_port(digits: str | None) -> int | None:
    """Return a port; None where there is none, and where it is out of range."""
    if digits is None or not 0 < int(digits) <= _HIGHEST_PORT:
        return None
    return int(digits)
