"""The target of a probe: an app, a host name or an address, and a port."""

import ipaddress
import re
from contextlib import suppress
from dataclasses import dataclass
from typing import Self, TypeAlias

from fdaa._address import Address
from fdaa._checks import text_of
from fdaa._errors import AddressError, InputError
from fdaa._hosts import app_of

AnyAddress: TypeAlias = Address | ipaddress.IPv6Address

_FORMS = "expected ADDRESS, [ADDRESS]:PORT, APP:PORT or HOST:PORT; a port is from 1 to 65535"
_HOST = r"(?![^:]{254})(?:[\w-]{1,63}\.)*[\w-]{1,63}\.?"
_TARGET = re.compile(rf"(?:\[([^][]+)\]|({_HOST}))(?::([0-9]{{1,5}}))?", re.ASCII)
_IPV4 = re.compile(r"[0-9]+(\.[0-9]+){3}")


class TargetError(InputError):
    """Not a target of a probe."""

    _kind = "target"


@dataclass(frozen=True, slots=True)
class Target:
    """A name to look up, or an address, and a port.

    Args:
        text: the target as it was given.
        host: the name to look up: `APP.internal` for an app; None for an address.
        address: the address; None for a name.
        port: the TCP port; None for a lookup and a check of the route only.

    >>> Target.parse("web:3000").host, Target.parse("[fdaa:2:45b::3]:5432").port
    ('web.internal', 5432)
    """

    text: str
    host: str | None
    address: AnyAddress | None
    port: int | None

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the target in a text: `fdaa::3`, `[fdaa::3]:53`, `web`, `web:80`, `a.example:80`.

        A name without a dot is an app, except `localhost`.

        Raises:
            TargetError: it is none of these; a port after an address requires brackets.
        """
        text = text_of(text, "text")
        if text.count(":") > 1 and not text.startswith("["):
            return cls(text, None, _literal(text, text), None)
        parts = _TARGET.fullmatch(text)
        if parts is None:
            raise TargetError(text, _FORMS)
        literal, name, digits = parts.groups()
        port = None
        if digits is not None:
            port = int(digits)
            if not 0 < port <= 0xFFFF:
                raise TargetError(text, _FORMS)
        if literal is not None:
            return cls(text, None, _literal(text, literal), port)
        if _IPV4.fullmatch(name):
            raise TargetError(text, "this is an IPv4 address; private addresses are IPv6")
        if "." in name or name == "localhost":
            return cls(text, name, None, port)
        return cls(text, f"{name}.internal", None, port)

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
        return (self.host or "").lower().removesuffix(".").endswith(".internal")

    @property
    def with_brackets(self) -> str | None:
        """Address and port, if an address without brackets may be meant as both.

        >>> Target.parse("fdaa::3:5432").with_brackets
        '[fdaa::3]:5432'
        """
        return _with_brackets(self.text)


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


def _literal(text: str, literal: str) -> AnyAddress:
    with suppress(ValueError):
        return any_address(literal)
    hint = _with_brackets(text)
    if hint is None:
        raise TargetError(text, _FORMS)
    raise TargetError(text, f"a port requires brackets: {hint}")


def _with_brackets(text: str) -> str | None:
    """Return a text with its last group as a port, if that is a target."""
    literal, _, port = text.rpartition(":")
    with suppress(TargetError):
        return Target.parse(f"[{literal}]:{port}").text
    return None
