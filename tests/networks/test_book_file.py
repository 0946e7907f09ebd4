"""The book on disk: where it can be, who may write it, one at a time, whole after any death."""

from __future__ import annotations

import fcntl
import os
import random
import re
import signal
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from books import (
    IS_ROOT,
    NOBODY,
    fact,
    files_beside,
    held,
    in_child,
    in_children,
    learn,
    lock_of,
    mode_of,
    without_privileges,
)

import fdaa
from fdaa import NetworkID
from fdaa.networks import Book, BookError, Fact
from fdaa.networks import (
    _book_file as book_file,
)  # private: shortens a wait of 30 s

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

PACKAGE = str(Path(fdaa.__file__).parent)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "networks.json"


@pytest.fixture
def nobodys() -> Iterator[Path]:
    """A directory of somebody without privileges; pytest's own are closed to all but its user."""
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        if IS_ROOT:
            os.chown(directory, NOBODY, NOBODY)
        yield directory
        directory.chmod(0o700)


def test_without_flock_a_book_is_read_and_never_written(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    learn(path, [fact("blue", 1)])
    monkeypatch.setattr(book_file, "fcntl", None)
    assert held(path) == {"blue": 1}
    with pytest.raises(BookError, match="no flock"):
        learn(path, [fact("green", 2)])
    assert held(path) == {"blue": 1}


def test_a_file_where_the_lock_should_be_is_left_alone(path: Path) -> None:
    lock_of(path).write_text("a list of locks\n")
    learn(path, [fact("green", 2)])
    assert lock_of(path).read_text() == "a list of locks\n"


@pytest.mark.parametrize("make", [os.symlink, os.link], ids=["a symbolic link", "a hard link"])
def test_a_lock_that_is_another_file_is_refused_and_keeps_its_access(
    path: Path, tmp_path: Path, make: Callable[[Path, Path], None]
) -> None:
    learn(path, [fact("blue", 1)])
    path.chmod(0o644)
    other = tmp_path / "id_ed25519"
    other.touch(mode=0o600)
    lock_of(path).unlink()
    make(other, lock_of(path))
    with pytest.raises(BookError, match=r"json\.lock' is a link or not a regular file; delete it"):
        learn(path, [fact("green", 2)])
    assert (held(path), mode_of(other)) == ({"blue": 1}, 0o600)
    path.unlink()
    with pytest.raises(BookError, match="delete it"):
        learn(path, [fact("green", 2)])
    assert not path.exists()


def test_a_lock_that_is_a_fifo_is_refused(path: Path) -> None:
    os.mkfifo(lock_of(path))
    with pytest.raises(BookError, match="is a link or not a regular file; delete it"):
        learn(path, [fact("blue", 1)])
    assert files_beside(path) == [path.name + ".lock"]


def test_a_fifo_is_no_book_to_change_and_nobody_waits_for_it(path: Path) -> None:
    os.mkfifo(path)
    with pytest.raises(BookError, match="must be a regular file"):
        learn(path, [fact("blue", 1)])
    assert files_beside(path) == []


def test_a_lock_has_the_mode_of_its_book(path: Path) -> None:
    """Who cannot read a book cannot open its lock, and so cannot hold up its writers."""
    learn(path, [fact("blue", 1)])
    assert mode_of(lock_of(path)) == mode_of(path)
    for mode in (0o600, 0o640):  # as a person changes it
        path.chmod(mode)
        learn(path, [fact(f"green-{mode}", mode)])
        assert mode_of(lock_of(path)) == mode
    lock_of(path).unlink()
    learn(path, [fact("red", 3)])
    assert mode_of(lock_of(path)) == 0o640


def test_a_writer_does_not_wait_for_ever(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(book_file, "PATIENCE", 0.1)
    with lock_of(path).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(BookError, match=re.escape(f"'{lock_of(path)}'"[:60])):
            learn(path, [fact("blue", 1)])
    assert not path.exists()


def test_a_lock_is_opened_for_writing_as_network_file_systems_need_it(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There flock is a lock of bytes, and an exclusive one is refused for a read-only file."""
    flock = fcntl.flock
    modes = []

    def of_network_file_system(lock: int, operation: int) -> None:
        modes.append(fcntl.fcntl(lock, fcntl.F_GETFL) % 4)  # O_ACCMODE
        flock(lock, operation)

    monkeypatch.setattr(book_file.fcntl, "flock", of_network_file_system)
    learn(path, [fact("blue", 1)])
    learn(path, [fact("green", 2)])
    assert modes == [os.O_RDWR] * 2


# Where a book is asked for -> why it cannot be there; the system itself finds no such place.
@pytest.mark.parametrize(
    ("place", "reason"),
    [
        ("nope/b.json", "No such file"),
        ("a-file/../b.json", "Not a directory"),
        (".", "Is a directory"),
        ("there/..", "Is a directory"),
        ("to-nope", "No such file"),
        ("circle", "Too many levels of symbolic links"),
        ("a\0b", "embedded null byte"),
    ],
)
def test_a_place_that_cannot_hold_a_book_is_an_error_and_nothing_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str, reason: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a-file").touch()
    Path("there").mkdir()
    Path("to-nope").symlink_to("nope/b.json")
    Path("circle").symlink_to("circle")
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(OSError, match=reason):
        Book.load(place)
    with pytest.raises(BookError, match=reason):
        learn(Path(place), [fact("blue", 1)])
    assert sorted(tmp_path.rglob("*")) == before


def test_in_a_deleted_working_directory_no_book_is_made(tmp_path: Path) -> None:
    def work() -> None:
        gone = tmp_path / "gone"
        gone.mkdir()
        os.chdir(gone)
        gone.rmdir()
        with pytest.raises(FileNotFoundError):
            Book.load("b.json")
        with pytest.raises(BookError, match="No such file"):
            learn(Path("b.json"), [fact("blue", 1)])
        learn(tmp_path / "b.json", [fact("blue", 1)])

    assert os.waitpid(in_child(work), 0)[1] == 0
    assert held(tmp_path / "b.json") == {"blue": 1}


@pytest.mark.skipif(not IS_ROOT, reason="only root can make a book of another group")
@pytest.mark.parametrize("mode", [0o660, 0o640, 0o644, 0o604], ids=oct)
def test_a_book_whose_group_cannot_be_kept_is_its_writers_alone(nobodys: Path, mode: int) -> None:
    path = nobodys / "networks.json"
    learn(path, [fact("blue", 1)])
    os.chown(path, NOBODY, 5678)
    path.chmod(mode)
    lock_of(path).unlink()
    without_privileges(lambda: learn(path, [fact("green", 2)]))
    assert (path.stat().st_gid, mode_of(path)) == (NOBODY, 0o600)


def test_somebody_elses_book_can_be_written_without_privileges(nobodys: Path) -> None:
    path = nobodys / "networks.json"
    learn(path, [fact("blue", 1)])  # as root, where the tests run so
    path.chmod(0o644)
    lock_of(path).unlink()
    without_privileges(lambda: learn(path, [fact("green", 2)]))
    assert held(path) == {"blue": 1, "green": 2}


def test_a_new_book_has_the_mode_of_any_new_file(path: Path) -> None:
    before = os.umask(0o027)
    try:
        learn(path, [fact("blue", 1)])
    finally:
        os.umask(before)
    assert mode_of(path) == 0o640


def test_owner_file_mode_and_symbolic_links_are_kept(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    real = tmp_path / "a" / "real.json"
    link = tmp_path / "link.json"
    link.symlink_to("a/real.json")
    learn(link, [fact("blue", 1)])  # through a link to nothing yet
    owner = (os.getuid(), os.getgid())
    if IS_ROOT:
        owner = (1234, 5678)
    os.chown(real, *owner)
    real.chmod(0o640)
    learn(link, [fact("green", 2)])
    assert link.is_symlink()
    assert (real.stat().st_uid, real.stat().st_gid, mode_of(real)) == (*owner, 0o640)
    assert held(real) == {"blue": 1, "green": 2}


def test_a_full_disk_leaves_the_book_as_it_was(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    learn(path, [fact("blue", 1)])

    def full(_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(BookError, match="No space left"):
        learn(path, [fact("green", 2)])
    assert held(path) == {"blue": 1}
    assert files_beside(path) == [path.name + ".lock"]


def test_a_book_that_could_not_be_read_again_is_not_written(path: Path) -> None:
    learn(path, [fact("blue", 1)])
    before = path.read_bytes()
    wrong: Any = "fdaa::1g"  # a type checker refuses it: an address is no text
    with pytest.raises(BookError, match="nothing was written: networks: 'green': 'fdaa::1g' is"):
        learn(path, [Fact(name="green", network_id=NetworkID(2), address=wrong)])
    assert path.read_bytes() == before
    assert files_beside(path) == [path.name + ".lock"]


def killed_at_line(count: int, work: Callable[[], object]) -> bool:
    """Do the work in a process that SIGKILL ends at the `count`th line of the package."""

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        if not frame.f_code.co_filename.startswith(PACKAGE):
            return None
        if event == "line":
            count -= 1
            if count == 0:
                os.kill(os.getpid(), signal.SIGKILL)
        return trace

    def traced() -> None:
        sys.settrace(trace)
        work()
        sys.settrace(None)

    _, status = os.waitpid(in_child(traced), 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0
    return os.WIFSIGNALED(status)


@pytest.mark.slow
@pytest.mark.parametrize(
    "first", [pytest.param({}, id="a new book"), pytest.param({"blue": 1}, id="an old one")]
)
def test_a_writer_killed_at_any_line_leaves_the_book_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: Any
) -> None:
    monkeypatch.setattr(os, "fsync", lambda _: None)  # it is for power failures, and slow
    count = left = 0
    seen = set()
    killed = True
    while killed:
        count += 1
        path = tmp_path / f"{count}.json"
        if first:
            learn(path, [fact("blue", first["blue"])])
            path.chmod(0o600)
        killed = killed_at_line(count, partial(learn, path, [fact("green", 2)]))
        unfinished = list(tmp_path.glob(".fdaa-*"))
        for file in unfinished:
            left += 1
            assert mode_of(file) == 0o600 or not first
            file.unlink()
        after = {}
        if path.exists():
            after = held(path)
        assert after in (first, {**first, "green": 2})
        seen.add(len(after))
        assert learn(path, [fact("red", 3)])  # the lock is free, what was left is no obstacle
        assert held(path) == {**after, "red": 3}
        assert list(tmp_path.glob(".fdaa-*")) == []
    assert count > 30
    assert left > 3 or not first
    assert seen == {len(first), len(first) + 1}


def test_eight_writers_at_once_lose_no_fact(path: Path) -> None:
    def write(writer: int) -> None:
        for i in range(5):
            learn(path, [fact(f"network-{writer}-{i}", writer * 100 + i)])
            Book.load(path)

    in_children([partial(write, writer) for writer in range(8)])
    expected = {}
    for writer in range(8):
        for i in range(5):
            expected[f"network-{writer}-{i}"] = writer * 100 + i
    assert held(path) == expected


WRITERS = 8
CHANGES = 200  # that each writer makes


def changed(path: Path | None, writer: int) -> dict[str, int]:
    """Add, remove and rename networks of this writer's own, and return what is left of them.

    Args:
        path: of the book, which must have all of them after each change; None for no book.
        writer: its number, which all of its names begin with.
    """
    choose = random.Random(writer)
    own: dict[str, int] = {}
    for number in range(CHANGES):
        new = f"w{writer}-{number}"
        id_ = writer * CHANGES + number + 1
        change = "add"
        old = ""
        if own:
            change = choose.choice(("add", "add", "remove", "rename"))
            old = choose.choice(sorted(own))
        if change != "add":
            id_ = own.pop(old)
        if change != "remove":
            own[new] = id_
        if path is not None:
            change_book(path, change, old, new, id_)
            held_by_writer = {}
            for name, held_id in held(path).items():
                if name.startswith(f"w{writer}-"):
                    held_by_writer[name] = held_id
            assert held_by_writer == own
    return own


def change_book(path: Path, change: str, old: str, new: str, id_: int) -> None:
    with Book.edit(path) as book:
        if change == "add":
            book.add([fact(new, id_)])
        elif change == "remove":
            book.remove(old)
        else:
            book.rename(old, new)


@pytest.mark.campaign
def test_of_eight_processes_at_one_book_no_change_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "networks.json"
    in_children([partial(changed, path, writer) for writer in range(WRITERS)])
    expected = {}
    for writer in range(WRITERS):
        left = changed(None, writer)
        assert left
        expected.update(left)
    assert held(path) == expected
