"""Whole organizations to draw, and every shape to write them in."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from hypothesis import settings
from hypothesis import strategies as st

from fdaa.networks import Document, DocumentKind, parse_document
from fdaa.strategies import addresses, network_ids

if TYPE_CHECKING:
    from fdaa import Address, NetworkID

# Whole organizations are costly to draw: the fast profile makes a third of its examples of them.
_default = settings.default or settings()
_examples = _default.max_examples
if _examples < 100:
    _examples //= 3
fewer = settings(max_examples=_examples)

APP_NAMES = ("web", "api", "db", "x", "customer-17-web", "0-1")
NETWORK_NAMES = ("default", "blue", "Blue", "a", "customer-17", "end", "n0")


@dataclass
class Organization:
    """Networks with an ID each, apps on them, and the addresses of the apps."""

    ids: dict[str, NetworkID]
    apps: dict[str, str]  # app -> network
    machines: dict[Address, str] = field(default_factory=dict)  # -> app
    allocated: dict[Address, str] = field(default_factory=dict)  # -> app

    def on(self, network: str) -> list[str]:
        return sorted(app for app, its in self.apps.items() if its == network)

    def seen(self, network: str) -> int:
        return sum(self.apps[app] == network for app in self.machines.values())

    def seen_with(self, network_id: NetworkID) -> int:
        return sum(address.network_id == network_id for address in self.machines)


@st.composite
def organizations(draw: st.DrawFn) -> Organization:
    names = draw(st.lists(st.sampled_from(NETWORK_NAMES), min_size=1, max_size=4, unique=True))
    numbers = draw(st.lists(network_ids(), min_size=len(names), max_size=len(names), unique_by=int))
    ids = dict(zip(names, numbers, strict=True))
    of_app = st.dictionaries(
        st.sampled_from(APP_NAMES), st.sampled_from(names), min_size=1, max_size=6
    )
    made = Organization(ids, draw(of_app))
    for app, network in made.apps.items():
        own = addresses(network_ids=st.just(ids[network]))
        for address in draw(st.lists(own, max_size=3)):
            made.machines.setdefault(address, app)
    for app in made.apps:
        its = addresses(network_ids=st.sampled_from(list(ids.values())))
        for address in draw(st.lists(its, max_size=2)):
            if address not in made.machines:
                made.allocated.setdefault(address, app)
    return made


@st.composite
def documents(draw: st.DrawFn, made: Organization) -> list[Document]:
    """Write an organization in shapes that are drawn; the order is, too."""
    written = draw(app_lists(made.apps))
    for app in made.apps:
        own = [address for address, its in made.machines.items() if its == app]
        written.append(draw(machine_documents(app, own)))
        allocated = [address for address, its in made.allocated.items() if its == app]
        if allocated:
            written.append(draw(address_lists(app, allocated)))
    return draw(st.permutations(written))


@st.composite
def app_lists(draw: st.DrawFn, apps: dict[str, str]) -> list[Document]:
    rows = draw(st.permutations(sorted(apps.items())))
    cut = draw(st.integers(0, len(rows)))
    lists = []
    for part in (rows[:cut], rows[cut:]):
        if part:
            lists.append(draw(app_list(part)))
    return lists


@st.composite
def app_list(draw: st.DrawFn, rows: Any) -> Document:
    name_key, network_key = draw(st.sampled_from([("name", "network"), ("Name", "Network")]))
    written = []
    for app, network in rows:
        forms = [{name_key: app, network_key: network, "new_field": [1, {}]}]
        if network == "default":
            forms.append({name_key: app, network_key: ""})
            forms.append({name_key: app, network_key: None})
            forms.append({name_key: app})
        written.append(draw(st.sampled_from(forms)))
    if name_key == "name":
        return parse({"total_apps": len(written), "apps": written})
    if not any(row.get("Network") for row in written):  # an old tool, which names no network
        written[0]["Network"] = "default"
    return parse(written)


@st.composite
def machine_documents(draw: st.DrawFn, app: str | None, own: list[Address]) -> Document:
    rows = []
    for number, address in enumerate(own):
        rows.append({"id": f"{app}-{number}", "private_ip": str(address)})
    entries = [f"instance={row['id']},app={app},ip={row['private_ip']}" for row in rows]
    rows.append({"id": f"{app}-new", "state": "created"})
    shape = draw(st.sampled_from(["list", "status", "text"]))
    if shape == "list":
        return parse(rows, app)
    if shape == "status":
        return parse({"Name": app, "Machines": rows})
    if not entries:
        return parse([], app)
    return parse(";".join(entries).encode())


@st.composite
def address_lists(draw: st.DrawFn, app: str | None, allocated: list[Address]) -> Document:
    if draw(st.booleans()):
        ips = [{"ip": str(address)} for address in allocated]
        return parse({"ips": ips}, app)
    rows = [{"Address": str(address), "Type": "private_v6"} for address in allocated]
    return parse(rows, app)


def parse(value: Any, app: str | None = None, file: str = "f") -> Document:
    """Parse a document, given as its bytes or as a JSON value; an empty list is a Machine list."""
    data = value
    if not isinstance(value, bytes):
        data = json.dumps(value).encode()
    document = parse_document(data, file=file, app=app)
    if document.kind is DocumentKind.EMPTY_LIST:
        return replace(document, kind=DocumentKind.MACHINE_LIST)
    return document
