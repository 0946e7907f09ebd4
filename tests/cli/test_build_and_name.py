"""`fdaa build` and `fdaa name`."""

from __future__ import annotations

import pytest
from command import invoke, records

ADDRESS = "fdaa:2:45b:a7b:174:db43:d3c6:2"


def test_an_address_is_built_from_a_network_and_a_rest() -> None:
    """What forms these have is for tests of the core to say."""
    assert invoke("build", "0x2045b", "a7b:174:db43:d3c6:2").stdout == f"{ADDRESS}\n"
    assert invoke("build", "fdaa:2:45b::/48").stdout == "fdaa:2:45b::\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("18",), "write 0x18 if it is hex, or 0x12 if it is decimal"),
        (("2:45b", "10"), "a bare number is ambiguous: write 0x10 if it is hex"),
        (("2:45b", "fdaa:2:45b::3"), "this is a whole address"),
        (("2:45b", "-1"), "No such option"),
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
    result = invoke("name", "default", "customer_17", "")
    letters = "only ASCII letters, digits and dashes are allowed"
    assert result.stdout.splitlines() == [
        "'default': valid",
        f"'customer_17': invalid: {letters}, not '_'",
        "  customer_17",
        "          ^",
        "'': invalid: it is empty; it must start with a letter (a to z, A to Z)",
    ]
    assert result.exit_code == 1


def test_a_script_asks_for_the_status_only() -> None:
    for names, status in ((("default", "Default"), 0), (("default", "a_b"), 1)):
        result = invoke("name", "-q", *names)
        assert (result.exit_code, result.output) == (status, "")


def test_names_are_never_printed_raw() -> None:
    result = invoke("name", "a\x1b[31m", "n\u0435twork", "\udcff", "a" * 10_000)
    assert result.output.replace("\n", "").isprintable()
    assert "\x1b" not in result.output
    assert "U+0435 (CYRILLIC SMALL LETTER IE)" in result.stdout
    assert "a" * 61 not in result.output


def test_a_risky_name_is_valid_and_gets_a_warning() -> None:
    result = invoke("name", "customer-")
    assert (result.exit_code, result.stdout) == (0, "'customer-': valid\n")
    assert "warning: 'customer-': it ends in a dash" in result.stderr
    assert invoke("name", "default").stderr == ""


def test_names_as_json() -> None:
    result = invoke("name", "--json", "a_b", "Default")
    assert records(result.stdout) == [
        {
            "name": "a_b",
            "valid": False,
            "error": "only ASCII letters, digits and dashes are allowed, not '_'",
            "at": 1,
            "warnings": [],
        },
        {
            "name": "Default",
            "valid": True,
            "error": None,
            "at": None,
            "warnings": ["it differs from 'default' only in case, but is a different network"],
        },
    ]
