"""What a text names, in words: its title, what is known of its addresses, and other facts."""

# Without `annotations` from `__future__`: annotations of public names must be objects.

import re
from collections.abc import Iterator, Mapping
from itertools import zip_longest

from fdaa._support.escapes import inline, quote
from fdaa._values import bits
from fdaa._values.address import Address, NetworkID, Prefix
from fdaa._values.ends import parse_end
from fdaa._values.errors import AddressError, InputError
from fdaa._values.hosts import Host
from fdaa.explain._document_words import name_and_id
from fdaa.explain._known_names import ABOUT_SERVICES, Names, compared, rows_of_network
from fdaa.lines import CutOff, Line, Named, Phase
from fdaa.lines._ends import MOST_ENDS
from fdaa.lines._places import Found, port_or_group
from fdaa.networks import Holder, Holding, NetworkMap, find_holder

_NETWORKS_SHOWN = 10
_LOWEST_PORT = 10  # of one that may be meant in a last group
# A word of a text, and no part of an address or of a name.
_WORD = r"(?a)(?<![\w.:/\[-])[A-Za-z]{3,}(?!\w|[.:/-]\w)"


def end_text(end: Named | None) -> str | None:
    """Return an end of a line as text: a network by its /48, a host by its name."""
    if end is None:
        return None
    if isinstance(end, Host):
        return end.name
    if isinstance(end, CutOff):
        return str(end.network_id.prefix)
    return str(end)


def reached(end: Named) -> Address | NetworkID | Host:
    """Return an end of a line as `reach` takes it."""
    if isinstance(end, Prefix | CutOff):
        return end.network_id
    if isinstance(end, Address | Host):
        return end
    return Host(str(end))


def has_unknown_words(line: Line) -> bool:
    """Return whether a line with an end has words, and none of them is known."""
    has_end = line.found or line.apps
    return line.phase is None and bool(has_end) and len(re.findall(_WORD, line.text)) > 1


def started_machines(app: str, networks: NetworkMap) -> int:
    """Return how many Machines of an app are started and have an address, by documents."""
    holders = [find_holder(address, networks) for address in networks.addresses_of(app)]
    return sum(
        holder.holding is Holding.MACHINE and holder.state is not None and not holder.is_stopped
        for holder in holders
    )


def is_known_to_run(address: Address, networks: NetworkMap) -> bool:
    """Return whether documents have an address, and it is not that of a Machine in any state."""
    holder = find_holder(address, networks)
    is_in_any_state = holder.holding is Holding.MACHINE and holder.state is None
    return holder.holding is not Holding.UNKNOWN and not is_in_any_state


def is_lone(line: Line) -> bool:
    """Return whether a text is no more than one address or network."""
    return len(line.found) == 1 and line.phase is None and not _has_words(line)


def _has_words(line: Line) -> bool:
    return re.search(r"\s", line.text.strip()) is not None


def title_of(line: Line, names: Names) -> str:
    """Return the first line of an answer without a verdict, about words that are not known."""
    text = line.text.strip()
    if is_lone(line):
        return _title_of(line.found[0], text)
    described = [names.describe(network_id) for network_id in _network_ids(line)]
    if len(described) > 1:
        more = ""
        if len(described) > _NETWORKS_SHOWN:
            more = f" and {len(described) - _NETWORKS_SHOWN:,} more"
        shown = ", ".join(described[:_NETWORKS_SHOWN])
        return f"{len(described):,} different networks: {shown}{more}"
    if described and len(line.found) > 1:
        return f"same network: {described[0]}"
    if described:
        return f"network {described[0]}"
    if line.apps:
        host = line.apps[0]
        return f"{inline(host.name)}: {names.describe_app(host.app)}"
    if line.outside is not None:
        return about_outside(line.outside)
    if any(names.what_is(text)):
        return inline(text)
    if line.unread and _has_words(line):
        return "no address in this text can be read"  # and a fact says why
    if text and not _has_words(line):
        try:
            parse_end(text, names.networks)
        except InputError as error:
            return str(error)
    return f"{quote(line.text)}: nothing in this text is known"


def _network_ids(line: Line) -> list[NetworkID]:
    return list(dict.fromkeys(found.network_id for found in line.found))


def _title_of(found: Found, text: str) -> str:
    """Return what a text is that is no more than an address or a network."""
    if isinstance(found, Address):
        return str(found)
    if isinstance(found, CutOff):
        return f"{inline(text)} is cut off; its network is {found.network_id.prefix}"
    if found.length == bits.NETWORK_PREFIX_LENGTH:
        return f"{found} is a network, not an address"
    return f"{found} is part of a network, not an address"


def lines_about(line: Line, names: Names, holders: Mapping[Address, Holder]) -> Iterator[str]:
    """Yield a line for each fact about what a text names, or for each of several addresses.

    Args:
        line: the line.
        names: the names of networks.
        holders: who has each address; none without documents.
    """
    if len(line.found) < 2:
        for name, text in _rows(line, names, holders):
            yield f"  {name:16} {text}"
        return
    table = []
    for found in line.found:
        row = [str(found), names.describe(found.network_id)]
        if isinstance(found, Address):
            row.extend(text for _, text in _holder_rows(holders.get(found)))
        table.append(row)
    widths = [max(map(len, column)) for column in zip_longest(*table, fillvalue="")]
    for row in table:
        cells = map(str.ljust, row, widths)
        yield f"  {'  '.join(cells)}".rstrip()


def _rows(line: Line, names: Names, holders: Mapping[Address, Holder]) -> Iterator[tuple[str, str]]:
    """Yield what is known of the only address, network or name of a text."""
    if not line.found:
        if not (line.apps or line.phase):
            yield from names.what_is(line.text.strip())
        elif line.phase and len(line.apps) == 1 and line.source is None:
            yield from _app_rows(line.apps[0].app, names)
        return
    (found,) = line.found
    if isinstance(found, CutOff) and not is_lone(line):
        yield "address", "cut off: only its network is known"
    if not isinstance(found, Address):
        yield from rows_of_network(found.network_id, names.networks)
    else:
        if not is_lone(line):
            yield "address", str(found)
        yield "network", names.describe(found.network_id)
        yield from _holder_rows(holders.get(found))
    if line.own is not None and found.network_id not in line.services:
        yield "this Machine", compared(found, line.own, names)
    either = None
    if str(found) in line.text.lower():
        either = port_or_group(str(found))
    if either is not None and either.port >= _LOWEST_PORT:
        instead = f"if {either.port} is one, the address is {either.address}"
        if either.address.network_id != found.network_id:
            instead += f", on network {either.address.network_id}"
        yield "a port?", instead


def _app_rows(app: str | None, names: Names) -> Iterator[tuple[str, str]]:
    """Yield what documents show of an app that a text names."""
    if app is None or names.networks is None or app not in names.networks.apps:
        return
    yield "app", inline(app)
    yield "network", name_and_id(names.networks.known_network(app))
    started = started_machines(app, names.networks)
    if started:
        yield "Machines", f"{started} started"


def _holder_rows(holder: Holder | None) -> Iterator[tuple[str, str]]:
    if holder is not None and holder.app is not None:
        yield "app", inline(holder.app)
    if holder is not None and holder.machine_id is not None:
        machine = inline(holder.machine_id)
        if holder.state is not None:
            machine += f" ({inline(holder.state)})"
        yield "Machine", machine


def facts_of(line: Line, names: Names) -> Iterator[str]:
    """Yield sentences about what a text names, and how it is written."""
    for text in line.unread:
        if line.corrected is None and _has_words(line):  # if not, the title says it
            yield f"{AddressError(text)}."
    if len(line.ends) > MOST_ENDS:
        yield f"{len(line.ends):,} ends: this is a list; for addresses in a list, use fdaa scan."
    elif len(line.ends) > 1 and not line.targets:
        yield f"{len(line.ends)} ends, of which several may be the source: give one connection."
    for client in line.clients:
        yield f"{end_text(client)} is the client of a proxy: it is on a different connection."
    if has_unknown_words(line):
        yield "No words in this text are known to be those of a failure."
    is_title = not (line.phase or line.found or line.apps)
    if line.outside is not None and not is_title:
        yield f"{about_outside(line.outside)}."
    if line.corrected is not None:
        yield f"Write it as {line.corrected}"
    if has_resolved(line):
        yield "Error 7 of curl: the name has an address, and the connection to it failed."
    if _needs_own_address(line):
        yield NO_OWN_ADDRESS
    if names_no_target(line):
        yield NO_TARGET
    networks = _network_ids(line)
    if len(networks) > 1 and any(map(names.is_service, networks)):
        yield ABOUT_SERVICES


NO_OWN_ADDRESS = (
    "No verdict, as this Machine's address is not known: set PLATFORM_PRIVATE_IP, or run this in "
    "the Machine."
)


NO_TARGET = "For what to check, add the line that names the target: its address or its host."
_OPEN_OR_LOCAL = (Phase.ADDRESS, Phase.CONNECTED, Phase.STALLED, Phase.RESPONDED, Phase.HERE)
# What is an end, though not a private one.
_ANY_END = r"""(?xi)
    \b localhost \b
  | [\w\]] : [0-9]{2,5} \b
  | \b port \b \W{0,3} [0-9]
  | \b (?: ENOTFOUND | EAI_AGAIN | host (?: [ ]? name )? | lookup ) [:\ ]{1,2} ["'`]? [a-z]
  | \b unix \b | \b socket \b .{0,20} / | connect [ ] E \w{2,12} [ ] /
"""


def names_no_target(line: Line) -> bool:
    """Return whether a line about a connection that was not opened does not name its target."""
    if line.phase is None or line.phase in _OPEN_OR_LOCAL:
        return False
    if line.found or line.apps or line.outside or line.unread or line.clients:
        return False
    return re.search(_ANY_END, line.text) is None


def has_resolved(line: Line) -> bool:
    """Return whether a line without a reason shows that a name has an address."""
    return line.phase is Phase.FAILED and "curl: (7)" in line.text and bool(line.apps)


def _needs_own_address(line: Line) -> bool:
    """Return whether there would be a verdict if the address of this Machine were known."""
    if line.own is not None or line.source is not None or line.outside is not None:
        return False
    if line.phase in (None, Phase.ADDRESS, Phase.HERE) or line.phase.was_open:
        return False
    for tried in line.targets:
        if isinstance(tried.end, Address) and tried.end.network_id not in line.services:
            return True
    return False


def about_outside(outside: Host) -> str:
    """Return why networks say nothing about a connection, one end of which is not private."""
    return (
        f"{outside.name} is not an address of the platform's private networks (fdaa::/16), so they "
        "say nothing about the connection"
    )
