"""ClickHouse.

A function has no types: one definition asks for the type, and only the branch of the type is
computed. A String of 16 bytes that begins with FD AA is a packed address, as no text begins so.
Most columns are text, so that branch is the first one of a String; and each branch costs a tenth of
the whole, so there is none for long texts: an expression ends at the first wrong character.

ClickHouse's own function reads only what the grammar matches, as it accepts more: `:::`, a `::` for
no group, and dotted quads with leading zeros.
"""

from fdaa.columns._engines._engine import AS_TEXT, IN_PYTHON, Definitions, Engine, Function

_IS_IPV6 = "toTypeName(ip) LIKE '%IPv6%'"
_IS_FIXED = "toTypeName(ip) LIKE '%FixedString(16)%'"
_AS_NUMBER = "accurateCastOrNull(ip, 'UInt128')"
_AS_FIXED = "accurateCastOrNull(ip, 'FixedString(16)')"
_AS_TEXT = "ifNull(toString(ip), '')"
_READ = f"IPv6StringToNumOrNull({_AS_TEXT})"
_IS_ADDRESS = f"match({_AS_TEXT}, {{address}}) OR match({_AS_TEXT}, {{zero}})"
_IS_PACKED = f"length({_AS_TEXT}) = 16 AND startsWith({_AS_TEXT}, unhex('FDAA'))"

_ID_OF_TEXT = f"reinterpretAsUInt32(reverse(substring(assumeNotNull({_READ}), 3, 4)))"

_FUNCTIONS = (
    Function(
        "fdaa_network_id_int",
        f"""multiIf(
  {_IS_IPV6}, if(
    bitShiftRight({_AS_NUMBER}, 112) = 0xFDAA,
    toUInt32(bitAnd(bitShiftRight({_AS_NUMBER}, 80), 0xFFFFFFFF)), NULL),
  {_IS_FIXED}, if(
    startsWith({_AS_FIXED}, unhex('FDAA')),
    toUInt32(bitAnd(bitShiftRight(byteSwap(reinterpretAsUInt64({_AS_FIXED})), 16), 0xFFFFFFFF)),
    NULL),
  {_IS_ADDRESS}, {_ID_OF_TEXT},
  {_IS_PACKED}, reinterpretAsUInt32(reverse(substring({_AS_TEXT}, 3, 4))),
  NULL)""",
        of_text=f"if({_IS_ADDRESS}, {_ID_OF_TEXT}, NULL)",
    ),
    Function(
        "fdaa_same_network",
        "fdaa_network_id_int(a) = fdaa_network_id_int(b)",
        parameters="a, b",
    ),
    Function(
        "fdaa_network_id",
        "printf('%x:%x', intDiv(fdaa_network_id_int(ip), 65536), fdaa_network_id_int(ip) % 65536)",
    ),
    Function(
        "fdaa_prefix",
        "replaceRegexpOne(concat('fdaa:', fdaa_network_id(ip), '::/48'), '(:0)+::', '::')",
    ),
    Function(
        "fdaa_key",
        f"""multiIf(
  {_IS_IPV6}, if(
    bitShiftRight({_AS_NUMBER}, 112) = 0xFDAA,
    reinterpretAsFixedString(accurateCastOrNull(ip, 'IPv6')), NULL),
  {_IS_FIXED}, if(startsWith({_AS_FIXED}, unhex('FDAA')), {_AS_FIXED}, NULL),
  {_IS_ADDRESS}, {_READ},
  {_IS_PACKED}, toFixedString(substring({_AS_TEXT}, 1, 16), 16),
  NULL)""",
        of_text=f"if({_IS_ADDRESS}, {_READ}, NULL)",
    ),
    Function(
        "fdaa_address",
        "IPv6NumToString(fdaa_key(ip))",
    ),
)

CLICKHOUSE = Engine(
    name="clickhouse",
    title="ClickHouse",
    use="`fdaa sql clickhouse`",
    types=("`IPv6`", "`FixedString(16)`", "`String`"),
    other_bytes=AS_TEXT,
    network_id_int="`UInt32`",
    key="`FixedString(16)`",
    missing=dict.fromkeys(IN_PYTHON, "needs Python: take the column to Arrow"),
    definitions=Definitions(
        functions=_FUNCTIONS,
        statement="{create} {name}{on_cluster} AS ({parameters}) -> {expression}",
        has_schemas=False,
        has_clusters=True,
    ),
)
