"""Asynchronous calls: the same code in a thread.

The threads are our own. Those of the event loop also look up the names of hosts, and a call that
waits for such a lookup must not take its place.
"""

import asyncio
import contextvars
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

Result = TypeVar("Result")

_POOL = ThreadPoolExecutor(max_workers=100, thread_name_prefix="fdaa.platform")


def start(function: Callable[..., Result], /, *args: Any, **options: Any) -> Future[Result]:
    """Start a function in a thread, in the context of the caller."""
    context = contextvars.copy_context()
    return _POOL.submit(partial(context.run, function, *args, **options))


async def in_thread(function: Callable[..., Result], /, *args: Any, **options: Any) -> Result:
    """Call a function in a thread. A thread whose caller was cancelled ends by its own timeout."""
    return await asyncio.wrap_future(start(function, *args, **options))
