"""Write the public interface into interface.txt: one line for each thing that a program uses.

A name, a base class, a value and the type of an attribute have a line each, and so has each
parameter, also of the special methods that a class defines. What an expression gives that no
signature shows (`NetworkID` equals its number) has a line, too. So a line that is gone, and a new
parameter without a default, break programs; all other new lines do not.

Provisional rooms are left out, as a minor release may change them, and so are the constructors of
results and errors. From 1.0 on, a change that breaks programs is never written, unless the version
has a new first number
(docs/contributing/releasing.md).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import griffe

import fdaa

TOOLS = Path(__file__).resolve().parent
ROOT = TOOLS.parent.parent

if TYPE_CHECKING:
    from collections.abc import Iterator

INTERFACE = TOOLS / "interface.txt"
# The command, whose promise are its options, statuses and output.
NOT_PROMISED = ("fdaa.cli",)
# What the docstring of a room says that a minor release may change.
PROVISIONAL = "\nProvisional: "
# The records that programs make. The others are results, which may get new fields, as may errors.
MADE_BY_PROGRAMS = ("AddressPort", "App", "Fact", "Host", "ThisMachine")
# Special methods that users call with an operator or a statement are listed. These are not: their
# presence and their arguments are the business of Python.
OF_PYTHON = (
    "__annotations__",
    "__class_getitem__",
    "__dataclass_fields__",
    "__delattr__",
    "__doc__",
    "__getattr__",
    "__getattribute__",
    "__init__",
    "__init_subclass__",
    "__missing__",
    "__module__",
    "__post_init__",
    "__reduce__",
    "__repr__",
    "__set_name__",
    "__setattr__",
    "__slots__",
    "__weakref__",
)
# What values are equal to, sort like and print as, which no signature shows.
EXPRESSIONS = (
    "fdaa.NetworkID('2:45b') == 132187",
    "hash(fdaa.NetworkID('2:45b')) == hash(132187)",
    "fdaa.NetworkID('2:45b') == '2:45b'",
    "fdaa.Address('fdaa::3') == 'fdaa::3'",
    "fdaa.NetworkName('blue') == 'blue'",
    "f'{fdaa.NetworkID(132187)} {fdaa.NetworkID(132187):#x} {fdaa.NetworkID(132187):d}'",
    "sorted(map(fdaa.Address, ['fdaa:1::', 'fdaa::2', 'fdaa::1']))",
    "str(fdaa.Prefix('fdaa:2:45b::/48'))",
    "bytes(fdaa.NetworkID('2:45b'))",
    "issubclass(fdaa.AddressError, ValueError)",
    "str(fdaa.networks.Reason.SAME_ID)",
    "fdaa.networks.App('web') == 'web'",
)


def lines() -> list[str]:
    """Return the lines of the interface, sorted."""
    package = griffe.load("fdaa", search_paths=[ROOT], resolve_aliases=True)
    found = set(_of_module(package))
    for expression in EXPRESSIONS:
        found.add(f"{expression} -> {eval(expression, {'fdaa': fdaa})!r}")  # noqa: S307 - ours
    return sorted(found)


def _of_module(module: Any) -> Iterator[str]:
    if module.path.startswith(NOT_PROMISED) or "._" in module.path:
        return
    if module.docstring is not None and PROVISIONAL in module.docstring.value:
        return
    for name in module.exports or ():
        yield from _of_object(f"{module.path}.{name}", _target(module[name]))
    for inside in module.modules.values():
        if not inside.is_alias:
            yield from _of_module(inside)


def _target(found: Any) -> Any:
    if found.is_alias:
        return found.final_target
    return found


def _of_object(path: str, found: Any) -> Iterator[str]:
    if found.is_function:
        yield f"{path} -> {found.returns or 'None'}"
        yield from _of_parameters(path, found.parameters, found)
    elif found.is_class:
        yield from _of_class(path, found)
    elif str(found.annotation) == "TypeAlias":
        yield f"{path} = {found.value}"
    elif found.annotation is not None:
        yield f"{path}: {found.annotation}"
    elif found.value is not None and path.rpartition(".")[2].isupper():
        yield f"{path} = {_value(found, str(found.value))}"
    else:
        yield path


def _of_class(path: str, found: Any) -> Iterator[str]:
    yield f"class {path}"
    bases = set(_bases(found))
    for base in bases:
        yield f"class {path} is {base}"
    if _is_made_by_programs(path, found):
        yield from _of_parameters(path, found.parameters, found)
    own = _own_members(found)
    for name, member in found.all_members.items():
        is_special = name.endswith("__") and name in own and name not in OF_PYTHON
        if name.startswith("_") and not is_special:
            continue
        inside = _target(member)
        is_constant = "StrEnum" in bases or name == "__match_args__"
        if inside.is_attribute and is_constant:
            yield f"{path}.{name} = {inside.value}"
        else:
            yield from _of_object(f"{path}.{name}", inside)


def _is_made_by_programs(path: str, found: Any) -> bool:
    room, _, name = path.rpartition(".")
    if room == "fdaa.networks" and name in MADE_BY_PROGRAMS:
        return True
    return "dataclass" not in found.labels and not name.endswith("Error")


def _own_members(found: Any) -> set[str]:
    """Return the names of what a class or a private base of it defines."""
    names = set(found.members)
    for base in found.bases:
        private = _private_base(found, str(base))
        if private is not None:
            names |= _own_members(private)
    return names


def _bases(found: Any) -> Iterator[str]:
    """Yield the public bases of a class, and those of its private ones."""
    for base in found.bases:
        name = str(base)
        private = _private_base(found, name)
        if private is not None:
            yield from _bases(private)
        elif not name.startswith("_"):
            yield name


def _private_base(found: Any, name: str) -> Any | None:
    """Return the base class of this name if it is ours and no room exports it."""
    base = found.module.members.get(name)
    if base is None:
        return None
    if base.is_alias and not base.target_path.startswith("fdaa."):
        return None
    base = _target(base)
    rooms = [found.package, *found.package.modules.values()]
    if any(base.name in (room.exports or ()) for room in rooms):
        return None
    return base


def _value(found: Any, expression: str) -> str:
    """Return an expression, or the value of the constant that it names."""
    constant = found.module.members.get(expression)
    if constant is None:
        return expression
    constant = _target(constant)
    if not constant.is_attribute or constant.value is None:
        return expression
    return str(constant.value)


def _of_parameters(path: str, parameters: Any, owner: Any) -> Iterator[str]:
    """Yield a line for each parameter: its place if it may be positional, its name and its type."""
    place = 0
    for parameter in parameters:
        if parameter.name in ("self", "cls"):
            continue
        kind = parameter.kind.value
        shown = parameter.name
        if kind == "positional-only":
            shown = "/"
        if kind != "keyword-only":
            place += 1
            shown = f"{place} {shown}"
        line = f"{path}({shown}: {parameter.annotation})"
        if parameter.default is not None:
            line += f" = {_value(owner, str(parameter.default))}"
        yield line


def breaking(old: list[str], new: list[str]) -> list[str]:
    """Return what a program could miss: the lines that are gone, and new required parameters."""
    gone = [f"- {line}" for line in old if line not in new]
    functions = {line.partition(" -> ")[0].removeprefix("class ") for line in old}
    required = []
    for line in new:
        path, parenthesis, _ = line.partition("(")
        is_new = line not in old and path in functions
        if parenthesis and is_new and line.endswith(")"):
            required.append(f"+ {line}")
    return gone + required


def first_number(version: str) -> str:
    """Return the number that a breaking change raises: for 0.3 and 1.0rc1 each version is one."""
    match = re.fullmatch(r"([1-9]\d*)(\.\d+)+", version)
    if match is None:
        return version
    return match[1]


def pages() -> dict[Path, str]:
    """Return the interface of this version; exit where that breaks programs for a released one."""
    version = fdaa.__version__
    recorded, *old = INTERFACE.read_text("utf-8").splitlines()
    new = lines()
    changes = breaking(old, new)
    is_released = first_number(recorded.removeprefix("fdaa ")) == first_number(version)
    if changes and is_released and first_number(version).isdigit():
        reason = f"programs for fdaa {version} would break: keep these"
        raise SystemExit("\n".join([*changes, reason]))
    return {INTERFACE: "\n".join([f"fdaa {version}", *new]) + "\n"}
