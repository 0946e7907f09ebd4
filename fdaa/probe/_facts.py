"""What a probe is asked and what it finds, as data."""

from __future__ import annotations

import ipaddress
import re
from contextlib import suppress
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import TypeAlias

from fdaa._id_text import id_fields
from fdaa.address import Address, NetworkID
from fdaa.errors import AddressError, InputError

AnyAddress: TypeAlias = Address | ipaddress.IPv6Address

_FORMS = "expected ADDRESS, [ADDRESS]:PORT, APP:PORT or HOST:PORT"
_IN_BRACKETS = re.compile(r"\[([^][]+)\](?::(.*))?", re.DOTALL)
_HOST = re.compile(r"(?!.{254})(?:[A-Za-z0-9_-]{1,63}\.)*[A-Za-z0-9_-]{1,63}\.?")
_IPV4 = re.compile(r"[0-9]+(\.[0-9]+){3}")
_PORT = re.compile(r"[0-9]{1,5}")


class TargetError(InputError):
    """Not a target of a probe."""

    _kind = "target"


class Outcome(StrEnum):
    """How a look-up or a connection ended."""

    FOUND = "found"
    NOT_FOUND = "not-found"
    OPEN = "open"
    REFUSED = "refused"
    RESET = "reset"
    TIMED_OUT = "timed-out"
    NO_ROUTE = "no-route"
    ROUTED = "routed"  # no port was given, and there is a route
    FAILED = "failed"  # it could not be tried; the error says why


class Relation(StrEnum):
    """How an address relates to the network of this Machine."""

    SAME_NETWORK = "same-network"
    OTHER_NETWORK = "other-network"
    SERVICE = "service"  # network ID 0: a service of the platform
    NOT_PRIVATE = "not-private"
    UNKNOWN = "unknown"  # this Machine's own address is not known


class Origin(StrEnum):
    """Where the own address is from."""

    VARIABLE = "variable"  # PLATFORM_PRIVATE_IP
    INTERFACE = "interface"


@dataclass(frozen=True, slots=True)
class Target:
    """A name to look up, or an address, and a port.

    Args:
        text: the target as it was given.
        host: the name to look up: `APP.internal` for an app; None for an address.
        address: the address; None for a name.
        port: the TCP port; None for a look-up and a check of the route only.

    >>> Target.parse("web:3000").host, Target.parse("[fdaa:2:45b::3]:5432").port
    ('web.internal', 5432)
    """

    text: str
    host: str | None
    address: AnyAddress | None
    port: int | None

    @classmethod
    def parse(cls, text: str) -> Target:
        """Return the target in a text: `fdaa::3`, `[fdaa::3]:53`, `web`, `web:80`, `a.example:80`.

        A name without a dot is an app, but for `localhost`.

        Raises:
            TargetError: it is none of these; a port after an address requires brackets.
        """
        if in_brackets := _IN_BRACKETS.fullmatch(text):
            literal, port = in_brackets.groups()
            return cls(text, None, _literal(text, literal), _port(text, port))
        if text.count(":") > 1:
            return cls(text, None, _literal(text, text), None)
        name, colon, port = text.partition(":")
        if _IPV4.fullmatch(name):
            raise TargetError(text, "this is an IPv4 address; private addresses are IPv6")
        if not _HOST.fullmatch(name):
            raise TargetError(text, _FORMS)
        host = name if "." in name or name == "localhost" else f"{name}.internal"
        return cls(text, host, None, _port(text, port if colon else None))

    @property
    def app(self) -> str | None:
        """The app that is asked for by name."""
        name, _, rest = (self.host or "").partition(".")
        return name if rest == "internal" else None

    @property
    def with_brackets(self) -> str | None:
        """Address and port, if an address without brackets may be meant as both.

        >>> Target.parse("fdaa::3:5432").with_brackets
        '[fdaa::3]:5432'
        """
        return None if self.address is None else _with_brackets(self.text)


@dataclass(frozen=True, slots=True)
class OwnAddress:
    """The private address of this Machine; both are None where there is none."""

    address: Address | None = None
    origin: Origin | None = None

    def to_dict(self) -> dict[str, object]:
        """Return it as what `json.dumps` takes."""
        return {"kind": "own-address", **_with_network(self.address), "origin": self.origin}


@dataclass(frozen=True, slots=True)
class Peer:
    """An address of a target."""

    address: AnyAddress
    relation: Relation

    @property
    def network_id(self) -> NetworkID | None:
        """The ID of its network; None where it is not private."""
        return self.address.network_id if isinstance(self.address, Address) else None


@dataclass(frozen=True, slots=True)
class LookUp:
    """What the system's resolver returned for a name.

    Args:
        host: the name.
        outcome: `FOUND` also where it has IPv4 addresses only.
        peers: its IPv6 addresses, at most 64.
        left_out: how many more it has.
        ipv4: its IPv4 addresses; they are not tried.
        seconds: how long it took.
        error: the resolver's words, or None.
    """

    host: str
    outcome: Outcome
    peers: tuple[Peer, ...] = ()
    left_out: int = 0
    ipv4: tuple[str, ...] = ()
    seconds: float = 0.0
    error: str | None = None

    def to_dict(self) -> dict[str, object]:
        """Return it as what `json.dumps` takes."""
        return {"kind": "look-up", **_plain_fields(self)}


@dataclass(frozen=True, slots=True)
class Connection:
    """How a TCP connection to one address ended; without a port, whether there is a route.

    Args:
        target: what was asked.
        peer: the address.
        outcome: how it ended.
        seconds: how long it took.
        error: why it failed, or None.
    """

    target: Target
    peer: Peer
    outcome: Outcome
    seconds: float
    error: str | None = None

    def to_dict(self) -> dict[str, object]:
        """Return it as what `json.dumps` takes."""
        return {"kind": "connection", **_plain_fields(self)}


class Cause(StrEnum):
    """Why nothing answers, or why that is not known, in the order in which they are shown."""

    NAME_NOT_FOUND = "name-not-found"  # not on this network, or no started Machine
    NO_RESOLVER = "no-resolver"
    IPV4_ONLY = "ipv4-only"
    RESOLVED_ELSEWHERE = "resolved-elsewhere"  # to another network
    NOT_LISTENING = "not-listening"  # or on 0.0.0.0 or 127.0.0.1 only
    RESET = "reset"
    MACHINE_GONE = "machine-gone"
    FIREWALL = "firewall"
    ISOLATED = "isolated"  # another network
    OWN_CROSS_NETWORK_ADDRESS = "own-cross-network-address"  # asked from its app's own network
    NO_ROUTE = "no-route"
    NOT_TRIED = "not-tried"  # the error of the connection says why
    NO_OWN_ADDRESS = "no-own-address"
    NO_BRACKETS = "no-brackets"
    NO_PORT = "no-port"


@dataclass(frozen=True, slots=True)
class Finding:
    """A cause that the facts leave open, and the addresses that it is about."""

    kind: Cause
    addresses: tuple[AnyAddress, ...] = ()


@dataclass(frozen=True, slots=True)
class Conclusion:
    """What the facts about one target mean.

    Args:
        target: what was asked.
        answers: whether a connection to one of its addresses is open; None where that cannot be
            known.
        causes: why not, of each address that does not answer.
    """

    target: Target
    answers: bool | None
    causes: tuple[Finding, ...]

    def to_dict(self) -> dict[str, object]:
        """Return it as what `json.dumps` takes."""
        return {"kind": "conclusion", **_plain_fields(self)}


Step: TypeAlias = OwnAddress | LookUp | Connection | Conclusion


def _plain_fields(record: LookUp | Connection | Conclusion | Finding) -> dict[str, object]:
    return {each.name: _plain(getattr(record, each.name)) for each in fields(record)}


def _plain(value: object) -> object:
    match value:
        case Target():
            return value.text
        case Peer():
            return {**_with_network(value.address), "relation": value.relation}
        case Finding():
            return _plain_fields(value)
        case tuple():
            return [_plain(each) for each in value]
        case Address() | ipaddress.IPv6Address():
            return str(value)
    return value


def _with_network(address: AnyAddress | None) -> dict[str, object]:
    network_id = address.network_id if isinstance(address, Address) else None
    return {"address": _plain(address), **id_fields(network_id)}


def any_address(text: str) -> AnyAddress:
    """Return an IPv6 address; a private one as an Address.

    Raises:
        ValueError: it is none, or has a zone.
    """
    try:
        return Address(text)
    except AddressError:
        address = ipaddress.IPv6Address(text)
        if address.scope_id is not None:
            raise
        return address


def _literal(text: str, literal: str) -> AnyAddress:
    with suppress(ValueError):
        return any_address(literal)
    hint = _with_brackets(text)
    raise TargetError(text, _FORMS if hint is None else f"a port requires brackets: {hint}")


def _with_brackets(text: str) -> str | None:
    """Return address and port of a text without brackets, written with them."""
    literal, _, port = text.rpartition(":")
    with suppress(ValueError):
        return f"[{any_address(literal)}]:{_port(text, port)}"
    return None


def _port(text: str, port: str | None) -> int | None:
    if port is None:
        return None
    if not _PORT.fullmatch(port) or not 0 < int(port) <= 0xFFFF:
        raise TargetError(text, "a port is a number from 1 to 65535")
    return int(port)
