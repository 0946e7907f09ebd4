"""Many documents at once: those of directories, and what cannot be read beside the others."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fdaa.networks import DocumentKind, NetworkMap, read_documents

if TYPE_CHECKING:
    from fdaa.networks._reading import ReadResult

APPS = [{"Name": "web", "Network": "blue"}, {"Name": "api", "Network": "red"}]
WEB = [{"id": "m1", "private_ip": "fdaa:2:45b::3"}]


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    save("apps.json", APPS)
    (tmp_path / "machines").mkdir()
    save("machines/web.json", WEB)


def save(file: str, value: object) -> None:
    Path(file).write_text(json.dumps(value), encoding="utf-8")


def refused(read: ReadResult) -> list[tuple[str, str]]:
    return [(error.file, error.reason) for error in read.unusable]


def test_files_and_directories_make_one_map() -> None:
    read = read_documents(["apps.json", Path("machines")])
    assert read.unusable == ()
    assert [document.app for document in read.documents] == [None, "web"]
    network = NetworkMap(read.documents).by_name("blue")
    assert network is not None
    assert str(network.network_id) == "2:45b"


def test_a_file_in_a_directory_that_cannot_be_used_does_not_stop_the_next() -> None:
    os.mkfifo("machines/fifo.json")  # to open it would wait for a writer
    Path("machines/link.json").symlink_to("nowhere")
    Path("machines/README").write_text("not a document", encoding="utf-8")
    read = read_documents(["machines"], apps=["web"])
    assert [document.app for document in read.documents] == ["web"]
    assert refused(read) == [
        ("machines/link.json", "No such file or directory"),
    ]


def test_a_directory_without_documents_is_refused() -> None:
    Path("empty").mkdir()
    assert refused(read_documents(["empty"])) == [
        ("empty", "it has no files named *.json or *.txt")
    ]
    save("empty/package.json", {"name": "x"})
    assert refused(read_documents(["empty"])) == [
        ("empty", "none of its files is a document: 'package.json'")
    ]


def test_an_app_that_only_a_file_name_mentions_keeps_its_facts_with_one_note() -> None:
    save("machines-2026-11-28.json", WEB)
    save("addresses-2026-11-28.json", [])
    save("machines-wbe.json", [])
    read = read_documents(["machines-2026-11-28.json", "addresses-2026-11-28.json"])
    assert [document.app for document in read] == ["2026-11-28", "2026-11-28"]
    assert NetworkMap(read).apps == {"2026-11-28"}
    (note,) = read.notes
    assert not note.what.is_error
    assert note.reason.startswith("app '2026-11-28' is in no other document")
    (note,) = read_documents(["apps.json", "machines-wbe.json"]).notes
    assert note.reason.endswith("; did you mean web?")
    for known in (["apps.json", "machines/web.json"], [("web", "machines-2026-11-28.json")]):
        assert read_documents(known).notes == ()


@pytest.mark.parametrize(
    ("file", "kind"),
    [
        ("machines-web.json", DocumentKind.MACHINE_LIST),
        ("lists/addresses/web.json", DocumentKind.ADDRESS_LIST),
        ("other-web.json", DocumentKind.EMPTY_LIST),
    ],
)
def test_the_name_of_a_file_says_what_an_empty_list_lists(file: str, kind: DocumentKind) -> None:
    Path(file).parent.mkdir(parents=True, exist_ok=True)
    save(file, None)
    (document,) = read_documents([file])
    assert document.kind is kind
    assert document.app == (None if kind is DocumentKind.EMPTY_LIST else "web")


def test_what_a_document_itself_says_is_stronger_than_the_name_of_its_file() -> None:
    save("machines-web.json", {"Name": "api", "Machines": WEB})
    save("addresses-web.json", WEB)  # Machines
    save("machines-api.json", APPS)
    read = read_documents(["machines-web.json", "addresses-web.json", "machines-api.json"])
    assert (read.unusable, read.notes) == ((), ())
    found = [(document.kind.value, document.app) for document in read]
    assert found == [("machine-list", "api"), ("machine-list", "web"), ("app-list", None)]


def test_a_directory_is_its_documents_and_other_files_are_one_note() -> None:
    save("saved.json", {"fdaa_networks": 1, "networks": {}})
    save("package.json", {"name": "x", "scripts": {}})
    save("numbers.json", [1, 2])
    Path("notes.txt").write_text("Call  the  platform", encoding="utf-8")
    Path("instances.txt").write_text("instance=m2,app=api,ip=fdaa:7::3", encoding="utf-8")
    Path("app.log").write_text("{", encoding="utf-8")
    read = read_documents(["."])
    assert read.unusable == ()
    kinds = sorted(document.kind.value for document in read)
    assert kinds == ["app-list", "machine-list", "machine-list", "saved-networks"]
    (note,) = read.notes
    assert not note.what.is_error
    for file in ("notes.txt", "numbers.json", "package.json"):
        assert file in note.reason
    # Given itself, each of them is an error, and so is a broken one in a directory.
    given = read_documents(["package.json", "notes.txt"])
    assert [error.file for error in given.unusable] == ["package.json", "notes.txt"]
    Path("apps.json").write_text('{"apps": [{"name"', encoding="utf-8")
    (error,) = read_documents(["."]).unusable
    assert (Path(error.file).name, "cut off?" in error.reason) == ("apps.json", True)
