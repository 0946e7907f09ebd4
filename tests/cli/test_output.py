"""What all commands print alike: JSON, fields, nothing; and nothing raw."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from command import call, records, shell
from example_documents import WEB

from fdaa import Address
from fdaa.explain import Compared, decode
from fdaa.networks import NetworkMap, find_holder, read_documents
from fdaa.scan import count, find_in_file

pytestmark = pytest.mark.usefixtures("documents")

LINES = (
    f"explain {WEB} -d docs",
    f"decode {WEB} self -d docs",
    f"same {WEB} fdaa::1",
    "build 2:45b ::2",
    "scan a.log",
    "scan -c a.log",
    "networks -d docs",
    "reach web reports -d docs",
    "probe [::1]:1",
    "check allocations -d docs",
    "check name a-b",
)


@pytest.mark.parametrize("line", LINES)
def test_json_is_ascii_and_a_field_is_that_of_the_json(line: str) -> None:
    Path("a.log").write_bytes(b"peer fdaa:2:45b::9 \xc3\xa4\n")
    printed = call(f"{line} --json", PLATFORM_PRIVATE_IP=WEB).out  # `call` checks it by its schema
    assert printed.isascii()
    *_, record = records(printed)
    options = " ".join(f"--field {name}" for name in record)
    *_, shown = call(f"{line} {options}", PLATFORM_PRIVATE_IP=WEB).out.splitlines()
    for value, cell in zip(record.values(), shown.split("\t"), strict=True):
        if value is None:
            assert cell == ""
        elif isinstance(value, str):
            assert cell == value
        else:
            assert json.loads(cell) == value


def test_results_without_a_field_are_left_out() -> None:
    called = call("decode --field app fdaa::1")
    assert (called.status, called.out) == (0, "")


def test_a_program_gets_what_the_command_prints() -> None:
    networks = NetworkMap(read_documents(["docs"]).documents)
    (decoded,) = decode(Address(WEB), networks)
    assert f"{decoded}\n" == call(f"decode {WEB} -d docs").out
    (record,) = records(call(f"decode {WEB} -d docs --json").out)
    assert record == {"input": WEB, **decoded.to_dict()}
    pair = [decode(Address(text))[0] for text in (WEB, "fdaa::1")]
    assert f"{Compared(tuple(pair))}\n" == call(f"same {WEB} fdaa::1").out
    holders = records(call("networks -d docs --addresses --json").out)
    assert holders == [find_holder(each, networks).to_dict() for each in sorted(networks.addresses)]
    rows = records(call("networks -d docs --json").out)
    assert rows == [row.to_dict() for row in networks.networks]
    Path("a.log").write_bytes(b"peer [FDAA:2:45b::9]:80\nfdaa:0:18::/48\n")
    matches = list(find_in_file("a.log"))
    lines = [f"{match}\t{match.value.network_id}\n" for match in matches]
    assert "".join(lines) == call("scan a.log").out
    found = records(call("scan --json a.log").out)
    assert found == [{"file": "a.log", **match.to_dict()} for match in matches]
    counts = records(call("scan -c --json a.log").out)
    assert counts == [row.to_dict() for row in count(["a.log"])]


def test_control_characters_of_documents_are_escaped() -> None:
    name = "a\x1b[31m"
    apps = [{"Name": name, "Network": "blue"}, {"Name": "b\nforged", "Network": "1\x9bx"}]
    Path("apps.json").write_text(json.dumps(apps))
    machines = [{"id": "m\x1b", "state": "st\x1b", "private_ip": "fdaa:9:9::1"}]
    Path("list.json").write_text(json.dumps(machines))
    options = f"-d apps.json -d '{name}'=list.json"
    for line in (
        f"networks {options} --why",
        f"networks {options} --addresses --field app --field machine_id",
        f"networks {options} --format mermaid",
        f"networks {options} --field apps --field network_name",
        f"decode '{name}' {options}",
        f"decode fdaa:9:9::1 {options}",
        f"explain fdaa:9:9::1 {options}",
        f"reach '{name}' 'b\nforged' {options}",
        f"check allocations {options}",
        f"check name '{name}'",
    ):
        called = call(line)
        assert "\x1b" not in called.out + called.err, line
        assert "\x9b" not in called.out + called.err
        assert "\nforged" not in called.out + called.err


def test_a_fault_of_fdaa_is_one_line_and_status_3(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fdaa.cli.commands.decode.read_end", None)
    called = call("decode fdaa::1")
    assert (called.status, called.out) == (3, "")
    assert re.fullmatch(r"fdaa: internal error: TypeError: .*, line \d+\)\n", called.err)


def test_output_that_cannot_be_written_is_an_error() -> None:
    result = shell("fdaa decode fdaa::1 > /dev/full")
    assert result.stderr == b"fdaa: standard output: No space left on device\n"
    assert result.returncode == 2
