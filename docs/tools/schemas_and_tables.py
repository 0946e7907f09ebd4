"""The values in docs/schemas, made of the code, and the lists of fields in docs/json.md, of them.

A list has an item for each kind of object that the commands of its schemas print.
"""

from __future__ import annotations

import json
import pkgutil
import re
from typing import TYPE_CHECKING, Any

from places import DOCS

if TYPE_CHECKING:
    from pathlib import Path

SCHEMAS = DOCS / "schemas"
PAGE = DOCS / "json.md"
# A place for a list, with the names of its schemas.
_PLACE = re.compile(
    r"(?s)(<!-- fields of: (.*?) \(made by `docs/tools`\) -->\n\n)"
    r".*?(\n<!-- end of fields -->)"
)

_AS_NUMBER = "network_id_int"  # it follows `network_id`, as the page says once

Schema = dict[str, Any]


def schemas() -> dict[Path, str]:
    """Return each schema, with the members of each enumeration that a comment names."""
    texts = {}
    for file in SCHEMAS.glob("*.json"):
        schema = json.loads(file.read_text("utf-8"))
        _fill_in(schema)
        texts[file] = json.dumps(schema, indent=2) + "\n"
    return texts


def _fill_in(part: Any) -> None:
    """Set the `enum` beside each `$comment`, the full name of an enumeration."""
    if isinstance(part, list):
        for each in part:
            _fill_in(each)
    if not isinstance(part, dict):
        return
    if "enum" in part and "$comment" in part:
        others = [value for value in part["enum"] if value is None]
        part["enum"] = [*pkgutil.resolve_name(part["$comment"]), *others]
    for each in part.values():
        _fill_in(each)


def pages() -> dict[Path, str]:
    """Return the page with the lists, up to date."""
    text = PAGE.read_text("utf-8")
    shown = [name for _, names, _ in _PLACE.findall(text) for name in names.split(", ")]
    names = [path.stem for path in SCHEMAS.glob("*.json") if path.stem != "common"]
    if sorted(shown) != sorted(names):
        wrong = ", ".join(sorted(set(names) ^ set(shown)) or shown)
        raise SystemExit(
            f"docs/{PAGE.name}: name each schema once in the lines `fields of`; look at {wrong}"
        )
    above: set[str] = set()
    text = _PLACE.sub(lambda place: place[1] + _list(place[2].split(", "), above) + place[3], text)
    return {PAGE: text}


def _load(name: str) -> Schema:
    schema: Schema = json.loads((SCHEMAS / f"{name}.json").read_text("utf-8"))
    return schema


def _list(names: list[str], above: set[str]) -> str:
    """Return a list without what an earlier one has. Add its own to what is above."""
    commands: dict[str, list[str]] = {}  # by the rest of the item
    for name in names:
        command = name.replace("-", " ").replace("scan count", "scan --count")
        link = f"[`{command.replace('token claims', 'token --claims')}`](schemas/{name}.json)"
        for described in _objects(_load(name), name):
            commands.setdefault(_described(described), []).append(link)
    items = []
    for text, links in commands.items():
        if text not in above:
            items.append(f"- {' and '.join(links)}, {text}\n")
    above.update(commands)
    return "".join(items)


def _objects(schema: Schema, name: str) -> list[Schema]:
    """Return the objects that a schema describes; `name` is its file's."""
    if "anyOf" in schema:
        found = []
        for part in schema["anyOf"]:
            found += _objects(part, name)
        return found
    return [_resolved(schema, name)]


def _resolved(schema: Schema, name: str) -> Schema:
    """Return what a schema refers to, with its own description if it has one."""
    if "$ref" not in schema:
        return schema
    file, _, place = schema["$ref"].partition("#/$defs/")
    referred: Schema = _load(file.removesuffix(".json") or name)["$defs"][place]
    return referred


def _described(described: Schema) -> str:
    """Return the kind of an object, or else its description, and its fields."""
    text: str = described.get("description", "")
    if "with the fields of" in text:
        return text
    properties = dict(described.get("properties", {}))
    if "const" in properties.get("kind", {}):
        text = f"kind `{properties.pop('kind')['const']}`"
    fields = []
    properties.pop(_AS_NUMBER, None)
    for name, field in properties.items():
        value = ""
        if "const" in field:
            value = f" ({json.dumps(field['const'])})"
        fields.append(f"`{name}`{value}")
    return ": ".join(filter(None, [text, ", ".join(fields)]))
