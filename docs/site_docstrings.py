"""A griffe extension for the site: examples in docstrings become blocks of code."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from griffe import Extension

if TYPE_CHECKING:
    from griffe import Class, Module, Object

_EXAMPLE = re.compile(r"^( *)>>> .*(?:\n(?!\s*\n).*)*", re.MULTILINE)


class Docstrings(Extension):
    """Fences each example, and shows `__new__` as the constructor where there is no `__init__`."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Fence the examples: Markdown takes `>>>` for a quotation."""
        if obj.docstring:
            obj.docstring.value = _EXAMPLE.sub(_fenced, obj.docstring.value)

    def on_module_members(self, *, mod: Module, **_: Any) -> None:
        """Fence those of a module, whose docstring is not read yet when `on_object` is called."""
        self.on_object(obj=mod)

    def on_class(self, *, cls: Class, **_: Any) -> None:
        """Let the signature be that of `__new__`."""
        if "__new__" in cls.members and "__init__" not in cls.members:
            cls.members["__init__"] = cls.members["__new__"]


def _fenced(match: re.Match[str]) -> str:
    indent = match[1]
    return f"{indent}```pycon\n{match[0]}\n{indent}```"
