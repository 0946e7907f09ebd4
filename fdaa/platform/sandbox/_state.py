"""The sandbox's state, in SQLite: organizations, networks, apps, Machines and keys.

The rules of the specification (sections 2.1 and 2.2) are constraints of the database, see
`_schema.sql`. A method that returns has committed: a kill after it loses nothing.
"""

import hashlib
import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import KW_ONLY, dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

from fdaa._support.escapes import printable, quote
from fdaa._values.address import Address, NetworkID
from fdaa._values.errors import FdaaError, NetworkNameError
from fdaa._values.network_name import NetworkName

_VERSION = 2
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,62}")
_NAME_RULE = "must be 1 to 63 letters, digits, dashes and underscores, the first a letter or digit"
_REST = 0xA7B_0000_0000_0000_0002  # the rest of Machine 0: the specification gives it no meaning

A_DAY = 86_400  # seconds
TOKEN_LIFE = 600  # seconds; section 2.4, rule 2
_OUTLIVES_ROTATION = TOKEN_LIFE + 300  # seconds that an old key is published


class SandboxError(FdaaError):
    """The sandbox cannot do this."""

    def __str__(self) -> str:
        return printable(super().__str__())  # it may be a response's, or have a file's name


class RefusedError(SandboxError):
    """A request that the sandbox refuses: the status, a code for programs, and the reason."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code


class InvalidArgumentError(SandboxError, ValueError):
    """An argument that the sandbox cannot use."""


INVALID_FIELD = "invalid_field"


def invalid_field(message: str) -> RefusedError:
    """Return the error for a field of a request whose value cannot be used."""
    return RefusedError(422, INVALID_FIELD, message)


@dataclass(frozen=True, slots=True)
class Machine:
    """A Machine of the sandbox.

    Args:
        id: its identifier.
        address: its private address (specification, section 2.3).
        socket: the path of its identity socket, in place of `/.platform/api` (section 4.4).
    """

    id: str
    _: KW_ONLY
    address: Address
    socket: str

    @property
    def environment(self) -> dict[str, str]:
        """The variables that a process inside the Machine has."""
        return {
            "PLATFORM_PRIVATE_IP": str(self.address),
            "FDAA_IDENTITY_SOCKET": self.socket,
        }

    def to_dict(self) -> dict[str, str]:
        """Return the fields, the address as text."""
        return {
            "id": self.id,
            "address": str(self.address),
            "socket": self.socket,
        }


@dataclass(frozen=True, slots=True)
class Key:
    """A private key that signs an organization's tokens, as PEM."""

    id: str
    private: str = field(repr=False)


_FIND_ORGANIZATION = "SELECT number FROM organizations WHERE slug = ?"
_ADD_ORGANIZATION = "INSERT INTO organizations (slug) VALUES (?) RETURNING number"
_FIND_NETWORK = "SELECT number FROM networks WHERE organization = ? AND name = ?"
_ADD_NETWORK = """
    INSERT INTO networks (organization, name)
    VALUES (?, ?)
    RETURNING number
"""
_FIND_APP = "SELECT number FROM apps WHERE name = ?"
_ADD_APP = """
    INSERT INTO apps (name, network)
    VALUES (?, ?)
    RETURNING number
"""
_DESTROY_APP = "DELETE FROM apps WHERE name = ? RETURNING number"
_LIST_APPS = """
    SELECT
        'app-' || apps.number AS id,
        apps.name,
        (SELECT count(*) FROM machines WHERE app = apps.number) AS machine_count,
        0 AS volume_count,
        networks.name AS network
    FROM apps JOIN networks ON apps.network = networks.number
    WHERE organization = ?
    ORDER BY apps.number
"""

_MACHINES = "SELECT number, network_id FROM machine_records"
_ADD_MACHINE = """
    INSERT INTO machines (app)
    SELECT number FROM apps WHERE name = ?
    RETURNING number
"""
_DESTROY_MACHINE = """
    DELETE FROM machines
    WHERE printf('%014x', number) = ?
    RETURNING number
"""
_IDENTITY = """
    SELECT
        organization || ':' || app || ':machine-' || number AS sub,
        'app-' || app_number AS app_id,
        app AS app_name,
        'org-' || organization_number AS org_id,
        organization AS org_name,
        printf('%014x', number) AS machine_id,
        'machine-' || number AS machine_name,
        '1' AS machine_version,
        'sandbox.invalid/' || app || ':latest' AS image,
        'sandbox' AS region
    FROM machine_records
    WHERE machine_id = ?
"""

_KEYS = """
    SELECT slug || '-' || keys.number, private
    FROM (SELECT ? AS now), keys JOIN organizations ON organization = organizations.number
    WHERE slug = ? AND (published_until IS NULL OR published_until > now)
    ORDER BY signs_from <= now DESC, keys.number DESC
"""
_ADD_KEY = """
    INSERT INTO keys (organization, private, signs_from)
    VALUES (?, ?, ?)
"""
_RETIRE_KEYS = """
    UPDATE keys
    SET published_until = min(coalesce(published_until, 9e99), ?)
    WHERE organization = ?
"""

_ADD_SETTING = "INSERT OR IGNORE INTO settings VALUES (?, ?)"
_FIND_SETTING = "SELECT value FROM settings WHERE name = ?"
_SET_SETTING = "INSERT OR REPLACE INTO settings VALUES (?, ?)"


def open_database(directory: Path) -> sqlite3.Connection:
    """Open the file of a state; only its owner can read it, as it contains the keys of tokens.

    Raises:
        OSError: it cannot be created.
        sqlite3.Error: it cannot be opened.
    """
    file = directory / "state.sqlite"
    file.touch(mode=0o600)
    for name in ("state.sqlite", "state.sqlite-wal", "state.sqlite-shm"):  # one may be older
        with suppress(FileNotFoundError):
            (directory / name).chmod(0o600)
    return sqlite3.connect(file, isolation_level=None)


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
        self._rows("PRAGMA journal_mode = WAL")
        self._rows("PRAGMA synchronous = FULL")
        self._rows("PRAGMA foreign_keys = ON")
        version = self._row("PRAGMA user_version")[0]
        if version == 0:
            schema = files(__package__).joinpath("_schema.sql").read_text(encoding="utf-8")
            self._database.executescript(f"BEGIN;\n{schema}\nCOMMIT;")
        elif version != _VERSION:
            reason = f"its format is {version}; this version of fdaa reads {_VERSION}"
            raise sqlite3.DatabaseError(reason)

    def setting(self, name: str, default: str) -> str:
        """Return the value of a setting; one without a value gets the default."""
        self._rows(_ADD_SETTING, name, default)
        row = self._row(_FIND_SETTING, name)
        return str(row[0])

    def set_setting(self, name: str, value: str) -> None:
        """Set a setting to a value."""
        self._rows(_SET_SETTING, name, value)

    def find_organization(self, slug: str) -> int:
        """Return an organization's number.

        Raises:
            RefusedError: there is no such organization.
        """
        row = self._row(_FIND_ORGANIZATION, slug, missing=f"organization {quote(slug)}")
        return int(row[0])

    def ensure_organization(self, slug: str) -> int:
        """Return an organization's number; the first use creates it.

        Raises:
            RefusedError: this cannot be the slug of an organization.
        """
        _check_name("org_slug", slug)
        rows = self._rows(_FIND_ORGANIZATION, slug)
        if not rows:
            rows = self._rows(_ADD_ORGANIZATION, slug)
        return int(rows[0][0])

    def create_app(self, app_name: str, org_slug: str, network: str = "default") -> dict[str, str]:
        """Create an app without Machines; the first app of a network creates the network, too.

        Raises:
            RefusedError: a name breaks a rule, or is taken.
        """
        _check_name("app_name", app_name)
        try:
            network_name = NetworkName(network)
        except NetworkNameError as error:
            reason = f"network: {error.reason}"
            raise RefusedError(422, "invalid_network", reason) from None
        if self._rows(_FIND_APP, app_name):
            reason = f"an app named {quote(app_name)} exists"
            raise RefusedError(422, "name_taken", reason)
        with self._transaction():
            organization = self.ensure_organization(org_slug)
            network_number = self._ensure_network(organization, network_name)
            number = self._row(_ADD_APP, app_name, network_number)[0]
        return {"id": f"app-{number}", "name": app_name, "network": network}

    def _ensure_network(self, organization: int, name: NetworkName) -> int:
        """Return a network's number; the first use creates it."""
        rows = self._rows(_FIND_NETWORK, organization, str(name))
        if not rows:
            rows = self._rows(_ADD_NETWORK, organization, str(name))
        return int(rows[0][0])

    def apps(self, org: str) -> list[dict[str, str | int]]:
        """Return an organization's apps, as section 2.1 has them, in the order of their creation.

        Raises:
            RefusedError: there is no such organization.
        """
        rows = self._rows(_LIST_APPS, self.find_organization(org))
        return [dict(row) for row in rows]

    def destroy_app(self, name: str) -> list[Machine]:
        """Destroy an app with its Machines; its network stays. Return the Machines.

        Raises:
            RefusedError: there is no such app.
        """
        machines = self._machines(f"{_MACHINES} WHERE app = ?", name)
        self._row(_DESTROY_APP, name, missing=f"app {quote(name)}")
        return machines

    def start_machine(self, app: str) -> Machine:
        """Start a Machine of an app.

        Raises:
            RefusedError: there is no such app.
        """
        number = self._row(_ADD_MACHINE, app, missing=f"app {quote(app)}")[0]
        return self._machines(f"{_MACHINES} WHERE number = ?", number)[0]

    def machines(self) -> list[Machine]:
        """Return all Machines."""
        return self._machines(_MACHINES)

    def _machines(self, select: str, *values: object) -> list[Machine]:
        """Return the Machines that a statement selects."""
        machines = []
        for number, network in self._rows(select, *values):
            rest = _REST + number * 0x10000
            machine = Machine(
                id=f"{number:014x}",
                address=Address.build(NetworkID(network), rest),
                socket=str(self._sockets / str(number)),
            )
            machines.append(machine)
        return machines

    def destroy_machine(self, machine_id: str) -> Machine:
        """Destroy a Machine and return it.

        Raises:
            RefusedError: there is no such Machine.
        """
        machines = self._machines(f"{_MACHINES} WHERE printf('%014x', number) = ?", machine_id)
        self._row(_DESTROY_MACHINE, machine_id, missing=f"Machine {quote(machine_id)}")
        return machines[0]

    def identity(self, machine: Machine) -> dict[str, str]:
        """Return the claims that identify a Machine, its app and its organization (section 2.4).

        Raises:
            RefusedError: it was destroyed.
        """
        row = self._row(_IDENTITY, machine.id, missing=f"Machine {machine.id}")
        digest = hashlib.sha256(row["image"].encode()).hexdigest()
        return {**dict(row), "image_digest": f"sha256:{digest}"}

    def keys(self, org: str) -> list[Key]:
        """Return the keys that an organization's issuer publishes, the one that signs first."""
        rows = self._rows(_KEYS, time.time(), org)
        return [Key(id_, private) for id_, private in rows]

    def add_key(
        self, private: str, org_slug: str, after: float = 0, *, withdraw: bool = False
    ) -> None:
        """Publish a key, and sign with it `after` seconds; or now and in place of the old ones.

        Raises:
            RefusedError: `after` is out of range, or there is no such organization.
        """
        if not 0 <= after <= A_DAY:
            raise invalid_field(f"after must be 0 to {A_DAY} seconds")
        now = time.time()
        if withdraw:
            signs_from = now
            published_until = now
        else:
            signs_from = now + after
            published_until = signs_from + _OUTLIVES_ROTATION
        organization = self.find_organization(org_slug)
        with self._transaction():
            self._rows(_RETIRE_KEYS, published_until, organization)
            self._rows(_ADD_KEY, organization, private, signs_from)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._database:  # it commits, or rolls back
            self._rows("BEGIN")
            yield

    def _rows(self, statement: str, *values: object) -> list[Any]:
        return self._database.execute(statement, values).fetchall()  # all: so it is committed

    def _row(self, statement: str, *values: object, missing: str = "") -> Any:
        """Return the first row of a statement's result.

        Raises:
            RefusedError: there is none; `missing` names what was looked up.
        """
        rows = self._rows(statement, *values)
        if not rows:
            raise RefusedError(404, "not_found", f"there is no {missing}")
        return rows[0]


def _check_name(field: str, name: str) -> None:
    if not _NAME.fullmatch(name):
        raise RefusedError(422, "invalid_name", f"{field} {_NAME_RULE}")
