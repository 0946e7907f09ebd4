"""The apps of an organization, as the platform returns them."""

from collections.abc import Iterator
from dataclasses import KW_ONLY, asdict, dataclass
from typing import overload

from fdaa._support.escapes import inline
from fdaa._values.checks import text_of
from fdaa._values.network_name import NetworkName
from fdaa.networks import Document


@dataclass(frozen=True, slots=True)
class PlatformApp:
    """An app of the platform (specification, section 2.1).

    Attributes:
        name: the app's name.
        id: its identifier; None if the response does not have it.
        network: the name of its network. None for an app that was created without one, if the
            response does not name it; and where the name in a list breaks the rules for names.
        machine_count: how many Machines it has; None if the response does not have it.
        volume_count: how many volumes it has; likewise.
    """

    name: str
    _: KW_ONLY
    id: str | None = None
    network: NetworkName | None = None
    machine_count: int | None = None
    volume_count: int | None = None

    def to_dict(self) -> dict[str, str | int | None]:
        """Return a dictionary for `json.dumps`."""
        fields = asdict(self)
        if self.network is not None:
            fields["network"] = str(self.network)
        return fields

    def __str__(self) -> str:
        """Return a line for people: `web on network blue (id app-1)`."""
        line = inline(self.name)
        if self.network is not None:
            line += f" on network {self.network}"
        if self.id is not None:
            line += f" (id {inline(self.id)})"
        return line


@dataclass(frozen=True, slots=True)
class EnsuredApp:
    """The result of `ensure_app`.

    Attributes:
        app: the app, as it is now.
        created: whether this call created it.
    """

    app: PlatformApp
    _: KW_ONLY
    created: bool

    def to_dict(self) -> dict[str, str | int | None]:
        """Return a dictionary for `json.dumps`: the fields of the app, and `created`."""
        return {**self.app.to_dict(), "created": self.created}


@dataclass(frozen=True, slots=True, repr=False)
class AppList:
    """The apps of an organization: `for app in apps`, `apps[0]`, `len(apps)`, `"web" in apps`.

    Attributes:
        apps: the apps that can be used.
        document: the same list for `fdaa.networks.NetworkMap`, with what was not used in its
            `unused`.
    """

    apps: tuple[PlatformApp, ...]
    _: KW_ONLY
    document: Document

    @property
    def total(self) -> int | None:
        """The number of apps according to the platform; None if it is not given."""
        return self.document.total

    @overload
    def __getitem__(self, index: int) -> PlatformApp: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[PlatformApp, ...]: ...

    def __getitem__(self, index: int | slice) -> PlatformApp | tuple[PlatformApp, ...]:
        return self.apps[index]

    def __iter__(self) -> Iterator[PlatformApp]:
        return iter(self.apps)

    # Without the base class Sequence[PlatformApp], with which type checkers refuse `"web" in apps`.
    def __contains__(self, app: object) -> bool:
        """Whether an app, or an app of this name, is in the list."""
        if isinstance(app, str):
            return self.by_name(app) is not None
        return app in self.apps

    def by_name(self, name: str) -> PlatformApp | None:
        """Return the app of this name, or None: names are unique within an organization."""
        name = text_of(name, "name")
        for app in self.apps:
            if app.name == name:
                return app
        return None

    def __len__(self) -> int:
        return len(self.apps)

    def __repr__(self) -> str:
        names = [app.name for app in self.apps]
        return f"<AppList {names}>"
