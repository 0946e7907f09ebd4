r"""What a careful user writes for the network ID in each engine, without fdaa.

They are right on every text of the benchmark: upper case, leading zeros, dotted quads and `::`
anywhere are read, and groups are counted. Eight groups, or seven where `::` is a single one, are
counted by the expression: there, the ID is the second and the third part of the text. Else `::` is
in a text with at most seven colons (six with a dotted quad), and the ID is before it, or 0.
"""

_FIRST = "[Ff][Dd][Aa][Aa]"
_GROUP = ":[0-9A-Fa-f]{1,4}"
_OCTET = "(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
_QUAD = f"{_OCTET}([.]{_OCTET}){{3}}"
_WAYS = [
    f"({_GROUP}){{7}}",
    f":({_GROUP}){{6}}",
    f"({_GROUP}){{6}}::",
    f"({_GROUP}){{5}}:{_QUAD}",
    f":({_GROUP}){{4}}:{_QUAD}",
]
_AFTER = "[0-9A-Fa-f]{1,4}"
COUNTED = f"^{_FIRST}({'|'.join(_WAYS)})$"
SHORT = f"^{_FIRST}({_GROUP})*::({_AFTER}({_GROUP})*)?$"
SHORT_QUAD = f"^{_FIRST}({_GROUP})*::({_AFTER}:)*{_QUAD}$"


def _is_short(match: str, colons: str) -> str:
    """Return the SQL for the second kind.

    Args:
        match: the SQL for a match, with `{}` for the expression.
        colons: the SQL for the number of colons.
    """
    short = match.format(SHORT)
    quad = match.format(SHORT_QUAD)
    return f"({short} AND {colons} <= 7 OR {quad} AND {colons} <= 6)"


def _case(match: str, colons: str, network_id: str, head: str) -> str:
    """Return the whole expression.

    Args:
        match, colons: as above.
        network_id: the SQL for the ID in the parts of a text, which is `{}`.
        head: the SQL for what is before `::`.
    """
    return f"""CASE
  WHEN {match.format(COUNTED)} THEN {network_id.format("ip", "ip")}
  WHEN {_is_short(match, colons)} THEN {network_id.format(head, head)} END"""


_COLONS = "length(ip) - length(replace(ip, ':', ''))"

DUCKDB = _case(
    "regexp_matches(ip, '{}')",
    _COLONS,
    "('0x0' || split_part({}, ':', 2))::UINTEGER * 65536"
    " + ('0x0' || split_part({}, ':', 3))::UINTEGER",
    "split_part(ip, '::', 1)",
)
_IN_SPARK = _case(
    "ip RLIKE r'{}'",
    _COLONS,
    "CAST(conv('0' || split_part({}, ':', 2), 16, 10) AS BIGINT) * 65536"
    " + CAST(conv('0' || split_part({}, ':', 3), 16, 10) AS BIGINT)",
    "substring_index(ip, '::', 1)",
)
SPARK = _IN_SPARK.replace("$'", r"\z'")  # in Java, `$` also matches before a last line feed

# These read IPv6 themselves: an expression says what they may read, as they accept more.
_CLICKHOUSE_MATCH = "match(ip, '{}')"
_CLICKHOUSE_COLONS = "countSubstrings(ip, ':')"
CLICKHOUSE = f"""if(
  {_CLICKHOUSE_MATCH.format(COUNTED)} OR {_is_short(_CLICKHOUSE_MATCH, _CLICKHOUSE_COLONS)},
  reinterpretAsUInt32(reverse(substring(IPv6StringToNumOrNull(ip), 3, 4))), NULL)"""
CLICKHOUSE_OWN = """if(startsWith(IPv6StringToNumOrNull(ip), unhex('FDAA')),
  reinterpretAsUInt32(reverse(substring(IPv6StringToNumOrNull(ip), 3, 4))), NULL)"""

POSTGRESQL = f"""CASE
  WHEN ip ~ '^{_FIRST}({_GROUP}){{7}}$' OR ip ~ '{COUNTED}' OR {_is_short("ip ~ '{}'", _COLONS)}
  THEN ('x' || encode(substring(inet_send(ip::inet), 7, 4), 'hex'))::bit(32)::bigint END"""

MARIADB = f"""CASE
  WHEN ip REGEXP '{COUNTED}' OR {_is_short("ip REGEXP '{}'", _COLONS)}
  THEN conv(hex(substring(inet6_aton(ip), 3, 4)), 16, 10) END"""
MARIADB_OWN = """CASE WHEN left(inet6_aton(ip), 2) = X'FDAA'
  THEN conv(hex(substring(inet6_aton(ip), 3, 4)), 16, 10) END"""
