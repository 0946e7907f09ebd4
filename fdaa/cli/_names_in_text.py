"""Names in text: of a command or a network, and of apps and hosts, with their ports.

All commands use this module to distinguish names from addresses, by how they are written. Which
apps exist is in the documents.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_LOCALHOST = "localhost"
_HIGHEST_PORT = 0xFFFF

# Expressions are compiled where they are used, as a bare address needs none.

# A name, and maybe a port: reports:8080, reports.internal, db.example.com:5432.
_HOST = r"""(?axi)
    ( (?: [\w-]{1,63} \. ){0,16} [a-z_][\w-]{0,62} )
    \.?
    (?: : ([0-9]{1,5}) )?
"""
_INTERNAL = r"""(?axi)
    (?<! [\w.-] )
    (?: [a-z0-9_-]{1,63} \. )+ internal  # reports.internal, sea.reports.internal
    (?! \.? [\w-] )                      # not jdk.internal.misc
"""
_PORT = r"""(?axi)
    \.? (?: ["')\]]{0,2} | %5D )   # what closes the name or the address
    (?:
        [:.\#]            # [fdaa::3]:53, fdaa::3.53, fdaa::3#53
      | ,? [ ] port [ =:] [ ]?                # "reports.internal", port 5432
      | , [ ] (?= [0-9]+ , [ ] [0-9]+ , )     # ('fdaa::3', 53, 0, 0)
      | , [ ]? (?= [0-9]+ \} )                # {{64938,0,0,0,0,0,0,3},53}
    )
    ([0-9]{1,5})
    (?! [.:]? \w )        # neither a group of an address nor a longer number
"""


class Host(NamedTuple):
    """A host, or an app by its bare name.

    Args:
        name: `reports.internal`, `reports` or `db.example.com`.
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
        if "." not in self.name:
            return self.name
        rest, _, last = self.name.rpartition(".")
        app = rest.rpartition(".")[2]
        if last != "internal" or app.startswith("_"):  # _apps.internal is a list
            return None
        return app

    @property
    def target(self) -> str:
        """The text for `fdaa probe`, which adds `.internal` to a bare name."""
        name = self.name
        if self.app is not None and name == f"{self.app}.internal":
            name = self.app
        if self.port is None:
            return name
        return f"{name}:{self.port}"


def is_name(text: str) -> bool:
    """Whether a text can only be meant as a name, of a network or of a command."""
    return text[:1].isalpha() and may_be_name(text)


def may_be_name(text: str) -> bool:
    """Whether a text may be the name of an app, or the identifier of a Machine."""
    if not text:
        return False
    return not any(character in ":./" or character.isspace() for character in text)


def read_host(text: str) -> Host | None:
    """Return the host, or the app with a port, that a whole text is; None for any other text.

    >>> read_host("reports.internal:8080"), read_host("reports")
    (Host(name='reports.internal', port=8080), None)
    """
    match = re.fullmatch(_HOST, text)
    if match is None:
        return None
    name = match[1].lower()
    port = _port(match[2])
    if name.endswith(".arpa") or ("." not in name and port is None):
        return None
    return Host(name, port)


def find_hosts(text: str) -> Iterator[Host]:
    """Yield the `.internal` names in a text, each with its port, in order.

    >>> list(find_hosts("dial tcp reports.internal:8080: i/o timeout"))
    [Host(name='reports.internal', port=8080)]
    """
    for match in re.finditer(_INTERNAL, text):
        yield Host(match[0].lower(), port_after(text, match.end()))


def port_after(text: str, end: int) -> int | None:
    """Return the port after a name or an address that ends there."""
    match = re.compile(_PORT).match(text, end)
    if match is None:
        return None
    return _port(match[1])


def _port(digits: str | None) -> int | None:
    """Return a port; None where there is none, and where it is out of range."""
    if digits is None or not 0 < int(digits) <= _HIGHEST_PORT:
        return None
    return int(digits)


def apps_in(text: str) -> list[Host]:
    """Return the hosts that a text names and that belong to apps, each app once.

    A text is a host itself, or a line with `.internal` names in it.
    """
    hosts = find_hosts(text)
    whole = read_host(text.strip())
    if whole is not None:
        hosts = iter([whole])
    apps: dict[str, Host] = {}
    for host in hosts:
        if host.app is None:
            continue
        if apps.setdefault(host.app, host).port is None:
            apps[host.app] = host
    return list(apps.values())
