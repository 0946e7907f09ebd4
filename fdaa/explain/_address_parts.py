"""The parts of an address or a network as a record: what `decode`, `same` and `build` print."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fdaa._values import bits
from fdaa._values.address import Address
from fdaa._values.id_text import id_fields

if TYPE_CHECKING:
    from fdaa._values.address import Prefix

# The fields that only an address has.
_OF_ADDRESSES = ("rest", "packed", "exploded", "reverse_pointer")
SHORT_FIELDS = ("kind", "address", "network_id", "network_id_int", "prefix")
FIELDS = SHORT_FIELDS + _OF_ADDRESSES


def parts_of(value: Address | Prefix) -> dict[str, object]:
    """Return the fields of an address or a network, in their documented order.

    >>> parts_of(Address("fdaa:2:45b::3"))["rest"]
    '00000000000000000003'
    """
    network_id = value.network_id
    if not isinstance(value, Address):
        fields: dict[str, object] = {"kind": "prefix", "address": None, **id_fields(network_id)}
        fields["prefix"] = str(value)
        return {**fields, **dict.fromkeys(_OF_ADDRESSES)}
    packed = value.packed.hex()
    return {
        "kind": "address",
        "address": str(value),
        **id_fields(network_id),
        "prefix": str(network_id.prefix),
        "rest": packed[-bits.REST_BITS // 4 :],
        "packed": packed,
        "exploded": value.exploded,
        "reverse_pointer": value.reverse_pointer,
    }
