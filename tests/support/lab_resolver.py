"""A resolver that only fails, for lab.py: `python lab_resolver.py ADDRESS`.

The first label of a name is its response: servfail, refused, formerr or nothing; or half, which is
an IPv4 address, and servfail for IPv6.
"""

from __future__ import annotations

import socket
import struct
import sys

# RFC 1035, section 4.1.1.
RESPONSE_CODES = {b"servfail": 2, b"refused": 5, b"formerr": 1, b"half": 2}
A = 1
ANSWER = struct.Struct(">HHHIH4s")  # the name of the question, type, class, TTL, length, address
HEADER = struct.Struct(">HHHHHH")


def response(query: bytes) -> bytes | None:
    label = query[HEADER.size + 1 :][: query[HEADER.size]]
    code = RESPONSE_CODES.get(label)
    if code is None:
        return None
    question_end = query.index(b"\0", HEADER.size) + 5
    question = query[HEADER.size : question_end]
    (kind,) = struct.unpack_from(">H", question, len(question) - 4)
    if label == b"half" and kind == A:
        header = HEADER.pack(HEADER.unpack_from(query)[0], 0x8180, 1, 1, 0, 0)
        return header + question + ANSWER.pack(0xC00C, A, 1, 60, 4, bytes([10, 0, 0, 5]))
    header = HEADER.pack(HEADER.unpack_from(query)[0], 0x8180 + code, 1, 0, 0, 0)
    return header + question


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
