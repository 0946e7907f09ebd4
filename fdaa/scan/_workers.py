"""One large file on several cores: the same results, in the same order, as on one.

The file is cut into parts at line ends. Each worker is a process with a pipe of its own: with n
workers, each takes every n-th part and sends its results. So results arrive in order from the pipes
in turn, and a slow reader slows the workers, because their pipes are full.
"""

from __future__ import annotations

import os
import signal
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, TypeVar

from fdaa.scan._blocks import BLOCK, read_blocks

if TYPE_CHECKING:
    import io
    from collections.abc import Callable, Generator, Iterator, Sequence
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

    from fdaa.scan._blocks import Block

Item = TypeVar("Item")
Result = TypeVar("Result")

PART = 4 * 1024 * 1024
# The counts of a part are sent and added once, so parts are as large as the progress bar allows.
COUNTED_PART = 64 * PART
MOST_JOBS = 64
# From this size on, two processes are clearly faster than one.
_WORTH_WORKERS = 64 * 1024 * 1024


class Part:
    """Whole lines of an open file, whose own position neither matters nor changes.

    Args:
        descriptor: of the file.
        begin, end: where they begin and end, in bytes.
    """

    def __init__(self, descriptor: int, begin: int, end: int) -> None:
        self.descriptor = descriptor
        self.begin = begin
        self.end = end
        self._at = begin  # where the next bytes are read

    def blocks(self) -> Iterator[Block]:
        """Read the part, block by block."""
        self._at = self.begin
        return read_blocks(self)

    def readinto(self, buffer: memoryview) -> int:
        """Read the next bytes; called by `blocks`.

        Raises:
            OSError: the file cannot be read, or has become shorter.
        """
        if self._at == self.end:
            return 0
        count = os.preadv(self.descriptor, [buffer[: self.end - self._at]], self._at)
        if not count:
            raise OSError("the file became shorter while it was read")
        self._at += count
        return count

    def line_feeds(self) -> int:
        """Count the line feeds of the part."""
        buffer = bytearray(BLOCK)
        view = memoryview(buffer)
        self._at = self.begin
        total = 0
        while size := self.readinto(view):
            total += buffer.count(b"\n", 0, size)
        return total


def parts(file: io.FileIO, size: int) -> Iterator[Part]:
    """Divide the rest of an open file into parts at line ends; a long line makes a long part."""
    descriptor = file.fileno()
    begin = file.tell()
    end = os.fstat(descriptor).st_size
    while begin < end:
        # Where a line ends at the last byte of the size, the part is full.
        line_end = _end_of_line(descriptor, begin + size - 1, end)
        yield Part(descriptor, begin, line_end)
        begin = line_end


def _end_of_line(descriptor: int, at: int, end: int) -> int:
    """Return where the line at a place ends, in bytes; or `end`, if that comes first."""
    while at < end:
        piece = os.pread(descriptor, BLOCK, at)
        newline = piece.find(b"\n")
        if newline >= 0:
            return min(at + newline + 1, end)
        if not piece:  # the file has become shorter
            break
        at += len(piece)
    return end


def default_jobs(size: int) -> int:
    """Return how many processes read a file of this size: one a core where that is worth it."""
    if size <= _WORTH_WORKERS:
        return 1
    cores = os.cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        cores = len(os.sched_getaffinity(0))  # those that this process may use
    return min(cores, MOST_JOBS)


def in_order(
    function: Callable[[Item], Result], items: Sequence[Item], jobs: int
) -> Generator[Result, None, None]:
    """Yield a function's result for each item, in order, from worker processes.

    Where the system allows no more processes, the function is called in this one.

    Args:
        function: called in a worker, which is a fork and so has the same data.
        items: the arguments of the calls.
        jobs: how many processes.

    Raises:
        OSError: raised by the function, or a worker was killed.
    """
    workers: list[BaseProcess] = []
    pipes: list[Connection] = []
    try:
        with ctrl_c_later(), suppress(OSError):
            for number in range(jobs):
                _start(workers, pipes, function, items[number::jobs])
        for number, item in enumerate(items):
            if len(workers) < jobs:
                yield function(item)
            else:
                result: Result = _received(pipes[number % jobs])
                yield result
    finally:
        with ctrl_c_later():
            for worker in workers:
                worker.kill()
                worker.join()
            for pipe in pipes:
                pipe.close()


@contextmanager
def ctrl_c_later() -> Iterator[None]:
    """Delay Ctrl-C to the end of a block that must be executed as a whole.

    Python ignores it while it frees an object, and workers keep it blocked.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, [])
    try:
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])  # raises one that has just come
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def _start(
    workers: list[BaseProcess],
    pipes: list[Connection],
    function: Callable[[Item], object],
    items: Sequence[Item],
) -> None:
    """Start one more worker, and add it and the pipe from it."""
    import fcntl
    import multiprocessing  # late: it takes longer to load than most scans take

    fork = multiprocessing.get_context("fork")
    ours, theirs = fork.Pipe(duplex=False)
    pipes.append(ours)
    with suppress(AttributeError, OSError):  # Linux: most results fit, so no worker waits
        fcntl.fcntl(theirs.fileno(), fcntl.F_SETPIPE_SZ, PART // 4)
    arguments = function, items, theirs, list(pipes)
    worker = fork.Process(target=_work, args=arguments, daemon=True)
    worker.start()
    workers.append(worker)
    theirs.close()


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
