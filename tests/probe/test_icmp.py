"""An ICMPv6 message shows who sent it."""

from __future__ import annotations

import socket
import sys

import pytest

from fdaa.probe import _icmp  # private: TCP gets such a message from a router only


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps the messages")
def test_the_sender_of_a_message_is_the_one_that_the_packet_came_from() -> None:
    with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as closed:
        closed.bind(("::1", 0))
        place = closed.getsockname()
    with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as sending:
        _icmp.keep_messages(sending)
        assert _icmp.received_message(sending) is None
        sending.connect(place)
        sending.send(b"?")
        message = _icmp.received_message(sending)
    assert message is not None
    assert (message.text, str(message.sender)) == ("port unreachable", "::1")
