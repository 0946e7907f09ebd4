"""One large file on several cores: the same results, in the same order, as on one.

The file is cut into parts at line ends. Each worker is a process with a pipe of its own: of n, the
first takes every n-th part from the first one on, and sends what it makes of each. So results come
in order from the pipes in turn, and a slow reader slows the workers, whose pipes are full.
"""

from __future__ import annotations

import os
import signal
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from fdaa.scan._blocks import BLOCK, read_blocks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from multiprocessing.connection import Connection
    from multiprocessing.context import ForkProcess

    from fdaa.scan._blocks import Block

Item = TypeVar("Item")
Result = TypeVar("Result")

PART = 4 * 1024 * 1024
# What is counted in a part is sent and added up once, so the parts are as large as a bar allows.
COUNTED_PART = 64 * PART
MOST_JOBS = 64


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


def parts(descriptor: int, whole: Part, size: int) -> Iterator[Part]:
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


def cores() -> int:
    """Return how many cores this process may use."""
    with suppress(AttributeError):  # a system without it
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def in_order(
    function: Callable[[Item], Result], items: Sequence[Item], jobs: int
) -> Iterator[Iterator[Result]]:
    """Give what a function returns for each item, in order, from worker processes.

    Args:
        function: called in a worker, which has what it refers to, as it is a fork.
        items: what it is called with.
        jobs: how many processes.

    Raises:
        NoWorkersError: no process can be started.
        OSError: raised by the function, or a worker was killed.
    """
    workers: list[ForkProcess] = []
    pipes: list[Connection] = []
    try:
        with _ctrl_c_later():
            _start(function, items, jobs, workers, pipes)
        yield (_received(pipes[number % jobs]) for number in range(len(items)))
    finally:
        with _ctrl_c_later():
            for worker in workers:
                worker.kill()
            while workers:
                workers.pop().join()
            while pipes:
                pipes.pop().close()


@contextmanager
def _ctrl_c_later() -> Iterator[None]:
    """Delay Ctrl-C: Python ignores it where it frees an object, and workers keep it blocked."""
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def _start(
    function: Callable[[Item], object],
    items: Sequence[Item],
    jobs: int,
    workers: list[ForkProcess],
    pipes: list[Connection],
) -> None:
    import multiprocessing  # late: it takes longer to load than most scans take

    fork = multiprocessing.get_context("fork")
    try:
        for number in range(jobs):
            ours, theirs = fork.Pipe(duplex=False)
            pipes.append(ours)
            arguments = function, items[number::jobs], theirs, pipes
            worker = fork.Process(target=_work, args=arguments, daemon=True)
            worker.start()
            workers.append(worker)
            theirs.close()
    except OSError as error:
        raise NoWorkersError from error


def _work(
    function: Callable[[Item], object],
    items: Sequence[Item],
    pipe: Connection,
    others: list[Connection],
) -> None:
    for other in others:  # the ends for reading: without a reader, sending ends this process
        other.close()
    with suppress(BrokenPipeError):
        for item in items:
            try:
                result = function(item)
            except (OSError, MemoryError) as error:
                result = error
            pipe.send(result)


def _received(pipe: Connection) -> Any:
    try:
        result = pipe.recv()
    except (EOFError, OSError):  # at the end of a message, or in it
        raise OSError("a worker process was killed") from None
    if isinstance(result, Exception):
        raise result
    return result
