"""A file with a secret belongs to the user who wrote it, whatever had its name before.

Where the tests run as root, a second user prepares the place and tries to read the secret.
"""

from __future__ import annotations

import os
import stat
import subprocess
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from books import IS_ROOT, NOBODY
from command import run, start
from token_endpoint import Endpoint, refreshing

from fdaa.platform.sandbox import Sandbox, SandboxError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from platform_command import Platform

needs_root = pytest.mark.skipif(not IS_ROOT, reason="only root can be two users")

TOKEN = ("token", "--output")
REFRESH = ("token", "--refresh", "--output")
ENV_FILE = ("sandbox", "--env-file")

# What the second user puts in the place of `own/file` -> why it is refused.
OBSTACLES = {
    "touch own/file": "belongs to another user",
    "touch own/other; ln own/other own/file": "belongs to another user",
    "touch own/other; ln -s other own/file": "a symbolic link",
    "ln -s nowhere own/file": "a symbolic link",
    "mkfifo -m 666 own/file": "not a regular file",
    "mkdir own/file": "not a regular file",
}


@pytest.fixture
def place() -> Iterator[Path]:
    """A directory that all may write to, as /tmp is; in it, `own` is the second user's."""
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        directory.chmod(0o1777)
        as_other("mkdir own", directory)
        yield directory


def as_other(script: str, directory: Path) -> subprocess.CompletedProcess[str]:
    """Run a shell as the second user, where there is one."""
    user = NOBODY if IS_ROOT else None
    return subprocess.run(
        ["/bin/sh", "-c", script],
        cwd=directory,
        user=user,
        group=user,
        extra_groups=[] if IS_ROOT else None,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def owner_and_mode(path: Path) -> tuple[int, int]:
    status = path.lstat()
    return status.st_uid, stat.S_IMODE(status.st_mode)


@pytest.mark.parametrize("writer", [TOKEN, REFRESH, ENV_FILE], ids=" ".join)
@pytest.mark.parametrize("obstacle", OBSTACLES)
def test_what_is_not_a_file_of_the_caller_is_refused_and_gets_no_secret(
    platform: Platform, place: Path, writer: tuple[str, ...], obstacle: str
) -> None:
    reason = OBSTACLES[obstacle]
    if not IS_ROOT and "another user" in reason:
        pytest.skip("only root can be two users")
    as_other(obstacle, place)
    before = as_other("ls -lR own", place).stdout
    result = run(*writer, str(place / "own/file"), env=platform.inside("web"))
    assert (result.returncode, result.stdout) == (2, b"")
    assert reason in result.stderr.decode()
    assert as_other("ls -lR own", place).stdout == before  # empty files stay so
    assert not list(place.rglob(".fdaa-*"))


@needs_root
def test_a_token_in_a_directory_of_another_user_is_for_its_caller_alone(
    platform: Platform, place: Path
) -> None:
    file = place / "own/file"
    done = run("token", "--output", str(file), env=platform.inside("web"))
    assert done.returncode == 0
    assert file.read_bytes().count(b".") == 2
    assert owner_and_mode(file) == (os.getuid(), 0o600)
    assert "Permission denied" in as_other("cat own/file", place).stderr


def test_a_token_in_place_of_an_older_file_of_the_caller_is_a_new_file(
    platform: Platform, place: Path
) -> None:
    """Who has the old one open, by another name or by an ACL, does not see the token."""
    file = place / "file"
    file.touch(mode=0o666)
    file.chmod(0o666)
    with file.open("rb") as old:
        done = run("token", "--output", str(file), env=platform.inside("web"))
        assert (done.returncode, old.read()) == (0, b"")
    assert owner_and_mode(file) == (os.getuid(), 0o600)


@needs_root
def test_the_variables_of_a_sandbox_are_for_its_caller_alone(place: Path) -> None:
    file = place / "own/file"
    process = start("sandbox", "--env-file", str(file))
    until = time.monotonic() + 30
    while not file.exists():
        assert time.monotonic() < until
        time.sleep(0.02)
    assert owner_and_mode(file) == (os.getuid(), 0o600)
    assert "Permission denied" in as_other("cat own/file", place).stderr
    process.terminate()
    assert process.communicate(timeout=30) == (b"", b"")
    assert not file.exists()


@pytest.mark.slow
@needs_root
def test_a_renewal_does_not_go_to_who_took_the_place_of_the_file(place: Path) -> None:
    place.chmod(0o777)  # the second user may replace the file
    with Endpoint(place, hanging=3) as endpoint, refreshing(place) as process:
        for _ in range(3):
            endpoint.next_token()  # the second is in the file, and the third waits
        as_other("touch empty; mv -f empty token", place)
        endpoint.resume()
        endpoint.next_token()
        process.terminate()
        _, stderr = process.communicate(timeout=30)
    reason = "it belongs to another user (ID 65534); use another name, or delete it"
    message = f"fdaa: 'token' cannot be written: {reason}; retrying in 1 seconds"
    assert stderr.decode().splitlines()[0] == message
    assert owner_and_mode(place / "token")[0] == NOBODY
    assert (place / "token").read_bytes() == b""


@needs_root
def test_the_state_of_a_sandbox_is_not_kept_for_another_user(place: Path) -> None:
    (place / "own").chmod(0o700)
    with pytest.raises(SandboxError, match="it belongs to another user"):
        Sandbox(state=place / "own").start()
    assert as_other("ls -A own", place).stdout == ""
