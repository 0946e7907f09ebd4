"""Pseudonyms in place of the real addresses, so that a log can be published.

A Feistel network (Luby and Rackoff, 1988; with sums for halves, as in FF1 of NIST SP 800-38G) over
keyed BLAKE2b (RFC 7693) is a permutation that no one can undo without the key. One permutes the
network IDs, all 2**32 of them; others, for each network, the rests. So two addresses are the same,
or on the same network, exactly if their pseudonyms are.

A rest keeps its number of zero bits at the end; the bits in front of them are permuted. So with a
length of 48 or more, a prefix stays a prefix and an address with the length of its link stays one.

There is no exception: an address on network 0, which is not a custom network, also gets a pseudonym
on another network. Anyone with the key has the addresses. And as everyone knows one address,
`fdaa::3`, anyone who can guess the key can verify it: so each guess costs the time and the 32 MiB
of scrypt (RFC 7914).
"""

# Without `annotations` from `__future__`: annotations of public names must be objects.
from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING

from fdaa import _bits
from fdaa.address import Address
from fdaa.scan._blocks import Block
from fdaa.scan._report import Render, replace

if TYPE_CHECKING:
    import hashlib

# Four make a strong permutation of long halves; the halves of a network ID have 16 bits only.
_ROUNDS = 10
# N, r and p of RFC 7914. They are fixed, so that a key always gives the same pseudonyms.
_COST = 2**15
_BLOCK_SIZE = 8
_PARALLEL = 1
_SALT = b"fdaa pseudonyms"
_MEMORY = 64 * 1024 * 1024  # it takes half of it
_DIGEST = 8  # bytes; a half has at most 40 bits

# The personalization of RFC 7693 (section 2.8) keeps this hash apart from those of the rounds.
_PURPOSE = b"fdaa fingerprint"
_FINGERPRINT = 4  # bytes


class Pseudonyms:
    """The pseudonyms that one key gives.

    Args:
        key: text (encoded as UTF-8) or bytes. Anyone who can guess it can reveal the addresses.

    Attributes:
        fingerprint: eight hex digits, always the same for a key, to see whether two keys are one.
            They are a hash of the stretched key. To find the key from them, it must be guessed, and
            each guess stretched.

    Raises:
        TypeError: `key` is neither.
        ValueError: `key` is empty.

    >>> pseudonyms = Pseudonyms(b"a secret")
    >>> hidden = pseudonyms.hide_text("[fdaa:2:45b::3]:80 is not [fdaa:2:45b::4]:80")
    >>> pseudonyms.reveal_text(hidden)
    '[fdaa:2:45b::3]:80 is not [fdaa:2:45b::4]:80'
    >>> first, second = (Address(f"fdaa:2:45b::{i}") for i in (3, 4))
    >>> pseudonyms.hide(first).network_id == pseudonyms.hide(second).network_id
    True
    >>> pseudonyms.fingerprint
    'e0de7d10'
    """

    def __init__(self, key: str | bytes) -> None:
        if isinstance(key, str):
            key = key.encode()
        if not isinstance(key, bytes):
            raise TypeError(f"the key must be str or bytes, not {type(key).__name__}")
        if not key:
            raise ValueError("the key must not be empty")
        import hashlib  # late, as it loads OpenSSL

        stretched = hashlib.scrypt(
            key, salt=_SALT, n=_COST, r=_BLOCK_SIZE, p=_PARALLEL, maxmem=_MEMORY
        )
        self.fingerprint = hashlib.blake2b(
            digest_size=_FINGERPRINT, key=stretched, person=_PURPOSE
        ).hexdigest()
        self._keyed = cache(partial(_keyed_hash, stretched))
        self._hidden_id = lru_cache(maxsize=4096)(self._hide_id)
        self._hide_all = replace(self.hide)
        self._reveal_all = replace(self.reveal)

    def hide(self, address: Address) -> Address:
        """Return the pseudonym of an address."""
        network_id = int(address.network_id)
        rest = self._permute_rest(address.rest, network_id)
        return Address.build(self._hidden_id(network_id), rest)

    def reveal(self, pseudonym: Address) -> Address:
        """Return the address that has this pseudonym."""
        hidden = int(pseudonym.network_id)
        network_id = self._permute(hidden, _bits.NETWORK_ID_BITS, 0, back=True)
        rest = self._permute_rest(pseudonym.rest, network_id, back=True)
        return Address.build(network_id, rest)

    def hide_text(self, text: str) -> str:
        """Return a text with the pseudonym in place of each address that `find_addresses` finds.

        A prefix of /48 or longer becomes the prefix of its pseudonym. Nothing else is changed.
        """
        return _replaced(text, self._hide_all)

    def reveal_text(self, text: str) -> str:
        """Return a text with the address in place of each pseudonym, in RFC 5952 form."""
        return _replaced(text, self._reveal_all)

    def _hide_id(self, network_id: int) -> int:
        return self._permute(network_id, _bits.NETWORK_ID_BITS, 0)

    def _permute_rest(self, rest: int, network_id: int, *, back: bool = False) -> int:
        zeros = _bits.zeros_at_the_end(rest)
        if zeros == _bits.REST_BITS:
            return rest
        unit: int = 2 ** (zeros + 1)  # of the bits in front of the last one that is set
        front = self._permute(rest // unit, _bits.REST_BITS - zeros - 1, network_id, back=back)
        return front * unit + unit // 2

    def _permute(self, number: int, bits: int, tweak: int, *, back: bool = False) -> int:
        """Add to each half in turn what the other one and the key give; or take it away again."""
        low_bits = bits // 2
        sizes: tuple[int, int] = (2 ** (bits - low_bits), 2**low_bits)
        halves = [number // sizes[1], number % sizes[1]]
        rounds = range(_ROUNDS)
        if back:
            rounds = rounds[::-1]
        for round_ in rounds:
            changed = round_ % 2
            other = 1 - changed
            keyed = self._keyed(round_, bits).copy()
            keyed.update(b"%d %d" % (halves[other], tweak))
            mixed = int.from_bytes(keyed.digest())
            if back:
                mixed = -mixed
            halves[changed] = (halves[changed] + mixed) % sizes[changed]
        return halves[0] * sizes[1] + halves[1]


def _keyed_hash(stretched: bytes, round_: int, bits: int) -> "hashlib.blake2b":
    """Return the hash of a round, of a number of so many bits."""
    import hashlib  # late, as above

    salt = bytes((round_, bits))
    return hashlib.blake2b(digest_size=_DIGEST, key=stretched, salt=salt)


def _replaced(text: str, render: Render) -> str:
    block = Block.whole(text.encode(errors="surrogatepass"))
    (piece,) = render([block], 1)
    return piece.data.decode(errors="surrogatepass")
