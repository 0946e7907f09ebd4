"""A griffe extension for the site: examples as blocks of code, and links to the commands."""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

from griffe import Extension

if TYPE_CHECKING:
    from griffe import Class, Module, Object

sys.path.insert(0, str(Path(__file__).parent))
from reference import EQUIVALENTS

_EXAMPLE = re.compile(r"^( *)>>> .*(?:\n(?!\s*\n).*)*", re.MULTILINE)


class Docstrings(Extension):
    """Fences each example, and links a function to the commands that do the same.

    `__new__` is shown as the constructor where there is no `__init__`.
    """

    def __init__(self) -> None:
        super().__init__()
        self._commands: dict[str, list[str]] = defaultdict(list)
        for command, (_, *names) in EQUIVALENTS.items():
            for name in names:
                found = resolve_name(name)
                self._commands[f"{found.__module__}.{found.__qualname__}"].append(command)

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Fence the examples, because Markdown reads `>>>` as a quotation; add the links."""
        if obj.docstring:
            text = _EXAMPLE.sub(_fenced, obj.docstring.value)
            if commands := self._commands.get(obj.path):
                links = (f"[`{name}`][{name.replace(' ', '-')}]" for name in commands)
                text += f"\n\nOn the command line: {', '.join(links)}."
            obj.docstring.value = text

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
