"""The process `fdaa`, also `python -m fdaa`."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command; Ctrl-C while it loads ends it at once and without a traceback."""
    try:
        import signal

        if hasattr(signal, "SIGPIPE"):
            # Die silently when the reader goes away, as every filter does; Python ignores it.
            signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        if sys.stdout is not None:
            # Buffered, also with PYTHONUNBUFFERED: Python drops what a short unbuffered write left.
            sys.stdout = open(  # noqa: SIM115
                sys.stdout.fileno(),
                "w",
                encoding=sys.stdout.encoding,
                errors="backslashreplace",
                closefd=False,
            )
        from fdaa.cli.main import fdaa

        fdaa.main(prog_name="fdaa")
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
