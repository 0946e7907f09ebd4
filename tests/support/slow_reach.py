"""An oracle for `reach` and `find_holder`: the rules of docs/rules-reach.md, one a function.

It goes through all rows for each question, and uses no rule of `fdaa.networks`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from slow_networks import ON_TWO_NETWORKS, Net, SlowMap, values

from fdaa import Address, NetworkID, NetworkName

NO = ("different-networks", "own-cross-network-address")


class Held(NamedTuple):
    """Who has an address."""

    holding: str
    app: str | None = None
    machine: str | None = None
    state: str | None = None
    looked_at: frozenset[str] = frozenset()


class Answer(NamedTuple):
    """A verdict: the outcome, the kinds of its reasons and ways, and the addresses to use."""

    outcome: str
    permitted: bool | None
    reasons: list[str]  # in any order
    via: frozenset[str] = frozenset()
    unless: str | None = None
    same_network: bool | None = None
    ways: tuple[str, ...] = ()


@dataclass
class End:
    """A source or a target."""

    net: Net
    kind: str  # `app`, `network`, `machine`, `address`, or `allocated`: a cross-network address
    app: str | None = None
    unclear: str | None = None  # why its network is unknown
    silent: str | None = None  # why nothing can respond at it
    rules: set[str] = field(default_factory=set)  # of contradictions about its app or address
    holding: str | None = None  # of an address
    remarks: list[str] = field(default_factory=list)

    @property
    def is_unlisted(self) -> bool:
        return self.holding in ("saved", "unknown")


class Oracle(SlowMap):
    """Answers questions about documents."""

    # --- holders ----------------------------------------------------------------------------------

    def holder(self, address: Address) -> Held:
        if self.address_rule(address) is not None:
            return Held("contradiction")
        machines = self.machines_at[address]
        allocated = self.allocated_at[address]
        app = next(iter(values([*machines, *allocated], "app")), None)
        if machines:
            return Held("machine", app, machines[0].id, self.state(machines[0].id))
        if allocated:
            return Held("cross-network-address", app)
        saved = [row.app for row in self.saved if row.address == address]
        if not saved and address.network_id == 0:
            return Held("service")
        app = next(iter(saved), None)
        looked_at = self.looked_at(app, self.completed(Net(None, address.network_id)))
        if looked_at:
            return Held("stale", app, looked_at=frozenset(looked_at))
        if app is not None:
            return Held("saved", app)
        return Held("unknown")

    def looked_at(self, app: str | None, net: Net) -> set[str]:
        """The apps whose lists show that an address is stale: the saved app, or all; or none."""
        if app is not None and self.may_be_on(app, net):
            if app in self.with_address_list and self.has_all_addresses(app):
                return {app}
            return set()
        possible = {each for each in self.apps if self.may_be_on(each, net)}
        if not self.all_apps_are_listed or not self.apps_on(net):
            return set()
        if self.apps <= self.with_address_list and all(map(self.has_all_addresses, possible)):
            return possible
        return set()

    def may_be_on(self, app: str, net: Net) -> bool:
        """Unless a list has it, no contradiction is about it, and its network differs."""
        own = self.net_of_app(app)
        if not self.listings_of[app]:
            return True
        if self.app_rules(app) or self.name_rules(own):
            return True
        if own.network_id is not None and net.network_id is not None:
            return own.network_id == net.network_id
        return own.name is None or net.name is None or own.name == net.name

    def has_all_addresses(self, app: str) -> bool:
        """Its Machine list is complete, and each Machine in it has an address in some list."""
        if app not in self.with_machine_list:
            return False
        for row in self.machines_of[app]:
            rows = self.machines_with_id[row.id]
            if not any(other.address for other in rows if other.app in (app, None)):
                return False
        return True

    # --- nothing can respond ----------------------------------------------------------------------

    def state(self, machine: str) -> str | None:
        """The state of a Machine, where documents agree about it."""
        states: set[str] = values(self.machines_with_id[machine], "state")
        if len(states) == 1:
            return states.pop()
        return None

    def silence_of_machine(self, machine: str) -> str | None:
        if self.state(machine) in (None, "started"):
            return None
        return "stopped"

    def silence_of_app(self, app: str | None) -> str | None:
        """A complete Machine list shows it, or a count of 0; no app list counts more Machines."""
        if app is None:
            return None
        machines = values(self.machines_of[app], "id")
        counts = values(self.listings_of[app], "machine_count")
        if counts and max(counts) > len(machines):
            return None
        has_list = app in self.with_machine_list
        if not machines and (has_list or counts):
            return "no-machine"
        if machines and has_list and all(map(self.silence_of_machine, machines)):
            return "no-started-machine"
        return None

    # --- source and target ------------------------------------------------------------------------

    def end(self, asked: object) -> End:
        """What is known of a source or a target."""
        if isinstance(asked, Address):
            return self.end_of_address(asked)
        if isinstance(asked, NetworkID):
            end = End(self.completed(Net(None, asked)), "network")
            if asked == 0 and end.net.name is None:
                end.unclear = "service-address"
            return end
        if isinstance(asked, NetworkName):
            end = End(self.completed(Net(str(asked))), "network")
            if str(asked) not in self.names:
                end.unclear = "network-not-in-documents"
            return end
        if self.machines_with_id[str(asked)]:
            return self.end_of_machine(str(asked))
        return self.end_of_app(str(asked))

    def end_of_address(self, address: Address) -> End:
        held = self.holder(address)
        rule = self.address_rule(address)
        end = End(self.completed(Net(None, address.network_id)), "address")
        end.holding = held.holding
        if rule is not None:
            end.rules = {rule}
            if self.allocated_at[address]:
                end.unclear = "address-disputed"
        elif held.holding == "service":
            end.unclear = "service-address"
        elif held.holding == "stale":
            end.silent = "stale"
        elif held.holding == "cross-network-address":
            end.kind = "allocated"
            end.app = held.app
            end.silent = self.silence_of_app(held.app)
        elif held.machine is not None:
            self.add_app(end, held.app)
            end.silent = self.silence_of_machine(held.machine)
        return end

    def add_app(self, end: End, app: str | None) -> None:
        """Add the app of a Machine, and the name of the app's network where no other is known."""
        end.app = app
        if app is not None:
            end.rules |= self.app_rules(app)
            end.net = Net(end.net.name or self.net_of_app(app).name, end.net.network_id)

    def end_of_machine(self, machine: str) -> End:
        addresses = sorted(values(self.machines_with_id[machine], "address"))
        apps = values(self.machines_with_id[machine], "app")
        unclear = None
        if machine in self.apps:
            unclear = "app-or-machine"
        elif len(values(addresses, "network_id")) > 1:
            unclear = "machine-on-two-networks"
        elif len(apps) > 1:
            unclear = "machine-of-two-apps"
        elif not addresses and not apps:
            unclear = "app-unknown"
        if unclear is not None:
            return End(Net(), "machine", unclear=unclear)
        app = next(iter(apps), None)
        if addresses:
            # Its lowest address that is not disputed as a cross-network address.
            ends = list(map(self.end_of_address, addresses))
            end = min(ends, key=lambda each: each.unclear is not None)
            if end.unclear is not None:
                return end
            if end.app is None:
                self.add_app(end, app)
        else:
            end = self.end_of_app(str(app))
        end.kind = "machine"
        end.silent = self.silence_of_machine(machine)
        return end

    def end_of_app(self, app: str) -> End:
        end = End(self.net_of_app(app), "app", app, silent=self.silence_of_app(app))
        end.rules = self.app_rules(app)
        saved = [row for row in self.saved if row.app == app]
        if end.rules & ON_TWO_NETWORKS or (end.net == Net() and len(saved) > 1):
            end.unclear = "contradiction"
        elif end.net == Net() and saved:
            end.net = Net(str(saved[0].name), saved[0].network_id)
            end.remarks.append("known-from-saved")
        elif end.net == Net() and app not in self.apps:
            end.unclear = "not-in-documents"
            if app in self.names:
                end.unclear = "name-of-network"
        return end

    # --- comparison, and cross-network addresses --------------------------------------------------

    def compare(self, source: End, target: End) -> tuple[bool | None, str]:
        """By their IDs, else by their names."""
        if source.net.network_id is not None and target.net.network_id is not None:
            if source.net.network_id == target.net.network_id:
                return True, "same-id"
            return False, "different-ids"
        if source.net.name is not None and target.net.name is not None:
            if source.net.name == target.net.name:
                return True, "same-name"
            return False, "different-names"
        if self.rules_about(source) or self.rules_about(target):
            return None, "contradiction"
        return None, "not-comparable"

    def rules_about(self, end: End | None) -> set[str]:
        """The rules of the contradictions about an end."""
        if end is None:
            return set()
        return end.rules | self.name_rules(end.net)

    def serves(self, address: Address, source: End) -> bool | None:
        """Whether a cross-network address is for the network of a source."""
        served = End(self.completed(Net(None, address.network_id)), "network")
        return self.compare(source, served)[0]

    def addresses_of(self, app: str | None) -> set[Address]:
        """The cross-network addresses of an app; of no app, those that no list names one for."""
        found = set()
        for row in self.allocated:
            apps = values(self.allocated_at[row.address], "app")
            if row.app == app and (app is not None or not apps):
                found.add(row.address)
        return found

    def allocated_to(self, app: str | None, source: End, serves: bool | None) -> frozenset[str]:
        """Those that are not disputed, and are for the source's network, or may be."""
        found = set()
        for address in self.addresses_of(app):
            if self.address_rule(address) is None and self.serves(address, source) is serves:
                found.add(str(address))
        return frozenset(found)

    # --- verdicts ---------------------------------------------------------------------------------

    def reach(self, source: object, target: object) -> Answer:
        start = self.end(source)
        end = self.end(target)
        own = None  # the app of a cross-network address
        if end.kind == "allocated" and end.app is not None:
            own = self.end_of_app(end.app)
        judged = self.judge(start, end, own)
        remarks = [*start.remarks, *end.remarks]
        if own is not None:
            remarks += own.remarks
        if start.holding == "stale":
            remarks.append("stale")
        if end.silent is not None:
            remarks.append(end.silent)
            is_no = judged.outcome in NO and judged.unless is None
            if start.unclear is None and end.unclear is None and not is_no:
                reasons = [reason for reason in judged.reasons if reason != "membership-only"]
                judged = Answer("nothing-responds", judged.permitted, reasons)
        if judged.outcome != "unknown" or judged.permitted is not None:
            remarks += ["unlisted-address"] * (start.is_unlisted + end.is_unlisted)
        rules = self.rules_about(start) | self.rules_about(end) | self.rules_about(own)
        if rules and judged.outcome != "unknown":
            remarks.append("contradiction")
        permitted = judged.permitted
        if {start.holding, end.holding} & {"stale", "saved", "unknown"}:
            permitted = None
        return judged._replace(
            permitted=permitted,
            reasons=sorted(judged.reasons + remarks),
            same_network=self.same_network(start, end, own),
            ways=self.ways(judged.outcome, start, end),
        )

    def same_network(self, source: End, target: End, own: End | None) -> bool | None:
        """Whether both are on one network; a cross-network address is on that of its app."""
        if source.unclear or target.unclear or source.kind == "allocated" or target.is_unlisted:
            return None
        if target.kind != "allocated":
            return self.compare(source, target)[0]
        if own is None:
            return None
        return self.compare(source, own)[0]

    def ways(self, outcome: str, source: End, target: End) -> tuple[str, ...]:
        if outcome not in NO:
            return ()
        if outcome == "own-cross-network-address":
            return ("public-address", "replay", "administrator")
        if target.app is not None and self.allocated_to(target.app, source, serves=True):
            allocated = "existing-cross-network-address"
        else:
            allocated = "cross-network-address"
        return ("public-address", allocated, "replay", "administrator")

    def judge(self, source: End, target: End, own: End | None) -> Answer:
        """The table of outcomes, by the numbers of its lines."""
        unclear = [end.unclear for end in (source, target) if end.unclear is not None]
        if unclear:  # 1
            return Answer("unknown", None, unclear)
        if source.kind == "allocated":  # 2
            return Answer("unknown", None, ["source-is-allocated"])
        same, compared = self.compare(source, target)
        if target.kind == "allocated":
            return self.judge_allocated(source, own, same, compared)
        if same is None:  # 8
            return Answer("unknown", None, [compared])
        if same:  # 9
            return Answer("same-network", True, [compared, "membership-only"])
        if target.kind == "network":
            return self.judge_network(source, target, compared)
        if target.kind != "app" or target.app is None:  # 13
            return Answer("different-networks", False, [compared])
        via = self.allocated_to(target.app, source, serves=True)
        if via:  # 10
            reasons = ["allocated-for-source", compared, "membership-only"]
            return Answer("cross-network-address", True, reasons, via)
        if self.allocated_to(target.app, source, serves=None):  # 11
            return Answer("unknown", None, ["source-id-unknown", compared])
        return self.no(source, {target.app}, compared, is_network=False)  # 13

    def judge_allocated(
        self, source: End, own: End | None, same: bool | None, compared: str
    ) -> Answer:
        on_own = None
        if own is not None:
            on_own, _ = self.compare(source, own)
        if on_own:  # 3
            return Answer("own-cross-network-address", False, ["asked-from-own-network"])
        if same is None:  # 4
            return Answer("unknown", None, [compared])
        if not same:  # 5
            return Answer("different-networks", False, ["allocated-for-another", compared])
        if on_own is None:  # 6
            return Answer("unknown", None, ["allocated-for-source", "own-network-unknown"])
        reasons = ["allocated-for-source", "membership-only"]
        return Answer("cross-network-address", True, reasons)  # 7

    def judge_network(self, source: End, target: End, compared: str) -> Answer:
        """A network is all apps that may be on it; None is an app that no document names."""
        possible = {app for app in self.apps if self.may_be_on(app, target.net)}
        apps: list[str | None] = [None, *possible]
        via = [app for app in apps if self.allocated_to(app, source, serves=True)]
        certain = []  # those of them that are known to be on it
        for app in via:
            if app is not None and self.compare(self.end_of_app(app), target)[0]:
                certain.append(app)
        awake = [app for app in certain if self.silence_of_app(app) is None]
        if awake:  # 10
            reasons = [*["allocated-for-source"] * len(awake), compared, "membership-only"]
            addresses = [self.allocated_to(app, source, serves=True) for app in awake]
            return Answer("cross-network-address", True, reasons, frozenset().union(*addresses))
        permitted = True if certain else None
        unclear = [app for app in apps if self.allocated_to(app, source, serves=None)]
        if unclear:  # 11
            return Answer("unknown", permitted, [*["source-id-unknown"] * len(unclear), compared])
        elsewhere = len(via) - len(certain)
        if elsewhere:  # 12
            reasons = ["allocated-for-source", "own-network-unknown"] * elsewhere
            return Answer("unknown", permitted, [*reasons, compared])
        no = self.no(source, possible, compared, is_network=True)  # 13
        if not certain:
            return no
        reasons = [*["allocated-for-source"] * len(certain), compared]
        reasons += [str(self.silence_of_app(app)) for app in certain]
        return Answer("nothing-responds", True, reasons, unless=no.unless)

    def no(self, source: End, apps: set[str], compared: str, *, is_network: bool) -> Answer:
        """No, unless a list is missing, or documents disagree about an address."""
        unless = None
        if not apps <= self.with_address_list or (is_network and not self.all_apps_are_listed):
            unless = "no-address-list"
        addresses = [self.addresses_of(app) for app in apps]
        if is_network:
            addresses.append(self.addresses_of(None))
        for address in set().union(*addresses):
            if self.address_rule(address) and self.serves(address, source) is not False:
                unless = "address-disputed"
        if unless is not None:
            return Answer("different-networks", None, [compared], unless=unless)
        return Answer("different-networks", False, [compared, "nothing-allocated"])
