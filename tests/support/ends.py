"""Ends of connections, as the rows of tests have them: a `str` is an app or a Machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fdaa.networks import App

if TYPE_CHECKING:
    from fdaa.networks import End


def as_end(value: Any) -> End:
    """Return an end as the library takes it."""
    if type(value) is str:
        return App(value)
    end: End = value
    return end
