"""Pseudonyms in place of the real addresses, so that a log can be published.

One permutation, which no one can undo without the secret, is for the network IDs, all 2**32 of
them; others, for each network, are for the rests. So two addresses are the same, or on the same
network, exactly if their pseudonyms are.

A rest keeps its number of zero bits at the end; the bits in front of them are permuted. So with a
length of 48 or more, a prefix stays a prefix and an address with the length of its link stays one.

There is no exception: an address on network 0, which is not a custom network, also gets a pseudonym
on another network. Anyone with the secret has the addresses. And as everyone knows one address,
`fdaa::3`, anyone who can guess the secret can verify it: so each guess costs the time and the
32 MiB of scrypt (RFC 7914).
"""

# Without `annotations` from `__future__`: annotations of public names must be objects.
from collections.abc import Callable, Sequence

from fdaa._values.address import Address
from fdaa._values.checks import check_type
from fdaa._values.errors import ArgumentError
from fdaa.scan._blocks import Block
from fdaa.scan._permutation import Permutation, once
from fdaa.scan._report import Render, replace

# N, r and p of RFC 7914. They are fixed, so that a secret always gives the same pseudonyms.
_COST = 2**15
_BLOCK_SIZE = 8
_PARALLEL = 1
_SALT = b"fdaa pseudonyms"
_MEMORY = 64 * 1024 * 1024  # it takes half of it

# The personalization of RFC 7693 (section 2.8) keeps this hash apart from those of the rounds.
_PURPOSE = b"fdaa fingerprint"
_FINGERPRINT = 4  # bytes


class Pseudonyms:
    """The pseudonyms that one secret gives.

    Args:
        secret: text (encoded as UTF-8) or bytes. Anyone who can guess it can reveal the addresses.
            It is stretched once, which takes about 64 ms and 32 MiB: make Pseudonyms once, and pass
            them to all that use them.

    Attributes:
        fingerprint: eight hex digits, to see whether two secrets are the same. They are a hash of
            the stretched secret: to find the secret, each guess must be stretched.

    Raises:
        TypeError: `secret` is neither.
        fdaa.ArgumentError: `secret` is empty, or not valid Unicode.

    >>> pseudonyms = Pseudonyms(b"a secret")
    >>> hidden = pseudonyms.pseudonymize_text("[fdaa:2:45b::3]:80 is not [fdaa:2:45b::4]:80")
    >>> pseudonyms.reveal_text(hidden)
    '[fdaa:2:45b::3]:80 is not [fdaa:2:45b::4]:80'
    >>> from fdaa import Address
    >>> first, second = (Address(f"fdaa:2:45b::{i}") for i in (3, 4))
    >>> pseudonyms.pseudonymize(first).network_id == pseudonyms.pseudonymize(second).network_id
    True
    >>> pseudonyms.fingerprint
    'e0de7d10'
    """

    fingerprint: str

    def __init__(self, secret: str | bytes) -> None:
        check_type(secret, "secret", str, bytes)
        if isinstance(secret, str):
            try:
                secret = secret.encode()
            except UnicodeEncodeError:
                raise ArgumentError("the secret is not valid Unicode") from None
        if not secret:
            raise ArgumentError("the secret must not be empty")
        import hashlib  # late, as it loads OpenSSL

        stretched = hashlib.scrypt(
            secret, salt=_SALT, n=_COST, r=_BLOCK_SIZE, p=_PARALLEL, maxmem=_MEMORY
        )
        self._start(stretched)

    def _start(self, stretched: bytes) -> None:
        import hashlib  # late, as above

        self.fingerprint = hashlib.blake2b(
            digest_size=_FINGERPRINT, key=stretched, person=_PURPOSE
        ).hexdigest()
        self._stretched = stretched
        self._permutation = Permutation(stretched)
        self._hidden: dict[bytes, bytes] = {}  # columns come in batches that share most addresses
        self._pseudonymize_all = replace(self.pseudonymize)
        self._reveal_all = replace(self.reveal)

    def __getstate__(self) -> bytes:
        """Return what is made of the secret, for workers: to stretch it takes 64 milliseconds."""
        return self._stretched

    def __setstate__(self, stretched: bytes) -> None:
        self._start(stretched)

    def pseudonymize(self, address: Address) -> Address:
        """Return the pseudonym of an address."""
        check_type(address, "address", Address)
        (hidden,) = self._permutation.pseudonymize([address.packed])
        return Address.from_bytes(hidden)

    def reveal(self, pseudonym: Address) -> Address:
        """Return the address that has this pseudonym."""
        check_type(pseudonym, "pseudonym", Address)
        (revealed,) = self._permutation.reveal([pseudonym.packed])
        return Address.from_bytes(revealed)

    def pseudonymize_text(self, text: str) -> str:
        """Return a text with the pseudonym in place of each address that `find_addresses` finds.

        A prefix of /48 or longer becomes the prefix of its pseudonym. Nothing else is changed.
        """
        return _replaced(text, self._pseudonymize_all)

    def reveal_text(self, text: str) -> str:
        """Return a text with the address in place of each pseudonym, in RFC 5952 form."""
        return _replaced(text, self._reveal_all)


def pseudonymize_packed(pseudonyms: Pseudonyms, addresses: Sequence[bytes]) -> list[bytes]:
    """Return the 16 bytes of the pseudonyms of many addresses: half the time of one by one.

    Args:
        pseudonyms: made with a secret.
        addresses: their 16 bytes, which begin with fd aa.
    """
    hidden = once(addresses, pseudonyms._hidden, pseudonyms._permutation.pseudonymize)
    return [hidden[address] for address in addresses]


def replace_in_text(text: str, other: Callable[[Address], Address]) -> str:
    """Return a text with another address in place of each one, as `pseudonymize_text` does."""
    return _replaced(text, replace(other))


def _replaced(text: str, render: Render) -> str:
    check_type(text, "text", str)
    block = Block.whole(text.encode(errors="surrogatepass"))
    (piece,) = render([block], 1)
    return piece.data.decode(errors="surrogatepass")
