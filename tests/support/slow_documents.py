"""The rows of documents, for oracles: docs/rules-documents.md slowly.

It reads JSON values itself and uses nothing of `fdaa.networks`.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from fdaa import Address, AddressError, NetworkID


class Given(NamedTuple):
    """A document as it is given: its JSON value or text, an app, and the option it is given to."""

    value: Any
    app: str | None
    option: str  # `app-list`, `machine-list` or `address-list`
    shape: str = ""  # the title of its row in `SHAPES` of the product


class Listing(NamedTuple):
    app: str
    network: str | None
    machine_count: int | None


class Machine(NamedTuple):
    id: str
    app: str | None
    address: Address | None
    state: str | None = None


class Allocated(NamedTuple):
    app: str | None
    address: Address
    name: str | None


class AppList(NamedTuple):
    apps: int
    is_complete: bool


class InBook(NamedTuple):
    name: str
    network_id: NetworkID
    app: str | None
    address: str | None


@dataclass
class Rows:
    """All rows of all documents and of a book."""

    book: list[InBook] = field(default_factory=list)
    listings: list[Listing] = field(default_factory=list)
    machines: list[Machine] = field(default_factory=list)
    allocated: list[Allocated] = field(default_factory=list)
    apps: set[str] = field(default_factory=set)  # that any document names
    with_machine_list: set[str] = field(default_factory=set)  # a complete one
    with_address_list: set[str] = field(default_factory=set)  # a complete one
    app_lists: list[AppList] = field(default_factory=list)

    # --- docs/rules-documents.md ------------------------------------------------------------------

    def read(self, given: Given) -> None:
        """Add the rows of a document."""
        if given.app is not None:
            self.apps.add(given.app)
        value = given.value
        if isinstance(value, str):
            self._read_instances(value)
        elif isinstance(value, list):
            self._read_rows(value, given, alone=False)
        elif "apps" in lowered(value):
            total = lowered(value).get("total_apps")
            self._read_apps(lowered(value)["apps"] or [], api=True, total=total)
        elif "machines" in lowered(value):
            status = lowered(value)
            self.apps.add(status["name"])
            if status.get("network"):
                self.listings.append(Listing(status["name"], status["network"], None))
            self._read_machines(status["machines"] or [], status["name"], alone=False)
        elif "ips" in lowered(value):
            self._read_addresses(lowered(value)["ips"] or [], given.app, alone=False)
        else:
            self._read_rows([value], given, alone=True)

    def _read_rows(self, rows: list[Any], given: Given, *, alone: bool) -> None:
        """The first row of a known kind decides the kind of all; an empty list is its option's."""
        kind = given.option
        for row in rows:
            known = kind_of(row)
            if known is not None:
                kind = known
                break
        if kind == "app-list":
            self._read_apps(rows, api=False, alone=alone)
        elif kind == "machine-list":
            self._read_machines(rows, given.app, alone=alone)
        else:
            self._read_addresses(rows, given.app, alone=alone)

    def _read_apps(
        self, rows: list[Any], *, api: bool, total: object = None, alone: bool = False
    ) -> None:
        usable: list[tuple[str, str, int | None]] = []
        for row in rows:
            keys = lowered(row)
            name = keys.get("name")
            network = keys.get("network")
            if not isinstance(name, str) or not name:
                continue
            if network is not None and not isinstance(network, str):
                continue
            usable.append((name, network or "", whole_number(keys.get("machine_count"))))
        names_a_network = any(network for _, network, _ in usable)
        for name, network, count in usable:
            self.apps.add(name)
            if network:
                self.listings.append(Listing(name, network, count))
            elif api or names_a_network:
                self.listings.append(Listing(name, "default", count))
            else:  # an old tool, which never asked for the network
                self.listings.append(Listing(name, None, count))
        if not alone:
            every_row_is_usable = len(usable) == len(rows)
            is_the_total = whole_number(total) in (None, len(usable))
            self.app_lists.append(AppList(len(usable), every_row_is_usable and is_the_total))

    def all_apps_are_listed(self) -> bool:
        """Whether there is an app list with an app, and each app list is complete."""
        has_apps = any(found.apps for found in self.app_lists)
        return has_apps and all(found.is_complete for found in self.app_lists)

    def _read_machines(self, rows: list[Any], app: str | None, *, alone: bool) -> None:
        complete = not alone
        for row in rows:
            keys = lowered(row)
            address: Address | None = None
            try:
                if keys.get("private_ip"):
                    address = Address(keys["private_ip"])
            except (AddressError, TypeError):
                complete = False
                continue
            if not isinstance(keys.get("id"), str) or not keys["id"]:
                complete = False
                continue
            state = keys.get("state")
            if not isinstance(state, str) or not state:
                state = None
            self.machines.append(Machine(keys["id"], app, address, state))
        if complete and app is not None:
            self.with_machine_list.add(app)

    def _read_instances(self, text: str) -> None:
        for entry in text.split(";"):
            if not entry.startswith("instance="):
                raise ValueError(f"slow_documents.py has no reader for this shape of text: {text}")
            keys = dict(part.split("=", 1) for part in entry.split(","))
            self.apps.add(keys["app"])
            self.machines.append(Machine(keys["instance"], keys["app"], Address(keys["ip"])))

    def _read_addresses(self, rows: list[Any], app: str | None, *, alone: bool) -> None:
        complete = not alone
        for row in rows:
            keys = {"address": row}
            if isinstance(row, dict):
                keys = lowered(row)
            text = keys.get("address", keys.get("ip"))
            try:
                address = Address(text)  # type: ignore[arg-type]  # any JSON value
            except (AddressError, TypeError):
                complete = complete and is_ip(str(text))  # a public address
                continue
            name = lowered(keys.get("network")).get("name")
            self.allocated.append(Allocated(app, address, name or None))
        if complete and app is not None:
            self.with_address_list.add(app)


def lowered(row: Any) -> dict[str, Any]:
    """Keys are matched in any case; what is no object has none."""
    if not isinstance(row, dict):
        return {}
    return {key.lower(): value for key, value in row.items()}


def kind_of(row: Any) -> str | None:
    """Return the kind of list that a row belongs to, or None."""
    if isinstance(row, str) and is_ip(row):
        return "address-list"
    keys = set(lowered(row))
    if "address" in keys and not isinstance(lowered(row)["address"], bool):
        return "address-list"
    if {"id", "private_ip"} <= keys:
        return "machine-list"
    if "name" in keys and keys & {"network", "status", "deployed", "hostname", "organization"}:
        return "app-list"
    if {"id", "state"} <= keys:
        return "machine-list"
    return None


def is_ip(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


def whole_number(value: object) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        return None
    return value
