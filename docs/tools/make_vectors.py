"""Write the test vectors for other implementations into docs/vectors/.

With `--check`, write nothing and exit 1 where a file is out of date. docs/vectors.md describes the
files. Inputs are the rows of the tests, and texts of a fixed seed; the expected values are what the
library returns, which the tests compare with slow oracles.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

ROOT = Path(__file__).resolve().parent.parent.parent
VECTORS = ROOT / "docs" / "vectors"
for folder in ("", "tests/support"):
    sys.path.append(str(ROOT / folder))

import token_vectors
import vector_inputs as inputs

from fdaa import Address, InputError, NetworkID, NetworkName, Prefix, __version__

if TYPE_CHECKING:
    from collections.abc import Iterator

Vector: TypeAlias = dict[str, Any]


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


FILES = {
    "addresses": addresses,
    "prefixes": prefixes,
    "network-ids": network_ids,
    "network-names": network_names,
    "pointers": pointers,
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
            print(
                f"{path.name} is out of date: run python docs/tools/make_vectors.py",
                file=sys.stderr,
            )
            is_current = False
        else:
            VECTORS.mkdir(exist_ok=True)
            path.write_text(new, encoding="ascii")
    return 0 if is_current else 1


if __name__ == "__main__":
    sys.exit(main())
