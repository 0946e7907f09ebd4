"""Whole organizations to draw, and every shape to write them in."""

import json
from dataclasses import dataclass, field

from hypothesis import strategies as st

from fdaa import Address
from fdaa.networks._documents import parse_document
from fdaa.strategies import addresses, network_ids, network_names

app_names = st.from_regex(r"\A[a-z][a-z0-9-]{0,11}\Z") | st.sampled_from(["web", "api", "db"])


@dataclass
class Organization:
    """Networks with an ID each, apps on them, and the addresses of the apps."""

    ids: dict[str, int]
    apps: dict[str, str]  # app -> network
    machines: dict[Address, str] = field(default_factory=dict)  # -> app
    allocated: dict[Address, str] = field(default_factory=dict)  # -> app

    def on(self, network: str) -> list[str]:
        return sorted(app for app, its in self.apps.items() if its == network)

    def seen(self, network: str) -> int:
        return sum(self.apps[app] == network for app in self.machines.values())

    def seen_with(self, network_id: int) -> int:
        return sum(address.network_id == network_id for address in self.machines)

    def is_for_own(self, address: Address) -> bool:
        """Whether an allocated address names its app's own network, and a Machine tells the ID."""
        own = self.ids[self.apps[self.allocated[address]]]
        return address.network_id == own and self.seen_with(own) > 0


@st.composite
def organizations(draw, allocate_for_own=True):
    names = draw(st.lists(network_names(), min_size=1, max_size=4, unique=True))
    numbers = draw(st.lists(network_ids(), min_size=len(names), max_size=len(names), unique_by=int))
    ids = dict(zip(map(str, names), numbers, strict=True))
    apps = draw(st.dictionaries(app_names, st.sampled_from(sorted(ids)), min_size=1, max_size=6))
    made = Organization(ids, apps)
    for app, network in apps.items():
        own = addresses(network_ids=st.just(ids[network]))
        for address in draw(st.lists(own, max_size=3)):
            made.machines.setdefault(address, app)
    for app, network in apps.items():
        others = sorted(set(ids) if allocate_for_own else set(ids) - {network})
        if others:
            numbers = st.sampled_from([ids[other] for other in others])
            for address in draw(st.lists(addresses(network_ids=numbers), max_size=2)):
                if address not in made.machines:
                    made.allocated.setdefault(address, app)
    return made


@st.composite
def documents(draw, made):
    """Write an organization in shapes that are drawn; the order is, too."""
    written = [*draw(app_lists(made.apps))]
    for app in made.apps:
        own = [address for address, its in made.machines.items() if its == app]
        written.append(draw(machine_documents(app, own)))
        allocated = [address for address, its in made.allocated.items() if its == app]
        if allocated:
            written.append(draw(address_lists(app, allocated)))
    return draw(st.permutations(written))


@st.composite
def app_lists(draw, apps):
    rows = draw(st.permutations(sorted(apps.items())))
    cut = draw(st.integers(0, len(rows)))
    return [draw(app_list(part)) for part in (rows[:cut], rows[cut:]) if part]


@st.composite
def app_list(draw, rows):
    keys = draw(st.sampled_from([("name", "network"), ("Name", "Network")]))
    written = []
    for app, network in rows:
        forms = [{keys[0]: app, keys[1]: network, "new_field": [1, {}]}]
        if network == "default":
            forms += [{keys[0]: app, keys[1]: ""}, {keys[0]: app, keys[1]: None}, {keys[0]: app}]
        written.append(draw(st.sampled_from(forms)))
    if keys[0] == "Name":
        if not any(row.get("Network") for row in written):  # the tool would tell of no network
            written[0]["Network"] = "default"
        return parse(written)
    return parse({"total_apps": len(written), "apps": written})


@st.composite
def machine_documents(draw, app, own):
    rows = [{"id": f"{app}-{i}", "private_ip": str(a)} for i, a in enumerate(own)]
    rows.append({"id": f"{app}-new", "state": "created"})
    shape = draw(st.sampled_from(["list", "status", "text"]))
    if shape == "list":
        return parse(rows, app)
    if shape == "status":
        return parse({"Name": app, "Machines": rows})
    entries = (f"instance={row['id']},app={app},ip={row['private_ip']}" for row in rows[:-1])
    text = ";".join(entries)
    return parse_document(text.encode(), "f") if text else parse([], app)


@st.composite
def address_lists(draw, app, allocated):
    if draw(st.booleans()):
        return parse({"ips": [{"ip": str(address)} for address in allocated]}, app)
    return parse([{"Address": str(a), "Type": "private_v6"} for a in allocated], app)


def parse(value, app=None):
    return parse_document(json.dumps(value).encode(), "f", app)
