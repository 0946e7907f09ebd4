"""Verdicts as sentences: the summary, a sentence for each reason and way, and the whole."""

from __future__ import annotations

from typing import Any

import pytest
from ends import as_end
from example_documents import BILLING, FOR_CUSTOMER_17, FOR_DEFAULT, example_networks
from organizations import parse

from fdaa import Address, NetworkID, NetworkName
from fdaa.explain import Missing, explain_verdict
from fdaa.networks import App, DocumentKind, NetworkMap, Reason, reach

LISTEN = "must listen on its private IPv6 address or on [::], not only on 0.0.0.0 or 127.0.0.1"

# Source, target, and a part of a sentence. docs/reach.md shows others.
VERDICTS = [
    ("billing", Address(FOR_DEFAULT), "use the address of a Machine of billing"),
    ("web", Address(BILLING), f"network customer-17 (2:45b): {FOR_CUSTOMER_17}"),
    ("web", Address(FOR_CUSTOMER_17), "is allocated to billing for clients on network customer-17"),
    ("web", "nobody", "nobody is in none of these documents"),
    ("web", "workre", "did you mean worker?"),
    ("web", "customer-17", "is a network, not an app: use network:customer-17"),
    ("archive", Address("fdaa:77::1"), "on network 77:0; no document has both names"),
    (Address(FOR_DEFAULT), "web", "for clients on network default (0:18); no requests"),
    ("web", Address("fdaa::3"), "network ID 0 is assumed to belong to the platform's"),
    (NetworkName("customer-17"), NetworkID("2:224b"), "with the network name customer-17"),
]
SUMMARIES = {
    True: "yes: {} can reach {}",
    False: "no: {} cannot reach {} privately",
    None: "unknown: ",
}


@pytest.mark.parametrize(("source", "target", "part"), VERDICTS)
def test_a_verdict_has_a_sentence_for_each_reason_and_way(
    source: Any, target: Any, part: str
) -> None:
    joined = example_networks()
    verdict = reach(as_end(source), as_end(target), joined)
    explained = explain_verdict(verdict, joined)
    asked = (verdict.to_dict()["source"], verdict.to_dict()["target"])
    assert explained.summary.startswith(SUMMARIES[verdict.reachable].format(*asked))
    assert [sentence.finding for sentence in explained.reasons] == list(verdict.reasons)
    assert [sentence.finding for sentence in explained.ways] == list(verdict.ways)
    whole = str(explained)
    assert whole.startswith(f"{explained.summary}\n  ")
    for sentence in [*explained.reasons, *explained.ways]:
        assert "{" not in str(sentence)
        assert f"  {sentence}" in whole
    assert part in whole
    assert (LISTEN in whole) == (verdict.reachable is True)


GONE = Address("fdaa:0:18:a7b:7d:f066:dead:2")
STOPPED = [{"id": "m1", "state": "stopped", "private_ip": "fdaa:2:45b::21"}]
ON_BLUE = [
    parse([{"Name": "web", "Network": "blue"}, {"Name": "idle", "Network": "blue"}]),
    parse([{"id": "m2", "private_ip": "fdaa:2:45b::22"}], "web"),
]

# The Machines of idle, which is on the network of web; the target, and why nothing can respond.
SILENT: list[tuple[list[dict[str, str]], Any, str]] = [
    ([], "idle", "idle has no Machine"),
    (STOPPED, "idle", "no Machine of idle is started (stopped)"),
    (STOPPED, Address("fdaa:2:45b::21"), "the Machine of fdaa:2:45b::21 is stopped"),
]


@pytest.mark.parametrize(("machines", "target", "summary"), SILENT)
def test_the_first_line_says_that_nothing_can_respond(
    machines: list[dict[str, str]], target: Any, summary: str
) -> None:
    joined = NetworkMap([*ON_BLUE, parse(machines, "idle")])
    explained = explain_verdict(reach(App("web"), as_end(target), joined))
    first, *others = str(explained).splitlines()
    assert first == f"no: same network, but nothing can respond: {summary}"
    assert [line.strip() for line in others] == [str(explained.reasons[1])]  # once, and no more


def test_a_stale_address_is_said_first_of_a_target_and_beside_the_verdict_of_a_source() -> None:
    joined = example_networks()
    stale = f"{GONE} is stale: no Machine of billing has this address"
    explained = explain_verdict(reach(App("billing"), GONE, joined), joined)
    assert explained.summary == f"no: same network, but nothing can respond: {stale}"
    explained = explain_verdict(reach(GONE, App("billing"), joined), joined)
    assert explained.summary == f"yes: {GONE} can reach billing"
    assert str(explained).splitlines()[1] == f"  {stale}"
    assert str(explain_verdict(reach(GONE, GONE, joined), joined)).count("is stale") == 1


def test_each_line_can_end_with_what_it_rests_on() -> None:
    joined = example_networks()
    explained = explain_verdict(reach(App("web"), App("reports"), joined), joined)
    shown = "\n".join(explained.lines(basis=True))
    assert "customer-18 (2:224b) [2.3, rule 3; Networking rules, 1]" in shown
    assert shown.count(" [Networking rules, ") == 4
    explained = explain_verdict(reach(App("web"), Address("fdaa::3"), joined), joined)
    last = list(explained.lines(basis=True))[-1]
    assert last.endswith("which networks can reach them [assumed: network-id-0]")


AB = NetworkMap([parse([{"Name": "web", "Network": "a"}, {"Name": "db", "Network": "b"}])])


def test_a_name_that_cannot_be_compared_with_an_id_needs_a_machine_list() -> None:
    explained = explain_verdict(reach(App("web"), Address("fdaa:77::1"), AB), AB)
    (reason,) = explained.reasons
    assert reason.finding.kind is Reason.NOT_COMPARABLE
    assert reason.missing == (Missing((DocumentKind.MACHINE_LIST,)),)


def test_a_name_without_any_document_says_that_none_is_given() -> None:
    joined = NetworkMap()
    for end in (App("web"), NetworkName("blue")):
        explained = explain_verdict(reach(end, Address(BILLING), joined), joined)
        assert "no documents are given" in str(explained.reasons[0])


def test_a_no_says_which_list_may_reverse_it() -> None:
    explained = explain_verdict(reach(App("web"), App("db"), AB))
    assert explained.permission.endswith("reach db privately (the address list of db is missing)")
    assert str(explained.ways[1]).endswith(", unless it has one")
    assert explained.ways[1].missing == (Missing((DocumentKind.ADDRESS_LIST,), app="db"),)
    of_network = explain_verdict(reach(App("web"), NetworkName("b"), AB))
    assert of_network.summary.endswith("(the address list of db is missing)")
    joined = example_networks()
    explained = explain_verdict(reach(App("web"), App("reports"), joined), joined)
    assert "unless" not in str(explained)
