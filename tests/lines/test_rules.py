"""The values and the order of the rules that say which end opened a connection."""

from __future__ import annotations

import pytest

from fdaa import Address
from fdaa.lines import read_line

OWN = "fdaa:2:45b:a7b:174:db43:d3c6:2"
PEER = "fdaa:0:18:a7b:7d:f066:3418:2"
OTHER = "fdaa:2:45b::3"


@pytest.mark.parametrize(
    ("port", "source", "shown"),
    [
        (32767, PEER, 443),  # a server's, so the first end is the source
        (32768, OTHER, 443),  # the first that Linux gives to clients
        (60999, OTHER, 443),
    ],
)
def test_clients_have_the_ports_from_32768_on(port: int, source: str, shown: int) -> None:
    line = read_line(f"[{PEER}]:443 > [{OTHER}]:{port}")
    assert str(line.source) == source
    if source == OTHER:
        assert (str(line.target), line.port) == (PEER, shown)


def test_a_server_is_the_target_even_if_it_is_this_machine() -> None:
    """The port of a server is stronger than that an end is this Machine."""
    line = read_line(f"[{OWN}]:443 is down, checked from {PEER}", own=Address(OWN))
    assert (str(line.source), str(line.target), line.port) == (PEER, OWN, 443)


def test_port_0_is_no_port_in_a_line() -> None:
    line = read_line(f"dial tcp [{PEER}]:0: connection refused")
    assert (str(line.target), line.port) == (PEER, None)
