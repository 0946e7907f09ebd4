"""The target of a probe: an app, a host name or an address, and a port."""

import ipaddress
import re
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass
from typing import Self, TypeAlias

from fdaa._values.address import Address
from fdaa._values.checks import text_of
from fdaa._values.ends import AddressPort, App, parse_end, read_brackets
from fdaa._values.errors import AddressError, OutsidePrefixError
from fdaa._values.hosts import LOCALHOST, EndError, Host, app_of, read_host

AnyAddress: TypeAlias = Address | ipaddress.IPv6Address

_FORMS = "expected ADDRESS, [ADDRESS]:PORT, APP:PORT, HOST:PORT or a URL"
# The port of a URL that has none, by its scheme.
_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443, "amqp": 5672, "amqps": 5671}
_PORTS |= {"postgres": 5432, "postgresql": 5432, "mysql": 3306, "mongodb": 27017, "nats": 4222}
_PORTS |= {"redis": 6379, "rediss": 6379}


@dataclass(frozen=True, slots=True)
class Target:
    """A name to look up, or an address, and a port.

    Args:
        text: the target as it was given; of a URL, its host and port.
        host: the name to look up: `APP.internal` for an app; None for an address.
        address: the address; None for a name.
        port: the TCP port; None for a lookup and a check of the route only.

    >>> Target.parse("web:3000").host, Target.parse("[fdaa:2:45b::3]:5432").port
    ('web.internal', 5432)
    >>> Target.parse("redis://:secret@worker/0").text
    'worker:6379'
    """

    text: str
    _: KW_ONLY
    host: str | None = None
    address: "AnyAddress | None" = None
    port: int | None = None

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the target in a text: `fdaa::3`, `[fdaa::3]:53`, `web`, `web:80`, `a.example:80`.

        Of a URL, it is the host with its port, or the port of the scheme. A name without a dot is
        an app, except `localhost`.

        Raises:
            InputError: it is none of these; a port after an address requires brackets.
        """
        text = _of_url(text_of(text, "text"))
        try:
            end = parse_end(text)
        except OutsidePrefixError:  # it is an IPv6 address that is not private
            literal = text
            port: int | None = None
            if text.startswith("["):
                literal, port = read_brackets(text)
            return cls(text, address=any_address(literal), port=port)
        host: Host | None = None
        match end:
            case Address():
                return cls(text, address=end)
            case AddressPort(address=address, port=port):
                return cls(text, address=address, port=port)
            case App(name=name):
                host = read_host(f"{name}.internal")
            case Host():
                host = end
        if host is None:
            raise EndError(text, _FORMS)
        name = host.name
        if "." not in name and name != LOCALHOST:
            name += ".internal"
        return cls(text, host=name, port=host.port)

    @property
    def app(self) -> str | None:
        """The app whose `.internal` name is looked up.

        >>> Target.parse("sea.reports.internal:80").app, Target.parse("db.example.com").app
        ('reports', None)
        """
        if self.host is None:
            return None
        return app_of(self.host)

    @property
    def is_internal(self) -> bool:
        """Whether the name is one of the platform's `.internal` names."""
        return self.host is not None and self.host.endswith(".internal")


def _of_url(text: str) -> str:
    """Return the host and the port of a URL; any other text as it is."""
    scheme, separator, rest = text.partition("://")
    if not separator:
        return text
    place = re.split("[/?#]", rest)[0].rpartition("@")[2]
    default = _PORTS.get(scheme.lower())
    has_port = re.search(r":[0-9]*\Z", place.rpartition("]")[2]) is not None
    if default is None or has_port:
        return place
    return f"{place}:{default}"


def any_address(text: str) -> AnyAddress:
    """Return an IPv6 address; a private one as an Address.

    Raises:
        ValueError: it is not one, or has a zone.
    """
    with suppress(AddressError):
        return Address(text)
    if "%" in text:
        raise ValueError(text)
    return ipaddress.IPv6Address(text)
