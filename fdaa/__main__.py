"""The process `fdaa`, also `python -m fdaa`."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command; Ctrl-C or a fault while it loads ends it at once, without a traceback.

    Ctrl-C before that, while Python starts and imports `fdaa`, ends in Python's own traceback.
    """
    try:
        import signal

        if hasattr(signal, "SIGPIPE"):
            # Exit silently when the reader closes the pipe, as filters do; Python ignores SIGPIPE.
            signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        if sys.stdout is not None:
            # Buffered even with PYTHONUNBUFFERED: Python drops the rest of a short raw write.
            sys.stdout = open(  # noqa: SIM115 - it stays open
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
    except Exception as error:  # no memory or file to load it; status 1 would be a result
        print(f"fdaa: cannot start: {type(error).__name__}: {error}", file=sys.stderr)
        sys.exit(3)


if __name__ == "__main__":
    main()
