"""Where a function can stand: each cell of the table in `docs/columns.md`, run.

A use that a database refuses has its reason in the record of `fdaa/columns/_engines/`, and it must
still be refused: else the table is out of date.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sql_engines import DATABASES, started

from fdaa.columns._engines import ENGINES, Use  # private: the table is made of them

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sql_engines import Session

AGGREGATE = "SELECT fdaa_network(max(ip)) FROM requests"
WINDOW = """
    SELECT max(n) FROM (SELECT fdaa_network(lag(ip) OVER (ORDER BY ip)) AS n FROM requests) AS t
"""
VIEW = "CREATE VIEW named AS SELECT fdaa_network(ip) AS n FROM requests;\nSELECT max(n) FROM named"
GENERATED = """
    CREATE TABLE generated (ip VARCHAR(50), n VARCHAR(50) GENERATED ALWAYS AS (fdaa_network(ip)));
    INSERT INTO generated (ip) VALUES ('fdaa:2:45b::3');
    SELECT n FROM generated
"""
CHECK = """
    CREATE TABLE checked (ip VARCHAR(50), CHECK (fdaa_network_id(ip) = 132187));
    INSERT INTO checked VALUES ('fdaa:2:45b::3');
    SELECT '2:45b' FROM checked
"""
INDEX = """
    CREATE INDEX by_network ON requests (fdaa_network_id(ip));
    SELECT fdaa_network(ip) FROM requests WHERE fdaa_network_id(ip) = 132187
"""
STORED = "(fdaa_network(ip)) STORED"
ASK = "SELECT fdaa_network('fdaa:2:45b::3')"
EXECUTE = "EXECUTE one('fdaa:2:45b::3')"

# Use -> a script whose last result is `2:45b`; `requests` has an address on that network.
COMMON = {
    Use.AGGREGATE: AGGREGATE,
    Use.WINDOW: WINDOW,
    Use.LAMBDA: "SELECT transform(array('fdaa:2:45b::3'), x -> fdaa_network(x))",
    Use.VIEW: VIEW,
    Use.GENERATED: GENERATED,
    Use.CHECK: CHECK,
    Use.INDEX: INDEX,
}
OWN = {
    "duckdb": {
        Use.LAMBDA: "SELECT list_transform(['fdaa:2:45b::3'], lambda x: fdaa_network(x))[1]",
        Use.PARAMETER: "PREPARE one AS SELECT fdaa_network(?);\n" + EXECUTE,
        Use.ELSEWHERE: "ATTACH ':memory:' AS other;\nUSE other;\n" + ASK,
    },
    "spark": {
        Use.VIEW: VIEW.replace("CREATE VIEW", "CREATE OR REPLACE TEMPORARY VIEW"),
        Use.PARAMETER: "EXECUTE IMMEDIATE 'SELECT fdaa_network(?)' USING 'fdaa:2:45b::3'",
        Use.ELSEWHERE: "CREATE DATABASE other;\nUSE other;\n" + ASK,
    },
    "postgresql": {
        Use.GENERATED: GENERATED.replace("(fdaa_network(ip))", STORED),
        Use.PARAMETER: "PREPARE one(text) AS SELECT fdaa_network($1);\n" + EXECUTE,
        Use.ELSEWHERE: "CREATE SCHEMA other;\nSET search_path TO other;\n"
        "SELECT fdaa_network('fdaa:2:45b::3')",
    },
    "clickhouse": {
        Use.WINDOW: WINDOW.replace(
            "lag(ip) OVER (ORDER BY ip)", "lagInFrame(ip) OVER (ORDER BY ip)"
        ),
        Use.LAMBDA: "SELECT arrayMap(x -> fdaa_network(x), ['fdaa:2:45b::3'])[1]",
        Use.GENERATED: "CREATE TABLE generated (ip String, n String MATERIALIZED"
        " assumeNotNull(fdaa_network(ip))) ENGINE = Memory;\n"
        "INSERT INTO generated (ip) VALUES ('fdaa:2:45b::3');\nSELECT n FROM generated",
        Use.CHECK: "CREATE TABLE checked (ip String,"
        " CONSTRAINT c CHECK fdaa_network_id(ip) = 132187) ENGINE = Memory;\n"
        "INSERT INTO checked VALUES ('fdaa:2:45b::3');\nSELECT '2:45b' FROM checked",
        Use.INDEX: "CREATE TABLE indexed (ip String, INDEX n assumeNotNull(fdaa_network_id(ip))"
        " TYPE minmax) ENGINE = MergeTree ORDER BY ip;\n"
        "INSERT INTO indexed VALUES ('fdaa:2:45b::3');\n"
        "SELECT fdaa_network(ip) FROM indexed WHERE fdaa_network_id(ip) = 132187",
        Use.PARAMETER: "SET param_ip = 'fdaa:2:45b::3';\nSELECT fdaa_network({ip:String})",
        Use.ELSEWHERE: "CREATE DATABASE other;\nUSE other;\n" + ASK,
    },
    "mariadb": {
        Use.PARAMETER: "PREPARE one FROM 'SELECT fdaa_network(?)';\n"
        "EXECUTE one USING 'fdaa:2:45b::3'",
        Use.ELSEWHERE: "CREATE DATABASE other;\nUSE other;\n" + ASK,
    },
    "sqlite": {
        Use.PARAMETER: "SELECT fdaa_network(?1)",
        Use.ELSEWHERE: "ATTACH ':memory:' AS other;\nSELECT fdaa_network('fdaa:2:45b::3')",
    },
}


SETUP = {
    "clickhouse": "CREATE TABLE requests (ip String) ENGINE = Memory;\n"
    "INSERT INTO requests VALUES ('fdaa:2:45b::3'), ('fdaa:2:45b::4')",
    "spark": "USE default;\nCREATE OR REPLACE TEMPORARY VIEW requests AS"
    " SELECT * FROM VALUES ('fdaa:2:45b::3'), ('fdaa:2:45b::4') AS t(ip)",
}
ANYWHERE = "CREATE TABLE requests (ip VARCHAR(50));\n"
ANYWHERE += "INSERT INTO requests VALUES ('fdaa:2:45b::3'), ('fdaa:2:45b::4')"


@pytest.fixture(scope="module", params=list(DATABASES))
def database(request: pytest.FixtureRequest) -> Iterator[tuple[str, Session]]:
    with started(request.param) as session:
        session.run(SETUP.get(request.param, ANYWHERE))
        yield request.param, session


def check(name: str, session: Session, use: Use) -> None:
    script = {**COMMON, **OWN.get(name, {})}[use]
    if use in ENGINES[name].refused:
        with pytest.raises(Exception, match=r"."):
            session.run(script)
    else:
        assert session.run(script) == "2:45b"


@pytest.mark.engines
@pytest.mark.parametrize("use", [use for use in Use if use not in (Use.PERMANENT, Use.ELSEWHERE)])
def test_a_cell_of_the_table_is_so(database: tuple[str, Session], use: Use) -> None:
    name, session = database
    check(name, session, use)


@pytest.mark.engines
@pytest.mark.parametrize("name", DATABASES)
def test_from_elsewhere(name: str) -> None:
    """In a session of its own, because the script leaves the database."""
    with started(name) as session:
        check(name, session, Use.ELSEWHERE)
