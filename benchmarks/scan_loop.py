"""A rival program: count addresses by network, a line at a time, with `re` and `ipaddress`."""

from __future__ import annotations

import ipaddress
import re
import sys
from collections import Counter
from pathlib import Path

_PATTERN = re.compile(r"(?<![0-9a-z:])fdaa:[0-9a-f:]*[0-9a-f]", re.IGNORECASE)


def main() -> None:
    """Print how often each network occurs in the file that the first argument names."""
    networks: Counter[int] = Counter()
    with Path(sys.argv[1]).open(encoding="utf-8", errors="replace") as lines:
        for line in lines:
            for text in _PATTERN.findall(line):
                network = network_of(text)
                if network is not None:
                    networks[network] += 1
    for network, matches in networks.most_common():
        print(f"{network & 0xFFFFFFFF:x} {matches}")


def network_of(text: str) -> int | None:
    """Return the first 48 bits of an address."""
    try:
        return int(ipaddress.IPv6Address(text)) >> 80
    except ValueError:
        return None


if __name__ == "__main__":
    main()
