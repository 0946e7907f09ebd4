"""The operations of the sandbox, whichever way they are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from fdaa.errors import quote
from fdaa.platform.sandbox._state import KEY_OUTLIVES_ROTATION, RefusedError
from fdaa.platform.sandbox._tokens import claims_of, new_private_key, sign

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fdaa.address import Address
    from fdaa.platform.sandbox._answers import Replies
    from fdaa.platform.sandbox._state import Key, MachineRecord, State

IDENTITY_SOCKET_VARIABLE = "FDAA_IDENTITY_SOCKET"


class Sockets(Protocol):
    """What opens and closes the sockets of Machines."""

    def open(self, record: MachineRecord) -> str:
        """Listen on a Machine's socket and return its path."""

    def close(self, records: Iterable[MachineRecord]) -> None:
        """Stop listening on the sockets of these Machines."""


class Machine(NamedTuple):
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
        return {
            "PLATFORM_PRIVATE_IP": str(self.address),
            IDENTITY_SOCKET_VARIABLE: self.socket,
        }


class Service:
    """The operations of the platform, and those of the sandbox's own."""

    def __init__(self, state: State, replies: Replies, base_url: str, sockets: Sockets) -> None:
        self.state = state
        self.replies = replies
        self.base_url = base_url
        self._sockets = sockets

    def issuer(self, org: str) -> str:
        """Return the issuer of an organization (section 2.4)."""
        return f"{self.base_url}/oidc/{org}"

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
            self.rotate_key(org, withdraw=False)
        return self.state.keys(org)

    def rotate_key(self, org: str, *, withdraw: bool) -> None:
        """Sign with a new key; `withdraw` stops publishing the old ones at once.

        Raises:
            RefusedError: there is no such organization.
        """
        old_ones_live = 0 if withdraw else KEY_OUTLIVES_ROTATION
        self.state.add_key(org, new_private_key(self.replies.algorithm), old_ones_live)

    def token(self, machine_number: int, audience: str | None) -> str:
        """Return a new token for a Machine (section 4.4)."""
        record = self.state.machine(machine_number)
        if audience is None:
            audience = f"{self.base_url}/{record.organization}"
        claims = claims_of(record, self.issuer(record.organization), audience)
        return sign(claims, self.published_keys(record.organization)[0])
