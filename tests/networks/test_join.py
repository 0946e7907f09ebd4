"""The join: what completes a row, what is said of contradictions, and whom addresses serve."""

from __future__ import annotations

from organizations import parse

from fdaa.networks import (
    Document,
    NetworkMap,
)

MACHINE = {"id": "m", "private_ip": "fdaa:2:45b::3"}


def test_a_contradiction_shows_both_facts() -> None:
    other = {"id": "n", "private_ip": "fdaa:2:45c::3"}
    (found,) = NetworkMap([parse({"Name": "web", "Machines": [MACHINE, other]})]).contradictions
    assert found.to_dict() == {
        "kind": "contradiction",
        "rule": "app-on-two-networks",
        "facts": [
            {
                "network_name": None,
                "network_id": f"2:45{letter}",
                "network_id_int": number,
                "app": "web",
                "address": f"fdaa:2:45{letter}::3",
                "origins": [{"file": "f", "place": f"Machines[{row}].private_ip"}],
            }
            for row, letter, number in [(0, "b", 0x2045B), (1, "c", 0x2045C)]
        ],
    }


# --- the name that an address list states --------------------------------------------------------


def stating(address: str, name: str, app: str | None = "api") -> Document:
    return parse({"ips": [{"ip": address, "network": {"name": name}}]}, app)


def test_the_network_that_an_address_list_states_binds_its_name_to_the_id() -> None:
    joined = NetworkMap([stating("fdaa:7:0:1::2", "customer-17")])
    row = joined.by_name("customer-17")
    assert row is not None
    assert row.network_id == 0x70000
    (origin,) = row.fact.origins
    assert str(origin) == "f: ips[0].ip"
    nameless = NetworkMap([stating("fdaa:7:0:1::2", "")]).by_id(0x70000)
    assert nameless is not None
    assert nameless.name is None
