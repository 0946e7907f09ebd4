"""The sandbox's state, in memory: organizations, networks, apps, Machines and keys."""

import hashlib
import re
from dataclasses import KW_ONLY, dataclass, field
from itertools import count
from math import inf
from pathlib import Path
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm

from fdaa._support.clock import now
from fdaa._support.escapes import printable, quote
from fdaa._values.address import Address, NetworkID
from fdaa._values.errors import FdaaError, NetworkNameError
from fdaa._values.network_name import NetworkName

ALGORITHM = "RS256"

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,62}")
_NAME_RULE = "must be 1 to 63 letters, digits, dashes and underscores, the first a letter or digit"
_REST = 0xA7B_0000_0000_0000_0002  # the rest of Machine 0: the specification gives it no meaning

TOKEN_LIFE = 600  # seconds; section 2.4, rule 2
OUTLIVES_ROTATION = TOKEN_LIFE + 300  # seconds that an old key is published


class SandboxError(FdaaError):
    """The sandbox cannot do this; a request gets the status and the code in the response."""

    def __init__(self, message: str, *, status: int = 503, code: str = "unavailable") -> None:
        super().__init__(message)
        self.status = status
        self.code = code

    def __str__(self) -> str:
        return printable(super().__str__())  # it may have the name of a file


class InvalidArgumentError(SandboxError, ValueError):
    """An argument that the sandbox cannot use."""

    def __init__(self, message: str, *, code: str = "invalid_field") -> None:
        super().__init__(message, status=422, code=code)


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


@dataclass(frozen=True, slots=True)
class Key:
    """A key that signs an organization's tokens."""

    id: str
    private: rsa.RSAPrivateKey = field(repr=False, compare=False)

    def public_jwk(self) -> dict[str, Any]:
        """Return the public half as the issuer publishes it (RFC 7517)."""
        jwk = RSAAlgorithm.to_jwk(self.private.public_key(), as_dict=True)
        del jwk["key_ops"]  # `use` has the same meaning
        return {**jwk, "kid": self.id, "use": "sig", "alg": ALGORITHM}

    def sign(self, claims: dict[str, Any]) -> str:
        """Return a token with these claims."""
        return jwt.encode(claims, self.private, ALGORITHM, headers={"kid": self.id})


def new_key(id_: str) -> Key:
    """Make a key."""
    return Key(id_, rsa.generate_private_key(public_exponent=65537, key_size=2048))


@dataclass(slots=True)
class _Organization:
    slug: str
    number: int
    networks: dict[str, int]  # name -> network ID; a network stays when its apps are destroyed
    keys: dict[Key, float] = field(default_factory=dict)  # the moment until which it is published


@dataclass(slots=True)
class _App:
    name: str
    number: int
    organization: _Organization
    network: NetworkName
    machines: dict[str, Machine] = field(default_factory=dict)


class State:
    """The state of one sandbox; the sockets of Machines are in one directory.

    Raises:
        SandboxError: from its methods: there is no such organization, app or Machine.
        InvalidArgumentError: from its methods: a name breaks a rule, or is taken.
    """

    def __init__(self, sockets: Path) -> None:
        self._sockets = sockets
        self._organizations: dict[str, _Organization] = {}
        self._apps: dict[str, _App] = {}
        self._network_ids = count(0x20000)  # the first is 2:0: both groups take part
        self._app_numbers = count(1)  # no number is used twice
        self._machine_numbers = count(1)
        self._key_numbers = count(1)

    def find_organization(self, slug: str) -> _Organization:
        """Return an organization."""
        if slug not in self._organizations:
            raise _missing("organization", slug)
        return self._organizations[slug]

    def ensure_organization(self, slug: str) -> _Organization:
        """Return an organization; the first use creates it, with its default network."""
        _check_name("org_slug", slug)
        if slug not in self._organizations:
            number = len(self._organizations) + 1
            networks = {"default": next(self._network_ids)}
            self._organizations[slug] = _Organization(slug, number, networks)
        return self._organizations[slug]

    def create_app(self, app_name: str, org_slug: str, network: str = "default") -> dict[str, str]:
        """Create an app without Machines; the first app of a network creates the network, too."""
        _check_name("app_name", app_name)
        try:
            name = NetworkName(network)
        except NetworkNameError as error:
            raise InvalidArgumentError(f"network: {error.reason}", code="invalid_network") from None
        if app_name in self._apps:
            raise InvalidArgumentError(f"an app named {quote(app_name)} exists", code="name_taken")
        organization = self.ensure_organization(org_slug)
        if name not in organization.networks:
            organization.networks[name] = next(self._network_ids)
        app = _App(app_name, next(self._app_numbers), organization, name)
        self._apps[app_name] = app
        return {"id": f"app-{app.number}", "name": app_name, "network": network}

    def apps(self, org: str) -> list[dict[str, str | int]]:
        """Return an organization's apps, as section 2.1 has them, in the order of creation."""
        organization = self.find_organization(org)
        return [
            {
                "id": f"app-{app.number}",
                "name": app.name,
                "machine_count": len(app.machines),
                "volume_count": 0,
                "network": str(app.network),
            }
            for app in self._apps.values()
            if app.organization is organization
        ]

    def destroy_app(self, name: str) -> list[Machine]:
        """Destroy an app with its Machines; its network stays. Return the Machines."""
        return list(self._apps.pop(self._app(name).name).machines.values())

    def _app(self, name: str) -> _App:
        if name not in self._apps:
            raise _missing("app", name)
        return self._apps[name]

    def start_machine(self, app_name: str) -> Machine:
        """Start a Machine of an app."""
        app = self._app(app_name)
        number = next(self._machine_numbers)
        network_id = NetworkID(app.organization.networks[app.network])
        machine = Machine(
            f"{number:014x}",
            address=Address.build(network_id, _REST + number * 0x10000),
            socket=str(self._sockets / str(number)),
        )
        app.machines[machine.id] = machine
        return machine

    def destroy_machine(self, machine_id: str) -> Machine:
        """Destroy a Machine and return it."""
        return self._app_of(machine_id).machines.pop(machine_id)

    def _app_of(self, machine_id: str) -> _App:
        for app in self._apps.values():
            if machine_id in app.machines:
                return app
        raise _missing("Machine", machine_id)

    def identity(self, machine: Machine) -> dict[str, str]:
        """Return the claims that identify a Machine, its app and its organization (section 2.4)."""
        app = self._app_of(machine.id)
        organization = app.organization
        name = f"machine-{int(machine.id, 16)}"
        image = f"sandbox.invalid/{app.name}:latest"
        return {
            "sub": f"{organization.slug}:{app.name}:{name}",
            "app_id": f"app-{app.number}",
            "app_name": app.name,
            "org_id": f"org-{organization.number}",
            "org_name": organization.slug,
            "machine_id": machine.id,
            "machine_name": name,
            "machine_version": "1",
            "image": image,
            "image_digest": f"sha256:{hashlib.sha256(image.encode()).hexdigest()}",
            "region": "sandbox",
        }

    def keys(self, org: str) -> list[Key]:
        """Return the keys that an organization's issuer publishes, the one that signs first."""
        keys = self.find_organization(org).keys
        if not keys:
            self.add_key(org)
        moment = now()
        published = [key for key, until in keys.items() if until > moment]
        published.reverse()
        return published

    def add_key(self, org: str) -> None:
        """Sign with a new key. The old ones stay published as long as their tokens are valid."""
        keys = self.find_organization(org).keys
        until = now() + OUTLIVES_ROTATION
        for old in keys:
            keys[old] = min(keys[old], until)
        keys[new_key(f"{org}-{next(self._key_numbers)}")] = inf


def _missing(kind: str, name: str) -> SandboxError:
    return SandboxError(f"there is no {kind} {quote(name)}", status=404, code="not_found")


def _check_name(field: str, name: str) -> None:
    if not _NAME.fullmatch(name):
        raise InvalidArgumentError(f"{field} {_NAME_RULE}", code="invalid_name")
