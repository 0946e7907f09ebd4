"""PostgreSQL.

It chooses a function by the types of its arguments. `inet` reads the texts that are addresses, and
prints them as RFC 5952 wants it; it raises an error for others. `ADDRESS` takes ten microseconds
for each row, as PostgreSQL prepares a regular expression for each: so short ones match what has
eight groups, and what has `::` between groups, of which at most seven colons (six with a dotted
quad) leave at least one group for it. Without its last character, a text that ends in `::` has one
colon less.

The planner puts the expressions of functions in SQL into the query, but not that of the text of an
ID, which needs the number twice. For each call of a function in SQL that stays one, PostgreSQL
starts a query of its own, and with JIT it may compile each: so this one is in PL/pgSQL.
"""

from itertools import product

from fdaa.columns._engines._engine import IN_PYTHON, Definitions, Engine, Function, Use
from fdaa.columns._grammar import FIRST, GROUP, QUAD

_FULL = f"^{FIRST}(?::{GROUP}){{7}}$"
_FULL_WITH_QUAD = f"(?::{GROUP}){{5}}:{QUAD}"
_AROUND_COLONS = f"(?::{GROUP})*::(?:(?:{GROUP}:)*(?:{GROUP}|{QUAD}))?"
_COLONS = "octet_length(translate(left($1, -1), '0123456789abcdefABCDEF.', ''))"

# Whether a value is a private address.
_IS_ADDRESS = {
    "text": f"""octet_length($1) <= {{longest}} AND ($1 ~ '{_FULL}'
    OR $1 ~ '^{FIRST}(?:{_FULL_WITH_QUAD}|{_AROUND_COLONS})$'
    AND {_COLONS} <= CASE WHEN $1 LIKE '%.%' THEN 6 ELSE 7 END)""",
    "inet": "$1 <<= inet 'fdaa::/16' AND masklen($1) >= 48",
    "bytea": "octet_length($1) = 16 AND encode(substring($1, 1, 2), 'hex') = 'fdaa'",
}

_ID_OF_INET = "('x' || encode(substring(inet_send({}), 7, 4), 'hex'))::bit(32)::bigint"

# What the functions return for an address.
_IDS = {
    "text": _ID_OF_INET.format("$1::inet"),
    "inet": _ID_OF_INET.format("$1"),
    "bytea": "('x' || encode(substring($1, 3, 4), 'hex'))::bit(32)::bigint",
}

_ID_TEXT = Function(
    "fdaa_id_text",
    "to_hex($1 >> 16) || ':' || to_hex($1 & 65535)",
    parameters="bigint",
    statement="""{create} {name}({parameters}) RETURNS text
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 1
  AS $$BEGIN RETURN {expression}; END$$""",
)

_GROUP = "substr(encode($1, 'hex'), {}, 4)"
_DIGITS = " || ':' || ".join(map(_GROUP.format, range(1, 33, 4)))

_ADDRESSES = {"text": "host($1::inet)", "inet": "host($1)", "bytea": f"host(({_DIGITS})::inet)"}
_KEYS = {
    "text": "substring(inet_send($1::inet), 5)",
    "inet": "substring(inet_send($1), 5)",
    "bytea": "$1",
}


def _functions() -> tuple[Function, ...]:
    functions = []
    for type_, number in _IDS.items():
        functions.append(_of_address("fdaa_network_id_int", number, type_, "bigint"))
    functions.append(_ID_TEXT)
    for type_ in _IDS:
        network_id = "fdaa_id_text(fdaa_network_id_int($1))"
        functions.append(Function("fdaa_network_id", network_id, type_, "text"))
        prefix = f"regexp_replace('fdaa:' || {network_id} || '::/48', '(:0)+::', '::')"
        functions.append(Function("fdaa_prefix", prefix, type_, "text"))
        functions.append(_of_address("fdaa_address", _ADDRESSES[type_], type_, "text"))
        functions.append(_of_address("fdaa_key", _KEYS[type_], type_, "bytea"))
    is_same = "fdaa_network_id_int(a) = fdaa_network_id_int(b)"
    for first, second in product(_IDS, repeat=2):
        types = f"a {first}, b {second}"
        functions.append(Function("fdaa_same_network", is_same, types, "boolean"))
    return tuple(functions)


def _of_address(name: str, result: str, type_: str, returns: str) -> Function:
    expression = f"CASE WHEN {_IS_ADDRESS[type_]} THEN\n    {result} END"
    return Function(name, expression, type_, returns)


POSTGRESQL = Engine(
    name="postgresql",
    title="PostgreSQL 14",
    use="`fdaa sql postgresql`",
    types=("`inet` and `cidr`, null if the prefix length is below 48", "`bytea` of 16 bytes"),
    of_number="error",
    of_list="error",
    network_id_int="`bigint`",
    key="`bytea`",
    missing=dict.fromkeys(IN_PYTHON, "needs Python: take the column to Arrow"),
    refused={
        Use.LAMBDA: "use `unnest`",
        Use.ELSEWHERE: "use `search_path`",
    },
    definitions=Definitions(
        functions=_functions(),
        statement="""{create} {name}({parameters}) RETURNS {returns}
  LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN {expression}""",
        argument="({})::text",
        parameter="$1",
        quote='"',
        folds_case=True,
        has_overloads=True,
        in_transaction=True,
    ),
)
