"""One large file on several cores: the same bytes, in the same order, as on one.

The file is cut into parts, and worker i of n takes the parts i, i + n, ... A worker writes what it
has to say into a pipe of its own, and the parts are read from the pipes in turn: nothing is sorted,
nothing is kept, and a worker whose turn has not come waits when its pipe and its buffer are full.
"""

from __future__ import annotations

import os
import pickle
import signal
from functools import partial
from itertools import accumulate
from struct import Struct
from typing import IO, TYPE_CHECKING, NamedTuple

from fdaa.scan._count import Count, cut
from fdaa.scan._report import EVERYTHING, Filter, drain
from fdaa.scan._rules import newlines, read_blocks
from fdaa.scan._scratch import ScratchError
from fdaa.scan._sources import Part, PartOfFile, Watched, parts, pieces

if TYPE_CHECKING:
    import io
    from collections.abc import Callable, Generator, Iterator

    from fdaa.scan._report import Output

    Watch = Callable[[int], None]
    # What a worker does with a part: pieces to pass on, and a last word.
    Work = Callable[[io.RawIOBase, Part, int], Generator[bytes, None, bytes]]

# A worker that has written so much, and whose turn has not come, waits; so a part should not give
# much more.
_BUFFER = 8 * 1024 * 1024
OUTPUT_PART = 4 * 1024 * 1024

_FRAME = Struct(">cQ")
_PIECE, _LAST, _ERROR = b"p", b"l", b"e"
_NUMBER = Struct(">Q")


def output(
    path: str,
    render: Callable[..., Output],
    jobs: int,
    *,
    numbered: bool = False,
    part: int = OUTPUT_PART,
    watch: Watch | None = None,
) -> Output:
    """Yield what `render` yields for a file, worked out by several processes.

    Args:
        path: of a regular file.
        render: a function of `fdaa.scan._report`, its options bound: it takes blocks, and `line` if
            `numbered`.
        jobs: how many processes.
        numbered: whether `render` needs the number of the first line.
        part: bytes that a worker takes at once.
        watch: is called, in a worker, with the number of bytes of each read.

    Raises:
        OSError: the file cannot be read, or a worker was killed.
    """
    found = False
    for result in _run(path, partial(_render, render, numbered, watch), jobs, numbered, part):
        found = bool((yield from result)) or found
    return found


def _render(
    render: Callable[..., Output],
    numbered: bool,
    watch: Watch | None,
    file: io.RawIOBase,
    part: Part,
    line: int,
) -> Generator[bytes, None, bytes]:
    blocks = read_blocks(_watched(PartOfFile(file, part), watch))
    found = yield from (render(blocks, line=line) if numbered else render(blocks))
    return b"found" if found else b""


def _watched(file: io.RawIOBase, watch: Watch | None) -> io.RawIOBase:
    guarded = Watched(file, _end_without_parent)
    return guarded if watch is None else Watched(guarded, watch)


_parent = 0  # of this worker


def _end_without_parent(_count: int) -> None:
    """End at the next block where the parent was killed: nobody reads the answers."""
    if os.getppid() != _parent:
        os._exit(1)


def count(
    path: str,
    name: str,
    jobs: int,
    keep: Filter = EVERYTHING,
    *,
    part: int | None = None,
    watch: Watch | None = None,
) -> Count:
    """Return the count of a file's networks, worked out by several processes.

    Args:
        path: of a regular file.
        name: of the file, for the places.
        jobs: how many processes.
        keep: which addresses are counted.
        part: bytes that a worker takes at once; by default so many that each has one part.
        watch: is called, in a worker, with the number of bytes of each read.

    Raises:
        OSError: the file cannot be read, or a worker was killed.
    """
    part = part or os.stat(path).st_size // jobs + 1  # noqa: PTH116
    total = Count(keep)
    lines = 0
    for result in _run(path, partial(_count, keep, name, watch), jobs, False, part):
        last = drain(result, lambda piece: total.add_addresses(cut(piece)))
        counted, its_lines = pickle.loads(last)  # noqa: S301 - from our own worker
        total.add(counted, lines)
        lines += its_lines
    return total


def _count(
    keep: Filter, name: str, watch: Watch | None, file: io.RawIOBase, part: Part, line: int
) -> Generator[bytes, None, bytes]:
    counted = Count(keep)
    its_lines = counted.read(read_blocks(_watched(PartOfFile(file, part), watch)), name, line)
    yield from counted.addresses()
    return pickle.dumps((counted, its_lines))


# --- workers --------------------------------------------------------------------------------------


class _Worker(NamedTuple):
    pid: int
    answers: IO[bytes]
    orders: IO[bytes]


def _run(
    path: str, work: Work, jobs: int, numbered: bool, size: int
) -> Iterator[Generator[bytes, None, bytes]]:
    """Yield, for each part in order, a generator of its pieces that returns its last word."""
    with open(path, "rb", buffering=0) as file:  # noqa: PTH123 - the name may be no text
        status = os.fstat(file.fileno())
        identity = status.st_dev, status.st_ino
        plan = parts(file, size)
    jobs = min(jobs, len(plan))
    workers: list[_Worker] = []
    try:
        for i in range(jobs):
            workers.append(_start(path, identity, plan[i::jobs], work, numbered, workers))
        turns = [workers[i % jobs] for i in range(len(plan))]
        if numbered:
            lengths = [_NUMBER.unpack(_last(_answers(worker)))[0] for worker in turns]
            for worker, line in zip(turns, accumulate(lengths, initial=1), strict=False):
                worker.orders.write(_NUMBER.pack(line))
            for worker in workers:
                worker.orders.flush()
        for worker in turns:
            yield _answers(worker)
    finally:
        for worker in workers:
            os.kill(worker.pid, signal.SIGKILL)
            os.waitpid(worker.pid, 0)
            worker.answers.close()
            worker.orders.close()


def _answers(worker: _Worker) -> Generator[bytes, None, bytes]:
    while True:
        head = worker.answers.read(_FRAME.size)
        if len(head) < _FRAME.size:
            raise OSError("a worker ended before its work was done")
        kind, length = _FRAME.unpack(head)
        payload = worker.answers.read(length)
        if kind == _LAST:
            return payload
        if kind == _ERROR:
            error: Exception = pickle.loads(payload)  # noqa: S301 - from our own worker
            raise error
        yield payload


def _last(answers: Generator[bytes, None, bytes]) -> bytes:
    def no_piece(_piece: bytes) -> None:
        raise AssertionError("a piece where only a last word was due")

    return drain(answers, no_piece)


def _start(
    path: str,
    identity: tuple[int, int],
    plan: list[Part],
    work: Work,
    numbered: bool,
    others: list[_Worker],
) -> _Worker:
    global _parent
    answers_in, answers_out = os.pipe()
    orders_in, orders_out = os.pipe()
    _parent = os.getpid()
    pid = os.fork()
    if pid:
        os.close(answers_out)
        os.close(orders_in)
        return _Worker(pid, open(answers_in, "rb"), open(orders_out, "wb"))  # noqa: PTH123
    status = 1
    try:
        # Ctrl-C is for the parent to answer; a worker dies of it without a word.
        if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
        for descriptor in (answers_in, orders_out):
            os.close(descriptor)
        for other in others:  # else a worker would not see the end of its orders
            os.close(other.answers.fileno())
            os.close(other.orders.fileno())
        with (
            open(answers_out, "wb", buffering=_BUFFER) as answers,  # noqa: PTH123
            open(orders_in, "rb") as orders,  # noqa: PTH123
        ):
            _work(path, identity, plan, work, numbered, answers, orders)
        status = 0
    finally:
        os._exit(status)  # nothing of the parent's, its buffers above all, may be flushed here


def _work(
    path: str,
    identity: tuple[int, int],
    plan: list[Part],
    work: Work,
    numbered: bool,
    answers: IO[bytes],
    orders: IO[bytes],
) -> None:
    def answer(kind: bytes, payload: bytes) -> None:
        answers.write(_FRAME.pack(kind, len(payload)))
        answers.write(payload)

    try:
        with open(path, "rb", buffering=0) as file:  # noqa: PTH123 - the name may be no text
            status = os.fstat(file.fileno())
            if (status.st_dev, status.st_ino) != identity:
                raise OSError("the file was replaced while it was read")
            if numbered:
                for part in plan:
                    lines = sum(map(newlines, pieces(file, part)))
                    answer(_LAST, _NUMBER.pack(lines))
                answers.flush()
            for part in plan:
                line = _NUMBER.unpack(orders.read(_NUMBER.size))[0] if numbered else 1
                answer(_LAST, drain(work(file, part, line), partial(answer, _PIECE)))
                answers.flush()
    except (OSError, ScratchError) as error:
        answer(_ERROR, pickle.dumps(error))
