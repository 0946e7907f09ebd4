"""Packages that are imported when one of their names is needed, because few users need them."""

from __future__ import annotations


class LazyPackage:
    """Stands in for a package, in code and in `typing.get_type_hints`.

    Args:
        name: of the package.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> object:
        return getattr(__import__(self._name), attribute)
