"""The apps that the platform returns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, overload

from fdaa.networks import App, Document

if TYPE_CHECKING:
    from fdaa.network_name import NetworkName


@dataclass(frozen=True, slots=True, repr=False)
class AppList(Sequence[App]):
    """The apps of an organization, a sequence of `fdaa.networks.App`.

    Attributes:
        document: the same list for `fdaa.networks.NetworkMap`, with what could not be used in its
            `problems`.
    """

    document: Document

    @property
    def total(self) -> int | None:
        """The number of apps according to the platform; None if it is not given."""
        return self.document.total

    @overload
    def __getitem__(self, index: int) -> App: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[App, ...]: ...

    def __getitem__(self, index: int | slice) -> App | tuple[App, ...]:
        return self.document.apps[index]

    def __len__(self) -> int:
        return len(self.document.apps)

    def __repr__(self) -> str:
        return f"<AppList {[app.name for app in self]}>"


@dataclass(frozen=True, slots=True)
class Created:
    """An app that was created.

    Attributes:
        name: as it was given.
        id: None if the response has none.
        network: as it was given.
    """

    name: str
    id: str | None
    network: NetworkName | None

    def to_dict(self) -> dict[str, str | None]:
        """Return a dictionary for `json.dumps`."""
        return asdict(self)
