"""Public names live where they are public."""

from __future__ import annotations

import sys


def publish(room: str, names: list[str] | None = None) -> None:
    """Make what a room exports name the room, not a private file.

    Messages, tracebacks, pickles and `typing.get_type_hints` then show `fdaa.networks.Book`. The
    annotations of an exported class must be objects, not text: its file does not import
    `annotations` from `__future__`, as text would be looked up in the room.

    Args:
        room: the `__name__` of a package or module with `__all__`; names that it imports from other
            rooms stay theirs. Names of private packages beside it become its own.
        names: those of its names that it has by now; without them, all.
    """
    owners = (f"{room}.", "fdaa._")
    module = sys.modules[room]
    if names is None:
        names = module.__all__
    for name in names:
        exported = getattr(module, name)
        owner = getattr(exported, "__module__", None)
        if callable(exported) and owner is not None and owner.startswith(owners):
            exported.__module__ = room
        _name_constructor(exported)


def _name_constructor(exported: object) -> None:
    """Let the error for a missing argument name a public class, not the private base of it."""
    for base in getattr(exported, "__mro__", ())[1:]:
        constructor = vars(base).get("__init__")
        if base.__name__.startswith("_") and hasattr(constructor, "__qualname__"):
            constructor.__qualname__ = f"{exported.__name__}.__init__"  # type: ignore[attr-defined]
