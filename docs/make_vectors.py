"""Write the test vectors for other implementations into docs/vectors/.

With `--check`, write nothing and exit 1 where a file is out of date. docs/vectors.md describes the
files. Inputs are the rows of the tests, and texts and organizations of a fixed seed; the expected
values are the answers of the library, which the tests compare with slow oracles.
"""

from __future__ import annotations

import io
import itertools
import json
import random
import sys
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

ROOT = Path(__file__).resolve().parent.parent
VECTORS = ROOT / "docs" / "vectors"
for folder in ("", "tests/support"):
    sys.path.append(str(ROOT / folder))

import token_vectors
import vector_inputs as inputs
from messy_organizations import Messy, address, as_document, messy_organization, questions

from fdaa import Address, InputError, NetworkID, NetworkName, Prefix, __version__
from fdaa.lines import End as LineEnd
from fdaa.lines import Host, read_line
from fdaa.networks import (
    DocumentError,
    NetworkMap,
    check_allocations,
    find_holder,
    parse_document,
    reach,
)
from fdaa.scan import find_in_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from messy_organizations import End
    from slow_documents import Given

Vector: TypeAlias = dict[str, Any]

CANDIDATES = 5000  # organizations to draw
QUESTIONS = 4  # of each kind, for each of them
OF_ONE_KIND = 4  # answers of the same kind to keep

# --- values ---------------------------------------------------------------------------------------


def text_of(value: object) -> str | None:
    """Return the text of a value, or None for None."""
    if value is None:
        return None
    return str(value)


def parsed(kind: Any, text: str) -> Any:
    """Return the value in a text, or None if the text is refused."""
    try:
        return kind(text)
    except InputError:
        return None


def addresses() -> Iterator[Vector]:
    """Yield texts, and the address in each."""
    for text in inputs.texts_of_addresses():
        yield {"text": text, **address_fields(parsed(Address, text))}


def address_fields(found: Address | None) -> Vector:
    """Return all forms of an address, or only that there is none."""
    if found is None:
        return {"address": None}
    return {
        "address": str(found),
        "network_id": str(found.network_id),
        "network_id_int": int(found.network_id),
        "rest": f"{found.rest:020x}",
        "packed": found.packed.hex(),
        "exploded": found.exploded,
        "reverse_pointer": found.reverse_pointer,
    }


def prefixes() -> Iterator[Vector]:
    """Yield texts, and the prefix in each."""
    for text in inputs.texts_of_prefixes():
        prefix = parsed(Prefix, text)
        if prefix is None:
            yield {"text": text, "prefix": None}
        else:
            yield {
                "text": text,
                "prefix": str(prefix),
                "network_id": str(prefix.network_id),
            }


def network_ids() -> Iterator[Vector]:
    """Yield texts, and the network ID in each."""
    for text in inputs.texts_of_ids():
        network_id = parsed(NetworkID, text)
        if network_id is None:
            yield {"text": text, "network_id": None}
        else:
            yield {"text": text, "network_id": str(network_id), "network_id_int": int(network_id)}


def network_names() -> Iterator[Vector]:
    """Yield texts, and whether each is a network name."""
    for text in inputs.texts_of_names():
        yield {"text": text, "valid": parsed(NetworkName, text) is not None}


def pointers() -> Iterator[Vector]:
    """Yield texts, and the address of each that is a reverse pointer."""
    for text in inputs.texts_of_pointers():
        yield {"text": text, "address": text_of(parsed(Address.from_reverse_pointer, text))}


# --- lines ----------------------------------------------------------------------------------------


def lines() -> Iterator[Vector]:
    """Yield lines of text or bytes, and the matches in each."""
    for text in inputs.texts_of_lines():
        yield {"text": text, "matches": matches(text.encode())}
    for data in inputs.NOT_UTF_8:
        yield {"hex": data.hex(), "matches": matches(data)}


def ends() -> Iterator[Vector]:
    """Yield lines, and the two ends of the connection in each."""
    for text, own in inputs.texts_of_ends():
        line = read_line(text, own)
        yield {
            "text": text,
            "own": text_of(own),
            "source": text_of_end(line.source),
            "target": text_of_end(line.target),
            "port": line.port,
            "ends": [text_of_end(end) for end in line.ends],
            "outside": text_of_end(line.outside),
            "unread": list(line.unread),
        }


def text_of_end(end: LineEnd | None) -> str | None:
    """Return an end of a line: an address, the ID of a network, or the name of a host."""
    if end is None or isinstance(end, Address):
        return text_of(end)
    if isinstance(end, Host):
        return end.name
    return str(end.network_id)


def matches(data: bytes) -> list[Vector]:
    """Return what a scan finds, with its place."""
    found = []
    for match in find_in_file(io.BytesIO(data)):
        place = {"line": match.line, "column": match.column, "text": match.text}
        found.append({**place, **value_fields(match.value)})
    return found


def value_fields(value: Address | Prefix) -> Vector:
    """Return what a match is: an address with its network, or a prefix."""
    if isinstance(value, Address):
        return {
            "kind": "address",
            "address": str(value),
            "network_id": str(value.network_id),
            "prefix": str(value.network_id.prefix),
        }
    return {
        "kind": "prefix",
        "address": None,
        "network_id": str(value.network_id),
        "prefix": str(value),
    }


# --- documents ------------------------------------------------------------------------------------


def single_documents() -> Iterator[Vector]:
    """Yield documents, and what each says."""
    for text, app in inputs.texts_of_documents():
        yield {"text": text, "app": app, **document_fields(text, app)}


def document_fields(text: str, app: str | None) -> Vector:
    """Return what a document says, or only that it is refused."""
    try:
        document = parse_document(text, file="document", app=app)
    except DocumentError:
        return {"kind": None}
    return {
        "kind": document.kind,
        "apps": [
            {"app": row.name, "network_name": row.network_name, "machine_count": row.machine_count}
            for row in document.apps
        ],
        "machines": [
            {
                "machine": row.id,
                "app": row.app,
                "address": text_of(row.address),
                "state": row.state,
            }
            for row in document.machines
        ],
        "cross_network_addresses": [
            {"address": str(row.address), "app": row.app, "network_name": row.network_name}
            for row in document.allocated
        ],
        "public_addresses": list(map(str, document.public)),
        "skipped": document.left_out,
    }


# --- organizations --------------------------------------------------------------------------------


@dataclass
class Organization:
    """Documents and a book, what they show, and questions with their answers."""

    messy: Messy
    joined: NetworkMap
    verdicts: list[Vector]
    holders: list[Vector]


@cache
def organizations() -> list[Organization]:
    """Return the organization in the guides, and drawn ones that show something rare."""
    choose = random.Random(inputs.SEED)
    pairs = itertools.product(inputs.EXAMPLE_ENDS, inputs.EXAMPLE_ENDS)
    asked = [end for end in inputs.EXAMPLE_ENDS if isinstance(end, Address)]
    kept = [organization(inputs.example(), pairs, asked)]
    seen: Counter[object] = Counter()
    for _ in range(CANDIDATES):
        messy = messy_organization(choose)
        drawn = [questions(choose) for _ in range(QUESTIONS)]
        asked = [address(choose) for _ in range(QUESTIONS)]
        found = organization(messy, drawn, asked)
        found.verdicts = [each for each in found.verdicts if is_rare(each, seen)]
        found.holders = [each for each in found.holders if is_rare(each, seen)]
        if found.verdicts or found.holders:
            kept.append(found)
    return kept


def organization(
    messy: Messy, pairs: Iterable[tuple[End, End]], asked: list[Address]
) -> Organization:
    """Return an organization with the answers to questions about it."""
    joined = messy.joined()
    verdicts = [verdict(source, target, joined) for source, target in pairs]
    return Organization(messy, joined, verdicts, [holder(each, joined) for each in asked])


def is_rare(vector: Vector, seen: Counter[object]) -> bool:
    """Count the kind of an answer, and return whether few have been of that kind."""
    if "outcome" in vector:
        kind = (vector["outcome"], vector["same_network"], *vector["reasons"])
    else:
        known = [key for key in ("app", "state", "network_name", "looked_at") if vector[key]]
        kind = (vector["holding"], *known)
    seen[kind] += 1
    return seen[kind] <= OF_ONE_KIND


def verdict(source: End, target: End, joined: NetworkMap) -> Vector:
    """Return a question about a source and a target, and its verdict."""
    found = reach(source, target, joined)
    return {
        "source": end_text(source),
        "target": end_text(target),
        "reachable": found.reachable,
        "outcome": found.outcome,
        "same_network": found.same_network,
        "via": sorted(map(str, found.via)),
        "reasons": sorted(reason.kind for reason in found.reasons),
        "ways": sorted(way.kind for way in found.ways),
    }


def end_text(end: object) -> str:
    """Return a source or a target as `fdaa reach` takes it."""
    if isinstance(end, NetworkName):
        return f"network:{end}"
    return str(end)


def holder(asked: Address, joined: NetworkMap) -> Vector:
    """Return an address, and who has it."""
    found = find_holder(asked, joined)
    return {
        "address": str(asked),
        "holding": found.holding,
        "machine": found.machine,
        "state": found.state,
        "app": found.app,
        "network_name": found.network_name,
        "network_id": str(asked.network_id),
        "looked_at": sorted(found.looked_at),
    }


def networks() -> Iterator[Vector]:
    """Yield the documents and the book of each organization, and the networks that they show."""
    for number, each in enumerate(organizations(), 1):
        yield {
            "organization": number,
            "documents": [document_given(given) for given in each.messy.given],
            "book": [
                {
                    "network_name": row.name,
                    "network_id": str(row.network_id),
                    "app": row.app,
                    "address": text_of(row.address),
                }
                for row in each.messy.book
            ],
            "networks": [
                {
                    "network_name": row.name,
                    "network_id": text_of(row.network_id),
                    "apps": sorted(row.apps),
                    "machine_count": row.machine_count,
                }
                for row in each.joined.networks
            ],
            "contradictions": sorted(found.rule for found in each.joined.contradictions),
            "cross_network_addresses": served(each.joined),
        }


def document_given(given: Given) -> Vector:
    """Return a document as it is given; an empty list is of the kind that its option takes."""
    text = given.value
    if not isinstance(text, str):
        text = json.dumps(text)
    return {"kind": as_document(given).kind, "app": given.app, "text": text}


def served(joined: NetworkMap) -> list[Vector]:
    """Return the network that each cross-network address serves."""
    found = [
        {
            "address": str(each.allocated.address),
            "app": each.allocated.app,
            "network_name": each.network.name,
            "network_id": str(each.allocated.network_id),
            "warning": each.warning,
            "own_network": each.own_network,
        }
        for each in check_allocations(joined)
    ]
    return sorted(found, key=json.dumps)


def verdicts() -> Iterator[Vector]:
    """Yield the questions for `reach`, with the number of the organization."""
    for number, each in enumerate(organizations(), 1):
        for vector in each.verdicts:
            yield {"organization": number, **vector}


def holders() -> Iterator[Vector]:
    """Yield the questions for `whois`, with the number of the organization."""
    for number, each in enumerate(organizations(), 1):
        for vector in each.holders:
            yield {"organization": number, **vector}


FILES = {
    "addresses": addresses,
    "prefixes": prefixes,
    "network-ids": network_ids,
    "network-names": network_names,
    "pointers": pointers,
    "lines": lines,
    "ends": ends,
    "documents": single_documents,
    "networks": networks,
    "reach": verdicts,
    "whois": holders,
    "key-sets": token_vectors.key_sets,
    "tokens": token_vectors.tokens,
    "subjects": token_vectors.subjects,
}


def in_lines(name: str, vectors: list[Vector]) -> str:
    """Return the text of a file: its version, and the vectors."""
    first = {"fdaa_version": __version__, "file": name, "vectors": len(vectors)}
    return "".join(json.dumps(line) + "\n" for line in (first, *vectors))


def main() -> int:
    """Write the files, or with `--check` report those that are out of date."""
    is_current = True
    for name, vectors in FILES.items():
        path = VECTORS / f"{name}.jsonl"
        new = in_lines(name, list(vectors()))
        old = path.read_text("ascii") if path.exists() else ""
        if new == old:
            continue
        if "--check" in sys.argv[1:]:
            print(f"{path.name} is out of date: run python docs/make_vectors.py", file=sys.stderr)
            is_current = False
        else:
            VECTORS.mkdir(exist_ok=True)
            path.write_text(new, encoding="ascii")
    return 0 if is_current else 1


if __name__ == "__main__":
    sys.exit(main())
