"""What the steps of a probe saw, in words."""

from fdaa._checks import check_type
from fdaa._escapes import printable
from fdaa.lines import Evidence
from fdaa.probe import Connection, Lookup

_IPV4_SHOWN = 3

# What was sent, what came back, and after how long.
_TEXT = {
    Evidence.FOUND: "lookup {host}: {number} after {ms}",
    Evidence.IPV4_ONLY: "lookup {host}: no IPv6 address, but IPv4 ({ipv4}), after {ms}",
    Evidence.NOT_FOUND: "lookup {host}: not found after {ms}{error}",
    Evidence.NO_ADDRESS: "lookup {host}: no address after {ms}{error}",
    Evidence.RESOLVER_FAILED: "lookup {host}: failed after {ms}{error}",
    Evidence.RESOLVER_TIMED_OUT: "lookup {host}: no response after {s}{error}",
    Evidence.LOOKUP_NOT_TRIED: "lookup {host}: not tried{error}",
    Evidence.OPEN: "SYN sent to {place}: open after {ms}{error}",
    Evidence.RESET: "SYN sent to {place}: open, then reset after {ms}",
    Evidence.REFUSED: "SYN sent to {place}: refused after {ms}",
    Evidence.PORT_UNREACHABLE: "SYN sent to {place}: {message} after {ms}",
    Evidence.PROHIBITED: "SYN sent to {place}: {message} after {ms}",
    Evidence.NO_ROUTE_REPORTED: "SYN sent to {place}: {message} after {ms}",
    Evidence.ADDRESS_UNREACHABLE: "SYN sent to {place}: {message} after {ms}",
    Evidence.UNREACHABLE: "SYN sent to {place}: {message} after {ms}",
    Evidence.HOP_LIMIT_EXCEEDED: "SYN sent to {place}: {message} after {ms}",
    Evidence.TIMED_OUT: "SYN sent to {place}: no response after {s}",
    Evidence.NO_ROUTE: "not sent to {place}: no route{error}",
    Evidence.NO_SOURCE_ADDRESS: "not sent to {place}: no address to connect from{error}",
    Evidence.NO_FREE_PORT: "not sent to {place}: no free port to connect from{error}",
    Evidence.NOT_PERMITTED: "not sent to {place}: not permitted{error}",
    Evidence.NOT_TRIED: "not sent to {place}: not tried{error}",
    Evidence.ROUTED: "not sent to {place}: no port; there is a route",
}


def describe_step(step: Lookup | Connection) -> str:
    """Return what a step of a probe saw: what was sent, what came back, and after how long.

    Args:
        step: a lookup or a connection.

    >>> from fdaa import Address
    >>> from fdaa.lines import Evidence
    >>> from fdaa.probe import Connection, Target
    >>> target = Target.parse("[fdaa:2:45b::3]:5432")
    >>> print(describe_step(Connection(target, target.address, Evidence.REFUSED, 0.0004)))
    SYN sent to [fdaa:2:45b::3]:5432: refused after 0.4 ms
    """
    check_type(step, "step", Lookup, Connection)
    words = {
        "error": _in_brackets(step.error),
        "ms": f"{step.seconds * 1000:.1f} ms",
        "s": f"{step.seconds:.1f} s",
    }
    if isinstance(step, Lookup):
        words.update(_words_of_lookup(step))
    else:
        words.update(_words_of_connection(step))
    return _TEXT[step.evidence].format_map(words)


def _words_of_lookup(lookup: Lookup) -> dict[str, str]:
    number = f"{len(lookup.addresses)} IPv6 addresses"
    if len(lookup.addresses) == 1:
        number = "1 IPv6 address"
    ipv4 = ", ".join(map(str, lookup.ipv4[:_IPV4_SHOWN]))
    return {"host": lookup.host, "number": number, "ipv4": ipv4}


def _words_of_connection(connection: Connection) -> dict[str, str]:
    place = str(connection.address)
    if connection.target.port is not None:
        place = f"[{place}]:{connection.target.port}"
    message = connection.error or ""
    if connection.reported_by is not None:
        message = f"ICMPv6 '{connection.error}' from {connection.reported_by}"
    return {"place": place, "message": message}


def _in_brackets(error: str | None) -> str:
    if error is None:
        return ""
    return f" ({printable(error)})"
