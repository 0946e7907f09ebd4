"""The book: what it holds, what contradicts it, and how a person corrects it."""

from __future__ import annotations

import json
import pickle
import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from books import book_of, fact, held, learn

from fdaa import FdaaError
from fdaa.networks import (
    Book,
    BookConflictError,
    BookError,
    Entry,
    NetworkMap,
    Origin,
    Rule,
    parse_document,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "networks.json"


def test_a_book_gives_back_what_it_learned(path: Path) -> None:
    facts = [fact("blue", 0x2045B), fact("default", 0)]
    assert learn(path, facts) == facts
    read = Book.load(path)
    assert read["blue"].network_id == 0x2045B
    assert read.name_of(0x2045B) == "blue"
    assert read["default"].network_id == 0
    assert read.name_of(0) == "default"
    assert read.name_of("2:45b") == read.name_of("0x2045b") == "blue"
    assert ("Blue" in read, read.name_of(5), len(read)) == (False, None, 2)
    blue = read["blue"]
    assert (blue.app, str(blue.address)) == ("web", "fdaa:2:45b::3")
    assert "from apps.json: apps[0].network" in blue.provenance
    value = json.loads(path.read_text())  # a person reads it: a line for each network
    assert (value["fdaa_book"], value["networks"]["blue"]["network_id"]) == (1, "2:45b")
    assert len(path.read_text().splitlines()) == 7


def test_a_book_keeps_which_app_told_a_name_and_when(path: Path) -> None:
    before = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    learn(path, [fact("blue", 1), fact("green", 2, "api")])
    read = Book.load(path)
    (green,) = read.learned_from("api")
    assert green.name == "green"
    assert read.learned_from("nobody") == ()
    learned = green.learned_on or ""
    assert before <= learned <= time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    assert f"learned on {learned[:10]} from apps.json" in read["green"].provenance
    assert learn(path, [fact("green", 2, "other")]) == []  # who told it first stays
    assert Book.load(path).learned_from("other") == ()


def remove(path: Path, name: str) -> Entry:
    with Book.edit(path) as book:
        return book.remove(name)


def rename(path: Path, old: str, new: Any) -> Entry:
    with Book.edit(path) as book:
        return book.rename(old, new)


@pytest.mark.parametrize("change", [partial(remove, name="a"), partial(rename, old="a", new="b")])
def test_a_change_that_is_refused_writes_nothing(
    path: Path, change: Callable[[Path], object]
) -> None:
    with pytest.raises(BookError, match="not have network 'a'"):
        change(path)
    assert not path.exists()
    learn(path, [fact("blue", 1)])
    before = path.stat()
    with pytest.raises(BookError, match="not have network 'a'"):
        change(path)
    after = path.stat()  # its time of access may differ
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def remove_and_raise(path: Path, error: Any) -> None:
    with Book.edit(path) as book:
        book.remove("blue")
        raise error


def test_a_book_is_changed_only_while_it_is_edited(path: Path) -> None:
    with Book.edit(path) as edited:
        edited.add([fact("blue", 1)])
    for book in (Book.load(path), edited):
        for change in (
            partial(book.add, [fact("green", 2)]),
            partial(book.remove, "blue"),
            partial(book.rename, "blue", "red"),
        ):
            with pytest.raises(
                BookError, match=r"it is read-only here; .*`with Book\.edit\(path\)"
            ):
                change()
        assert [new.name for new in book.new_facts([fact("blue", 1), fact("green", 2)])] == [
            "green"
        ]
        assert list(book) == ["blue"]
    assert held(path) == {"blue": 1}


def test_an_edit_is_written_once_at_its_end_and_not_after_an_exception(path: Path) -> None:
    with Book.edit(path) as book:
        book.add([fact("blue", 1)])
        assert not path.exists()
        book.add([fact("green", 2)])
    assert held(path) == {"blue": 1, "green": 2}
    before = path.stat()
    for error in (ZeroDivisionError("of the caller"), OSError("of the caller")):
        with pytest.raises(type(error), match="of the caller"):
            remove_and_raise(path, error)
    with Book.edit(path) as book:
        assert "blue" in book
    after = path.stat()  # its time of access may differ; nothing changed, so nothing was written
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_a_book_is_a_mapping_and_takes_no_path() -> None:
    book = book_of(("blue", 0x2045B, "web"), ("green", 2, None))
    assert [*book] == ["blue", "green"]
    assert book["blue"].network_id == 0x2045B
    assert book.get("red") is None
    assert len(Book()) == 0
    with pytest.raises(TypeError):
        Book("networks.json")  # type: ignore[call-arg]


# What the book has, what is learned -> the rule that this breaks.
@pytest.mark.parametrize(
    ("new", "rule", "shown"),
    [
        ([fact("blue", 2)], Rule.NAME_HAS_TWO_IDS, {("blue", 1), ("blue", 2)}),
        ([fact("green", 1)], Rule.ID_HAS_TWO_NAMES, {("blue", 1), ("green", 1)}),
        ([fact("red", 7), fact("red", 8)], Rule.NAME_HAS_TWO_IDS, {("red", 7), ("red", 8)}),
        ([fact("red", 7), fact("pink", 7)], Rule.ID_HAS_TWO_NAMES, {("red", 7), ("pink", 7)}),
    ],
)
def test_a_fact_that_contradicts_the_book_is_refused_with_both_shown(
    path: Path, new: Any, rule: str, shown: Any
) -> None:
    learn(path, [fact("blue", 1)])
    before = path.read_bytes()
    with pytest.raises(BookConflictError, match="was not changed") as caught:
        learn(path, [fact("other", 9), *new])
    (contradiction,) = caught.value.contradictions
    assert contradiction.rule == rule
    assert {(each.name, each.network_id) for each in contradiction.facts} == shown
    assert pickle.loads(pickle.dumps(caught.value)).contradictions == (contradiction,)
    assert path.read_bytes() == before


def test_a_book_without_a_file_is_called_the_book() -> None:
    book = Book()
    with pytest.raises(BookError, match=r"^the book: it does not have network 'blue'$"):
        book.remove("blue")
    with pytest.raises(BookConflictError, match=r"^the book was not changed: "):
        book.add([fact("blue", 1), fact("blue", 2)])


def test_a_network_is_renamed_and_keeps_its_id(path: Path) -> None:
    learn(path, [fact("blue", 1), fact("green", 2)])
    rename(path, "blue", "red")
    assert held(path) == {"red": 1, "green": 2}
    assert Book.load(path).name_of(1) == "red"
    learned_on = Book.load(path).learned_from("web")[0].learned_on
    assert learned_on is not None
    today = learned_on[:10]
    provenance = f"renamed by hand from blue; learned on {today} from apps.json: apps[0].network"
    assert Book.load(path)["red"].provenance == provenance
    facts = {fact.name: fact for fact in Book.load(path).facts()}
    assert facts["red"].origins == (Origin(file=str(path), place=f"networks.red ({provenance})"),)
    rename(path, "red", "pink")
    assert "renamed by hand from blue, red;" in Book.load(path)["pink"].provenance
    assert "renamed" not in Book.load(path)["green"].provenance
    remove(path, "pink")
    assert held(path) == {"green": 2}
    assert len(learn(path, [fact("red", 1)])) == 1


def test_what_was_added_by_hand_is_kept(path: Path) -> None:
    added = {"comment": ["ours", {"by": "\udcff"}], "owner": None}
    row = {"network_id": "0:1", "network_id_int": 1, "comment": {"x": 1.5}, "app": 7}
    path.write_text(json.dumps({**added, "fdaa_book": 1, "networks": {"a": row}}))
    learn(path, [fact("blue", 2)])
    remove(path, "blue")
    rename(path, "a", "b")
    assert json.loads(path.read_text()) == {
        **added,
        "fdaa_book": 1,
        "networks": {"b": {**row, "renamed_from": "a"}},
    }


def test_a_number_that_cannot_be_kept_is_refused_and_the_book_stays(path: Path) -> None:
    path.write_text('{"fdaa_book": 1, "ours": 1e999, "networks": {}}')
    before = path.read_bytes()
    with pytest.raises(BookError, match="number that is too large"):
        learn(path, [fact("blue", 2)])
    assert path.read_bytes() == before


def test_what_is_nested_too_deep_to_be_kept_is_refused(path: Path) -> None:
    """How deep that is differs between Pythons: what can be written is kept."""
    text = '{"fdaa_book": 1, "x": ' + "[" * 900 + "]" * 900 + ', "networks": {}}'
    path.write_text(text)
    refusal = ""
    try:
        learn(path, [fact("blue", 2)])
    except BookError as error:
        refusal = str(error)
    kept = path.read_text()
    if refusal:
        assert "nested too deeply" in refusal
        assert kept == text
    else:
        assert json.loads(kept)["x"] == json.loads(text)["x"]


def test_facts_are_added_all_or_none() -> None:
    known = Book()
    too_large: Any = 2**32
    for wrong in (replace(fact("green", 2), network_id=too_large), fact("7", 2)):
        with pytest.raises(FdaaError):
            known.add([fact("blue", 1), wrong])
        assert (len(known), known.name_of(1), "blue" in known) == (0, None, False)


def test_a_book_learns_from_documents_and_completes_others(path: Path) -> None:
    apps = parse_document(b'{"apps": [{"name": "web", "network": "blue"}]}', file="apps.json")
    machines = parse_document(b'[{"id": "m", "private_ip": "fdaa::7:3"}]', file="m.json", app="web")
    learn(path, NetworkMap([apps, machines]).bindings())
    blue = NetworkMap([apps], Book.load(path)).by_name("blue")
    assert blue is not None
    assert blue.network_id == 0
    other = parse_document(
        b'[{"id": "m", "private_ip": "fdaa:1::3"}]', file="other.json", app="web"
    )
    (found,) = NetworkMap([apps, other], Book.load(path)).contradictions
    assert found.rule == Rule.NAME_HAS_TWO_IDS
    first, second = found.facts
    assert {first.origins[0].file, second.origins[0].file} == {str(path), "apps.json"}


ROW = '{"network_id": "0:1", "network_id_int": 1}'


def book_with(networks: Any, more: Any = "") -> Any:
    return f'{{"fdaa_book": 1, {more}"networks": {{{networks}}}}}'


# What is in the file -> why it is refused.
REFUSED = [
    ("", "empty"),
    ('{"fdaa_book": 1, "networks": {', "not JSON"),
    ('{"apps": []}', "not a book"),
    ("[]", "not a book"),
    ('{"fdaa_book": "1", "networks": {}}', "not a book"),
    ('{"fdaa_book": true, "networks": {}}', "not a book"),
    ('{"fdaa_book": 0, "networks": {}}', "not a book"),
    ('{"fdaa_book": 2, "networks": {}}', "written by a newer fdaa"),
    ('{"fdaa_book": 1, "networks": []}', "must be an object"),
    ('{"fdaa_book": 1}', "must be an object"),
    (book_with('"b": 5'), "'None' is not a network ID"),
    (book_with('"b": {}'), "'None' is not a network ID"),
    (book_with(f'"a": [{ROW}]'), "'None' is not a network ID"),
    (book_with(f'"9": {ROW}'), "must start with a letter"),
    (book_with(f'"": {ROW}'), "it is empty"),
    (book_with(f'"a": {ROW}, "b": {ROW}'), "networks 'a' and 'b' have the same ID"),
    (book_with(f'"a": {ROW.replace("0:1", "0:2")}'), "'network_id_int' must be 2"),
    (book_with(f'"a": {ROW.replace("1}", "4294967296}")}'), "'network_id_int' must be 1"),
    (book_with(f'"a": {ROW.replace("1}", "-1}")}'), "'network_id_int' must be 1"),
    (book_with(f'"a": {ROW.replace("1}", "null}")}'), "'network_id_int' must be 1"),
    (book_with('"a": {"network_id": "0:1", "network_id_int": "1"}'), "'network_id_int' must be 1"),
    # A key that is there twice, wherever it is.
    (book_with("", '"fdaa_book": 1, '), "'fdaa_book' appears twice"),
    (book_with("", '"networks": {}, '), "'networks' appears twice"),
    (book_with("", '"x": [{"y": 1, "y": 1}], '), "'y' appears twice"),
    (book_with(f'"a": {ROW}, "\\u0061": {ROW}'), "'a' appears twice"),
    (book_with(f'"a": {ROW[:-1]}, "network_id": "0:2"}}'), "'network_id' appears twice"),
]


@pytest.mark.parametrize(("text", "reason"), REFUSED, ids=range(len(REFUSED)))
def test_a_file_that_is_no_book_is_refused_and_never_rewritten(
    path: Path, text: str, reason: str
) -> None:
    path.write_text(text)
    for use in (Book.load, partial(learn, facts=[fact("z", 5)]), partial(remove, name="a")):
        with pytest.raises(BookError) as caught:
            use(path)
        assert reason in caught.value.reason
        assert caught.value.file == str(path)
    assert path.read_text() == text
