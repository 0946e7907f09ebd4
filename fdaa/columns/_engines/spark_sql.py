"""Spark.

It casts BINARY to STRING, bytes as they are; no text begins with FD AA, as UTF-8 has no byte FD.
`conv` stops at a colon by itself. There is no backslash in an expression: the setting
`spark.sql.parser.escapedStringLiterals` decides what it means. Keys and texts are made as in
DuckDB.
"""

from fdaa._values.text import MAX_LENGTH
from fdaa.columns._engines._engine import LONGEST_RUN, Engine, Function, literal
from fdaa.columns._grammar import ADDRESS, FIRST, GROUP, ZERO

# Nothing follows, also no line feed: in Java, `$` alone matches in front of one.
_END = "(?![^:]|:)"
_ADDRESS = literal(ADDRESS, _END)
_ZERO = literal(ZERO, _END)

# Texts that lower case without zeros in front makes canonical, as most are: eight groups without a
# run of zeros, and a `::` for two groups or more where no other group is zero.
_FULL = f"'^{FIRST}(?::{GROUP}){{7}}{_END}'"
_SHORT = f"'^{FIRST}(?::{GROUP})*::(?:{GROUP}(?::{GROUP})*)?{_END}'"


def _is_packed(ip: str) -> str:
    return f"octet_length({ip}) = 16 AND startswith(CAST({ip} AS BINARY), X'FDAA')"


def network_id_int(ip: str) -> str:
    """Return the SQL for the number."""
    ip = f"CAST({ip} AS STRING)"
    return f"""CASE
  WHEN octet_length({ip}) > {MAX_LENGTH} THEN NULL
  WHEN {_is_packed(ip)} THEN
    CAST(conv(hex(substring(CAST({ip} AS BINARY), 3, 4)), 16, 10) AS BIGINT)
  WHEN {ip} RLIKE {_ADDRESS} THEN
    CAST(conv(substring({ip}, 6, 4), 16, 10) AS BIGINT) * 65536
      + CAST(conv('0' || substring({ip}, locate(':', {ip}, 6) + 1, 4), 16, 10) AS BIGINT)
  WHEN {ip} RLIKE {_ZERO} THEN 0
END"""


def network_id(ip: str) -> str:
    """Return the SQL for the text of the number."""
    number = f"({network_id_int(ip)})"
    return f"lower(concat(hex({number} DIV 65536), ':', hex({number} % 65536)))"


def key(ip: str) -> str:
    """Return the SQL for the 16 bytes."""
    ip = f"CAST({ip} AS STRING)"
    head = _digits(f"substring_index({_groups(ip)}, '::', 1)")
    tail = _digits(f"split_part({_groups(ip)}, '::', 2)")
    return f"""CASE
  WHEN octet_length({ip}) > {MAX_LENGTH} THEN NULL
  WHEN {_is_packed(ip)} THEN CAST({ip} AS BINARY)
  WHEN {ip} RLIKE {_ADDRESS} OR {ip} RLIKE {_ZERO} THEN unhex(concat(
    rpad({head}, 32 - length({tail}), '0'),
    {tail}))
END"""


def _groups(ip: str) -> str:
    """Return the SQL for an address whose dotted quad is two groups."""
    octets = []
    for number in range(1, 5):
        octet = f"split_part(substring_index({ip}, ':', -1), '.', {number})"
        octets.append(f"lpad(hex(CAST({octet} AS INT)), 2, '0')")
    first, second, third, fourth = octets
    return f"""CASE WHEN contains({ip}, '.')
      THEN concat(regexp_replace({ip}, '[^:]*$', ''),
        {first}, {second}, ':',
        {third}, {fourth})
      ELSE {ip} END"""


def _digits(groups: str) -> str:
    """Return the SQL for the digits of some groups."""
    padded = f"regexp_replace({groups}, '([^:]+)', '000$1')"
    return f"regexp_replace({padded}, '0*([0-9A-Fa-f]{{4}})(:|$)', '$1')"


def address(ip: str) -> str:
    """Return the SQL for the text of an address, as RFC 5952 wants it."""
    of_key = f"""regexp_replace(
    regexp_replace(lower(hex({key(ip)})), '(....)', '$1:'), ':0{{1,3}}', ':')"""
    ip = f"CAST({ip} AS STRING)"
    plain = f"lower(regexp_replace({ip}, ':0{{1,3}}([0-9A-Fa-f])', ':$1'))"
    with_colon = f"concat({plain}, ':')"
    return f"""CASE
  WHEN octet_length({ip}) > {MAX_LENGTH} THEN NULL
  WHEN {ip} RLIKE {_FULL} AND NOT {ip} RLIKE ':0+:0+(?:$|:)' THEN {plain}
  WHEN {ip} RLIKE {_SHORT} AND length({ip}) - length(replace({ip}, ':', '')) <= 6
    AND NOT {ip} RLIKE ':0+(?:$|:)' THEN {plain}
  WHEN {ip} RLIKE {_FULL} THEN {_compressed(with_colon)}
  ELSE {_compressed(of_key)}
END"""


def _compressed(groups: str) -> str:
    """Return the SQL for groups, with a colon after each, with `::` for their longest zeros."""
    return f"""regexp_replace(
    regexp_replace({groups}, '{LONGEST_RUN}', '$1$2$3$4$5$6::'), '([^:]):$', '$1')"""


SPARK = Engine(
    title="Spark 3.5",
    reads="STRING, and BINARY of 16 bytes; other bytes are read as text",
    expressions={
        "network_id_int": network_id_int,
        "network_id": network_id,
        "address": address,
        "key": key,
    },
    functions=(
        Function("fdaa_network_id_int", network_id_int("ip"), "BIGINT"),
        Function("fdaa_network_id", network_id("ip"), "STRING"),
        Function("fdaa_address", address("ip"), "STRING"),
        Function("fdaa_key", key("ip"), "BINARY"),
    ),
    create="CREATE OR REPLACE {temporary}FUNCTION {name}(ip STRING) RETURNS {returns}"
    " RETURN {expression}",
    temporary="TEMPORARY ",
    is_temporary=True,
    note="For Spark 4.0 or later: earlier ones have no functions in SQL.",
)
