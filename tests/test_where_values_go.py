"""What becomes of a value in each library; what is no text and no error is in the guide's table."""

from __future__ import annotations

import csv
import io
import json
import logging
import re
import sqlite3
import tomllib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import fastapi
import httpx2
import msgspec
import orjson
import pytest
from fastapi.testclient import TestClient
from frameworks_page import need_packages, table
from pydantic import TypeAdapter
from sql_servers import cluster

from fdaa import Address, NetworkID, NetworkName, Prefix

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

TABLE = table("Where values go")
NAME = NetworkName("customer-17")
VALUES = (Address("fdaa:2:45b::3"), Prefix("fdaa:2:45b::/48"), NetworkID("2:45"))
ALL = (*VALUES, NAME)
URL = "http://localhost/"

Write = Callable[[Any], Any]
Read = Callable[[Any], Any]


# --- what reads back what was written -------------------------------------------------------------


def key_of(mapping: dict[Any, Any]) -> Any:
    (key,) = mapping
    return key


def sent(request: httpx2.Request) -> Any:
    """Return the value that a request contains, wherever it does."""
    if request.content:
        return json.loads(request.content)
    return request.url.params.get("id") or request.headers["id"]


def read_yaml(text: str) -> Any:
    import yaml

    return yaml.safe_load(text)


def evaluated(expression: Any) -> Any:
    import polars

    return polars.select(expression)


# The code in the first cell, without its value -> what reads the result.
CODE: dict[str, Read] = {
    "`json.dumps(value)`": json.loads,
    "`json.dumps({value: 1})`": lambda text: key_of(json.loads(text)),
    "`orjson.dumps(value)`": json.loads,
    "`orjson.dumps({value: 1})`": lambda text: key_of(json.loads(text)),
    "`msgspec.json.encode(value)`": json.loads,
    "`msgspec.json.encode({value: 1})`": lambda text: key_of(json.loads(text)),
    "`csv.writer(file).writerow([value])`": lambda written: written.removesuffix("\r\n"),
    '`sqlite3`: `connection.execute("SELECT ?", [value])`': lambda rows: rows.fetchone()[0],
    '`httpx2.Request("GET", url, params={"id": value})`': sent,
    '`httpx2.Request("POST", url, json=value)`': sent,
    '`httpx2.Request("GET", url, headers={"id": value})`': sent,
}
CODE_OF_ENGINES: dict[str, Read] = {
    '`tomli_w.dumps({"key": value})`': lambda text: tomllib.loads(text)["key"],
    '`tomlkit.dumps({"key": value})`': lambda text: tomllib.loads(text)["key"],
    "`yaml.safe_dump(value)`": read_yaml,
    "`yaml.dump(value)`": read_yaml,
    '`yaml.safe_load(f"{value}")`': lambda loaded: loaded,
    'Redis: `client.set("key", value)`': lambda client: client.get("key"),
    "Redis: `client.set(value, 1)`": lambda client: client.keys()[0],
    'psycopg: `connection.execute("SELECT %s", [value])`': lambda rows: rows.fetchone()[0],
    'structlog: `JSONRenderer()(None, "", {"key": value})`': lambda text: json.loads(text)["key"],
    'OpenTelemetry: `span.set_attribute("key", value)`': lambda span: span.attributes["key"],
    "Polars: `pl.lit(value)`": lambda expression: evaluated(expression).item(),
    "Polars: `pl.Series([value])`": lambda series: series.item(),
}


@pytest.fixture(scope="module")
def postgresql() -> Iterator[Any]:
    import psycopg

    with cluster() as variables:
        found = psycopg.connect(host=variables["PGHOST"], user="fdaa", dbname="postgres")
        yield found
        found.close()


@pytest.fixture
def names(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Yield what the names in the cells of a row stand for."""
    adapters: dict[Any, Any] = sqlite3.adapters
    for type_ in (Address, NetworkID):  # the guide's example registers them
        monkeypatch.delitem(adapters, (type_, sqlite3.PrepareProtocol), raising=False)
    row = request.node.callspec.params["row"]
    connection = sqlite3.connect(":memory:")
    found: dict[str, Any] = {"connection": connection, "url": URL}
    found |= {"csv": csv, "httpx2": httpx2, "json": json, "msgspec": msgspec, "orjson": orjson}
    if row in CODE_OF_ENGINES:
        found |= names_of_engines()
    if row.startswith("psycopg"):
        found["connection"] = request.getfixturevalue("postgresql")
    yield found
    connection.close()


def names_of_engines() -> dict[str, Any]:
    need_packages()
    import fakeredis
    import polars
    import tomli_w
    import tomlkit
    import yaml
    from opentelemetry.sdk.trace import TracerProvider
    from structlog.processors import JSONRenderer

    return {
        "JSONRenderer": JSONRenderer,
        "client": fakeredis.FakeRedis(decode_responses=True),
        "pl": polars,
        "span": TracerProvider().get_tracer("test").start_span("test"),
        "tomli_w": tomli_w,
        "tomlkit": tomlkit,
        "yaml": yaml,
    }


def running(code: str, names: dict[str, Any]) -> Write:
    """Return a function that runs code of the table with a value.

    It returns the result, or what holds it: the text of a file, Redis, the span.
    """

    def evaluate(value: object, **others: object) -> object:
        return eval(code, {**names, **others, "value": value})  # noqa: S307 - the guide's own line

    def write(value: object) -> object:
        if code.startswith("csv"):
            file = io.StringIO()
            evaluate(value, file=file)
            return file.getvalue()
        if code.startswith("client"):
            names["client"].flushall()
            evaluate(value)
            return names["client"]
        if code.startswith("span"):
            evaluate(value)
            return names["span"]
        return evaluate(value)

    return write


# --- rows that are described in words -------------------------------------------------------------


def by_type(value: object) -> object:
    return json.loads(TypeAdapter(type(value)).dump_json(value))


def by_any(value: object) -> object:
    return json.loads(TypeAdapter(Any).dump_json(value))


def endpoint_of(annotation: Any) -> Write:
    """Return a function that gets a value from a FastAPI endpoint with this return type."""

    def write(value: object) -> object:
        def endpoint() -> Any:
            return value

        if annotation is None:
            del endpoint.__annotations__["return"]
        else:
            endpoint.__annotations__["return"] = annotation
        app = fastapi.FastAPI()
        app.get("/")(endpoint)
        response = TestClient(app, raise_server_exceptions=False).get("/")
        if response.status_code != 200:
            return response
        return response.json()

    return write


def schema_of(value: object) -> object:
    """Return the schemas of a type in OpenAPI: of a response, and of a parameter."""
    app = fastapi.FastAPI()

    def endpoint(parameter: Any) -> Any:
        return parameter

    endpoint.__annotations__ = {"parameter": type(value), "return": type(value)}
    app.get("/")(endpoint)
    operation = app.openapi()["paths"]["/"]["get"]
    parameter = operation["parameters"][0]["schema"]
    response = operation["responses"]["200"]["content"]["application/json"]["schema"]
    return [parameter, response, TypeAdapter(type(value)).json_schema()]


def through_sqlmodel(value: object) -> object:
    need_packages()
    from sqlmodel import Field, Session, SQLModel, create_engine, select

    members = {
        "__annotations__": {"id": int | None, "field": type(value)},
        "__module__": __name__,
        "__tablename__": f"values_of_{type(value).__name__}",
        "id": Field(default=None, primary_key=True),
    }
    kind: Any = type("Row", (SQLModel,), members, table=True)
    engine = create_engine("sqlite://")
    kind.metadata.create_all(engine)
    with Session(engine) as session:
        session.add(kind(field=value))
        session.commit()
        found = session.exec(select(kind.field)).one()
    engine.dispose()
    return found


def through_python_json_logger(value: object) -> object:
    need_packages()
    from pythonjsonlogger.json import JsonFormatter

    record = logging.makeLogRecord({"field": value})
    return json.loads(JsonFormatter("%(message)s").format(record))["field"]


WORDS: dict[str, Write] = {
    "Pydantic, a field of the type": by_type,
    "Pydantic, a field of type `Any`": by_any,
    "FastAPI, with a return type": endpoint_of(Address | Prefix | NetworkID | NetworkName),
    "FastAPI, without a return type": endpoint_of(None),
    "OpenAPI and JSON Schema": schema_of,
}
WORDS_OF_ENGINES: dict[str, Write] = {
    "SQLModel, a field of the type": through_sqlmodel,
    "python-json-logger, a field from `extra`": through_python_json_logger,
}


# --- the table, and the sentence above it ---------------------------------------------------------

# What the sentence says: the text, or an error; of the three types, and of a network name.
PATTERN = "a string with a pattern"
PLAIN = {
    "`json.dumps(value)`": ("`TypeError`", "text"),
    "`json.dumps({value: 1})`": ("`TypeError`", "text"),
    "`orjson.dumps(value)`": ("`TypeError`", "text"),
    "`orjson.dumps({value: 1})`": ("`TypeError`", "`TypeError`"),
    "`msgspec.json.encode(value)`": ("`TypeError`", "`TypeError`"),
    "`msgspec.json.encode({value: 1})`": ("`TypeError`", "text"),
    '`tomli_w.dumps({"key": value})`': ("`TypeError`", "text"),
    '`tomlkit.dumps({"key": value})`': ("`ConvertError`", "text"),
    "`yaml.safe_dump(value)`": ("`RepresenterError`", "`RepresenterError`"),
    "`csv.writer(file).writerow([value])`": ("text", "text"),
    'Redis: `client.set("key", value)`': ("`DataError`", "text"),
    "Redis: `client.set(value, 1)`": ("`DataError`", "text"),
    '`sqlite3`: `connection.execute("SELECT ?", [value])`': ("`ProgrammingError`", "text"),
    'psycopg: `connection.execute("SELECT %s", [value])`': ("`ProgrammingError`", "text"),
    '`httpx2.Request("GET", url, params={"id": value})`': ("text", "text"),
    '`httpx2.Request("POST", url, json=value)`': ("`TypeError`", "text"),
    '`httpx2.Request("GET", url, headers={"id": value})`': ("`TypeError`", "text"),
    "Pydantic, a field of the type": ("text", "text"),
    "Pydantic, a field of type `Any`": ("text", "text"),
    "FastAPI, with a return type": ("text", "text"),
    "FastAPI, without a return type": ("status 500", "text"),
    "OpenAPI and JSON Schema": (PATTERN, PATTERN),
    "SQLModel, a field of the type": ("`ValueError`", "text"),
    'structlog: `JSONRenderer()(None, "", {"key": value})`': ("text", "text"),
    "python-json-logger, a field from `extra`": ("text", "text"),
}
# Where the sentence has another argument than `str(value)`.
HOOKS = {
    "`json.dumps(value)`": "json.dumps(value, default=str)",
    "`orjson.dumps(value)`": "orjson.dumps(value, default=str)",
    "`msgspec.json.encode(value)`": "msgspec.json.encode(value, enc_hook=str)",
    '`yaml.safe_load(f"{value}")`': """yaml.safe_load(f"'{value}'")""",
}


def rows_of(*, engines: Iterable[str], others: Iterable[str]) -> list[Any]:
    marked = [pytest.param(row, marks=pytest.mark.engines) for row in engines]
    return [*others, *marked]


ROWS_OF_CODE = rows_of(others=CODE, engines=CODE_OF_ENGINES)
ROWS_OF_WORDS = rows_of(others=WORDS, engines=WORDS_OF_ENGINES)


def outcome(write: Write, read: Read, value: object, log: pytest.LogCaptureFixture) -> str:
    """Return what becomes of a value, in the words of the table."""
    log.clear()
    try:
        found = read(write(value))
    except Exception as error:
        if type(error).__name__ == "ConstructorError":  # what safe_load says of `!!python/object`
            return "**a Python object**"
        return f"`{type(error).__name__}`"
    if isinstance(found, httpx2.Response):
        return f"status {found.status_code}"
    if isinstance(found, list):
        assert all(schema["type"] == "string" and schema["pattern"] for schema in found)
        return PATTERN
    if type(found) is int:
        if found == int(value):  # type: ignore[call-overload]
            return "**its number**"
        return "**another number**"
    if found is value and value is not NAME:
        return "**a Python object**"
    assert found == str(value)
    if "Invalid type" in log.text:
        return "**text, and a warning in the log**"
    return "text"


def test_the_table_has_a_row_for_each_library() -> None:
    rows = [*CODE, *CODE_OF_ENGINES, *WORDS, *WORDS_OF_ENGINES]
    assert sorted([*TABLE, *PLAIN]) == sorted(rows)


@pytest.mark.parametrize("row", ROWS_OF_CODE)
def test_a_line_does_what_its_row_says(
    row: str, names: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    read = (CODE | CODE_OF_ENGINES)[row]
    write = running(re.findall("`([^`]*)`", row)[-1], names)
    check(row, write, read, caplog)


@pytest.mark.parametrize("row", ROWS_OF_WORDS)
def test_a_library_does_what_its_row_says(row: str, caplog: pytest.LogCaptureFixture) -> None:
    write = (WORDS | WORDS_OF_ENGINES)[row]
    check(row, write, lambda found: found, caplog)


def check(row: str, write: Write, read: Read, log: pytest.LogCaptureFixture) -> None:
    of_values, of_name = (TABLE | PLAIN)[row]
    of_others, _, of_id = of_values.partition("; `NetworkID`: ")
    for value in VALUES:
        expected = of_others
        if of_id and isinstance(value, NetworkID):
            expected = of_id
        assert outcome(write, read, value, log) == expected, value
    assert outcome(write, read, NAME, log) == of_name


@pytest.mark.parametrize("row", ROWS_OF_CODE)
def test_str_or_a_hook_writes_the_text_of_each_type(
    row: str, names: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    read = (CODE | CODE_OF_ENGINES)[row]
    code = re.findall("`([^`]*)`", row)[-1]
    code = HOOKS.get(row, re.sub(r"\bvalue\b", "str(value)", code))
    write = running(code, names)
    assert [outcome(write, read, value, caplog) for value in ALL] == ["text"] * len(ALL)


def test_a_return_type_of_any_is_enough_for_fastapi() -> None:
    write = endpoint_of(Any)
    assert [write(value) for value in ALL] == [str(value) for value in ALL]
