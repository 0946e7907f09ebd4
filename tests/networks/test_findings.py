"""Each kind of finding has one record, whose fields type checkers know by its kind."""

from __future__ import annotations

from typing import get_args, get_type_hints

from fdaa import Address, NetworkID
from fdaa.networks import Finding, Reason, Way, reach

RECORDS = get_args(Finding)


def kinds_of(record: type) -> tuple[Reason | Way, ...]:
    return get_args(get_type_hints(record)["kind"])


def test_each_kind_has_one_record() -> None:
    kinds = [kind for record in RECORDS for kind in kinds_of(record)]
    assert len(kinds) == len(set(kinds))
    assert set(kinds) == {*Reason, *Way}


def test_a_type_checker_knows_the_fields_of_a_kind() -> None:
    """`mypy --strict` reports a field that a kind does not have."""
    verdict = reach(Address("fdaa:2:45b::3"), NetworkID("2:45c"))
    (compared,) = verdict.reasons
    assert compared.kind is Reason.DIFFERENT_IDS
    assert compared.source.network_id == NetworkID("2:45b")
    for way in verdict.ways:
        match way.kind:
            case Way.CROSS_NETWORK_ADDRESS:
                assert way.network == compared.source
        if way.kind == Way.REPLAY:
            assert not hasattr(way, "network")
    # Not each reason has a `source`.
    _ = verdict.reasons[0].source  # type: ignore[union-attr]
