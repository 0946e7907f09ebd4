"""Where a function can stand: each cell of the table in `docs/api/columns.md`, run.

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

AGGREGATE = "SELECT fdaa_network_id(max(ip)) FROM requests"
WINDOW = """
    SELECT max(n) FROM (SELECT fdaa_network_id(lag(ip) OVER (ORDER BY ip)) AS n FROM requests) AS t
"""
VIEW = """CREATE VIEW named AS SELECT fdaa_network_id(ip) AS n FROM requests;
SELECT max(n) FROM named"""
GENERATED = """
    CREATE TABLE generated
      (ip VARCHAR(50), n VARCHAR(50) GENERATED ALWAYS AS (fdaa_network_id(ip)));
    INSERT INTO generated (ip) VALUES ('fdaa:2:45b::3');
    SELECT n FROM generated
"""
CHECK = """
    CREATE TABLE checked (ip VARCHAR(50), CHECK (fdaa_network_id_int(ip) = 132187));
    INSERT INTO checked VALUES ('fdaa:2:45b::3');
    SELECT '2:45b' FROM checked
"""
INDEX = """
    CREATE INDEX by_network ON requests (fdaa_network_id_int(ip));
    SELECT fdaa_network_id(ip) FROM requests WHERE fdaa_network_id_int(ip) = 132187
"""

# Use -> a script whose last result is `2:45b`; `requests` has an address on that network.
COMMON = {
    Use.AGGREGATE: AGGREGATE,
    Use.WINDOW: WINDOW,
    Use.LAMBDA: "SELECT transform(array('fdaa:2:45b::3'), x -> fdaa_network_id(x))",
    Use.VIEW: VIEW,
    Use.GENERATED: GENERATED,
    Use.CHECK: CHECK,
    Use.INDEX: INDEX,
}


@pytest.fixture(scope="module", params=list(DATABASES))
def database(request: pytest.FixtureRequest) -> Iterator[tuple[str, Session]]:
    with started(request.param) as session:
        session.run(DATABASES[request.param].requests)
        yield request.param, session


def check(name: str, session: Session, use: Use) -> None:
    script = {**COMMON, **DATABASES[name].uses}[use]
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
