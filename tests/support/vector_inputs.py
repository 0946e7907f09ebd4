"""The inputs of docs/make_vectors.py: rows of the tests, and what is drawn from a fixed seed."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

from messy_organizations import End, Messy, address
from slow_documents import Given

from fdaa import Address, NetworkID, NetworkName
from tests import test_address as address_rows
from tests import test_id_text as id_rows
from tests import test_network_name as name_rows
from tests import test_text as pointer_rows
from tests.address_texts import INVALID, PRINTED, VALID
from tests.columns.column_texts import drawn_texts, hard_texts
from tests.lines import test_ends as line_rows
from tests.networks import test_document_rows as document_rows
from tests.networks import test_documents as documents
from tests.scan.hostile_pieces import PIECES, SEPARATORS
from tests.scan.scan_rows import ROWS

if TYPE_CHECKING:
    from collections.abc import Iterable

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
SEED = 30
LONGEST = 2000  # characters of an input; longer rows test bounds of this implementation

# Bytes of logs that are not UTF-8.
NOT_UTF_8 = (
    b"\xfffdaa::1 fdaa::2\xff",
    b"\xe9fdaa::1 fdaa::2\xe9",
    b"\xc3\xa9fdaa::1 \xc3fdaa::2 \xa9fdaa::3",
    b"fdaa::1\xc3\xa9 fdaa::2\xc3 fdaa::3\xa9 fdaa::4\xc3(",
    b"caf\xe9 [fdaa:0:18::3]:80 \x80fdaa::1\x80 \xf0\x9f\x98",
)


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


def texts_of_lines() -> list[str]:
    """Return lines of logs, with and without addresses."""
    choose = random.Random(SEED)
    texts = [text for text, _, _ in ROWS]
    texts += (EXAMPLES / "app.log").read_text("utf-8").splitlines()
    texts += [line_of_pieces(choose) for _ in range(300)]
    texts += [line_of_addresses(choose) for _ in range(80)]
    return usable(texts)


def line_of_pieces(choose: random.Random) -> str:
    """Return a few pieces of addresses and of what surrounds them, one of them `fdaa:`."""
    pieces = choose.choices([piece for piece in PIECES if len(piece) < 100], k=choose.randint(2, 7))
    pieces.insert(choose.randrange(len(pieces)), choose.choice(("fdaa:", "fdaa::1", "FDAA:0:18::")))
    return "".join(pieces)


def line_of_addresses(choose: random.Random) -> str:
    """Return addresses in a few spellings, each after a separator."""
    text = ""
    for _ in range(choose.randint(1, 3)):
        found = Address.build(choose.choice((0, 0x18, 0x2045B)), choose.getrandbits(80))
        spelled = choose.choice((str(found), found.exploded, str(found).upper()))
        text += choose.choice(SEPARATORS) + spelled
    return text


def texts_of_documents() -> list[tuple[str, str | None]]:
    """Return documents of every shape, good and bad, each with the app that it is given for."""
    given: list[tuple[Any, str | None]] = [(value, app) for value, app, _ in documents.SHAPES]
    given += [(value, None) for value, _ in documents.CASES]
    given += [(documents.tool_list(*networks), None) for networks, _ in documents.TOLD]
    given += [(value, app) for value, app, _ in documents.WRONG_APP]
    given += [(data, None) for data, _ in documents.REFUSED]
    good = document_rows.GOOD_ROW
    for key, row, *_ in (*document_rows.BAD_ROWS, *document_rows.BAD_FIELDS):
        app = None
        if key == "ips":
            app = "web"
        given.append(({key: [good, row, good], "Name": "web"}, app))
    entry = f"instance=m0,app=web,ip={document_rows.WEB}"
    given += [(f"{entry};{bad};{entry}".encode(), None) for bad, *_ in document_rows.BAD_ENTRIES]
    given += [(text.encode(), None) for text in (document_rows.CUT_OFF, document_rows.ESCAPED)]
    texts: dict[tuple[str, str | None], None] = {}
    for value, app in given:
        text = document_text(value)
        if text is not None and len(text) <= LONGEST:
            texts[text, app] = None
    return list(texts)


def document_text(value: Any) -> str | None:
    """Return the text of a document, or None if it is not UTF-8."""
    if not isinstance(value, bytes):
        return json.dumps(value)
    try:
        return value.decode()
    except UnicodeDecodeError:
        return None


def example() -> Messy:
    """Return the organization in the guides."""
    files = (
        ("apps.json", None, "app-list"),
        ("machines-web.json", "web", "machine-list"),
        ("status-billing.json", None, "machine-list"),
        ("instances.txt", None, "machine-list"),
        ("addresses-billing.json", "billing", "address-list"),
    )
    given = []
    for name, app, option in files:
        text = (EXAMPLES / name).read_text("utf-8")
        value = text
        if name.endswith(".json"):
            value = json.loads(text)
        given.append(Given(value, app, option))
    return Messy(given, [])


EXAMPLE_ENDS: tuple[End, ...] = (
    "web",
    "worker",
    "reports",
    "billing",
    "archive",
    "148e21dad76789",
    NetworkName("customer-17"),
    NetworkName("cold-storage"),
    NetworkID("2:224b"),
    Address("fdaa:2:45b:0:1::23"),
    Address("fdaa:0:18:0:1::24"),
    Address("fdaa::3"),
)


def texts_of_ends() -> list[tuple[str, Address | None]]:
    """Return lines, each in a Machine and outside."""
    texts = [row[0] for row in line_rows.ENDS]
    texts.extend(row[0] for row in line_rows.PORTS)
    texts.extend(row[0] for row in line_rows.OUTSIDE)
    texts.extend(row[0] for row in line_rows.CUT_OFF)
    texts.extend(row[0] for row in line_rows.NOT_TWO)
    lines: list[tuple[str, Address | None]] = [(text, line_rows.OWN) for text in texts]
    lines.extend((text, None) for text in texts)
    return lines
