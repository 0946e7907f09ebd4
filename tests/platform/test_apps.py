"""`fdaa apps` against the sandbox: create, list, destroy, and each way in which they fail."""

from __future__ import annotations

import json
import os
import pty
import signal
import socket
import threading
from typing import TYPE_CHECKING, Any

import pytest
from client_calls import LIST, api_at
from command import environ, invoke, read_all, records, shell, start
from hostile_server import HostileServer, Received, answer, answers, silent
from secrets_seen import CANARY, hear

from fdaa.networks import parse_document
from fdaa.platform import AppList, Client, PlatformApp

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from client_calls import Script
    from platform_command import Platform


def test_an_app_is_created_listed_and_destroyed(platform: Platform) -> None:
    made = platform.invoke("apps", "create", "shop", "--org", "other", "--network", "customer-17")
    assert made.stdout.startswith("created shop on network customer-17")
    listed = platform.invoke("apps", "list", FDAA_ORG="other")
    head = ["app", "network", "Machines", "volumes", "app", "ID"]
    assert listed.stdout.splitlines()[0].split() == head
    assert listed.stdout.splitlines()[1].split()[:3] == ["shop", "customer-17", "0"]
    (document,) = records(platform.invoke("apps", "list", "--org", "other", "--json").stdout)
    assert document["total_apps"] == 1
    (row,) = document["apps"]
    names = platform.invoke("apps", "list", "--org", "other", "--field", "name")
    assert names.stdout == "shop\n"
    assert (row["name"], row["network"]) == ("shop", "customer-17")
    (third,) = records(
        platform.invoke("apps", "create", "third", "--org", "other", "--json").stdout
    )
    assert (third["name"], third["network"]) == ("third", "default")
    platform.invoke("apps", "destroy", "third", "--yes")
    gone = platform.invoke("apps", "destroy", "shop", "--yes", "--json")
    assert records(gone.stdout) == [{"name": "shop", "accepted": True}]
    (document,) = records(platform.invoke("apps", "list", "--org", "other", "--json").stdout)
    assert document == {"total_apps": 0, "apps": []}
    assert {made.exit_code, listed.exit_code, gone.exit_code} == {0}


def test_a_change_whose_result_cannot_be_printed_was_made_and_the_error_says_so(
    platform: Platform,
) -> None:
    for call, done in (("create shop --org other", b"created shop"), ("destroy shop --yes", b"")):
        result = shell(f"fdaa apps {call} > /dev/full", env=platform.variables)
        assert result.returncode == 2
        assert b"standard output: No space left on device; done all the same: " in result.stderr
        assert done in result.stderr
    listed = platform.invoke("apps", "list", "--org", "other", "--json").stdout
    assert json.loads(listed)["apps"] == []


@pytest.mark.parametrize(
    ("arguments", "variables", "reason"),
    [
        (("list",), {}, "--org"),
        (("list", "--org", "acme"), {"FDAA_API_URL": ""}, "FDAA_API_URL"),
        (("list", "--org", "acme"), {"FDAA_API_TOKEN": ""}, "FDAA_API_TOKEN"),
        (("list", "--org", "acme"), {"FDAA_API_TOKEN": CANARY}, "status 401"),
        (("list", "--org", "acme", "--api-url", "http://api.example"), {}, "plain http"),
        (("list", "--org", "acme", "--token-file", CANARY), {}, "No such file"),
        (("list", "--org", "acme", "--api-url", CANARY), {}, "must be a URL"),
        (("list", "--org", "acme", "--token-file", "/dev/zero"), {}, "too long"),
        (("create", "x", "--org", "acme", "--network", "17"), {}, "must start with a letter"),
        (("create", "web", "--org", "acme"), {}, "status 4"),
        (("destroy", "nothing-like-it", "--yes"), {}, "status 404"),
        (("destroy", "web"), {}, "--yes"),
        (("destroy", "\udcff", "--yes"), {}, "not valid Unicode"),
        (("destroy", "x" * 70_000, "--yes"), {}, "too long"),
        (("list", "--org", "\udcff"), {}, "not valid Unicode"),
    ],
)
def test_what_cannot_be_done_has_status_2(
    platform: Platform, arguments: tuple[str, ...], variables: dict[str, str], reason: str
) -> None:
    result = platform.invoke("apps", *arguments, **variables)
    assert (result.exit_code, result.stdout) == (2, "")
    assert reason in result.stderr


def test_plain_http_elsewhere_is_allowed_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "*")
    variables = {"FDAA_API_URL": "http://nobody.invalid", "FDAA_API_TOKEN": CANARY}
    # Each in its own words: the second command has neither of the options.
    calls = {
        ("apps", "destroy", "web", "--yes"): ("--api-url: plain http", "--allow-plain-http"),
        ("networks", "--org", "acme"): ("FDAA_API_URL: plain http", "set FDAA_ALLOW_PLAIN_HTTP=1"),
    }
    for arguments, (fault, advice) in calls.items():
        refused = invoke(*arguments, env=variables).stderr
        assert fault in refused
        assert refused.endswith(f"use https, or {advice}\n")
        allowed = invoke(*arguments, env=variables, FDAA_ALLOW_PLAIN_HTTP="1")
        assert allowed.exit_code == 2
        assert "plain http" not in allowed.stderr
    destroy = next(iter(calls))
    assert "plain http" not in invoke(*destroy, "--allow-plain-http", env=variables).stderr


def test_the_token_comes_from_a_file(platform: Platform, tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text(platform.sandbox.token + "\n")
    arguments = ("apps", "list", "--org", "acme", "--json", "--token-file", str(file))
    shown = platform.invoke(*arguments, FDAA_API_TOKEN="")
    assert {row["name"] for row in json.loads(shown.stdout)["apps"]} >= {"web", "api"}


@pytest.mark.parametrize(
    ("answered", "status", "reason"),
    [
        (b"n\n", 2, b"nothing"),
        pytest.param(b"y\n", 0, b"accepted", marks=pytest.mark.slow),
    ],
)
def test_a_terminal_is_asked_before_an_app_is_destroyed(
    platform: Platform, answered: bytes, status: int, reason: bytes
) -> None:
    platform.invoke("apps", "create", "doomed", "--org", "acme")
    ours, theirs = pty.openpty()
    streams = dict.fromkeys(("stdin", "stdout", "stderr"), theirs)
    process = start("apps", "destroy", "doomed", env=environ(platform.variables), **streams)
    os.close(theirs)
    os.write(ours, answered)  # the terminal keeps it until it is read
    shown = read_all(ours)
    hear(shown)
    assert process.wait(30) == status
    assert reason in shown
    platform.invoke("apps", "destroy", "doomed", "--yes")


def test_what_may_have_happened_has_status_3() -> None:
    with HostileServer(lambda connection, _: connection.close()) as server:
        for arguments in (("create", "web", "--org", "acme"), ("destroy", "web", "--yes")):
            result = invoke("apps", *arguments, env=api_at(server))
            assert (result.exit_code, result.stdout) == (3, "")
            assert "the change may still have been made" in result.stderr


@pytest.mark.slow
def test_ctrl_c_after_a_change_was_sent_says_that_it_may_have_been_made() -> None:
    with HostileServer(silent) as server:
        process = start("apps", "create", "web", "--org", "acme", env=environ(api_at(server)))
        assert server.arrived.wait(30)
        process.send_signal(signal.SIGINT)
        _, shown = process.communicate(timeout=30)
    assert process.returncode == 3
    assert shown.endswith(b"fdaa: POST /v1/apps: the change may still have been made\n")


@pytest.mark.slow
def test_ctrl_c_before_a_change_was_sent_does_not() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"https://127.0.0.1:{listener.getsockname()[1]}"
        variables = {"FDAA_API_URL": url, "FDAA_API_TOKEN": CANARY}
        process = start("apps", "create", "web", "--org", "acme", env=environ(variables))
        connection, _ = listener.accept()
        with connection:
            connection.recv(1)  # of the handshake, which goes no further
            process.send_signal(signal.SIGINT)
            _, shown = process.communicate(timeout=30)
    assert (process.returncode, b"may still" in shown) == (130, False)


@pytest.mark.parametrize(
    ("script", "status", "output", "reason"),
    [
        (answers(202), 0, "accepted: web will be destroyed\n", ""),
        (
            answers(204),
            0,
            "accepted: web will be destroyed\n",
            "fdaa: DELETE /v1/apps/web: status 204 in place of 202; accepted\n",
        ),
        (answers(200, b'{"error": "no such app"}'), 3, "", "202: no such app; the change may"),
        (answers(200, b"<html>"), 3, "", "a page in HTML, with status 200 in place of 202"),
    ],
)
def test_four_answers_to_a_deletion(script: Script, status: int, output: str, reason: str) -> None:
    with HostileServer(script) as server:
        result = invoke("apps", "destroy", "web", "--yes", env=api_at(server))
    assert (result.exit_code, result.stdout) == (status, output)
    assert reason in result.stderr
    assert result.stderr if reason else not result.stderr


def test_an_incomplete_list_is_printed_and_is_an_error() -> None:
    body = json.dumps({**LIST, "total_apps": 50}).encode()
    with HostileServer(answers(200, body)) as server:
        variables = {**api_at(server), "FDAA_ORG": "acme"}
        shown = invoke("apps", "list", "--json", env=variables)
        joined = invoke("networks", "--org", "acme", "--json", env=variables)
    (document,) = records(shown.stdout)
    assert [row["name"] for row in document["apps"]] == ["web", "api"]
    again = parse_document(shown.stdout, file="apps.json")
    assert [str(problem) for problem in again.unused] == [
        "apps.json: total_apps: the list has 2 of 50 apps"
    ]
    assert "blue" in [row.get("network_name") for row in records(joined.stdout)]
    for result in (shown, joined):
        assert result.exit_code == 2
        assert "total_apps" in result.stderr
        assert "50" in result.stderr


def test_without_standard_input_nothing_is_destroyed() -> None:
    done = shell("fdaa apps destroy web --api-url http://127.0.0.1:9 <&-")
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"give --yes to destroy web" in done.stderr


@pytest.mark.slow
def test_after_a_second_it_prints_what_it_waits_for() -> None:
    printed = threading.Event()

    def script(connection: socket.socket, _: Received) -> None:
        assert printed.wait(30)
        answer(connection, 202)

    with HostileServer(script) as server:
        process = start("apps", "destroy", "web", "--yes", env=environ(api_at(server)))
        assert process.stderr.readline() == b"fdaa: waiting for the app to be destroyed\n"
        printed.set()
        shown, rest = process.communicate(timeout=30)
    assert (shown, rest) == (b"accepted: web will be destroyed\n", b"")


def test_a_retry_is_reported() -> None:
    with HostileServer(answers(503)) as server:
        result = invoke("apps", "list", "--org", "acme", env=api_at(server))
    assert "status 503; retrying" in result.stderr


def test_an_app_is_found_in_a_list_by_its_name(platform: Platform) -> None:
    sandbox = platform.sandbox
    with Client(sandbox.base_url, sandbox.token) as client:
        made = client.create_app("by-name", org="acme")
        apps = client.list_apps(org="acme")
    found = apps.by_name("by-name")
    assert found is not None
    assert found.id == made.id
    assert (found in apps, "by-name" in apps, "By-name" in apps) == (True, True, False)
    assert apps.by_name("no-such-app") is None
    wrong: Any = 5
    with pytest.raises(TypeError, match="name must be str, not int"):
        apps.by_name(wrong)


def test_a_list_of_apps_is_a_collection_for_type_checkers_too() -> None:
    document = parse_document('{"apps": []}', file="apps.json")
    apps = AppList((PlatformApp("api"), PlatformApp("web")), document=document)
    collection: Collection[PlatformApp] = apps
    found: str | None = None
    assert found not in apps
    first: PlatformApp = apps[0]
    rest: tuple[PlatformApp, ...] = apps[1:]
    assert [first, *rest] == list(collection)
