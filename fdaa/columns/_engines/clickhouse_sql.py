"""ClickHouse.

A function has no types: one expression asks for the type, and only the branch of the type is
computed. In the definition of a table, all branches are computed: each takes any type and any text.
A String of 16 bytes that begins with FD AA is a packed address, as no text begins so. Most columns
are text, so that branch is the first one of a String; and each branch costs a tenth of the whole,
so there is none for long texts: an expression ends at the first wrong character.

ClickHouse's own function reads only what the grammar matches, as it accepts more: `:::`, a `::` for
no group, and dotted quads with leading zeros.
"""

from fdaa.columns._engines._engine import Engine, Expressions, functions_of, literal
from fdaa.columns._grammar import ADDRESS, ZERO


def _by_type(ip: str, result: str) -> str:
    """Return a result for each type that holds addresses.

    Args:
        ip: the column.
        result: an expression over `{}`, the 16 bytes of an address, perhaps without zeros at the
            end.
    """
    text = f"ifNull(toString({ip}), '')"
    packed = f"reinterpretAsFixedString(accurateCastOrNull({ip}, 'IPv6'))"
    fixed = f"reinterpretAsString({ip})"  # without zeros at the end
    read = f"assumeNotNull(IPv6StringToNumOrNull({text}))"
    return f"""if(toTypeName({ip}) LIKE '%IPv6%',
  if(startsWith({packed}, unhex('FDAA')), {result.format(packed)}, NULL),
if(toTypeName({ip}) LIKE '%FixedString(16)%',
  if(startsWith({fixed}, unhex('FDAA')), {result.format(fixed)}, NULL),
multiIf(
  match({text}, {literal(ADDRESS)}) OR match({text}, {literal(ZERO)}),
    {result.format(read)},
  length({text}) = 16 AND startsWith({text}, unhex('FDAA')),
    {result.format(text)},
  NULL)))"""


def network_id_int(ip: str) -> str:
    """Return the SQL for the number: 32 of the first 64 bits."""
    first = "byteSwap(reinterpretAsUInt64({}))"
    return _by_type(ip, f"toUInt32(bitAnd(bitShiftRight({first}, 16), 0xFFFFFFFF))")


def network_id(ip: str) -> str:
    """Return the SQL for the text of the number."""
    number = network_id_int(ip)
    return f"printf('%x:%x', intDiv({number}, 65536), {number} % 65536)"


def address(ip: str) -> str:
    """Return the SQL for the text of an address, as RFC 5952 wants it."""
    return _by_type(ip, "IPv6NumToString(toFixedString(substring({}, 1, 16), 16))")


def key(ip: str) -> str:
    """Return the SQL for the 16 bytes."""
    return _by_type(ip, "toFixedString(substring({}, 1, 16), 16)")


_EXPRESSIONS: Expressions = {
    "network_id_int": network_id_int,
    "network_id": network_id,
    "address": address,
    "key": key,
}

CLICKHOUSE = Engine(
    title="ClickHouse",
    reads="text in String, IPv6, and the 16 bytes of an address in FixedString(16) or String",
    expressions=_EXPRESSIONS,
    functions=functions_of(_EXPRESSIONS),
    create="CREATE OR REPLACE FUNCTION {name} AS (ip) -> {expression}",
)
