"""Organizations: networks, apps and addresses, and the platform's documents about them."""

# Without `annotations` from `__future__`: annotations of public names must be objects.

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from fdaa._values.address import Address, NetworkID
from fdaa.networks import Document, DocumentKind, parse_document
from fdaa.strategies import addresses, network_ids

_APPS = ("web", "api", "db", "x", "customer-17-web", "0-1")
_NETWORKS = ("default", "blue", "Blue", "a", "customer-17", "end", "n0")


@dataclass(frozen=True, slots=True, kw_only=True)
class Organization:
    """An organization, and documents that contain all of it and nothing else.

    Args:
        networks: the ID of each network, by its name.
        apps: the name of each app's network, by the app's name.
        machines: the app of each Machine, by the Machine's address.
        cross_network_addresses: the app of each cross-network address.
        documents: app lists, Machine lists and address lists in any of the platform's shapes and in
            any order, for `fdaa.networks.NetworkMap`. They do not contradict each other. A network
            without a Machine has its name in them, but not its ID.
    """

    networks: Mapping[str, NetworkID]
    apps: Mapping[str, str]
    machines: Mapping[Address, str]
    cross_network_addresses: Mapping[Address, str]
    documents: tuple[Document, ...]


def organizations() -> SearchStrategy[Organization]:
    """Return a strategy for organizations of one to four networks and one to six apps."""
    return _organizations()


@st.composite
def _organizations(draw: DrawFn) -> Organization:
    names = draw(st.lists(st.sampled_from(_NETWORKS), min_size=1, max_size=4, unique=True))
    numbers = draw(st.lists(network_ids(), min_size=len(names), max_size=len(names), unique_by=int))
    networks = dict(zip(names, numbers, strict=True))
    apps = draw(
        st.dictionaries(st.sampled_from(_APPS), st.sampled_from(names), min_size=1, max_size=6)
    )
    machines: dict[Address, str] = {}
    for app, network in apps.items():
        of_machines = addresses(network_ids=st.just(networks[network]))
        for address in draw(st.lists(of_machines, max_size=3)):
            machines.setdefault(address, app)
    allocated: dict[Address, str] = {}
    for app in apps:
        for_clients = addresses(network_ids=st.sampled_from(numbers))
        for address in draw(st.lists(for_clients, max_size=2)):
            if address not in machines:
                allocated.setdefault(address, app)
    documents = draw(_app_lists(apps))
    for app in apps:
        documents.append(draw(_machine_list(app, _of(app, machines))))
        own_allocated = _of(app, allocated)
        if own_allocated:
            documents.append(draw(_address_list(app, own_allocated)))
    return Organization(
        networks=networks,
        apps=apps,
        machines=machines,
        cross_network_addresses=allocated,
        documents=tuple(draw(st.permutations(documents))),
    )


def _of(app: str, held: Mapping[Address, str]) -> list[Address]:
    """Return the addresses of an app."""
    return [address for address, holder in held.items() if holder == app]


@st.composite
def _app_lists(draw: DrawFn, apps: Mapping[str, str]) -> list[Document]:
    rows = draw(st.permutations(sorted(apps.items())))
    cut = draw(st.integers(0, len(rows)))
    return [draw(_app_list(part)) for part in (rows[:cut], rows[cut:]) if part]


@st.composite
def _app_list(draw: DrawFn, rows: Iterable[tuple[str, str]]) -> Document:
    name_key, network_key = draw(st.sampled_from([("name", "network"), ("Name", "Network")]))
    written = []
    for app, network in rows:
        forms: list[dict[str, Any]] = [{name_key: app, network_key: network, "new_field": [1, {}]}]
        if network == "default":
            forms.append({name_key: app, network_key: ""})
            forms.append({name_key: app, network_key: None})
            forms.append({name_key: app})
        written.append(draw(st.sampled_from(forms)))
    if name_key == "name":
        return _document({"total_apps": len(written), "apps": written}, "apps.json")
    if not any(row.get("Network") for row in written):  # an old tool, which names no network
        written[0]["Network"] = "default"
    return _document(written, "apps.json")


@st.composite
def _machine_list(draw: DrawFn, app: str, held: list[Address]) -> Document:
    rows: list[dict[str, str]] = []
    for number, address in enumerate(held):
        rows.append({"id": f"{app}-{number}", "private_ip": str(address)})
    entries = [f"instance={row['id']},app={app},ip={row['private_ip']}" for row in rows]
    rows.append({"id": f"{app}-new", "state": "created"})
    shape = draw(st.sampled_from(["list", "status", "text"]))
    if shape == "list":
        return _document(rows, f"machines-{app}.json", app)
    if shape == "status":
        return _document({"Name": app, "Machines": rows}, f"status-{app}.json")
    if not entries:
        file = f"machines-{app}.json"
        return parse_document("[]", file=file, app=app, kind=DocumentKind.MACHINE_LIST)
    return parse_document(";".join(entries), file="instances.txt")


@st.composite
def _address_list(draw: DrawFn, app: str, allocated: list[Address]) -> Document:
    file = f"addresses-{app}.json"
    if draw(st.booleans()):
        return _document({"ips": [{"ip": str(address)} for address in allocated]}, file, app)
    rows = [{"Address": str(address), "Type": "private_v6"} for address in allocated]
    return _document(rows, file, app)


def _document(value: object, file: str, app: str | None = None) -> Document:
    return parse_document(json.dumps(value), file=file, app=app)
