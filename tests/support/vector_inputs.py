"""The inputs of `make_vectors`: rows of the tests, and what is drawn from a fixed seed."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from messy_organizations import address

from tests import test_address as address_rows
from tests import test_id_text as id_rows
from tests import test_network_name as name_rows
from tests import test_text as pointer_rows
from tests.address_texts import INVALID, PRINTED, VALID
from tests.columns.column_texts import drawn_texts, hard_texts

if TYPE_CHECKING:
    from collections.abc import Iterable

SEED = 30
LONGEST = 2000  # characters of an input; longer rows test bounds of this implementation


def usable(texts: Iterable[str]) -> list[str]:
    """Return each text once, without those that are very long or cannot be written as UTF-8."""
    kept = []
    for text in dict.fromkeys(texts):
        has_surrogate = any("\ud800" <= character <= "\udfff" for character in text)
        if len(text) <= LONGEST and not has_surrogate:
            kept.append(text)
    return kept


def texts_of_addresses() -> list[str]:
    """Return addresses in many spellings, and what only looks like one."""
    choose = random.Random(SEED)
    texts = [row.text for row in (*VALID, *INVALID)]
    texts += [text for _, text, _ in PRINTED]
    texts += choose.sample(hard_texts(), 250)
    texts += drawn_texts(200, SEED)
    return usable(texts)


def texts_of_prefixes() -> list[str]:
    """Return prefixes, and what is an address or no length."""
    choose = random.Random(SEED)
    texts = [row[0] for row in (*address_rows.NO_PREFIXES, *id_rows.NETWORK_IDS)]
    bases = (
        "fdaa:2:45b::",
        "FDAA:0:18:A7B::",
        "fdaa::",
        "fdaa:1::1:0:0:2",
        "fdaa::0.0.0.0",
        "fe80::",
    )
    lengths = (
        *range(44, 52),
        *range(60, 68),
        *range(110, 130),
        "",
        "064",
        "+64",
        "64 ",
        "6_4",
        1000,
    )
    pairs = [f"{base}/{length}" for base in bases for length in lengths]
    texts += choose.sample(pairs, 120)
    return usable(texts)


def texts_of_ids() -> list[str]:
    """Return forms of network IDs, and what is close to one."""
    choose = random.Random(SEED)
    texts = [row[0] for row in (*id_rows.NETWORK_IDS, *id_rows.NO_NETWORK_IDS)]
    groups = ("0", "2", "45b", "0018", "FFFF", "fdaa", "", "00000", "g", "+1", "0x1", " 1")
    shapes = ("{}:{}", ":{}:{}:", "{}:{}:", "::{}:{}", "0x{}{}", "0X0{}", "fdaa:{}:{}::/48", "{}")
    for _ in range(120):
        shape = choose.choice(shapes)
        texts.append(shape.format(*choose.choices(groups, k=2)))
    return usable(texts)


def texts_of_names() -> list[str]:
    """Return names, and what is close to one."""
    choose = random.Random(SEED)
    texts = [row[0] for row in (*name_rows.VALID, *name_rows.INVALID)]
    texts += ["".join(choose.choices("aZ09--._ \u00e9", k=choose.randint(1, 4))) for _ in range(60)]
    return usable(texts)


def texts_of_pointers() -> list[str]:
    """Return reverse pointers, and what is close to one."""
    choose = random.Random(SEED)
    pointer = pointer_rows.POINTER
    texts = [pointer, pointer.upper(), pointer + ".", pointer.title()]
    texts += [text for text, _ in pointer_rows.NO_POINTERS]
    for _ in range(60):
        text = address(choose).reverse_pointer
        if choose.random() < 0.5:
            text = choose.choice((str.upper, str.title))(text) + choose.choice(("", "."))
        if choose.random() < 0.5:
            at = choose.randrange(len(text))
            text = text[:at] + choose.choice("0fG.:-") + text[at + choose.randrange(2) :]
        texts.append(text)
    return usable(texts)
