"""The operations of the sandbox, over HTTP and from Python."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from fdaa.address import Address  # noqa: TC001 - for get_type_hints
from fdaa.errors import quote
from fdaa.platform.sandbox._faults import Fault, Faults
from fdaa.platform.sandbox._state import RefusedError
from fdaa.platform.sandbox._tokens import TOKEN_LIFETIME, claims_of, new_private_key, sign

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fdaa.platform.sandbox._state import Key, MachineRecord, State

_LONGEST = 86_400  # seconds until a new key signs


class Sockets(Protocol):
    """What opens and closes the sockets of Machines."""

    def open(self, record: MachineRecord) -> str:
        """Listen on a Machine's socket and return its path."""

    def close(self, records: Iterable[MachineRecord]) -> None:
        """Stop listening on the sockets of these Machines."""


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


class Service:
    """The operations of the platform, and the sandbox's own.

    Args:
        state: what is kept.
        oidc_issuer: `{oidc_issuer}` of the specification.
        base_url: where the API is.
        sockets: opens and closes Machines' sockets.
    """

    def __init__(self, state: State, oidc_issuer: str, base_url: str, sockets: Sockets) -> None:
        self.state = state
        self.faults = Faults()
        self.oidc_issuer = oidc_issuer
        self.base_url = base_url
        self._sockets = sockets

    def issuer(self, org: str) -> str:
        """Return the issuer of an organization (section 2.4)."""
        return f"{self.oidc_issuer}/{org}"

    def start_machine(self, app: str) -> Machine:
        """Start a Machine of an app."""
        record = self.state.start_machine(app)
        try:
            return Machine(record.id, record.address, self._sockets.open(record))
        except OSError as error:
            self.state.destroy_machine(record.number)
            reason = f"the Machine's socket cannot be opened: {error}"
            raise RefusedError(503, "no_socket", reason) from None

    def destroy_machine(self, machine_id: str) -> None:
        """Destroy a Machine."""
        for record in self.state.machines():
            if record.id == machine_id:
                self.state.destroy_machine(record.number)
                self._sockets.close([record])
                return
        raise RefusedError(404, "not_found", f"there is no Machine {quote(machine_id)}")

    def destroy_app(self, name: str) -> None:
        """Destroy an app and its Machines (section 4.1)."""
        self._sockets.close(self.state.destroy_app(name))

    def published_keys(self, org: str) -> list[Key]:
        """Return an organization's keys, the one that signs first; the first is made when needed.

        Raises:
            RefusedError: there is no such organization.
        """
        if not self.state.keys(org):
            self.rotate_key(org, after=0, withdraw=False)
        return self.state.keys(org)

    def rotate_key(self, org_slug: str, *, after: float, withdraw: bool) -> None:
        """Publish a new key, and sign with it later.

        Args:
            org_slug: the organization.
            after: seconds until it signs.
            withdraw: stop publishing the old keys, and sign with the new one, at once.

        Raises:
            RefusedError: there is no such organization.
            ValueError: `after` is out of range.
        """
        if not 0 <= after <= _LONGEST:
            raise ValueError(f"after must be 0 to {_LONGEST} seconds")
        self.state.add_key(org_slug, new_private_key(), None if withdraw else after)

    def token(self, machine_number: int, audience: str | None) -> str:
        """Return a new token for a Machine (section 4.4)."""
        record = self.state.machine(machine_number)
        if audience is None:
            audience = f"{self.base_url}/{record.organization}"
        claims = claims_of(record, self.issuer(record.organization), audience)
        key = self.published_keys(record.organization)[0]
        fault = self.faults.next_of_token()
        if fault is Fault.UNPUBLISHED_KEY:
            key = type(key)(f"{record.organization}-unpublished", new_private_key())
        elif fault is not None:
            shift = TOKEN_LIFETIME + _BEYOND_LEEWAY
            for name in ("iat", "nbf", "exp"):
                claims[name] += -shift if fault is Fault.EXPIRED_TOKEN else shift
        return sign(claims, key)


_BEYOND_LEEWAY = 3600  # seconds by which a faulty token is expired or not valid yet
