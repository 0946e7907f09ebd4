"""One large file on several cores: the same pieces, in the same order, as on one.

The file is cut into parts at line ends. A worker process answers a part as a whole, so that what a
killed worker had begun is not printed; a few parts more than there are workers are under way.

Answers come through temporary files. What the pool itself sends is so short that it arrives whole
or not at all: of a longer answer, it would wait for ever for what a killed worker had not sent.
"""

from __future__ import annotations

import os
import pickle
import signal
import threading
from collections import deque
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from itertools import accumulate, cycle, repeat
from math import ceil
from tempfile import TemporaryFile, gettempdir
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from fdaa.scan._blocks import BLOCK, read_blocks
from fdaa.scan._count import Count

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator
    from concurrent.futures import Executor

    from fdaa.scan._blocks import Block
    from fdaa.scan._report import Filter, Piece

    Render = Callable[..., Iterator[Piece]]  # takes blocks, and `line`

Item = TypeVar("Item")
Result = TypeVar("Result")

PART = 4 * 1024 * 1024
# What is counted in a part is sent and added up once, so the parts are as large as a bar allows.
COUNTED_PART = 64 * PART
# A line so long is read here, piece by piece: a worker's answer is as long.
_LONG = 4 * PART
MOST = 64
# Bytes of an answer that goes through the pool's pipe: with the hundred that the pool adds, fewer
# than the 512 that every pipe takes as a whole (POSIX: PIPE_BUF).
_SHORT = 256


class NoWorkersError(Exception):
    """No process can be started."""


class Part(NamedTuple):
    """Whole lines of a file: where they begin and end, in bytes."""

    begin: int
    end: int


class _PartOfFile:
    """Reads a part of an open file, whose own position neither matters nor changes."""

    def __init__(self, descriptor: int, part: Part) -> None:
        self._descriptor = descriptor
        self._at, self._end = part

    def readinto(self, buffer: memoryview) -> int:
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
) -> Generator[tuple[Iterable[Piece], int], None, None]:
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

    def here(numbered_part: tuple[Part, int]) -> Callable[[], Iterator[Piece]] | None:
        part, line = numbered_part
        is_long = part.end - part.begin > _LONG
        return partial(render, read_part(descriptor, part), line=line) if is_long else None

    with _pool(jobs, descriptor, render) as pool:
        first_lines: Iterable[int] = repeat(1)
        if numbered:
            counts = pool.answers(_line_feeds, parts(descriptor, whole, size))
            first_lines = accumulate((count for _, count in counts), initial=1)
        numbered_parts = zip(parts(descriptor, whole, size), first_lines, strict=False)
        for (part, _), pieces in pool.answers(_pieces, numbered_parts, here):
            yield pieces, part.end - part.begin


def count(
    descriptor: int, whole: Part, keep: Filter, jobs: int, *, size: int = COUNTED_PART
) -> Generator[tuple[Count, int], None, None]:
    """Yield, part by part, what is counted in a file, and how many bytes it is of.

    Args:
        descriptor, whole, jobs: as in `output`.
        keep: which addresses are counted.
        size: of a part, in bytes, at most.

    Raises:
        NoWorkersError, OSError: as in `output`.
    """
    with _pool(jobs, descriptor, keep) as pool:
        size = min(size, ceil((whole.end - whole.begin) / jobs))
        for part, counted in pool.answers(_count, parts(descriptor, whole, size)):
            yield counted, part.end - part.begin


def cores() -> int:
    """Return how many cores this process may use."""
    with suppress(AttributeError):  # a system without it
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


# --- in a worker ----------------------------------------------------------------------------------

_descriptor: int  # both set once in each worker
_work: Any


def _begin(descriptor: int, work: object) -> None:
    global _descriptor, _work
    _descriptor, _work = descriptor, work
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    from multiprocessing import connection, parent_process

    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


def _hand_over(function: Callable[[Item], Result], item: Item, file: int) -> bytes | int:
    """Return what a function returns, pickled; or its length, if it is long and so in the file."""
    answer = pickle.dumps(function(item))
    if len(answer) <= _SHORT:
        return answer
    written = 0
    try:
        while written < len(answer):
            written += os.pwrite(file, memoryview(answer)[written:], written)
    except OSError as error:  # not of the file that is read
        reason = f"a part of the output does not fit into {gettempdir()}: {error.strerror}"
        raise OSError(reason) from None
    return written


def _pieces(numbered_part: tuple[Part, int]) -> list[Piece]:
    part, line = numbered_part
    render: Render = _work
    return list(render(read_part(_descriptor, part), line=line))


def _line_feeds(part: Part) -> int:
    blocks = read_part(_descriptor, part)
    return sum(block.raw.count(b"\n", block.begin, block.end) for block in blocks)


def _count(part: Part) -> Count:
    counted = Count(_work)
    for block in read_part(_descriptor, part):
        counted.read(block)
    return counted


# --- the pool -------------------------------------------------------------------------------------


class _Pool(NamedTuple):
    """Worker processes, and an open file for each answer that is worked out ahead."""

    executor: Executor
    files: list[int]

    def answers(
        self,
        function: Callable[[Item], Result],
        items: Iterable[Item],
        here: Callable[[Item], Callable[[], Result] | None] = lambda _: None,
    ) -> Iterator[tuple[Item, Result]]:
        """Yield items with what a function returns for each, in order.

        Two calls at a time share the files, so only one of them may have long answers.

        Args:
            function: called in a worker.
            items: what it is called with.
            here: returns what is called in this process instead, or None.
        """
        ahead: deque[tuple[Item, Callable[[], Result]]] = deque()
        files = cycle(self.files)
        for item in items:
            if len(ahead) == len(self.files):
                first, answer = ahead.popleft()
                yield first, answer()
            ahead.append((item, here(item) or self._ask(function, item, next(files))))
        for first, answer in ahead:
            yield first, answer()

    def _ask(
        self, function: Callable[[Item], Result], item: Item, file: int
    ) -> Callable[[], Result]:
        future = self.executor.submit(_hand_over, function, item, file)

        def answer() -> Result:
            result = future.result()
            data = result if isinstance(result, bytes) else os.pread(file, result, 0)
            unpickled: Result = pickle.loads(data)  # noqa: S301 - it comes from a worker
            return unpickled

        return answer


def _require_threads(number: int) -> None:
    """Raise a RuntimeError where so many more cannot be started; for limits a process is one too.

    The pool would not tell: it would wait for ever.
    """
    end = threading.Event()
    started: list[threading.Thread] = []
    try:
        while len(started) < number:
            thread = threading.Thread(target=end.wait)
            thread.start()
            started.append(thread)
    finally:
        end.set()
        for thread in started:
            thread.join()


@contextmanager
def _pool(jobs: int, descriptor: int, work: object) -> Iterator[_Pool]:
    """Start workers; end them when nobody wants their answers any more."""
    # Late, as they take longer to load than most scans take.
    import multiprocessing
    from concurrent.futures import BrokenExecutor, ProcessPoolExecutor

    def kill() -> None:
        for worker in multiprocessing.active_children():
            worker.kill()
            worker.join()

    with ExitStack() as stack:
        # Workers and the pool's own threads keep these blocked: Ctrl-C is for the parent to answer,
        # and they may write to a pipe that a killed process had the other end of.
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT, signal.SIGPIPE])
        stack.callback(signal.pthread_sigmask, signal.SIG_SETMASK, mask)
        try:
            _require_threads(2 * jobs + 2)  # the workers, one in each, and the pool's own two
            files = [stack.enter_context(TemporaryFile()).fileno() for _ in range(jobs + 2)]
            fork = multiprocessing.get_context("fork")  # a worker has what `work` refers to
            executor = ProcessPoolExecutor(jobs, fork, _begin, (descriptor, work))
            executor.submit(os.getpid)  # starts all of them
        except (OSError, RuntimeError, NotImplementedError) as error:
            kill()
            raise NoWorkersError from error
        stack.callback(executor.shutdown, cancel_futures=True)
        stack.callback(kill)
        stack.callback(signal.pthread_sigmask, signal.SIG_BLOCK, [signal.SIGINT])  # all end first
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        try:
            yield _Pool(executor, files)
        except BrokenExecutor:
            raise OSError("a worker process was killed") from None
