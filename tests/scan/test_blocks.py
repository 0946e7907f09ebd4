"""What was read before an error is searched: a damaged file loses only what is damaged."""

from __future__ import annotations

import io

import pytest

from fdaa.scan import find_in_file


class Damaged(io.RawIOBase):
    """A file that cannot be read after some pieces."""

    def __init__(self, *pieces: bytes) -> None:
        self._pieces = list(pieces)

    # Python gives `readinto` a memoryview; typeshed says any buffer.
    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        if not self._pieces:
            raise OSError(5, "Input/output error")
        piece = self._pieces.pop(0)
        buffer[: len(piece)] = piece
        return len(piece)


@pytest.mark.parametrize(
    "pieces",
    [
        (b"peer fdaa:0:18::3 and fdaa:0:19::4",),  # the last could go on after the error
        (b"peer fdaa:0:18::3 and fdaa:0", b":19::4"),
        (b"peer fdaa:0:18::3", b" and fdaa:0:19::4\n"),
    ],
)
def test_an_error_comes_after_the_addresses_that_were_read_before_it(
    pieces: tuple[bytes, ...],
) -> None:
    found: list[str] = []

    def search() -> None:
        found.extend(str(match.value) for match in find_in_file(Damaged(*pieces)))

    with pytest.raises(OSError, match="Input/output error"):
        search()
    assert found == ["fdaa:0:18::3", "fdaa:0:19::4"]
