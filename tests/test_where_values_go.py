"""What becomes of a value in each library: its text, an error, or what the guide's table says."""

from __future__ import annotations

import json
import re
import sqlite3
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from frameworks_page import need_packages, table

from fdaa import Address, NetworkID, NetworkName, Prefix

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Read = Callable[[Any], Any]

NAME = NetworkName("customer-17")
VALUES = (Address("fdaa:2:45b::3"), Prefix("fdaa:2:45b::/48"), NetworkID("2:45"))


def read_yaml(text: str) -> Any:
    import yaml

    return yaml.safe_load(text)


def evaluated(expression: Any) -> Any:
    import polars

    return polars.select(expression).item()


# The code -> what reads its result, and what becomes of the three types, and of a network name.
CODE: dict[str, tuple[Read, str, str]] = {
    "json.dumps(value)": (json.loads, "TypeError", "text"),
    "msgspec.json.encode(value)": (json.loads, "TypeError", "TypeError"),
    'connection.execute("SELECT ?", [value]).fetchone()[0]': (str, "ProgrammingError", "text"),
}
# Rows of the guide's table: what reads their results.
READERS: dict[str, Read] = {
    "`yaml.dump(value)`": read_yaml,
    '`yaml.safe_load(f"{value}")`': lambda loaded: loaded,
    'OpenTelemetry: `span.set_attribute("key", value)`': lambda span: span.attributes["key"],
    "Polars: `pl.lit(value)`": evaluated,
    "Polars: `pl.Series([value])`": lambda series: series.item(),
}


@pytest.fixture
def names() -> Iterator[dict[str, Any]]:
    """Yield what the names in the code stand for."""
    connection = sqlite3.connect(":memory:")
    yield {"connection": connection, "json": json, "msgspec": msgspec}
    connection.close()


def names_of_engines() -> dict[str, Any]:
    need_packages()
    import polars
    import yaml
    from opentelemetry.sdk.trace import TracerProvider

    span = TracerProvider().get_tracer("test").start_span("test")
    return {"pl": polars, "span": span, "yaml": yaml}


def outcome(code: str, names: dict[str, Any], read: Read, value: object) -> str:
    """Return what becomes of a value, in the words of the table."""
    try:
        made = eval(code, {**names, "value": value})  # noqa: S307 - the guide's own line
        found = read(names["span"] if code.startswith("span") else made)
    except Exception as error:
        if type(error).__name__ == "ConstructorError":  # what safe_load says of `!!python/object`
            return "a Python object"
        return type(error).__name__
    if type(found) is int:
        return "its number" if found == int(value) else "another number"  # type: ignore[call-overload]
    if found is value and value is not NAME:
        return "a Python object"
    assert found == str(value)
    return "text"


@pytest.mark.parametrize("code", CODE)
def test_a_library_writes_the_text_or_raises_an_error(code: str, names: dict[str, Any]) -> None:
    read, of_values, of_name = CODE[code]
    assert {outcome(code, names, read, value) for value in VALUES} == {of_values}
    assert outcome(code, names, read, NAME) == of_name
    by_str = re.sub(r"\bvalue\b", "str(value)", code)
    assert {outcome(by_str, names, read, value) for value in (*VALUES, NAME)} == {"text"}


@pytest.mark.engines
@pytest.mark.parametrize("row", READERS)
def test_the_table_says_who_writes_something_else(row: str) -> None:
    """Its cells are `text; NetworkID: another number`, with marks around the words."""
    rows = table("Where values go")
    assert sorted(rows) == sorted(READERS)
    names = names_of_engines()
    code = re.findall("`([^`]*)`", row)[-1]
    of_values, of_name = (re.sub("[`*]", "", cell) for cell in rows[row])
    of_others, _, of_id = of_values.partition("; NetworkID: ")
    for value in VALUES:
        expected = of_id if of_id and isinstance(value, NetworkID) else of_others
        found = outcome(code, names, READERS[row], value)
        assert found == expected.partition(", and a warning")[0], value
    assert outcome(code, names, READERS[row], NAME) == of_name
