"""The accepted language and the printed text are the same on every platform.

Platforms differ in what their `inet_pton` takes and how their `inet_ntop` prints. Each test runs
fdaa in a Python of its own, on functions that differ in one way; see other_platform.py.
"""

from __future__ import annotations

import _socket
import json
import platform as this_platform
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from address_texts import INVALID, PRINTED, VALID
from hypothesis import given
from hypothesis import strategies as st
from mutations import any_texts
from other_platform import LAX, NTOP, PLATFORMS, answer

import fdaa
from fdaa import _text as fdaa_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Ask = Callable[[list[str]], list[object]]

TEXTS = [
    *(row.text for row in VALID + INVALID),
    *(text for _, text, _ in PRINTED),
]


@contextmanager
def run_on(platform: str) -> Iterator[tuple[list[bool], Ask]]:
    """Yield which functions are the platform's own, and a function that asks fdaa about texts."""
    script = str(Path(__file__).parent / "support" / "other_platform.py")
    with subprocess.Popen(
        [sys.executable, "-I", "-S", script, platform],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="ascii",
    ) as process:

        def ask(texts: list[str]) -> list[object]:
            process.stdin.write(json.dumps(texts) + "\n")
            process.stdin.flush()
            return json.loads(process.stdout.readline())

        yield json.loads(process.stdout.readline()), ask
        process.stdin.close()
        assert process.wait() == 0


@pytest.mark.parametrize("platform", PLATFORMS)
def test_the_tables_hold_on_every_platform(platform: str) -> None:
    with run_on(platform) as (_, ask):
        assert ask(TEXTS) == [answer(text) for text in TEXTS]


@pytest.mark.parametrize("platform", ["without inet_pton", "without AF_INET6"])
def test_a_python_without_ipv6_will_do(platform: str) -> None:
    with run_on(platform) as (natively, ask):
        assert natively == [False, False]
        assert ask(TEXTS) == [answer(text) for text in TEXTS]


@pytest.mark.parametrize(
    "platform", ["refuses everything", "without _socket", "takes all of this", *NTOP]
)
def test_any_text_is_answered_alike_on_every_platform(platform: str) -> None:
    with run_on(platform) as (_, ask):

        @given(st.lists(any_texts(), min_size=1))
        def alike(texts: list[str]) -> None:
            assert ask(texts) == [answer(text) for text in texts]

        alike()


@pytest.mark.parametrize("platform", LAX)
def test_a_lax_inet_pton_is_not_used(platform: str) -> None:
    with run_on(platform) as ((reads_natively, prints_natively), _):
        assert not reads_natively
        assert prints_natively


@pytest.mark.parametrize("platform", NTOP)
def test_an_inet_ntop_that_prints_otherwise_is_not_used(platform: str) -> None:
    with run_on(platform) as ((reads_natively, prints_natively), _):
        assert reads_natively
        assert not prints_natively


@pytest.mark.skipif(this_platform.libc_ver()[0] != "glibc", reason="glibc's functions are exact")
def test_on_glibc_the_native_functions_are_used() -> None:
    assert fdaa_text.inet_pton is _socket.inet_pton
    assert fdaa_text.inet_ntop is _socket.inet_ntop
    assert fdaa_text.AF_INET6 == _socket.AF_INET6


def test_each_lax_function_takes_a_text_that_fdaa_refuses() -> None:
    """The stand-ins do what their names say, or the tests above would show nothing."""
    for name, prepare in LAX.items():
        taken = [row.text for row in INVALID if _takes(prepare(row.text))]
        refused = [text for text in taken if not _takes(text)]
        assert refused, name


def _takes(text: str) -> bool:
    try:
        _socket.inet_pton(_socket.AF_INET6, text)
    except (OSError, ValueError):
        return False
    return True


def test_each_inet_ntop_prints_some_address_otherwise() -> None:
    for name, ntop in NTOP.items():
        texts = {text: ntop(0, bytes.fromhex(packed)) for packed, text, _ in PRINTED}
        assert any(text != printed for text, printed in texts.items()), name


# --- the choice itself, in this process -----------------------------------------------------------


@pytest.mark.parametrize("name", LAX)
def test_a_lax_function_is_seen_through(name: str) -> None:
    def lax(family: int, text: str) -> bytes:
        return _socket.inet_pton(family, LAX[name](text))

    assert fdaa_text._reads_exactly(_socket.inet_pton)
    assert not fdaa_text._reads_exactly(lax)


@pytest.mark.parametrize("name", NTOP)
def test_a_function_that_prints_otherwise_is_seen_through(name: str) -> None:
    assert fdaa_text._writes_exactly(_socket.inet_ntop)
    assert not fdaa_text._writes_exactly(NTOP[name])


@given(address=st.from_type(fdaa.Address))
def test_what_stands_in_for_the_native_functions_is_their_equal(address: fdaa.Address) -> None:
    assert fdaa_text._write(0, address.packed) == str(address)
    assert fdaa_text._read(0, str(address)) == address.packed
