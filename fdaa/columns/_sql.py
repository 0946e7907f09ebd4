"""The functions of each SQL dialect, defined by the grammar.

A definition reads as the grammar is told: a text that is too long is null before it is matched,
`ADDRESS` is the second and third part in hex with zeros in front, `ZERO` is 0, all else is null.
`ADDRESS` comes first, as most addresses are of its kind. DuckDB computes a function once for each
distinct text of a dictionary, but not inside `CASE`: so it extracts what `ADDRESS` matches, and a
text without a match has no second part, which is null. Its expressions stop where a text is wrong,
however long it is. Spark's `conv` stops at a colon by itself.
"""

from __future__ import annotations

from enum import StrEnum

from fdaa._text import MAX_LENGTH
from fdaa.columns._grammar import ADDRESS, HEX, ZERO


class Dialect(StrEnum):
    """The dialects of SQL that there is a definition in."""

    CLICKHOUSE = "clickhouse"
    DUCKDB = "duckdb"
    POSTGRESQL = "postgresql"
    SPARK = "spark"


# {zero} and {address} are literals of the dialect; statements end in a semicolon and an empty line.
_DEFINITIONS = {
    Dialect.DUCKDB: """\
CREATE OR REPLACE MACRO fdaa_network_id(text) AS coalesce(
  ('0x0' || string_split(regexp_extract(text, {address}), ':')[2])::UINTEGER * 65536
    + ('0x0' || string_split(regexp_extract(text, {address}), ':')[3])::UINTEGER,
  CASE WHEN regexp_matches(text, {zero}) THEN 0::UINTEGER END);

CREATE OR REPLACE MACRO fdaa_same_network(a, b) AS fdaa_network_id(a) = fdaa_network_id(b);

CREATE OR REPLACE MACRO fdaa_network(text) AS
  printf('%x:%x', fdaa_network_id(text) // 65536, fdaa_network_id(text) % 65536);
""",
    Dialect.SPARK: """\
CREATE OR REPLACE TEMPORARY FUNCTION fdaa_network_id(text STRING) RETURNS BIGINT RETURN CASE
  WHEN octet_length(text) > {longest} THEN NULL
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

CREATE OR REPLACE FUNCTION fdaa_same_network(a text, b text) RETURNS boolean
  LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN fdaa_network_id(a) = fdaa_network_id(b);

CREATE OR REPLACE FUNCTION fdaa_network(text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
    to_hex(fdaa_network_id($1) >> 16) || ':' || to_hex(fdaa_network_id($1) & 65535);
""",
    Dialect.CLICKHOUSE: """\
CREATE OR REPLACE FUNCTION fdaa_network_id AS (text) -> multiIf(
  length(text) > {longest}, NULL,
  match(text, {address}), reinterpretAsUInt32(reverse(unhex(concat(
    leftPad(splitByChar(':', assumeNotNull(text))[2], 4, '0'),
    leftPad(splitByChar(':', assumeNotNull(text))[3], 4, '0'))))),
  match(text, {zero}), toUInt32(0),
  NULL);

CREATE OR REPLACE FUNCTION fdaa_same_network AS (a, b) ->
  fdaa_network_id(a) = fdaa_network_id(b);

CREATE OR REPLACE FUNCTION fdaa_network AS (text) ->
  printf('%x:%x', intDiv(fdaa_network_id(text), 65536), fdaa_network_id(text) % 65536);
""",
}


def sql(dialect: str) -> str:
    r"""Return the definitions of three functions, as statements for the client of a database.

    | function                  | result                                                         |
    |---------------------------|----------------------------------------------------------------|
    | `fdaa_network_id(text)`   | the network ID as a number (specification, section 2.3)        |
    | `fdaa_network(text)`      | the network ID as text: `2:45b`                                |
    | `fdaa_same_network(a, b)` | whether both addresses are on one network                      |

    The result is null for null, and for a text that `Address.parse` refuses. A network ID is an
    unsigned number of 32 bits in DuckDB and ClickHouse, a signed one of 64 in Spark and PostgreSQL.

    Args:
        dialect: a `Dialect` or its name.

    Raises:
        ValueError: there is no definition in this dialect.

    >>> statements = sql("spark").split("\n\n")  # for clients that take one at a time
    >>> len(statements), statements[1].split("(")[0]
    (3, 'CREATE OR REPLACE TEMPORARY FUNCTION fdaa_same_network')
    """
    if dialect not in _DEFINITIONS:
        raise ValueError(f"no dialect {str(dialect)!r}: give one of {', '.join(Dialect)}")
    chosen = Dialect(dialect)
    zero, address = _literal(ZERO, chosen), _literal(ADDRESS, chosen)
    return _DEFINITIONS[chosen].format(longest=MAX_LENGTH, zero=zero, address=address)


def _literal(expression: str, dialect: Dialect) -> str:
    """Write a regular expression as a string of the dialect."""
    match dialect:
        case Dialect.CLICKHOUSE:  # where a backslash escapes
            expression = expression.replace("\\", "\\\\")
        case Dialect.POSTGRESQL:
            expression = expression.replace(r"\z", r"\Z")
        case Dialect.SPARK:  # where it does too, but in a raw string
            # Java is faster with the named class: it tries ranges one by one.
            expression = expression.replace(HEX, r"\p{XDigit}")
            return f"r'{expression}'"
    return f"'{expression}'"
