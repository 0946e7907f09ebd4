"""A gate in CI: each required connection is permitted, and each cross-network address is of use.

python ci_gate.py apps.json web=machines-web.json -- web:worker web:billing
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from fdaa import FdaaError
from fdaa.explain import explain_allocation, explain_verdict
from fdaa.networks import App, NetworkMap, check_allocations, reach, read_document


def faults(networks: NetworkMap, required: list[tuple[str, str]]) -> Iterator[str]:
    """Yield what is wrong: a connection that is not permitted, or an address that is no use.

    Whether a Machine is started at this moment is no matter of a build.
    """
    for contradiction in networks.contradictions:
        yield str(contradiction)
    for source, target in required:
        verdict = reach(App(source), App(target), networks)
        if verdict.permitted is not True:
            yield "\n".join(explain_verdict(verdict, networks).lines(permission=True))
    for checked in check_allocations(networks):
        if checked.warning is not None:
            yield f"{checked.allocated.address}: {'; '.join(map(str, explain_allocation(checked)))}"


def main(arguments: list[str]) -> int:
    """Return 0 if nothing is wrong, 1 if something is, 2 if the input cannot be used."""
    if "--" not in arguments:
        print(__doc__, file=sys.stderr)
        return 2
    split = arguments.index("--")
    required = []
    for pair in arguments[split + 1 :]:
        source, _, target = pair.partition(":")
        required.append((source, target))
    try:
        documents = []
        for argument in arguments[:split]:
            app, equals, file = argument.rpartition("=")
            documents.append(read_document(file, app=app if equals else None))
        networks = NetworkMap(documents)
        found = [*map(str, networks.unused), *faults(networks, required)]
    except (OSError, FdaaError) as error:
        print(error, file=sys.stderr)
        return 2
    print("\n".join(found or ["all connections are permitted"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
