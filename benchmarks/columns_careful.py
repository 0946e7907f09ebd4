r"""What a careful user writes for the network ID in each engine, without fdaa.

Upper case, leading zeros and `fdaa::…` are seen to, and texts with anything but hex digits and
colons are null. The number of groups is not counted, and `::` inside the ID is taken for an ID of
0.
"""

_FULL = "[Ff][Dd][Aa][Aa](:[0-9A-Fa-f]{1,4}){7}"
_WITH_ID = "[Ff][Dd][Aa][Aa]:[0-9A-Fa-f]{1,4}:[0-9A-Fa-f]{1,4}:[0-9A-Fa-f:]*"
_WITHOUT_ID = "[Ff][Dd][Aa][Aa]::[0-9A-Fa-f:]*"

DUCKDB = f"""CASE
  WHEN regexp_full_match(ip, '{_WITH_ID}') THEN
    ('0x' || split_part(ip, ':', 2))::UINTEGER * 65536 + ('0x' || split_part(ip, ':', 3))::UINTEGER
  WHEN regexp_full_match(ip, '{_WITHOUT_ID}') THEN 0 END"""

SPARK = f"""CASE
  WHEN ip RLIKE '^{_WITH_ID}$' THEN
    CAST(conv(split_part(ip, ':', 2), 16, 10) AS BIGINT) * 65536
      + CAST(conv(split_part(ip, ':', 3), 16, 10) AS BIGINT)
  WHEN ip RLIKE '^{_WITHOUT_ID}$' THEN 0 END"""

CLICKHOUSE = f"""multiIf(
  match(ip, '^{_WITH_ID}$'), reinterpretAsUInt32(reverse(unhex(concat(
    leftPad(splitByChar(':', ip)[2], 4, '0'), leftPad(splitByChar(':', ip)[3], 4, '0'))))),
  match(ip, '^{_WITHOUT_ID}$'), toUInt32(0), NULL)"""

# The engine's own type for IPv6, which accepts more than RFC 4291.
CLICKHOUSE_OWN = """if(startsWith(IPv6StringToNumOrNull(ip), unhex('FDAA')),
  reinterpretAsUInt32(reverse(substring(IPv6StringToNumOrNull(ip), 3, 4))), NULL)"""

_PARTS = "lpad(split_part(ip, ':', 2), 4, '0') || lpad(split_part(ip, ':', 3), 4, '0')"
POSTGRESQL = f"""CASE
  WHEN ip ~ '^{_FULL}$' OR ip ~ '^{_WITH_ID}$' THEN ('x' || {_PARTS})::bit(32)::bigint
  WHEN ip ~ '^{_WITHOUT_ID}$' THEN 0 END"""

MARIADB = f"""CASE
  WHEN ip REGEXP '^{_WITH_ID}$' THEN
    conv(substring_index(substring_index(ip, ':', 2), ':', -1), 16, 10) * 65536
      + conv(substring_index(substring_index(ip, ':', 3), ':', -1), 16, 10)
  WHEN ip REGEXP '^{_WITHOUT_ID}$' THEN 0 END"""
MARIADB_OWN = """CASE WHEN left(inet6_aton(ip), 2) = X'FDAA'
  THEN conv(hex(substring(inet6_aton(ip), 3, 4)), 16, 10) END"""

POLARS_WITH_ID = f"^{_WITH_ID}$"
POLARS_WITHOUT_ID = f"^{_WITHOUT_ID}$"
