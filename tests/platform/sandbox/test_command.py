"""`fdaa sandbox`: a command in its Machine, or lines to export until a signal."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest
from command import COMMAND, environ, invoke, run, start


@pytest.mark.slow
def test_a_command_runs_with_the_variables_and_its_status_is_the_status() -> None:
    script = [
        f'fdaa() {{ {" ".join(COMMAND)} "$@"; }}',
        "fdaa apps list --field name --field network",
        'fdaa token --aud a | fdaa verify --issuer "$FDAA_OIDC_ISSUER/rival" --aud a',
        "exit 7",
    ]
    options = ("--org", "rival", "--app", "shop", "--network", "blue")
    done = run("sandbox", *options, "sh", "-c", "\n".join(script))
    listed, verdict, *_ = done.stdout.decode().splitlines()
    assert (listed, verdict) == ("shop\tblue", "valid: rival:shop:machine-1")
    assert done.returncode == 7


@pytest.mark.slow
def test_without_a_command_it_prints_lines_to_export_and_serves_until_a_signal() -> None:
    process = start("sandbox", stdin=subprocess.DEVNULL)
    with process:
        lines = [process.stdout.readline().decode() for _ in range(6)]
        variables = dict(line.removeprefix("export ").rstrip().split("=") for line in lines)
        token = run("token", "--claims", "--field", "sub", env=variables)
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
        assert process.stderr.read() == b""
    assert token.stdout == b"acme:web:machine-1\n"
    assert list(variables) == [
        "FDAA_API_URL",
        "FDAA_API_TOKEN",
        "FDAA_OIDC_ISSUER",
        "FDAA_ORG",
        "PLATFORM_PRIVATE_IP",
        "FDAA_IDENTITY_SOCKET",
    ]
    assert not Path(variables["FDAA_IDENTITY_SOCKET"]).parent.exists()


@pytest.mark.slow
def test_ctrl_c_is_the_commands_to_handle_and_sigterm_is_forwarded() -> None:
    handles = "import signal, sys; signal.signal(signal.SIGINT, lambda *_: sys.exit(5)); "
    handles += "print('ready', flush=True); signal.pause()"
    arguments = ("sandbox", COMMAND[0], "-c", handles)
    for number, status in ((signal.SIGINT, 5), (signal.SIGTERM, 128 + signal.SIGTERM)):
        process = start(*arguments, env=environ(), start_new_session=True)
        with process:
            assert process.stdout.readline() == b"ready\n"
            if number is signal.SIGINT:
                os.killpg(process.pid, number)  # as a terminal does
            else:
                process.send_signal(number)
            assert process.wait(30) == status


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--certificate", "a.pem"), "require each other"),
        (("--host", "a..b"), "'a..b' port 0 cannot be used"),
        (("--fault", "weather", "true"), "fault must be one of expired-token, "),
        (("no-such-command",), "'no-such-command': No such file"),
    ],
)
def test_what_cannot_be_done_has_status_2(
    arguments: tuple[str, ...], reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signal, "signal", lambda *_: None)  # those of the tests stay
    done = invoke("sandbox", *arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert reason in done.stderr
