"""The errors: what a person reads, what a program reads, and what all of them have in common."""

from __future__ import annotations

import copy
import importlib
import pickle
import pkgutil
from typing import Any

import pytest

import fdaa
from fdaa import FdaaError, NetworkName, networks, platform
from fdaa._support.escapes import printable, quote

QUOTED = (
    # text, as it is quoted, why
    ("fdaa::1", "'fdaa::1'", "a plain text"),
    ("it's", '"it\'s"', "a quote inside"),
    ("a\nb\tc", r"'a\nb\tc'", "control characters"),
    ("\x9b31m", r"'\x9b31m'", "what colours a terminal, in one character"),
    ("\u202efdaa", r"'\u202efdaa'", "what turns the line around"),
    ("\udc80", r"'\udc80'", "a byte that was no UTF-8"),
    ("x" * 60, "'" + "x" * 60 + "'", "60 characters"),
    ("x" * 61, "'" + "x" * 60 + "'...", "61 characters"),
)


@pytest.mark.parametrize(("text", "quoted", "why"), QUOTED)
def test_input_is_quoted_so_that_it_can_be_printed_anywhere(
    text: str, quoted: str, why: str
) -> None:
    assert quote(text) == quoted, why


PRINTABLE = (
    # text, as it is printed, why
    ("caf\u00e9 \\ \U0001f600", "caf\u00e9 \\ \U0001f600", "all of it printable"),
    ("caf\u00e9\\\x1b[31m", "caf\u00e9\\\\x1b[31m", "printable around a control character"),
    ("\u202efdaa\udc80", r"\u202efdaa\udc80", "what turns the line around; no UTF-8"),
)


@pytest.mark.parametrize(("text", "shown", "why"), PRINTABLE)
def test_only_what_is_not_printable_is_escaped(text: str, shown: str, why: str) -> None:
    assert printable(text) == shown, why


def test_characters_that_the_output_needs_are_kept() -> None:
    assert printable("a\nb\tc\x1b", keep="\n\t") == "a\nb\tc\\x1b"


ERRORS = (
    # error, its message
    (fdaa.AddressError("a", "it is b"), "'a' is not a private address: it is b"),
    (fdaa.OutsidePrefixError("a", "it is b", 0), "'a' is not a private address: it is b (index 0)"),
    (fdaa.PrefixError("a", "it is b", 1), "'a' is not a prefix of a network: it is b (index 1)"),
    (fdaa.NetworkIDError("a", "it is b", 12), "'a' is not a network ID: it is b (index 12)"),
    (fdaa.NetworkNameError("\n", "it is b"), r"'\n' is not a network name: it is b"),
)


@pytest.mark.parametrize(("error", "message"), ERRORS)
def test_an_error_says_what_why_and_where(error: fdaa.InputError, message: str) -> None:
    assert isinstance(error, ValueError)
    assert isinstance(error, fdaa.FdaaError)
    assert error.reason == "it is b"
    assert str(error) == message


# --- the errors of all rooms: each is public, documented, and goes through a process pool -----

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

APPS = platform.AppList((), document=networks.parse_document('{"apps": []}', file="apps.json"))
CALL = "GET /v1/apps"
UNREACHABLE = {"reason": "no response", "may_have_happened": True}
RESPONSE = {
    "status": 403,
    "message": "no",
    "code": "denied",
    "headers": {"x-request-id": "r-1", "retry-after": "3"},
    "may_have_happened": True,
}
# The errors with other arguments than a text.
OTHER_ARGUMENTS: dict[type[FdaaError], tuple[Any, ...]] = {
    fdaa.InputError: ("text", "reason", 3),
    platform.TokenRefusedError: ((platform.FailedCheck("aud", reason="missing"),),),
}
# Those that take all but their first argument by its name.
BY_NAME: dict[type[FdaaError], tuple[Any, dict[str, Any]]] = {
    networks.FileError: ("file", {"reason": "reason"}),
    networks.DocumentError: ("file", {"reason": "reason"}),
    platform.UnreachableError: (CALL, UNREACHABLE),
    platform.NoIdentityError: (CALL, UNREACHABLE),
    platform.ResponseError: (CALL, RESPONSE),
    platform.AccessDeniedError: (CALL, RESPONSE),
    platform.NotFoundError: (CALL, RESPONSE),
    platform.ConflictError: (CALL, RESPONSE),
    platform.RateLimitError: (CALL, RESPONSE),
    platform.InvalidResponseError: (CALL, {"place": "apps[0]", "reason": "reason"}),
    platform.IncompleteListError: (CALL, {"apps": APPS}),
    platform.OtherNetworkError: (platform.PlatformApp("web"), {"network": NetworkName("blue")}),
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
    assert private == set()


def made(type_: type[FdaaError]) -> FdaaError:
    if type_ in BY_NAME:
        first, others = BY_NAME[type_]
        return type_(first, **others)
    return type_(*OTHER_ARGUMENTS.get(type_, ("text",)))


@pytest.mark.parametrize("type_", PUBLIC)
def test_an_error_is_the_same_after_a_copy_or_a_pickle(type_: type[FdaaError]) -> None:
    error = made(type_)
    copies = [copy.copy(error), copy.deepcopy(error)]
    copies += [pickle.loads(pickle.dumps(error, protocol)) for protocol in range(6)]
    for each in copies:
        assert type(each) is type_
        assert (str(each), repr(each)) == (str(error), repr(error))
        assert vars(each) == vars(error)
    if isinstance(error, platform.PlatformError):
        assert error.may_have_happened in (True, False)
