"""`fdaa.probe` and `fdaa probe`, with connections that stay on this machine."""

from __future__ import annotations

import ipaddress
import re
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from command import environ, invoke, records, start

from fdaa import Address, ArgumentError, InputError
from fdaa.explain import Cause, explain_conclusion
from fdaa.lines import Evidence
from fdaa.probe import Conclusion, Connection, Target, ThisComputer, conclude_rounds, probe

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
    assert isinstance(own, ThisComputer)
    assert own.to_dict() == {
        "kind": "own-address",
        "address": "fdaa:2:45b::1",
        "network_id": "2:45b",
        "network_id_int": 0x2045B,
        "interface": None,
        "platform_private_ip": "fdaa:2:45b::1",
        "unusable": None,
        "invalid": None,
        "elsewhere": True,  # no interface has it
    }
    evidence = {}
    for connection in connections:
        assert isinstance(connection, Connection)
        assert not own.has_other_network(connection.address)  # it is not private
        assert str(connection.source) == "::1"
        evidence[connection.target.port] = connection.evidence
    assert evidence == {opened: Evidence.OPEN, closed: Evidence.REFUSED}
    assert isinstance(first, Conclusion)
    assert isinstance(second, Conclusion)
    assert (first.is_open, first.observations) == (True, ())
    assert second.is_open is False
    (explanation,) = explain_conclusion(second, ThisComputer()).explanations
    assert explanation.evidence is Evidence.REFUSED
    assert explanation.addresses == (ipaddress.IPv6Address("::1"),)
    assert Cause.NOT_LISTENING in [cause.cause for cause in explanation.causes]


def test_without_a_port_only_the_route_is_checked() -> None:
    *_, made, conclusion = probe("::1")
    assert isinstance(made, Connection)
    assert isinstance(conclusion, Conclusion)
    assert (made.evidence, conclusion.is_open) == (Evidence.ROUTED, None)


def test_a_response_that_is_late_is_not_a_no() -> None:
    *_, made, conclusion = probe("[2001:db8::1]:80", timeout=0)
    assert isinstance(made, Connection)
    assert isinstance(conclusion, Conclusion)
    assert conclusion.is_open is None


def test_a_target_is_given_as_an_object_or_as_its_text() -> None:
    target = Target.parse("[::1]:1")
    *_, of_both = probe(target, "[::1]:1", timeout=5)
    assert isinstance(of_both, Conclusion)
    assert of_both.target is target


def test_the_own_address_is_read_once_in_a_round(monkeypatch: pytest.MonkeyPatch) -> None:
    count = 0

    def counted() -> Address:
        nonlocal count
        count += 1
        return Address("fdaa:2:45b::2")

    monkeypatch.setattr("fdaa.probe._own_address.own_address", counted)
    invoke("probe", "[fdaa:2:45b::2]:1", "--timeout", "0")
    assert count == 1
    invoke("probe", "[fdaa:2:45b::2]:1", "--timeout", "0", "--count", "2", "--interval", "0")
    assert count == 3


def test_an_own_address_that_was_read_is_not_read_again() -> None:
    own = ThisComputer(Address("fdaa:2:45b::2"))
    assert next(probe("[::1]:1", own=own)) is own
    with pytest.raises(TypeError, match="own must be ThisComputer or NoneType, not Address"):
        probe("[::1]:1", own=own.address)  # type: ignore[arg-type]


def test_a_server_that_speaks_first_is_open() -> None:
    with socket.create_server(("::1", 0), family=socket.AF_INET6) as listener:
        steps = probe(f"[::1]:{listener.getsockname()[1]}", timeout=10)
        next(steps)
        # The client is connected by the system, before `accept`.
        *_, conclusion = steps
    assert isinstance(conclusion, Conclusion)
    assert conclusion.is_open is True


def test_networks_are_compared_unless_one_id_is_0() -> None:
    own = ThisComputer(Address("fdaa:2:45b::1"))
    service = ThisComputer(Address("fdaa::3"))
    compared = [
        (own, Address("fdaa:2:45b::2"), (True, False)),
        (own, Address("fdaa:2:45c::2"), (False, True)),
        (own, Address("fdaa::3"), (False, False)),
        (service, Address("fdaa:2:45b::1"), (False, False)),
        (service, Address("fdaa::4"), (False, False)),
        (own, ipaddress.IPv6Address("2001:db8::1"), (False, False)),
        (ThisComputer(), Address("fdaa:2:45b::2"), (False, False)),
    ]
    for computer, address, expected in compared:
        found = (computer.shares_network(address), computer.has_other_network(address))
        assert found == expected, address


def test_one_connection_is_made_and_no_byte_is_sent() -> None:
    with socket.create_server(("::1", 0), family=socket.AF_INET6) as listener:
        list(probe(f"[::1]:{listener.getsockname()[1]}"))
        connection, _ = listener.accept()
        with connection:
            assert connection.recv(1) == b""
        listener.setblocking(False)
        with pytest.raises(BlockingIOError):
            listener.accept()


def test_wrong_input_is_refused_before_anything_is_tried() -> None:
    with pytest.raises(InputError):
        probe("::1", "http://web")
    for timeout in (-1, float("nan"), float("inf")):
        with pytest.raises(ArgumentError, match="timeout"):
            probe("::1", timeout=timeout)


# --- the command ----------------------------------------------------------------------------------


def test_the_exit_status_is_that_of_the_worst_target(opened: int, closed: int) -> None:
    yes = f"[::1]:{opened}"
    no = f"[::1]:{closed}"
    unknown = "::1"
    for targets, status in [
        ([yes], 0),
        ([yes, no], 1),
        ([yes, unknown], 3),
        ([unknown, no], 1),
        ([yes, "10.0.0.1:80"], 2),
    ]:
        result = invoke("probe", "-q", *targets)
        assert (result.exit_code, result.stdout) == (status, ""), targets


def test_json_has_an_object_for_each_step_and_one_conclusion(opened: int, closed: int) -> None:
    arguments = ("--json", "--count", "2", "--interval", "0")
    yes = f"[::1]:{opened}"
    no = f"[::1]:{closed}"
    found = records(invoke("probe", yes, no, *arguments).stdout)
    kinds = ["own-address", "connection", "connection"]
    assert [(step["kind"], step["round"]) for step in found[:3]] == [(kind, 1) for kind in kinds]
    assert [(step["kind"], step["round"]) for step in found[3:6]] == [(kind, 2) for kind in kinds]
    of_yes, of_no = found[6:]
    for conclusion, target, counts in ((of_yes, yes, {"open": 2}), (of_no, no, {"refused": 2})):
        assert conclusion["kind"] == "conclusion"
        assert conclusion["target"] == target
        assert conclusion["rounds"] == 2
        assert conclusion["counts"] == counts
    assert (of_yes["open"], of_yes["opened"], of_yes["explanations"]) == (True, ["::1"], [])
    assert (of_no["open"], of_no["opened"], len(of_no["explanations"])) == (False, [], 1)


@pytest.mark.parametrize("text", ["10.0.0.1", "fdaa:2:45b::1/112", " fdaa:2:45b::1", "x"])
def test_a_malformed_own_address_is_reported_and_ignored(opened: int, text: str) -> None:
    target = f"[::1]:{opened}"
    result = invoke("probe", target, PLATFORM_PRIVATE_IP=text)
    assert (result.exit_code, "PLATFORM" in result.stdout) == (0, False)
    assert result.stderr.startswith("fdaa: PLATFORM_PRIVATE_IP is ignored: ")
    (own, *_) = records(invoke("probe", target, "--json", PLATFORM_PRIVATE_IP=text).stdout)
    assert (own["platform_private_ip"], text.strip() in own["invalid"]) == (None, True)


def test_people_read_the_evidence_and_each_cause_with_its_command(closed: int) -> None:
    result = invoke("probe", f"[::1]:{closed}", PLATFORM_PRIVATE_IP="fdaa:2:45b::1", COLUMNS="60")
    steps, _, below = result.stdout.partition("\n\n")
    head, checked, fit, *causes = below.splitlines()
    assert " ".join(steps.split()).startswith(
        "own address fdaa:2:45b::1 from PLATFORM_PRIVATE_IP network 2:45b "
        f"SYN sent to [::1]:{closed}: refused after "
    )
    assert head == f"[::1]:{closed}: no connection"
    assert checked == "  checked: loopback up, no program listens on this port"
    assert fit == "  Possible causes, the most likely first:"
    assert causes[0].startswith(f"  1. Nothing listens on port {closed}:")
    assert causes.count("     next (in this computer): ss -ltnp") == 1
    assert len([line for line in causes if line.startswith("     next")]) == 2
    for line in causes:
        assert len(line) <= 60


def test_an_open_port_is_said_to_be_a_handshake(opened: int) -> None:
    result = invoke("probe", f"[::1]:{opened}")
    assert result.stdout.splitlines()[-5:] == [
        f"[::1]:{opened}: port open (TCP handshake only; no data was sent)",
        "  Not tested: a response of the app, TLS, large packets (MTU).",
        f"     next (in this computer: Recv-Q grows): ss -ltn 'sport = :{opened}'",
        f"     next: openssl s_client -connect '[::1]:{opened}'",
        "     next: ping -c 3 -M do -s 1452 ::1",
    ]


def test_several_rounds_have_one_conclusion_with_each_cause_once(closed: int, opened: int) -> None:
    command = ("--count", "3", "--interval", "0")
    shown = "\n" + invoke("probe", f"[::1]:{opened}", *command).stdout
    assert shown.count(f"\n[::1]:{opened}: 3 open (3 rounds)\n") == 1
    assert shown.count("\nown address") == 1
    assert shown.count("\nSYN sent to") == 3
    refused = invoke("probe", f"[::1]:{closed}", *command)
    assert refused.stdout.count(f"\n[::1]:{closed}: 3 refused (3 rounds)\n") == 1
    assert refused.stdout.count("Nothing listens on port") == 1
    assert refused.exit_code == 1


_IN_TURN = """
import socket, threading
from fdaa.probe import conclude_rounds, probe
from fdaa.explain import explain_conclusion
rounds = []
with socket.socket(socket.AF_INET6) as taken:
    taken.bind(("::1", 0))
    target = f"[::1]:{taken.getsockname()[1]}"
    for _ in range(2):
        own, *_, conclusion = probe(target)
        rounds.append(conclusion)
        taken.listen()
both = conclude_rounds(rounds)
explained = explain_conclusion(both, own)
print(both.is_open, *both.opened, explained.answer, sep=", ")
print(*[cause.cause for cause in explained.explanations[0].causes])
"""


def test_after_an_open_connection_a_port_that_was_closed_is_open_at_times() -> None:
    result = subprocess.run(
        [sys.executable, "-c", _IN_TURN], env=environ(), capture_output=True, text=True, check=False
    )
    answer, causes = result.stdout.splitlines()
    assert answer == "False, 1 refused, 1 open (2 rounds)"
    assert "not-listening" in causes
    assert "listens-elsewhere" not in causes


def test_rounds_of_several_targets_have_no_conclusion() -> None:
    *_, first, second = probe("[::1]:1", "[::1]:2")
    assert isinstance(first, Conclusion)
    assert isinstance(second, Conclusion)
    for rounds in ([], [first, second]):
        with pytest.raises(ValueError, match="one target"):
            conclude_rounds(rounds)
    assert conclude_rounds([first]) is first


def interrupted_after(last: bytes, *arguments: str) -> str:
    """Send Ctrl-C to a probe in the third round, or later; return the rest that is printed."""
    call = ("probe", *arguments, "--count", "100", "--interval", "0.2")
    number = 0
    with start(*call, env=environ()) as process:
        for line in process.stdout:
            number += last in line
            if number == 3:
                break
        process.send_signal(signal.SIGINT)
        rest, errors = process.communicate(timeout=30)
    assert (process.returncode, errors.strip()) == (130, b"")
    return rest.decode()


def test_after_ctrl_c_the_conclusion_is_printed(opened: int) -> None:
    target = f"[::1]:{opened}"
    shown = interrupted_after(b"SYN sent", target)
    assert re.search(rf"\n{re.escape(target)}: ([0-9]+) open \(\1 rounds\)\n", shown)


def test_after_ctrl_c_the_conclusion_is_printed_in_json(opened: int) -> None:
    *_, last = records(interrupted_after(b'"connection"', f"[::1]:{opened}", "--json"))
    assert (last["kind"], last["counts"]) == ("conclusion", {"open": last["rounds"]})
    assert last["rounds"] >= 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["web:x"], "expected an address"),
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
