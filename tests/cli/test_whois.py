"""`fdaa whois`: the Machine, app and network of an address, and whether it is stale."""

from __future__ import annotations

import re

import pytest
from command import invoke, records
from network_files import ALL, save

WEB = "fdaa:2:45b::3"
GONE = "fdaa:2:45b::9"

pytestmark = pytest.mark.usefixtures("documents")


def address_lists() -> tuple[str, ...]:
    """Return the options of empty address lists of all apps."""
    save("none.json", [])
    return tuple(f"--addresses={app}=none.json" for app in ("api", "old", "web"))


def test_the_machine_app_and_network_are_shown() -> None:
    shown = invoke("whois", WEB, "FDAA:7::3", *ALL)
    head, web, api = shown.stdout.splitlines()
    assert head.split() == ["address", "network", "ID", "app", "Machine"]
    assert web.split() == [WEB, "blue", "2:45b", "web", "m1"]
    assert api.split() == ["fdaa:7::3", "red", "7:0", "api", "m3"]
    assert (shown.exit_code, shown.stderr) == (0, "")
    assert "m1" in invoke("whois", "self", *ALL, PLATFORM_PRIVATE_IP=WEB).stdout
    asked = ("whois", GONE, "fdaa:9::1", WEB)
    assert invoke(*asked, *ALL, *address_lists()).exit_code == 1  # stale before unknown


@pytest.mark.parametrize(
    ("address", "options", "status", "holding", "said"),
    [
        (WEB, (), 0, "machine", "m1"),
        (
            "fdaa:2:45b:0:1::2",
            ("--addresses", "api=ips.json"),
            0,
            "cross-network-address",
            "allocated",
        ),
        (GONE, (), 3, "unknown", "unknown: not in any document or book"),
        ("fdaa:9::1", (), 3, "unknown", "unknown: not in any document or book"),
        ("fdaa::3", (), 3, "service", "services of the platform are assumed to have"),
        (
            WEB,
            ("--machines", "api=web.json"),
            3,
            "contradiction",
            "unknown: the documents disagree",
        ),
    ],
)
def test_the_exit_status_says_how_an_address_is_held(
    address: str, options: tuple[str, ...], status: int, holding: str, said: str
) -> None:
    shown = invoke("whois", address, *ALL, *options)
    assert said in shown.stdout
    assert shown.exit_code == status
    result = invoke("whois", address, *ALL, *options, "--json")
    (holder,) = records(result.stdout)
    assert list(holder) == [
        "input",
        "kind",
        "address",
        "holding",
        "machine_id",
        "state",
        "app",
        "network_name",
        "network_id",
        "network_id_int",
        "looked_at",
        "learned_on",
        "origins",
    ]
    assert holder["input"] == holder["address"] == address
    assert holder["holding"] == holding
    assert result.exit_code == status
    quiet = invoke("whois", address, *ALL, *options, "-q")
    assert (quiet.stdout, quiet.exit_code) == ("", status)


def test_a_book_has_the_app_that_had_an_address() -> None:
    invoke("book", "learn", *ALL, "--book", "book.json")
    save("web.json", [{"id": "m9", "private_ip": "fdaa:2:45b::99"}])  # after the next deploy
    options = ("--machines", "web=web.json", "--book", "book.json")
    assert invoke("whois", WEB, *options).exit_code == 0  # it may be allocated to web now
    shown = invoke("whois", WEB, *options, *address_lists()[2:])
    assert "stale: no Machine of web has this address; web had it when the book" in shown.stdout
    assert shown.exit_code == 1
    alone = invoke("whois", WEB, FDAA_BOOK="book.json")
    assert alone.stdout.splitlines()[1].split()[:4] == [WEB, "blue", "2:45b", "web"]
    assert "the app had this address when the book learned it on 2" in alone.stdout
    assert alone.exit_code == 0


@pytest.mark.parametrize(
    ("address", "options"),
    [
        (WEB, ("--machines", "web.json")),
        ("fdaa:2:45b:0:1::2", ("--addresses", "ips.json")),
    ],
)
def test_the_holder_of_an_address_without_a_known_app_is_unknown(
    address: str, options: tuple[str, ...]
) -> None:
    shown = invoke("whois", address, *options)
    assert shown.stdout.splitlines()[1].split()[3] == "?"
    assert shown.exit_code == 3


def test_what_to_add_is_printed_once() -> None:
    unknown = [f"fdaa:9::{number}" for number in range(1, 9)]
    shown = invoke("whois", *unknown, GONE, "fdaa:2:45b::8", *ALL).stdout
    assert shown.count("not in any document or book\n") == len(unknown) + 2
    hint = " ".join(shown.split()).partition("To find an unknown address, add ")[2]
    assert "the Machine list of old (--machines old=FILE)" in hint
    assert "address lists of api, old, web (--addresses APP=FILE)" in hint
    shown = invoke("whois", GONE, *ALL, *address_lists()[1:]).stdout
    assert " ".join(shown.split()).endswith("the address list of api (--addresses api=FILE)")
    shown = invoke("whois", GONE, *ALL, *address_lists()).stdout
    assert shown.endswith("stale: no Machine of web has this address\n")
    alone = invoke("whois", *unknown).stdout
    assert alone.splitlines()[-1].endswith("add Machine lists; `fdaa networks --help` shows how")


def test_what_is_no_address_is_wrong_input_and_hides_nothing() -> None:
    result = invoke("whois", "fdaa::1g", f"[{WEB}]:80", *ALL)
    assert result.stdout.splitlines()[1].split()[0] == WEB
    assert "'fdaa::1g' is not a private address" in result.stderr
    assert result.exit_code == 2


def test_a_network_gets_the_command_that_shows_its_apps() -> None:
    given = " ".join(ALL)
    for text, asked in (("0:18", "0:18"), ("network:blue", "blue"), ("blue", "blue")):
        result = invoke("whois", text, *ALL)
        assert (result.exit_code, result.stdout) == (2, "")
        assert f"'{text}': this is a network" in result.stderr
        assert result.stderr.endswith(f": fdaa networks --only {asked} {given}\n")
    assert "fdaa networks --only 0:18 --apps FILE\n" in invoke("whois", "0:18").stderr


def test_a_machine_is_shown_by_its_identifier_and_a_misspelt_one_gets_a_suggestion() -> None:
    shown = invoke("whois", "m1", *ALL)
    assert (shown.stdout, shown.exit_code) == (invoke("whois", WEB, *ALL).stdout, 0)
    misspelt = invoke("whois", "mm1", *ALL)
    assert misspelt.stderr.endswith("did you mean m1?\n")
    assert (misspelt.stdout, misspelt.exit_code) == ("", 2)


def test_an_app_is_shown_with_all_its_addresses() -> None:
    addresses = ("--addresses", "web=ips.json")
    of_app = invoke("whois", WEB, "fdaa:2:45b::4", "fdaa:2:45b:0:1::2", *ALL, *addresses)
    for text in ("web", "web.internal:8080", "WEB:80", "sea.web.internal"):
        shown = invoke("whois", text, *ALL, *addresses)
        assert (shown.stdout, shown.exit_code) == (of_app.stdout, 0)


def test_an_app_without_a_known_address_is_shown_with_its_network() -> None:
    shown = invoke("whois", "web", "--apps", "apps.json")
    assert shown.stdout == (
        "address  network  ID  app  Machine\n"
        "?        blue     ?   web  ?\n"
        "  for its addresses, add --machines web=FILE\n"
    )
    assert (shown.exit_code, shown.stderr) == (0, "")
    (row,) = records(invoke("whois", "web", "--apps", "apps.json", "--json").stdout)
    assert (row["kind"], row["app"], row["network_name"]) == ("app", "web", "blue")
    empty = save("empty.json", [])
    listed = invoke("whois", "web", "--apps", "apps.json", "--machines", f"web={empty}")
    assert "its Machine list has no address" in listed.stdout
    unknown = invoke("whois", "web", "--machines", f"web={empty}")
    assert unknown.exit_code == 3


def test_an_app_whose_network_documents_dispute_is_on_no_known_network() -> None:
    """`reach` says so, too: a book does not decide between documents."""
    invoke("book", "learn", *ALL, "--book", "book.json")
    save("other.json", [{"Name": "web", "Network": "red"}])
    disputed = ("--apps", "apps.json", "--apps", "other.json", "--book", "book.json")
    shown = invoke("whois", "web", *disputed)
    assert shown.stdout.splitlines()[1].split() == ["?", "?", "?", "web", "?"]
    assert "documents disagree about its network" in shown.stdout
    assert shown.stderr.endswith(f": fdaa networks {' '.join(disputed)}\n")
    assert shown.exit_code == 3
    assert (
        "web is not clear: it is listed on two networks"
        in invoke("reach", "web", WEB, *disputed).stdout
    )


def test_an_app_in_the_book_is_shown() -> None:
    invoke("book", "learn", *ALL, "--book", "book.json")
    shown = invoke("whois", "web", "--book", "book.json")
    assert shown.stdout.splitlines()[1].split() == ["?", "blue", "2:45b", "web", "?"]
    assert shown.exit_code == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("wbe", "did you mean web?"),
        ("wbe.internal", "it is in none of these documents; did you mean web?"),
    ],
)
def test_a_suggestion_is_an_app_or_a_machine(text: str, said: str) -> None:
    shown = invoke("whois", text, *ALL)
    assert said in shown.stderr
    assert "network" not in shown.stderr
    assert (shown.stdout, shown.exit_code) == ("", 2)


@pytest.mark.parametrize(
    ("apps", "lists", "said"),
    [
        (40, 39, "add the Machine list of app-39 (--machines app-39=FILE)"),
        (600, 3, "app-10, app-100, app-101, app-102, and 593 more (--machines APP=FILE)"),
    ],
)
def test_the_machine_lists_that_are_missing_are_named(apps: int, lists: int, said: str) -> None:
    rows = [{"name": f"app-{n}", "network": f"customer-{n}"} for n in range(apps)]
    save("apps.json", {"total_apps": apps, "apps": rows})
    options = ["--apps", "apps.json"]
    for n in range(lists):
        machines = save(f"{n}.json", [{"id": f"m{n}", "private_ip": f"fdaa:5:{n:x}::2"}])
        options += ["--machines", f"app-{n}={machines}"]
    shown = invoke("whois", "fdaa:5:fff::2", *options)
    assert said in " ".join(shown.stdout.split())
    assert shown.exit_code == 3


def test_each_address_has_one_row() -> None:
    lines = f"{WEB}\n[fdaa:9::1]:80\n{WEB}\n".encode()
    rows = invoke("whois", "-", stdin=lines).stdout
    assert re.findall(r"^fdaa:\S+", rows, re.MULTILINE) == [WEB, "fdaa:9::1"]
    assert invoke("whois", stdin=lines).stdout == rows
    assert invoke("whois", WEB, "fdaa:9::1", WEB).stdout == rows


# A text, and what `--json` prints for it: the kinds and addresses, or the input of a refusal.
LINES = (
    ("web", [("holder", WEB), ("holder", "fdaa:2:45b::4")]),
    (WEB, [("holder", WEB)]),
    ("fdaa::zz", [("error", "'z' is not a hex digit")]),
    ("m9", [("error", "this Machine has no address yet")]),
    ("fdaa:7::/48", [("error", "this is a network, not")]),
    (f"{WEB} {WEB}", [("error", "for a line: fdaa 'TEXT'")]),
    ("old", [("app", None)]),
    ("wbe.internal", [("error", "it is in none of these documents")]),
    ("fdaa:2:45b::3\udcff", [("error", "is not a hex digit")]),  # a byte that is not UTF-8
)


def test_each_text_has_its_objects_in_json() -> None:
    new = save("new.json", [{"id": "m9", "private_ip": ""}])
    options = (*ALL, "--machines", f"old={new}", "--json")
    lines = "".join(f"{text}\n" for text, _ in LINES)
    result = invoke("whois", *options, stdin=lines.encode(errors="surrogateescape"))
    assert result.exit_code == 2
    rows = records(result.stdout)
    for text, wanted in LINES:
        for kind, shown in wanted:
            row = rows.pop(0)
            assert row["input"] == text.replace("\udcff", r"\xff")
            assert row["kind"] == kind
            assert row.get("address") == shown or shown in row["error"]
    assert rows == []


def test_a_refused_text_is_the_same_object_in_every_command() -> None:
    (decoded,) = records(invoke("decode", "--json", "fdaa::zz").stdout)
    (held,) = records(invoke("whois", "--json", "fdaa::zz").stdout)
    (verdict,) = records(invoke("same", "--json", WEB, "fdaa::zz").stdout)
    assert held == decoded == verdict["addresses"][1]
    assert decoded["at"] == 6
    assert invoke("whois", "--field", "input", "--field", "kind", "fdaa::zz").stdout == ""


def test_a_host_that_begins_with_the_identifier_of_a_machine_is_that_machine() -> None:
    rows = [{"id": "m7", "private_ip": WEB}, {"id": "m8", "private_ip": "fdaa:2:45b::8"}]
    machines = ("--machines", f"web={save('two.json', rows)}")
    for host in ("m7.vm.web.internal", "m7.vm.web.internal:8080"):
        shown = invoke("whois", host, *machines)
        assert shown.stdout == invoke("whois", "m7", *machines).stdout
    assert "m8" in invoke("whois", "sea.web.internal", *machines).stdout


def test_of_names_that_are_equally_near_none_is_suggested() -> None:
    apps = save("many.json", [{"Name": f"svc-{number}", "Network": "a"} for number in (10, 11, 21)])
    for name, hint in (("svc-1", False), ("svc-1-1", True), ("svc-12", True)):
        result = invoke("whois", name, "--apps", apps)
        assert ("did you mean" in result.stderr) == hint


def test_nothing_is_printed_raw() -> None:
    save("web.json", [{"id": "\x1b[31m", "private_ip": WEB}])
    for options in ((), ("--json",)):
        assert "\x1b" not in invoke("whois", WEB, "--machines", "web=web.json", *options).output


def test_only_errors_that_are_shown_have_a_hint() -> None:
    lines = [f"wrker-{number}.internal" for number in range(200)]
    result = invoke("whois", "--apps", "apps.json", stdin="\n".join(lines).encode())
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 11
    assert result.stderr.endswith("and 190 more like these\n")
