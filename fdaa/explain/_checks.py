"""What to check about a line, without what the line, the verdicts or the documents answer."""

# Without `annotations` from `__future__`: annotations of public names must be objects.

import re
from collections.abc import Iterable, Iterator, Sequence, Set

from fdaa._support.escapes import inline
from fdaa._values.address import Address
from fdaa._values.ends import End
from fdaa._values.hosts import Host
from fdaa.explain import _phase_words as on
from fdaa.explain._about import (
    end_text,
    has_resolved,
    is_known_to_run,
    names_no_target,
    reached,
    started_machines,
)
from fdaa.explain._phase_words import Check, checks_of, filled
from fdaa.lines import Line, Phase, Tried
from fdaa.networks import NetworkMap

# Programs whose lookups ask for both families.
_ASKS_BOTH = r"no such host|\[Errno -?[0-9]+\] name|could not translate|zero addresses|\bdig\b"
# A connection to the program's own computer.
_TO_ITSELF = r"""(?xi)
    (?: upstream: [ ] "? [a-z]{1,12} :// | dial [ ] (?: tcp | udp ) [46]? [ ]
      | connect\(\) [ ] to [ ] | \b E [A-Z]{6,12} [ ]
    )
    (?: 127\. | localhost \b | \[? ::1 \]? : | unix: )
  | \b dial [ ] unix [ ] | connect [ ] E [A-Z]{4,12} [ ] / | server [ ] on [ ] socket
"""
_OF_CLIENTS = r"(?i)pg_hba|not allowed to connect|access denied for user"


def checks_for(
    line: Line, denied: Sequence[End], networks: NetworkMap | None, *, has_verdict: bool
) -> tuple[Check, ...]:
    """Return what to check about a failure; nothing if it does not name its target.

    Args:
        line: the line.
        denied: the targets that the source cannot reach by their networks.
        networks: the documents, if there are any.
        has_verdict: whether there is a verdict, so that no check is about networks.
    """
    if line.phase is None or names_no_target(line):
        return ()
    tried = _unexplained(line, denied)
    phase = line.phase
    if tried is not None and tried.phase is not None:
        phase = tried.phase
    elif line.targets and line.phase in on.NOTHING_BACK:
        return ()  # the verdicts are the cause
    if not phase.was_open and re.search(_TO_ITSELF, line.text) is not None:
        return filled([on.ITSELF], (), {})
    checks = [*checks_of(phase, line.text)]
    if phase.was_open and line.found and re.search(_OF_CLIENTS, line.text) is not None:
        checks.append(on.CLIENTS)
    if line.outside is not None and on.LISTENS in checks:
        checks.insert(0, on.NOTHING_LISTENS)
    known = list(_known(line, phase, tried, networks))
    if has_verdict:
        known += [on.NETWORK, on.OTHER_NAME]
    return filled(checks, known, _words(line, tried))


def _unexplained(line: Line, denied: Sequence[End]) -> Tried | None:
    """Return the target that failed, and not because its network is another.

    Of several, it is one with the phase of the line.
    """
    left: list[Tried] = []
    for tried in line.targets:
        is_explained = tried.phase in on.NOTHING_BACK and reached(tried.end) in denied
        if tried.phase not in (None, Phase.CONNECTED) and not is_explained:
            left.append(tried)
    for tried in left:
        if tried.phase is line.phase:
            return tried
    return next(iter(left), None)


def _words(line: Line, tried: Tried | None) -> dict[str, object]:
    """Return what is known of a target, for the sentences of checks."""
    prefixes = dict.fromkeys(str(found.network_id.prefix) for found in line.found)
    words: dict[str, object] = {"networks": ", ".join(prefixes)}
    if line.apps:
        words["app"] = f"App {inline(line.apps[0].app)}"
        words["name"] = inline(line.apps[0].name)
    if tried is not None and isinstance(tried.end, Address | Host):
        words["target"] = inline(str(end_text(tried.end)))
    if tried is not None and tried.port is not None:
        words["port"] = f"port {tried.port}"
    return words


def _known(
    line: Line,
    phase: Phase,
    tried: Tried | None,
    networks: NetworkMap | None,
) -> Iterator[Check]:
    """Yield the checks that the line or the documents answer already."""
    target = None
    if tried is not None:
        target = tried.end
    if line.corrected is not None:
        yield on.URL
    if phase is Phase.LOOKUP and (line.apps or line.found):
        yield on.BRACKETS
    elif isinstance(target, Address) and phase is not Phase.ADDRESS:
        yield on.IPV6_ONLY  # it read the address
    asks_both = re.search(_ASKS_BOTH, line.text) is not None and "tcp4" not in line.text
    if asks_both or has_resolved(line):
        yield on.IPV6_ONLY
    if line.apps and (has_resolved(line) or phase not in (Phase.LOOKUP, Phase.FAILED)):
        yield on.NETWORK  # the name has an address, and has it on its own network only
    is_service = isinstance(target, Address) and target.network_id in line.services
    if line.outside is not None or is_service:
        yield from (on.LISTENS, on.GONE, on.NETWORK, on.OUTSIDE)
    if line.outside is not None:
        yield from (on.IPV6_ONLY, on.NO_IPV6, on.WAY, on.LARGE)
    if line.source in line.found or line.own in line.found:
        yield on.OUTSIDE
    apps = {host.app for host in line.apps if host.app is not None}
    yield from known_by_documents(networks, apps, [target])


def known_by_documents(
    networks: NetworkMap | None, apps: Set[str], targets: Iterable[object]
) -> Iterator[Check]:
    """Yield the checks that documents answer.

    Args:
        networks: the documents, if there are any.
        apps: the apps whose names are looked up.
        targets: what is connected to.
    """
    if networks is None:
        return
    if apps and apps <= set(networks.apps):
        yield on.SPELLING  # and the resolver remains
    elif apps and networks.has_all_apps and apps.isdisjoint(networks.apps):
        yield from (on.IPV6_ONLY, on.OTHER_NAME, on.NO_MACHINE)
    if any(started_machines(app, networks) for app in apps):
        yield on.NO_MACHINE
    addresses = [target for target in targets if isinstance(target, Address)]
    if addresses and all(is_known_to_run(address, networks) for address in addresses):
        yield on.GONE  # or the verdict says that it is
