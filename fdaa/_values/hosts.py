"""Names of hosts, and their ports: one grammar, for arguments, for text, and for a probe.

How a text is written distinguishes names from addresses. Which apps exist is in the documents.
"""

# Without `annotations` from `__future__`: annotations of public names must be objects.

import re
from dataclasses import KW_ONLY, dataclass

from fdaa._support.escapes import quote
from fdaa._values.errors import InputError
from fdaa._values.text import HEX, HIGHEST_PORT, IS_IPV4, decimal

PORT_RULE = f"a port is from 1 to {HIGHEST_PORT}, without leading zeros"

_TOP = "internal"  # the domain of the platform's names
LOCALHOST = "localhost"
_IN_NO_NAME = frozenset(":./%")  # addresses, paths and percent escapes have them
_LONGEST_NAME = 253  # RFC 1035, section 2.3.4, without the length bytes

# Labels with dots between them; a part does not begin with a dash, which would be an option.
_LABEL = r"\w[\w-]{0,62}"
_NAME = rf"(?a)(?:{_LABEL}\.)*{_LABEL}"

# A name of the platform's in running text, for `re.finditer`.
INTERNAL_NAME = rf"""(?axi)
    (?<! [.-] | (?u:\w) )                # a letter of any alphabet makes it another name
    (?: (?<! (?u:\w) ['\u2019] ) | (?<= \b [bru]' ) )    # not it's.internal, but b'web.internal'
    (?: {_LABEL} \. )+ {_TOP}            # reports.internal, sea.reports.internal
    (?! \.? [\w-] )                     # not jdk.internal.misc
"""
_IPV4 = r"(?a)[0-9]{1,3}(?:\.[0-9]{1,3}){3}"


class EndError(InputError):
    """Not an end of a connection: no address, network, app or host, or a port that is not valid."""

    def _message(self, reason: str) -> str:
        return f"{quote(self.text)}: {reason}"


@dataclass(frozen=True, slots=True)
class Host:
    """A host by its name, or an app by its bare name, and a port if there is one.

    Args:
        name: `reports.internal`, `reports` or `db.example.com`, in lower case.
        port: the port after it, or None.
    """

    name: str
    _: KW_ONLY
    port: int | None = None

    @property
    def app(self) -> str | None:
        """The app that it belongs to: the last part before `.internal`, or a bare name.

        >>> Host("sea.reports.internal").app, Host("reports").app, Host("db.example.com").app
        ('reports', 'reports', None)
        """
        if self.name == LOCALHOST:
            return None
        if "." in self.name:
            return app_of(self.name)
        return app_of(f"{self.name}.{_TOP}")

    @property
    def first_part(self) -> str | None:
        """The part before the app and others, which may be a Machine's identifier, or a region.

        >>> Host("148e21dad76789.vm.web.internal").first_part, Host("web.internal").first_part
        ('148e21dad76789', None)
        """
        if self.app is None or "." not in self.name:
            return None
        first = self.name.partition(".")[0]
        if self.name == f"{first}.{_TOP}":
            return None
        return first

    def __str__(self) -> str:
        if self.port is None:
            return self.name
        return f"{self.name}:{self.port}"


def app_of(host: str) -> str | None:
    """Return the app that a `.internal` name belongs to: the last part before `.internal`.

    A name of the platform's own, such as `_apps.internal`, belongs to no app.

    Args:
        host: the name, in any case, with or without a dot at its end.

    >>> app_of("reports.internal"), app_of("SEA.Reports.internal."), app_of("db.example.com")
    ('reports', 'reports', None)
    """
    before, _, last = host.lower().removesuffix(".").rpartition(".")
    app = before.rpartition(".")[2]
    if last != _TOP or not app or app.startswith("_"):
        return None
    return app


def is_name(text: str) -> bool:
    """Whether a text can only be meant as a name, of a network or of a command."""
    return text[:1].isalpha() and may_be_name(text)


def may_be_name(text: str) -> bool:
    """Whether a text may be the name of an app, or the identifier of a Machine."""
    if not text:
        return False
    return not any(character in _IN_NO_NAME or character.isspace() for character in text)


def is_ipv4(text: str) -> bool:
    """Whether a text is written like an IPv4 address."""
    return re.fullmatch(_IPV4, text) is not None


def read_host(text: str) -> Host | None:
    """Return the host, or the app with a port, that a whole text is; None for any other text.

    A bare name without a port is None: it may be an app, a Machine, or a network. So are two groups
    of a network ID that begin with a digit (`2:45`). `db:5432` is a host here, and may be a network
    ID, too.

    Raises:
        EndError: the port is not from 1 to 65535, or the host is an IPv4 address.

    >>> read_host("reports.internal:8080"), read_host("reports")
    (Host(name='reports.internal', port=8080), None)
    """
    written, colon, digits = text.partition(":")
    name = written.lower().removesuffix(".")
    if "." not in name and name != written.lower():  # the dot at the end is a host's, not an app's
        return None
    if len(name) > _LONGEST_NAME or re.fullmatch(_NAME, name) is None:
        return None
    if is_ipv4(name):
        raise EndError(text, IS_IPV4)
    if not colon:
        if "." not in name or name.endswith(".arpa"):
            return None
        return Host(name)
    if name[0].isdigit() and HEX.issuperset(name):  # two groups of a network ID
        return None
    if not digits.isdecimal() or not digits.isascii():
        return None
    port = read_port(digits)
    if port is None:
        raise EndError(text, PORT_RULE)
    return Host(name, port=port)


def read_port(digits: str | None) -> int | None:
    """Return a port; None where there is none, and where it is out of range."""
    if digits is None:
        return None
    return decimal(digits, HIGHEST_PORT) or None
