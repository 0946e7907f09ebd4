r"""Columns: a count by network with fdaa's function, beside a careful expression in each engine.

It is what a user writes who knows all forms. Eight groups, or seven where `::` is a single one, are
counted. Else `::` is in a text with at most seven colons (six with a dotted quad). Where an engine
reads IPv6 itself, its own parser is measured too, though what it accepts is more.
"""

from __future__ import annotations

import random
import socket
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.inputs import refused, texts
from benchmarks.measure import Row, compare, require_same
from fdaa.columns import arrow
from fdaa.scan import Pseudonyms, find_addresses

sys.path.append(str(Path(__file__).parent.parent / "tests" / "support"))
import sql_engines

if TYPE_CHECKING:
    from collections.abc import Iterator

_FIRST = "[Ff][Dd][Aa][Aa]"
_GROUP = ":[0-9A-Fa-f]{1,4}"
_OCTET = "(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
_QUAD = f"{_OCTET}([.]{_OCTET}){{3}}"
_EIGHT = f"({_GROUP}){{7}}|:({_GROUP}){{6}}|({_GROUP}){{6}}::"
_COUNTED = f"^{_FIRST}({_EIGHT}|({_GROUP}){{5}}:{_QUAD}|:({_GROUP}){{4}}:{_QUAD})$"
_SHORT = f"^{_FIRST}({_GROUP})*::([0-9A-Fa-f]{{1,4}}({_GROUP})*)?$"
_SHORT_QUAD = f"^{_FIRST}({_GROUP})*::([0-9A-Fa-f]{{1,4}}:)*{_QUAD}$"


def _careful(match: str, whole: str, short: str) -> str:
    """Return a careful expression, from a match of `{}` and the SQL for the ID of each kind."""
    colons = "length(ip) - length(replace(ip, ':', ''))"
    is_short = f"{match.format(_SHORT)} AND {colons} <= 7"
    is_short_quad = f"{match.format(_SHORT_QUAD)} AND {colons} <= 6"
    return f"""CASE WHEN {match.format(_COUNTED)} THEN {whole}
      WHEN {is_short} OR {is_short_quad} THEN {short} END"""


_IN_DUCKDB = """('0x0' || split_part({0}, ':', 2))::UINTEGER * 65536
  + ('0x0' || split_part({0}, ':', 3))::UINTEGER"""
_IN_SPARK = """CAST(conv('0' || split_part({0}, ':', 2), 16, 10) AS BIGINT) * 65536
  + CAST(conv('0' || split_part({0}, ':', 3), 16, 10) AS BIGINT)"""
# These read IPv6 themselves: the expression says what they may read, as they accept more.
_IN_CLICKHOUSE = "reinterpretAsUInt32(reverse(substring(IPv6StringToNumOrNull(ip), 3, 4)))"
_IN_POSTGRESQL = "('x' || encode(substring(inet_send(ip::inet), 7, 4), 'hex'))::bit(32)::bigint"
_HEAD = "split_part(ip, '::', 1)"

CAREFUL = {
    "duckdb": ("regexp_matches(ip, '{}')", _IN_DUCKDB.format("ip"), _IN_DUCKDB.format(_HEAD)),
    "clickhouse": ("match(ip, '{}')", _IN_CLICKHOUSE, _IN_CLICKHOUSE),
    "postgresql": ("ip ~ '{}'", _IN_POSTGRESQL, _IN_POSTGRESQL),
    "spark": ("ip RLIKE r'{}'", _IN_SPARK.format("ip"), _IN_SPARK.format(_HEAD)),
}
TABLES = {
    "duckdb": "CREATE TABLE peers AS SELECT * FROM '{}'",
    "clickhouse": "CREATE TABLE peers ENGINE = Memory AS SELECT * FROM file('{}')",
    "spark": "CREATE TEMPORARY VIEW peers USING parquet OPTIONS (path '{}')",
}
# A function in PL/pgSQL that returns null where `inet` raises an error.
_NATIVE_FUNCTION = f"""CREATE FUNCTION native_id(ip text) RETURNS bigint LANGUAGE plpgsql IMMUTABLE
AS $$BEGIN
  IF ip::inet <<= inet 'fdaa::/16' THEN RETURN {_IN_POSTGRESQL}; END IF;
  RETURN NULL;
EXCEPTION WHEN invalid_text_representation THEN RETURN NULL;
END$$"""
# Engine -> what is called, what it is made by, and its name in the table.
NATIVE = {
    "postgresql": ("native_id(ip)", _NATIVE_FUNCTION, "`inet`, with an exception handler"),
    "clickhouse": (
        f"if(startsWith(IPv6StringToNumOrNull(ip), unhex('FDAA')), {_IN_CLICKHOUSE}, NULL)",
        "",
        "`IPv6StringToNumOrNull`",
    ),
}


def rows(*, small: bool) -> Iterator[Row]:
    """Yield the rows of this area; an engine that is not installed has none."""
    times = 3
    if small:
        times = 1
    column = [*texts(), *refused("a fault inside")] * times
    for engine, parts in CAREFUL.items():
        if all(program.found() for program in sql_engines.DATABASES[engine].programs):
            yield from _in_database(engine, _careful(*parts), column)
    yield from _in_arrow(column, small=small)


def by_inet_pton(text: str) -> int | None:
    """Return the network ID, or None for what is no private address."""
    try:
        packed = socket.inet_pton(socket.AF_INET6, text)
    except (OSError, ValueError):
        return None
    if not packed.startswith(b"\xfd\xaa"):
        return None
    return int.from_bytes(packed[2:6], "big")


def by_dictionary(texts: Any) -> Any:
    """Return the network IDs by a loop over the different texts."""
    encoded = texts.dictionary_encode()
    ids = [by_inet_pton(text) for text in encoded.dictionary.to_pylist()]
    return pa.array(ids, pa.uint32()).take(encoded.indices)


def _in_database(engine: str, careful: str, column: list[str]) -> Iterator[Row]:
    with sql_engines.started(engine) as session, tempfile.TemporaryDirectory() as directory:
        if engine in TABLES:
            file = f"{directory}/peers.parquet"
            pq.write_table(pa.table({"ip": column}), file)
            session.run(TABLES[engine].format(file))
        else:
            session.run("CREATE TABLE peers (ip varchar(100))")
            for start in range(0, len(column), 10_000):
                values = ", ".join(f"('{text}')" for text in column[start : start + 10_000])
                session.run(f"INSERT INTO peers VALUES {values}")
        ways = {"fdaa": "fdaa_network_id_int(ip)", "a careful expression": careful}
        if engine in NATIVE:
            call, statement, name = NATIVE[engine]
            if statement:
                session.run(statement)
            ways[name] = call
        sums = "SELECT concat(count(n), ' ', sum(n)) FROM (SELECT {} AS n FROM peers) AS t"
        require_same({name: session.run(sums.format(way)) for name, way in ways.items()})
        count = "SELECT count(*) FROM (SELECT {} AS n FROM peers GROUP BY n) AS t"
        runs = {name: partial(session.run, count.format(way)) for name, way in ways.items()}
        yield from compare(engine, runs, rounds=5, clock=time.perf_counter)


def _in_arrow(column: list[str], *, small: bool) -> Iterator[Row]:
    ips: Any = pa.array(list(dict.fromkeys(column)))
    ids: dict[str, Any] = {"fdaa": lambda: arrow.network_id_ints(ips)}
    ids["a loop over inet_pton"] = lambda: [by_inet_pton(text) for text in ips.to_pylist()]
    require_same({"fdaa": ids["fdaa"]().to_pylist(), "loop": ids["a loop over inet_pton"]()})
    yield from compare(f"Arrow, `network_id_ints`, {len(ips):,} different rows", ids, rounds=5)
    count = 1_000_000
    if small:
        count = 100_000
    rng = random.Random(4291)
    repeated = pa.array(rng.choices(texts()[: count // 20], k=count))
    name = "`dictionary_encode` and inet_pton"
    encoded: dict[str, Any] = {"fdaa": lambda: arrow.network_id_ints(repeated)}
    encoded[name] = lambda: by_dictionary(repeated)
    require_same({each: call().to_pylist() for each, call in encoded.items()})
    job = f"Arrow, `network_id_ints`, {count:,} rows, {count // 20:,} different"
    yield from compare(job, encoded, rounds=5)
    # Another last digit makes another address, as addresses that were found are remembered.
    lines = [pa.array([f"dial [{text[:-1]}{digit}]:80" for text in texts()]) for digit in range(3)]
    found: dict[str, Any] = {"fdaa": lambda: arrow.find(lines.pop())}
    loop = pa.array([f"dial [{text}]:80" for text in texts()])
    found["a loop over `find_addresses`"] = lambda: [
        list(find_addresses(line)) for line in loop.to_pylist()
    ]
    yield from compare(f"Arrow, `find`, {len(loop):,} lines", found, rounds=3)
    yield from _pseudonyms(repeated, count)


def _pseudonyms(repeated: pa.Array, count: int) -> Iterator[Row]:
    pseudonyms = Pseudonyms(b"a secret")
    loop = "a loop over `pseudonymize_text`"
    calls: dict[str, Any] = {"fdaa": lambda: arrow.pseudonymize(repeated, pseudonyms)}
    calls[loop] = lambda: [pseudonyms.pseudonymize_text(text) for text in repeated.to_pylist()]
    require_same({"fdaa": calls["fdaa"]().to_pylist(), "loop": calls[loop]()})
    yield from compare(f"Arrow, `pseudonymize`, the same {count:,} rows", calls, rounds=1)
