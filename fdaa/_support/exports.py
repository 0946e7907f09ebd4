"""Public names: they live where they are public, and in a slow room are imported on first use."""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # importing typing takes several times as long as importing fdaa
if TYPE_CHECKING:
    from collections.abc import Iterable


def publish(room: str, names: Iterable[str] | None = None) -> None:
    """Make what a room exports name the room, not a private file.

    Messages, tracebacks, pickles and `typing.get_type_hints` then show `fdaa.networks.Book`. The
    annotations of an exported class must be objects, not text: its file does not import
    `annotations` from `__future__`, as text would be looked up in the room.

    Args:
        room: the `__name__` of a package or module with `__all__`; names that it imports from other
            rooms stay theirs. Names of private packages beside it become its own.
        names: the exported names that are loaded by now; None if all are.
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
        if name not in package.__all__:  # one of its modules, or what `inspect` looks for
            raise AttributeError(f"module {room!r} has no attribute {name!r}")
        for module in modules:
            content = vars(_import(module))
            found = {each: content[each] for each in package.__all__ if each in content}
            package.__dict__.update(found)
            publish(room, found)
            if name in found:
                break
        return package.__dict__[name]

    def names() -> list[str]:
        return list(package.__all__)

    package.__dict__["__getattr__"] = load
    package.__dict__["__dir__"] = names


def find_rooms(package: str, rooms: tuple[str, ...]) -> None:
    """Import a room when it is first used as an attribute of the package: `fdaa.scan`.

    Args:
        package: the `__name__` of the package.
        rooms: the names of its rooms, which `dir` lists, too.
    """
    module = sys.modules[package]

    def load(name: str) -> object:
        if name not in rooms:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return _import(f"{package}.{name}")

    def names() -> list[str]:
        return sorted({*vars(module), *rooms})

    module.__dict__["__getattr__"] = load
    module.__dict__["__dir__"] = names


def _import(name: str) -> object:
    return __import__(name, fromlist=["*"])
