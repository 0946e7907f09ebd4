"""What `to_dict` returns holds plain types, which JSON, YAML and TOML write as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from example_documents import WEB, example_networks

from fdaa import Address
from fdaa.explain import decode, explain, explain_verdict
from fdaa.networks import App, check_allocations, find_holder, reach
from fdaa.platform import UnverifiedClaims
from fdaa.probe import probe
from fdaa.scan import find_addresses

if TYPE_CHECKING:
    from collections.abc import Iterator

NETWORKS = example_networks()
OWN = Address(WEB)
LINE = "[fdaa:2:45b::2]:40112->[fdaa:0:18::3]:5432: i/o timeout"
VERDICT = reach(App("web"), App("billing"), NETWORKS)
CLAIMS = {"iss": "https://issuer.example/acme", "exp": 2, "note": {"a": [1, None, True, 1.5]}}
ANSWERS: dict[str, Any] = {
    "verdict in sentences": explain_verdict(VERDICT, NETWORKS),
    "allocation": check_allocations(NETWORKS)[0],
    "holder": find_holder(OWN, NETWORKS),
    "line": explain(LINE, NETWORKS, own=OWN),
    "decoded": decode(OWN, NETWORKS)[0],
    "match": next(find_addresses(LINE)),
    "claims": UnverifiedClaims.from_payload(CLAIMS),
}


def types_in(value: object) -> Iterator[type]:
    """Yield the type of each value in dictionaries and lists, and of each key."""
    if type(value) is dict:
        for key, below in value.items():
            yield type(key)
            yield from types_in(below)
    elif type(value) is list:
        for below in value:
            yield from types_in(below)
    else:
        yield type(value)


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS.keys())
def test_a_dictionary_holds_plain_types(answer: Any) -> None:
    fields = answer.to_dict()
    assert type(fields) is dict
    assert set(types_in(fields)) <= {str, int, float, bool, type(None)}


def test_so_does_each_step_of_a_probe() -> None:
    for step in probe("[::1]:1"):
        assert set(types_in(step.to_dict())) <= {str, int, float, bool, type(None)}
