"""The room as a whole is cheap to import."""

import subprocess
import sys


def test_it_is_cheap_to_import():
    code = f"import sys; sys.path[:0] = {sys.path!r}; import fdaa.networks; print(*sys.modules)"
    command = [sys.executable, "-S", "-I", "-c", code]
    loaded = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert "fdaa.networks._join" in loaded
    slow = {"asyncio", "dataclasses", "inspect", "random", "subprocess", "tempfile"}
    assert slow.isdisjoint(loaded)
