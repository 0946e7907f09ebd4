"""What programs read: the schemas in docs/schemas, and the fields that --field takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
import pytest
import schemas
from command import invoke, records, run
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from network_files import ALL

from fdaa import Address, NetworkID
from fdaa.cli.main import fdaa
from fdaa.networks import reach

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NAMES = sorted(path.stem for path in schemas.DIRECTORY.glob("*.json") if path.stem != "common")
COMMON: dict[str, Any] = schemas.load("common")["$defs"]
# What is printed beside the results: with --json only.
REMARKS = {"error", "contradiction", "unused"}
# A schema of a command -> the options with which the command prints this.
VARIANTS = {"scan-count": "scan", "token-claims": "token"}


def commands(group: click.Group, above: str = "") -> dict[str, click.Command]:
    """Return all commands, by the names of their schemas."""
    found = {}
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        found[above + name] = command
        if isinstance(command, click.Group):
            found |= commands(command, f"{above}{name}-")
    return found


def has_option(command: click.Command, option: str) -> bool:
    return any(option in parameter.opts for parameter in command.params)


COMMANDS = commands(fdaa)
WITH_JSON = {name: command for name, command in COMMANDS.items() if has_option(command, "--json")}


def test_each_command_has_a_schema() -> None:
    assert {VARIANTS.get(name, name) for name in NAMES} == set(WITH_JSON)


@pytest.mark.parametrize("name", [*NAMES, "common"])
def test_a_schema_is_valid(name: str) -> None:
    Draft202012Validator.check_schema(schemas.load(name))


def objects(schema: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the kinds of objects that a schema describes."""
    if "anyOf" in schema:
        found = []
        for part in schema["anyOf"]:
            found += objects(part)
        return found
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        part = COMMON.get(name) or schemas.load("probe")["$defs"][name]
        return objects(part)
    return [schema]


def kinds(schema: dict[str, Any]) -> set[str]:
    kind = schema.get("properties", {}).get("kind", {})
    if "const" in kind:
        return {kind["const"]}
    return set(kind.get("enum", []))


@pytest.mark.parametrize("name", NAMES)
def test_a_stream_of_several_kinds_has_the_kind_in_each_object(name: str) -> None:
    found = objects(schemas.load(name))
    if len(found) > 1 and name != "verify":  # one object, with `valid`
        assert all(kinds(each) for each in found)


def offered(command: click.Command) -> set[str]:
    """Return the fields that the help of --field lists."""
    option = next(parameter for parameter in command.params if parameter.name == "fields")
    assert isinstance(option, click.Option)
    _, _, listed = (option.help or "").rstrip(".").partition("NAME: ")
    return set(listed.split(", "))


@pytest.mark.parametrize("name", sorted(set(WITH_JSON) - {"token", "apps-list"}))
def test_each_field_of_a_result_can_be_asked_for(name: str) -> None:
    fields: set[str] = set()
    for schema in NAMES:
        if VARIANTS.get(schema, schema) == name:
            for each in objects(schemas.load(schema)):
                if not kinds(each) & REMARKS:
                    fields.update(each["properties"])
    assert offered(WITH_JSON[name]) == fields


def test_the_fields_of_a_list_are_those_of_its_rows() -> None:
    assert offered(WITH_JSON["apps-list"]) == set(COMMON["app"]["properties"])
    assert offered(WITH_JSON["token"]) == {"any"}


def all_properties(schema: Any, place: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the place and the fields of each object in a schema, however deep."""
    if isinstance(schema, list):
        for number, part in enumerate(schema):
            yield from all_properties(part, f"{place}/{number}")
    if isinstance(schema, dict):
        if schema.get("type") == "object" and "properties" in schema:
            yield place, schema["properties"]
        for key, part in schema.items():
            yield from all_properties(part, f"{place}/{key}")


TYPES = {
    "network_id": "string",
    "network_id_int": "integer",
    "network_name": "string",
    "machine_id": "string",
    "machine_name": "string",
}


@pytest.mark.parametrize("name", [*NAMES, "common"])
def test_a_network_and_a_machine_have_one_name_for_each_of_their_parts(name: str) -> None:
    """`network` is a key of the platform's app list alone."""
    for place, fields in all_properties(schemas.load(name), name):
        assert not {"machine", "net", "network_ids"} & set(fields), place
        assert "network" not in fields or place == "common/$defs/app"
        assert ("network_id" in fields) == ("network_id_int" in fields), place
        for field, type_ in TYPES.items():
            if field in fields:
                types = resolved(fields[field])["type"]
                assert types in (type_, [type_, "null"]), (place, field)


@pytest.mark.usefixtures("documents")
@pytest.mark.parametrize(
    ("call", "columns"),
    [
        ("whois --all", "app,machine_id,network_name,network_id_int,address"),
        ("book list -d book.json", "network_name,network_id_int,prefix"),
    ],
)
def test_a_column_of_csv_has_the_name_of_the_field_in_json(call: str, columns: str) -> None:
    """Not the ID as text: `0:18` is a time of day to readers of CSV."""
    invoke("book", "add", "green", "0:9", "-d", "book.json")
    options = ALL if call.startswith("decode") else ()
    shown = invoke(*call.split(), *options, "--csv").stdout.splitlines()[0]
    assert shown == columns
    record = records(invoke(*call.split(), *options, "--json").stdout)[0]
    assert set(columns.split(",")) <= set(record)


def test_only_these_commands_print_csv() -> None:
    with_csv = {name for name, command in COMMANDS.items() if has_option(command, "--csv")}
    assert with_csv == {"decode", "book-list"}


@pytest.mark.usefixtures("documents")
@pytest.mark.parametrize(
    ("call", "columns"),
    [
        ("decode fdaa:2:45b::3 fdaa:7::3 -d book.json", "address ID network"),
        ("networks", "network ID prefix Machines apps"),
        ("whois fdaa:2:45b::3 fdaa:7::3", "address network ID app Machine"),
        ("whois --all", "address network ID app Machine"),
        ("check allocations -d api=ips.json", "address app network ID"),
        ("book list -d book.json", "network ID prefix"),
        ("scan --count web.json -d book.json", "network ID matches addresses first"),
    ],
)
def test_a_table_for_people_has_a_network_s_name_as_network_and_its_id_as_id(
    call: str, columns: str
) -> None:
    invoke("book", "add", "green", "0:9", "-d", "book.json")
    options = ALL if call.split()[0] in ("networks", "decode", "check") else ()
    head = invoke(*call.split(), *options).stdout.splitlines()[0]
    assert head.split() == columns.split()


@pytest.mark.parametrize(
    ("text", "kind", "address", "prefix"),
    [
        ("FDAA:2:45b::3", "address", "fdaa:2:45b::3", "fdaa:2:45b::/48"),
        ("FDAA:2:45b::/48", "prefix", None, "fdaa:2:45b::/48"),
        ("fdaa:2:45b:a7b::/64", "prefix", None, "fdaa:2:45b:a7b::/64"),
        ("fdaa:2:45b:A7C:0::/64", "prefix", None, "fdaa:2:45b:a7c::/64"),
    ],
)
def test_an_address_or_a_prefix_is_the_same_to_every_command(
    text: str, kind: str, address: str | None, prefix: str
) -> None:
    (decoded,) = records(invoke("decode", "--json", text).stdout)
    (found,) = records(run("scan", "--json", stdin=text.encode()).stdout.decode())
    (verdict,) = records(invoke("same", "--json", text, text).stdout)
    names = ("kind", "address", "network_id", "network_id_int", "prefix")
    wanted = (kind, address, "2:45b", 0x2045B, prefix)
    for row in (decoded, found, *verdict["addresses"]):
        assert tuple(row[name] for name in names) == wanted


def test_the_tests_would_see_a_field_that_no_schema_has() -> None:
    shown = '{"same": true, "addresses": [], "network": "blue"}'
    with pytest.raises(AssertionError, match=r"same\.json"):
        schemas.check("same", shown)
    assert not Draft202012Validator(schemas.load("same")).is_valid({"same": True})
    with pytest.raises(ValidationError):
        Draft202012Validator(COMMON["network_id"]).validate("132187")


def reached(*arguments: str) -> dict[str, Any]:
    verdict: dict[str, Any]
    (verdict,) = records(invoke("reach", *arguments, "--json").stdout)
    return verdict


def test_a_verdict_has_a_sentence_with_each_reason_or_with_none() -> None:
    """A command prints them all, and `Verdict.to_dict()` has none; the schema is one for both."""
    ends = (Address("fdaa:2:45b::3"), NetworkID("7:0"))
    printed = reached(*map(str, ends))
    findings = [*printed["reasons"], *printed["ways"], printed["unless"]]
    assert all(finding["text"] for finding in findings)
    plain = reach(*ends).to_dict()
    schema = schemas.validator("reach")
    assert schema.is_valid(printed)
    assert schema.is_valid(plain)
    assert not schema.is_valid({**printed, "reasons": plain["reasons"]})
    assert not schema.is_valid({**printed, "unless": plain["unless"]})
    assert not schema.is_valid({**plain, "ways": printed["ways"]})


def test_the_schema_has_the_facts_that_each_kind_always_has() -> None:
    verdict = reached("fdaa:2:45b::3", "fdaa:7::3")
    (compared,) = verdict["reasons"]
    assert compared["kind"] == "different-ids"
    for key in set(compared) - {"text"}:
        without = {name: value for name, value in compared.items() if name != key}
        assert not schemas.validator("reach").is_valid({**verdict, "reasons": [without]}), key


# --- --field --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        (("decode", "fdaa::1"), "network"),
        (("networks",), "name"),
    ],
)
def test_a_field_that_is_not_there_is_refused(arguments: tuple[str, ...], field: str) -> None:
    result = invoke(*arguments, "--field", field)
    assert (result.stdout, result.exit_code) == ("", 2)
    assert f"'{field}' is not one of: " in result.stderr


def test_a_dot_leads_into_an_object() -> None:
    log = b"fdaa:2:45b::3\nfdaa:2:45b::4 fdaa:0:18::3\n"
    fields = ("--field", "network_id", "--field", "first.line")
    assert run("scan", "--count", *fields, stdin=log).stdout == b"2:45b\t1\n0:18\t2\n"


def resolved(schema: dict[str, Any]) -> dict[str, Any]:
    """Return what a schema refers to, else the schema."""
    if "$ref" in schema:
        found: dict[str, Any] = COMMON[schema["$ref"].rpartition("/")[2]]
        return found
    return schema


def keys_below(schema: dict[str, Any]) -> list[str]:
    """Return the fields that an object has, `x` for any; none if it is no object."""
    if schema.get("type") != "object":
        return []
    if "propertyNames" in schema:
        return list(schema["propertyNames"]["enum"])
    if schema.get("additionalProperties"):
        return [*schema["properties"], "x", "x.y"]
    return list(schema["properties"])


@pytest.mark.parametrize("name", sorted(set(WITH_JSON) - {"token", "apps-list"}))
def test_a_field_of_a_field_is_one_that_the_schema_has(name: str) -> None:
    (option,) = (each for each in WITH_JSON[name].params if each.name == "fields")
    context = click.Context(WITH_JSON[name])
    for schema in NAMES:
        if VARIANTS.get(schema, schema) == name:
            for each in objects(schemas.load(schema)):
                if kinds(each) & REMARKS:
                    continue
                for field, value in each["properties"].items():
                    below = keys_below(resolved(value))
                    for key in below:
                        assert option.process_value(context, [f"{field}.{key}"])
                    if "x" not in below:
                        with pytest.raises(click.BadParameter, match=rf"'{field}\.x'"):
                            option.process_value(context, [f"{field}.x"])


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("decode fdaa::3 --field prefix.x", "'prefix.x': prefix is not an object"),
        ("reach web api --field reasons.kind", "'reasons.kind': reasons is not an object"),
        ("scan --count --field first.x", "'first.x': first has only file, line"),
        ("scan --count --field first.line.x", "'first.line.x': first has only file, line"),
        ("whoami --field missing.x", "'missing.x': missing has only address, network_id, "),
    ],
)
def test_a_path_that_no_result_has_is_refused(call: str, said: str) -> None:
    result = invoke(*call.split())
    assert (result.stdout, result.exit_code) == ("", 2)
    assert said in result.stderr


def test_a_list_is_json_and_true_is_too() -> None:
    result = invoke("check", "name", "--field", "valid", "--field", "warnings", "default", "a_b")
    assert result.stdout == "true\t[]\nfalse\t[]\n"


def test_scan_prints_fields_of_matches(log: str, other: str) -> None:
    result = invoke("scan", "--field", "line", "--field", "address", log, other)
    assert result.stdout.splitlines() == [
        "2\tfdaa:0:3b99:a7b:7e:3155:9844:2",
        "2\tfdaa::3",
        "3\tfdaa:0:3b99::3",
        "5\tfdaa:0:18::2:3000",
        "1\tfdaa:0:18::9",
    ]
    assert invoke("scan", "--field", "line", "--lines", log).exit_code == 2
    assert "-d" in invoke("scan", "--field", "network_name", log).stderr


def test_a_name_from_outside_is_escaped_in_a_field(tmp_path: Path) -> None:
    path = tmp_path / "a\tb\n.log"
    path.write_bytes(b"fdaa::1\n")
    result = invoke("scan", "--field", "file", "--field", "line", str(path))
    assert result.stdout.endswith("a\\tb\\n.log\t1\n")


@pytest.mark.parametrize("name", [name for name in COMMANDS if has_option(COMMANDS[name], "-q")])
def test_quiet_has_one_meaning(name: str) -> None:
    (quiet,) = (parameter for parameter in COMMANDS[name].params if "-q" in parameter.opts)
    assert isinstance(quiet, click.Option)
    assert quiet.opts == ["-q", "--quiet"]
    assert quiet.help == "Print no results, only errors; use the exit status."


@pytest.mark.usefixtures("documents")
@pytest.mark.parametrize(
    ("call", "status"),
    [
        ("decode fdaa::1", 0),
        ("decode fdaa::1 bad", 2),
        ("decode db:5432", 0),
        (f"decode {Address('fdaa:2:45b::3').reverse_pointer}", 0),
        ("same fdaa:2:45b::1 fdaa:7::1", 1),
        ("same [fdaa:2:45b::1]:80 fdaa:7::1", 1),
        ("whois fdaa:2:45b::3 -d web=web.json", 0),
        ("whois [fdaa:2:45b::3]:80 -d web=web.json", 0),
        ("whois web.internal -d web=web.json", 0),
        ("reach fdaa:2:45b::1 fdaa:7::1", 1),
        ("reach [fdaa:2:45b::1]:80 fdaa:7::1", 1),
        ("reach web.internal:80 fdaa:7::1 -d web=web.json", 1),
        ("networks -d web=web.json --only nosuch", 1),
        ("book list -d book.json nosuch", 1),
        ("networks -d apps.json -d web.json", 0),
        ("networks -d web=web.json -d old=web.json", 1),
        ("book learn -d book.json -d web=web.json -d old=web.json", 1),
        ("check allocations -d api=ips.json", 3),
        ("check name a_b", 1),
        ("scan web.json", 0),
    ],
)
def test_quiet_prints_errors_only(call: str, status: int) -> None:
    invoke("book", "add", "green", "0:9", "-d", "book.json")
    result = invoke(*call.split(), "-q")
    assert (result.stdout, result.exit_code) == ("", status)
    assert bool(result.stderr) == (status == 2)
    assert invoke(*call.split(), "-q", "--json").stdout == ""
