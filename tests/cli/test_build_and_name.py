"""`fdaa build` and `fdaa name`."""

from __future__ import annotations

import pytest
from command import invoke, records

ADDRESS = "fdaa:2:45b:a7b:174:db43:d3c6:2"


@pytest.mark.parametrize(
    "network", ["2:45b", ":2:45b:", "0x2045b", "fdaa:2:45b::/48", "fdaa:2:45b:1::/64"]
)
def test_the_network_is_taken_in_every_form(network: str) -> None:
    assert invoke("build", network).stdout == "fdaa:2:45b::\n"


@pytest.mark.parametrize(
    ("rest", "address"),
    [
        ("a7b:174:db43:d3c6:2", ADDRESS),
        ("::2", "fdaa:2:45b::2"),
        ("1::2", "fdaa:2:45b:1::2"),
        ("::", "fdaa:2:45b::"),
        ("0x10", "fdaa:2:45b::10"),
        ("0xa7b0174db43d3c60002", ADDRESS),
        ("0a7b0174db43d3c60002", ADDRESS),  # as `fdaa decode --field rest` prints it
        ("12345678901234567890", "fdaa:2:45b:1234:5678:9012:3456:7890"),
    ],
)
def test_the_rest_is_groups_or_a_number(rest: str, address: str) -> None:
    assert invoke("build", "2:45b", rest).stdout == f"{address}\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("fdaa::/16",), "a /16 holds many networks"),
        (("2:45b:1",), "two groups"),
        (("18",), "write 0:18 (0x18) if it is hex, or 0:12 (0x12) if it is decimal"),
        (("2:45b", "1:2:3:4"), "the rest is groups"),
        (("2:45b", "1:2:3:4:5:6"), "too many groups"),
        (("2:45b", ":2"), "the rest is groups"),
        (("2:45b", "a7b"), "0xa7b"),
        (("2:45b", "10"), "write 0x10 if it is hex, or 0xa if it is decimal"),
        (("2:45b", "0x1" + "0" * 20), "80 bits"),
        (("2:45b", "-1"), "No such option"),
        (("2:45b", "--", "-1"), "a hex number"),
        ((), "Missing argument"),
    ],
)
def test_build_says_what_is_wrong(arguments: tuple[str, ...], message: str) -> None:
    result = invoke("build", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr


def test_build_prints_the_record_of_decode() -> None:
    (built,) = records(invoke("build", "--json", "2:45b", "a7b:174:db43:d3c6:2").stdout)
    (decoded,) = records(invoke("decode", "--json", ADDRESS).stdout)
    del decoded["input"]
    assert built == decoded


def test_each_name_gets_its_verdict() -> None:
    result = invoke("name", "default", "17-customers", "customer_17", "")
    assert result.stdout.splitlines() == [
        "'default': valid",
        "'17-customers': invalid: it must start with a letter (a to z, A to Z), not with '1', "
        "at index 0",
        "'customer_17': invalid: it may hold letters, digits and dashes of ASCII only, not '_', "
        "at index 8",
        "'': invalid: it is empty; it must start with a letter (a to z, A to Z)",
    ]
    assert result.exit_code == 1
    assert invoke("name", "default", "customer-17").exit_code == 0


def test_a_script_asks_for_the_status_only() -> None:
    for names, status in ((("default", "Default"), 0), (("default", "a_b"), 1)):
        result = invoke("name", "-q", *names)
        assert (result.exit_code, result.output) == (status, "")


def test_names_are_never_printed_raw() -> None:
    result = invoke("name", "a\x1b[31m", "n\u0435twork", "\udcff", "a" * 10_000)
    assert result.output.isascii()
    assert "\x1b" not in result.output
    assert "U+0435 (CYRILLIC SMALL LETTER IE)" in result.stdout
    assert "a" * 61 not in result.output


@pytest.mark.parametrize(
    ("name", "warning"),
    [
        ("Default", "differs from 'default' in case only"),
        ("DEFAULT", "differs from 'default' in case only"),
        ("customer-", "ends in a dash"),
        ("a" * 64, "64 characters"),
    ],
)
def test_a_risky_name_is_valid_and_gets_a_warning(name: str, warning: str) -> None:
    result = invoke("name", name)
    assert (result.exit_code, result.stdout.endswith(": valid\n")) == (0, True)
    assert warning in result.stderr


@pytest.mark.parametrize("name", ["default", "customer--17", "a", "a" * 63, "defaults"])
def test_other_names_get_no_warning(name: str) -> None:
    assert invoke("name", name).stderr == ""


def test_names_as_json() -> None:
    result = invoke("name", "--json", "a_b", "Default")
    assert records(result.stdout) == [
        {
            "name": "a_b",
            "valid": False,
            "error": "it may hold letters, digits and dashes of ASCII only, not '_'",
            "at": 1,
            "warnings": [],
        },
        {
            "name": "Default",
            "valid": True,
            "error": None,
            "at": None,
            "warnings": ["it differs from 'default' in case only, and is another network"],
        },
    ]
