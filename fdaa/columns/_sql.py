r"""The functions of each SQL dialect, defined by the grammar.

A text that is too long is null before it is matched, `ADDRESS` is the second and third part in hex
with zeros in front, `ZERO` is 0, all else is null. `ADDRESS` comes first, as most addresses are of
its kind. DuckDB computes a function once for each distinct text of a dictionary, but not inside
`CASE`: so it extracts what `ADDRESS` matches, and a text without a match has no second part, which
is null. Its expressions stop where a text is wrong, however long it is. Spark's `conv` stops at a
colon by itself.

Columns that hold 16 bytes are read from the bytes. PostgreSQL chooses a definition by the type. So
could DuckDB, but a macro of several definitions takes no aggregate, window or parameter: there, as
in ClickHouse, one definition asks for the type, and only the branch of the type is computed. Spark
casts BINARY to STRING, bytes as they are; no text begins with FD AA, as UTF-8 has no byte FD.
"""

from __future__ import annotations

import re
from enum import StrEnum

from fdaa._escapes import quote
from fdaa._text import MAX_LENGTH
from fdaa.columns._grammar import ADDRESS, ZERO


class Dialect(StrEnum):
    """The dialects of SQL that have definitions."""

    CLICKHOUSE = "clickhouse"
    DUCKDB = "duckdb"
    POSTGRESQL = "postgresql"
    SPARK = "spark"


_POSTGRESQL_OF_BOTH = """
CREATE OR REPLACE FUNCTION fdaa_same_network(a TYPE, b TYPE) RETURNS boolean
  LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN fdaa_network_id(a) = fdaa_network_id(b);

CREATE OR REPLACE FUNCTION fdaa_network(TYPE) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
    to_hex(fdaa_network_id($1) >> 16) || ':' || to_hex(fdaa_network_id($1) & 65535);
"""

# What the extension `inet` keeps. The first bit of IPv6 is inverted, so that signed numbers are in
# the order of addresses: 32170 is 7DAA. Without the extension, a definition cannot name its type.
_DUCKDB_INET = "STRUCT(ip_type UTINYINT, address HUGEINT, mask USMALLINT)"

# {zero} and {address} are literals of the dialect; statements end in a semicolon and an empty line.
_DEFINITIONS = {
    Dialect.DUCKDB: """\
-- For DuckDB 1.4 or later. A macro evaluates its argument several times: give it a column, or the
-- result of a subquery, and not a volatile expression such as random().
CREATE OR REPLACE MACRO fdaa_network_id(ip) AS CASE
  WHEN typeof(ip) = 'BLOB' THEN CASE
    WHEN octet_length(TRY_CAST(ip AS BLOB)) = 16
      AND TRY_CAST(ip AS BLOB) >= '\\xFD\\xAA'::BLOB
      AND TRY_CAST(ip AS BLOB) < '\\xFD\\xAB'::BLOB
    THEN (TRY_CAST(ip AS BLOB))[3:6]::BIT::UINTEGER END
  WHEN typeof(ip) IN ('INET', '{inet}') THEN CASE
    WHEN (TRY_CAST(ip AS {inet})).mask >= 48
      AND (TRY_CAST(ip AS {inet})).address >> 112 = 32170
    THEN ((TRY_CAST(ip AS {inet})).address >> 80 & 4294967295)::UINTEGER END
  ELSE coalesce(
    ('0x0' || string_split(regexp_extract(ip::VARCHAR, {address}), ':')[2])::UINTEGER * 65536
      + ('0x0' || string_split(regexp_extract(ip::VARCHAR, {address}), ':')[3])::UINTEGER,
    CASE WHEN regexp_matches(ip::VARCHAR, {zero}) THEN 0::UINTEGER END)
END;

CREATE OR REPLACE MACRO fdaa_same_network(a, b) AS fdaa_network_id(a) = fdaa_network_id(b);

CREATE OR REPLACE MACRO fdaa_network(ip) AS
  printf('%x:%x', fdaa_network_id(ip) // 65536, fdaa_network_id(ip) % 65536);
""",
    Dialect.SPARK: """\
CREATE OR REPLACE TEMPORARY FUNCTION fdaa_network_id(text STRING) RETURNS BIGINT RETURN CASE
  WHEN octet_length(text) > {longest} THEN NULL
  WHEN startswith(CAST(text AS BINARY), X'FDAA') AND octet_length(text) = 16 THEN
    CAST(conv(hex(substring(CAST(text AS BINARY), 3, 4)), 16, 10) AS BIGINT)
  WHEN text RLIKE {address} THEN
    CAST(conv(substring(text, 6, 4), 16, 10) AS BIGINT) * 65536
      + CAST(conv('0' || substring(text, locate(':', text, 6) + 1, 4), 16, 10) AS BIGINT)
  WHEN text RLIKE {zero} THEN 0
END;

CREATE OR REPLACE TEMPORARY FUNCTION fdaa_same_network(a STRING, b STRING) RETURNS BOOLEAN
  RETURN fdaa_network_id(a) = fdaa_network_id(b);

CREATE OR REPLACE TEMPORARY FUNCTION fdaa_network(text STRING) RETURNS STRING
  RETURN lower(concat(
    hex(fdaa_network_id(text) DIV 65536), ':', hex(fdaa_network_id(text) % 65536)));
""",
    Dialect.POSTGRESQL: """\
CREATE OR REPLACE FUNCTION fdaa_network_id(text) RETURNS bigint
  LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN CASE
    WHEN octet_length($1) > {longest} THEN NULL
    WHEN $1 ~ {address} THEN
      ('x' || lpad(split_part($1, ':', 2), 4, '0')
           || lpad(split_part($1, ':', 3), 4, '0'))::bit(32)::bigint
    WHEN $1 ~ {zero} THEN 0
  END;

CREATE OR REPLACE FUNCTION fdaa_network_id(inet) RETURNS bigint
  LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN CASE
    WHEN $1 <<= inet 'fdaa::/16' AND masklen($1) >= 48 THEN
      ('x' || encode(substring(inet_send($1), 7, 4), 'hex'))::bit(32)::bigint
  END;

CREATE OR REPLACE FUNCTION fdaa_network_id(bytea) RETURNS bigint
  LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN CASE
    WHEN octet_length($1) = 16 AND encode(substring($1, 1, 2), 'hex') = 'fdaa' THEN
      ('x' || encode(substring($1, 3, 4), 'hex'))::bit(32)::bigint
  END;

CREATE OR REPLACE FUNCTION fdaa_key(bytea) RETURNS bytea
  LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN CASE
    WHEN fdaa_network_id($1) IS NOT NULL THEN $1
  END;

CREATE OR REPLACE FUNCTION fdaa_key(inet) RETURNS bytea
  LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN CASE
    WHEN $1 <<= inet 'fdaa::/16' AND masklen($1) >= 48 THEN substring(inet_send($1), 5)
  END;

CREATE OR REPLACE FUNCTION fdaa_key(text) RETURNS bytea
  LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
    fdaa_key(CASE WHEN fdaa_network_id($1) IS NOT NULL THEN $1::inet END);
"""
    + "".join(_POSTGRESQL_OF_BOTH.replace("TYPE", name) for name in ("text", "inet", "bytea")),
    Dialect.CLICKHOUSE: """\
CREATE OR REPLACE FUNCTION fdaa_network_id AS (address) -> multiIf(
  toTypeName(address) LIKE '%IPv6%', if(
    bitShiftRight(accurateCastOrNull(address, 'UInt128'), 112) = 0xFDAA,
    toUInt32(bitAnd(bitShiftRight(accurateCastOrNull(address, 'UInt128'), 80), 0xFFFFFFFF)), NULL),
  toTypeName(address) LIKE '%FixedString(16)%', if(
    startsWith(accurateCastOrNull(address, 'FixedString(16)'), unhex('FDAA')),
    toUInt32(bitAnd(bitShiftRight(byteSwap(reinterpretAsUInt64(
      accurateCastOrNull(address, 'FixedString(16)'))), 16), 0xFFFFFFFF)), NULL),
  length(toString(address)) = 16 AND startsWith(toString(address), unhex('FDAA')),
    reinterpretAsUInt32(reverse(substring(assumeNotNull(toString(address)), 3, 4))),
  length(toString(address)) > {longest}, NULL,
  match(toString(address), {address}), reinterpretAsUInt32(reverse(unhex(concat(
    leftPad(splitByChar(':', assumeNotNull(toString(address)))[2], 4, '0'),
    leftPad(splitByChar(':', assumeNotNull(toString(address)))[3], 4, '0'))))),
  match(toString(address), {zero}), toUInt32(0),
  NULL);

CREATE OR REPLACE FUNCTION fdaa_same_network AS (a, b) ->
  fdaa_network_id(a) = fdaa_network_id(b);

CREATE OR REPLACE FUNCTION fdaa_network AS (address) ->
  printf('%x:%x', intDiv(fdaa_network_id(address), 65536), fdaa_network_id(address) % 65536);

CREATE OR REPLACE FUNCTION fdaa_key AS (address) -> if(isNull(fdaa_network_id(address)), NULL,
  multiIf(
    toTypeName(address) LIKE '%IPv6%',
      reinterpretAsFixedString(accurateCastOrNull(address, 'IPv6')),
    toTypeName(address) LIKE '%FixedString(16)%', accurateCastOrNull(address, 'FixedString(16)'),
    startsWith(toString(address), unhex('FDAA')),
      toFixedString(substring(assumeNotNull(toString(address)), 1, 16), 16),
    IPv6StringToNumOrNull(toString(address))));
""",
}

_PREFIX = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,31}")


def sql(dialect: str, *, prefix: str = "fdaa") -> str:
    r"""Return the definitions of functions, as statements for the client of a database.

    | function                  | result                                                         |
    |---------------------------|----------------------------------------------------------------|
    | `fdaa_network_id(a)`      | the network ID as a number (specification, section 2.3)        |
    | `fdaa_network(a)`         | the network ID as text: `2:45b`                                |
    | `fdaa_same_network(a, b)` | whether both addresses are on one network                      |
    | `fdaa_key(a)`             | 16 bytes in the order of addresses (PostgreSQL and ClickHouse) |

    They read texts, and columns that hold addresses: `inet` of PostgreSQL and DuckDB, `IPv6` and
    `FixedString(16)` of ClickHouse, and 16 bytes in DuckDB's `BLOB` and Spark's `BINARY`. The
    result is null for null, for what `Address` or `Address.from_bytes` rejects, and for an
    `inet` with a prefix length under 48. A network ID is an unsigned number of 32 bits in DuckDB
    and ClickHouse, a signed number of 64 bits in Spark and PostgreSQL.

    Args:
        dialect: a `Dialect` or its name, in any case.
        prefix: the first part of the functions' names, without the underscore.

    Raises:
        TypeError: `dialect` is not a `str`.
        ValueError: there is no definition in this dialect, or `prefix` cannot begin a name.

    >>> statements = sql("spark").split("\n\n")  # for clients that take one at a time
    >>> len(statements), statements[1].split("(")[0]
    (3, 'CREATE OR REPLACE TEMPORARY FUNCTION fdaa_same_network')
    """
    chosen = _dialect(dialect)
    if not _PREFIX.fullmatch(prefix):
        raise ValueError(f"prefix {quote(prefix)}: at most 32 letters, digits, '_'; no digit first")
    zero, address = _literal(ZERO, chosen), _literal(ADDRESS, chosen)
    definitions = _DEFINITIONS[chosen].replace("fdaa_", f"{prefix}_")
    return definitions.format(longest=MAX_LENGTH, zero=zero, address=address, inet=_DUCKDB_INET)


def drop_sql(dialect: str, *, prefix: str = "fdaa") -> str:
    """Return the statements that drop the functions of `sql`, the last one first.

    Args:
        dialect: as in `sql`.
        prefix: as it was given to `sql`.

    Raises:
        TypeError, ValueError: as `sql`.

    >>> print(drop_sql("duckdb").splitlines()[0])
    DROP MACRO IF EXISTS fdaa_network;
    """
    by_types = _dialect(dialect) is Dialect.POSTGRESQL  # it has several functions of one name
    name = r"\w+\([^)]*\)" if by_types else r"\w+"
    created = re.compile(rf"^CREATE OR REPLACE ([A-Z ]+) ({name})", re.MULTILINE)
    functions = created.findall(sql(dialect, prefix=prefix))
    return "\n".join(f"DROP {kind} IF EXISTS {name};\n" for kind, name in reversed(functions))


def _dialect(name: str) -> Dialect:
    if not isinstance(name, str):
        raise TypeError(f"expected the name of a dialect, got {type(name).__name__}")
    if name.lower() == "sqlite":
        raise ValueError(
            "SQLite has no regular expressions and no functions in SQL: in Python, call"
            " fdaa.columns.sqlite.register(connection)"
        )
    if name.lower() not in _DEFINITIONS:
        raise ValueError(f"unknown dialect {quote(name)}: use one of {', '.join(Dialect)}")
    return Dialect(name.lower())


def _literal(expression: str, dialect: Dialect) -> str:
    """Write a regular expression as a string of the dialect."""
    match dialect:
        case Dialect.CLICKHOUSE:  # where a backslash escapes
            expression = expression.replace("\\", "\\\\")
        case Dialect.POSTGRESQL:  # it can escape, by a setting; and ^ and $ ignore lines
            expression = expression.replace(r"\A", "^").replace(r"\z", "$")
        case Dialect.SPARK:  # it escapes, by a setting; and $ lets a line feed follow
            expression = expression.replace(r"\A", "^").replace(r"\z", "(?![^:]|:)")
    return f"'{expression}'"
