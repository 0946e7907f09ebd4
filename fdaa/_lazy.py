"""What is imported when one of its names is needed, because few programs need it."""

from __future__ import annotations

import sys

from fdaa._public import publish


class LazyPackage:
    """Stands in for a package, in code and in `typing.get_type_hints`.

    Args:
        name: of the package.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> object:
        return getattr(__import__(self._name), attribute)


def publish_on_first_use(room: str, *groups: tuple[str, ...]) -> None:
    """Import and `publish` what a room exports when one of its names is needed.

    Args:
        room: as for `publish`; only type checkers see it import its names.
        groups: the private modules that have these names. The modules of a group are
            imported together, and the groups in this order, as far as the one that has the name.
    """
    package = sys.modules[room]

    def load(name: str) -> object:
        if name not in package.__all__:  # one of its modules, or what `inspect` looks for
            raise AttributeError(f"module {room!r} has no attribute {name!r}")
        for group in groups:
            found: list[str] = []
            for module in group:
                content = vars(__import__(module, fromlist=["*"]))
                for exported in package.__all__:
                    if exported in content:
                        setattr(package, exported, content[exported])
                        found.append(exported)
            publish(room, found)
            if name in found:
                break
        return vars(package)[name]

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
        return __import__(f"{package}.{name}", fromlist=["*"])

    def names() -> list[str]:
        return sorted({*vars(module), *rooms})

    module.__dict__["__getattr__"] = load
    module.__dict__["__dir__"] = names
