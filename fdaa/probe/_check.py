"""What was read on this computer, as data."""

# Without `annotations` from `__future__`: annotations of public names must be objects.

from dataclasses import KW_ONLY, dataclass

from fdaa.lines import Circumstance


@dataclass(frozen=True, slots=True)
class Check:
    """Something that was read on this computer.

    Args:
        found: what it shows.
        origin: where it was read: a file with its line, or a request of rtnetlink(7).
        detail: the name or address that it is about, or why it could not be read; else "".
    """

    found: Circumstance
    _: KW_ONLY
    origin: str
    detail: str = ""

    def to_dict(self) -> dict[str, object]:
        """Return it as a dictionary for `json.dumps`."""
        return {"found": self.found.value, "origin": self.origin, "detail": self.detail}
