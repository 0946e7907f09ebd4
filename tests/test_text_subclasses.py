"""A text is its characters: the text that a subclass of `str` has for `str()` is never used."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any

import pytest

import fdaa
from fdaa.networks import (
    App,
    CrossNetworkAddress,
    Document,
    DocumentKind,
    Fact,
    Host,
    ListedApp,
    ListedMachine,
    NetworkMap,
    Origin,
    SavedNetwork,
    Unused,
    parse_document,
    parse_end,
    read_document,
)
from fdaa.platform import Client, MachineIdentity, Verifier
from fdaa.probe import Target

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PLACE = Origin(file="apps.json", place="apps[0]")
ADDRESS = fdaa.Address("fdaa:2:45b::3")
MACHINES = '[{"id": "148e1", "private_ip": "fdaa:2:45b::3"}]'
MAP = NetworkMap([parse_document(MACHINES, file="web.json", app="web")])


def member(text: str) -> Any:
    """Return a `str` that is `given.TEXT` for `str()` and for f-strings."""
    given: Any = Enum("given", {"TEXT": text}, type=str)
    assert str(given.TEXT) == "given.TEXT"
    return given.TEXT


def reason_of(call: Callable[[str], object], text: str) -> str:
    with pytest.raises(fdaa.InputError) as caught:
        call(text)
    return f"{caught.value.text} {caught.value}"


# What is made of a text, and a text.
CALLS: list[tuple[Callable[[Any], object], str]] = [
    (fdaa.NetworkName, "customer-17"),
    (lambda text: f"{fdaa.NetworkName(text)}", "customer-17"),
    (lambda text: reason_of(fdaa.NetworkName, text), "17-customer"),
    (fdaa.NetworkID, "2:45b"),
    (lambda text: reason_of(fdaa.NetworkID, text), "18"),
    (fdaa.Prefix, "fdaa:2:45b::/48"),
    (lambda text: reason_of(fdaa.Prefix, text), "fdaa::/16"),
    (fdaa.Address, "fdaa:2:45b::3"),
    (lambda text: reason_of(fdaa.Address, text), "fdaa::1g"),
    (fdaa.Address.from_reverse_pointer, ADDRESS.reverse_pointer),
    (lambda text: fdaa.own_address({"PLATFORM_PRIVATE_IP": text}), "fdaa:2:45b::3"),
    (lambda text: Fact(name=text, network_id=None, app=text), "web"),
    (lambda text: Fact(name=text, network_id=None).to_dict(), "web"),
    (lambda text: Origin(file=text, place=text), "apps.json"),
    (lambda text: str(Origin(file=text, place=text)), "apps.json"),
    (lambda text: Unused(file=text, place=text, reason=text), "apps.json"),
    (lambda text: ListedApp(text, network_name=text, origin=PLACE, id=text), "web"),
    (lambda text: ListedMachine(text, app=text, address=None, origin=PLACE, state=text), "web"),
    (
        lambda text: CrossNetworkAddress(
            app=text, address=ADDRESS, network_name=text, origin=PLACE
        ),
        "web",
    ),
    (lambda text: Document(file=text, kind=DocumentKind.APP_LIST, app=text).file, "web"),
    (lambda text: Document(file=text, kind=DocumentKind.APP_LIST, app=text).app, "web"),
    (
        lambda text: SavedNetwork(
            name=fdaa.NetworkName("a"),
            network_id=ADDRESS.network_id,
            app=text,
            address=None,
            learned_from=text,
            learned_on=text,
            origin=PLACE,
        ),
        "web",
    ),
    (lambda text: parse_document(MACHINES, file=text, app=text).machines, "web"),
    (App, "web"),
    (Host, "web.internal"),
    (lambda text: str(Host(text, port=80)), "web.internal"),
    (parse_end, "web:8080"),
    (MAP.by_name, "blue"),
    (MAP.known_network, "web"),
    (MAP.addresses_of, "web"),
    (MAP.state_of, "148e1"),
    (Target.parse, "web:80"),
    (lambda text: Client(text, "secret"), "https://api.example"),
    (lambda text: MachineIdentity(socket=text), "/.platform/api"),
]


@pytest.mark.parametrize(("call", "text"), CALLS)
def test_the_characters_of_a_text_count(call: Callable[[Any], object], text: str) -> None:
    assert repr(call(member(text))) == repr(call(text))


def read_missing(path: Any) -> str:
    with pytest.raises(FileNotFoundError) as caught:
        read_document(path)
    return str(caught.value)


def test_a_verifier_and_its_errors_have_the_characters_of_claims() -> None:
    settings: dict[str, Any] = {
        "issuer": "https://oidc.example/acme",
        "aud": "https://vault.example",
        "sub": "a:*:*",
    }
    given = {name: member(text) for name, text in settings.items()}
    assert repr(Verifier(**given)) == repr(Verifier(**settings))
