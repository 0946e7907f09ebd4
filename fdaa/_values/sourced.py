"""The base of reasons, ways and causes: closed sets of texts whose members have a source."""

# Without `annotations` from `__future__`: annotations of public names must be objects.

from enum import StrEnum
from typing import Self


class Sourced(StrEnum):
    """Members with what supports them; docs/platform-rules.md has both kinds of support.

    Attributes:
        section: the section of the specification that says it, or None.
        assumed: the name of the assumption, where no section says it, or None.
    """

    section: str | None
    assumed: str | None

    def __new__(cls, value: str, section: str | None = None, assumed: str | None = None) -> Self:
        """Return the member with what supports it."""
        member = str.__new__(cls, value)
        member._value_ = value
        member.section = section
        member.assumed = assumed
        return member
