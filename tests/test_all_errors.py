"""The errors of all rooms: each is public, documented, and goes through a process pool."""

from __future__ import annotations

import copy
import importlib
import pickle
import pkgutil
from pathlib import Path
from typing import Any

import pytest

import fdaa
from fdaa import FdaaError, NetworkID, NetworkName, networks, platform

ROOMS = (
    "",
    ".scan",
    ".networks",
    ".probe",
    ".explain",
    ".columns",
    ".platform",
    ".platform.sandbox",
)

APPS = platform.AppList((), networks.parse_document('{"apps": []}', file="apps.json"))
FACTS = tuple(networks.Fact("blue", NetworkID(number)) for number in (1, 2))
CONFLICT = networks.Contradiction(networks.Rule.NAME_HAS_TWO_IDS, FACTS)
UNREACHABLE = ("GET /v1/apps", "no response", True)
RESPONSE = ("GET /v1/apps", 403, "no", "denied", {"x-request-id": "r-1", "retry-after": "3"}, True)
# The errors with other arguments than a text.
OTHER_ARGUMENTS: dict[type[FdaaError], tuple[Any, ...]] = {
    fdaa.InputError: ("text", "reason", 3),
    networks.FileError: ("file", "reason"),
    networks.DocumentError: ("file", "reason"),
    networks.DocumentKindError: (
        "file",
        networks.DocumentKind.APP_LIST,
        networks.DocumentKind.MACHINE_LIST,
    ),
    networks.BookError: ("file", "reason"),
    networks.BookMissingError: ("file", "reason"),
    networks.BookConflictError: ("file", "reason", (CONFLICT,)),
    platform.UnreachableError: UNREACHABLE,
    platform.NoIdentityError: UNREACHABLE,
    platform.PoolTimeoutError: UNREACHABLE,
    platform.ResponseError: RESPONSE,
    platform.AccessDeniedError: RESPONSE,
    platform.NotFoundError: RESPONSE,
    platform.ConflictError: RESPONSE,
    platform.RateLimitError: RESPONSE,
    platform.InvalidResponseError: ("GET /v1/apps", "apps[0]", "reason", True),
    platform.IncompleteListError: ("GET /v1/apps", APPS),
    platform.OtherNetworkError: (platform.App("web"), NetworkName("blue")),
    platform.TokenRefusedError: ((platform.FailedCheck("aud", "missing", None),),),
}


def subclasses(type_: type[Any]) -> set[type[Any]]:
    """Return a class with all classes under it."""
    found = {type_}
    for under in type_.__subclasses__():
        found |= subclasses(under)
    return found


def full_name(error: type) -> str:
    return f"{error.__module__}.{error.__qualname__}"


def public_errors() -> list[type[FdaaError]]:
    found: list[type[FdaaError]] = []
    for room in ROOMS:
        module = importlib.import_module(f"fdaa{room}")
        for name in module.__all__:
            exported = getattr(module, name)
            if isinstance(exported, type) and issubclass(exported, FdaaError):
                found.append(exported)
    return found


PUBLIC = public_errors()


def test_every_error_that_can_leave_the_library_is_public() -> None:
    for module in pkgutil.walk_packages(fdaa.__path__, "fdaa."):
        if module.name.startswith(("fdaa.networks", "fdaa.platform", "fdaa.probe", "fdaa.scan")):
            importlib.import_module(module.name)
    private = set(map(full_name, subclasses(FdaaError))) - set(map(full_name, PUBLIC))
    private = {name for name in private if name.startswith("fdaa.")}
    private = {name for name in private if not name.startswith("fdaa.cli.")}
    # The server of a sandbox responds with it; a client raises another.
    assert private == {"fdaa.platform.sandbox._state.RefusedError"}


def test_the_tree_in_the_guide_has_every_error() -> None:
    guide = Path(__file__).parent.parent / "docs" / "library.md"
    tree = guide.read_text("utf-8").partition("\nFdaaError")[2].split()
    names = {full_name(error).removeprefix("fdaa.") for error in PUBLIC}
    assert names - {"FdaaError"} <= set(tree)


@pytest.mark.parametrize("type_", PUBLIC)
def test_an_error_is_the_same_after_a_copy_or_a_pickle(type_: type[FdaaError]) -> None:
    error = type_(*OTHER_ARGUMENTS.get(type_, ("text",)))
    copies = [copy.copy(error), copy.deepcopy(error)]
    copies += [pickle.loads(pickle.dumps(error, protocol)) for protocol in range(6)]
    for each in copies:
        assert type(each) is type_
        assert (str(each), repr(each)) == (str(error), repr(error))
        assert vars(each) == vars(error)
    if isinstance(error, platform.PlatformError):
        assert error.may_have_happened in (True, False)


@pytest.mark.parametrize(
    "error",
    [
        networks.DocumentError(file="apps.json", reason="no"),
        networks.BookConflictError(file="b", reason="no", contradictions=(CONFLICT,)),
        platform.UnreachableError(call="GET /", reason="no", may_have_happened=True),
        platform.CannotVerifyError(reason="no"),
        platform.TokenRefusedError(failures=()),
    ],
)
def test_an_error_that_is_made_with_keywords_is_pickled_too(error: FdaaError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), vars(again), str(again)) == (type(error), vars(error), str(error))
