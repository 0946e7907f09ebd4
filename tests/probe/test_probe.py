"""`fdaa.probe` and `fdaa probe`, with connections that stay on this machine."""

from __future__ import annotations

import ipaddress
import re
import signal
import socket
from typing import TYPE_CHECKING

import pytest
from command import environ, invoke, records, start

from fdaa import ArgumentError, InputError
from fdaa.lines import Phase
from fdaa.probe import Conclusion, Connection, FactKind, ThisComputer, probe
from fdaa.probe._lookups import look_up
from fdaa.probe._system_files import hosts_lines

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def has_ipv6() -> bool:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        return False
    return True


pytestmark = pytest.mark.skipif(not has_ipv6(), reason="this machine has no IPv6 loopback")


@pytest.fixture
def closed() -> Iterator[int]:
    """Yield a port of ::1 that is taken, so that nothing else listens there."""
    with socket.socket(socket.AF_INET6) as taken:
        taken.bind(("::1", 0))
        yield taken.getsockname()[1]


@pytest.fixture
def opened() -> Iterator[int]:
    with socket.create_server(("::1", 0), family=socket.AF_INET6) as listener:
        yield listener.getsockname()[1]


@pytest.fixture(autouse=True)
def _inside_a_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLATFORM_PRIVATE_IP", "fdaa:2:45b::1")


def test_the_steps_come_in_order_and_each_is_data(opened: int, closed: int) -> None:
    own, *connections, first, second = probe(f"[::1]:{opened}", f"[::1]:{closed}")
    assert isinstance(own, ThisComputer)
    assert isinstance(first, Conclusion)
    assert isinstance(second, Conclusion)
    assert own.to_dict()["address"] == "fdaa:2:45b::1"
    phases = {}
    for connection in connections:  # in the order in which they finish
        assert isinstance(connection, Connection)
        assert (str(connection.source), connection.reported_by) == ("::1", None)
        phases[connection.target.port] = connection.phase
    assert phases == {opened: Phase.CONNECTED, closed: Phase.REFUSED}
    assert (first.is_open, first.facts) == (True, ())
    assert second.is_open is False


@pytest.mark.parametrize("target", ["::1", "[2001:db8::1]:80"])
def test_without_a_port_or_a_response_in_time_nothing_is_known(target: str) -> None:
    *_, conclusion = probe(target, timeout=0)
    assert isinstance(conclusion, Conclusion)
    assert conclusion.is_open is None


@pytest.mark.parametrize("address", ["fe80::1", "ff02::1"])
def test_an_address_without_a_route_is_said_to_have_none(address: str) -> None:
    """An address of a link belongs to no interface here, and the system reports it in two ways."""
    *_, made, conclusion = probe(f"[{address}]:80")
    assert isinstance(made, Connection)
    assert isinstance(conclusion, Conclusion)
    assert (made.phase, conclusion.is_open) == (Phase.NOT_SENT, None)
    assert FactKind.NO_ROUTE in [fact.kind for fact in conclusion.facts]


def test_a_name_with_ipv4_addresses_only_is_found_and_has_no_ipv6_address() -> None:
    found = look_up("127.0.0.1")
    assert (found.phase, found.error) == (Phase.LOOKUP, None)
    assert list(map(str, found.ipv4)) == ["127.0.0.1"]


@pytest.mark.parametrize("place", ["127.0.0.1", "::ffff:127.0.0.1"])
def test_a_program_that_listens_on_ipv4_only_is_named(place: str) -> None:
    family = socket.AF_INET6 if ":" in place else socket.AF_INET
    with socket.socket(family) as listener:
        if ":" in place:
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        listener.bind((place, 0))
        listener.listen()
        number = listener.getsockname()[1]
        *_, conclusion = probe(f"[::1]:{number}")
    assert isinstance(conclusion, Conclusion)
    (fact,) = conclusion.facts
    assert (fact.kind, fact.detail) == (FactKind.LISTENS_ELSEWHERE, f"127.0.0.1:{number}")


# A text of /etc/hosts -> the line in which web.internal is, and its address.
HOSTS = [
    ("::1 localhost\nfdaa::5 other web.internal\n", {"fdaa::5": 2}),
    ("fdaa::5 web.internal # now fdaa::6\nfdaa::5 web.internal", {"fdaa::5": 1}),
    ("# fdaa::5 web.internal\nfdaa::6 #web.internal\nx web.internal\nfdaa::7 web.internal.io", {}),
]


@pytest.mark.parametrize(("text", "lines"), HOSTS)
def test_a_line_of_etc_hosts_is_read_as_the_system_does(
    text: str, lines: dict[str, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "hosts"
    file.write_text(text)
    monkeypatch.setattr("fdaa.probe._system_files.HOSTS", file)
    expected = {ipaddress.ip_address(address).packed: line for address, line in lines.items()}
    assert hosts_lines("web.internal") == expected


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
        probe("::1", "http://we b")
    with pytest.raises(ArgumentError, match="timeout"):
        probe("::1", timeout=float("nan"))


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
    yes = f"[::1]:{opened}"
    no = f"[::1]:{closed}"
    found = records(invoke("probe", yes, no, "--json", "--count", "2", "--interval", "0").stdout)
    steps = [(step["kind"], step["round"]) for step in found[:6]]
    assert steps == [
        ("own-address", 1),
        ("connection", 1),
        ("connection", 1),
        ("own-address", 2),
        ("connection", 2),
        ("connection", 2),
    ]
    of_yes, of_no = found[6:]
    assert (of_yes["kind"], of_yes["target"], of_yes["rounds"]) == ("conclusion", yes, 2)
    assert (of_yes["counts"], of_no["counts"]) == ({"connected": 2}, {"refused": 2})
    assert (of_yes["open"], of_yes["opened"], of_yes["phases"]) == (True, ["::1"], [])
    assert (of_no["open"], of_no["opened"], len(of_no["phases"])) == (False, [], 1)


@pytest.mark.parametrize("text", ["10.0.0.1", " fdaa:2:45b::1"])
def test_a_malformed_own_address_is_reported_and_ignored(opened: int, text: str) -> None:
    target = f"[::1]:{opened}"
    result = invoke("probe", target, PLATFORM_PRIVATE_IP=text)
    assert (result.exit_code, "PLATFORM" in result.stdout) == (0, False)
    assert result.stderr.startswith("fdaa: PLATFORM_PRIVATE_IP is ignored: ")
    (own, *_) = records(invoke("probe", target, "--json", PLATFORM_PRIVATE_IP=text).stdout)
    assert (own["platform_private_ip"], text.strip() in own["invalid"]) == (None, True)


def test_several_rounds_have_one_conclusion_with_each_cause_once(closed: int, opened: int) -> None:
    command = ("--count", "3", "--interval", "0")
    shown = "\n" + invoke("probe", f"[::1]:{opened}", *command).stdout
    assert shown.count(f"\n[::1]:{opened}: 3 open (3 rounds)\n") == 1
    assert shown.count("\nown address") == 1
    assert shown.count("\nconnection ") == 3
    refused = invoke("probe", f"[::1]:{closed}", *command)
    assert refused.stdout.count(f"\n[::1]:{closed}: 3 refused (3 rounds)\n") == 1
    assert refused.stdout.count("listens on TCP port") == 1
    assert refused.exit_code == 1


@pytest.mark.slow
def test_after_ctrl_c_the_conclusion_is_printed(opened: int) -> None:
    target = f"[::1]:{opened}"
    number = 0
    with start("probe", target, "--count", "100", "--interval", "0.2", env=environ()) as process:
        for line in process.stdout:
            number += b"connection " in line
            if number == 3:
                break
        process.send_signal(signal.SIGINT)
        rest, errors = process.communicate(timeout=30)
    assert (process.returncode, errors.strip()) == (130, b"")
    shown = rest.decode()
    assert re.search(rf"\n{re.escape(target)}: ([0-9]+) open \(\1 rounds\)\n", shown)
