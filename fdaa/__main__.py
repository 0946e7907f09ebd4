"""The process `fdaa`, also `python -m fdaa`."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command; Ctrl-C while it loads gives no traceback either."""
    try:
        import signal

        if hasattr(signal, "SIGPIPE"):
            # Die silently when the reader goes away, as every filter does; Python ignores it.
            signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        from fdaa.cli.main import fdaa

        fdaa.main(prog_name="fdaa")
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
