"""The ends of a connection, source and target: values, the text of each, and the one parser.

What the command takes as an end, what a probe takes as its target, and a text that is one end and
nothing else are all read here; `parse_end` has the table of texts.
"""

# Without `annotations` from `__future__`: annotations of public names must be objects.

import re
from collections.abc import Container
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass
from typing import Protocol, TypeAlias

from fdaa._values.address import Address, NetworkID, Prefix
from fdaa._values.bits import NETWORK_PREFIX_LENGTH
from fdaa._values.checks import check_type
from fdaa._values.errors import (
    AddressError,
    InputError,
    NetworkIDError,
    OutsidePrefixError,
)
from fdaa._values.hosts import PORT_RULE, EndError, Host, may_be_name, read_host, read_port
from fdaa._values.network_name import NetworkName
from fdaa._values.text import HEX

SELF = "self"
NETWORK = "network:"  # the text before a network's name or ID
_FORMS = "expected an address, a network ID, an app, a host, or network:NAME"

# The first groups of an address, and nothing more: fdaa:2:45b
_NETWORK_ALONE = re.compile(r"(?ai)fdaa:([0-9a-f]{1,4}):([0-9a-f]{1,4}):?")


@dataclass(frozen=True, slots=True)
class App:
    """An app by its name, or a Machine by its identifier; the documents have both.

    It is equal to no text and to no network name: an app and a network may have one name.

    Args:
        name: the name, or the identifier.

    Raises:
        EndError: it is empty, or has a colon, a slash, a dot, a percent sign or white space.

    >>> App("web") == App("web"), App("web") == "web"
    (True, False)
    """

    name: str

    def __post_init__(self) -> None:
        check_type(self.name, "name", str)
        if not may_be_name(self.name):
            reason = "the name of an app has no colon, slash, dot, percent sign or white space"
            raise EndError(self.name, reason)

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class AddressPort:
    """An address and a port: `[fdaa:2:45b::3]:5432`.

    Args:
        address: the address.
        port: the port, from 1 to 65535.
    """

    address: Address
    _: KW_ONLY
    port: int

    def __str__(self) -> str:
        return f"[{self.address}]:{self.port}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ThisMachine:
    """The Machine on which the program runs: `self`, or `self:3000`.

    Args:
        port: the port, or None.
    """

    port: int | None = None

    def __str__(self) -> str:
        if self.port is None:
            return SELF
        return f"{SELF}:{self.port}"


End: TypeAlias = Address | AddressPort | Prefix | NetworkID | NetworkName | App | Host | ThisMachine


class KnownEnds(Protocol):
    """What decides how an unclear text is read; a `fdaa.networks.NetworkMap` is one."""

    @property
    def apps(self) -> Container[str]:
        """The names of the apps that exist."""

    @property
    def addresses(self) -> Container[Address]:
        """The addresses that exist."""

    def by_id(self, network_id: NetworkID) -> object:
        """Return the network with this ID, or None."""

    def has_name(self, name: str) -> bool:
        """Whether an app or a Machine has this name."""


def parse_end(text: str, networks: "KnownEnds | None" = None) -> "End":
    """Return the end of a connection that a text is: what the command takes as SOURCE or TARGET.

    | text | end |
    |---|---|
    | `fdaa:2:45b::3`, `[fdaa:2:45b::3]`, a reverse pointer | `Address` |
    | `[fdaa:2:45b::3]:5432` | `AddressPort` |
    | `2:45b`, `0x2045b`, `fdaa:2:45b::/48`, `network:2:45b` | `NetworkID` |
    | `fdaa:2:45b:a7b::/64` | `Prefix`: a part of a network |
    | `network:customer-17` | `NetworkName` |
    | `web`, or the identifier of a Machine | `App` |
    | `web:8080`, `sea.web.internal`, `db.example.com:5432` | `Host` |
    | `self`, `self:8080` | `ThisMachine` |

    Args:
        text: the text.
        networks: the joined documents. They decide what three unclear texts are. `db:5432` is the
            ID of a network, or an app with a port. `fdaa:2:45b::3:5432` is an address, and with a
            port only if they have `fdaa:2:45b::3` and not the whole. Digits alone are an app or a
            Machine only if they have it.

    Raises:
        InputError: the text is none of these; or it is `db:5432`, and the documents have neither
            of the two, or both.

    >>> parse_end("[fdaa:2:45b::3]:5432").port, parse_end("web"), parse_end("2:45b")
    (5432, App(name='web'), NetworkID('2:45b'))
    """
    check_type(text, "text", str)
    text = str.__str__(text)
    if text == SELF:
        return ThisMachine()
    if text.startswith(NETWORK):
        return _network(text, text.removeprefix(NETWORK))
    if text.startswith("["):
        return _in_brackets(text)
    if text.lower().rstrip(".").endswith(".ip6.arpa"):
        return Address.from_reverse_pointer(text)
    if "/" in text:
        return _prefix(text)
    if text.count(":") > 1:
        return _groups(text, networks)
    either = network_or_host(text)
    if either is not None:
        return _decided(text, *either, networks)
    if ":" in text:
        with suppress(NetworkIDError):
            return NetworkID(text)
    host = read_host(text)
    if host is not None and host.name == SELF:
        return ThisMachine(port=host.port)
    return host or _name_or_number(text, networks)


def end_text(end: "End") -> str:
    """Return an end as text that `parse_end` reads as the same end.

    >>> from fdaa import NetworkName
    >>> from fdaa.networks import App
    >>> end_text(NetworkName("customer-17")), end_text(App("self"))
    ('network:customer-17', 'self.internal')
    """
    if isinstance(end, NetworkName):
        return f"{NETWORK}{end}"
    text = str(end)
    if isinstance(end, NetworkID) and network_or_host(text) is not None:
        return f"{NETWORK}{text}"
    if isinstance(end, App) and _is_another_end(text):
        return f"{text}.internal"
    if isinstance(end, Host):
        is_word = end.name == SELF or text.startswith(NETWORK)
        if is_word or network_or_host(text) is not None:
            return f"{end.name}.internal:{end.port}"
    return text


def network_or_host(text: str) -> tuple[NetworkID, Host] | None:
    """Return both readings of a text that is a network ID, and an app with a port: `db:5432`.

    >>> network_or_host("db:5432")
    (NetworkID('db:5432'), Host(name='db', port=5432))
    """
    if text.count(":") != 1:
        return None
    with suppress(InputError):  # ffff:0 is no port
        network_id = NetworkID(text)
        host = read_host(text)
        if host is not None:
            return network_id, host
    return None


def glued_port(text: str) -> AddressPort | None:
    """Return the address and the port that a text without brackets may be.

    A text such as `fdaa::3:5432` is an address by RFC 4291, and perhaps meant as two things.

    >>> print(glued_port("fdaa::3:5432"), glued_port("fdaa::3"))
    [fdaa::3]:5432 None
    """
    literal, _, digits = text.rpartition(":")
    port = read_port(digits)
    if port is None or literal.endswith(":"):
        return None
    with suppress(AddressError):
        return AddressPort(Address(literal), port=port)
    return None


def read_brackets(text: str) -> tuple[str, int | None]:
    """Return the text inside brackets, and the port after them, if there is one.

    Raises:
        EndError: a bracket is missing, or what follows is not a colon and a port.
    """
    inside, bracket, after = text.removeprefix("[").partition("]")
    if not bracket:
        raise EndError(text, "the closing bracket is missing")
    if not after:
        return inside, None
    port = None
    if after.startswith(":"):
        port = read_port(after[1:])
    if port is None:
        raise EndError(text, f"after the brackets, expected a colon and a port: {PORT_RULE}")
    return inside, port


# --- the forms of a text --------------------------------------------------------------------------


def _network(text: str, name: str) -> NetworkID | NetworkName:
    if name[:1].isalpha() and may_be_name(name):
        return NetworkName(name)
    if not name:
        raise EndError(text, "expected the name or the ID of a network after the colon")
    return NetworkID(name)


def _in_brackets(text: str) -> Address | AddressPort:
    inside = text[1:].partition("]")[0]
    try:
        address = Address(inside)
    except OutsidePrefixError as error:
        raise OutsidePrefixError(text, error.reason, 1) from None
    except AddressError as error:
        at = error.at
        if at is not None:
            at += 1  # the bracket
        reason = f"no address can be read in the brackets: {error.reason}"
        raise EndError(text, reason, at) from None
    port = read_brackets(text)[1]
    if port is None:
        return address
    return AddressPort(address, port=port)


def _prefix(text: str) -> Prefix | NetworkID:
    if "://" in text:
        raise EndError(text, "this is a URL; write its host and port")
    if ":" not in text:  # a path
        raise EndError(text, _FORMS)
    prefix = Prefix(text)
    if prefix.length == NETWORK_PREFIX_LENGTH:
        return prefix.network_id
    return prefix


def _groups(text: str, networks: KnownEnds | None) -> Address | AddressPort | NetworkID:
    """Return what a text with two colons or more is."""
    with_port = glued_port(text)
    try:
        address = Address(text)
    except AddressError as error:
        if text.startswith(":") and text.endswith(":"):  # :2:45b:, cut out of an address
            return NetworkID(text)
        if with_port is not None:
            raise EndError(text, f"a port requires brackets: {with_port}") from None
        alone = _NETWORK_ALONE.fullmatch(text)
        if alone is not None:
            network_id = NetworkID(f"{alone[1]}:{alone[2]}")
            forms = f"for this network, write {network_id}, or {network_id.prefix}"
            raise AddressError(text, f"{error.reason}; {forms}", error.at) from None
        raise
    if networks is not None and with_port is not None:
        is_known = with_port.address in networks.addresses
        if is_known and address not in networks.addresses:
            return with_port
    return address


def _decided(
    text: str, network_id: NetworkID, host: Host, networks: KnownEnds | None
) -> NetworkID | Host:
    """Return which of its two readings a text like `db:5432` is, if documents have one of both."""
    is_app = networks is not None and host.app in networks.apps
    is_network = networks is not None and networks.by_id(network_id) is not None
    if is_app and not is_network:
        return host
    if is_network and not is_app:
        return network_id
    choices = f"{NETWORK}{text} for the network, {host.app}.internal:{host.port} for the app"
    raise EndError(text, f"it is a network ID, and an app with a port: write {choices}")


def _name_or_number(text: str, networks: KnownEnds | None) -> NetworkID | App:
    """Return what a text is that is neither an address nor a host with a dot or a port."""
    is_hex = text[:2].lower() == "0x" and len(text) > len("0x") and HEX.issuperset(text[2:])
    if is_hex or text.count(":") == 1:
        return _id_with_colon_or_0x(text)
    if text.isascii() and text.isdecimal() and (networks is None or not networks.has_name(text)):
        try:
            return NetworkID(text)
        except NetworkIDError as error:
            reason = f"{error.reason}; for an app of this name, write {text}.internal"
            raise NetworkIDError(text, reason) from None
    if may_be_name(text):
        return App(text)
    if not text.strip():
        raise EndError(text, f"it is empty; {_FORMS}")
    if text[:4].lower() == "fdaa":
        raise AddressError(text)
    raise EndError(text, _FORMS)


def _id_with_colon_or_0x(text: str) -> NetworkID:
    try:
        return NetworkID(text)
    except NetworkIDError:
        if text[:1].isdigit():  # no host with a port either
            raise
    if text[:4].lower() == "fdaa":
        raise AddressError(text)
    if text.endswith(":"):
        raise EndError(text, f"the port after the colon is missing: {PORT_RULE}")
    raise EndError(text, _FORMS)


def _is_another_end(name: str) -> bool:
    """Whether the name of an app is read as something else where it stands alone."""
    return name == SELF or name[:2].lower() == "0x" or (name.isascii() and name.isdecimal())
