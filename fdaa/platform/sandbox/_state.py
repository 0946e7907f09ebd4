"""The sandbox's state, in SQLite: organizations, networks, apps, Machines and keys.

The rules of the specification (sections 2.1 and 2.2) are constraints of the database, see
`_schema.sql`. A method that returns has committed: a kill after it loses nothing.
"""

from __future__ import annotations

import os
import re
import sqlite3
import time
from dataclasses import dataclass, field
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from fdaa.address import Address
from fdaa.errors import NetworkNameError, quote
from fdaa.network_name import NetworkName

if TYPE_CHECKING:
    from pathlib import Path

DEFAULT = "default"  # the network that every organization has (section 2.2, rule 3)

_VERSION = 2
_ORGANIZATION = "SELECT number FROM organizations WHERE slug = ?"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,62}")
_NAME_RULE = "must be 1 to 63 letters, digits, dashes and underscores, the first a letter or digit"
_REST = 0xA7B_0000_0000_0000_0002  # the rest of Machine 0: the specification gives it no meaning

KEY_OUTLIVES_ROTATION = 900  # seconds: tokens that it has signed live for 600


class RefusedError(Exception):
    """A request that the sandbox refuses: the status, a code for programs, and why."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code


@dataclass(frozen=True, slots=True)
class MachineRecord:
    """A Machine, and the app and organization that it belongs to."""

    number: int
    app_number: int
    app: str
    organization_number: int
    organization: str
    network_id: int

    @property
    def id(self) -> str:
        """The Machine's identifier."""
        return f"{self.number:014x}"

    @property
    def address(self) -> Address:
        """The Machine's private address (section 2.3)."""
        return Address.build(self.network_id, _REST + self.number * 0x10000)


@dataclass(frozen=True, slots=True)
class Key:
    """A private key that signs an organization's tokens, as PEM."""

    id: str
    private: str = field(repr=False)


class State:
    """The state of one sandbox, in one file."""

    def __init__(self, file: Path) -> None:
        # SQLite gives its other files the mode of this one: the keys in it are private.
        os.close(os.open(file, os.O_CREAT | os.O_RDWR, 0o600))
        self._database = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
        try:
            self._prepare()
        except BaseException:
            self._database.close()
            raise

    def _prepare(self) -> None:
        for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
            self._database.execute(f"PRAGMA {pragma}")
        version = self._one("PRAGMA user_version")
        if version == 0:
            schema = files(__package__).joinpath("_schema.sql").read_text(encoding="utf-8")
            self._database.executescript(f"BEGIN;\n{schema}\nCOMMIT;")
        elif version != _VERSION:
            reason = f"its format is {version}, and this version of fdaa reads {_VERSION}"
            raise sqlite3.DatabaseError(reason)

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def setting(self, name: str) -> str | None:
        """Return what was kept under this name."""
        value: str | None = self._one("SELECT value FROM settings WHERE name = ?", name)
        return value

    def keep_setting(self, name: str, value: str) -> None:
        """Keep a text under this name."""
        self._run("INSERT OR REPLACE INTO settings VALUES (?, ?)", name, value)

    def _known_organization(self, slug: str) -> int:
        number: int | None = self._one(_ORGANIZATION, slug)
        if number is None:
            raise RefusedError(404, "not_found", f"there is no organization {quote(slug)}")
        return number

    def need_organization(self, slug: str) -> int:
        """Return an organization's number; the first use creates it."""
        _check_name("org_slug", slug)
        make = "INSERT INTO organizations (slug) VALUES (?) RETURNING number"
        number: int = self._one(_ORGANIZATION, slug) or self._one(make, slug)
        return number

    def create_app(self, name: str, org: str, network: str) -> dict[str, str]:
        """Create an app without Machines on a network; a network's first app creates it.

        Raises:
            RefusedError: a name breaks a rule, or is taken.
        """
        _check_name("app_name", name)
        try:
            network = str(NetworkName.parse(network))
        except NetworkNameError as error:
            raise RefusedError(422, "invalid_network", f"network: {error.reason}") from None
        with self._database:  # it commits, or rolls back
            self._run("BEGIN")
            if self._one("SELECT number FROM apps WHERE name = ?", name) is not None:
                raise RefusedError(422, "name_taken", f"an app named {quote(name)} exists")
            number = self._one(
                "INSERT INTO apps (name, network) VALUES (?, ?) RETURNING number",
                name,
                self._need_network(self.need_organization(org), network),
            )
        return {"id": _app_id(number), "name": name, "network": network}

    def _need_network(self, organization: int, name: str) -> int:
        place = (organization, name)
        find = "SELECT number FROM networks WHERE organization = ? AND name = ?"
        make = "INSERT INTO networks (organization, name) VALUES (?, ?) RETURNING number"
        number: int = self._one(find, *place) or self._one(make, *place)
        return number

    def apps(self, org: str) -> list[dict[str, str | int]]:
        """Return an organization's apps, as section 2.1 has them, in the order of their creation.

        Raises:
            RefusedError: there is no such organization.
        """
        organization = self._known_organization(org)
        rows = self._database.execute(
            "SELECT apps.number, apps.name,"
            " (SELECT count(*) FROM machines WHERE app = apps.number), networks.name"
            " FROM apps JOIN networks ON apps.network = networks.number"
            " WHERE organization = ? ORDER BY apps.number",
            (organization,),
        )
        names = ("id", "name", "machine_count", "network")
        return [
            {**dict(zip(names, (_app_id(number), *row), strict=True)), "volume_count": 0}
            for number, *row in rows
        ]

    def destroy_app(self, name: str) -> list[MachineRecord]:
        """Destroy an app with its Machines; its network stays. Return the Machines.

        Raises:
            RefusedError: there is no such app.
        """
        with self._database:
            self._run("BEGIN")
            machines = self._records("WHERE app = ?", name)
            self._run("DELETE FROM apps WHERE name = ?", name)
            if not self._one("SELECT changes()"):
                raise RefusedError(404, "not_found", f"there is no app {quote(name)}")
        return machines

    def start_machine(self, app: str) -> MachineRecord:
        """Start a Machine of an app.

        Raises:
            RefusedError: there is no such app.
        """
        number = self._one(
            "INSERT INTO machines (app) SELECT number FROM apps WHERE name = ? RETURNING number",
            app,
        )
        if number is None:
            raise RefusedError(404, "not_found", f"there is no app {quote(app)}")
        return self._records("WHERE number = ?", number)[0]

    def machines(self) -> list[MachineRecord]:
        """Return all Machines."""
        return self._records("ORDER BY number")

    def machine(self, number: int) -> MachineRecord:
        """Return a Machine.

        Raises:
            RefusedError: it was destroyed.
        """
        for record in self._records("WHERE number = ?", number):
            return record
        raise RefusedError(404, "not_found", "this Machine was destroyed")

    def destroy_machine(self, number: int) -> None:
        """Destroy a Machine; one that is already gone is no error."""
        self._run("DELETE FROM machines WHERE number = ?", number)

    def keys(self, org: str) -> list[Key]:
        """Return the keys that an organization's issuer publishes, the one that signs first."""
        now = time.time()
        rows = self._database.execute(
            "SELECT keys.number, private FROM keys"
            " JOIN organizations ON organization = organizations.number WHERE slug = ?"
            " AND (published_until IS NULL OR published_until > ?)"
            " ORDER BY signs_from <= ? DESC, keys.number DESC",
            (org, now, now),
        )
        return [Key(f"{org}-{number}", private) for number, private in rows]

    def add_key(self, org: str, private: str, after: float | None) -> None:
        """Publish a key; sign with it `after` seconds, or at once and in place of the old ones.

        Raises:
            RefusedError: there is no such organization.
        """
        now = time.time()
        signs_from = now + (after or 0)
        until = now if after is None else signs_from + KEY_OUTLIVES_ROTATION
        with self._database:
            self._run("BEGIN")
            organization = self._known_organization(org)
            self._run(
                "UPDATE keys SET published_until = min(coalesce(published_until, ?), ?)"
                " WHERE organization = ?",
                until,
                until,
                organization,
            )
            self._run(
                "INSERT INTO keys (organization, private, signs_from) VALUES (?, ?, ?)",
                organization,
                private,
                signs_from,
            )

    def _records(self, condition: str, *values: object) -> list[MachineRecord]:
        statement = f"SELECT * FROM machine_records {condition}"  # noqa: S608 - ours, from above
        return [MachineRecord(*row) for row in self._database.execute(statement, values)]

    def _run(self, statement: str, *values: object) -> None:
        self._database.execute(statement, values)

    def _one(self, statement: str, *values: object) -> Any:
        rows = self._database.execute(statement, values).fetchall()  # all: so it is committed
        return rows[0][0] if rows else None


def _app_id(number: int) -> str:
    return f"app-{number}"


def _check_name(field: str, name: str) -> None:
    if not _NAME.fullmatch(name):
        raise RefusedError(422, "invalid_name", f"{field} {_NAME_RULE}")
