"""A permutation of addresses that no one can undo without its key; networks stay together.

A Feistel network (Luby and Rackoff, 1988; with sums for halves, as in FF1 of NIST SP 800-38G) over
keyed BLAKE2b (RFC 7693). One permutes the network IDs, all 2**32 of them; others, for each network,
the rests. A rest keeps its number of zero bits at the end; the bits in front of them are permuted.
"""

from __future__ import annotations

import struct
from functools import cache
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from fdaa._values import bits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from hashlib import blake2b

    Round: TypeAlias = tuple[bool, int, Callable[[], blake2b]]

# Four make a strong permutation of long halves; the halves of a network ID have 16 bits only.
_ROUNDS = 10
_DIGEST = 8  # bytes, a Q of `struct`; a half has at most 40 bits
_MOST_KNOWN = 65_536  # values that are remembered

Value = TypeVar("Value", int, bytes)


def once(
    values: Iterable[Value], known: dict[Value, Value], make: Callable[[list[Value]], list[Value]]
) -> dict[Value, Value]:
    """Return what is made of each value; equal ones and those that are known are made once.

    Threads share `known`, and one may clear it: the result is a dictionary of its own.

    Args:
        values: may repeat.
        known: what was made before, to which the new ones are added.
        make: returns what is made of some values.
    """
    found: dict[Value, Value] = {}
    new: list[Value] = []
    for value in dict.fromkeys(values):
        made = known.get(value)
        if made is None:
            new.append(value)
        else:
            found[value] = made
    if not new:
        return found
    of_new = dict(zip(new, make(new), strict=True))
    if len(known) > _MOST_KNOWN:
        known.clear()
    known.update(of_new)
    found.update(of_new)
    return found


class Permutation:
    """The permutation of one key.

    Args:
        key: at most 64 bytes.
    """

    def __init__(self, key: bytes) -> None:
        self.key = key
        self._rounds = cache(self._make_rounds)
        self._hidden_ids: dict[int, int] = {}
        self._revealed_ids: dict[int, int] = {}

    def pseudonymize(self, addresses: Sequence[bytes]) -> list[bytes]:
        """Return the 16 bytes of the pseudonym of each address."""
        ids = _ids(addresses)
        hidden = self._permute_ids(ids, self._hidden_ids, back=False)
        rests = self._permute_rests(_rests(addresses), ids, back=False)
        return _packed([hidden[each] for each in ids], rests)

    def reveal(self, pseudonyms: Sequence[bytes]) -> list[bytes]:
        """Return the 16 bytes of the address that has each pseudonym."""
        hidden = _ids(pseudonyms)
        revealed = self._permute_ids(hidden, self._revealed_ids, back=True)
        ids = [revealed[each] for each in hidden]
        rests = self._permute_rests(_rests(pseudonyms), ids, back=True)
        return _packed(ids, rests)

    def _permute_ids(self, ids: list[int], known: dict[int, int], *, back: bool) -> dict[int, int]:
        """Return what each ID becomes, and remember it: most addresses share their networks."""

        def make(new: list[int]) -> list[int]:
            return self._permute(new, bits.NETWORK_ID_BITS, [0] * len(new), back=back)

        return once(ids, known, make)

    def _permute_rests(self, rests: list[int], ids: list[int], *, back: bool) -> list[int]:
        by_zeros: dict[int, list[int]] = {}
        for place, rest in enumerate(rests):
            by_zeros.setdefault(bits.zeros_at_the_end(rest), []).append(place)
        permuted = list(rests)
        for zeros, places in by_zeros.items():
            if zeros == bits.REST_BITS:
                continue
            last: int = 2**zeros  # the last bit that is set
            unit = 2 * last  # of the bits in front of it
            fronts = [rests[place] // unit for place in places]
            tweaks = [ids[place] for place in places]
            in_front = bits.REST_BITS - zeros - 1
            results = self._permute(fronts, in_front, tweaks, back=back)
            for place, front in zip(places, results, strict=True):
                permuted[place] = front * unit + last
        return permuted

    def _permute(
        self, numbers: list[int], bits: int, tweaks: list[int], *, back: bool
    ) -> list[int]:
        """Add to each half in turn what the other one and the key give; or take it away again.

        Round by round for all numbers: two thirds of the time of number by number.
        """
        size: int = 2 ** (bits // 2)  # of the lower half
        high = [number // size for number in numbers]
        low = [number % size for number in numbers]
        ends = [b" %d" % tweak for tweak in tweaks]
        for changes_low, modulus, copy in self._rounds(bits, back):
            if changes_low:
                low = _changed(low, _mixed(high, ends, copy), modulus, back=back)
            else:
                high = _changed(high, _mixed(low, ends, copy), modulus, back=back)
        return [first * size + second for first, second in zip(high, low, strict=True)]

    def _make_rounds(self, bits: int, back: bool) -> list[Round]:
        """Return for each round whether it changes the lower half, the size, and the hash."""
        from hashlib import blake2b  # late, as it loads OpenSSL

        low_bits = bits // 2
        sizes = (2 ** (bits - low_bits), 2**low_bits)
        rounds = []
        for round_ in range(_ROUNDS):
            salt = bytes((round_, bits))
            keyed = blake2b(digest_size=_DIGEST, key=self.key, salt=salt)
            rounds.append((bool(round_ % 2), sizes[round_ % 2], keyed.copy))
        return rounds[::-1] if back else rounds


def _mixed(halves: list[int], ends: list[bytes], copy: Callable[[], blake2b]) -> tuple[int, ...]:
    """Return a number for each half, which the key and its end give.

    A message for each first, and all digests as numbers at once: nine tenths of the time of a loop
    that does all for one half.
    """
    messages = [b"%d%b" % each for each in zip(halves, ends, strict=True)]
    digests = []
    for message in messages:
        keyed = copy()
        keyed.update(message)
        digests.append(keyed.digest())
    return struct.unpack(f">{len(digests)}Q", b"".join(digests))


def _changed(halves: list[int], mixed: tuple[int, ...], modulus: int, *, back: bool) -> list[int]:
    """Return each half with what is added to it, or taken away again."""
    pairs = zip(halves, mixed, strict=True)
    if back:
        return [(half - each) % modulus for half, each in pairs]
    return [(half + each) % modulus for half, each in pairs]


def _ids(addresses: Sequence[bytes]) -> list[int]:
    return [bits.unpack_head(address)[1] for address in addresses]


def _rests(addresses: Sequence[bytes]) -> list[int]:
    start = bits.NETWORK_BYTES.stop
    return [int.from_bytes(address[start:]) for address in addresses]


def _packed(ids: list[int], rests: list[int]) -> list[bytes]:
    heads: dict[int, bytes] = {}
    for each in set(ids):
        first = bits.join(each, 0).to_bytes(bits.ADDRESS_BYTES)
        heads[each] = first[bits.NETWORK_BYTES]
    size = bits.REST_BITS // 8
    pairs = zip(ids, rests, strict=True)
    return [heads[each] + rest.to_bytes(size) for each, rest in pairs]
