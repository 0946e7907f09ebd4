"""`fdaa.probe` and `fdaa probe`, with connections that stay on this machine."""

from __future__ import annotations

import ipaddress
import socket
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from command import environ, invoke, records

from fdaa import AddressError
from fdaa.cli.commands.probe import _PROSE  # to see that each cause has its sentence
from fdaa.probe import (
    Cause,
    Conclusion,
    Connection,
    Outcome,
    OwnAddress,
    TargetError,
    probe,
)

if TYPE_CHECKING:
    from collections.abc import Iterator


def has_ipv6() -> bool:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        return False
    return True


pytestmark = pytest.mark.skipif(not has_ipv6(), reason="this machine has no IPv6 loopback")


@contextmanager
def port(listens: bool) -> Iterator[int]:
    """Yield a port of ::1: one where a listener is, or one that is taken and refuses."""
    with socket.socket(socket.AF_INET6) as taken:
        taken.bind(("::1", 0))
        if listens:
            taken.listen()
        yield taken.getsockname()[1]


@pytest.fixture
def closed() -> Iterator[int]:
    with port(listens=False) as number:
        yield number


@pytest.fixture
def opened() -> Iterator[int]:
    with port(listens=True) as number:
        yield number


@pytest.fixture(autouse=True)
def _inside_a_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLATFORM_PRIVATE_IP", "fdaa:2:45b::1")


def test_the_steps_come_in_order_and_each_is_data(opened: int, closed: int) -> None:
    own, *connections, first, second = probe(f"[::1]:{opened}", f"[::1]:{closed}")
    assert isinstance(own, OwnAddress)
    assert own.to_dict() == {
        "kind": "own-address",
        "address": "fdaa:2:45b::1",
        "network_id": "2:45b",
        "network_id_int": 0x2045B,
        "interface": None,
    }
    outcomes = {}
    for connection in connections:
        assert isinstance(connection, Connection)
        assert own.same_network(connection.address) is None  # it is not private
        outcomes[connection.target.port] = connection.outcome
    assert outcomes == {opened: Outcome.OPEN, closed: Outcome.REFUSED}
    assert isinstance(first, Conclusion)
    assert isinstance(second, Conclusion)
    assert (first.answers, first.causes) == (True, {})
    assert second.answers is False
    assert second.causes == {Cause.NOT_LISTENING: (ipaddress.IPv6Address("::1"),)}


def test_without_a_port_only_the_route_is_checked() -> None:
    *_, made, conclusion = probe("::1")
    assert isinstance(made, Connection)
    assert isinstance(conclusion, Conclusion)
    assert (made.outcome, conclusion.answers) == (Outcome.ROUTED, None)


def test_one_connection_is_made_and_no_byte_is_sent() -> None:
    with socket.create_server(("::1", 0), family=socket.AF_INET6) as listener:
        [*probe(f"[::1]:{listener.getsockname()[1]}")]
        connection, _ = listener.accept()
        with connection:
            assert connection.recv(1) == b""
        listener.setblocking(False)
        with pytest.raises(BlockingIOError):
            listener.accept()


def test_wrong_input_is_refused_before_anything_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TargetError):
        probe("::1", "http://web")
    for timeout in (-1, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="timeout"):
            probe("::1", timeout=timeout)
    monkeypatch.setenv("PLATFORM_PRIVATE_IP", "10.0.0.1")
    with pytest.raises(AddressError):
        probe("::1")


def test_a_connection_that_could_not_be_tried_proves_nothing(opened: int) -> None:
    script = f"""
import resource
from fdaa.probe import probe
resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))
*_, made, conclusion = probe("[::1]:{opened}")
print(made.outcome, made.error, conclusion.answers, *conclusion.causes, sep=", ")
"""
    shown = subprocess.run(
        [sys.executable, "-c", script], env=environ(), capture_output=True, check=True, text=True
    )
    assert shown.stdout == "failed, Too many open files, None, not-tried\n"


# --- the command ----------------------------------------------------------------------------------


def test_the_exit_status_is_that_of_the_worst_target(opened: int, closed: int) -> None:
    yes, no, unknown = f"[::1]:{opened}", f"[::1]:{closed}", "::1"
    for targets, status in [
        ([yes], 0),
        ([yes, no], 1),
        ([yes, unknown], 3),
        ([unknown, no], 1),
        ([yes, "10.0.0.1:80"], 2),
    ]:
        result = invoke("probe", "-q", *targets)
        assert (result.exit_code, result.stdout) == (status, ""), targets


def test_json_has_an_object_for_each_step_and_a_summary(opened: int, closed: int) -> None:
    arguments = ("--json", "--count", "2", "--interval", "0")
    yes, no = f"[::1]:{opened}", f"[::1]:{closed}"
    found = records(invoke("probe", yes, no, *arguments).stdout)
    kinds = ["own-address", "connection", "connection", "conclusion", "conclusion"]
    assert [step["kind"] for step in found] == [*kinds, *kinds, "summary", "summary"]
    assert [step.get("round") for step in found] == [*[1] * 5, *[2] * 5, None, None]
    outcomes = {summary["target"]: summary["outcomes"] for summary in found[-2:]}
    assert outcomes == {yes: {"open": 2}, no: {"refused": 2}}


def test_a_person_reads_the_steps_one_sentence_and_the_next_command(closed: int) -> None:
    result = invoke("probe", f"[::1]:{closed}", PLATFORM_PRIVATE_IP="fdaa:2:45b::1", COLUMNS="60")
    own, network, connection, _, head, *sentence, command = result.stdout.splitlines()
    assert own == "own address  fdaa:2:45b::1 from PLATFORM_PRIVATE_IP"
    assert network == "             network 2:45b"
    assert connection.startswith(f"connection   [::1]:{closed} refused after ")
    assert head == f"[::1]:{closed}: nothing answers"
    assert " ".join(map(str.strip, sentence)).startswith("::1 refused: nothing listens there")
    assert max(map(len, sentence)) <= 60
    assert command == f"    next: ss -ltnp 'sport = :{closed}'  (in that Machine)"


def test_several_rounds_repeat_no_conclusion_and_end_in_a_summary(opened: int) -> None:
    target = f"[::1]:{opened}"
    result = invoke(
        "probe", target, "--count", "3", "--interval", "0", PLATFORM_PRIVATE_IP="fdaa::1"
    )
    lines = result.stdout.splitlines()
    assert lines.count(f"{target}: something answers") == 1
    assert sum(line.startswith("own address") for line in lines) == 1
    assert sum(line.startswith("connection") for line in lines) == 3
    assert lines[-1] == f"{target}: 3 open"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["web:x"], "a port is from 1 to 65535"),
        (["fdaa::3:25565"], "a port requires brackets: [fdaa::3]:25565"),
        (["self:80"], "PLATFORM_PRIVATE_IP is not set"),
        (["::1", "--timeout", "nan"], "expected a number of seconds"),
        (["::1", "--timeout", "3s"], "'3s': expected a number of seconds, from 0 to 3600"),
        (["::1", "--interval", "-1"], "expected a number of seconds"),
        (["::1", "--count", "0"], "0"),
        (["::1", "--book", "missing.json"], "missing.json"),
    ],
)
def test_wrong_input_has_status_2_and_prints_no_step(arguments: list[str], message: str) -> None:
    result = invoke("probe", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr


def test_every_cause_has_a_sentence_and_a_command() -> None:
    assert {cause: text.count("\n") for cause, text in _PROSE.items()} == dict.fromkeys(Cause, 1)
