"""What the steps of a probe saw, in words."""

from dataclasses import dataclass
from typing import NamedTuple

from fdaa._support.escapes import printable
from fdaa._values.checks import check_type
from fdaa.lines import Evidence
from fdaa.probe import Connection, Lookup

_IPV4_SHOWN = 3

_LOOKUP = "lookup"
_SENT = "SYN sent to"
_NOT_SENT = "not sent to"

_ASKS_FOR_IPV4 = "IPv6 only: a program that asks for IPv4 finds no such name"


class _Text(NamedTuple):
    """The words for evidence.

    Args:
        done: what was done.
        seen: what came back.
        shows_time: whether the time is shown.
        shows_error: whether the error is shown.
    """

    done: str
    seen: str
    shows_time: bool = True
    shows_error: bool = False


def _nothing_sent(seen: str) -> _Text:
    return _Text(_NOT_SENT, seen, shows_time=False, shows_error=True)


_TEXT = {
    Evidence.FOUND: _Text(_LOOKUP, "{number}"),
    Evidence.IPV4_ONLY: _Text(_LOOKUP, "no IPv6 address, but IPv4 ({ipv4})"),
    Evidence.NOT_FOUND: _Text(_LOOKUP, "not found", shows_error=True),
    Evidence.NO_ADDRESS: _Text(_LOOKUP, "no address", shows_error=True),
    Evidence.RESOLVER_FAILED: _Text(_LOOKUP, "failed", shows_error=True),
    Evidence.RESOLVER_TIMED_OUT: _Text(_LOOKUP, "no response", shows_error=True),
    Evidence.LOOKUP_NOT_TRIED: _Text(_LOOKUP, "not tried", shows_time=False, shows_error=True),
    Evidence.OPEN: _Text(_SENT, "open", shows_error=True),
    Evidence.RESET: _Text(_SENT, "open, then reset"),
    Evidence.REFUSED: _Text(_SENT, "refused"),
    Evidence.PORT_UNREACHABLE: _Text(_SENT, "{message}"),
    Evidence.PROHIBITED: _Text(_SENT, "{message}"),
    Evidence.NO_ROUTE_REPORTED: _Text(_SENT, "{message}"),
    Evidence.ADDRESS_UNREACHABLE: _Text(_SENT, "{message}"),
    Evidence.UNREACHABLE: _Text(_SENT, "{message}"),
    Evidence.HOP_LIMIT_EXCEEDED: _Text(_SENT, "{message}"),
    Evidence.TIMED_OUT: _Text(_SENT, "no response"),
    Evidence.NO_ROUTE: _nothing_sent("no route"),
    Evidence.NO_SOURCE_ADDRESS: _nothing_sent("no address to connect from"),
    Evidence.NO_FREE_PORT: _nothing_sent("no free port to connect from"),
    Evidence.NOT_PERMITTED: _nothing_sent("not permitted"),
    Evidence.NOT_TRIED: _nothing_sent("not tried"),
    Evidence.ROUTED: _nothing_sent("no port; there is a route"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class DescribedStep:
    """What a step of a probe saw, in words; `str` returns them as one line.

    Args:
        done: what was done: `lookup`, `SYN sent to` or `not sent to`.
        what: the name, or the address with its port.
        seen: what came back.
        after: after how long, with its unit; "" where nothing was sent.
        error: the error message; "" without one.
        remark: what follows for other programs; "" if nothing does.
    """

    done: str
    what: str
    seen: str
    after: str = ""
    error: str = ""
    remark: str = ""

    def __str__(self) -> str:
        text = f"{self.done} {self.what}: {self.seen}"
        if self.after:
            text += f" after {self.after}"
        if self.error:
            text += f" ({self.error})"
        return text


def describe_step(step: Lookup | Connection) -> DescribedStep:
    """Return what a step of a probe saw: what was sent, what came back, and after how long.

    Args:
        step: a lookup or a connection.

    >>> from fdaa import Address
    >>> from fdaa.lines import Evidence
    >>> from fdaa.probe import Connection, Target
    >>> target = Target.parse("[fdaa:2:45b::3]:5432")
    >>> seen = Connection(
    ...     target=target, address=target.address, evidence=Evidence.REFUSED, seconds=0.0004
    ... )
    >>> print(describe_step(seen))
    SYN sent to [fdaa:2:45b::3]:5432: refused after 0.4 ms
    """
    check_type(step, "step", Lookup, Connection)
    text = _TEXT[step.evidence]
    after = _duration(step) if text.shows_time else ""
    error = ""
    if text.shows_error and step.error is not None:
        error = printable(step.error)
    if isinstance(step, Lookup):
        seen = text.seen.format_map(_words_of(step))
        remark = _ASKS_FOR_IPV4 if step.addresses and not step.ipv4 else ""
        return DescribedStep(
            done=text.done, what=step.host, seen=seen, after=after, error=error, remark=remark
        )
    seen = text.seen.format(message=_message(step))
    return DescribedStep(done=text.done, what=_place(step), seen=seen, after=after, error=error)


def _duration(step: Lookup | Connection) -> str:
    if step.evidence in (Evidence.TIMED_OUT, Evidence.RESOLVER_TIMED_OUT):
        return f"{step.seconds:.1f} s"
    return f"{step.seconds * 1000:.1f} ms"


def _words_of(lookup: Lookup) -> dict[str, str]:
    noun = "address" if len(lookup.addresses) == 1 else "addresses"
    number = f"{len(lookup.addresses)} IPv6 {noun}"
    return {"number": number, "ipv4": ", ".join(map(str, lookup.ipv4[:_IPV4_SHOWN]))}


def _place(connection: Connection) -> str:
    if connection.target.port is None:
        return str(connection.address)
    return f"[{connection.address}]:{connection.target.port}"


def _message(connection: Connection) -> str:
    """Return the ICMPv6 message with its sender, or what the system says in its place."""
    if connection.reported_by is None:
        return connection.error or ""
    return f"ICMPv6 '{connection.error}' from {connection.reported_by}"
