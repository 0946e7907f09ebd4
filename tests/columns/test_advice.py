"""What the guide recommends has its effect: a plan has the index, and a value is stored.

The guide's table says where an expression can stand.
"""

from __future__ import annotations

from typing import Any

import pytest
from sql_engines import started
from sql_servers import cluster, psql

import fdaa
from fdaa.columns import sql

pytestmark = pytest.mark.engines

# --- where a function can stand -------------------------------------------------------------------

CREATE = """CREATE TABLE requests (ip VARCHAR(50));
INSERT INTO requests VALUES ('fdaa:2:45b::3'), ('fdaa:2:45b::4');
"""
CLICKHOUSE = CREATE.replace("(ip VARCHAR(50))", "(ip String) ENGINE = Memory")
# Spark -> a view in the place of the table.
SPARK = """USE default;
CREATE OR REPLACE TEMPORARY VIEW requests AS
SELECT * FROM VALUES ('fdaa:2:45b::3'), ('fdaa:2:45b::4') AS t(ip);
"""
AGGREGATE = "SELECT fdaa_network_id(max(ip)) FROM requests"
WINDOW = """SELECT max(n) FROM
(SELECT fdaa_network_id(lag(ip) OVER (ORDER BY ip)) AS n FROM requests) AS t"""
VIEW = """CREATE VIEW named AS SELECT fdaa_network_id(ip) AS n FROM requests;
SELECT max(n) FROM named"""
GENERATED = """CREATE TABLE generated
(ip VARCHAR(50), n VARCHAR(50) GENERATED ALWAYS AS (fdaa_network_id(ip)) STORED);
INSERT INTO generated (ip) VALUES ('fdaa:2:45b::3');
SELECT n FROM generated"""
CHECK = """CREATE TABLE checked (ip VARCHAR(50), CHECK (fdaa_network_id_int(ip) = 132187),
CHECK (fdaa_address(ip) = 'fdaa:2:45b::3'));
INSERT INTO checked VALUES ('FDAA:2:45b::3');
SELECT '2:45b' FROM checked"""
# Database -> scripts whose last result is `2:45b`.
USES = {
    "duckdb": [
        CREATE + AGGREGATE,
        WINDOW,
        VIEW,
        GENERATED.replace(" STORED", ""),
        CHECK,
        "SELECT list_transform(['fdaa:2:45b::3'], lambda x: fdaa_network_id(x))[1]",
        "PREPARE one AS SELECT fdaa_network_id(?);\nEXECUTE one('fdaa:2:45b::3')",
        "SELECT coalesce(fdaa_network_id('fdaa:2:45b::3'), error('no address'))",
    ],
    "spark": [
        SPARK + AGGREGATE,
        WINDOW,
        VIEW.replace("CREATE VIEW", "CREATE OR REPLACE TEMPORARY VIEW"),
        "EXECUTE IMMEDIATE 'SELECT fdaa_network_id(?)' USING 'fdaa:2:45b::3'",
        "SELECT coalesce(fdaa_network_id('fdaa:2:45b::3'), raise_error('no address'))",
    ],
    "postgresql": [
        CREATE + AGGREGATE,
        WINDOW,
        VIEW,
        GENERATED,
        CHECK,
        "PREPARE one(text) AS SELECT fdaa_network_id($1);\nEXECUTE one('fdaa:2:45b::3')",
    ],
    "clickhouse": [
        CLICKHOUSE + AGGREGATE,
        VIEW,
        "SELECT arrayMap(x -> fdaa_network_id(x), ['fdaa:2:45b::3'])[1]",
        """CREATE TABLE checked
(ip String, CONSTRAINT c CHECK fdaa_network_id_int(ip) = 132187) ENGINE = Memory;
INSERT INTO checked VALUES ('fdaa:2:45b::3');
SELECT '2:45b' FROM checked""",
        "SET param_ip = 'fdaa:2:45b::3';\nSELECT fdaa_network_id({ip:String})",
        "CREATE DATABASE other;\nUSE other;\nSELECT fdaa_network_id('fdaa:2:45b::3')",
    ],
}


@pytest.mark.parametrize("name", USES)
def test_a_function_stands_where_the_guide_says(name: str) -> None:
    with started(name) as session:
        for script in USES[name]:
            assert session.run(script) == "2:45b", script


@pytest.mark.parametrize("name", USES)
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
