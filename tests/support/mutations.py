"""Address texts with a few characters changed: some are addresses still, most are not."""

from __future__ import annotations

from hypothesis import strategies as st

from fdaa.strategies import address_texts, not_addresses

# What address texts are made of, twice, so that many mutations stay near the line; then what
# stands around them, and what only looks like a digit, a letter or a colon.
_CHARACTERS = "0123456789abcdefABCDEF:." * 2 + "%/[] \t\n\0gGxX_+-\u0661\uff11\u0410\uff1a\udc80"
_PIECES = ("::", ":0", "0:", ":::", ":0:0", "1.2.3.4", ":1.2.3.4", "%eth0", "/48", ":80", "0000")


def mutated_texts() -> st.SearchStrategy[str]:
    return mutated(address_texts() | not_addresses())


@st.composite
def mutated(draw: st.DrawFn, texts: st.SearchStrategy[str]) -> str:
    text = draw(texts)
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        stop = min(len(text), start + draw(st.integers(0, 3)))
        inserted = draw(st.sampled_from(("", *_CHARACTERS, *_PIECES)))
        text = text[:start] + inserted + text[stop:]
    return text


def any_texts() -> st.SearchStrategy[str]:
    """Return a strategy for good texts, near misses, mutations, and texts of any characters."""
    return address_texts() | not_addresses() | mutated_texts() | st.text(st.characters())
