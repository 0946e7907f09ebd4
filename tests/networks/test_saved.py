"""Saved networks: the union of a file and of documents, and what they disagree about."""

from __future__ import annotations

import json
import os
import random
from typing import TYPE_CHECKING, Any

import pytest
from organizations import messy_organization, parse

from fdaa import NetworkName
from fdaa.networks import (
    App,
    Document,
    DocumentError,
    DocumentKind,
    NetworkMap,
    parse_document,
    reach,
    read_document,
    save_networks,
)

if TYPE_CHECKING:
    from pathlib import Path


def shown(name: str, network_id: str, app: str) -> list[Document]:
    """Return documents that show a name and an ID together."""
    machine = {"id": f"m-{app}", "private_ip": f"fdaa:{network_id}::3"}
    return [parse([{"Name": app, "Network": name}]), parse([machine], app)]


BLUE = shown("blue", "2:45b", "web")
RED = shown("red", "7:0", "api")


def lines_of(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))["networks"]
    return found


def test_a_file_gets_what_is_new_and_keeps_what_it_has(tmp_path: Path) -> None:
    path = tmp_path / "networks.json"
    saved = save_networks(path, BLUE)
    assert [(entry.name, entry.app) for entry in saved.added] == [("blue", "web")]
    line = lines_of(path)["blue"]
    assert (line["network_id"], line["app"], line["address"]) == ("2:45b", "web", "fdaa:2:45b::3")
    day = line["learned_on"]
    assert day.startswith("20")
    # What people add stays, too: the file is changed where it says less than the documents.
    by_hand = {"fdaa_networks": 1, "note": "ours", "networks": {"blue": {**line, "owner": "ops"}}}
    path.write_text(json.dumps(by_hand), "utf-8")
    saved = save_networks(path, [*BLUE, *RED])
    assert [entry.name for entry in saved.added] == ["red"]
    assert lines_of(path)["blue"] == {**line, "owner": "ops"}
    assert json.loads(path.read_text("utf-8"))["note"] == "ours"
    before = path.stat()
    assert save_networks(path, RED).added == ()
    assert path.stat().st_ino == before.st_ino  # nothing was written


def test_a_network_whose_apps_are_gone_stays_known_and_no_list_gets_complete(
    tmp_path: Path,
) -> None:
    path = tmp_path / "networks.json"
    save_networks(path, BLUE)
    joined = NetworkMap([read_document(path), *RED])
    row = joined.by_name("blue")
    assert row is not None
    assert (str(row.network_id), row.apps) == ("2:45b", ())
    assert list(joined.apps) == ["api"]
    assert not joined.has_machine_list("web")
    assert reach(App("web"), NetworkName("blue"), joined).same_network is True


# Documents after BLUE was saved -> the networks that are disputed.
@pytest.mark.parametrize(
    ("documents", "disputed"),
    [
        (shown("blue", "9:0", "web"), ["blue"]),  # a name with another ID
        (shown("green", "2:45b", "web"), ["blue", "green"]),  # an ID with another name
    ],
)
def test_a_disputed_network_is_named_and_not_saved(
    tmp_path: Path, documents: list[Document], disputed: list[str]
) -> None:
    path = tmp_path / "networks.json"
    save_networks(path, BLUE)
    before = lines_of(path)
    saved = save_networks(path, [*documents, *RED])
    assert [row.name for row in saved.disputed] == disputed
    assert [entry.name for entry in saved.added] == ["red"]
    after = lines_of(path)
    assert after.pop("red")
    assert after == before
    assert saved.networks.contradictions


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ('{"apps": []}', "document of another kind (app-list)"),
        ('{"fdaa_networks": 2, "networks": {}}', "written by a newer fdaa"),
        ('{"fdaa_networks": 1, "networks": {"blue": {"network_id": "x"}}}', "networks: 'blue'"),
        (
            '{"fdaa_networks": 1, "networks": {"b": {"network_id": "2:45b", "network_id_int": 3}}}',
            "'network_id_int' must be 132187",
        ),
    ],
)
def test_a_file_with_something_else_is_not_replaced(
    tmp_path: Path, content: str, reason: str
) -> None:
    path = tmp_path / "networks.json"
    path.write_text(content, "utf-8")
    with pytest.raises(DocumentError) as caught:
        save_networks(path, BLUE)
    assert reason in str(caught.value)
    assert path.read_text("utf-8") == content


def test_a_pipe_or_a_device_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)  # as `--save /dev/stdout` in a pipeline
    with pytest.raises(OSError, match="not a regular file"):
        save_networks(path, BLUE)


def test_a_network_written_by_hand_needs_its_name_and_its_id_only() -> None:
    text = '{"fdaa_networks": 1, "networks": {"blue": {"network_id": "0x2045b"}}}'
    joined = NetworkMap([parse_document(text, file="networks.json")])
    row = joined.by_id("2:45b")
    assert row is not None
    assert row.name == "blue"


def test_what_any_documents_join_is_saved_and_read_again(tmp_path: Path) -> None:
    choose = random.Random(5)
    for number in range(20):
        path = tmp_path / f"{number}.json"
        _, drawn = messy_organization(choose)
        documents = [each for each in drawn if each.kind is not DocumentKind.SAVED_NETWORKS]
        shown = [(row.name, row.network_id, row.apps) for row in NetworkMap(documents).networks]
        save_networks(path, documents)
        again = save_networks(path, documents)
        pairs = {(entry.name, entry.network_id) for entry in read_document(path).saved}
        assert pairs == {(name, id_) for name, id_, _ in shown if None not in (name, id_)}
        assert again.added == ()
        # With what was saved, the same documents show the same.
        after = [(row.name, row.network_id, row.apps) for row in again.networks.networks]
        assert after == shown
