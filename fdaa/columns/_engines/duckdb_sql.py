r"""DuckDB.

One expression reads all types: DuckDB knows the type of an argument when it plans a query, and
drops the branches of the others. A macro with a definition for each type, which it has too, takes
no aggregate, window or parameter, and fails in `CHECK` and in generated columns.

DuckDB computes a function once for each distinct text of a dictionary, but not inside `CASE`. So
the ID is cut from what `ADDRESS` matches: a text without a match has no second part, which is null.

A key is made of the digits of an address: zeros in front of each group, of which the last four
digits stay, and as many zeros for `::` as there is room for. Its text is made of the key: a colon
after each group, no zeros in front, and `::` for the first of the longest runs of zeros. Both take
several expressions. Most texts have eight groups of hex digits, which each need only their zeros:
these texts come first. (A list function would be faster, but `CHECK` allows none with a lambda.)
"""

from fdaa.columns._engines._engine import LONGEST_RUN, Engine, Expressions, functions_of, literal
from fdaa.columns._grammar import ADDRESS, FIRST, GROUP, ZERO

# What the extension `inet` keeps. The first bit of IPv6 is inverted, so that signed numbers are in
# the order of addresses: 32170 is 7DAA. Without the extension, an expression cannot name its type.
_INET = "STRUCT(ip_type UTINYINT, address HUGEINT, mask USMALLINT)"
_BY_TYPE = rf"""CASE
  WHEN typeof({{ip}}) = 'BLOB' THEN CASE
    WHEN octet_length({{blob}}) = 16
      AND {{blob}} >= '\xFD\xAA'::BLOB
      AND {{blob}} < '\xFD\xAB'::BLOB
    THEN {{of_blob}} END
  WHEN typeof({{ip}}) IN ('INET', '{_INET}') THEN CASE
    WHEN ({{inet}}).mask >= 48 AND ({{inet}}).address >> 112 = 32170
    THEN {{of_inet}} END
  {{of_text}}
END"""
# The whole text is eight groups; and two of those stand side by side and are zero.
_FULL = f"'^{FIRST}(?::{GROUP}){{7}}$'"
_ZEROS = "':0+:0+(:|$)'"


def _by_type(ip: str, of_blob: str, of_inet: str, of_text: str) -> str:
    """Return the SQL for each type; the last part is a branch of a `CASE`."""
    inet = f"TRY_CAST({ip} AS {_INET})"
    blob = f"TRY_CAST({ip} AS BLOB)"
    return _BY_TYPE.format(
        ip=ip,
        blob=blob,
        inet=inet,
        of_blob=of_blob.format(blob),
        of_inet=of_inet.format(inet),
        of_text=of_text,
    )


def network_id_int(ip: str) -> str:
    """Return the SQL for the number."""
    parts = f"string_split(regexp_extract({ip}::VARCHAR, {literal(ADDRESS)}), ':')"
    return _by_type(
        ip,
        of_blob="({})[3:6]::BIT::UINTEGER",
        of_inet="(({}).address >> 80 & 4294967295)::UINTEGER",
        of_text=f"""ELSE coalesce(
    ('0x0' || {parts}[2])::UINTEGER * 65536
      + ('0x0' || {parts}[3])::UINTEGER,
    CASE WHEN regexp_matches({ip}::VARCHAR, {literal(ZERO)}) THEN 0::UINTEGER END)""",
    )


def network_id(ip: str) -> str:
    """Return the SQL for the text of the number."""
    number = f"({network_id_int(ip)})"
    return f"printf('%x:%x', {number} // 65536, {number} % 65536)"


def key(ip: str) -> str:
    """Return the SQL for the 16 bytes."""
    text = f"{ip}::VARCHAR"
    padded = [f"lpad(split_part({text}, ':', {part}), 4, '0')" for part in range(1, 9)]
    full_digits = "\n    || ".join(padded)
    head = _digits(text, 1)
    tail = _digits(text, 2)
    return _by_type(
        ip,
        of_blob="{}",
        of_inet="unhex('fd' || to_hex(({}).address)[3:])",
        of_text=f"""WHEN regexp_matches({text}, {_FULL}) THEN unhex({full_digits})
  WHEN regexp_matches({text}, {literal(ADDRESS)}) OR regexp_matches({text}, {literal(ZERO)})
  THEN unhex(rpad({head}, (32 - length({tail}))::INTEGER, '0')
    || {tail})""",
    )


def _digits(text: str, side: int) -> str:
    """Return the SQL for the digits of the groups before `::` (1) or after it (2)."""
    quad = f"split_part({text}, ':', -1)"
    octets = [f"TRY_CAST(split_part({quad}, '.', {part}) AS UTINYINT)" for part in range(1, 5)]
    groups = f"""CASE WHEN contains({text}, '.')
    THEN regexp_replace({text}, '[^:]*$', '') || printf('%02x%02x:%02x%02x', {", ".join(octets)})
    ELSE {text} END"""
    padded = rf"regexp_replace(split_part({groups}, '::', {side}), '([^:]+)', '000\1', 'g')"
    return rf"regexp_replace({padded}, '0*([0-9A-Fa-f]{{4}})(:|$)', '\1', 'g')"


def address(ip: str) -> str:
    """Return the SQL for the text of an address, as RFC 5952 wants it."""
    text = f"{ip}::VARCHAR"
    return rf"""CASE
  WHEN typeof({ip}) = 'VARCHAR' AND regexp_matches({text}, {_FULL})
    AND NOT regexp_matches({text}, {_ZEROS})
  THEN lower(regexp_replace({text}, ':0{{1,3}}([0-9A-Fa-f])', ':\1', 'g'))
  ELSE regexp_replace(regexp_replace(regexp_replace(regexp_replace(
    lower(hex({key(ip)})), '(....)', '\1:', 'g'), ':0{{1,3}}', ':', 'g'),
    '{LONGEST_RUN}', '\1\2\3\4\5\6::'),
    '([^:]):$', '\1')
END"""


_EXPRESSIONS: Expressions = {
    "network_id_int": network_id_int,
    "network_id": network_id,
    "address": address,
    "key": key,
}

DUCKDB = Engine(
    title="DuckDB 1.4",
    reads="text, BLOB of 16 bytes, and INET",
    expressions=_EXPRESSIONS,
    functions=functions_of(_EXPRESSIONS),
    create="CREATE OR REPLACE {temporary}MACRO {name}(ip) AS {expression}",
    drop="DROP MACRO IF EXISTS {name}",  # DuckDB drops the temporary one first
    temporary="TEMP ",
    note="A macro evaluates its argument several times: give it a column, or the result of a\n"
    "subquery, and not a volatile expression such as random().",
)
