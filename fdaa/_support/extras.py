"""The errors for packages that are not installed."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def needs_extra(what: str, extra: str) -> Iterator[None]:
    """Import packages of an extra; the error for a missing one names the extra to install."""
    try:
        yield
    except ModuleNotFoundError as error:
        cause = error.__cause__ or error  # of an extra that needs another one, the package itself
        advice = f"install fdaa again with it; in a checkout: pip install -e '.[{extra}]'"
        message = f"{what} needs the extra `{extra}` ({cause}): {advice}"
        raise ModuleNotFoundError(message, name=error.name) from error


@contextmanager
def needs_package(what: str, package: str) -> Iterator[None]:
    """Import a package that no extra brings; the error for a missing one names the package."""
    try:
        yield
    except ModuleNotFoundError as error:
        message = f"{what} needs {package}: pip install {package} ({error})"
        raise ModuleNotFoundError(message, name=error.name) from error
