"""What is a target of a probe, beside the ends of tests/networks, and what is not."""

from __future__ import annotations

import pytest

from fdaa import InputError
from fdaa.probe import Target

# Text, what is looked up or connected to, the port, and the app whose name is looked up.
TARGETS = [
    ("web", "web.internal", None, "web"),
    ("sea.web.internal:80", "sea.web.internal", 80, "web"),
    ("web.internal.:80", "web.internal", 80, "web"),
    ("localhost:80", "localhost", 80, None),  # RFC 6761, section 6.3
    ("_apps.internal", "_apps.internal", None, None),
    ("db.example.com:5432", "db.example.com", 5432, None),
    ("[2001:db8::1]:443", "2001:db8::1", 443, None),  # public addresses are probed as well
    ("fdaa::3:5432", "fdaa::3:5432", None, None),  # an address: the last group is no port
]


@pytest.mark.parametrize(("text", "place", "port", "app"), TARGETS)
def test_a_target_is_a_name_or_an_address_with_a_port(
    text: str, place: str, port: int | None, app: str | None
) -> None:
    target = Target.parse(text)
    assert (target.host or str(target.address), target.port, target.app) == (place, port, app)
    assert target.text == text


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
    ("2:45b", "expected ADDRESS, [ADDRESS]:PORT, APP:PORT, HOST:PORT or a URL"),
    ("fe80::1%eth0", "a zone"),
    ("[web]:80", "not a hex digit"),
]


@pytest.mark.parametrize(("text", "reason"), REFUSED)
def test_what_is_no_target_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(InputError) as caught:
        Target.parse(text)
    assert caught.value.text == text
    assert reason in caught.value.reason
