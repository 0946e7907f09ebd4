"""The texts of tests/tables/addresses.jsonl: each with its bytes, or the reason of its refusal."""

from __future__ import annotations

from typing import NamedTuple

from vectors import accepted, refused

from fdaa import AddressError, OutsidePrefixError

FULL = "fdaa:0002:045b:0a7b:0174:db43:d3c6:0002"  # all 39 characters of eight groups
FULL_QUAD = "fdaa:ffff:ffff:ffff:ffff:ffff:255.255.255.255"  # all 45 that an address can have


class Valid(NamedTuple):
    text: str
    address: str  # as it is printed
    network_id: str
    packed: str  # 32 hex digits
    why: str


class Invalid(NamedTuple):
    text: str
    reason: str  # a part of it
    at: int | None
    why: str

    @property
    def error(self) -> type[AddressError]:
        if self.reason == OUTSIDE:
            return OutsidePrefixError
        return AddressError


OUTSIDE = "does not start with 'fdaa'"

VALID = [Valid(*row) for row in accepted("addresses", *Valid._fields)]
INVALID = [Invalid(*row) for row in refused("addresses")]
# Text that is not Unicode, or is too long for a file that people read.
INVALID += [
    Invalid("fdaa::1\udc80", r"'\udc80' is not a hex digit", 7, "a lone surrogate"),
    Invalid("fdaa" + ":0" * 1000, "too many groups", 18, "a thousand groups"),
]
