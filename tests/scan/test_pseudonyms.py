"""Pseudonyms: what they keep, and what they leave of a text."""

from __future__ import annotations

import pickle
import re
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scan_output import PSEUDONYMS, output, pieces

from fdaa import Address, ArgumentError
from fdaa.scan import Pseudonyms, find_addresses
from fdaa.scan import _permutation as permutation  # private: it remembers 65,536, too many for here
from fdaa.scan._pieces import Piece
from fdaa.scan._pseudonyms import pseudonymize_packed
from fdaa.scan._run import Options, Scan, Show
from fdaa.strategies import addresses

if TYPE_CHECKING:
    from pathlib import Path

HIDE = Options(Show.PSEUDONYMIZED, pseudonyms=PSEUDONYMS)
few_networks = st.sampled_from([0, 1, 2])


@given(addresses(), addresses(few_networks))
def test_pseudonyms_keep_what_is_the_same(first: Address, other: Address) -> None:
    hidden = PSEUDONYMS.pseudonymize(first)
    on_the_same_network = Address.build(first.network_id, other.rest)
    for second in (other, on_the_same_network):
        also_hidden = PSEUDONYMS.pseudonymize(second)
        is_same_network = first.network_id == second.network_id
        assert (hidden.network_id == also_hidden.network_id) == is_same_network
        assert (hidden == also_hidden) == (first == second)
    assert PSEUDONYMS.reveal(hidden) == first
    assert hidden != first


def test_pseudonyms_are_the_same_forever() -> None:
    """Who shows a second log next year needs the pseudonyms of the first."""
    hidden = PSEUDONYMS.pseudonymize_text("[fdaa:2:45b::3]:80")
    assert hidden == "[fdaa:afc3:3d9b:4000:e679:a92:2f5d:2311]:80"
    assert PSEUDONYMS.reveal_text(hidden) == "[fdaa:2:45b::3]:80"
    assert PSEUDONYMS.fingerprint == "c2d2a1aa"
    another = Pseudonyms("key\n")
    assert another.pseudonymize_text("[fdaa:2:45b::3]:80") != hidden
    assert another.fingerprint != PSEUDONYMS.fingerprint


def test_an_empty_secret_is_refused() -> None:
    with pytest.raises(ArgumentError, match=r"^the secret must not be empty$"):
        Pseudonyms(b"")
    with pytest.raises(TypeError, match=r"^secret must be str or bytes, not NoneType$"):
        Pseudonyms(None)  # type: ignore[arg-type]


COULD_BE_OURS = (
    ("db:fdaa::1 up", "db:{} up"),
    ("cafe::fdaa::1", "cafe::{}"),
    ("at 12:34:56:fdaa::1", "at 12:34:56:{}"),
    ("2001:db8:fdaa::1", "2001:db8:{}"),
    ("db:fdaa::1:connection refused", "db:{}:connection refused"),
    ("fdaa::1:fdaa::1", "{}:{}"),
    ("fdaa::1:25565:fdaa::1:ACEED", "{}:25565:{}:ACEED"),
    ("fdaa:0:0:0:0:0:0:1:bad:add", "{}:bad:add"),
    ("\x1b[32mdb:fdaa::1", "\x1b[32mdb:{}"),
)


@pytest.mark.parametrize(("text", "around"), COULD_BE_OURS)
def test_what_may_be_a_part_of_another_address_has_a_pseudonym(text: str, around: str) -> None:
    """`scan` does not match the address after `db:`, but a published log must not have it."""
    pseudonym = PSEUDONYMS.pseudonymize(Address("fdaa::1"))
    hidden = PSEUDONYMS.pseudonymize_text(text)
    assert hidden == around.format(pseudonym, pseudonym)
    assert unchanged(text.encode()) == ()


@pytest.mark.parametrize("text", ["\ud800 fdaa:0:18::3", "%5Bfdaa%3A0%3A18%3A%3A%2F48%5D"])
def test_a_text_comes_back_whole(text: str) -> None:
    """Also one that no UTF-8 has, and with escapes."""
    hidden = PSEUDONYMS.pseudonymize_text(text)
    assert "0:18" not in hidden
    assert PSEUDONYMS.reveal_text(hidden) == text


class OneForAll(Pseudonyms):
    """One pseudonym for all addresses."""

    def pseudonymize(self, _: Address) -> Address:
        return Address("fdaa:1::2")


HIDE_ALL_ALIKE = Options(Show.PSEUDONYMIZED, pseudonyms=OneForAll(b"key"))


@pytest.mark.parametrize("behind", [":3000", ":25565", ".53", ":80:", "/48"])
@pytest.mark.parametrize("text", ["fdaa:1:2:3:4:5:6:7", "fdaa::7", "12:fdaa:1:2:3:4:5:6:7"])
def test_a_pseudonym_takes_nothing_in_from_around(text: str, behind: str) -> None:
    """A shorter text of the pseudonym would read the port as its last group."""
    whole = text + behind
    for match in find_addresses(whole):
        hidden, _ = output(HIDE_ALL_ALIKE, whole.encode())
        (again,) = find_addresses(hidden)
        assert again.value == Address("fdaa:1::2")
        assert hidden[again.end :].decode() == whole[match.end :]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"12:fdaa:1:2:3:4:5:6:7 x", b"12:fdaa:1::2 x"),
        (b"{64938,1,2,3,4,5,6,7}, x", b"{64938,1,0,0,0,0,0,2}, x"),
        (b"{ 64938 , 1,2 , 3,4,5,6, 7 }", b"{ 64938 , 1,0 , 0,0,0,0, 2 }"),
        (b"{64938, 1, 2, 3, 4, 5, 6, 7}", b"{64938, 1, 0, 0, 0, 0, 0, 2}"),
        (
            b"PTR? 2.0.0.0.6.c.3.d.3.4.b.d.4.7.1.0.b.7.a.0.b.5.4.0.2.0.0.0.a.a.d.f.ip6.arpa.",
            b"PTR? 2" + b".0" * 23 + b".1.0.0.0.a.a.d.f.ip6.arpa.",
        ),
        (b"fdaa:1:2:3:4:5:6:7:80", b"fdaa:0001:0000:0000:0000:0000:0000:0002:80"),
        (b"fdaa:fdaa::1 x", b"fdaa:1::2 x"),
        (b"%5Bfdaa%3a1%3A2:3%3A%3A7%5D%3A80", b"%5Bfdaa%3A1%3A%3A2%5D%3A80"),
        (
            b"fdaa%3A1%3A2%3A3%3A4%3A5%3A6%3A7%3Abad",
            b"fdaa%3A0001%3A0000%3A0000%3A0000%3A0000%3A0000%3A0002%3Abad",
        ),
    ],
)
def test_a_pseudonym_is_short_where_it_reads_as_itself(text: bytes, expected: bytes) -> None:
    assert output(HIDE_ALL_ALIKE, text) == (expected, True)


# --- what is left unchanged -----------------------------------------------------------------------


def unchanged(text: bytes) -> tuple[str, ...]:
    """Return the places that are not hidden and could be addresses."""
    places: tuple[str, ...] = ()
    for piece in pieces(HIDE, text, 7):
        places += piece.unchanged
    return places


def test_places_that_are_left_unchanged_are_reported() -> None:
    text = (
        b"fdaa:0:18::3 peer\nfdaa::/16\nxfdaa::1 cafe:FDAA::1 fdaa::1\n\n"
        b"%5Bfdaa%253A0%253A18%253A%253A3%5D\n"
        b"%66%64%61%61%3A%3A1 fdaa:0:18::/48\nfdaa%253a0%253a18\n"
        b"8.1.0.0.0.0.0.0.a.a.d.f.ip6.arpa {64938,2,3,4} {64938,2,3,4,5,6,7,8}\n"
    )
    assert unchanged(text) == ("-:2", "-:3", "-:5", "-:6", "-:7", "-:8", "-:8")


# Without colons, with others, and with escapes.
IN_ASCII = r"""
    fdaa0002045b0a7b0174db43d3c60002 \xFDAA0002045B0A7B0174DB43D3C60002
    0xfdaa0002045b0a7b0174db43d3c60002 ip-fdaa-2-45b-a7b-174-db43-d3c6-2.internal
    FDAA-2-45B--3.ipv6-literal.net fdaa--3s4.ipv6-literal.net fdaa_2_45b__3.log
    b'\xfd\xaa\x00\x02\x04[' fdaa\x3a2\x3A45b\x3a\x3a3 fdaa\:2\:45b\:\:3 fdaa\x3a\x3a3 fdaa\u{3a}2
    fdaa\u003a2\u003a45b\u003a\u003a3 fdaa\0722 fdaa=3A2=3A45b=3A=3A3 fdaa%u003A2 fdaa&colon;2
    fdaa&#58;2&#58;45b&#58;&#58;3 fdaa&#x003a;2 \u0066\u0064\u0061\u0061:2 \x66daa:2
    fd\u001b[31maa:2 fd\e[31maa:2
"""
# With characters that are not visible, full-width ones, and colours (the last by grep).
IN_UNICODE = """
    f\u200bdaa:2 fda\u00ada:2 fdaa\u2060:2 fdaa:\ufeff2:45b fdaa:2\u200d:45b fdaa\uff1a2\uff1a45b
    \uff46\uff44\uff41\uff41:2 fdaa:\uff12:45b \uff26\uff24\uff21\uff21\uff1a\uff12
    fd\x1b[31maa:2:45b::3 f\x1b[1md\x1b[2ma\x1b[3ma:2:45b::3 fdaa:\x1b[31m2:45b::3
    [\x1b[01;31m\x1b[Kfdaa\x1b[m\x1b[K:0:18::3]:8080
"""
DISGUISED = re.findall(r"\S+", IN_ASCII + IN_UNICODE)
DISGUISED += ["0x0010:  fdaa 0002 045b 0a7b 0174 db43 d3c6 0002"]
DISGUISED += ["fdaa::1".encode("utf-16-le").decode()]  # as PowerShell's `>>` leaves it


@pytest.mark.parametrize("text", DISGUISED)
def test_an_address_in_disguise_is_reported_once(text: str) -> None:
    assert unchanged(f"boot\n{text}\nfdaa::3 ok\n".encode()) == ("-:2",)


def test_an_address_in_disguise_is_reported_where_blocks_meet(tmp_path: Path) -> None:
    """A block of a file has 96 KiB."""
    log = tmp_path / "log"
    disguised = b"fd\x1b[31maa\x1b[m:2:45b::3"
    for shift in range(0, len(disguised) + 1, 3):
        begin = b"fdaa::3 ok\n" + b"x" * (96 * 1024 - 12 - shift) + b"\n"
        log.write_bytes(begin + disguised)
        places: tuple[str, ...] = ()
        for event in Scan([str(log)], HIDE):
            assert isinstance(event, Piece)
            places += event.unchanged
        assert places == (f"{log}:3",), shift


def test_what_could_be_no_address_is_not_reported() -> None:
    digests = (
        b"trace=00fdaa4bf92f3577b34da6a3ce929d0e 9fdaa fdaa request-fdaa-1 fdaa: started fda a"
    )
    others = b"64938,2,3 {64937,2} a.a.d.f.example"
    uuids = b" 12345678-fdaa-4bf9-8abc-123456789012 1234fdaa-4bf9-1234 fdaa-1-x fdaa--error fdaa-1"
    longer = b" fdaa0002045b0a7b0174db43d3c600020 fdaa 0002 fd\x1b[31maa fdaa=x f\xe2\x80\x8bdaa: x"
    assert unchanged(digests + others + uuids + longer) == ()


# The list of docs/security.md, "What pseudonyms leave visible".
HIDDEN_TOO_WELL = (
    b"network 2:45b or 132187, rest 3",
    b"337214183437139394327438170541399343107 fdaa0002-045b-0a7b-0174-db43d3c60002",
    b"/aoAAgRbCnsBdNtD08YAAg== fd aa 00 02 04 5b 0a 7b 01 74 db 43 d3 c6 00 02 fdaa.2.45b",
    b"\xfd\xaa\0\2\4[\n{\1t\xdbC\xd3\xc6\0\2 0030  60 00 fd aa 00 02",
    b"fd\naa:2:45b::3 fdaa\n:2:45b::3 fdaa | :2:45b::3",
    "&#102;daa:2:45b::3 fd\u0430a:2:45b::3 fdaa\\x5cx3a2:45b::3".encode(),
    "fdaa:2:45b::3".encode("utf-32-le"),
)


@pytest.mark.parametrize("text", HIDDEN_TOO_WELL)
def test_what_cannot_be_recognized_is_neither_replaced_nor_reported(text: bytes) -> None:
    """A text that is recognized one day leaves the list."""
    assert output(HIDE, text) == (text, False)
    assert unchanged(text) == ()


# --- many at once ---------------------------------------------------------------------------------


def test_packed_addresses_and_copies_have_the_same_pseudonyms() -> None:
    """A copy is what a worker gets."""
    many = [Address("fdaa::3"), Address("fdaa:2:45b::3"), Address("fdaa::3")]
    copied = pickle.loads(pickle.dumps(PSEUDONYMS))
    hidden = pseudonymize_packed(copied, [bytes(address) for address in many])
    assert hidden == [bytes(PSEUDONYMS.pseudonymize(address)) for address in many]


@pytest.mark.slow
def test_threads_share_the_pseudonyms_of_many_networks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(permutation, "_MOST_KNOWN", 4000)
    pseudonyms = Pseudonyms(b"a key")

    def hide(first: int) -> list[bytes]:
        ids = range(first, first + 5000)
        return pseudonymize_packed(pseudonyms, [bytes(Address.build(id_, 3)) for id_ in ids])

    starts = [0, 5000, 10_000, 15_000, 20_000]  # more networks than are remembered
    with ThreadPoolExecutor(4) as threads:
        results = list(threads.map(hide, starts))
    assert results[3] == hide(starts[3])
