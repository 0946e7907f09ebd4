"""SQLite, for programs without Python: it has no regular expressions, and no functions in SQL.

A text is an address if its shape is one of 29: each digit becomes a zero, and each group a single
one. Groups are split as the elements of a JSON array. All operations are made of the 32 digits of
an address. With Python, `fdaa.columns.sqlite.register` is twenty times as fast.
"""

from fdaa._values.text import MAX_LENGTH
from fdaa.columns._engines._engine import Engine

# A dotted quad: the text has only digits and dots after its last other character.
_QUAD = "substr(ip, length(rtrim(ip, '0123456789.')) + 1)"
_REST = "substr({0}, instr({0}, '.') + 1)"
_QUAD_GROUPS = """rtrim(ip, '0123456789.') || printf('%02x%02x:%02x%02x', p, q, r, s)"""


def _shapes() -> str:
    """Return the shapes of addresses as a list in SQL: eight groups, or `::` among fewer."""
    shapes = "'0:0:0:0:0:0:0:0'"
    for before in range(1, 8):
        head = ":".join("0" * before)
        for after in range(8 - before):
            tail = ":".join("0" * after)
            shapes += f", '{head}::{tail}'"
    return shapes


def _shape(groups: str) -> str:
    """Return the SQL for a text with a zero in the place of one to four digits."""
    for digit in "123456789abcdef":
        groups = f"replace({groups}, '{digit}', '0')"
    return f"replace(replace({groups}, '00', '0'), '00', '0')"


def _steps(ip: str) -> str:
    """Return common table expressions; the last one, `read`, has a row with the `digits`, or null.

    Each is materialized, or SQLite would compute a step again wherever the next one uses it. The
    column stands in the first one, which has no other columns that could hide it.
    """
    is_text = f"""typeof({ip}) = 'text' AND length(CAST({ip} AS BLOB)) <= {MAX_LENGTH}
    AND instr({ip}, char(0)) = 0 AND lower(substr({ip}, 1, 5)) = 'fdaa:'"""
    is_packed = f"typeof({ip}) = 'blob' AND length({ip}) = 16 AND hex(substr({ip}, 1, 2)) = 'FDAA'"
    second = _REST.format("quad")
    third = _REST.format("c")
    steps = {
        "given": f"""SELECT CASE WHEN {is_text} THEN lower({ip}) END AS ip,
    CASE WHEN {is_packed} THEN lower(hex({ip})) END AS packed""",
        "quads": f"SELECT *, CASE WHEN instr(ip, '.') THEN {_QUAD} END AS quad FROM given",
        "rests": f"SELECT *, {second} AS b, {_REST.format(second)} AS c FROM quads",
        "octets": f"""SELECT *, CAST(quad AS INTEGER) AS p, CAST(b AS INTEGER) AS q,
    CAST(c AS INTEGER) AS r, CAST({third} AS INTEGER) AS s FROM rests""",
        "written": f"""SELECT packed, CASE WHEN quad IS NULL THEN ip
    WHEN printf('%d.%d.%d.%d', p, q, r, s) = quad AND max(p, q, r, s) <= 255
    THEN {_QUAD_GROUPS} END AS groups FROM octets""",
        "checked": f"""SELECT packed, CASE WHEN {_shape("groups")}
    IN ({_shapes()}) THEN groups END AS groups FROM written""",
        "counted": """SELECT *, length(groups) - length(replace(groups, ':', '')) AS colons,
    substr(groups, -2) = '::' AS at_end FROM checked""",
        "whole": """SELECT packed, replace(groups, '::', substr(':0:0:0:0:0:0:0', 1,
    2 * (8 - colons + at_end)) || substr(':', 1, 1 - at_end)) AS groups FROM counted""",
        "read": """SELECT coalesce(packed,
    (SELECT group_concat(substr('000' || value, -4), '')
    FROM json_each('["' || replace(groups, ':', '","') || '"]'))) AS digits FROM whole""",
    }
    expressions = []
    for name, step in steps.items():
        expressions.append(f"{name} AS MATERIALIZED ({step})")
    return "WITH " + ",\n  ".join(expressions)


def _group(number: int) -> str:
    """Return the SQL for a group, counted from 0, without the zeros in front."""
    start = 4 * number + 1
    return f"ltrim(substr(digits, {start}, 3), '0') || substr(digits, {start + 3}, 1)"


def network_id_int(ip: str) -> str:
    """Return the SQL for the number: the sum of eight digits."""
    numbers = []
    for place in range(8):
        digit = f"instr('123456789abcdef', substr(digits, {5 + place}, 1))"
        numbers.append(f"{digit} * {16 ** (7 - place)}")
    return f"({_steps(ip)} SELECT {' + '.join(numbers)} FROM read)"


def network_id(ip: str) -> str:
    """Return the SQL for the text of the number."""
    return f"({_steps(ip)} SELECT {_group(1)} || ':' || {_group(2)} FROM read)"


def key(ip: str) -> str:
    """Return the SQL for the 16 bytes."""
    return f"({_steps(ip)} SELECT unhex(digits) FROM read)"


def address(ip: str) -> str:
    """Return the SQL for the text of an address: `::` for the first of its longest zeros."""
    groups = " || ':' || ".join(map(_group, range(8)))
    cases = []
    for count in range(7, 1, -1):
        run = ":0" * count + ":"
        at = f"instr(whole, '{run}')"
        after = f"substr(whole, {at} + {len(run)})"
        cases.append(f"WHEN {at} THEN substr(whole, 1, {at} - 1) || '::' || {after}")
    shortest = f"CASE {' '.join(cases)} ELSE whole END"
    return f"""({_steps(ip)},
  joined AS MATERIALIZED (SELECT {groups} || ':' AS whole FROM read),
  compressed AS MATERIALIZED (SELECT {shortest} AS whole FROM joined)
  SELECT CASE WHEN whole LIKE '%::' THEN whole ELSE rtrim(whole, ':') END FROM compressed)"""


SQLITE = Engine(
    title="SQLite 3.41",
    reads="text, and BLOB of 16 bytes",
    expressions={
        "network_id_int": network_id_int,
        "network_id": network_id,
        "address": address,
        "key": key,
    },
)
