"""An oracle for `reach`: the rules of docs/rules-reach.md, one a function.

It goes through all rows for each question, and uses nothing of `fdaa.networks`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from slow_holders import SlowHolders
from slow_networks import Net

from fdaa import Address, NetworkID, NetworkName


class Answer(NamedTuple):
    """A verdict: the outcome, the kinds of its reasons and ways, and the addresses to use."""

    outcome: str
    permitted: bool | None
    same_network: bool | None
    reasons: tuple[str, ...]
    ways: tuple[str, ...]
    via: frozenset[str]
    unless: str | None


@dataclass
class Judged:
    """What a rule makes of two ends."""

    outcome: str
    permitted: bool | None
    reasons: list[str]
    via: list[str] = field(default_factory=list)
    unless: str | None = None


@dataclass
class End:
    """A source or a target."""

    net: Net
    app: str | None = None
    is_app: bool = False  # the app itself was given
    is_network: bool = False  # a whole network was given
    machines_of: str | None = None  # the app whose Machines answer at it
    rules: set[str] = field(default_factory=set)  # that facts about the app break
    is_allocated: bool = False  # a cross-network address
    unclear: str | None = None
    machine: str | None = None  # the Machine that responds at it
    is_stale: bool = False
    is_in_no_list: bool = False  # an address that no list has
    is_unlisted: bool = False  # the same, and it is not known to be stale
    remarks: list[str] = field(default_factory=list)


class Oracle(SlowHolders):
    """Answers questions about documents and a book."""

    # --- docs/rules-reach.md: verdicts ------------------------------------------------------------

    def reach(self, source: object, target: object) -> Answer:
        start = self.end(source)
        end = self.end(target)
        if end.is_allocated and end.app is not None:
            end.remarks += self._end_of_app(end.app, is_app=True).remarks
        judged = self._judge(start, end)
        outcome = judged.outcome
        reasons = judged.reasons
        via = judged.via
        unless = judged.unless
        same = self._same(start, end)
        remarks = [*start.remarks, *end.remarks]
        if start.is_stale:
            remarks.append("stale")
        silent = self.why_nothing_responds(end)
        if silent is not None:
            remarks.append(silent)
            is_clear = start.unclear is None and end.unclear is None
            is_no = outcome in ("different-networks", "own-cross-network-address")
            if is_clear and not (is_no and unless is None):
                outcome = "nothing-responds"
                via = []
                unless = None
                reasons = [reason for reason in reasons if reason != "membership-only"]
        if outcome != "unknown" or judged.permitted is not None:
            remarks += ["unlisted-address"] * (start.is_unlisted + end.is_unlisted)
        has_broken = self._rules_about(start) or self._rules_about(end)
        if end.is_allocated and end.app is not None:
            own = self._end_of_app(end.app, is_app=True)
            has_broken = has_broken or self._rules_about(own)
        if has_broken and outcome != "unknown":
            remarks.append("contradiction")
        existing: list[str] = []
        if end.app is not None:
            existing, _ = self._allocated_to(end.app, start)
        ways = _ways(outcome, has_existing=bool(existing))
        permitted = judged.permitted
        if start.is_in_no_list or end.is_in_no_list:
            permitted = None
        return Answer(
            outcome,
            permitted,
            same,
            tuple(sorted(reasons + remarks)),
            ways,
            frozenset(via),
            unless,
        )

    def _rules_about(self, end: End) -> set[str]:
        """The rules that documents break about its network, its app or its address."""
        return end.rules | self.name_rules(end.net)

    def _same(self, source: End, target: End) -> bool | None:
        """Whether both are on one network; a cross-network address is on that of its app."""
        if source.unclear is not None or target.unclear is not None or source.is_allocated:
            return None
        if target.is_unlisted:  # perhaps a cross-network address, of an app on any network
            return None
        if not target.is_allocated:
            return self._compare(source, target)[0]
        if target.app is None:
            return None
        return self._compare(source, self._end_of_app(target.app, is_app=True))[0]

    def why_nothing_responds(self, target: End) -> str | None:
        """By its address, by the state of its Machine, or by the Machines of its app."""
        if target.is_stale:
            return "stale"
        if target.machine is not None:
            if self.state(target.machine) in (None, "started"):
                return None
            return "stopped"
        if target.machines_of is None:
            return None
        if self.has_no_machine(target.machines_of):
            return "no-machine"
        if self.has_no_started_machine(target.machines_of):
            return "no-started-machine"
        return None

    def has_no_started_machine(self, app: str) -> bool:
        """Its Machine list is complete, no app list counts more, and each has another state."""
        machines = {row.id for row in self.machines if row.app == app}
        counts = [row.machine_count or 0 for row in self.listings if row.app == app]
        if app not in self.with_machine_list or not machines:
            return False
        if any(count > len(machines) for count in counts):
            return False
        return all(self.state(id_) not in (None, "started") for id_ in machines)

    def _judge(self, source: End, target: End) -> Judged:
        unclear = []
        for end in (source, target):
            if end.unclear is not None:
                unclear.append(end.unclear)
        if unclear:
            return Judged("unknown", None, unclear)
        if source.is_allocated:
            return Judged("unknown", None, ["source-is-allocated"])
        same, compared = self._compare(source, target)
        if target.is_allocated:
            return self._judge_allocated(source, target, same, compared)
        if same is None:
            return Judged("unknown", None, [compared])
        if same:
            return Judged("same-network", True, [compared, "membership-only"])
        if target.is_network:
            return self._judge_network(source, target, compared)
        if not target.is_app or target.app is None:
            return Judged("different-networks", False, [compared])
        via, possible = self._allocated_to(target.app, source)
        if via:
            reasons = ["allocated-for-source", compared, "membership-only"]
            return Judged("cross-network-address", True, reasons, via)
        if possible:
            return Judged("unknown", None, ["source-id-unknown", compared])
        return self._no(source, {target.app}, compared)

    def _judge_network(self, source: End, target: End, compared: str) -> Judged:
        """A network is all apps that are on it; `None` is an app that no document names."""
        on = {app for app in self.apps if self.may_be_on_net(app, target.net)}
        via: dict[str | None, list[str]] = {}
        possible: set[str | None] = set()
        elsewhere: set[str | None] = set()
        for app in [None, *on]:
            certain, perhaps = self._allocated_to(app, source)
            if perhaps:
                possible.add(app)
            own = End(Net(None, None))
            if app is not None:
                own = self._end_of_app(app, is_app=True)
            if certain and self._compare(own, target)[0]:
                via[app] = certain
            elif certain:
                elsewhere.add(app)
        if via:
            judged = self._judge_apps(via, compared)
            if judged.outcome == "cross-network-address":
                return judged
            if not possible and not elsewhere:
                judged.unless = self._no(source, on, compared, is_network=True).unless
                return judged
        permitted = True if via else None
        if possible:
            reasons = [*["source-id-unknown"] * len(possible), compared]
            return Judged("unknown", permitted, reasons)
        if elsewhere:
            number = len(elsewhere)
            reasons = ["allocated-for-source", "own-network-unknown"] * number
            return Judged("unknown", permitted, [*reasons, compared])
        return self._no(source, on, compared, is_network=True)

    def _judge_apps(self, via: dict[str | None, list[str]], compared: str) -> Judged:
        """Through the addresses of the apps at which something may respond."""
        awake = []
        silent = []
        for app in via:
            why = None
            if app is not None:
                why = self.why_nothing_responds(End(Net(None, None), machines_of=app))
            if why is None:
                awake.append(app)
            else:
                silent.append(why)
        if not awake:
            reasons = [*silent, *["allocated-for-source"] * len(via), compared]
            return Judged("nothing-responds", True, reasons)
        reasons = [*["allocated-for-source"] * len(awake), compared, "membership-only"]
        addresses = [address for app in awake for address in via[app]]
        return Judged("cross-network-address", True, reasons, addresses)

    def _no(
        self, source: End, apps: set[str], compared: str, *, is_network: bool = False
    ) -> Judged:
        """No, unless a list is missing, or documents disagree about an address."""
        unless = None
        if not apps <= self.with_address_list:
            unless = "no-address-list"
        if is_network and not self.all_apps_are_listed():
            unless = "no-address-list"
        for row in self.allocated:
            if row.app is None and (not is_network or self.has_app_too(row.address)):
                continue
            if row.app is not None and row.app not in apps:
                continue
            served = End(self.completed(Net(None, row.address.network_id)))
            if self.is_disputed(row.address) and self._compare(source, served)[0] is not False:
                unless = "address-disputed"
        if unless is not None:
            return Judged("different-networks", None, [compared], unless=unless)
        return Judged("different-networks", False, [compared, "nothing-allocated"])

    def _judge_allocated(
        self, source: End, target: End, same: bool | None, compared: str
    ) -> Judged:
        on_own: bool | None = None
        if target.app is not None:
            own = self._end_of_app(target.app, is_app=True)
            on_own, _ = self._compare(source, own)
        if on_own:
            return Judged("own-cross-network-address", False, ["asked-from-own-network"])
        if same is None:
            return Judged("unknown", None, [compared])
        if not same:
            return Judged("different-networks", False, ["allocated-for-another", compared])
        if on_own is None:
            return Judged("unknown", None, ["allocated-for-source", "own-network-unknown"])
        reasons = ["allocated-for-source", "membership-only"]
        return Judged("cross-network-address", True, reasons)

    def _allocated_to(self, app: str | None, source: End) -> tuple[list[str], list[str]]:
        via = []
        possible = []
        for row in self.allocated:
            if row.app != app or self.is_disputed(row.address):
                continue
            if app is None and self.has_app_too(row.address):
                continue
            served = End(self.completed(Net(None, row.address.network_id)))
            same, _ = self._compare(source, served)
            if same:
                via.append(str(row.address))
            elif same is None:
                possible.append(str(row.address))
        return via, possible

    def _compare(self, source: End, target: End) -> tuple[bool | None, str]:
        """By their IDs, else by their names."""
        by_id: bool | None = None
        by_name: bool | None = None
        if source.net.network_id is not None and target.net.network_id is not None:
            by_id = source.net.network_id == target.net.network_id
        if source.net.name is not None and target.net.name is not None:
            by_name = source.net.name == target.net.name
        if by_id is True:
            return True, "same-id"
        if by_id is False:
            return False, "different-ids"
        if by_name is True:
            return True, "same-name"
        if by_name is False:
            return False, "different-names"
        for end in (source, target):
            if end.rules or self.name_rules(end.net):
                return None, "contradiction"
        return None, "not-comparable"

    def end(self, asked: object) -> End:
        """What is known of a source or a target."""
        if isinstance(asked, Address):
            return self._end_of_address(asked)
        if isinstance(asked, NetworkID):
            end = End(self.completed(Net(None, asked)), is_network=True)
            if asked == 0 and end.net.name is None:
                end.unclear = "service-address"
            return end
        if isinstance(asked, NetworkName):
            end = End(self.completed(Net(str(asked), None)), is_network=True)
            if str(asked) not in self.names():
                end.unclear = "network-not-in-documents"
            return end
        text = str(asked)
        if any(row.id == text for row in self.machines):
            return self._end_of_machine(text)
        return self._end_of_app(text, is_app=True)

    def _end_of_address(self, address: Address) -> End:
        net = self.completed(Net(None, address.network_id))
        held = self.holder(address)
        end = End(net)
        if held.holding in ("machine", "cross-network-address"):
            end.app = held.app
        if self.is_of_two_kinds(address):
            end.unclear = "address-disputed"
        elif held.holding == "cross-network-address":
            end.is_allocated = True
            end.machines_of = held.app
        elif held.holding == "service":
            end.unclear = "service-address"
        elif held.holding == "stale":
            end.is_stale = True
            end.is_in_no_list = True
        elif held.holding == "machine":
            end.machine = held.machine
            if held.app is not None:
                end.rules = self.app_rules(held.app)
                end.net = Net(net.name or self.net_of_app(held.app).name, net.network_id)
        elif held.holding in ("saved", "unknown"):
            end.is_unlisted = True
            end.is_in_no_list = True
        if self.of_two_apps(address):
            end.rules = {"address-of-two-apps"}
        elif self.held_twice(address):
            end.rules = {"address-held-twice"}
        return end

    def is_of_two_kinds(self, address: Address) -> bool:
        """Documents disagree about it, and one says that it is a cross-network address."""
        return self.is_disputed(address) and self.is_allocated(address)

    def _end_of_machine(self, id_: str) -> End:
        rows = [row for row in self.machines if row.id == id_]
        addresses = {row.address for row in rows if row.address is not None}
        apps = {row.app for row in rows if row.app is not None}
        if id_ in self.apps:
            return End(Net(None, None), unclear="app-or-machine")
        if len({address.network_id for address in addresses}) > 1:
            return End(Net(None, None), unclear="machine-on-two-networks")
        if len(apps) > 1:
            return End(Net(None, None), unclear="machine-of-two-apps")
        if addresses:
            clear = {address for address in addresses if not self.is_of_two_kinds(address)}
            end = self._end_of_address(min(clear or addresses))
            if end.unclear is None:
                end.machine = id_
                if end.app is None and apps:
                    end.app = min(apps)
                    end.rules = self.app_rules(end.app) | end.rules
                    name = end.net.name or self.net_of_app(end.app).name
                    end.net = Net(name, end.net.network_id)
            return end
        if not apps:
            return End(Net(None, None), unclear="app-unknown")
        end = self._end_of_app(min(apps), is_app=False)
        end.machine = id_
        return end

    def _end_of_app(self, app: str, *, is_app: bool) -> End:
        end = End(self.net_of_app(app), app=app, is_app=is_app)
        end.machines_of = app
        end.rules = self.app_rules(app)
        if self.network_is_disputed(app):
            end.unclear = "contradiction"
        elif end.net == Net(None, None):
            entries = [row for row in self.book if row.app == app]
            if len(entries) > 1:
                end.unclear = "contradiction"
            elif entries:
                end.net = Net(entries[0].name, entries[0].network_id)
                end.remarks.append("known-from-saved")
            elif app not in self.apps and app in self.names():
                end.unclear = "name-of-network"
            elif app not in self.apps:
                end.unclear = "not-in-documents"
        return end

    def has_no_machine(self, app: str) -> bool:
        """A complete Machine list or a count of 0 shows it, and nothing shows a Machine."""
        counts = {row.machine_count for row in self.listings if row.app == app}
        if any(counts) or any(row.app == app for row in self.machines):
            return False
        return app in self.with_machine_list or 0 in counts


def _ways(outcome: str, *, has_existing: bool) -> tuple[str, ...]:
    if outcome == "different-networks" and has_existing:
        return ("public-address", "existing-cross-network-address", "replay", "administrator")
    if outcome == "different-networks":
        return ("public-address", "cross-network-address", "replay", "administrator")
    if outcome == "own-cross-network-address":
        return ("public-address", "replay", "administrator")
    return ()
