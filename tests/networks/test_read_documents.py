"""Many documents at once: those of directories, and what cannot be read beside the others."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fdaa.networks import NetworkMap
from fdaa.networks._read_documents import read_documents

if TYPE_CHECKING:
    from fdaa.networks._read_documents import ReadResult

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


def test_what_is_known_of_a_file_is_used() -> None:
    save("list.json", WEB)
    save("none.json", [])
    read = read_documents(
        [
            ("web", "list.json"),
            ("api", "none.json"),
            io.BytesIO(json.dumps(APPS).encode()),
        ]
    )
    assert read.unusable == ()
    assert [(document.file, document.app) for document in read.documents] == [
        ("list.json", "web"),
        ("none.json", "api"),
        ("stream", None),
    ]


def test_a_file_that_cannot_be_used_does_not_stop_the_next() -> None:
    Path("cut.json").write_text("[{", encoding="utf-8")
    read = read_documents(["missing.json", "cut.json"])
    assert read.documents == ()
    assert [error.file for error in read.unusable] == ["missing.json", "cut.json"]


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


def test_a_directory_has_no_app() -> None:
    assert refused(read_documents([("web", "machines")])) == [("machines", "Is a directory")]


def test_an_app_that_only_a_file_name_has_is_no_fact() -> None:
    save("machines-2026-11-28.json", WEB)
    (dated,) = read_documents(["machines-2026-11-28.json"]).documents
    assert (dated.app, dated.machines[0].app) == (None, None)
    assert [unused.what.is_error for unused in dated.unused] == [False]
    (named,) = read_documents([("web", "machines-2026-11-28.json")]).documents
    assert (named.app, named.machines[0].app, named.unused) == ("web", "web", ())


def test_a_name_that_is_not_utf_8_is_readable() -> None:
    save(os.fsdecode(b"machines/\xff.json"), WEB)
    read = read_documents(["machines"], apps=["web", r"\xff"])
    assert [document.app for document in read.documents] == ["web", r"\xff"]
    assert read.documents[1].file == r"machines/\xff.json"
