r"""DuckDB.

One macro reads all types: DuckDB knows the type of an argument when it plans a query, and drops the
branches of the others. A macro with a definition for each type, which it has too, takes no
aggregate, window or parameter, and fails in `CHECK` and in generated columns.

DuckDB computes a function once for each distinct text of a dictionary, but not inside `CASE`. So
the ID is cut from what `ADDRESS` matches: a text without a match has no second part, which is null.

A key is made of the digits of an address: zeros in front of each group, of which the last four
digits stay, and as many zeros for `::` as there is room for. Its text is made of the key: a colon
after each group, no zeros in front, and `::` for the first of the longest runs of zeros. Both take
several expressions. Most texts have eight groups of hex digits, which each need only their zeros:
these texts come first. (A list function would be faster, but `CHECK` allows none with a lambda.)
"""

from fdaa.columns._engines._canonical import LONGEST_RUN
from fdaa.columns._engines._engine import Definitions, Engine, Function, Use
from fdaa.columns._grammar import FIRST, GROUP

# What the extension `inet` keeps. The first bit of IPv6 is inverted, so that signed numbers are in
# the order of addresses: 32170 is 7DAA. Without the extension, a definition cannot name its type.
_INET = "STRUCT(ip_type UTINYINT, address HUGEINT, mask USMALLINT)"
_IS_INET = f"typeof(ip) IN ('INET', '{_INET}')"
_AS_INET = f"TRY_CAST(ip AS {_INET})"
_AS_BLOB = "TRY_CAST(ip AS BLOB)"
_PARTS = "string_split(regexp_extract(ip::VARCHAR, {address}), ':')"

# A dotted quad as two groups.
_QUAD = "split_part(ip::VARCHAR, ':', -1)"
_OCTET = f"TRY_CAST(split_part({_QUAD}, '.', {{}}) AS UTINYINT)"
_OCTETS = ", ".join(map(_OCTET.format, range(1, 5)))
_GROUPS = f"""CASE WHEN contains(ip::VARCHAR, '.')
    THEN regexp_replace(ip::VARCHAR, '[^:]*$', '') || printf('%02x%02x:%02x%02x', {_OCTETS})
    ELSE ip::VARCHAR END"""


def _digits(side: int) -> str:
    """Return the SQL for the digits of the groups before `::` (1) or after it (2)."""
    groups = f"split_part({_GROUPS}, '::', {side})"
    padded = rf"regexp_replace({groups}, '([^:]+)', '000\1', 'g')"
    return rf"regexp_replace({padded}, '0*([0-9A-Fa-f]{{4}})(:|$)', '\1', 'g')"


# A text of eight groups; of those, one that needs no `::`.
_IS_FULL = f"regexp_matches(ip::VARCHAR, '^{FIRST}(?::{GROUP}){{7}}$')"
_IS_UNCOMPRESSED = f"{_IS_FULL} AND NOT regexp_matches(ip::VARCHAR, ':0+:0+(:|$)')"
_PADDED = "lpad(split_part(ip::VARCHAR, ':', {}), 4, '0')"
_FULL_DIGITS = "\n    || ".join(map(_PADDED.format, range(1, 9)))
_IS_TEXT = "typeof(ip) = 'VARCHAR'"
_IS_OTHER = """regexp_matches(ip::VARCHAR, {address})
    OR regexp_matches(ip::VARCHAR, {zero})"""

_ID_OF_TEXT = f"""coalesce(
    ('0x0' || {_PARTS}[2])::UINTEGER * 65536
      + ('0x0' || {_PARTS}[3])::UINTEGER,
    CASE WHEN regexp_matches(ip::VARCHAR, {{zero}}) THEN 0::UINTEGER END)"""
_KEY_OF_TEXT = f"""unhex(
    rpad({_digits(1)}, (32 - length({_digits(2)}))::INTEGER, '0')
    || {_digits(2)})"""
_LOWER = r"lower(regexp_replace(ip::VARCHAR, ':0{1,3}([0-9A-Fa-f])', ':\1', 'g'))"
_ADDRESS_OF_KEY = rf"""regexp_replace(regexp_replace(regexp_replace(regexp_replace(
    lower(hex(fdaa_key(ip))), '(....)', '\1:', 'g'), ':0{{1,3}}', ':', 'g'),
    '{LONGEST_RUN}', '\1\2\3\4\5\6::'),
    '([^:]):$', '\1')"""

_FUNCTIONS = (
    Function(
        "fdaa_network_id_int",
        rf"""CASE
  WHEN typeof(ip) = 'BLOB' THEN CASE
    WHEN octet_length({_AS_BLOB}) = 16
      AND {_AS_BLOB} >= '\xFD\xAA'::BLOB
      AND {_AS_BLOB} < '\xFD\xAB'::BLOB
    THEN ({_AS_BLOB})[3:6]::BIT::UINTEGER END
  WHEN {_IS_INET} THEN CASE
    WHEN ({_AS_INET}).mask >= 48 AND ({_AS_INET}).address >> 112 = 32170
    THEN (({_AS_INET}).address >> 80 & 4294967295)::UINTEGER END
  ELSE {_ID_OF_TEXT}
END""",
        of_text=_ID_OF_TEXT,
    ),
    Function(
        "fdaa_same_network",
        r"fdaa_network_id_int(a) = fdaa_network_id_int(b)",
        parameters="a, b",
    ),
    Function(
        "fdaa_network_id",
        r"printf('%x:%x', fdaa_network_id_int(ip) // 65536, fdaa_network_id_int(ip) % 65536)",
    ),
    Function(
        "fdaa_prefix",
        r"regexp_replace('fdaa:' || fdaa_network_id(ip) || '::/48', '(:0)+::', '::')",
    ),
    Function(
        "fdaa_key",
        rf"""CASE
  WHEN {_IS_TEXT} AND {_IS_FULL} THEN unhex({_FULL_DIGITS})
  WHEN fdaa_network_id_int(ip) IS NULL THEN NULL
  WHEN typeof(ip) = 'BLOB' THEN {_AS_BLOB}
  WHEN {_IS_INET} THEN unhex('fd' || to_hex(({_AS_INET}).address)[3:])
  ELSE {_KEY_OF_TEXT}
END""",
        of_text=f"""CASE
  WHEN {_IS_FULL} THEN unhex({_FULL_DIGITS})
  WHEN {_IS_OTHER} THEN {_KEY_OF_TEXT}
END""",
    ),
    Function(
        "fdaa_address",
        rf"""CASE
  WHEN {_IS_TEXT} AND {_IS_UNCOMPRESSED}
  THEN {_LOWER}
  ELSE {_ADDRESS_OF_KEY}
END""",
        of_text=f"""CASE
  WHEN {_IS_UNCOMPRESSED}
  THEN {_LOWER}
  ELSE {_ADDRESS_OF_KEY}
END""",
    ),
)

DUCKDB = Engine(
    name="duckdb",
    title="DuckDB 1.4",
    use="`fdaa sql duckdb`; with Python and numpy, `fdaa.columns.duckdb.register(connection)`",
    extra="arrow",
    types=(
        "`BLOB` of 16 bytes",
        "`INET` of the extension `inet`",
        "the functions that call Python: text only",
    ),
    network_id_int="`UINTEGER`",
    key="`BLOB`",
    caveats={
        Use.GENERATED: "computed at each read",
        Use.INDEX: "no query uses it",
    },
    refused={
        Use.ELSEWHERE: "use `--temp`",
    },
    definitions=Definitions(
        functions=_FUNCTIONS,
        statement="{create} {name}({parameters}) AS {expression}",
        comment="""\
-- For DuckDB 1.4 or later. A macro evaluates its argument several times: give it a column, or the
-- result of a subquery, and not a volatile expression such as random().
""",
        permanent="CREATE OR REPLACE MACRO",
        temporary="CREATE OR REPLACE TEMP MACRO",
        drop="DROP MACRO",
        drop_temporary="DROP MACRO",  # DuckDB drops the temporary one first
        quote='"',
    ),
)
