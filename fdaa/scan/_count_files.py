"""How often each network occurs in files."""

# Without `annotations` from `__future__`: annotations of public names must be objects.
import os
from collections.abc import Iterable
from io import BufferedIOBase, RawIOBase
from typing import IO

from fdaa._values.checks import check_type, wrong_type
from fdaa.scan._blocks import read_blocks
from fdaa.scan._count import Count, NetworkCount
from fdaa.scan._given_files import name_of_open_file, name_of_path
from fdaa.scan._run import Options, Scan
from fdaa.scan._sources import Failure


def count(
    files: Iterable[str | os.PathLike[str] | IO[bytes] | BufferedIOBase | RawIOBase],
    *,
    jobs: int = 1,
) -> list[NetworkCount]:
    r"""Count the private addresses in files by network, those with most matches first.

    Files compressed with gzip, bzip2 or xz are decompressed, and UTF-16 with a byte order mark is
    converted. The memory grows with the number of distinct addresses.

    Args:
        files: paths; or files that are open for reading bytes, as `sys.stdin.buffer`, which are
            read as they are.
        jobs: worker processes for a regular file with a path, where the system can fork.

    Raises:
        OSError: a file cannot be read, or not to its end; for a path, `.filename` is its name.
        TypeError: `files` is one file, or has something else in it.

    >>> import pathlib, tempfile
    >>> log = pathlib.Path(tempfile.mkdtemp(), "log")
    >>> _ = log.write_text("fdaa:0:18::2 fdaa:0:18::3 fdaa::3\n" * 2)
    >>> for network in count([log]):
    ...     print(network.network_id, network.matches, network.addresses)
    0:18 4 2
    0:0 2 1
    """
    if isinstance(files, str | bytes | os.PathLike):
        raise wrong_type(files, "files", "a list of files", "use count([file])")
    if hasattr(files, "readinto"):  # an open file is an iterable of its lines
        raise wrong_type(files, "files", "a list of files", "use count([file])")
    check_type(files, "files", Iterable)
    check_type(jobs, "jobs", int)
    total = Count()
    for file in files:
        if isinstance(file, str | os.PathLike):
            for event in Scan([name_of_path(file, "each of files")], Options(jobs=jobs), total):
                if isinstance(event, Failure):
                    event.error.filename = event.name
                    raise event.error
        else:
            total.begin_file(name_of_open_file(file))
            for block in read_blocks(file):
                total.read(block)
    return list(total.networks())
