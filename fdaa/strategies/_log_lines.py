"""Lines of logs, with the addresses that they contain."""

# Without `annotations` from `__future__`: annotations of public names must be objects.

from dataclasses import KW_ONLY, dataclass

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from fdaa._values.address import Address
from fdaa._values.checks import check_type
from fdaa.strategies._addresses import address_texts
from fdaa.strategies._addresses import addresses as all_addresses


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line of a log, without its end.

    Args:
        text: the line.
        addresses: the private addresses in it, in order; one that is there twice is here twice.
    """

    text: str
    _: KW_ONLY
    addresses: tuple[Address, ...]


# What programs write around an address.
_WITH_ADDRESS = (
    "{}",
    "from {}",
    "peer={},",
    '"client": "{}"',
    "[{}]:5432:",
    "dial tcp [{}]:5432: i/o timeout",
    "http://[{}]/health",
    "({})",
    "<{}>",
    "{} ->",
    "{}/128",
    "{}%eth0",
    "{}.",
)
# Text without a private address.
_WITHOUT_ADDRESS = (
    "connection refused",
    "2026-11-28T12:00:00Z",
    "level=error",
    "10.0.0.1",
    "2001:db8:fdaa::1",
    "[::1]:80",
    "fdaa",
    "fdaa::1::2",
    "cafe:fdaa::1",
    "web.internal",
    "\u00e9\u20ac",
    "{}",
    "",
)


def log_lines(addresses: SearchStrategy[Address] | None = None) -> SearchStrategy[LogLine]:
    """Return a strategy for lines of logs with any number of private addresses, or none.

    The addresses are in every spelling, in words and punctuation as programs write them, beside
    addresses that are not private and texts that are no addresses.

    Args:
        addresses: a strategy for the addresses; all of them, if not given.

    Raises:
        TypeError: `addresses` is no strategy.

    >>> from hypothesis import given
    >>> from fdaa.scan import find_addresses
    >>> @given(log_lines())
    ... def each_address_is_found(line: LogLine) -> None:
    ...     assert tuple(match.value for match in find_addresses(line.text)) == line.addresses
    >>> each_address_is_found()
    """
    if addresses is None:
        addresses = all_addresses()
    check_type(addresses, "addresses", SearchStrategy)
    return _lines(addresses)


@st.composite
def _lines(draw: DrawFn, addresses: SearchStrategy[Address]) -> LogLine:
    pieces = []
    contained = []
    for _ in range(draw(st.integers(0, 5))):
        if draw(st.booleans()):
            address = draw(addresses)
            text = draw(address_texts(st.just(address)))
            pieces.append(draw(st.sampled_from(_WITH_ADDRESS)).replace("{}", text))
            contained.append(address)
        else:
            pieces.append(draw(st.sampled_from(_WITHOUT_ADDRESS)))
    return LogLine(" ".join(pieces), addresses=tuple(contained))
