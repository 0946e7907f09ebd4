"""The ends of a connection, source and target, as values, and their texts."""

# Without `annotations` from `__future__`: annotations of public names must be objects.

from contextlib import suppress
from dataclasses import KW_ONLY, dataclass
from typing import TypeAlias

from fdaa._values.address import Address, NetworkID, Prefix
from fdaa._values.bits import NETWORK_ID_BITS, NETWORK_PREFIX_LENGTH
from fdaa._values.checks import check_type, keep_characters
from fdaa._values.errors import AddressError, InputError, NetworkIDError
from fdaa._values.hosts import PORT_RULE, EndError, Host, may_be_name, read_host, read_port
from fdaa._values.network_name import NetworkName
from fdaa._values.text import HEX

SELF = "self"
NETWORK = "network:"  # the text before a network's name or ID
LONGEST_ID = NETWORK_ID_BITS // 4  # hex digits


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
        keep_characters(self, "name")
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


def parse_value(text: str) -> Address | AddressPort | Prefix | NetworkID | None:
    """Return the address or the network that a text is; None for a text that is no try at one.

    Raises:
        InputError: it begins like an address or a network, and is none.
    """
    if text.startswith("["):
        return _in_brackets(text)
    if text.lower().rstrip(".").endswith(".ip6.arpa"):
        return Address.from_reverse_pointer(text)
    if "/" in text:
        prefix = Prefix(text)
        if prefix.length == NETWORK_PREFIX_LENGTH:
            return prefix.network_id
        return prefix
    if text.count(":") > 1:
        try:
            return Address(text)
        except AddressError:
            if text.startswith(":") and text.endswith(":"):  # :2:45b:, cut out of an address
                return NetworkID(text)
            bracketed = with_brackets(text)
            if bracketed is None:
                raise
            raise EndError(text, f"a port requires brackets: {bracketed}") from None
    try:
        return NetworkID(text)
    except NetworkIDError:
        is_hex = text[:2].lower() == "0x" and HEX.issuperset(text[2:])
        if is_hex and len(text) > len("0x") + LONGEST_ID:
            raise
        return None


def end_text(end: End) -> str:
    """Return an end as text that `parse_end` reads as the same end.

    >>> end_text(NetworkName("customer-17")), end_text(App("self"))
    ('network:customer-17', 'self.internal')
    """
    if isinstance(end, NetworkName):
        return f"{NETWORK}{end}"
    text = str(end)
    if isinstance(end, NetworkID) and is_app_too(text):
        return f"{NETWORK}{text}"
    if isinstance(end, App) and (text == SELF or text[:2].lower() == "0x"):  # perhaps an ID
        return f"{text}.internal"
    if isinstance(end, Host):
        is_word = end.name == SELF or text.startswith(NETWORK)
        if is_word or is_app_too(text):
            return f"{end.name}.internal:{end.port}"
    return text


def with_brackets(text: str) -> str | None:
    """Return a text like `fdaa::3:5432` with brackets, if its last group may be a port.

    >>> with_brackets("fdaa::3:5432")
    '[fdaa::3]:5432'
    """
    literal, _, port = text.rpartition(":")
    if literal.endswith(":") or read_port(port) is None:
        return None
    with suppress(AddressError):
        Address(literal)
        return f"[{literal}]:{port}"
    return None


def is_app_too(text: str) -> bool:
    """Whether a text is the ID of a network and also an app with a port: `db:5432`."""
    with suppress(InputError):  # ffff:0 is no port
        NetworkID(text)
        return read_host(text) is not None
    return False


def _in_brackets(text: str) -> Address | AddressPort:
    inside, bracket, after = text[1:].partition("]")
    try:
        address = Address(inside)
    except AddressError as error:
        at = None if error.at is None else error.at + 1
        raise type(error)(text, error.reason, at) from None
    if not bracket:
        raise EndError(text, "the closing bracket is missing")
    if not after:
        return address
    return AddressPort(address, port=port_after_brackets(text))


def port_after_brackets(text: str) -> int:
    """Return the port after an address in brackets.

    Raises:
        fdaa.EndError: there is none.
    """
    after = text.partition("]")[2]
    port = read_port(after[1:]) if after.startswith(":") else None
    if port is None:
        raise EndError(text, f"after the brackets, expected a colon and a port: {PORT_RULE}")
    return port
