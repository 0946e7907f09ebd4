"""A griffe extension for the site: what the reference shows of the public names, in which order."""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from griffe import Class, Extension

if TYPE_CHECKING:
    from collections.abc import Iterator

    from griffe import Expr, Module, Object

sys.path.insert(0, str(Path(__file__).parent))
from equivalents import EQUIVALENTS

# The order of a page of the reference: first what users call, last what they catch.
_KINDS = ("class", "function", "record", "attribute", "enumeration", "error")

_EXAMPLE = re.compile(r"^( *)>>> .*(?:\n(?!\s*\n).*)*", re.MULTILINE)


class Docstrings(Extension):
    """Orders the names of a package, and completes their docstrings."""

    def on_package(self, *, pkg: Module, **_: Any) -> None:
        """Order the names, fence the examples, link the commands that do the same."""
        self._public: set[str] = set()
        for module in _modules(pkg):
            names = [str(name) for name in module.exports or ()]
            self._public.update(module[name].canonical_path for name in names)
            if names:
                places = {name: _place(module, name) for name in names}
                module.exports = sorted(names, key=places.__getitem__)
        links = _links(pkg)
        for obj in _objects(pkg):
            if obj.docstring is not None:
                text = _EXAMPLE.sub(_fenced, obj.docstring.value)
                obj.docstring.value = text + links[obj.path]

    def on_class(self, *, cls: Class, **_: Any) -> None:
        """Show the constructor, fields and members in a table, public bases only."""
        if "__new__" in cls.members and "__init__" not in cls.members:
            cls.members["__init__"] = cls.members["__new__"]
        if cls.docstring is not None:
            if _kind(cls) == "enumeration":
                _list_members(cls)
            elif "dataclass" in cls.labels:
                _leave_fields_to_constructor(cls)
        cls.bases = self._shown_bases(cls)

    def _shown_bases(self, cls: Class) -> list[Expr]:
        """Return the bases of a class; in place of one that is not public, its own.

        The constructor and the methods of one that is not public become the class's own.
        """
        shown = []
        for base in cls.bases:
            path = base.canonical_path
            if path.startswith("fdaa.") and path not in self._public:
                hidden = cls.modules_collection[path]
                shown.extend(self._shown_bases(hidden))
                for name, member in hidden.members.items():
                    if name == "__init__" or not name.startswith("_"):
                        cls.members.setdefault(name, member)
            else:
                shown.append(base)
        return shown


def _modules(package: Module) -> Iterator[Module]:
    """Yield a package and all modules in it."""
    yield package
    for module in package.modules.values():
        if not module.is_alias:
            yield from _modules(module)


def _objects(obj: Object) -> Iterator[Object]:
    """Yield an object and all that is defined in it."""
    yield obj
    for member in obj.members.values():
        if not member.is_alias:
            yield from _objects(member)


def _links(package: Module) -> dict[str, str]:
    """Return, for the path of a function or class, the sentence that links its commands."""
    commands = defaultdict(list)
    for command, (_, *names) in EQUIVALENTS.items():
        for name in names:
            path = package[name.partition(".")[2]].canonical_path
            commands[path].append(f"[`{command}`][{command.replace(' ', '-')}]")
    links = defaultdict(str)
    for path, of_path in commands.items():
        links[path] = f"\n\nOn the command line: {', '.join(of_path)}."
    return links


def _place(module: Module, name: str) -> tuple[int, str, int]:
    """Return what orders names: the kind, then the name, with `AsyncClient` after `Client`."""
    obj = module[name]
    if obj.is_alias:
        obj = obj.final_target
    return _KINDS.index(_kind(obj)), name.removeprefix("Async"), len(name)


def _kind(obj: Object) -> str:
    """Return which of the kinds an object is."""
    if not isinstance(obj, Class):
        return str(obj.kind.value)
    bases = _all_bases(obj)
    if "Exception" in bases:
        return "error"
    if "StrEnum" in bases:
        return "enumeration"
    if "dataclass" in obj.labels or "NamedTuple" in bases:
        return "record"
    return "class"


def _all_bases(cls: Class) -> set[str]:
    """Return the names of a class's bases, and of theirs."""
    names = {str(base) for base in cls.bases}
    for base in cls.resolved_bases:
        names |= _all_bases(base)
    return names


def _list_members(cls: Class) -> None:
    """Write the members of an enumeration into its docstring, in place of a heading for each."""
    rows = ["", "", "| member | value |", "|---|---|"]
    for name, member in list(cls.attributes.items()):
        if name.isupper():
            rows.append(f"| `{name}` | `{member.value}` |")
            cls.del_member(name)
    cls.docstring.value += "\n".join(rows)


def _leave_fields_to_constructor(cls: Class) -> None:
    """Drop the fields that the docstring describes as arguments, with their types."""
    arguments = cls.docstring.value.partition("\nArgs:\n")[2]
    for name in list(cls.attributes):
        if re.search(rf"^    {name}:", arguments, re.MULTILINE):
            cls.del_member(name)


def _fenced(match: re.Match[str]) -> str:
    """Return an example in a fence, because Markdown reads `>>>` as a quotation."""
    indent = match[1]
    return f"{indent}```pycon\n{match[0]}\n{indent}```"
