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


def publish_on_first_use(room: str, modules: tuple[str, ...]) -> None:
    """Import and `publish` what a room exports when the first of its names is needed.

    Args:
        room: as for `publish`; only type checkers see it import its names.
        modules: the private modules of the room that have these names.
    """
    package = sys.modules[room]

    def load(name: str) -> object:
        if name.startswith("_"):  # one of its modules, or what `inspect` looks for
            raise AttributeError(f"module {room!r} has no attribute {name!r}")
        for module in modules:
            content = vars(__import__(f"{room}.{module}", fromlist=["*"]))
            for exported in package.__all__:
                if exported in content:
                    setattr(package, exported, content[exported])
        package.__dict__.pop("__getattr__", None)  # another thread may have loaded it
        publish(room)
        return getattr(package, name)

    def names() -> list[str]:
        return list(package.__all__)

    package.__dict__["__getattr__"] = load
    package.__dict__["__dir__"] = names
