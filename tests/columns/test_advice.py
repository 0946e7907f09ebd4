"""What the guide recommends has its effect: a plan has the index, and a value is stored."""

from __future__ import annotations

from typing import Any

import pytest
from sql_engines import started
from sql_servers import cluster, psql

import fdaa
from fdaa.columns import DIALECTS, sql

pytestmark = pytest.mark.engines

# --- definitions ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in DIALECTS if name != "sqlite"])
def test_functions_are_defined_twice_and_dropped(name: Any) -> None:
    with started(name) as session:
        for script in (sql(name), sql(name, drop=True)):
            for statement in script.split("\n\n"):
                session.run(statement.rstrip(";\n"))
        with pytest.raises(Exception, match=r"."):
            session.run("SELECT fdaa_network_id('fdaa::1')")


def test_postgresql_stores_generated_columns_and_uses_their_indexes() -> None:
    texts = [f"FDAA:{number:x}:45b::{number:x}" for number in range(5000)]
    values = ", ".join(f"('{text}')" for text in texts)
    script = f"""{sql("postgresql")}
CREATE TABLE requests (ip text,
  key bytea GENERATED ALWAYS AS (fdaa_key(ip)) STORED,
  network_id_int bigint GENERATED ALWAYS AS (fdaa_network_id_int(ip)) STORED);
CREATE INDEX by_key ON requests (key);
CREATE INDEX by_network ON requests (network_id_int);
CREATE INDEX by_function ON requests (fdaa_network_id_int(ip));
INSERT INTO requests (ip) VALUES {values};
ANALYZE requests;"""
    number = int(fdaa.NetworkID("7:45b"))
    conditions = {
        f"network_id_int = {number}": "by_network",
        "key = fdaa_key('fdaa:7:45b::7')": "by_key",
        f"fdaa_network_id_int(ip) = {number}": "by_function",
    }
    with cluster() as variables:
        psql(script, variables)
        for condition, index in conditions.items():
            query = f"SELECT ip FROM requests WHERE {condition}"
            assert f"Scan using {index}" in psql(f"EXPLAIN {query}", variables)
            assert psql(query, variables) == "FDAA:7:45b::7\n"
        # A function that is not put into the query starts one for each row, which JIT may compile.
        query = "SELECT fdaa_network_id(ip), fdaa_address(ip), fdaa_key(ip) FROM requests"
        assert "fdaa_" not in psql(f"EXPLAIN (VERBOSE) {query}", variables)


# --- the type inet --------------------------------------------------------------------------------

# A value of `inet` -> the address that is read from it. Below /48, it could be on many networks.
INET = {
    "fdaa:2:45b::3": "fdaa:2:45b::3",
    "fdaa:2:45b::/48": "fdaa:2:45b::",
    "fdaa:2:45b:a7b::2/112": "fdaa:2:45b:a7b::2",
    "fdaa:ffff:ffff::": "fdaa:ffff:ffff::",
    "fdaa:2:45b::/47": None,
    "2001:db8::1": None,
    "10.0.0.1": None,
}


def in_duckdb(text: str) -> str:
    """Return a value of the extension `inet`, which is not everywhere: it is a structure."""
    address, _, length = text.partition("/")
    kind = 2
    number = 1 << 125
    if address.startswith("fdaa"):
        number = int(fdaa.Address(address))
    elif ":" not in address:
        kind = 1
    number -= 1 << 127  # the first bit is inverted, as the number is signed
    return f"{{'ip_type': {kind}, 'address': {number}::HUGEINT, 'mask': {length or 128}}}::inet"


@pytest.mark.parametrize("name", ["postgresql", "duckdb"])
def test_inet_and_cidr_are_read_where_the_network_is_known(name: str) -> None:
    with started(name) as session:
        if name == "duckdb":
            fields = "ip_type UTINYINT, address HUGEINT, mask USMALLINT"
            session.run(f"CREATE TYPE inet AS STRUCT({fields})")
        for text, read in INET.items():
            value = f"inet '{text}'"
            if name == "duckdb":
                value = f"({in_duckdb(text)})"
            found = []
            for operation in ("network_id_int", "network_id", "address"):
                call = f"SELECT coalesce(fdaa_{operation}({value})::varchar, 'null')"
                found.append(session.run(call))
            if read is None:
                assert found == ["null"] * 3, text
                continue
            network_id = fdaa.Address(read).network_id
            assert found == [str(int(network_id)), str(network_id), read], text
            same_key = session.run(f"SELECT fdaa_key({value}) = fdaa_key('{read}')")
            assert same_key.lower()[0] == "t", text
        if name == "postgresql":
            assert session.run("SELECT fdaa_network_id(cidr 'fdaa:2:45b::/48')") == "2:45b"


# --- ClickHouse -----------------------------------------------------------------------------------


@pytest.mark.parametrize("type_", ["String", "IPv6", "Nullable(IPv6)", "FixedString(16)"])
def test_clickhouse_stores_every_operation_of_every_type(type_: str) -> None:
    """A definition of a table computes all branches of an expression."""
    text = "fdaa:2:45b:a7b:174:db43:d3c6:0"
    value = f"toIPv6('{text}')"
    if type_ == "String":
        value = f"'{text}'"
    elif type_ == "FixedString(16)":
        value = f"unhex('{fdaa.Address(text).packed.hex()}')"
    with started("clickhouse") as session:
        session.run(
            f"""CREATE TABLE stored (ip {type_},
              n UInt32 MATERIALIZED assumeNotNull(fdaa_network_id_int(ip)),
              k FixedString(16) MATERIALIZED assumeNotNull(fdaa_key(ip)),
              t String MATERIALIZED assumeNotNull(fdaa_network_id(ip)),
              a String MATERIALIZED assumeNotNull(fdaa_address(ip)),
              CONSTRAINT c CHECK fdaa_network_id_int(ip) = n) ENGINE = Memory"""
        )
        session.run(f"INSERT INTO stored (ip) SELECT {value}")
        row = session.run("SELECT n, hex(k), t, a FROM stored").split("\t")
    assert row == ["132187", fdaa.Address(text).packed.hex().upper(), "2:45b", text]
