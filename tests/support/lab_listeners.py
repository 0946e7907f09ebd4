"""The listeners of a Machine in lab.py: `python lab_listeners.py OWN_ADDRESS PORTS_AS_JSON`.

Ports are by the address that is listened on; those of `udp` take datagrams, and those of `full`
have a full accept queue. Those of `closing` and `resetting` end each connection at once. At the
others, nothing is accepted: the queue has room for the probes of all tests.
"""

from __future__ import annotations

import json
import signal
import socket
import struct
import sys
from threading import Thread


def listen(address: str, port: int, backlog: int = 1024) -> socket.socket:
    family = socket.AF_INET
    if ":" in address:
        family = socket.AF_INET6
    listener = socket.socket(family)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind((address, port))
    listener.listen(backlog)
    return listener


def receive(port: int) -> socket.socket:
    datagrams = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
    datagrams.bind(("::", port))
    return datagrams


def fill(own: str, port: int) -> list[socket.socket]:
    """Return a listener that accepts nothing, and the clients that fill its queue."""
    full = [listen("::", port, backlog=0)]
    for _ in range(2):
        client = socket.socket(socket.AF_INET6)
        client.settimeout(0.2)
        client.connect_ex((own, port))
        full.append(client)
    return full


def end_each(listener: socket.socket, *, reset: bool) -> None:
    """End each connection: by a reset, or without an error."""
    while True:
        connection, _ = listener.accept()
        if reset:
            at_once = struct.pack("ii", 1, 0)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, at_once)
        connection.close()


def main(own: str, ports: dict[str, list[int]]) -> None:
    kept = [receive(port) for port in ports.pop("udp", ())]
    for port in ports.pop("full", ()):
        kept.extend(fill(own, port))
    for mode in ("closing", "resetting"):
        for port in ports.pop(mode, ()):
            options = {"reset": mode == "resetting"}
            Thread(target=end_each, args=(listen("::", port),), kwargs=options, daemon=True).start()
    for address, numbers in ports.items():
        kept.extend(listen(address, port) for port in numbers)
    print("listening", flush=True)
    signal.pause()


main(sys.argv[1], json.loads(sys.argv[2]))
