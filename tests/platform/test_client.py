"""The client over real sockets: what it sends, keeps for itself and shares between threads."""

from __future__ import annotations

import json
import logging
import pickle
import sys
import threading
import traceback
from typing import TYPE_CHECKING

import pytest
from client_calls import GOOD, TOKEN, broken, call, closed
from hostile_server import HostileServer, answers

import fdaa
from fdaa.platform import Client, PlatformError, ResponseError, UnexpectedAnswerError
from fdaa.platform._secret import Secret

if TYPE_CHECKING:
    from collections.abc import Iterator


def test_a_list_is_asked_for_with_the_token_and_nothing_more(kind: str) -> None:
    with HostileServer(GOOD) as server:
        found = call(kind, server, "apps", "acme & sons")
    (request,) = server.received
    assert (request.method, request.target) == ("GET", "/v1/apps?org_slug=acme%20%26%20sons")
    assert request.headers.pop("authorization") == f"Bearer {TOKEN}"
    assert request.headers.pop("user-agent") == f"fdaa/{fdaa.__version__}"
    assert set(request.headers) == {"host", "accept", "accept-encoding", "connection"}
    assert [(app.name, app.network, app.id) for app in found.apps] == [
        ("web", "blue", "a1"),
        ("api", "default", "a2"),
    ]
    assert found.apps[0].machine_count == 2
    assert found.apps[1].volume_count == 1
    assert found.total_apps == 2


def test_threads_share_a_client() -> None:
    found: list[int | None] = []
    with HostileServer(GOOD) as server, Client(server.url, TOKEN) as client:

        def ask() -> None:
            found.extend(client.apps("acme").total_apps for _ in range(5))

        threads = [threading.Thread(target=ask) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert found == [2] * 40


# --- secrets --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "script",
    [
        answers(500, b"you sent " + TOKEN.encode(), f"X-Request-Id: {TOKEN}"),
        answers(401, json.dumps({"error": TOKEN, "code": TOKEN}).encode()),
        answers(302, b"", f"Location: https://x/{TOKEN}"),
        answers(200, b'{"' + TOKEN.encode() + b'": 1}'),
        broken,
        closed,
    ],
)
def test_no_error_has_the_token_in_it(kind: str, script) -> None:
    with HostileServer(script) as server, pytest.raises(PlatformError) as info:
        call(kind, server, "apps", "acme")
    assert info.value.__context__ is None or TOKEN not in repr(info.value.__context__)
    with Client(server.url, TOKEN) as client:
        assert TOKEN not in repr(client) + repr(vars(client))
        with pytest.raises(TypeError):
            pickle.dumps(client)


ESCAPED = "".join(f"\\u{ord(character):04X}" for character in TOKEN)


@pytest.mark.parametrize("name", [ESCAPED, ESCAPED[:12] + TOKEN[2:]])
def test_a_token_that_json_has_escaped_is_blacked_out(kind: str, name: str) -> None:
    body = f'{{"name": "{name}", "apps": [{{"name": "x-{name}"}}]}}'.encode()
    with HostileServer(answers(200, body)) as server:
        (app,) = call(kind, server, "apps", "acme").apps
        assert app.name == "x-[redacted]"
        with pytest.raises(UnexpectedAnswerError) as info:
            call(kind, server, "create_app", "web", org="acme")
        assert "[redacted]" in info.value.reason


@pytest.mark.parametrize("token", ['a"b\\c/d+e=f-0123456789', "0123456789/012345=="])
def test_a_token_of_any_characters_is_blacked_out(token: str) -> None:
    listed = json.dumps({"apps": [{"name": token}]})
    for body in (listed, listed.replace("/", "\\/"), listed.replace("=", "\\u003d")):
        script = answers(200, body.encode())
        with HostileServer(script) as server, Client(server.url, token) as client:
            assert client.apps("acme").apps[0].name == "[redacted]"


def test_what_is_escaped_in_a_list_means_the_same() -> None:
    name = 'q"b\\/s\\u0041\u00e9\n\\\\u0042'
    body = json.dumps({"apps": [{"name": name}]}).replace("/", "\\/")
    with HostileServer(answers(200, body.encode())) as server:
        assert call("sync", server, "apps", "acme").apps[0].name == name


HALVES = TOKEN[:9], TOKEN[9:]


@pytest.mark.parametrize(
    "body",
    [
        f"<html><p {'x' * 4074}>{TOKEN}",
        f"<html><p {'x' * (65536 - 20)}>{TOKEN}",
        f"<p>you sent {HALVES[0]}<wbr>{HALVES[1]}</p>",
        f"you sent {HALVES[0]}\n  {HALVES[1]}",
        json.dumps({"message": "you sent " + "\n".join(HALVES)}),
        f'{{"sent": "{ESCAPED}"}}',
        f'{{"message": "{ESCAPED}"}}, and more',
    ],
    ids=range(7),
)
def test_no_error_has_pieces_of_the_token_in_it(kind: str, body: str) -> None:
    script = answers(500, body.encode())
    with HostileServer(script) as server, pytest.raises(ResponseError) as info:
        call(kind, server, "apps", "acme")
    assert not any(half in str(info.value) for half in HALVES)
    assert ESCAPED[:12] not in str(info.value)


@pytest.fixture
def eager_threads() -> Iterator[None]:
    """Threads that interrupt each other all the time."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


@pytest.mark.usefixtures("eager_threads")
def test_tokens_are_taken_while_others_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    ended = threading.Event()

    def make() -> None:
        while not ended.is_set():
            Secret(TOKEN, "the API token")

    makers = [threading.Thread(target=make) for _ in range(2)]
    kept = [Secret(TOKEN, "the API token") for _ in range(2000)]
    for maker in makers:
        maker.start()
    try:
        for _ in range(60):
            logging.getLogger("httpx2").info("a line")
    finally:
        ended.set()
        for maker in makers:
            maker.join()
    assert len(kept) == 2000


@pytest.mark.parametrize("token", ["web", "network", "e"])
def test_a_short_token_changes_no_list(token: str) -> None:
    with HostileServer(GOOD) as server, Client(server.url, token) as client:
        listed = client.apps("acme").apps
    assert [app[:2] for app in listed] == [("web", "blue"), ("api", "default")]


def test_requests_are_logged_at_debug_level_without_the_token(
    kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    echo = answers(500, TOKEN.encode(), f"X-Echo: {TOKEN}")  # in what the library logs
    with HostileServer(echo) as server, pytest.raises(ResponseError):
        call(kind, server, "apps", "acme")
    assert "HTTP Request" in caplog.text
    assert "X-Echo" in caplog.text
    assert TOKEN not in caplog.text


def test_the_frames_of_an_error_do_not_hold_the_token(kind: str) -> None:
    with HostileServer(broken) as server, pytest.raises(PlatformError) as info:
        call(kind, server, "create_app", "web", org="acme")
    trace = traceback.TracebackException.from_exception(info.value, capture_locals=True)
    frames = [frame for frame in trace.stack if "/fdaa/" in frame.filename]
    assert frames
    assert not any(TOKEN in value for frame in frames for value in (frame.locals or {}).values())
