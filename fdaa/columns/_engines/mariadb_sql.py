r"""MariaDB, as expressions: it compiles a regular expression in a stored function for each row.

An argument is taken as bytes. `INET6_ATON` reads what it reads as RFC 4291 does: texts without a
dot or NUL. It stops at NUL, and accepts dotted quads with leading zeros, but not the longest ones:
a quad that the grammar accepts becomes two groups. `INET6_NTOA` prints `::` for a single group of
zeros, where RFC 5952, section 4.2.2, wants a `0`: so the text is made of the key, as in DuckDB.

There is no backslash, as what it means depends on `sql_mode`: what replaces a match is written in
hex digits. In the mode of Oracle, `concat` skips nulls. No part is a subquery, as a generated
column takes none.
"""

from fdaa.columns._engines._canonical import LONGEST_RUN
from fdaa.columns._engines._engine import END_IN_PCRE, IN_PYTHON, Definitions, Engine, Function, Use

_QUAD = "substring_index(ip, ':', -1)"
_AS_GROUPS = f"""concat(
    left(ip, length(ip) - length({_QUAD})),
    insert(lpad(hex(inet_aton(CONVERT({_QUAD} USING ascii))), 8, '0'), 5, 0, ':'))"""


def _replacement(text: str) -> str:
    """Return the SQL for what replaces a match."""
    return f"_ascii X'{text.encode().hex()}'"


_WITH_COLON = _replacement(r"\1:")
_WITHOUT_RUN = _replacement(r"\1\2\3\4\5\6::")
_AS_PREFIX = _replacement(r"fdaa:\1::/48")
_WITHOUT_COLON = _replacement(r"\1")

_FUNCTIONS = (
    Function(
        "fdaa_key",
        f"""CASE
  WHEN octet_length(ip) > {{longest}} OR locate(X'00', ip) > 0 THEN NULL
  WHEN lower(CONVERT(left(ip, 5) USING ascii)) <> 'fdaa:' THEN NULL
  WHEN locate('.', ip) = 0 THEN inet6_aton(CONVERT(ip USING ascii))
  WHEN {_QUAD} REGEXP {{quad}} THEN inet6_aton(CONVERT({_AS_GROUPS} USING ascii))
END""",
    ),
    Function(
        "fdaa_network_id_int",
        "CAST(conv(hex(substring(fdaa_key(ip), 3, 4)), 16, 10) AS UNSIGNED)",
    ),
    Function(
        "fdaa_network_id",
        """regexp_replace(
    insert(lower(hex(substring(fdaa_key(ip), 3, 4))), 5, 0, ':'), '(?<![^:])0{1,3}', '')""",
    ),
    Function(
        "fdaa_prefix",
        f"""replace(replace(
    regexp_replace(fdaa_network_id(ip), '^(.*)$', {_AS_PREFIX}), ':0::', '::'), ':0::', '::')""",
    ),
    Function(
        "fdaa_address",
        f"""regexp_replace(regexp_replace(regexp_replace(regexp_replace(
    lower(hex(fdaa_key(ip))), '(....)', {_WITH_COLON}), ':0{{1,3}}', ':'),
    '{LONGEST_RUN}', {_WITHOUT_RUN}),
    '([^:]):$', {_WITHOUT_COLON})""",
    ),
)

MARIADB = Engine(
    name="mariadb",
    title="MariaDB 10.11",
    use="`fdaa sql mariadb --inline COLUMN`",
    types=("`INET6`: `--inline 'CAST(ip AS CHAR)'`", "`BINARY(16)`: `--inline 'INET6_NTOA(ip)'`"),
    network_id_int="`BIGINT UNSIGNED`",
    key="`VARBINARY(16)`",
    missing=dict.fromkeys(IN_PYTHON, "needs Python: take the column to Arrow"),
    refused={
        Use.LAMBDA: "",
        Use.INDEX: "index a generated column",
        Use.PERMANENT: "use `--inline`",
    },
    definitions=Definitions(
        functions=_FUNCTIONS,
        has_functions=False,
        argument="CAST({} AS BINARY)",
        end=END_IN_PCRE,
    ),
)
