"""The one parser of the texts of ends: what the command takes as SOURCE or TARGET."""

# Without `annotations` from `__future__`: annotations of public names must be objects.

from fdaa._values.address import NetworkID
from fdaa._values.checks import check_type
from fdaa._values.ends import (
    LONGEST_ID,
    NETWORK,
    SELF,
    App,
    End,
    ThisMachine,
    is_app_too,
    parse_value,
)
from fdaa._values.errors import AddressError, InputError
from fdaa._values.hosts import EndError, Host, may_be_name, read_host
from fdaa._values.network_name import NetworkName
from fdaa.networks._network_map import NetworkMap, knowledge_of


def parse_end(text: str, networks: NetworkMap | None = None) -> End:
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
        networks: the joined documents; they decide what `db:5432` is, which is the ID of a
            network, and an app with a port. A text of more than 8 digits, and nothing else, is an
            app or a Machine only if they have it.

    Raises:
        InputError: the text is none of these; or `db:5432` is in no document, or both are.

    >>> parse_end("[fdaa:2:45b::3]:5432").port, parse_end("web"), parse_end("2:45b")
    (5432, App(name='web'), NetworkID('2:45b'))
    """
    check_type(text, "text", str)
    text = str.__str__(text)
    if text == SELF:
        return ThisMachine()
    if text.startswith(NETWORK):
        return _network(text, text.removeprefix(NETWORK))
    value = parse_value(text)
    if isinstance(value, NetworkID) and is_app_too(text):
        return _app_or_network(text, value, networks)
    if value is not None:
        return value
    host = read_host(text)
    if host is not None and host.name == SELF:
        return ThisMachine(port=host.port)
    if host is not None:
        return host
    if _is_long_number(text) and not _is_listed(text, networks):
        NetworkID(text)  # its error says what is wrong
    if may_be_name(text):
        return App(text)
    if text.count(":") == 1 and text[0].isdigit():
        return NetworkID(text)  # as above
    raise _refusal(text)


def _is_long_number(text: str) -> bool:
    """Whether a text is digits only, and more than an ID has."""
    return text.isascii() and text.isdecimal() and len(text) > LONGEST_ID


def _is_listed(text: str, networks: NetworkMap | None) -> bool:
    """Whether an app or a Machine has this name: an identifier may be digits only."""
    if networks is None:
        return False
    if text in networks.apps or text in networks.machines:
        return True
    return text in knowledge_of(networks).saved_of


def _network(text: str, name: str) -> NetworkID | NetworkName:
    if name[:1].isalpha() and may_be_name(name):
        return NetworkName(name)
    if not name:
        raise EndError(text, "expected the name or the ID of a network after the colon")
    return NetworkID(name)


def _app_or_network(
    text: str, network_id: NetworkID, networks: NetworkMap | None
) -> Host | NetworkID:
    """Return what a text like `db:5432` is, if documents have one of both."""
    name, _, port = text.partition(":")
    host = Host(name.lower(), port=int(port))
    is_app = False
    is_network = False
    if networks is not None:
        is_app = host.app in networks.apps
        is_network = networks.by_id(network_id) is not None
    if is_app and not is_network:
        return host
    if is_network and not is_app:
        return network_id
    choices = f"{NETWORK}{text} for the network, {host.app}.internal:{host.port} for the app"
    raise EndError(text, f"it is a network ID, and an app with a port: write {choices}")


def _refusal(text: str) -> InputError:
    """Return the error for a text that is no end, by its probable meaning."""
    forms = "expected an address, a network ID, an app, a host, or network:NAME"
    if not text.strip():
        return EndError(text, f"it is empty; {forms}")
    if text[:4].lower() == "fdaa":
        return AddressError(text)
    return EndError(text, forms)
