"""A rival program: `fdaa decode --json -` as one writes it with `ipaddress` and `json`."""

from __future__ import annotations

import ipaddress
import json
import sys


def main() -> None:
    """Read addresses from standard input, one a line, and print a JSON object for each."""
    for line in sys.stdin:
        text = line.rstrip("\r\n")
        address = ipaddress.IPv6Address(text)
        packed = address.packed
        if packed[:2] != b"\xfd\xaa":
            raise ValueError(text)
        fields = {
            "input": text,
            "kind": "address",
            "address": str(address),
            "network_id": f"{packed[2] << 8 | packed[3]:x}:{packed[4] << 8 | packed[5]:x}",
            "network_id_int": int.from_bytes(packed[2:6], "big"),
            "prefix": f"{ipaddress.IPv6Address(packed[:6] + bytes(10))}/48",
            "rest": packed[6:].hex(),
            "packed": packed.hex(),
            "exploded": address.exploded,
            "reverse_pointer": address.reverse_pointer,
        }
        print(json.dumps(fields))


if __name__ == "__main__":
    main()
