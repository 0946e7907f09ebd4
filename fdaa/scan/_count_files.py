"""How often each network occurs in files."""

# Without `annotations` from `__future__`: annotations of public names must be objects.
import os
from collections.abc import Iterable

from fdaa._checks import check_type, wrong_type
from fdaa.scan._count import Count, NetworkCount
from fdaa.scan._run import Options, Scan
from fdaa.scan._sources import Failure


def count(files: Iterable[str | os.PathLike[str]], *, jobs: int = 1) -> list[NetworkCount]:
    r"""Count the private addresses in files by network, those with most matches first.

    Files compressed with gzip, bzip2 or xz are decompressed, and UTF-16 with a byte order mark is
    converted. The memory grows with the number of distinct addresses.

    Args:
        files: their names; `-` is standard input.
        jobs: worker processes for a regular file, where the system can fork.

    Raises:
        OSError: a file cannot be read, or not to its end; `.filename` is its name.
        TypeError: `files` is one name.

    >>> import pathlib, tempfile
    >>> log = pathlib.Path(tempfile.mkdtemp(), "log")
    >>> _ = log.write_text("fdaa:0:18::2 fdaa:0:18::3 fdaa::3\n" * 2)
    >>> for network in count([log]):
    ...     print(network.network_id, network.matches, network.addresses)
    0:18 4 2
    0:0 2 1
    """
    if isinstance(files, str | bytes | os.PathLike):
        raise wrong_type(files, "files", "a list of names", "use count([name])")
    check_type(files, "files", Iterable)
    check_type(jobs, "jobs", int)
    total = Count()
    names = [os.fspath(file) for file in files]
    for event in Scan(names, Options(jobs=jobs), total):
        if isinstance(event, Failure):
            event.error.filename = event.name
            raise event.error
    return list(total.networks())
