"""Names of hosts: which app is this one?"""

from __future__ import annotations

_TOP = "internal"  # the domain of the platform's names


def app_of(host: str) -> str | None:
    """Return the app that a `.internal` name belongs to: the last part before `.internal`.

    A name of the platform's own, such as `_apps.internal`, belongs to no app.

    Args:
        host: the name, in any case, with or without a dot at its end.

    >>> app_of("reports.internal"), app_of("SEA.Reports.internal."), app_of("db.example.com")
    ('reports', 'reports', None)
    """
    before, _, last = host.lower().removesuffix(".").rpartition(".")
    app = before.rpartition(".")[2]
    if last != _TOP or not app or app.startswith("_"):
        return None
    return app
