"""Addresses in text: find them in a string, in bytes, or in a file of any size.

>>> from fdaa.scan import find_addresses
>>> [str(match.value) for match in find_addresses("from [FDAA:0:18::3]:53")]
['fdaa:0:18::3']
"""

from typing import TYPE_CHECKING

from fdaa._support.exports import publish_on_first_use as _publish_on_first_use

if TYPE_CHECKING:
    from fdaa.scan._count import NetworkCount
    from fdaa.scan._files import FileMatch, count, find_in_file
    from fdaa.scan._matches import Match, find_addresses
    from fdaa.scan._pseudonyms import Pseudonyms

__all__ = [
    "FileMatch",
    "Match",
    "NetworkCount",
    "Pseudonyms",
    "count",
    "find_addresses",
    "find_in_file",
]

_publish_on_first_use(
    __name__,
    "fdaa.scan._matches",
    "fdaa.scan._count",
    "fdaa.scan._pseudonyms",
    "fdaa.scan._files",
)
