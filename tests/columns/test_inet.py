"""`inet` of PostgreSQL and of DuckDB: addresses with a prefix length."""

from __future__ import annotations

import ipaddress
import re
from typing import Any

import pytest
from sql_servers import cluster, need, psql

from fdaa.columns import sql
from tests.columns.column_texts import ANSWERS, answers

pytestmark = pytest.mark.engines

# A value -> the address that is read from it. Below /48, it could be on many networks.
INET = {
    "fdaa:2:45b::3": "fdaa:2:45b::3",
    "fdaa:2:45b::3/128": "fdaa:2:45b::3",
    "fdaa:2:45b::/48": "fdaa:2:45b::",
    "fdaa:2:45b:a7b::2/112": "fdaa:2:45b:a7b::2",
    "fdaa::3": "fdaa::3",
    "fdaa:0:1:1:1:1:1:1": "fdaa:0:1:1:1:1:1:1",
    "fdaa:ffff:ffff::": "fdaa:ffff:ffff::",
    "fdaa:2:45b::/47": None,
    "fdaa::/16": None,
    "fd00::/8": None,
    "2001:db8::1": None,
    "10.0.0.1": None,
}


def rows() -> list[tuple[Any, ...]]:
    """Return the answers of all operations for each value; a key as digits."""
    columns = [answers(operation, INET.values()) for operation in ANSWERS]
    return [tuple(map(_readable, row)) for row in zip(*columns, strict=True)]


def _readable(cell: Any) -> Any:
    if isinstance(cell, bytes):
        return cell.hex()
    return cell


def called(ip: str, hex_: str) -> str:
    """Return the operations over a value, in SQL."""
    calls = [f"fdaa_{operation}({ip})" for operation in ANSWERS]
    key = list(ANSWERS).index("key")
    calls[key] = hex_.format(calls[key])
    return ", ".join(calls)


def test_postgresql_reads_inet_and_cidr() -> None:
    values = ", ".join(f"({i}, '{text}')" for i, text in enumerate(INET))
    with cluster() as variables:
        script = sql("postgresql") + "CREATE TABLE peers (i int, ip inet);"
        psql(script + f"INSERT INTO peers VALUES {values}", variables)
        calls = called("ip", "encode({}, 'hex')")
        lines = psql(f"SELECT {calls} FROM peers ORDER BY i", variables).splitlines()
        for line, row in zip(lines, rows(), strict=True):
            assert line.split("|") == ["" if cell is None else str(cell) for cell in row]
        assert psql("SELECT fdaa_network_id(cidr 'fdaa:2:45b::/48')", variables) == "2:45b\n"
        same = "SELECT fdaa_same_network(inet 'fdaa:0:1::1', 'fdaa:0:1::2'),"
        same += " fdaa_same_network(inet '10.0.0.1', 'fdaa:0:1::2') IS NULL"
        assert psql(same, variables) == "t|t\n"
        mixed = "SELECT fdaa_same_network(ip, 'FDAA:2:45b::4'), fdaa_same_network('x'::text, ip)"
        mixed += " FROM peers WHERE i = 0"
        assert psql(mixed, variables) == "t|\n"


def test_postgresql_starts_no_query_for_each_row() -> None:
    """A function in SQL that is not put into the query does, and JIT may compile each one."""
    calls = called("ip", "encode({}, 'hex')") + ", fdaa_same_network(ip, ip)"
    in_sql = "SELECT proname FROM pg_proc JOIN pg_language AS l ON l.oid = prolang"
    in_sql += " WHERE proname LIKE 'fdaa%' AND lanname <> 'sql' ORDER BY 1"
    with cluster() as variables:
        psql(sql("postgresql"), variables)
        assert psql(in_sql, variables) == "fdaa_id_text\n"
        for type_ in ("text", "inet", "bytea"):
            psql(f"CREATE TABLE of_{type_} (ip {type_})", variables)
            plan = psql(f"EXPLAIN (VERBOSE) SELECT {calls} FROM of_{type_}", variables)
            assert set(re.findall(r"fdaa_\w+", plan)) == {"fdaa_id_text"}


FIELDS = "STRUCT(ip_type UTINYINT, address HUGEINT, mask USMALLINT)"


def structure(text: str) -> str:
    """Return what the extension `inet` keeps of a value."""
    interface = ipaddress.ip_interface(text)
    number = int(interface.ip)
    if interface.version == 6:
        number ^= 1 << 127
    number -= (number >> 127) << 128  # as a signed number
    kind = {6: 2, 4: 1}[interface.version]
    length = interface.network.prefixlen
    return f"{{'ip_type': {kind}, 'address': {number}::HUGEINT, 'mask': {length}}}"


@pytest.mark.parametrize("type_", ["inet", FIELDS])
def test_duckdb_reads_what_the_extension_inet_keeps(type_: str) -> None:
    """The extension is not everywhere."""
    need("duckdb")
    import duckdb

    with duckdb.connect() as connection:
        connection.execute(sql("duckdb"))
        connection.execute(f"CREATE TYPE inet AS {FIELDS}")
        for text, row in zip(INET, rows(), strict=True):
            ip = f"({structure(text)}::{type_})"
            assert connection.execute(f"SELECT {called(ip, 'lower(hex({}))')}").fetchone() == row
            same = connection.execute(f"SELECT fdaa_same_network({ip}, {ip})").fetchone()
            assert same == (None if row[0] is None else True,)


def test_duckdb_reads_inet_of_the_extension() -> None:
    need("duckdb")
    import duckdb

    with duckdb.connect() as connection:
        connection.execute(sql("duckdb"))
        try:
            connection.execute("LOAD inet")
        except duckdb.Error as error:
            pytest.skip(f"DuckDB has no extension inet here: {str(error).splitlines()[0]}")
        for text, row in zip(INET, rows(), strict=True):
            ip = f"('{text}'::INET)"
            assert connection.execute(f"SELECT {called(ip, 'lower(hex({}))')}").fetchone() == row
