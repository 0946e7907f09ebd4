"""The same facts have the same verdict, and no row of a document reverses one in silence."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest
from ends import as_end
from hypothesis import given
from hypothesis import strategies as st
from organizations import APPS, NAMES, Messy, address, fewer, messy_organization, questions
from slow_documents import Given

from fdaa.networks import reach

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fdaa import Address
    from fdaa.networks import NetworkMap, Verdict

MANY = 10_000
QUESTIONS = 4  # for each organization

DISAGREE = {"contradiction", "address-disputed", "app-or-machine", "machine-of-two-apps"}
# An app has cross-network addresses beside those of its Machines.
ALLOCATED = {"allocated-for-source", "source-id-unknown"}
CONFIGURED = {
    *ALLOCATED,
    "allocated-for-another",
    "asked-from-own-network",
    "source-is-allocated",
}
SILENT = {"no-machine", "no-started-machine", "stopped", "stale"}


def kinds(verdict: Verdict) -> set[str]:
    return {reason.kind.value for reason in verdict.reasons}


# --- an app and its only Machine ------------------------------------------------------------------


def check_app_and_address(choose: random.Random) -> None:
    messy = messy_organization(choose)
    joined = messy.joined()
    for app, only in apps_of_one_address(joined):
        for _ in range(QUESTIONS):
            _, other = questions(choose)
            check_alike(
                reach(as_end(app), as_end(other), joined),
                reach(as_end(only), as_end(other), joined),
                messy,
            )
            check_alike(
                reach(as_end(other), as_end(app), joined),
                reach(as_end(other), as_end(only), joined),
                messy,
            )


def apps_of_one_address(joined: NetworkMap) -> Iterator[tuple[str, Address]]:
    """Yield each app that has one Machine with one address, and this address."""
    for app in APPS:
        rows = [row for rows in joined.machines.values() for row in rows if row.app == app]
        only = rows[0].address if rows else None
        if only is not None and {(row.id, row.address) for row in rows} == {(rows[0].id, only)}:
            yield app, only


def check_alike(of_app: Verdict, of_address: Verdict, messy: Messy) -> None:
    if of_app.reachable != of_address.reachable:
        named = kinds(of_app) | kinds(of_address)
        # The Machine is stopped; the app may have others that no list has.
        assert named & {*DISAGREE, *ALLOCATED, "stopped"}, (of_app, of_address, messy)


# --- one row more ---------------------------------------------------------------------------------


def check_one_row_more(choose: random.Random) -> None:
    messy = messy_organization(choose)
    row = one_row(choose)
    before = messy.joined()
    after = Messy([*messy.given, row], messy.book).joined()
    for _ in range(QUESTIONS):
        source, target = questions(choose)
        first = reach(as_end(source), as_end(target), before)
        second = reach(as_end(source), as_end(target), after)
        if {first.reachable, second.reachable} == {True, False}:
            check_reversal(first, second, row, after, messy)


def one_row(choose: random.Random) -> Given:
    """Draw a row of a Machine, an app, or a cross-network address, as a document of its own."""
    app = choose.choice(APPS)
    match choose.randrange(4):
        case 0:
            row = {"Name": app, "Network": choose.choice(NAMES), "Status": "deployed"}
            return Given(row, None, "app-list")
        case 1:
            return Given([str(address(choose))], app, "address-list")
    private_ip = choose.choice((None, str(address(choose))))
    machine = {"id": f"m{choose.randint(1, 8)}", "private_ip": private_ip}
    return Given(machine, app, "machine-list")


def check_reversal(
    first: Verdict, second: Verdict, row: Given, after: NetworkMap, messy: Messy
) -> None:
    if after.contradictions or kinds(second) & CONFIGURED:
        return
    # A Machine or an address that no list had, or an app that only the book had.
    if kinds(first) & {*SILENT, "known-from-saved"}:
        return
    # The last Machine of an app that was without an address, or the last app of a list.
    assert "stale" in kinds(second), (first, second, row, messy)
    assert not is_of_two_apps(row, after), (first, second, row, messy)


def is_of_two_apps(row: Given, after: NetworkMap) -> bool:
    value: Any = row.value
    if row.option != "machine-list":
        return False
    apps = {each.app for each in after.machines[value["id"]]}
    return len(apps - {None}) > 1


@pytest.mark.parametrize("check", [check_app_and_address, check_one_row_more])
@fewer
@given(choose=st.randoms(use_true_random=False))
def test_the_same_facts_have_the_same_verdict(check: Any, choose: random.Random) -> None:
    check(choose)


@pytest.mark.campaign
@pytest.mark.parametrize("check", [check_app_and_address, check_one_row_more])
def test_the_same_facts_have_the_same_verdict_in_many_organizations(check: Any) -> None:
    choose = random.Random(2718)
    for _ in range(MANY):
        check(choose)
