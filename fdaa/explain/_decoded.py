"""The parts of an address, and who has it."""

# Without `annotations` from `__future__`: annotations of public names must be objects.

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass
from types import NoneType
from typing import TypeAlias

from fdaa._support.escapes import inline
from fdaa._support.suggestions import did_you_mean
from fdaa._values import bits
from fdaa._values.address import Address, NetworkID, Prefix
from fdaa._values.checks import check_type
from fdaa._values.ends import AddressPort, App, End
from fdaa._values.hosts import EndError, Host
from fdaa._values.id_text import id_fields
from fdaa._values.network_name import NetworkName
from fdaa.explain._document_words import explain_holder
from fdaa.explain._known_names import rows_of_network
from fdaa.networks import Holder, NetworkMap, end_text, find_holder

Value: TypeAlias = Address | Prefix

FIELDS = (
    "kind",
    "address",
    "network_id",
    "network_id_int",
    "prefix",
    "rest",
    "packed",
    "exploded",
    "reverse_pointer",
)
# Those of an address with documents.
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
        networks: the joined documents, or None.
        holder: who has the address, by the documents.
    """

    value: Value
    _: KW_ONLY
    networks: NetworkMap | None = None
    holder: Holder | None = None

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self) -> Iterator[str]:
        """Yield the lines for a person: the value, and its parts with their names."""
        yield str(self.value)
        for name, text in self._parts():
            yield f"  {name:16} {text}"

    def _parts(self) -> Iterator[tuple[str, str]]:
        yield from rows_of_network(self.value.network_id, self.networks)
        if self.holder is not None:
            yield "app", inline(self.holder.app)
            yield "Machine", inline(self.holder.machine_id)
            remark = explain_holder(self.holder)
            if remark is not None:
                yield "holder", remark
        if isinstance(self.value, Address):
            yield "exploded", self.value.exploded
            yield "reverse pointer", self.value.reverse_pointer

    def cells(self) -> tuple[str, ...]:
        """Return its row in a table: address and ID; with documents, network, app and Machine."""
        if self.networks is None:
            return str(self.value), str(self.value.network_id)
        network = self.networks.by_id(self.value.network_id)
        holder = self.holder
        return (
            str(self.value),
            inline(None if network is None else network.name),
            str(self.value.network_id),
            inline(None if holder is None else holder.app),
            inline(None if holder is None else holder.machine_id),
        )

    def to_dict(self) -> dict[str, object]:
        """Return it as a dictionary for JSON; with documents, with who has it."""
        network_id = self.value.network_id
        record: dict[str, object] = {"kind": "prefix", "address": None, **id_fields(network_id)}
        record["prefix"] = str(self.value)
        record |= dict.fromkeys(("rest", "packed", "exploded", "reverse_pointer"))
        if isinstance(self.value, Address):
            packed = self.value.packed.hex()
            record |= {
                "kind": "address",
                "address": str(self.value),
                "prefix": str(network_id.prefix),
                "rest": packed[-bits.REST_BITS // 4 :],
                "packed": packed,
                "exploded": self.value.exploded,
                "reverse_pointer": self.value.reverse_pointer,
            }
        if self.networks is not None:
            network = self.networks.by_id(network_id)
            holder = {} if self.holder is None else self.holder.to_dict()
            record |= {name: holder.get(name) for name in HOLDER_FIELDS}
            record["network_name"] = None if network is None else network.name
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
    values: tuple[Value, ...] = ()
    if isinstance(end, Address | Prefix):
        values = (end,)
    elif isinstance(end, AddressPort):
        values = (end.address,)
    elif isinstance(end, NetworkID):
        values = (end.prefix,)
    elif networks is None:
        raise EndError(end_text(end), "only documents have the address of a name")
    elif isinstance(end, NetworkName):
        network = networks.by_name(end)
        if network is not None and network.network_id is not None:
            values = (network.network_id.prefix,)
    elif isinstance(end, App | Host):
        values = _addresses(end, networks)
    if not values and networks is not None:
        names = [*networks.apps, *networks.machines, *networks.names]
        hint = "" if str(end) in names else did_you_mean(str(end), names)
        raise EndError(end_text(end), f"the documents do not have its address{hint}")
    decoded = []
    for value in values:
        holder = None
        if networks is not None and isinstance(value, Address):
            holder = find_holder(value, networks)
        decoded.append(Decoded(value, networks=networks, holder=holder))
    return tuple(decoded)


def _addresses(end: App | Host, networks: NetworkMap) -> tuple[Address, ...]:
    """Return the addresses of the Machine or of the app that an end names."""
    machine = end.name if isinstance(end, App) else end.first_part
    rows = networks.machines.get(machine or "", ())
    found = [row.address for row in rows if row.address is not None]
    app = end.name if isinstance(end, App) else end.app
    if app is not None and (isinstance(end, App) or not rows):
        found.extend(networks.addresses_of(app))
    return tuple(dict.fromkeys(found))
