"""Public names: they live where they are public, and in a slow room are imported on first use."""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # importing typing takes several times as long as importing fdaa
if TYPE_CHECKING:
    from collections.abc import Callable, Collection


def publish(room: str) -> None:
    """Make what a room exports name the room, not a private file.

    Messages, tracebacks, pickles and `typing.get_type_hints` then show `fdaa.networks.Document`.
    The annotations of an exported class must be objects, not text: its file does not import
    `annotations` from `__future__`, as text would be looked up in the room.

    Args:
        room: the `__name__` of a package or module with `__all__`; names that it imports from other
            rooms stay theirs. Names of private packages beside it become its own.
    """
    module = sys.modules[room]
    for name in module.__all__:
        _publish_one(room, getattr(module, name))


def publish_on_first_use(room: str, *modules: str) -> None:
    """Import and `publish` what a room exports when one of its names is needed.

    For a room that is slow to import; most programs need only a part of it. Type checkers read its
    imports below `if TYPE_CHECKING`, which do not run.

    Args:
        room: as for `publish`.
        modules: the modules that have its names, from the bottom up. They are imported in this
            order, as far as the one that has the name.
    """
    package = sys.modules[room]

    def load(name: str) -> object:
        for module in modules:
            content = vars(_import(module))
            for each in package.__all__:
                if each in content:
                    _publish_one(room, content[each])
                    package.__dict__[each] = content[each]
            if name in content:
                break
        return package.__dict__[name]

    _load_late(room, package.__all__, load)


def find_rooms(package: str, rooms: Collection[str]) -> None:
    """Import a room when it is first used as an attribute of the package: `fdaa.scan`."""

    def load(name: str) -> object:
        return _import(f"{package}.{name}")

    _load_late(package, rooms, load)


def _publish_one(room: str, exported: object) -> None:
    owner = getattr(exported, "__module__", None)
    if callable(exported) and owner is not None and owner.startswith((f"{room}.", "fdaa._")):
        exported.__module__ = room


def _load_late(package: str, names: Collection[str], load: Callable[[str], object]) -> None:
    """Let a package call `load` for those of its attributes that it does not have yet."""
    module = sys.modules[package]

    def find(name: str) -> object:
        if name not in names:  # one of its modules, or what `inspect` looks for
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return load(name)

    def listed() -> list[str]:
        return sorted({*vars(module), *names})

    module.__dict__.update(__getattr__=find, __dir__=listed)


def _import(name: str) -> object:
    return __import__(name, fromlist=["*"])
