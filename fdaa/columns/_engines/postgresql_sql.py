"""PostgreSQL.

It chooses a function by the types of its arguments. It prepares a regular expression for each row,
which takes ten microseconds for `ADDRESS`. So two forms of most addresses have short expressions of
their own, which come first: eight groups, and groups around `::`, of which at most seven colons
leave at least one group for it. `inet` reads what matches, and prints it as RFC 5952 wants it.

The planner puts the expressions of functions in SQL into the query, but not that of the text of a
network, which needs the ID twice. For each call of a function in SQL that stays one, PostgreSQL
starts a query of its own, and with JIT it may compile each: so this one is in PL/pgSQL.
"""

from fdaa.columns._engines._engine import IN_PYTHON, Definitions, Engine, Function, Use

_ID_OF_TEXT = """\
('x' || lpad(split_part($1, ':', 2), 4, '0')
           || lpad(split_part($1, ':', 3), 4, '0'))::bit(32)::bigint"""

_ID_OF_INET = "('x' || encode(substring(inet_send({}), 7, 4), 'hex'))::bit(32)::bigint"
_HEX = "[0-9A-Fa-f]{1,4}"

_IDS = {
    "text": f"""CASE
    WHEN octet_length($1) > {{longest}} THEN NULL
    WHEN $1 ~ '^[Ff][Dd][Aa][Aa](?::{_HEX}){{7}}$' THEN
      {_ID_OF_TEXT}
    WHEN $1 ~ '^[Ff][Dd][Aa][Aa](?::{_HEX})*::(?:{_HEX}(?::{_HEX})*)?$'
      AND octet_length($1) - octet_length(replace($1, ':', '')) <= 7 THEN
      {_ID_OF_INET.format("$1::inet")}
    WHEN $1 ~ {{address}} THEN
      {_ID_OF_TEXT}
    WHEN $1 ~ {{zero}} THEN 0
  END""",
    "inet": f"""CASE
    WHEN $1 <<= inet 'fdaa::/16' AND masklen($1) >= 48 THEN
      {_ID_OF_INET.format("$1")}
  END""",
    "bytea": """CASE
    WHEN octet_length($1) = 16 AND encode(substring($1, 1, 2), 'hex') = 'fdaa' THEN
      ('x' || encode(substring($1, 3, 4), 'hex'))::bit(32)::bigint
  END""",
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

# The text and the key of what is an address.
_ADDRESSES = {"text": "host($1::inet)", "inet": "host($1)", "bytea": f"host(({_DIGITS})::inet)"}
_KEYS = {
    "text": "substring(inet_send($1::inet), 5)",
    "inet": "substring(inet_send($1), 5)",
    "bytea": "$1",
}

_PAIRS = ("text", "text"), ("inet", "inet"), ("bytea", "bytea"), ("inet", "text"), ("text", "inet")


def _functions() -> tuple[Function, ...]:
    functions = []
    for type_, network_id in _IDS.items():
        functions.append(Function("fdaa_network_id_int", network_id, type_, "bigint"))
    functions.append(_ID_TEXT)
    for type_ in _IDS:
        network = "fdaa_id_text(fdaa_network_id_int($1))"
        functions.append(Function("fdaa_network_id", network, type_, "text"))
        prefix = f"regexp_replace('fdaa:' || {network} || '::/48', '(:0)+::', '::')"
        functions.append(Function("fdaa_prefix", prefix, type_, "text"))
        address = f"CASE WHEN fdaa_network_id_int($1) IS NOT NULL THEN {_ADDRESSES[type_]} END"
        functions.append(Function("fdaa_address", address, type_, "text"))
        key = f"CASE WHEN fdaa_network_id_int($1) IS NOT NULL THEN {_KEYS[type_]} END"
        functions.append(Function("fdaa_key", key, type_, "bytea"))
    is_same = "fdaa_network_id_int(a) = fdaa_network_id_int(b)"
    for first, second in _PAIRS:
        types = f"a {first}, b {second}"
        functions.append(Function("fdaa_same_network", is_same, types, "boolean"))
    return tuple(functions)


POSTGRESQL = Engine(
    name="postgresql",
    title="PostgreSQL 14",
    use="`fdaa sql postgresql`",
    types=("`inet` and `cidr`, null if the prefix length is below 48", "`bytea` of 16 bytes"),
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
    ),
)
