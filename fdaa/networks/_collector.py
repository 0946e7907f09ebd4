"""Python's cyclic garbage collector, put aside while much is built that stays."""

from __future__ import annotations

import gc
from functools import wraps
from typing import TYPE_CHECKING, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")


def uncollected(function: Callable[_Arguments, _Result]) -> Callable[_Arguments, _Result]:
    """Return the function so that no collection runs within it.

    Collections are set off by growth, and what grows here is no garbage: on a large document they
    take longer than reading it. Where the caller has switched the collector off, it stays off.
    """

    @wraps(function)
    def call(*args: _Arguments.args, **kwargs: _Arguments.kwargs) -> _Result:
        if not gc.isenabled():
            return function(*args, **kwargs)
        gc.disable()
        try:
            return function(*args, **kwargs)
        finally:
            gc.enable()

    return call
