"""The oldest versions of other packages that the columns work with."""

import re
from types import ModuleType


def require(package: ModuleType, lowest: str) -> None:
    """Raise an ImportError that names the version that is needed, if a package is older.

    Args:
        package: what was imported.
        lowest: two numbers with a dot: "2.1".
    """
    version = package.__version__
    if _numbers(version) < _numbers(lowest):
        name = package.__name__
        raise ImportError(f"fdaa.columns needs {name} {lowest} or later, not {version}")


def _numbers(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version)[:2]]
