"""Write a log with the network and the app after each private address: an enricher for pipes.

python log_enricher.py apps.json web=machines-web.json < app.log
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator

from fdaa import Address, FdaaError
from fdaa.networks import Document, NetworkMap, find_holder, read_document
from fdaa.scan import find_addresses


def documents(arguments: Iterable[str]) -> Iterator[Document]:
    """Yield the documents that the arguments name, each as FILE or APP=FILE."""
    for argument in arguments:
        app, equals, file = argument.rpartition("=")
        yield read_document(file, app=app if equals else None)


def enriched(line: str, networks: NetworkMap) -> str:
    """Return a line with a note after each address and prefix in it."""
    pieces = []
    end = 0
    for match in find_addresses(line):
        pieces.append(line[end : match.end])
        pieces.append(f" ({note_on(match.value.network_id, match.value, networks)})")
        end = match.end
    pieces.append(line[end:])
    return "".join(pieces)


def note_on(network_id: object, value: object, networks: NetworkMap) -> str:
    """Return the name of a network, or its ID, and the app that has the address."""
    note = f"network {network_id}"
    network = networks.by_id(str(network_id))
    if network is not None and network.name is not None:
        note = str(network.name)
    if isinstance(value, Address):
        app = find_holder(value, networks).app
        if app is not None:
            note += f", app {app}"
    return note


def main(arguments: list[str]) -> int:
    """Enrich standard input; return 2 if a document cannot be used."""
    try:
        networks = NetworkMap(documents(arguments))
    except (OSError, FdaaError) as error:
        print(error, file=sys.stderr)
        return 2
    for line in sys.stdin:
        sys.stdout.write(enriched(line, networks))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
