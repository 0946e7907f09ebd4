"""Columns that already are addresses: 16 bytes, `inet`, `IPv6`; the answers of `from_bytes`."""

from __future__ import annotations

import ipaddress
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
import sql_engines
from column_texts import column, in_kind, reason_of, written
from sql_engines import need

import fdaa
from fdaa.columns import drop_sql, sql

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = pytest.mark.engines


def packed() -> list[bytes | None]:
    """Return 16 bytes of private addresses and of others, and bytes that are no address."""
    values: list[bytes | None] = []
    for text in column():
        try:
            values.append(None if text is None else fdaa.Address(text).packed)
        except fdaa.AddressError:
            values.append(b"\xfd\xab" + len(values).to_bytes(14))
    return [
        *values,
        b"",
        b"\xfd\xaa",
        bytes(16),
        b"\xfd\xaa" + bytes(13),
        b"fdaa:0:18::1:234",
        b"\xff" * 16,
    ]


def network_id(value: bytes | None) -> int | None:
    try:
        return None if value is None else int(fdaa.Address.from_bytes(value).network_id)
    except fdaa.AddressError:
        return None


def expected() -> list[int | None]:
    return [network_id(value) for value in packed()]


@pytest.mark.parametrize("kind", ["binary", "large_binary", "binary_view", "dictionary"])
def test_arrow_reads_binary(pa: Any, arrow: Any, kind: str) -> None:
    values = in_kind(pa.array(packed(), pa.binary()), kind)
    assert arrow.network_ids(values).to_pylist() == expected()
    assert arrow.networks(values).to_pylist() == [*map(written, expected())]
    assert arrow.refusals(values).to_pylist() == [*map(reason_of, packed())]
    with pytest.raises(fdaa.AddressError, match="fd aa"):
        arrow.network_ids(values, strict=True)


def test_arrow_reads_binary_of_a_fixed_size(pa: Any, arrow: Any) -> None:
    values = [value for value in packed() if value is None or len(value) == 16]
    fixed = pa.array([bytes(16), *values], pa.binary(16))[1:]
    assert arrow.network_ids(fixed).to_pylist() == [network_id(value) for value in values]
    assert arrow.network_ids(pa.array([b"\xfd\xaa"], pa.binary(2))).to_pylist() == [None]


@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
def test_polars_reads_binary(pl: Any, engine: Any) -> None:
    ip = pl.col("ip").fdaa
    query = pl.LazyFrame({"ip": packed()}).select(
        id=ip.network_id(), network=ip.network(), why=ip.refusals()
    )
    frame = query.collect(engine=engine)
    assert frame["id"].to_list() == expected()
    assert frame["network"].to_list() == [*map(written, expected())]
    assert frame["why"].to_list() == [*map(reason_of, packed())]


@pytest.mark.parametrize("dialect", ["duckdb", "spark"])
def test_a_database_reads_its_type_of_bytes(dialect: str) -> None:
    rows = [(None if value is None else value.hex(), None) for value in packed()]
    with getattr(sql_engines, dialect)() as select:
        # Spark takes BINARY for text as well, where it is UTF-8.
        right = [
            0x18 if dialect == "spark" and value == b"fdaa:0:18::1:234" else each
            for value, each in zip(packed(), expected(), strict=True)
        ]
        assert select("fdaa_network_id(unhex(a))", rows) == right
        some = rows[:50]
        assert select("fdaa_network(unhex(a))", some) == [*map(written, expected()[:50])]
        same = select("fdaa_same_network(unhex(a), unhex(a))", some)
        assert same == [None if each is None else True for each in expected()[:50]]


def test_clickhouse_reads_ipv6_and_fixed_strings() -> None:
    values = [value for value in packed() if value is None or len(value) == 16]
    rows = [(None if value is None else value.hex(), None) for value in values]
    right = [network_id(value) for value in values]
    fixed = "CAST(unhex(a) AS Nullable(FixedString(16)))"
    keys = [
        None if each is None else value.hex().upper()
        for each, value in zip(right, values, strict=True)
    ]
    with sql_engines.clickhouse() as select:
        for address in (fixed, f"CAST({fixed} AS Nullable(IPv6))"):
            assert select(f"fdaa_network_id({address})", rows) == right
            assert select(f"hex(fdaa_key({address}))", rows) == keys
            some = select(f"fdaa_network({address})", rows[:50])
            assert some == [*map(written, right[:50])]
        # A String of 16 bytes that begins with FD AA, too; other bytes are read as text.
        string = "unhex(a)"
        texts = {b"fdaa:0:18::1:234": 0x18}
        assert select(f"fdaa_network_id({string})", rows) == [
            texts.get(value, each) for value, each in zip(values, right, strict=True)
        ]
        assert select(f"hex(fdaa_key({string}))", rows[:50]) == keys[:50]
        assert select("hex(fdaa_key(a))", [("FDAA::3", None), ("x", None)]) == [
            "FDAA" + 27 * "0" + "3",
            None,
        ]


INET = {
    "fdaa:2:45b::3": "132187|2:45b|fdaa0002045b00000000000000000003",
    "fdaa:2:45b::3/128": "132187|2:45b|fdaa0002045b00000000000000000003",
    "fdaa:2:45b::/48": "132187|2:45b|fdaa0002045b00000000000000000000",
    "fdaa:2:45b:a7b::2/112": "132187|2:45b|fdaa0002045b0a7b0000000000000002",
    "fdaa::3": "0|0:0|fdaa0000000000000000000000000003",
    "fdaa:ffff:ffff::": "4294967295|ffff:ffff|fdaaffffffff00000000000000000000",
    "fdaa:2:45b::/47": "||",
    "fdaa::/16": "||",
    "fd00::/8": "||",
    "2001:db8::1": "||",
    "10.0.0.1": "||",
}


@pytest.fixture(scope="module")
def run() -> Iterator[Callable[[str], str]]:
    """Return a function that runs a script with the functions defined."""
    with sql_engines.cluster() as variables:
        sql_engines.psql(sql("postgresql"), variables)
        yield partial(sql_engines.psql, variables=variables)


def test_postgresql_reads_inet_and_cidr(run: Callable[[str], str]) -> None:
    values = ", ".join(f"({i}, '{text}')" for i, text in enumerate(INET))
    run(f"CREATE TABLE peers (i int, ip inet); INSERT INTO peers VALUES {values}")
    select = "SELECT fdaa_network_id(ip), fdaa_network(ip), encode(fdaa_key(ip), 'hex') FROM peers"
    assert run(f"{select} ORDER BY i").splitlines() == [*INET.values()]
    assert run("SELECT fdaa_network(cidr 'fdaa:2:45b::/48'), fdaa_network(NULL)") == "2:45b|\n"
    run("CREATE INDEX ON peers (fdaa_network_id(ip)); CREATE INDEX ON peers (fdaa_key(ip));")
    same = "SELECT fdaa_same_network(inet 'fdaa:0:1::1', 'fdaa:0:1::2'),"
    same += " fdaa_same_network(inet '10.0.0.1', 'fdaa:0:1::2') IS NULL"
    assert run(same) == "t|t\n"


def test_postgresql_reads_bytea(run: Callable[[str], str]) -> None:
    values = [*packed()[:500], *packed()[-6:]]
    literals = ["NULL" if value is None else f"'\\x{value.hex()}'" for value in values]
    rows = ", ".join(f"({i}, {literal}::bytea)" for i, literal in enumerate(literals))
    run(f"CREATE TABLE keys (i int, ip bytea); INSERT INTO keys VALUES {rows}")
    select = "SELECT fdaa_network_id(ip), fdaa_network(ip), fdaa_key(ip) = ip FROM keys ORDER BY i"
    expected = []
    for value in values:
        each = network_id(value)
        expected.append("||" if each is None else f"{each}|{written(each)}|t")
    assert run(select).splitlines() == expected


def test_postgresql_drops_what_was_defined(run: Callable[[str], str]) -> None:
    functions = "SELECT count(*) FROM pg_proc WHERE proname LIKE 'net\\_%'"
    run(sql("postgresql", prefix="net"))
    assert run(functions) == "12\n"
    run(drop_sql("postgresql", prefix="net"))
    assert run(functions) == "0\n"


def test_postgresql_orders_texts_by_their_key(run: Callable[[str], str]) -> None:
    texts = ["fdaa:10::1", "x", "FDAA::3", "fdaa:2:45b::", "fdaa::0.0.0.2"]
    values = ", ".join(f"('{text}')" for text in texts)
    ordered = run(f"SELECT ip FROM (VALUES {values}) AS t(ip) ORDER BY fdaa_key(ip)").split()
    assert ordered == ["fdaa::0.0.0.2", "FDAA::3", "fdaa:2:45b::", "fdaa:10::1", "x"]


def test_the_definitions_of_postgresql_do_not_depend_on_how_it_reads_backslashes(
    run: Callable[[str], str],
) -> None:
    run("SET standard_conforming_strings = off;" + sql("postgresql", prefix="other"))
    texts = "'FDAA:2:45b::3'", "E'fdaa::1\\n'", "'x'"
    assert run(f"SELECT {', '.join(f'other_network({t})' for t in texts)}") == "2:45b||\n"


def test_duckdb_reads_inet() -> None:
    """The extension is not everywhere; its structure, by its name or its fields, is read alike."""
    need("duckdb")
    import duckdb

    fields = "STRUCT(ip_type UTINYINT, address HUGEINT, mask USMALLINT)"
    with duckdb.connect() as connection:
        connection.execute(sql("duckdb"))
        connection.execute(f"CREATE TYPE inet AS {fields}")
        for text, expected in INET.items():
            interface = ipaddress.ip_interface(text)
            number = int(interface.ip) ^ (1 << 127 if interface.version == 6 else 0)
            number -= (number >> 127) << 128  # as a signed number
            kind, length = {6: 2, 4: 1}[interface.version], interface.network.prefixlen
            value = f"{{'ip_type': {kind}, 'address': {number}::HUGEINT, 'mask': {length}}}"
            for type_ in (fields, "inet"):
                assert read_inet(connection, f"({value}::{type_})") == expected.rsplit("|", 1)[0]
    with duckdb.connect() as connection:
        connection.execute(sql("duckdb"))
        try:
            connection.execute("LOAD inet")
        except duckdb.Error as error:
            pytest.skip(f"DuckDB has no extension inet here: {str(error).splitlines()[0]}")
        for text, expected in INET.items():
            assert read_inet(connection, f"'{text}'::INET") == expected.rsplit("|", 1)[0]


def read_inet(connection: Any, ip: str) -> str:
    """Return the network ID and its text, as the table has them."""
    query = f"SELECT fdaa_network_id({ip}), fdaa_network({ip}), fdaa_same_network({ip}, {ip})"
    network_id, network, is_same = connection.execute(query).fetchone()
    assert is_same == (None if network_id is None else True)
    return "|" if network_id is None else f"{network_id}|{network}"
