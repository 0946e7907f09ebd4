"""The same answers on every platform, whatever its `inet_pton` takes and its `inet_ntop` prints."""

from __future__ import annotations

import _socket
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fdaa._values import text as fdaa_text  # how the system's functions are judged is private

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parent.parent

# What an `inet_pton` of some system makes of a text before it reads it.
LAX: dict[str, Callable[[str], str]] = {
    "drops a zone": lambda text: text.partition("%")[0],
    "takes leading zeros in a dotted quad": lambda text: re.sub(r":0(?=\d+\.)", ":", text),
    "takes '::' for no group": lambda text: text.replace("::", ":") if len(text) > 17 else text,
    "takes a line feed at the end": lambda text: text.removesuffix("\n"),
}
# How an `inet_ntop` of some system prints: in place of the right text, another one.
NTOP = {
    "prints a single zero as '::'": ("fdaa:0:1:", "fdaa::1:"),
    "prints the last run as '::'": ("fdaa::1:0:0:1:1", "fdaa:0:0:1::1:1"),
}


@pytest.mark.parametrize("name", LAX)
def test_a_function_that_takes_more_is_not_used(name: str) -> None:
    def lax(family: int, text: str) -> bytes:
        return _socket.inet_pton(family, LAX[name](text))

    assert not fdaa_text._reads_exactly(lax)


@pytest.mark.parametrize("name", NTOP)
def test_a_function_that_prints_otherwise_is_not_used(name: str) -> None:
    def other(family: int, packed: bytes) -> str:
        return _socket.inet_ntop(family, packed).replace(*NTOP[name])

    assert not fdaa_text._writes_exactly(other)


def printed_by(code: str) -> str:
    """Return what a Python without site-packages prints that runs code."""
    code = f"import sys; sys.path[:0] = [{str(ROOT)!r}]; {code}"
    command = [sys.executable, "-I", "-S", "-c", code]
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout


@pytest.mark.parametrize(
    "platform_of",
    [
        "sys.modules['_socket'] = None",  # a Python without sockets
        "import _socket; del _socket.AF_INET6",  # or without IPv6
    ],
)
def test_a_python_without_inet_pton_reads_and_prints_addresses(platform_of: str) -> None:
    code = f"{platform_of}; import fdaa; print(fdaa.Address('FDAA:2:45b::3').network_id.prefix)"
    assert printed_by(code) == "fdaa:2:45b::/48\n"


def test_the_core_loads_no_more_than_reading_addresses_with_the_standard_library() -> None:
    loaded = "import json; print(json.dumps(sorted(loaded)))"
    ours = printed_by(f"import fdaa; loaded = {{*sys.modules}}; {loaded}")
    others = printed_by(f"import ipaddress, socket, struct; loaded = {{*sys.modules}}; {loaded}")
    more = set(json.loads(ours)) - set(json.loads(others))
    assert {name for name in more if name.partition(".")[0] != "fdaa"} <= {"__future__"}
