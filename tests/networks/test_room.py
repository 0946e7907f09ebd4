"""The room as a whole: cheap to import, and all of it behind one door."""

import subprocess
import sys

import fdaa.networks


def test_it_is_cheap_to_import():
    code = (
        f"import sys; sys.path[:0] = {sys.path!r}; before = {{*sys.modules}}; import fdaa.networks"
    )
    code += "; print(*{*sys.modules} - before)"
    command = [sys.executable, "-S", "-I", "-c", code]
    loaded = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert "fdaa.networks._join" in loaded
    slow = {"asyncio", "dataclasses", "inspect", "random", "subprocess", "tempfile"}
    assert slow.isdisjoint(loaded)


def test_its_door_has_what_it_says():
    assert sorted(fdaa.networks.__all__) == fdaa.networks.__all__
    assert all(getattr(fdaa.networks, name) for name in fdaa.networks.__all__)
