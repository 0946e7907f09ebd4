"""The texts of ends: one parser, and for each end a text that is read as the same end."""

from __future__ import annotations

import pytest
from organizations import parse

from fdaa import (
    Address,
    AddressError,
    InputError,
    NetworkID,
    NetworkIDError,
    NetworkName,
    OutsidePrefixError,
    Prefix,
    PrefixError,
)
from fdaa.networks import (
    AddressPort,
    App,
    End,
    EndError,
    Host,
    NetworkMap,
    ThisMachine,
    end_text,
    parse_end,
)

WEB = Address("fdaa:2:45b::3")

# A text, and the end that it is.
ENDS = [
    ("fdaa:2:45b::3", WEB),
    ("[fdaa:2:45b::3]", WEB),
    ("[fdaa:2:45b::3]:5432", AddressPort(WEB, port=5432)),
    (WEB.reverse_pointer, WEB),
    ("2:45b", NetworkID("2:45b")),
    (":2:45b:", NetworkID("2:45b")),  # as it is cut out of an address
    ("0x2045b", NetworkID("2:45b")),
    ("fdaa:2:45b::/48", NetworkID("2:45b")),
    ("network:2:45b", NetworkID("2:45b")),
    ("fdaa:2:45b:a7b::/64", Prefix("fdaa:2:45b:a7b::/64")),
    ("network:customer-17", NetworkName("customer-17")),
    ("network:self", NetworkName("self")),
    ("web", App("web")),
    ("3d-viewer", App("3d-viewer")),
    ("148e21dad76789", App("148e21dad76789")),
    ("web:8080", Host("web", port=8080)),
    ("LOCALHOST:1", Host("localhost", port=1)),
    ("web.internal", Host("web.internal")),
    ("Sea.Web.internal.:80", Host("sea.web.internal", port=80)),
    ("db.example.com:5432", Host("db.example.com", port=5432)),
    ("self", ThisMachine()),
    ("self:3000", ThisMachine(port=3000)),
    ("self.internal", Host("self.internal")),
]


@pytest.mark.parametrize(("text", "end"), ENDS)
def test_a_text_is_one_end(text: str, end: End) -> None:
    parsed = parse_end(text)
    assert (type(parsed), parsed) == (type(end), end)
    again = parse_end(end_text(end))
    assert (type(again), again) == (type(end), end)


# A text that is no end, the error, and what it says.
REFUSED = [
    ("", EndError, "it is empty"),
    ("two words", EndError, "expected an address"),
    ("web:0", EndError, "a port is from 1 to 65535"),
    ("web:0000080", EndError, "without leading zeros"),
    ("[fdaa:2:45b::3]5432", EndError, "expected a colon and a port"),
    ("[fdaa:2:45b::3", EndError, "the closing bracket is missing"),
    ("fdaa:2:45b", AddressError, "write 2:45b, or fdaa:2:45b::/48"),
    ("[fdaa:0:1::1g]:5432", EndError, "no address can be read in the brackets: 'g'"),
    ("fdaa:2:45b:1:2:3:4:5:80", EndError, "requires brackets: [fdaa:2:45b:1:2:3:4:5]:80"),
    ("web.internal:", EndError, "the port after the colon is missing"),
    ("132187", NetworkIDError, "for an app of this name, write 132187.internal"),
    ("2001:db8::1", OutsidePrefixError, ""),
    ("10.0.0.5", EndError, "this is an IPv4 address"),
    ("fdaa::/16", PrefixError, "covers many networks"),
    ("0x123456789", NetworkIDError, "it has more than 8 hex digits"),
    ("12345678901234", NetworkIDError, "more than 32 bits; for an app of this name"),
    ("network:", EndError, "expected the name or the ID"),
    ("http://web.internal/", EndError, "this is a URL; write its host and port"),
    ("db:5432", EndError, "write network:db:5432 for the network, db.internal:5432 for the app"),
]


@pytest.mark.parametrize(("text", "error", "said"), REFUSED)
def test_a_text_that_is_no_end_is_refused(text: str, error: type[Exception], said: str) -> None:
    with pytest.raises(error) as raised:
        parse_end(text)
    assert isinstance(raised.value, InputError)
    assert said in str(raised.value)


# The addresses of Machines, an app, a text -> what it is where documents have these.
DECIDED = [
    ([], "db", "db:5432", Host("db", port=5432)),
    ([], None, "NETWORK:80", Host("network", port=80)),
    ([], None, "0x", App("0x")),
    (["fdaa:db:5432::3"], None, "db:5432", NetworkID("db:5432")),
    ([], None, "fdaa:2:45b::3:5432", Address("fdaa:2:45b::3:5432")),
    (["fdaa:2:45b::3"], None, "fdaa:2:45b::3:5432", AddressPort(WEB, port=5432)),
    (["fdaa:2:45b::3:5432"], None, "fdaa:2:45b::3:5432", Address("fdaa:2:45b::3:5432")),
    (
        ["fdaa:2:45b::3", "fdaa:2:45b::3:5432"],
        None,
        "fdaa:2:45b::3:5432",
        Address("fdaa:2:45b::3:5432"),
    ),
]


@pytest.mark.parametrize(("machines", "app", "text", "end"), DECIDED)
def test_documents_decide_what_an_unclear_text_is(
    machines: list[str], app: str | None, text: str, end: End
) -> None:
    documents = [parse([{"id": address, "private_ip": address}], "api") for address in machines]
    if app is not None:
        documents.append(parse({"apps": [{"name": app}]}))
    assert parse_end(text, NetworkMap(documents)) == end


def test_digits_alone_are_a_machine_or_an_app_if_documents_have_it() -> None:
    machines = parse([{"id": "12345678901234", "private_ip": "fdaa:2:45b::3"}], "web")
    joined = NetworkMap([machines, parse({"apps": [{"name": "132187"}]})])
    for number in ("12345678901234", "132187"):
        assert parse_end(number, joined) == App(number)
    with pytest.raises(NetworkIDError):
        parse_end("12345678901235", joined)


@pytest.mark.parametrize("name", ["self", "0x", "0x18", "0x123456789", "132187"])
def test_an_app_whose_name_would_be_another_end_is_written_as_a_host(name: str) -> None:
    parsed = parse_end(end_text(App(name)))
    assert isinstance(parsed, Host)
    assert parsed.app == name
