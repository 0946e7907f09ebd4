"""`fdaa build`."""

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
