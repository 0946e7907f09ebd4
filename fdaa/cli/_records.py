"""Results as records for programs: the record of an address, and --json and --field."""

from __future__ import annotations

import json
import sys
from functools import wraps
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from fdaa._support.escapes import as_unicode, printable, quote
from fdaa._values import bits
from fdaa._values.address import Address
from fdaa._values.id_text import id_fields
from fdaa.cli._streams import after_change

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from fdaa._values.errors import InputError
    from fdaa.lines._places import Found
    from fdaa.networks import Book


# --- the record of an address ---------------------------------------------------------------------

NETWORK_NAME = "network_name"  # the last field, where there is a book


_Fields: TypeAlias = dict[str, str | int | None]


def short_record(found: Found) -> _Fields:
    """Return the first fields of an address or a network."""
    network_id = found.network_id
    if isinstance(found, Address):
        kind = "address"
        address = str(found)
        prefix = str(network_id.prefix)
    else:
        kind = "prefix"
        address = None
        prefix = str(found)
    return {"kind": kind, "address": address, **id_fields(network_id), "prefix": prefix}


def record(found: Found, book: Book | None = None) -> _Fields:
    """Return the fields of an address or a network, in their documented order, without `input`."""
    fields = short_record(found)
    if isinstance(found, Address):
        packed = found.packed.hex()
        fields["rest"] = packed[-bits.REST_BITS // 4 :]
        fields["packed"] = packed
        fields["exploded"] = found.exploded
        fields["reverse_pointer"] = found.reverse_pointer
    else:
        fields.update(dict.fromkeys(("rest", "packed", "exploded", "reverse_pointer")))
    if book is not None:
        fields[NETWORK_NAME] = book.name_of(found.network_id)
    return fields


RECORD_FIELDS = (
    "kind",
    "address",
    "network_id",
    "network_id_int",
    "prefix",
    "rest",
    "packed",
    "exploded",
    "reverse_pointer",
)
FIELDS = ("input", *RECORD_FIELDS)
# Of a verdict, without its ends.
VERDICT_FIELDS = (
    "reachable",
    "permitted",
    "unless",
    "outcome",
    "same_network",
    "via",
    "reasons",
    "ways",
)


def refusal(error: InputError) -> dict[str, str | int | None]:
    """Return the fields of an input that gives no result."""
    return {
        "input": as_unicode(error.text),
        "kind": "error",
        "error": error.reason,
        "at": error.at,
    }


_ENCODER = json.JSONEncoder(check_circular=False)  # records are no circles


def json_line(fields: Mapping[str, Any]) -> str:
    """Return one line of JSON, in ASCII."""
    return json_text(fields) + "\n"


def json_text(value: object) -> str:
    """Return a value as JSON, in ASCII."""
    return _ENCODER.encode(value).replace("\x7f", "\\u007f")


# --- --json and --field ---------------------------------------------------------------------------


class Records:
    """Writes records as --json or --field asks; false if neither is given.

    A result is written in both cases, a remark (input that is refused, a contradiction) as JSON
    only: with --field, it is on standard error alone.

    Args:
        as_json: write each record as a line of JSON.
        fields: write only these fields of each record that has all of them, separated by tabs; a
            dot leads into an object in the record: `claims.sub`.
    """

    def __init__(self, as_json: bool = False, fields: tuple[str, ...] = ()) -> None:
        self.as_json = as_json
        self.fields = fields

    def __bool__(self) -> bool:
        return self.as_json or bool(self.fields)

    def line(self, record: Mapping[str, Any]) -> str:
        """Return the line for a record; it is empty for a record without one of the fields."""
        if not self.fields:
            return json_line(record)
        cells = []
        for name in self.fields:
            try:
                cells.append(_cell(_value(record, name)))
            except KeyError:
                return ""
        return "\t".join(cells) + "\n"

    def write(self, record: Mapping[str, Any]) -> None:
        """Write a result."""
        sys.stdout.write(self.line(record))

    def write_change(self, record: Mapping[str, Any], change: str) -> None:
        """Write the result of a change that was made, as a record or for people."""
        line = self.line(record) if self else f"{change}\n"
        with after_change(change):
            sys.stdout.write(line)

    def remark(self, record: Mapping[str, Any]) -> None:
        """Write a remark."""
        if self.as_json:
            sys.stdout.write(json_line(record))


NO_RECORDS = Records()


def _value(record: Mapping[str, Any], name: str) -> object:
    """Return a field of a record; raise a KeyError if it does not have it."""
    if name in record:
        return record[name]
    first, dot, rest = name.partition(".")
    if not dot or not isinstance(record[first], dict):
        raise KeyError(name)
    return _value(record[first], rest)


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return printable(value)
    return json_text(value)


def _check_field(
    field: str, names: tuple[str, ...], objects: Mapping[str, Collection[str]]
) -> None:
    """Raise a BadParameter for a field that no record has; as in `record_options`."""
    name, dot, rest = field.partition(".")
    if name not in names:
        raise click.BadParameter(f"{quote(field)} is not one of: {', '.join(names)}")
    if not dot:
        return
    if name not in objects:
        raise click.BadParameter(f"{quote(field)}: {name} is not an object")
    if objects[name] and rest not in objects[name]:
        known = ", ".join(objects[name])
        raise click.BadParameter(f"{quote(field)}: {name} has only {known}")


def record_options(
    *names: str,
    text: str = "Print JSON Lines.",
    objects: Mapping[str, Collection[str]] = MappingProxyType({}),
) -> Callable[..., Any]:
    """Return a decorator that adds --json and --field, passed to the command as `records`.

    Args:
        names: the fields of the command's results; without them, any name is accepted.
        text: the help of --json.
        objects: the fields that are objects, with the fields that they have; () accepts any.
    """
    listed = ", ".join(names) or "any"

    def check(_context: object, _option: object, fields: tuple[str, ...]) -> tuple[str, ...]:
        if names:
            for field in fields:
                _check_field(field, names, objects)
        return fields

    def complete(_context: object, _option: object, incomplete: str) -> list[str]:
        return [name for name in names if name.startswith(incomplete)]

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @click.option("as_json", "--json", is_flag=True, help=text)
        @click.option(
            "fields",
            "--field",
            metavar="NAME",
            multiple=True,
            callback=check,
            shell_complete=complete,
            help=f"Print only this field of the JSON. Repeatable, tab-separated. NAME: {listed}.",
        )
        @wraps(command)
        def with_records(*, as_json: bool, fields: tuple[str, ...], **options: Any) -> Any:
            if as_json and fields:
                raise click.UsageError("--json and --field cannot be combined")
            return command(records=Records(as_json, fields), **options)

        return with_records

    return decorate
