"""Documents in: the kind of each shape, and every file that is no document."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from organizations import parse

from fdaa.networks import (
    DocumentError,
    DocumentKind,
    FileError,
    NetworkMap,
    parse_document,
    read_document,
    read_documents,
)
from fdaa.networks import _reading as reading  # private: a bound of 256 MiB is lowered

WEB = "fdaa:2:45b:a7b:174:db43:d3c6:2"


def records(document: Any) -> str:
    """Return a document's kind and records as a text."""
    said = [f"{app.name} on {app.network_name}" for app in document.apps]
    for machine in document.machines:
        state = ""
        if machine.state is not None:
            state = f" {machine.state}"
        said.append(f"{machine.id} of {machine.app} {machine.address}{state}")
    said += [f"{allocated.address} for {allocated.app}" for allocated in document.allocated]
    return f"{document.kind}: {', '.join(said)}"


M1 = {"id": "m1", "private_ip": WEB}
INSTANCES = f"instance=m1,app=web,ip={WEB},region=sea;instance=m2,app=api,ip=fdaa::3,region=ord"
# As resolvers' tools print a TXT record: strings in quotes, cut anywhere, with escapes.
TXT = rf'"instance=m1,app=web,i" "p={WEB},region=x\059inst\097nce=m2\,app=api,ip=fdaa::3,region=x"'
OF_TOOL = [
    {"Address": "fdaa:1::2", "Type": "private_v6", "Network": {"Name": "blue"}},
    {"Address": "192.0.2.1", "Type": "shared_v4"},
    {"Address": "2001:db8::1", "Type": "v6"},
]
OF_API = {"ips": [{"ip": "fdaa:1::2", "region": "", "shared": False}, {"ip": "2001:db8::1"}]}
API_ROW = {"id": "a", "name": "web", "organization": {}, "network": "b"}

# Shape, as the platform's API and its tools print it -> app given, kind and records.
SHAPES = [
    ({"total_apps": 1, "apps": [API_ROW]}, None, "app-list: web on b"),
    ({"apps": [{"id": "1", "name": "web", "new": {}}]}, None, "app-list: web on default"),
    ([{"NAME": "web", "Network": "b"}], None, "app-list: web on b"),  # keys in any case
    ([{**M1, "name": "n", "state": "started"}], "web", f"machine-list: m1 of web {WEB} started"),
    # one that has no address yet is no fact, and no problem
    ([{"id": "m1", "state": "created"}], "web", "machine-list: m1 of web None created"),
    ([{"id": "m1", "private_ip": None, "state": ""}], "web", "machine-list: m1 of web None"),
    ({"Name": "web", "Machines": [M1]}, None, f"machine-list: m1 of web {WEB}"),
    # newer tools write the network's name
    ({"Name": "web", "Network": "b", "Machines": []}, None, "machine-list: web on b"),
    (f"{INSTANCES};\n".encode(), None, f"machine-list: m1 of web {WEB}, m2 of api fdaa::3"),
    (TXT.encode(), None, f"machine-list: m1 of web {WEB}, m2 of api fdaa::3"),
    (OF_TOOL, "web", "address-list: fdaa:1::2 for web"),
    (OF_API, "web", "address-list: fdaa:1::2 for web"),
    (["fdaa:1::2", "2001:db8::1"], "web", "address-list: fdaa:1::2 for web"),
]


@pytest.mark.parametrize(("value", "app", "expected"), SHAPES)
def test_the_shape_of_a_document_decides_its_kind(
    value: Any, app: str | None, expected: Any
) -> None:
    document = parse(value, app)
    assert records(document) == expected
    assert {unused.what for unused in document.unused} <= {"app"}


@pytest.mark.parametrize(("row", "app"), [(API_ROW, None), (M1, "web"), (OF_TOOL[0], "web")])
def test_a_row_alone_is_not_all_of_a_list(row: Any, app: str | None) -> None:
    alone = parse(row, app)
    listed = parse([row], app)
    assert (alone.is_whole, listed.is_whole) == (False, True)
    assert records(alone) == records(listed)


def test_an_empty_list_shows_nothing_unless_its_kind_is_given() -> None:
    unclear = parse_document("[]", file="f", app="web")
    machines = parse_document("[]", file="f", app="web", kind=DocumentKind.MACHINE_LIST)
    assert not NetworkMap([unclear]).has_machine_list("web")
    assert NetworkMap([machines]).has_machine_list("web")


# --- networks of apps -----------------------------------------------------------------------------


# The networks in a list of the command-line tool -> the networks of the two apps.
TOLD: list[tuple[list[dict[str, Any]], list[str | None]]] = [
    ([{"Network": ""}, {}], [None, None]),
    ([{"Network": "blue"}, {"Network": ""}], ["blue", "default"]),
    ([{"Network": "blue"}, {}], ["blue", "default"]),
]


@pytest.mark.parametrize(("networks", "told"), TOLD)
def test_a_tools_list_in_which_no_app_has_a_network_tells_of_none(networks: Any, told: Any) -> None:
    document = parse([{"Name": "web", "Status": "x", **network} for network in networks])
    assert [app.network_name for app in document.apps] == told
    assert bool(document.unused) == (told == [None, None])
    for problem in document.unused:
        assert "use the response to GET /v1/apps?org_slug=ORG" in problem.reason
    assert document.left_out == 0


def test_a_status_document_with_a_wrong_network_has_its_machines() -> None:
    document = parse({"Name": "web", "Network": 5, "Machines": [M1]})
    (problem,) = document.unused
    assert (problem.place, "not a number" in problem.reason) == ("Network", True)
    assert len(document.machines) == 1


# --- what is refused ------------------------------------------------------------------------------

# A document, the app that it is given for -> why it is refused.
WRONG_APP = [
    ({"Name": "web", "Machines": []}, "api", "about app 'web', not 'api'"),
    ({"apps": [{"name": "web"}]}, "api", "already names its apps; drop 'api'"),
    ({"apps": [], "Machines": []}, None, "more than one of 'apps', 'Machines' and 'ips'"),
]


@pytest.mark.parametrize(("value", "app", "reason"), WRONG_APP)
def test_a_document_is_of_one_kind_and_of_the_app_that_it_names(
    value: Any, app: str | None, reason: str
) -> None:
    with pytest.raises(DocumentError, match=reason):
        parse(value, app)


# A file that is no document -> what its error says.
REFUSED = [
    (b"", "empty"),
    (b"apps: web", "this is text, not a document"),
    (b'{"apps": [', "cut off?"),
    (
        b'{"apps": []} {"apps": []}',
        "not JSON: there is more text after its end, at line 1, column 14",
    ),
    (b'{"apps": [1 2]}', "not JSON: expected a comma, at line 1, column 13"),
    (b'{"apps": [], "apps": []}', "'apps' appears twice"),
    (b"[" * 100_000, "nested too deep"),
    (b"\xef\xbb\xbf[]", "byte order mark"),
    ("[]".encode("utf-16"), "UTF-16"),
    (b'{"Name": "caf\xe9"}', "not UTF-8: byte 0xe9 at offset 13"),
    (b"{}", "nothing in it: expected"),
    (b'[{"Name": "web"}]', "unrecognized array"),
    (b"NAME    OWNER     STATUS\nweb     personal  deployed\n", "export it as JSON"),
    (b'{"Name": "web", "Machines": "m"}', "Machines: it must be an array"),
    (
        b'{"\x1b[31m": []}',
        "not JSON: a control character in a text",
    ),  # a control character is no JSON
    (b'{"\\u001b[31m": []}', r"'\x1b[31m'"),  # and an escaped one is not printed raw
]


@pytest.mark.parametrize(("data", "reason"), REFUSED, ids=[row[1] for row in REFUSED])
def test_a_file_that_is_no_document_is_refused(data: bytes, reason: str) -> None:
    with pytest.raises(DocumentError) as caught:
        parse_document(data, file="my file.json")
    assert caught.value.file == "my file.json"
    assert isinstance(caught.value, ValueError)
    assert reason in caught.value.reason
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 600


# --- reading --------------------------------------------------------------------------------------


def test_a_list_of_one_app_without_its_app_is_a_warning() -> None:
    for content, noun in (([M1], "Machine list"), (["fdaa:1::1"], "address list")):
        text = json.dumps(content)
        (warning,) = parse_document(text, file="list.json").unused
        assert f"this {noun} does not name its app" in warning.reason
        named = parse_document(text, file="list.json", app="web")
        assert named.unused == ()
    assert NetworkMap([parse_document(text, file="list.json")]).unused == (warning,)
    for other in (INSTANCES, json.dumps({"Name": "web", "Machines": [M1]}), "[]"):
        assert parse_document(other, file="list.json").unused == ()


def test_a_file_that_cannot_be_read_is_the_error_of_open(tmp_path: Path) -> None:
    unreadable: dict[str | Path, str] = {
        tmp_path / "none.json": "No such file or directory",
        tmp_path: "Is a directory",
    }
    for path, reason in unreadable.items():
        with pytest.raises(OSError, match=reason) as caught:
            read_document(path)
        assert caught.value.filename == str(path)
        assert not isinstance(caught.value, ValueError)
        (refused,) = read_documents([("web", path)]).unusable
        assert (type(refused), refused.file) == (FileError, str(path))
        assert refused.reason == caught.value.strerror


def test_what_is_longer_than_the_bound_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "MAX_BYTES", 100_000)
    (tmp_path / "long.json").write_bytes(b" " * 100_001)
    for path in (tmp_path / "long.json", "/dev/zero"):
        with pytest.raises(DocumentError, match="longer than"):
            read_document(path)
        with Path(path).open("rb") as stream, pytest.raises(DocumentError, match="longer than"):
            read_document(stream, file="standard input")


@pytest.mark.parametrize("text", ["null", '{"apps": null}', '{"ips": null}'])
def test_null_where_a_list_may_stand_is_an_empty_list_as_go_writes_it(text: str) -> None:
    app: str | None = "web"
    if "apps" in text:
        app = None
    found = parse_document(text.encode(), file="f", app=app)
    emptied = parse_document(text.replace("null", "[]").encode(), file="f", app=found.app)
    assert found == emptied
    assert not found.unused
