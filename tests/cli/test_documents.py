"""The option --documents: what is read, what is said of the rest, and the status."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
from command import call, records
from example_documents import EXAMPLES, WEB

pytestmark = pytest.mark.usefixtures("documents")

MACHINES = (EXAMPLES / "machines-web.json").read_bytes()


def app_of(options: str, stdin: bytes | None = None, **variables: str) -> str | None:
    """Return the app that has the address of the app `web`, by these documents."""
    (record,) = records(call(f"decode {WEB} --json {options}", stdin, **variables).out)
    app: str | None = record.get("app")
    return app


def write(name: str, value: object) -> None:
    Path(name).write_text(json.dumps(value))


# --- what is read ---------------------------------------------------------------------------------


def test_the_app_of_a_list_comes_from_the_option_or_the_name_of_the_file() -> None:
    shutil.copy(EXAMPLES / "machines-web.json", "list.json")
    assert app_of("-d web=list.json") == "web"
    assert app_of("-d docs/machines/web.json") == "web"
    assert app_of("-d other=docs/machines/web.json") == "other"
    assert app_of("-d list.json") is None
    assert "APP=PATH" in call(f"decode {WEB} -d list.json").err


def test_a_name_with_an_equals_sign_may_be_a_file() -> None:
    shutil.copy(EXAMPLES / "machines-web.json", "a=b.json")
    shutil.copy(EXAMPLES / "apps.json", "apps=b.json")
    assert app_of("-d web=a=b.json") == "web"
    assert call("networks -d apps=b.json").status == 0


def test_standard_input_is_read_once() -> None:
    assert app_of("-d web=-", MACHINES) == "web"
    assert app_of("-d docs -d -", b"[]") == "web"
    twice = call("networks -d - -d web=-", MACHINES)
    assert (twice.status, "only once" in twice.err) == (2, True)
    assert call("decode -d - -", b"[]").status == 2


def test_the_environment_has_documents_for_each_command() -> None:
    both = os.pathsep.join(["docs/apps.json", "docs/machines/web.json"])
    assert app_of("", FDAA_DOCUMENTS=f"{both}{os.pathsep}") == "web"  # an empty part is none
    assert app_of("", FDAA_DOCUMENTS="") is None
    assert app_of("-d docs/apps.json", FDAA_DOCUMENTS=both) is None  # the option wins
    assert call("networks", FDAA_DOCUMENTS="docs").status == 0
    assert "customer-17" in call("web", FDAA_DOCUMENTS="docs").out  # a lone word


def test_same_and_build_take_no_documents() -> None:
    for line in ("same fdaa::1 fdaa::2", "build 2:45b"):
        wrong = call(f"{line} -d docs")
        assert (wrong.status, "No such option '-d'" in wrong.err) == (2, True)
        assert call(line, FDAA_DOCUMENTS="missing").err == ""


# --- what cannot be used --------------------------------------------------------------------------

# Commands whose answer rests on documents, and those whose answer may do without.
NEEDING = ("networks", "reach web worker", "check allocations", "decode web")
NOT_NEEDING = (f"explain {WEB}", f"decode {WEB}", "scan log", "probe [::1]:1")


@pytest.mark.parametrize("line", [*NEEDING, *NOT_NEEDING])
def test_an_option_that_cannot_be_used_is_named_once_and_the_status_is_2(line: str) -> None:
    Path("log").write_bytes(b"fdaa::1\n")
    Path("broken.json").write_text("{")
    for file in ("missing.json", "broken.json"):
        called = call(f"{line} -d docs -d {file}")
        assert called.status == 2
        assert called.err.count(file) == 1
        assert called.out or line.startswith("decode web")  # it answers from the others


@pytest.mark.parametrize("line", NEEDING)
def test_the_environment_counts_where_the_answer_rests_on_it(line: str) -> None:
    broken = os.pathsep.join(["docs", "missing.json"])
    called = call(line, FDAA_DOCUMENTS=broken)
    assert (called.status, called.err.count("missing.json")) == (2, 1)


@pytest.mark.parametrize("line", NOT_NEEDING)
def test_in_the_environment_a_fault_is_a_note_where_the_answer_does_without(line: str) -> None:
    Path("log").write_bytes(b"fdaa::1\n")
    plain = call(line)
    called = call(line, FDAA_DOCUMENTS="missing.json")
    assert called.status == plain.status
    assert "FDAA_DOCUMENTS: missing.json: No such file" in called.err
    quiet = call(f"{line} -q", FDAA_DOCUMENTS="missing.json")
    assert "missing.json" not in quiet.err


def test_a_verdict_says_that_a_document_is_not_whole() -> None:
    write("machines-web.json", [{"id": "1", "private_ip": "10.0.0.1"}])
    line = "reach web reports -d docs/apps.json -d machines-web.json"
    called = call(line)
    assert (called.status, "by the documents that can be used" in called.out) == (2, True)
    assert "10.0.0.1" in called.err
    (record,) = records(call(f"{line} --json").out)
    assert record["incomplete"]


def test_warnings_are_ten_and_a_number_and_in_json_all() -> None:
    rows = [{"Name": f"app-{number}", "Network": f"{number}x"} for number in range(15)]
    write("apps.json", rows)
    called = call("networks -d apps.json")
    assert called.err.count("warning: ") == 10
    assert "5 more" in called.err
    assert call("networks -d apps.json -q").err == ""
    kinds = [each["kind"] for each in records(call("networks --json -d apps.json").out)]
    assert kinds.count("unused") == 15


# --- what is typed again --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "again"),
    [
        ("-d worker=x.json -d 'my docs' -d docs", "-d worker=x.json -d 'my docs' -d docs"),
        ("-d docs -d web=/dev/stdin", "-d docs -d web=FILE"),
        ("-d docs -d -", "-d docs -d FILE"),
    ],
)
def test_a_suggested_command_has_the_same_documents(options: str, again: str) -> None:
    Path("my docs").mkdir()
    shutil.copy("old.json", "my docs")
    write("x.json", [])
    called = call(f"'dial tcp [{WEB}]:5432: i/o timeout' {options}", MACHINES)
    assert f"fdaa probe '[{WEB}]:5432' {again}\n" in called.out


def test_documents_of_the_environment_are_not_typed_again() -> None:
    called = call(f"'dial tcp [{WEB}]:5432: i/o timeout'", FDAA_DOCUMENTS="docs")
    assert f"fdaa probe '[{WEB}]:5432'\n" in called.out
