"""PostgreSQL.

It chooses a function by the types of its arguments; an expression is for one type, and the operator
`~` fails for another. `inet` reads the texts that are addresses, and prints them as RFC 5952 wants
it; it raises an error for others. `ADDRESS` takes ten microseconds for each row, as PostgreSQL
prepares a regular expression for each: so short ones match what has eight groups, and what has `::`
between groups, of which at most seven colons (six with a dotted quad) leave at least one group for
it. Without its last character, a text that ends in `::` has one colon less.

The planner puts the expression of each function into the query: for a function in SQL that stays
one, PostgreSQL starts a query of its own for each row, and with JIT it may compile each.
"""

from collections.abc import Callable
from functools import partial

from fdaa._values.text import MAX_LENGTH
from fdaa.columns._engines._engine import OPERATIONS, Engine, Function, Operation
from fdaa.columns._grammar import FIRST, GROUP, QUAD

_FULL = f"^{FIRST}(?::{GROUP}){{7}}$"
_FULL_WITH_QUAD = f"(?::{GROUP}){{5}}:{QUAD}"
_AROUND_COLONS = f"(?::{GROUP})*::(?:(?:{GROUP}:)*(?:{GROUP}|{QUAD}))?"

# For each type: whether a value is a private address, its bytes from the third on, its 16 bytes,
# and its text as `inet` prints it.
_IS_ADDRESS = {
    "text": f"""octet_length({{ip}}) <= {MAX_LENGTH} AND ({{ip}} ~ '{{full}}'
    OR {{ip}} ~ '{{other}}'
    AND octet_length(translate(left({{ip}}, -1), '0123456789abcdefABCDEF.', ''))
      <= CASE WHEN {{ip}} LIKE '%.%' THEN 6 ELSE 7 END)""",
    "inet": "{ip} <<= inet 'fdaa::/16' AND masklen({ip}) >= 48",
    "bytea": "octet_length({ip}) = 16 AND encode(substring({ip}, 1, 2), 'hex') = 'fdaa'",
}
_SENT = {"text": "inet_send({ip}::inet)", "inet": "inet_send({ip})"}  # four bytes, then the address
# The four bytes of the network ID.
_ID = {
    "text": f"substring({_SENT['text']}, 7, 4)",
    "inet": f"substring({_SENT['inet']}, 7, 4)",
    "bytea": "substring({ip}, 3, 4)",
}
_GROUP_OF_KEY = "substr(encode({{ip}}, 'hex'), {}, 4)"
_GROUPS_OF_KEY = " || ':' || ".join(map(_GROUP_OF_KEY.format, range(1, 33, 4)))
_AS_INET = {"text": "{ip}::inet", "inet": "{ip}", "bytea": f"({_GROUPS_OF_KEY})::inet"}


def _group(type_: str, number: int) -> str:
    """Return the SQL for the text of the first or the second group of the network ID."""
    sent = _SENT.get(type_, "{ip}")
    start = 4 if type_ in _SENT else 0
    at = start + 2 * number
    return f"to_hex(get_byte({sent}, {at}) * 256 + get_byte({sent}, {at + 1}))"


def _expression(type_: str, operation: Operation, ip: str) -> str:
    """Return the SQL of a operation for a column of a type."""
    if operation == "network_id_int":
        result = f"('x' || encode({_ID[type_]}, 'hex'))::bit(32)::bigint"
    elif operation == "network_id":
        high = _group(type_, 1)
        low = _group(type_, 2)
        result = f"{high} || ':' || {low}"
    elif operation == "address":
        result = f"host({_AS_INET[type_]})"
    elif type_ == "bytea":
        result = "{ip}"
    else:
        result = f"substring({_SENT[type_]}, 5)"
    return f"CASE WHEN {_IS_ADDRESS[type_]} THEN\n    {result} END".format(
        ip=ip, full=_FULL, other=f"^{FIRST}(?:{_FULL_WITH_QUAD}|{_AROUND_COLONS})$"
    )


def _of_text(operation: Operation) -> Callable[[str], str]:
    return partial(_expression, "text", operation)


_RETURNS: dict[Operation, str] = {
    "network_id_int": "bigint",
    "network_id": "text",
    "address": "text",
    "key": "bytea",
}


def _functions() -> tuple[Function, ...]:
    functions = []
    for type_ in ("text", "inet", "bytea"):
        for operation in OPERATIONS:
            body = _expression(type_, operation, "$1")
            functions.append(Function(f"fdaa_{operation}({type_})", body, _RETURNS[operation]))
    return tuple(functions)


POSTGRESQL = Engine(
    title="PostgreSQL 14",
    reads="text only: for inet or bytea it is an error",
    expressions={operation: _of_text(operation) for operation in OPERATIONS},
    functions=_functions(),
    create="""CREATE OR REPLACE FUNCTION {name} RETURNS {returns}
  LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN {expression}""",
    drops_all=True,
)
