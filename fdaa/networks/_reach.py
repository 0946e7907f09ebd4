"""Can A reach B over the private network, by which rule, and what are the ways around?

`_Question.judge` has the rules, in their order: the first one that applies makes the outcome. A yes
is about networks: an address proves that it belongs to one, not that anything listens there. All
names are assumed to belong to one organization, because names are unique only within one.
docs/rules-reach.md states them in words.
"""

from collections.abc import Iterable
from dataclasses import replace

from fdaa._values.address import Address
from fdaa._values.checks import check_type
from fdaa._values.ends import End
from fdaa.networks._ends import KnownEnd, why_silent, without_self
from fdaa.networks._knowledge import compare
from fdaa.networks._map import NetworkMap
from fdaa.networks._model import CrossNetworkAddress, KnownNetwork
from fdaa.networks._verdict import NO, Finding, Outcome, Reason, Verdict, Way

_MEMBERSHIP_ONLY = Finding(Reason.MEMBERSHIP_ONLY, end="target")


def reach(source: "End", target: "End", networks: NetworkMap | None = None) -> Verdict:
    """Return whether the source can reach the target over the private network, and why.

    A source or target is any value that `parse_end` returns: an address, a network by its
    `NetworkID` or `NetworkName`, an `App`, a `Host`, or `ThisMachine()`, which is the address in
    PLATFORM_PRIVATE_IP. An app is all of its addresses: its Machines' own, and those allocated to
    it for cross-network access.

    `permitted` is about the configuration alone: more documents do not reverse it, unless the map
    reports a contradiction. `reachable` is about now. A no that an address list may reverse has
    this condition in `unless`. An address that is in no document is taken for a Machine's: a yes or
    a no about it has the reason `unlisted-address`, and `permitted` is not known.

    Args:
        source: where the request comes from.
        target: where the request goes to.
        networks: the joined documents, or None. What was saved is used for apps whose network is
            in no document.

    Raises:
        EndError: a host is no app's: its name does not end in `.internal`.
        OwnAddressNotSetError: it is `ThisMachine()`, and PLATFORM_PRIVATE_IP is not set.
        TypeError: a source or target is of another type, such as text.

    >>> from fdaa import Address, NetworkID
    >>> verdict = reach(Address("fdaa:2:45b::3"), NetworkID("2:45c"))
    >>> print(verdict.outcome, verdict.reachable, *[way.kind for way in verdict.ways])
    different-networks False public-address cross-network-address replay administrator
    >>> print(verdict.permitted, verdict.unless.kind)
    None no-address-list
    """
    if networks is None:
        networks = NetworkMap()
    check_type(networks, "networks", NetworkMap)
    source = without_self(source)
    target = without_self(target)
    question = _Question(source, target, networks)
    verdict = question.judge()
    if question.target.silent is not None:
        verdict = question.with_silence(verdict, question.target.silent)
    return question.with_remarks(verdict)


# --- the rules ------------------------------------------------------------------------------------


# By ID or by name, and whether they are one network.
_COMPARED: dict[tuple[bool, bool | None], Reason] = {
    (True, True): Reason.SAME_ID,
    (True, False): Reason.DIFFERENT_IDS,
    (False, True): Reason.SAME_NAME,
    (False, False): Reason.DIFFERENT_NAMES,
}


class _Question:
    """Two ends, and the cross-network addresses of the target that may be for the source's network.

    Args:
        source: where the request comes from.
        target: where it goes to.
        networks: the joined documents.
    """

    def __init__(self, source: End, target: End, networks: NetworkMap) -> None:
        self.unknown = Verdict(
            source=source,
            target=target,
            outcome=Outcome.UNKNOWN,
            permitted=None,
            same_network=None,
            reasons=(),
        )
        self.source = KnownEnd("source", networks)
        self.source.find(source)
        self.target = KnownEnd("target", networks)
        self.target.find(target)
        # Those of the target's app for the source, also where the target is an address of it.
        self.of_app: list[CrossNetworkAddress] = []
        # Those of the target, which is an app or a network.
        self.certain: list[CrossNetworkAddress] = []
        # Those of the target of which it is not known whether they are for that network.
        self.possible: list[CrossNetworkAddress] = []
        # Those for that network of which it is not known whether their app is on the target.
        self.elsewhere: list[CrossNetworkAddress] = []
        # The apps of the target whose address lists are not given, so that there may be more; None
        # if all are given.
        self.without_list: tuple[str, ...] | None = None
        # Why a no may be wrong: an address list is not given, or documents disagree.
        self.unless: Finding | None = None
        self._find_allocated()

    def _find_allocated(self) -> None:
        """Find the cross-network addresses of the target.

        Two apps on different networks cannot communicate unless it is configured (specification,
        Networking rules, 1), and an address list is where the configuration can be read. So a list
        that is not given leaves the answer open.
        """
        target = self.target
        knowledge = target.knowledge
        source = self.source.network
        rows: Iterable[CrossNetworkAddress]
        if target.is_network:
            apps = set(knowledge.possible(target.network))
            rows = [row for row in knowledge.allocated if row.app is None or row.app in apps]
            is_complete = knowledge.all_apps_listed
        else:
            apps = set()
            if target.app is not None:
                apps.add(target.app)
            rows = knowledge.app(target.app).allocated
            is_complete = target.app is not None
        without = tuple(app for app in sorted(apps) if not knowledge.app(app).has_address_list)
        if without or not is_complete:
            self.without_list = without
        disputed: list[Address] = []
        for row in rows:
            serves = compare(source, knowledge.served_network(row))
            if serves is False:
                continue
            if row.address in knowledge.disputed:
                disputed.append(row.address)
                continue
            if serves and not target.is_network:
                self.of_app.append(row)
            if not target.is_network and not target.is_app:
                continue
            if serves is None:
                self.possible.append(row)
            elif target.is_app or compare(knowledge.own_network(row), target.network):
                self.certain.append(row)
            else:
                self.elsewhere.append(row)
        if not target.is_app and not target.is_network:
            return
        if disputed:
            self.unless = Finding(
                Reason.ADDRESS_DISPUTED,
                end="target",
                app=target.app,
                addresses=tuple(dict.fromkeys(disputed)),
                rules=tuple(sorted(set(map(knowledge.disputed.__getitem__, disputed)))),
            )
        elif self.without_list is not None:
            self.unless = Finding(
                Reason.NO_ADDRESS_LIST,
                end="target",
                app=target.app,
                apps=without,
                network=source,
            )

    def judge(self) -> Verdict:
        """Apply the rules in their order; the first that applies makes the outcome."""
        source = self.source
        target = self.target
        # An end whose network is not known, or on which documents disagree.
        unclear = tuple(filter(None, (source.unclear, target.unclear)))
        if unclear:
            return replace(self.unknown, reasons=unclear)
        # Requests go to a cross-network address, and none come from it.
        if source.own is not None:
            kind = Reason.SOURCE_IS_ALLOCATED
            reason = Finding(kind, end="source", app=source.app, network=source.network)
            return replace(self.unknown, reasons=(reason,))
        if target.own is not None:
            return self._judge_allocated(target.own)
        same, compared = self._compare()
        if same is None:
            return replace(self.unknown, reasons=(compared,))
        # One network: its members reach each other (specification, section 1).
        if same:
            return replace(
                self.unknown,
                outcome=Outcome.SAME_NETWORK,
                permitted=True,
                same_network=True,
                reasons=(compared, _MEMBERSHIP_ONLY),
            )
        return self._judge_apart(compared)

    def _judge_apart(self, compared: Finding) -> Verdict:
        """Judge two ends on different networks: is anything configured?"""
        # Cross-network addresses of the target are for clients on the source's network.
        apart = replace(self.unknown, same_network=False)
        silent: dict[str | None, Finding] = {}
        if self.target.is_network:  # of an app, `with_silence` judges it
            for app in _apps_of(self.certain):
                reason = why_silent(app, self.target.networks)
                if reason is not None:
                    silent[app] = reason
        awake = [row for row in self.certain if row.app not in silent]
        if awake:
            return replace(
                apart,
                outcome=Outcome.CROSS_NETWORK_ADDRESS,
                permitted=True,
                reasons=(*self._allocated_for_source(awake), compared, _MEMBERSHIP_ONLY),
                via=_addresses_of(awake),
            )
        if self.certain:
            apart = replace(apart, permitted=True)
        # They may be for clients on the source's network.
        if self.possible:
            missing = self._by_app(Reason.SOURCE_ID_UNKNOWN, self.possible)
            return replace(apart, reasons=(*missing, compared))
        # They may be on the target's network.
        if self.elsewhere:
            unknown = self._allocated_for_source(self.elsewhere)
            for app in _apps_of(self.elsewhere):
                unknown.append(Finding(Reason.OWN_NETWORK_UNKNOWN, end="target", app=app))
            return replace(apart, reasons=(*unknown, compared))
        # Nothing responds at those of the target.
        if silent:
            reasons = (*silent.values(), *self._allocated_for_source(self.certain), compared)
            outcome = Outcome.NOTHING_RESPONDS
            return replace(apart, outcome=outcome, reasons=reasons, unless=self.unless)
        # Different networks, and nothing is configured: no, as far as the lists are given.
        no = replace(apart, outcome=Outcome.DIFFERENT_NETWORKS, reasons=(compared,))
        if self.unless is not None:
            return replace(no, unless=self.unless)
        if self.target.is_app or self.target.is_network:
            kind = Reason.NOTHING_ALLOCATED
            nothing = Finding(kind, app=self.target.app, network=self.source.network)
            no = replace(no, reasons=(compared, nothing))
        return replace(no, permitted=False)

    def _by_app(
        self,
        kind: Reason,
        rows: Iterable[CrossNetworkAddress],
        serves: KnownNetwork | None = None,
    ) -> list[Finding]:
        """Return a finding about the addresses of each app."""
        of_app: dict[str | None, list[Address]] = {}
        for row in rows:
            of_app.setdefault(row.app, []).append(row.address)
        source = self.source.network
        found = []
        for app, addresses in of_app.items():
            finding = Finding(
                kind, app=app, source=source, serves=serves, addresses=tuple(addresses)
            )
            found.append(finding)
        return found

    def _allocated_for_source(self, rows: Iterable[CrossNetworkAddress]) -> list[Finding]:
        return self._by_app(Reason.ALLOCATED_FOR_SOURCE, rows, self.source.network)

    def _judge_allocated(self, own: KnownEnd) -> Verdict:
        """Judge a cross-network address as the target: its ID is its clients'."""
        source = self.source.network
        target = self.target.network
        is_own = compare(source, own.network)
        is_served, compared = self._compare()

        def allocated(kind: Reason) -> Finding:
            return Finding(kind, app=self.target.app, source=source, serves=target)

        # Asked from the app's own network: not through this address.
        if is_own:
            return replace(
                self.unknown,
                outcome=Outcome.OWN_CROSS_NETWORK_ADDRESS,
                permitted=False,
                same_network=True,
                reasons=(allocated(Reason.ASKED_FROM_OWN_NETWORK),),
            )
        if is_served is None:
            return replace(self.unknown, same_network=is_own, reasons=(compared,))
        # Asked from a network that the address is not for.
        if not is_served:
            return replace(
                self.unknown,
                outcome=Outcome.DIFFERENT_NETWORKS,
                permitted=False,
                same_network=is_own,
                reasons=(allocated(Reason.ALLOCATED_FOR_ANOTHER), compared),
            )
        reason = allocated(Reason.ALLOCATED_FOR_SOURCE)
        # It could be the app's own network, from which it is not reachable.
        if is_own is None:
            unknown = Finding(Reason.OWN_NETWORK_UNKNOWN, end="target", app=self.target.app)
            return replace(self.unknown, reasons=(reason, unknown))
        return replace(
            self.unknown,
            outcome=Outcome.CROSS_NETWORK_ADDRESS,
            permitted=True,
            same_network=False,
            reasons=(reason, _MEMBERSHIP_ONLY),
        )

    def with_silence(self, verdict: Verdict, silent: Finding) -> Verdict:
        """Add that nothing can respond at the target: the outcome, unless that is no already.

        A no that a list may reverse is none yet. Where an end is not clear, the outcome stays
        unknown: a misspelled name gets no verdict. What the configuration permits stays, too, for
        when something is started.
        """
        is_unclear = self.source.unclear is not None or self.target.unclear is not None
        if is_unclear or (verdict.outcome in NO and verdict.unless is None):
            return replace(verdict, reasons=(*verdict.reasons, silent))
        reasons = [reason for reason in verdict.reasons if reason is not _MEMBERSHIP_ONLY]
        outcome = Outcome.NOTHING_RESPONDS
        return replace(verdict, outcome=outcome, reasons=(silent, *reasons), via=(), unless=None)

    def _compare(self) -> tuple[bool | None, Finding]:
        """Return whether two ends are on one network, and the reason."""
        source = self.source.network
        target = self.target.network
        same = compare(source, target)
        rules = tuple(sorted(self.source.rules | self.target.rules))
        if same is None and rules:
            return None, Finding(Reason.CONTRADICTION, rules=rules, source=source, target=target)
        is_by_id = None not in (source.network_id, target.network_id)
        kind = _COMPARED.get((is_by_id, same), Reason.NOT_COMPARABLE)
        return same, Finding(kind, source=source, target=target)

    def with_remarks(self, verdict: Verdict) -> Verdict:
        """Add what is reported after the reasons of an outcome, and the ways around a no."""
        source = self.source
        target = self.target
        found: list[Finding] = []
        if verdict.outcome is not Outcome.UNKNOWN or verdict.permitted is not None:
            found.extend(filter(None, (source.unlisted, target.unlisted)))
        found += source.remarks + target.remarks
        rules = source.rules | target.rules
        if target.own is not None:
            rules |= target.own.rules
        if rules and verdict.outcome is not Outcome.UNKNOWN:
            found.append(Finding(Reason.CONTRADICTION, rules=tuple(sorted(rules))))
        # An address that is in no list is perhaps a cross-network address: on the network of an
        # app, which may be any, and no source of requests.
        if not source.is_listed or not target.is_listed:
            verdict = replace(verdict, permitted=None)
        if target.unlisted is not None:
            verdict = replace(verdict, same_network=None)
        reasons = (*verdict.reasons, *found)
        return replace(verdict, reasons=reasons, ways=self._ways(verdict.outcome))

    def _ways(self, outcome: Outcome) -> tuple[Finding, ...]:
        """Return the ways around a no."""
        if outcome not in NO:
            return ()
        app = self.target.app
        public = tuple(self.target.knowledge.app(app).public)
        ways = [Finding(Way.PUBLIC_ADDRESS, app=app, public=public)]
        # The network to name when an address is allocated is the one the requests come from.
        if outcome is Outcome.DIFFERENT_NETWORKS:
            kind = Way.CROSS_NETWORK_ADDRESS
            apps = self.without_list
            if self.of_app:
                kind = Way.EXISTING_CROSS_NETWORK_ADDRESS
                apps = None
            addresses = _addresses_of(self.of_app)
            network = self.source.network
            ways.append(Finding(kind, app=app, apps=apps, network=network, addresses=addresses))
        ways += [Finding(Way.REPLAY, app=app), Finding(Way.ADMINISTRATOR, app=app)]
        return tuple(ways)


def _apps_of(rows: Iterable[CrossNetworkAddress]) -> tuple[str | None, ...]:
    """Return the apps of cross-network addresses, each once."""
    return tuple(dict.fromkeys(row.app for row in rows))


def _addresses_of(rows: Iterable[CrossNetworkAddress]) -> tuple[Address, ...]:
    return tuple(row.address for row in rows)
