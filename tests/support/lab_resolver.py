"""A resolver that only fails, for lab.py: `python lab_resolver.py ADDRESS`.

The first label of a name is its response: servfail, refused or nothing.
"""

from __future__ import annotations

import socket
import struct
import sys

RESPONSE_CODES = {b"servfail": 2, b"refused": 5}  # RFC 1035, section 4.1.1
HEADER = struct.Struct(">HHHHHH")


def response(query: bytes) -> bytes | None:
    label = query[HEADER.size + 1 :][: query[HEADER.size]]
    code = RESPONSE_CODES.get(label)
    if code is None:
        return None
    question_end = query.index(b"\0", HEADER.size) + 5
    header = HEADER.pack(HEADER.unpack_from(query)[0], 0x8180 + code, 1, 0, 0, 0)
    return header + query[HEADER.size : question_end]


def main(address: str) -> None:
    with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as resolver:
        resolver.bind((address, 53))
        print("listening", flush=True)
        while True:
            query, client = resolver.recvfrom(4096)
            answer = response(query)
            if answer is not None:
                resolver.sendto(answer, client)


main(sys.argv[1])
