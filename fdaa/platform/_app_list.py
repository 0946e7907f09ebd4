"""The list of an organization's apps (specification, sections 4.3 and 2.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fdaa import networks
from fdaa._errors import NetworkNameError
from fdaa._escapes import quote
from fdaa._network_name import DEFAULT_NETWORK, NetworkName
from fdaa.networks import Document, DocumentKind, Origin, Problem
from fdaa.platform._apps import App, AppList
from fdaa.platform._errors import IncompleteListError
from fdaa.platform._messages import MAX_LIST, Request, list_path

if TYPE_CHECKING:
    from fdaa.platform._messages import Response

_MAX_PROBLEMS = 100  # of one list
_KINDS = {bool: "true or false", int: "a number", float: "a fractional number", list: "an array"}


def list_apps(org: str) -> Request[AppList]:
    """Return the request for an organization's apps."""
    return Request("GET", list_path(org), _read_apps, max_bytes=MAX_LIST)


def _read_apps(response: Response) -> AppList:
    """Return the list in a response; what cannot be used is in its document's `problems`.

    Raises:
        InvalidResponseError: it is not such a list, or more than 100 of its rows cannot be used.
        IncompleteListError: it has fewer apps than it counts.
        TimeoutError: the deadline passed.
    """
    value = response.read_object()
    if "apps" not in value:
        raise response.invalid("", "expected an object with 'apps'")
    rows = value["apps"]
    if rows is None:  # Go writes an empty list like this
        rows = []
    if not isinstance(rows, list):
        raise response.invalid("apps", f"must be an array, not {_described(rows)}")
    reader = _Rows(response)
    for number, row in enumerate(rows):
        response.deadline.check()
        reader.add(row, f"apps[{number}]")
    total = reader.total(value.get("total_apps"), len(rows))
    apps = reader.finished(total)
    if total is not None and total > len(rows):
        raise IncompleteListError(response.request.call, apps)
    return apps


class _RowError(Exception):
    """A row that cannot be used: the place, and the reason."""

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(place, reason)
        self.place = place
        self.reason = reason


class _Rows:
    """The apps in the rows of a list, and what is wrong with the others."""

    def __init__(self, response: Response) -> None:
        self._response = response
        self._file = response.request.call
        self._apps: list[App] = []
        self._listed: list[networks.ListedApp] = []
        self._problems: list[Problem] = []
        self._more_problems = 0
        self._left_out = 0

    def add(self, row: object, place: str) -> None:
        """Read a row; one that cannot be used is left out, and is a problem.

        Raises:
            InvalidResponseError: more than 100 rows cannot be used.
        """
        try:
            app = self._read(row, place)
        except _RowError as error:
            self._left_out += 1
            if self._left_out > _MAX_PROBLEMS:
                reason = f"more than {_MAX_PROBLEMS} rows cannot be used; this one {error.reason}"
                raise self._response.invalid(error.place, reason) from None
            self._add_problem(error.place, error.reason)
            return
        self._apps.append(app)
        listed = networks.ListedApp(
            name=app.name,
            network_name=app.network,
            origin=Origin(self._file, f"{place}.network"),
            id=app.id,
            machine_count=app.machine_count,
            volume_count=app.volume_count,
        )
        self._listed.append(listed)

    def total(self, value: object, found: int) -> int | None:
        """Return the number of apps that the platform counts; another number is a problem."""
        if value is None:
            return None
        if type(value) is not int:
            self._add_problem("total_apps", f"must be a whole number, not {_described(value)}")
            return None
        if value > found:
            self._add_problem("total_apps", f"{value}, but the list has {found}: a page is missing")
        if value < found:
            self._add_problem("total_apps", f"{value}, but the list has {found}")
        return value

    def finished(self, total: int | None) -> AppList:
        """Return the list of all rows."""
        if self._more_problems:
            reason = f"{self._more_problems} more values cannot be used"
            self._problems.append(Problem(self._file, "", reason))
        document = Document(
            file=self._file,
            kind=DocumentKind.APP_LIST,
            apps=tuple(self._listed),
            problems=tuple(self._problems),
            left_out=self._left_out,
            total=total,
        )
        return AppList(tuple(self._apps), document)

    def _read(self, row: object, place: str) -> App:
        """Return the app in a row.

        Raises:
            _RowError: its name or its network cannot be read.
        """
        if not isinstance(row, dict):
            raise _RowError(place, f"must be an object, not {_described(row)}")
        name = row.get("name")
        if not isinstance(name, str) or not name:
            raise _RowError(f"{place}.name", f"must be the app's name, not {_described(name)}")
        return App(
            name,
            id=self._id(row, place),
            network=_network(row.get("network"), f"{place}.network"),
            machine_count=self._count(row, place, "machine_count"),
            volume_count=self._count(row, place, "volume_count"),
        )

    def _id(self, row: dict[str, Any], place: str) -> str | None:
        value = row.get("id")
        if value is None or value == "":
            return None
        if isinstance(value, str):
            return value
        self._add_problem(f"{place}.id", f"must be text, not {_described(value)}")
        return None

    def _count(self, row: dict[str, Any], place: str, field: str) -> int | None:
        value = row.get(field)
        if value is None:
            return None
        if type(value) is int and value >= 0:
            return value
        self._add_problem(f"{place}.{field}", f"must be a whole number, not {_described(value)}")
        return None

    def _add_problem(self, place: str, reason: str) -> None:
        if len(self._problems) < _MAX_PROBLEMS:
            self._problems.append(Problem(self._file, place, reason))
        else:
            self._more_problems += 1


def _network(value: object, place: str) -> NetworkName:
    """Return the network in a row; without one, it is the default network."""
    if value is None or value == "":
        return DEFAULT_NETWORK
    if not isinstance(value, str):
        raise _RowError(place, f"must be the network's name, not {_described(value)}")
    try:
        return NetworkName(value)
    except NetworkNameError as error:
        reason = f"{quote(value)} is not a network name: {error.reason}"
        raise _RowError(place, reason) from None


def _described(value: object) -> str:
    """Describe a JSON value in JSON's words."""
    if value is None:
        return "null or missing"
    if isinstance(value, str):
        return quote(value)
    if type(value) is int and value < 0:
        return "a negative number"
    return _KINDS.get(type(value), "an object")
