"""One large file on several cores: the same pieces, in the same order, as on one.

The file is cut into parts at line ends. A worker process answers a part as a whole, so that what a
killed worker had begun is not printed; a few parts more than there are workers are under way.
"""

from __future__ import annotations

import io
import os
import pickle
import signal
import threading
from collections import deque
from contextlib import contextmanager, suppress
from itertools import accumulate, cycle, repeat
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

from fdaa.scan._blocks import BLOCK, read_blocks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from multiprocessing.connection import Connection

    from fdaa.scan._blocks import Block
    from fdaa.scan._count import Count, PartCount
    from fdaa.scan._report import Piece

    Render = Callable[..., Iterator[Piece]]  # takes blocks, and `line`

Item = TypeVar("Item")
Answer = TypeVar("Answer")

PART = 4 * 1024 * 1024
# What is counted in a part is sent and added up once, so a few large ones are faster.
COUNTED_PART = 8 * PART
_COUNTED_PARTS = 4  # of a worker
# A line so long is read here, piece by piece: a worker's answer is as long.
_LONG = 4 * PART
MOST = 64


class NoWorkersError(Exception):
    """No process can be started."""


class Part(NamedTuple):
    """Whole lines of a file: where they begin and end, in bytes."""

    begin: int
    end: int


class _PartOfFile(io.RawIOBase):
    """Reads a part of an open file, whose own position neither matters nor changes."""

    def __init__(self, descriptor: int, part: Part) -> None:
        self._descriptor = descriptor
        self._at, self._end = part

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        count = os.preadv(self._descriptor, [buffer[: self._end - self._at]], self._at)
        self._at += count
        return count


def read_part(descriptor: int, part: Part) -> Iterator[Block]:
    """Read a part of an open file, block by block."""
    return read_blocks(_PartOfFile(descriptor, part))


def parts(descriptor: int, whole: Part, size: int = PART) -> Iterator[Part]:
    """Cut a part of an open file into smaller ones at line ends; longer where a line is."""
    begin, end = whole
    while begin < end:
        at = begin + size - 1  # where a line ends there, the part is full
        newline = -1
        while newline < 0 and at < end:
            piece = os.pread(descriptor, BLOCK, at)
            newline = piece.find(b"\n")
            at = at + newline + 1 if newline >= 0 else at + len(piece) if piece else end
        yield Part(begin, min(at, end))
        begin = at


def output(
    descriptor: int, whole: Part, render: Render, jobs: int, *, numbered: bool, size: int = PART
) -> Iterator[tuple[Iterable[Piece], int]]:
    """Yield, part by part, what `render` yields, and how many bytes it is for.

    Args:
        descriptor: of an open regular file.
        whole: what of it to read.
        render: a function of `fdaa.scan._report`, its options bound.
        jobs: how many processes.
        numbered: whether `render` needs the number of the first line.
        size: of a part, in bytes.

    Raises:
        NoWorkersError: no process can be started.
        OSError: the file cannot be read, or a worker was killed.
    """

    def here(numbered_part: tuple[Part, int]) -> Iterator[Piece] | None:
        part, line = numbered_part
        is_long = part.end - part.begin > _LONG
        return render(read_part(descriptor, part), line=line) if is_long else None

    with _pool(jobs, descriptor, render) as pool:
        first_lines: Iterable[int] = repeat(1)
        if numbered:
            counts = _in_order(pool, _line_feeds, parts(descriptor, whole, size))
            first_lines = accumulate((count for _, count in counts), initial=1)
        numbered_parts = zip(parts(descriptor, whole, size), first_lines, strict=False)
        for (part, _), pieces in _in_order(pool, _pieces, numbered_parts, here):
            yield pieces, part.end - part.begin


def count(
    descriptor: int,
    whole: Part,
    counter: Count,
    name: str,
    jobs: int,
    size: int = COUNTED_PART,
) -> Iterator[tuple[PartCount, int]]:
    """Yield, part by part, what is counted in a file, and how many bytes it is of.

    Args:
        descriptor, whole, jobs, size: as in `output`.
        counter: an empty count; each worker has its own copy.
        name: of the file, for the places.

    Raises:
        NoWorkersError, OSError: as in `output`.
    """
    with _pool(jobs, descriptor, counter) as pool:
        size = max(size, (whole.end - whole.begin) // (jobs * _COUNTED_PARTS))
        cut = ((part, name) for part in parts(descriptor, whole, size))
        for (part, _), counted in _in_order(pool, _count, cut):
            yield counted, part.end - part.begin


# --- in a worker ----------------------------------------------------------------------------------

_descriptor: int  # both set once in each worker
_work: object


def _serve(connection: Connection, descriptor: int, work: object) -> None:
    """Answer what the parent asks, in order, until it ends this process."""
    global _descriptor, _work
    _descriptor, _work = descriptor, work
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent to answer
    threading.Thread(target=_end_with_parent, daemon=True).start()
    while True:
        function, item = connection.recv()
        try:
            connection.send((function(item), None))
        except (OSError, MemoryError) as error:  # nothing of the answer is sent yet
            connection.send((None, error))


def _end_with_parent() -> None:
    from multiprocessing import connection, parent_process

    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


def _pieces(numbered_part: tuple[Part, int]) -> list[Piece]:
    part, line = numbered_part
    render = cast("Render", _work)
    return list(render(read_part(_descriptor, part), line=line))


def _line_feeds(part: Part) -> int:
    return sum(block.line_feeds(block.begin, block.end) for block in read_part(_descriptor, part))


def _count(named_part: tuple[Part, str]) -> PartCount:
    part, name = named_part
    counter = cast("Count", _work)
    return counter.take_part(counter.read(read_part(_descriptor, part), name))


# --- the pool -------------------------------------------------------------------------------------


class _Worker:
    """A process with a pipe of its own: where it is killed in the middle of an answer, that ends.

    It is forked, and so has the open file and what `work` refers to.
    """

    def __init__(self, descriptor: int, work: object) -> None:
        import multiprocessing  # late, as it takes longer to load than most scans take

        context = multiprocessing.get_context("fork")
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, descriptor, work))
        try:
            self._process.start()
        finally:
            theirs.close()  # no process that is forked later may have it
        self._asked = self._received = 0
        self._replies: dict[int, tuple[Any, Exception | None]] = {}

    def ask(self, function: Callable[[Item], Answer], item: Item) -> Callable[[], Answer]:
        """Let it work; return what waits for the answer, or raises its OSError or MemoryError."""
        with _killed_is_an_error():
            # Not `send`: where it fails, what it leaves behind is complained of by Python 3.12.
            self._connection.send_bytes(pickle.dumps((function, item)))
        number = self._asked
        self._asked += 1
        return lambda: self._answer(number)

    def _answer(self, number: int) -> Any:
        while number not in self._replies:
            with _killed_is_an_error():
                self._replies[self._received] = self._connection.recv()
            self._received += 1
        answer, error = self._replies.pop(number)
        if error is not None:
            raise error
        return answer

    def kill(self) -> None:
        self._process.kill()
        self._process.join()
        self._connection.close()


@contextmanager
def _killed_is_an_error() -> Iterator[None]:
    try:
        yield
    except (EOFError, OSError):  # the other end of the pipe is closed
        raise OSError("a worker process was killed") from None


@contextmanager
def _pool(jobs: int, descriptor: int, work: object) -> Iterator[list[_Worker]]:
    """Start workers; end them when nobody wants their answers any more.

    Until then a closed standard output is a BrokenPipeError.
    """
    # The parent writes to pipes that a killed worker had the other end of.
    at_closed_pipe = signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    pool: list[_Worker] = []
    try:
        try:
            while len(pool) < jobs:
                pool.append(_Worker(descriptor, work))
        except (OSError, ValueError) as error:
            raise NoWorkersError from error
        yield pool
    finally:
        for worker in pool:
            worker.kill()
        signal.signal(signal.SIGPIPE, at_closed_pipe)


def _in_order(
    pool: list[_Worker],
    work: Callable[[Item], Answer],
    items: Iterable[Item],
    here: Callable[[Item], Answer | None] = lambda _: None,
) -> Iterator[tuple[Item, Answer]]:
    """Yield items with their answers, in order; a few are worked out ahead.

    Args:
        pool: of workers, who take turns.
        work: what a worker does.
        items: what it is done to.
        here: does it in this process, or returns None.
    """
    ahead: deque[tuple[Item, Callable[[], Answer]]] = deque()
    turns = cycle(pool)
    for item in items:
        answer = here(item)
        if answer is None:
            ahead.append((item, next(turns).ask(work, item)))
        else:
            ahead.append((item, lambda answer=answer: answer))  # type: ignore[misc]
        if len(ahead) > len(pool) + 1:
            item, result = ahead.popleft()
            yield item, result()
    for item, result in ahead:
        yield item, result()


def cores() -> int:
    """Return how many cores this process may use."""
    with suppress(AttributeError):  # a system without it
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
