"""Other addresses in place of the real ones, so that a log can be shown in public.

A Feistel network (Luby and Rackoff, 1988; with sums for halves, as in FF1 of NIST SP 800-38G) over
keyed BLAKE2b (RFC 7693) is a permutation that nobody can undo without the key. One permutes the
network IDs, all 2**32 of them; one for each network permutes the 2**80 rests. So two addresses are
the same, or on the same network, exactly if their pseudonyms are.

No network ID is excepted: an address on network 0, which is no custom network, gets a pseudonym on
another network like the rest. Whoever has the key has the addresses. And as everybody knows one
address, `fdaa::3`, whoever can guess the key can tell: so each guess is made to cost the time and
the 32 MiB of scrypt (RFC 7914).
"""

from __future__ import annotations

from functools import lru_cache

from fdaa import _bits
from fdaa.address import Address, NetworkID

# Four make a strong permutation of long halves; the halves of a network ID have 16 bits only.
_ROUNDS = 10
# N, r and p of RFC 7914. They are fixed for ever, so that a key gives the same pseudonyms.
_COST, _BLOCK_SIZE, _PARALLEL = 2**15, 8, 1
_SALT = b"fdaa pseudonyms"
_MEMORY = 64 * 1024 * 1024  # it takes half of it
_NETWORK = _bits.NETWORK_BYTES.stop
_PREFIX = len(_bits.PREFIX_BYTES)


class Pseudonyms:
    """The pseudonyms that one key gives.

    Args:
        key: any bytes; whoever can guess them can undo the work.

    Raises:
        ValueError: `key` is empty.

    >>> pseudonyms = Pseudonyms(b"a secret")
    >>> first, second = (Address.parse(f"fdaa:2:45b::{i}") for i in (3, 4))
    >>> pseudonyms.hide(first).network_id == pseudonyms.hide(second).network_id
    True
    >>> pseudonyms.reveal(pseudonyms.hide(first)) == first
    True
    """

    def __init__(self, key: bytes) -> None:
        if not key:
            raise ValueError("a key must not be empty")
        import hashlib  # late, as it loads OpenSSL

        self._blake2b = hashlib.blake2b
        self._key = hashlib.scrypt(
            key, salt=_SALT, n=_COST, r=_BLOCK_SIZE, p=_PARALLEL, maxmem=_MEMORY
        )
        self._hide_network = lru_cache(maxsize=4096)(lambda network: self._permute(network, b""))

    def hide(self, address: Address) -> Address:
        """Return the pseudonym of an address."""
        network, rest = address.packed[_PREFIX:_NETWORK], address.packed[_NETWORK:]
        hidden = self._hide_network(network) + self._permute(rest, network)
        return Address.from_bytes(_bits.PREFIX_BYTES + hidden)

    def reveal(self, pseudonym: Address) -> Address:
        """Return the address that has this pseudonym."""
        hidden, rest = pseudonym.packed[_PREFIX:_NETWORK], pseudonym.packed[_NETWORK:]
        network = self._permute(hidden, b"", back=True)
        rest = self._permute(rest, network, back=True)
        return Address.from_bytes(_bits.PREFIX_BYTES + network + rest)

    def hide_network(self, network_id: NetworkID) -> NetworkID:
        """Return the network that the pseudonyms of a network's addresses are on."""
        return self.hide(Address.build(network_id)).network_id

    def reveal_network(self, pseudonym: NetworkID) -> NetworkID:
        """Return the network whose addresses' pseudonyms are on this one."""
        return self.reveal(Address.build(pseudonym)).network_id

    def _permute(self, data: bytes, tweak: bytes, *, back: bool = False) -> bytes:
        """Add to each half in turn what the other one and the key give; or take it away again."""
        size = len(data) // 2
        halves = [data[:size], data[size:]]
        for number in range(_ROUNDS)[:: -1 if back else 1]:
            half, other = number % 2, halves[1 - number % 2]
            salt = bytes((number, size))
            mixed = self._blake2b(
                other + tweak, digest_size=size, key=self._key, salt=salt
            ).digest()
            sign = -1 if back else 1
            total = int.from_bytes(halves[half]) + sign * int.from_bytes(mixed)
            halves[half] = (total % 256**size).to_bytes(size)
        return halves[0] + halves[1]
