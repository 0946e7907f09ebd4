"""What a command prints with --json, judged by the schemas in docs/schemas.

They are read more strictly than they are published: a field that a schema does not have is an
error here, while a program must expect that a later version adds some.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match
from referencing import Registry, Resource

from fdaa.cli.main import COMMANDS

DIRECTORY = Path(__file__).parent.parent.parent / "docs" / "schemas"


def load(name: str) -> dict[str, Any]:
    """Return a schema as it is published."""
    schema: dict[str, Any] = json.loads((DIRECTORY / f"{name}.json").read_text("utf-8"))
    return schema


def closed(schema: Any) -> Any:
    """Return a schema whose objects have no other fields than those that it lists."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    parts = {key: closed(part) for key, part in schema.items()}
    if parts.get("type") == "object" and "properties" in parts:
        parts.setdefault("additionalProperties", False)
    return parts


@cache
def validator(name: str) -> Draft202012Validator:
    common = Resource.from_contents(closed(load("common")))
    registry: Registry[Any] = Registry().with_resource("common.json", common)
    return Draft202012Validator(closed(load(name)), registry=registry)


def check(name: str, text: str) -> None:
    """Check JSON Lines against the schema of this name."""
    for line in text.splitlines():
        error = best_match(validator(name).iter_errors(json.loads(line)))
        assert error is None, f"{name}.json: {line}\n{error}"


def schema_of(arguments: tuple[str, ...]) -> str | None:
    """Return the name of the schema for what a call prints; None if it prints no JSON."""
    given = [str(argument) for argument in arguments]
    if "--" in given:  # what follows is no option
        given = given[: given.index("--")]
    if "--json" not in given or "--help" in given:
        return None
    first = given[0]
    if first in ("apps", "check"):
        return "-".join(given[:2])
    if first not in COMMANDS:
        return "explain"  # a text in place of a command
    if first == "scan" and not {"-c", "--count"}.isdisjoint(given):
        return "scan-count"
    if first == "token" and "--claims" in given:
        return "token-claims"
    return first


def check_call(arguments: tuple[str, ...], stdout: str) -> None:
    """Check what a call of the command printed, if it printed JSON."""
    name = schema_of(arguments)
    if name is not None:
        check(name, stdout)
