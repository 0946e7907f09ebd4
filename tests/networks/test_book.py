"""The book: what it holds, what contradicts it, and how a person corrects it."""

import json
import pickle
import time

import pytest
from books import fact, files_beside, held, lock_of

from fdaa import FdaaError
from fdaa.networks import (
    Book,
    BookConflictError,
    BookError,
    BookMissingError,
    NetworkMap,
    Origin,
    Rule,
    change_book,
    learn,
    parse_document,
)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "networks.json"


def test_a_book_gives_back_what_it_learned(path):
    facts = [fact("blue", 0x2045B), fact("default", 0)]
    assert learn(path, facts) == facts
    read = Book.load(path)
    assert (read.id_of("blue"), read.name_of(0x2045B)) == (0x2045B, "blue")
    assert (read.id_of("default"), read.name_of(0)) == (0, "default")
    assert read.name_of("2:45b") == read.name_of("0x2045b") == "blue"
    assert (read.id_of("Blue"), read.name_of(5), len(read)) == (None, None, 2)
    (blue, _) = read
    assert (blue.app, blue.address) == ("web", "fdaa:2:45b::3")
    assert "from apps.json: apps[0].network" in blue.origins[0].place
    value = json.loads(path.read_text())  # a person reads it: a line for each network
    assert (value["fdaa_book"], value["networks"]["blue"]["network_id"]) == (1, "2:45b")
    assert len(path.read_text().splitlines()) == 7


def test_a_book_keeps_which_app_told_a_name_and_when(path):
    before = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    learn(path, [fact("blue", 1), fact("green", 2, "api")])
    read = Book.load(path)
    assert [each.name for each in read.told_by("api")] == ["green"]
    assert read.told_by("nobody") == []
    learned = read.told_by("api")[0].learned_on
    assert before <= learned <= time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    assert f"learned on {learned[:10]} from apps.json" in read.fact("green").origins[0].place
    assert learn(path, [fact("green", 2, "other")]) == []  # who told it first stays
    assert Book.load(path).told_by("other") == []


def remove(path, name):
    return change_book(path, lambda book: book.remove(name))


def rename(path, old, new):
    return change_book(path, lambda book: book.rename(old, new))


@pytest.mark.parametrize("change", [lambda p: remove(p, "a"), lambda p: rename(p, "a", "b")])
def test_a_change_that_is_refused_leaves_nothing_behind(path, change):
    with pytest.raises(BookMissingError) as caught:
        change(path)
    assert isinstance(caught.value.__cause__, FileNotFoundError)
    assert [*path.parent.iterdir()] == []
    learn(path, [fact("blue", 1)])
    lock_of(path).unlink()
    with pytest.raises(BookError, match="no network 'a'"):
        change(path)
    assert files_beside(path) == []


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
def test_a_fact_that_contradicts_the_book_is_refused_with_both_shown(path, new, rule, shown):
    learn(path, [fact("blue", 1)])
    before = path.read_bytes()
    with pytest.raises(BookConflictError, match="was not changed") as caught:
        learn(path, [fact("other", 9), *new])
    (contradiction,) = caught.value.contradictions
    assert contradiction.rule == rule
    assert {(each.name, each.network_id) for each in contradiction.evidence} == shown
    assert pickle.loads(pickle.dumps(caught.value)).contradictions == (contradiction,)
    assert path.read_bytes() == before


def test_a_network_is_renamed_and_keeps_its_id(path):
    learn(path, [fact("blue", 1), fact("green", 2)])
    rename(path, "blue", "red")
    assert held(path) == {"red": 1, "green": 2}
    assert Book.load(path).name_of(1) == "red"
    today = Book.load(path).told_by("web")[0].learned_on[:10]
    assert Book.load(path).fact("red").origins == (
        Origin(
            str(path),
            f"networks.red (renamed by hand from blue; learned on {today}"
            " from apps.json: apps[0].network)",
        ),
    )
    rename(path, "red", "pink")
    assert "renamed by hand from blue, red;" in Book.load(path).fact("pink").origins[0].place
    assert "renamed" not in Book.load(path).fact("green").origins[0].place
    remove(path, "pink")
    assert held(path) == {"green": 2}
    assert len(learn(path, [fact("red", 1)])) == 1


def test_what_was_added_by_hand_is_kept(path):
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


def test_a_number_that_cannot_be_kept_is_refused_and_the_book_stays(path):
    path.write_text('{"fdaa_book": 1, "ours": 1e999, "networks": {}}')
    before = path.read_bytes()
    with pytest.raises(BookError, match="too large"):
        learn(path, [fact("blue", 2)])
    assert path.read_bytes() == before


def test_what_is_nested_too_deep_to_be_kept_is_refused(path):
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


def test_facts_are_added_all_or_none():
    known = Book("networks.json")
    for wrong in (fact("green", 2)._replace(network_id=2**32), fact("7", 2)):
        with pytest.raises(FdaaError):
            known.add([fact("blue", 1), wrong])
        assert (len(known), known.name_of(1), known.id_of("blue")) == (0, None, None)


def test_a_book_learns_from_documents_and_completes_others(path):
    apps = parse_document(b'{"apps": [{"name": "web", "network": "blue"}]}', "apps.json")
    machines = parse_document(b'[{"id": "m", "private_ip": "fdaa::7:3"}]', "m.json", "web")
    learn(path, NetworkMap([apps, machines]).facts())
    assert NetworkMap([apps], Book.load(path)).by_name("blue").network_id == 0
    other = parse_document(b'[{"id": "m", "private_ip": "fdaa:1::3"}]', "other.json", "web")
    (found,) = NetworkMap([apps, other], Book.load(path)).contradictions
    assert found.rule == Rule.NAME_HAS_TWO_IDS
    assert {each.origins[0].file for each in found.evidence} == {str(path), "apps.json"}


ROW = '{"network_id": "0:1", "network_id_int": 1}'


def book_with(networks, more=""):
    return f'{{"fdaa_book": 1, {more}"networks": {{{networks}}}}}'


# What is in the file -> why it is refused.
REFUSED = [
    ("", "empty"),
    ('{"fdaa_book": 1, "networks": {', "not JSON"),
    ('{"apps": []}', "not a book"),
    ("[]", "not a book"),
    ('{"fdaa_book": "1", "networks": {}}', "not a book"),
    ('{"fdaa_book": true, "networks": {}}', "not a book"),
    ('{"fdaa_book": 2, "networks": {}}', "a newer program wrote it"),
    ('{"fdaa_book": 1, "networks": []}', "must be an object"),
    ('{"fdaa_book": 1}', "must be an object"),
    (book_with('"b": 5'), "must be a number of 32 bits"),
    (book_with('"b": {}'), "must be a number of 32 bits"),
    (book_with(f'"a": [{ROW}]'), "must be a number of 32 bits"),
    (book_with(f'"9": {ROW}'), "must start with a letter"),
    (book_with(f'"": {ROW}'), "it is empty"),
    (book_with(f'"a": {ROW}, "b": {ROW}'), "networks 'a' and 'b' have the same ID"),
    (book_with(f'"a": {ROW.replace("0:1", "0:2")}'), "'network_id' must be '0:1'"),
    *(
        (book_with(f'"a": {ROW[:-2]}{number}}}'), "must be a number of 32 bits")
        for number in ("true", "4294967296", "-1", "1.0", '"1"')
    ),
    # A key that is there twice, wherever it is.
    (book_with("", '"fdaa_book": 1, '), "'fdaa_book' appears twice"),
    (book_with("", '"networks": {}, '), "'networks' appears twice"),
    (book_with("", '"x": [{"y": 1, "y": 1}], '), "'y' appears twice"),
    (book_with(f'"a": {ROW}, "\\u0061": {ROW}'), "'a' appears twice"),
    (book_with(f'"a": {ROW[:-1]}, "network_id": "0:2"}}'), "'network_id' appears twice"),
]


@pytest.mark.parametrize(("text", "reason"), REFUSED, ids=range(len(REFUSED)))
def test_a_file_that_is_no_book_is_refused_and_never_rewritten(path, text, reason):
    path.write_text(text)
    for use in (Book.load, lambda path: learn(path, [fact("z", 5)]), lambda p: remove(p, "a")):
        with pytest.raises(BookError) as caught:
            use(path)
        assert reason in caught.value.reason
        assert caught.value.text == str(path)
    assert path.read_text() == text
