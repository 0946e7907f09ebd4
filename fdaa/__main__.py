"""The process `fdaa`, also `python -m fdaa`."""

from __future__ import annotations

import gc
import os
import sys
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn


def main() -> None:
    """Run the command; Ctrl-C while it loads gives no traceback either."""
    try:
        import signal

        if hasattr(signal, "SIGPIPE"):
            # Die silently when the reader goes away, as every filter does; Python ignores it.
            signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        # What is imported stays: collections while that grows find nothing, and take time.
        gc.disable()
        run = _command()
        gc.freeze()
        gc.enable()
        run()
    except KeyboardInterrupt:
        sys.exit(130)


def _command() -> Callable[[], NoReturn]:
    from fdaa.cli.plain import scan_call

    call = scan_call(sys.argv[1:], os.environ)
    if call is not None:
        from fdaa.cli.process import finish

        return partial(finish, call)
    from fdaa.cli.group import fdaa

    return partial(fdaa.main, prog_name="fdaa")


if __name__ == "__main__":
    main()
