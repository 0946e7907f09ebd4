"""What is a target of a probe, and what is not."""

from __future__ import annotations

import pytest

from fdaa import InputError
from fdaa.probe import Target

# Text, and what is looked up or connected to.
TARGETS = [
    ("web", "web.internal", None),
    ("web:3000", "web.internal", 3000),
    ("sea.web.internal:80", "sea.web.internal", 80),
    ("web.internal.:80", "web.internal", 80),
    ("localhost:80", "localhost", 80),  # RFC 6761, section 6.3
    ("fdaa:2:45b::3", "fdaa:2:45b::3", None),
    ("[fdaa:2:45b::3]:5432", "fdaa:2:45b::3", 5432),
    ("[2001:db8::1]:443", "2001:db8::1", 443),  # public addresses are probed as well
    ("fdaa::3:5432", "fdaa::3:5432", None),  # an address: the last group is no port
]


@pytest.mark.parametrize(("text", "place", "port"), TARGETS)
def test_a_target_is_a_name_or_an_address_with_a_port(
    text: str, place: str, port: int | None
) -> None:
    target = Target.parse(text)
    assert (target.host or str(target.address), target.port, target.text) == (place, port, text)


# A URL, and its host and port: no path, and no secret.
URLS = [
    ("redis://worker:3000/0", "worker:3000"),
    ("redis://user:p%40ss@worker/0", "worker:6379"),
    ("postgres://web:a@b@db.internal/name?x=1", "db.internal:5432"),
    ("wss://[fdaa:2:45b::3]:1?q", "[fdaa:2:45b::3]:1"),
    ("unknown://web", "web"),  # no port is known
]


@pytest.mark.parametrize(("url", "text"), URLS)
def test_a_url_is_its_host_and_port(url: str, text: str) -> None:
    assert Target.parse(url) == Target.parse(text)


REFUSED = [
    ("fdaa::3:25565", "a port requires brackets: [fdaa::3]:25565"),
    ("10.0.0.1", "this is an IPv4 address; private addresses are IPv6"),
    ("web:0", "a port is from 1 to 65535"),
    ("[fdaa::3]:\u0663", "a port is from 1 to 65535"),
    ("", "expected"),
    ("2:45b", "expected ADDRESS, [ADDRESS]:PORT, APP:PORT, HOST:PORT or a URL"),
    ("self", "expected ADDRESS"),  # the command knows its address
    ("-o Proxy", "expected"),
    (".".join(["a" * 63] * 4), "expected"),
    ("web\n:80", "expected"),
    ("fe80::1%eth0", "a zone"),
    ("[web]:80", "not a hex digit"),
]


@pytest.mark.parametrize(("text", "reason"), REFUSED)
def test_what_is_no_target_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(InputError) as caught:
        Target.parse(text)
    assert caught.value.text == text
    assert reason in caught.value.reason


# A target, and the app whose name is looked up.
APPS = [
    ("reports", "reports"),
    ("reports.internal", "reports"),
    ("reports.internal.:80", "reports"),
    ("sea.reports.internal:80", "reports"),
    ("localhost:80", None),
    ("_apps.internal", None),
    ("db.example.com:5432", None),
    ("[fdaa::3]:53", None),
]


@pytest.mark.parametrize(("text", "app"), APPS)
def test_the_app_of_a_target_is_that_of_its_host(text: str, app: str | None) -> None:
    assert Target.parse(text).app == app
