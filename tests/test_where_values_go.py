"""What becomes of a value in other packages: its text, an error, or what the guide's table says."""

from __future__ import annotations

import re
from typing import Any

import pytest
from frameworks_page import need_packages, table

from fdaa import Address, NetworkID, NetworkName, Prefix

NAME = NetworkName("customer-17")
VALUES = (Address("fdaa:2:45b::3"), Prefix("fdaa:2:45b::/48"), NetworkID("2:45"))


def outcome(code: str, names: dict[str, Any], value: object) -> str:
    """Return what becomes of a value, in the words of the table."""
    try:
        found = eval(code, {**names, "value": value})  # noqa: S307 - the guide's own line
        if code.startswith("yaml.dump"):
            found = names["yaml"].safe_load(found)
        elif code.startswith("span"):
            found = names["span"].attributes["key"]
        elif code.startswith("pl.lit"):
            found = names["pl"].select(found).item()
        elif code.startswith("pl.Series"):
            found = found.item()
    except Exception as error:
        if type(error).__name__ == "ConstructorError":  # what safe_load says of `!!python/object`
            return "a Python object"
        return type(error).__name__
    if isinstance(found, int):
        return "its number" if value == found else "another number"
    if found is value and value is not NAME:
        return "a Python object"
    assert found == str(value)
    return "text"


@pytest.mark.engines
def test_the_table_says_who_writes_something_else() -> None:
    """Its cells are `text; NetworkID: another number`, with marks around the words."""
    need_packages()
    import polars
    import yaml
    from opentelemetry.sdk.trace import TracerProvider

    span = TracerProvider().get_tracer("test").start_span("test")
    names = {"pl": polars, "span": span, "yaml": yaml}
    for row, cells in table("Where values go").items():
        code = re.findall("`([^`]*)`", row)[-1]
        of_values, of_name = (re.sub("[`*]", "", cell) for cell in cells)
        of_others, _, of_id = of_values.partition("; NetworkID: ")
        for value in VALUES:
            expected = of_id if of_id and isinstance(value, NetworkID) else of_others
            found = outcome(code, names, value)
            assert found == expected.partition(", and a warning")[0], (code, value)
        assert outcome(code, names, NAME) == of_name
