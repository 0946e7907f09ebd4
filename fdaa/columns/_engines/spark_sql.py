"""Spark.

It casts BINARY to STRING, bytes as they are; no text begins with FD AA, as UTF-8 has no byte FD.
`conv` stops at a colon by itself. There is no backslash in an expression: the setting
`spark.sql.parser.escapedStringLiterals` decides what it means. Keys and texts are made as in
DuckDB.
"""

from fdaa.columns._engines._canonical import LONGEST_RUN
from fdaa.columns._engines._engine import AS_TEXT, END_IN_JAVA, Definitions, Engine, Function, Use
from fdaa.columns._grammar import FIRST, GROUP


def _octet(number: int) -> str:
    """Return the SQL for an octet of a dotted quad, as two digits."""
    octet = f"split_part(substring_index(ip, ':', -1), '.', {number})"
    return f"lpad(hex(CAST({octet} AS INT)), 2, '0')"


# A dotted quad as two groups.
_GROUPS = f"""CASE WHEN contains(ip, '.')
      THEN concat(regexp_replace(ip, '[^:]*$', ''),
        {_octet(1)}, {_octet(2)}, ':',
        {_octet(3)}, {_octet(4)})
      ELSE ip END"""


def _digits(groups: str) -> str:
    """Return the SQL for the digits of some groups."""
    padded = f"regexp_replace({groups}, '([^:]+)', '000$1')"
    return f"regexp_replace({padded}, '0*([0-9A-Fa-f]{{4}})(:|$)', '$1')"


_HEAD = _digits(f"substring_index({_GROUPS}, '::', 1)")
_TAIL = _digits(f"split_part({_GROUPS}, '::', 2)")

# Texts that lower case without zeros in front makes canonical, as most are: eight groups without a
# run of zeros, and a `::` for two groups or more where no other group is zero.
_IS_FULL = f"ip RLIKE '^{FIRST}(?::{GROUP}){{7}}{END_IN_JAVA}'"
_IS_SHORT = f"""ip RLIKE '^{FIRST}(?::{GROUP})*::(?:{GROUP}(?::{GROUP})*)?{END_IN_JAVA}'
    AND length(ip) - length(replace(ip, ':', '')) <= 6 AND NOT ip RLIKE ':0+(?:$|:)'"""
_LOWER = "lower(regexp_replace(ip, ':0{1,3}([0-9A-Fa-f])', ':$1'))"

_ID_OF_TEXT = """WHEN ip RLIKE {address} THEN
    CAST(conv(substring(ip, 6, 4), 16, 10) AS BIGINT) * 65536
      + CAST(conv('0' || substring(ip, locate(':', ip, 6) + 1, 4), 16, 10) AS BIGINT)
  WHEN ip RLIKE {zero} THEN 0"""
_KEY_OF_TEXT = f"""unhex(concat(
    rpad({_HEAD}, 32 - length({_TAIL}), '0'),
    {_TAIL}))"""


def _compressed(groups: str) -> str:
    """Return the SQL for groups, with a colon after each, with `::` for their longest zeros."""
    return f"""regexp_replace(
    regexp_replace({groups}, '{LONGEST_RUN}', '$1$2$3$4$5$6::'), '([^:]):$', '$1')"""


_GROUPS_OF_KEY = """regexp_replace(
    regexp_replace(lower(hex(fdaa_key(ip))), '(....)', '$1:'), ':0{1,3}', ':')"""

_IP = "ip STRING"

_FUNCTIONS = (
    Function(
        "fdaa_network_id_int",
        f"""CASE
  WHEN octet_length(ip) > {{longest}} THEN NULL
  WHEN startswith(CAST(ip AS BINARY), X'FDAA') AND octet_length(ip) = 16 THEN
    CAST(conv(hex(substring(CAST(ip AS BINARY), 3, 4)), 16, 10) AS BIGINT)
  {_ID_OF_TEXT}
END""",
        parameters=_IP,
        returns="BIGINT",
        of_text=f"""CASE
  WHEN octet_length(ip) > {{longest}} THEN NULL
  {_ID_OF_TEXT}
END""",
    ),
    Function(
        "fdaa_same_network",
        "fdaa_network_id_int(a) = fdaa_network_id_int(b)",
        parameters="a STRING, b STRING",
        returns="BOOLEAN",
    ),
    Function(
        "fdaa_network_id",
        """lower(concat(
    hex(fdaa_network_id_int(ip) DIV 65536), ':', hex(fdaa_network_id_int(ip) % 65536)))""",
        parameters=_IP,
        returns="STRING",
    ),
    Function(
        "fdaa_prefix",
        "regexp_replace(concat('fdaa:', fdaa_network_id(ip), '::/48'), '(:0)+::', '::')",
        parameters=_IP,
        returns="STRING",
    ),
    Function(
        "fdaa_key",
        f"""CASE
  WHEN fdaa_network_id_int(ip) IS NULL THEN NULL
  WHEN startswith(CAST(ip AS BINARY), X'FDAA') THEN CAST(ip AS BINARY)
  ELSE {_KEY_OF_TEXT}
END""",
        parameters=_IP,
        returns="BINARY",
        of_text=f"""CASE
  WHEN octet_length(ip) <= {{longest}} AND (ip RLIKE {{address}} OR ip RLIKE {{zero}})
  THEN {_KEY_OF_TEXT}
END""",
    ),
    Function(
        "fdaa_address",
        f"""CASE
  WHEN octet_length(ip) > {{longest}} THEN NULL
  WHEN {_IS_FULL} AND NOT ip RLIKE ':0+:0+(?:$|:)' THEN {_LOWER}
  WHEN {_IS_SHORT} THEN {_LOWER}
  WHEN {_IS_FULL} THEN {_compressed(f"concat({_LOWER}, ':')")}
  ELSE {_compressed(_GROUPS_OF_KEY)}
END""",
        parameters=_IP,
        returns="STRING",
    ),
)

SPARK = Engine(
    name="spark",
    title="Spark 3.5",
    use="`fdaa sql spark --inline COLUMN`; from 4.0 `fdaa sql spark`; from 4.1, with Python,"
    " `fdaa.columns.spark.register(session)`",
    extra="arrow",
    types=(
        "`BINARY`",
        "`fdaa_pseudonymize` and `fdaa_reveal`: text only",
    ),
    other_bytes=AS_TEXT,
    network_id_int="`BIGINT`",
    key="`BINARY`",
    refused={
        Use.LAMBDA: "use `explode`",
        Use.GENERATED: "",
        Use.CHECK: "",
        Use.INDEX: "",
    },
    definitions=Definitions(
        functions=_FUNCTIONS,
        statement="{create} {name}({parameters}) RETURNS {returns} RETURN {expression}",
        argument="CAST({} AS STRING)",
        end=END_IN_JAVA,
        temporary="CREATE OR REPLACE TEMPORARY FUNCTION",
        drop_temporary="DROP TEMPORARY FUNCTION",
        is_temporary=True,
    ),
)
