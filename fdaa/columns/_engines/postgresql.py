"""PostgreSQL.

It chooses a function by the types of its arguments. It prepares a regular expression for each row,
which takes ten microseconds for `ADDRESS`. So two forms of most addresses have short expressions of
their own, which come first: eight groups, and groups around `::`, of which at most seven colons
leave at least one group for it. The text of a network has a function of the ID, so that the ID is
computed once. `inet` reads what matches, and prints it as RFC 5952 wants it.
"""

from fdaa.columns._engines._engine import IN_PYTHON, Definitions, Engine, Use

_IMMUTABLE = "LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN"
_ID_OF_TEXT = """\
('x' || lpad(split_part($1, ':', 2), 4, '0')
           || lpad(split_part($1, ':', 3), 4, '0'))::bit(32)::bigint"""

_ID_OF_INET = "('x' || encode(substring(inet_send({}), 7, 4), 'hex'))::bit(32)::bigint"
_HEX = "[0-9A-Fa-f]{1,4}"

_IDS = f"""\
{{create}} fdaa_network_id(text) RETURNS bigint
  {_IMMUTABLE} CASE
    WHEN octet_length($1) > {{longest}} THEN NULL
    WHEN $1 ~ '^[Ff][Dd][Aa][Aa](?::{_HEX}){{7}}$' THEN
      {_ID_OF_TEXT}
    WHEN $1 ~ '^[Ff][Dd][Aa][Aa](?::{_HEX})*::(?:{_HEX}(?::{_HEX})*)?$'
      AND octet_length($1) - octet_length(replace($1, ':', '')) <= 7 THEN
      {_ID_OF_INET.format("$1::inet")}
    WHEN $1 ~ {{address}} THEN
      {_ID_OF_TEXT}
    WHEN $1 ~ {{zero}} THEN 0
  END;

{{create}} fdaa_network_id(inet) RETURNS bigint
  {_IMMUTABLE} CASE
    WHEN $1 <<= inet 'fdaa::/16' AND masklen($1) >= 48 THEN
      {_ID_OF_INET.format("$1")}
  END;

{{create}} fdaa_network_id(bytea) RETURNS bigint
  {_IMMUTABLE} CASE
    WHEN octet_length($1) = 16 AND encode(substring($1, 1, 2), 'hex') = 'fdaa' THEN
      ('x' || encode(substring($1, 3, 4), 'hex'))::bit(32)::bigint
  END;

{{create}} fdaa_id_text(bigint) RETURNS text
  {_IMMUTABLE} to_hex($1 >> 16) || ':' || to_hex($1 & 65535);
"""

_OF_EACH_TYPE = f"""
{{create}} fdaa_network(TYPE) RETURNS text
  {_IMMUTABLE} fdaa_id_text(fdaa_network_id($1));

{{create}} fdaa_same_network(a TYPE, b TYPE) RETURNS boolean
  {_IMMUTABLE} fdaa_network_id(a) = fdaa_network_id(b);

{{create}} fdaa_prefix(TYPE) RETURNS text
  {_IMMUTABLE}
    regexp_replace('fdaa:' || fdaa_id_text(fdaa_network_id($1)) || '::/48', '(:0)+::', '::');
"""

_GROUP = "substr(encode($1, 'hex'), {}, 4)"
_DIGITS = " || ':' || ".join(map(_GROUP.format, range(1, 33, 4)))

_ADDRESSES = f"""
{{create}} fdaa_address(inet) RETURNS text
  {_IMMUTABLE} CASE WHEN fdaa_network_id($1) IS NOT NULL THEN host($1) END;

{{create}} fdaa_address(text) RETURNS text
  {_IMMUTABLE} CASE WHEN fdaa_network_id($1) IS NOT NULL THEN host($1::inet) END;

{{create}} fdaa_address(bytea) RETURNS text
  {_IMMUTABLE} CASE WHEN fdaa_network_id($1) IS NOT NULL THEN host((
    {_DIGITS})::inet)
  END;

{{create}} fdaa_key(inet) RETURNS bytea
  {_IMMUTABLE} CASE WHEN fdaa_network_id($1) IS NOT NULL THEN substring(inet_send($1), 5) END;

{{create}} fdaa_key(text) RETURNS bytea
  {_IMMUTABLE}
    CASE WHEN fdaa_network_id($1) IS NOT NULL THEN substring(inet_send($1::inet), 5) END;

{{create}} fdaa_key(bytea) RETURNS bytea
  {_IMMUTABLE} CASE WHEN fdaa_network_id($1) IS NOT NULL THEN $1 END;
"""

_TEXT = _IDS
for _type in ("text", "inet", "bytea"):
    _TEXT += _OF_EACH_TYPE.replace("TYPE", _type)
_TEXT += _ADDRESSES

POSTGRESQL = Engine(
    name="postgresql",
    title="PostgreSQL 14",
    use="`fdaa sql postgresql`",
    types=("`inet` and `cidr`, null if the prefix length is below 48", "`bytea` of 16 bytes"),
    network_id="`bigint`",
    key="`bytea`",
    missing=dict.fromkeys(IN_PYTHON, "needs Python: take the column to Arrow"),
    refused={
        Use.LAMBDA: "PostgreSQL has none: use `unnest`",
        Use.ELSEWHERE: "a schema has its own functions: call `tools.fdaa_network(a)`, created with"
        " `--schema tools`, or put the schema on the `search_path`",
    },
    definitions=Definitions(
        text=_TEXT,
        permanent="CREATE OR REPLACE FUNCTION",
        quote='"',
        folds_case=True,
        has_overloads=True,
    ),
)
