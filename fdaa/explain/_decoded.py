"""The parts of an address, and who has it."""

# Without `annotations` from `__future__`: annotations of public names must be objects.

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass, replace
from types import NoneType
from typing import TypeAlias

from fdaa._support.escapes import inline
from fdaa._support.suggestions import did_you_mean
from fdaa._values.address import Address, NetworkID, Prefix
from fdaa._values.checks import check_type
from fdaa._values.ends import AddressPort, App, End
from fdaa._values.hosts import EndError, Host
from fdaa._values.network_name import NetworkName
from fdaa.explain._address_parts import SHORT_FIELDS, parts_of
from fdaa.explain._document_words import explain_holder
from fdaa.explain._known_names import rows_of_network
from fdaa.explain._missing import ADDRESS_LIST, MACHINE_LIST, Missing
from fdaa.networks import Holder, Holding, NetworkMap, end_text, find_holder
from fdaa.networks._map import knowledge_of
from fdaa.networks._model import KnownNetwork

Value: TypeAlias = Address | Prefix

# The fields of an address when documents are given.
HOLDER_FIELDS = (
    "network_name",
    "app",
    "machine_id",
    "state",
    "holding",
    "looked_at",
    "learned_on",
    "origins",
)


@dataclass(frozen=True, slots=True)
class Decoded:
    """An address or a network; `str` returns its parts as lines.

    Args:
        value: the address or the network.
        is_looked_up: whether documents were given.
        network_name: the name of the network, if a document has it.
        holder: who has the address; None for a network, and without documents.
        missing: the lists that may have an address that is in no document.
    """

    value: Value
    _: KW_ONLY
    is_looked_up: bool = False
    network_name: NetworkName | None = None
    holder: Holder | None = None
    missing: tuple[Missing, ...] = ()

    @property
    def remark(self) -> str | None:
        """The sentence about how the address is held, if its app and Machine do not say all."""
        if self.holder is None:
            return None
        return explain_holder(self.holder)

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self) -> Iterator[str]:
        """Yield the lines for a person: the value, and its parts with their names."""
        yield str(self.value)
        for name, text in self._parts():
            yield f"  {name:16} {text}"

    def _parts(self) -> Iterator[tuple[str, str]]:
        if self.is_looked_up:
            yield "network name", inline(self.network_name)
        yield from rows_of_network(self.value.network_id)
        if self.holder is not None:
            yield "app", inline(self.holder.app)
            yield "Machine", inline(self.holder.machine_id)
        if self.remark is not None:
            yield "holder", self.remark
        if isinstance(self.value, Address):
            yield "exploded", self.value.exploded
            yield "reverse pointer", self.value.reverse_pointer

    def cells(self) -> tuple[str, ...]:
        """Return its row in a table: address and ID; with documents, network, app and Machine."""
        network_id = str(self.value.network_id)
        if not self.is_looked_up:
            return str(self.value), network_id
        app = machine = None
        if self.holder is not None:
            app = self.holder.app
            machine = self.holder.machine_id
        return str(self.value), inline(self.network_name), network_id, inline(app), inline(machine)

    def to_short_dict(self) -> dict[str, object]:
        """Return the address and its network as a dictionary, as in a comparison."""
        record = parts_of(self.value)
        return {name: record[name] for name in SHORT_FIELDS}

    def to_dict(self) -> dict[str, object]:
        """Return it as a dictionary for JSON; with documents, with who has it."""
        record = parts_of(self.value)
        if not self.is_looked_up:
            return record
        holder: dict[str, object] = {}
        if self.holder is not None:
            holder = self.holder.to_dict()
        for name in HOLDER_FIELDS:
            record[name] = holder.get(name)
        record["network_name"] = None if self.network_name is None else str(self.network_name)
        return record


def decode(end: End, networks: NetworkMap | None = None) -> tuple[Decoded, ...]:
    """Return the address or the network that an end is; with documents, those of an app or Machine.

    Args:
        end: the end.
        networks: the joined documents, or None.

    Raises:
        EndError: no address of it is known.

    >>> from fdaa import Address
    >>> print(decode(Address("fdaa:2:45b::3"))[0].cells())
    ('fdaa:2:45b::3', '2:45b')
    """
    check_type(networks, "networks", NetworkMap, NoneType)
    if isinstance(end, Address | Prefix):
        values: tuple[Value, ...] = (end,)
    elif isinstance(end, AddressPort):
        values = (end.address,)
    elif isinstance(end, NetworkID):
        values = (end.prefix,)
    elif networks is None:
        raise EndError(end_text(end), "this is a name, and only documents have its address")
    else:
        values = _named(end, networks)
    return tuple(_looked_up(value, networks) for value in values)


def _named(end: End, networks: NetworkMap) -> tuple[Value, ...]:
    """Return the addresses of a Machine or an app, or the prefix of a network, by its name.

    Raises:
        EndError: the documents have none.
    """
    found: tuple[Value, ...] = ()
    if isinstance(end, NetworkName):
        network = networks.by_name(end)
        if network is not None and network.network_id is not None:
            found = (network.network_id.prefix,)
    elif isinstance(end, App | Host):
        found = _addresses(end, networks)
    if found:
        return found
    raise EndError(end_text(end), f"no document has its address{_hint(end, networks)}")


def _hint(end: End, networks: NetworkMap) -> str:
    """Return the list that is missing for an app, or the name that may be meant."""
    app = end.app if isinstance(end, Host) else str(end)
    if app is None:
        return ""
    if app in networks.apps and not networks.has_machine_list(app):
        return f"; missing: {replace(MACHINE_LIST, app=app)}"
    names = [*networks.apps, *networks.machines, *networks.names]
    if app in names:
        return ""
    return did_you_mean(app, names)


def _addresses(end: App | Host, networks: NetworkMap) -> tuple[Address, ...]:
    """Return the addresses of the Machine or of the app that an end names."""
    app: str | None
    if isinstance(end, App):
        app = machine = end.name
    else:
        app = end.app
        machine = end.first_part or ""
    rows = networks.machines.get(machine, ())
    found = [row.address for row in rows if row.address is not None]
    if app is not None and (isinstance(end, App) or not rows):
        found.extend(networks.addresses_of(app))
    return tuple(dict.fromkeys(found))


def _looked_up(value: Value, networks: NetworkMap | None) -> Decoded:
    if networks is None:
        return Decoded(value)
    network = networks.by_id(value.network_id)
    decoded = Decoded(
        value, is_looked_up=True, network_name=None if network is None else network.name
    )
    if not isinstance(value, Address):
        return decoded
    holder = find_holder(value, networks)
    missing: tuple[Missing, ...] = ()
    if holder.holding is Holding.UNKNOWN:
        missing = tuple(_lists_that_may_have(value, networks, decoded.network_name))
    return replace(decoded, holder=holder, missing=missing)


def _lists_that_may_have(
    address: Address, networks: NetworkMap, name: NetworkName | None
) -> Iterator[Missing]:
    """Yield the Machine lists of the apps that may be on its network, and all address lists."""
    knowledge = knowledge_of(networks)
    network = KnownNetwork(name=name, network_id=address.network_id)
    for app in sorted(knowledge.possible(network)):
        if not networks.has_machine_list(app):
            yield replace(MACHINE_LIST, app=app)
    for app in knowledge.without_address_list():
        yield replace(ADDRESS_LIST, app=app)
