"""The same answers on every platform, whatever its `inet_pton` takes and its `inet_ntop` prints.

Some tests run fdaa in a Python of its own, where these functions differ; see other_platform.py.
"""

from __future__ import annotations

import _socket
import json
import platform as this_platform
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from other_platform import LAX, NTOP, answer, unknown_family

import fdaa
from fdaa._values import text as fdaa_text  # loaded again with another inet_pton
from tests.address_texts import INVALID, VALID

SCRIPT = Path(__file__).parent / "support" / "other_platform.py"
TEXTS = [row.text for row in VALID] + [row.text for row in INVALID]
TEXTS += [row.address for row in VALID]

# Platform -> whether its own functions are used, to read and to print.
PLATFORMS = {
    "refuses everything": [False, True],
    "without _socket": [False, False],
    "without AF_INET6": [False, False],
    "without IPv6": [False, False],
    "takes all of this": [False, True],
    "prints no '::'": [True, False],
}


@pytest.mark.parametrize(("platform", "native"), PLATFORMS.items())
def test_the_tables_hold_on_every_platform(platform: str, native: list[bool]) -> None:
    answered = subprocess.run(
        [sys.executable, "-I", "-S", str(SCRIPT), platform],
        input=json.dumps(TEXTS),
        capture_output=True,
        check=True,
        encoding="ascii",
    )
    assert json.loads(answered.stdout) == [native, [answer(text) for text in TEXTS]]


@pytest.mark.skipif(this_platform.libc_ver()[0] != "glibc", reason="glibc's functions are exact")
def test_on_glibc_the_native_functions_are_used() -> None:
    assert fdaa_text.inet_pton is _socket.inet_pton
    assert fdaa_text.inet_ntop is _socket.inet_ntop
    assert fdaa_text.AF_INET6 == _socket.AF_INET6


@pytest.mark.parametrize("name", LAX)
def test_a_function_that_takes_more_is_seen_through(name: str) -> None:
    def lax(family: int, text: str) -> bytes:
        return _socket.inet_pton(family, LAX[name](text))

    assert fdaa_text._reads_exactly(_socket.inet_pton)
    assert not fdaa_text._reads_exactly(lax)


def test_a_system_without_ipv6_is_seen_through() -> None:
    """As in CPython for WebAssembly."""
    assert not fdaa_text._reads_exactly(unknown_family)
    assert not fdaa_text._writes_exactly(unknown_family)


@pytest.mark.parametrize("text", fdaa_text._VALID)
def test_a_function_that_refuses_an_address_is_seen_through(text: str) -> None:
    def strict(family: int, given: str) -> bytes:
        if given == text:
            raise OSError(text)
        return _socket.inet_pton(family, given)

    assert not fdaa_text._reads_exactly(strict)


@pytest.mark.parametrize("name", NTOP)
def test_a_function_that_prints_otherwise_is_seen_through(name: str) -> None:
    assert fdaa_text._writes_exactly(_socket.inet_ntop)
    assert not fdaa_text._writes_exactly(NTOP[name])


@given(address=st.from_type(fdaa.Address))
def test_what_stands_in_for_the_native_functions_is_their_equal(address: fdaa.Address) -> None:
    assert fdaa_text._write(0, address.packed) == str(address)
    assert fdaa_text._read(0, str(address)) == address.packed
