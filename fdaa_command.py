"""The console script `fdaa`: Ctrl-C is quiet from its first line on, before fdaa is imported."""

try:
    import signal

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # end at once: there is nothing to undo yet
except KeyboardInterrupt:
    raise SystemExit(130) from None


def main() -> None:
    """Run the command."""
    from fdaa.__main__ import main as run

    run()
