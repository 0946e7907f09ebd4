"""The sandbox's state, in SQLite: organizations, networks, apps, Machines and keys.

The rules of the specification (sections 2.1 and 2.2) are constraints of the database, see
`_schema.sql`. A method that returns has committed: a kill after it loses nothing.
"""

from __future__ import annotations

import hashlib
import re
import sqlite3
import time
from dataclasses import dataclass, field
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from fdaa._escapes import quote
from fdaa.address import Address
from fdaa.errors import FdaaError, NetworkNameError
from fdaa.network_name import NetworkName

if TYPE_CHECKING:
    from pathlib import Path

_VERSION = 2
_ORGANIZATION = "SELECT number FROM organizations WHERE slug = ?"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,62}")
_NAME_RULE = "must be 1 to 63 letters, digits, dashes and underscores, the first a letter or digit"
_REST = 0xA7B_0000_0000_0000_0002  # the rest of Machine 0: the specification gives it no meaning

A_DAY = 86_400  # seconds
_OUTLIVES_ROTATION = 900  # seconds that an old key is published; its tokens live for 600


class SandboxError(FdaaError):
    """The sandbox cannot do this; the message says why."""

    __module__ = "fdaa.platform.sandbox"


class RefusedError(SandboxError):
    """A request that the sandbox refuses: the status, a code for programs, and the reason."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code


class FieldError(RefusedError, ValueError):
    """A field of a request, or an argument, whose value cannot be used."""

    def __init__(self, message: str) -> None:
        super().__init__(422, "invalid_field", message)


@dataclass(frozen=True, slots=True)
class Machine:
    """A Machine of the sandbox.

    Args:
        id: its identifier.
        address: its private address (specification, section 2.3).
        socket: the path of its identity socket, in place of `/.platform/api` (section 4.4).
    """

    id: str
    address: Address
    socket: str

    @property
    def environment(self) -> dict[str, str]:
        """The variables that a process inside the Machine has."""
        return {"PLATFORM_PRIVATE_IP": str(self.address), "FDAA_IDENTITY_SOCKET": self.socket}

    def to_dict(self) -> dict[str, str]:
        """Return the fields, the address as text."""
        return {"id": self.id, "address": str(self.address), "socket": self.socket}


@dataclass(frozen=True, slots=True)
class Key:
    """A private key that signs an organization's tokens, as PEM."""

    id: str
    private: str = field(repr=False)


class State:
    """The state of one sandbox.

    Args:
        database: the file, opened without implicit transactions.
        sockets: the directory of the Machines' sockets.

    Raises:
        sqlite3.Error: the file is not a sandbox's state.
    """

    def __init__(self, database: sqlite3.Connection, sockets: Path) -> None:
        self._database = database
        self._database.row_factory = sqlite3.Row
        self._sockets = sockets
        for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
            self._rows(f"PRAGMA {pragma}")
        version = self._row("PRAGMA user_version")[0]
        if version == 0:
            schema = files(__package__).joinpath("_schema.sql").read_text(encoding="utf-8")
            self._database.executescript(f"BEGIN;\n{schema}\nCOMMIT;")
        elif version != _VERSION:
            reason = f"its format is {version}; this version of fdaa reads {_VERSION}"
            raise sqlite3.DatabaseError(reason)

    def setting(self, name: str, default: str) -> str:
        """Return the value of a setting; one without a value gets the default."""
        self._rows("INSERT OR IGNORE INTO settings VALUES (?, ?)", name, default)
        return str(self._row("SELECT value FROM settings WHERE name = ?", name)[0])

    def set_setting(self, name: str, value: str) -> None:
        """Set a setting to a value."""
        self._rows("INSERT OR REPLACE INTO settings VALUES (?, ?)", name, value)

    def find_organization(self, slug: str) -> int:
        """Return an organization's number.

        Raises:
            RefusedError: there is no such organization.
        """
        return int(self._row(_ORGANIZATION, slug, missing=f"organization {quote(slug)}")[0])

    def ensure_organization(self, slug: str) -> int:
        """Return an organization's number; the first use creates it.

        Raises:
            RefusedError: this cannot be the slug of an organization.
        """
        _check_name("org_slug", slug)
        create = "INSERT INTO organizations (slug) VALUES (?) RETURNING number"
        ((number,),) = self._rows(_ORGANIZATION, slug) or self._rows(create, slug)
        return int(number)

    def create_app(self, app_name: str, org_slug: str, network: str = "default") -> dict[str, str]:
        """Create an app without Machines on a network; a network's first app creates it.

        Raises:
            RefusedError: a name breaks a rule, or is taken.
        """
        _check_name("app_name", app_name)
        try:
            network = str(NetworkName(network))
        except NetworkNameError as error:
            raise RefusedError(422, "invalid_network", f"network: {error.reason}") from None
        if self._rows("SELECT * FROM apps WHERE name = ?", app_name):
            raise RefusedError(422, "name_taken", f"an app named {quote(app_name)} exists")
        with self._database:  # it commits, or rolls back
            self._rows("BEGIN")
            place = (self.ensure_organization(org_slug), network)
            find = "SELECT number FROM networks WHERE organization = ? AND name = ?"
            create = "INSERT INTO networks (organization, name) VALUES (?, ?) RETURNING number"
            ((network_id,),) = self._rows(find, *place) or self._rows(create, *place)
            create = "INSERT INTO apps (name, network) VALUES (?, ?) RETURNING number"
            number = self._row(create, app_name, network_id)[0]
        return {"id": f"app-{number}", "name": app_name, "network": network}

    def apps(self, org: str) -> list[dict[str, str | int]]:
        """Return an organization's apps, as section 2.1 has them, in the order of their creation.

        Raises:
            RefusedError: there is no such organization.
        """
        rows = self._rows(
            "SELECT 'app-' || apps.number AS id, apps.name,"
            " (SELECT count(*) FROM machines WHERE app = apps.number) AS machine_count,"
            " 0 AS volume_count, networks.name AS network"
            " FROM apps JOIN networks ON apps.network = networks.number"
            " WHERE organization = ? ORDER BY apps.number",
            self.find_organization(org),
        )
        return [dict(row) for row in rows]

    def destroy_app(self, name: str) -> list[Machine]:
        """Destroy an app with its Machines; its network stays. Return the Machines.

        Raises:
            RefusedError: there is no such app.
        """
        machines = self.machines("WHERE app = ?", name)
        destroy = "DELETE FROM apps WHERE name = ? RETURNING number"
        self._row(destroy, name, missing=f"app {quote(name)}")
        return machines

    def start_machine(self, app: str) -> Machine:
        """Start a Machine of an app.

        Raises:
            RefusedError: there is no such app.
        """
        start = "INSERT INTO machines (app) SELECT number FROM apps WHERE name = ? RETURNING number"
        number = self._row(start, app, missing=f"app {quote(app)}")[0]
        return self.machines("WHERE number = ?", number)[0]

    def machines(self, condition: str = "", *values: object) -> list[Machine]:
        """Return Machines, by default all."""
        select = f"SELECT number, network_id FROM machine_records {condition}"  # noqa: S608 - ours
        return [
            Machine(
                f"{number:014x}",
                Address.build(network_id, _REST + number * 0x10000),
                str(self._sockets / str(number)),
            )
            for number, network_id in self._rows(select, *values)
        ]

    def destroy_machine(self, machine_id: str) -> Machine:
        """Destroy a Machine and return it.

        Raises:
            RefusedError: there is no such Machine.
        """
        machines = self.machines("WHERE printf('%014x', number) = ?", machine_id)
        destroy = "DELETE FROM machines WHERE printf('%014x', number) = ? RETURNING number"
        self._row(destroy, machine_id, missing=f"Machine {quote(machine_id)}")
        return machines[0]

    def identity(self, machine: Machine) -> dict[str, str]:
        """Return the claims that identify a Machine, its app and its organization (section 2.4).

        Raises:
            RefusedError: it was destroyed.
        """
        row = self._row(
            "SELECT organization || ':' || app || ':machine-' || number AS sub,"
            " 'app-' || app_number AS app_id, app AS app_name,"
            " 'org-' || organization_number AS org_id, organization AS org_name,"
            " printf('%014x', number) AS machine_id, 'machine-' || number AS machine_name,"
            " '1' AS machine_version, 'sandbox.invalid/' || app || ':latest' AS image,"
            " 'sandbox' AS region FROM machine_records WHERE machine_id = ?",
            machine.id,
            missing=f"Machine {machine.id}",
        )
        digest = hashlib.sha256(row["image"].encode()).hexdigest()
        return {**dict(row), "image_digest": f"sha256:{digest}"}

    def keys(self, org: str) -> list[Key]:
        """Return the keys that an organization's issuer publishes, the one that signs first."""
        rows = self._rows(
            "SELECT slug || '-' || keys.number, private FROM (SELECT ? AS now), keys"
            " JOIN organizations ON organization = organizations.number WHERE slug = ?"
            " AND (published_until IS NULL OR published_until > now)"
            " ORDER BY signs_from <= now DESC, keys.number DESC",
            time.time(),
            org,
        )
        return [Key(*row) for row in rows]

    def add_key(
        self, private: str, org_slug: str, after: float = 0, *, withdraw: bool = False
    ) -> None:
        """Publish a key, and sign with it `after` seconds; or at once and in place of the old ones.

        Raises:
            FieldError: `after` is out of range.
            RefusedError: there is no such organization.
        """
        if not 0 <= after <= A_DAY:
            raise FieldError(f"after must be 0 to {A_DAY} seconds")
        now = time.time()
        signs_from = now if withdraw else now + after
        until = now if withdraw else signs_from + _OUTLIVES_ROTATION
        organization = self.find_organization(org_slug)
        retire = "UPDATE keys SET published_until = min(coalesce(published_until, 9e99), ?)"
        add = "INSERT INTO keys (organization, private, signs_from) VALUES (?, ?, ?)"
        with self._database:
            self._rows("BEGIN")
            self._rows(f"{retire} WHERE organization = ?", until, organization)
            self._rows(add, organization, private, signs_from)

    def _rows(self, statement: str, *values: object) -> list[Any]:
        return self._database.execute(statement, values).fetchall()  # all: so it is committed

    def _row(self, statement: str, *values: object, missing: str = "") -> Any:
        """Return the first row of a statement's result.

        Raises:
            RefusedError: there is none; `missing` names what was looked up.
        """
        for row in self._rows(statement, *values):
            return row
        raise RefusedError(404, "not_found", f"there is no {missing}")


def _check_name(field: str, name: str) -> None:
    if not _NAME.fullmatch(name):
        raise RefusedError(422, "invalid_name", f"{field} {_NAME_RULE}")
