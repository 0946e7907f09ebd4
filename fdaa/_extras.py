"""The errors for packages that are not installed."""

from __future__ import annotations


def missing_extra(what: str, extra: str, error: ModuleNotFoundError) -> ModuleNotFoundError:
    """Return the error that names the extra to install for the package missing in `error`."""
    cause = error.__cause__ or error  # of an extra that needs another one, the package itself
    message = f"{what} needs the extra `{extra}`: pip install 'fdaa[{extra}]' ({cause})"
    return ModuleNotFoundError(message, name=error.name)


def missing_package(what: str, package: str, error: ModuleNotFoundError) -> ModuleNotFoundError:
    """Return the error that names the package to install, which no extra brings."""
    message = f"{what} needs {package}: pip install {package} ({error})"
    return ModuleNotFoundError(message, name=error.name)
