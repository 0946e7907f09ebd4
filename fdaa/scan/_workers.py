"""One large file on several cores: the same results, in the same order, as on one.

The file is cut into parts at line ends. Each worker is a process with a pipe of its own: with n
workers, each takes every n-th part and sends its results. So results arrive in order from the pipes
in turn, and a slow reader slows the workers, because their pipes are full.
"""

from __future__ import annotations

import os
import signal
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from fdaa.scan._blocks import BLOCK, read_blocks

if TYPE_CHECKING:
    import io
    from collections.abc import Callable, Iterator, Sequence
    from multiprocessing.connection import Connection

    from fdaa.scan._blocks import Block

Item = TypeVar("Item")
Result = TypeVar("Result")

PART = 4 * 1024 * 1024
# The counts of a part are sent and added once, so parts are as large as the progress bar allows.
COUNTED_PART = 64 * PART
MOST_JOBS = 64
# From this size on, two processes are clearly faster than one.
_WORTH_WORKERS = 64 * 1024 * 1024


@dataclass
class Part:
    """Whole lines of an open file, whose own position neither matters nor changes.

    Args:
        descriptor: of the file.
        begin, end: where they begin and end, in bytes.
    """

    descriptor: int
    begin: int
    end: int

    def blocks(self) -> Iterator[Block]:
        """Read the part, block by block."""
        self._at = self.begin
        return read_blocks(self)

    def readinto(self, buffer: memoryview) -> int:
        """Read the next bytes; called by `blocks`."""
        count = os.preadv(self.descriptor, [buffer[: self.end - self._at]], self._at)
        self._at += count
        return count


def parts(file: io.FileIO, size: int) -> Iterator[Part]:
    """Divide the rest of an open file into parts at line ends; a long line makes a long part."""
    descriptor, begin = file.fileno(), file.tell()
    end = os.fstat(descriptor).st_size
    while begin < end:
        at = begin + size - 1  # where a line ends there, the part is full
        newline = -1
        while newline < 0 and at < end:
            piece = os.pread(descriptor, BLOCK, at)
            newline = piece.find(b"\n")
            at = at + newline + 1 if newline >= 0 else at + len(piece) if piece else end
        yield Part(descriptor, begin, min(at, end))
        begin = at


def default_jobs(size: int) -> int:
    """Return how many processes read a file of this size: one a core where that is worth it."""
    return min(cores(), MOST_JOBS) if size > _WORTH_WORKERS else 1


def cores() -> int:
    """Return how many cores this process may use."""
    has_affinity = hasattr(os, "sched_getaffinity")
    return len(os.sched_getaffinity(0)) if has_affinity else os.cpu_count() or 1


@contextmanager
def in_order(
    function: Callable[[Item], Result], items: Sequence[Item], jobs: int
) -> Iterator[Iterator[Result]]:
    """Yield a function's result for each item, in order, from worker processes.

    Where the system allows no more processes, the function is called in this one.

    Args:
        function: called in a worker, which is a fork and so has the same data.
        items: the arguments of the calls.
        jobs: how many processes.

    Raises:
        OSError: raised by the function, or a worker was killed.
    """
    processes = ExitStack()
    pipes: list[Connection] = []
    try:
        with _ctrl_c_later():
            pipes += _start(processes, function, items, jobs)
        received = (_received(pipes[number % jobs]) for number in range(len(items)))
        yield received if pipes else map(function, items)
    finally:
        with _ctrl_c_later():
            processes.close()
            pipes.clear()


@contextmanager
def _ctrl_c_later() -> Iterator[None]:
    """Delay Ctrl-C: Python ignores it while it frees an object, and workers keep it blocked."""
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def _start(
    processes: ExitStack, function: Callable[[Item], object], items: Sequence[Item], jobs: int
) -> list[Connection]:
    """Return a pipe from each worker; none if the system does not allow so many processes."""
    import fcntl
    import multiprocessing  # late: it takes longer to load than most scans take

    fork = multiprocessing.get_context("fork")
    pipes: list[Connection] = []
    try:
        for number in range(jobs):
            ours, theirs = fork.Pipe(duplex=False)
            pipes.append(processes.enter_context(ours))
            with suppress(AttributeError, OSError):  # Linux: most results fit, so no worker waits
                fcntl.fcntl(theirs.fileno(), fcntl.F_SETPIPE_SZ, PART // 4)
            arguments = function, items[number::jobs], theirs, pipes
            worker = fork.Process(target=_work, args=arguments, daemon=True)
            worker.start()
            processes.callback(worker.join)
            processes.callback(worker.kill)
            theirs.close()
    except OSError:
        processes.close()
        return []
    return pipes


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
