"""When a request is retried, and after which delay."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_TEMPORARY = frozenset((None, 502, 503, 504))  # None: the connection failed
_PAUSES = (0.25, 0.5, 1.0)  # seconds before each retry, unless the response asks for more


def pause_before_retry(
    status: int | None, asked: float | None, attempt: int, left: float, *, changes: bool
) -> float | None:
    """Return the delay before a retry in seconds; None to give up.

    After 429 nothing happened, so every request is sent again until the deadline. Otherwise only
    one that changes nothing is, three times.

    Args:
        status: of the response; None where the connection failed.
        asked: the seconds in `Retry-After`, if any.
        attempt: how often the request was sent.
        left: seconds until the deadline.
        changes: whether the request creates or destroys something.
    """
    may_repeat = not changes and status in _TEMPORARY and attempt <= len(_PAUSES)
    if status != 429 and not may_repeat:
        return None
    last = len(_PAUSES) - 1
    pause = max(_PAUSES[min(attempt - 1, last)], asked or 0)
    time_for_a_response = _PAUSES[0]
    if pause + time_for_a_response > left:
        return None
    return pause


def retry_after(value: str) -> float | None:
    """Return the seconds that a `Retry-After` header asks for (RFC 9110, section 10.2.3)."""
    if value.isascii() and value.isdecimal():
        return float(value[:9])
    try:
        moment = parsedate_to_datetime(value)
    except (ValueError, OverflowError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())
