"""Documents of a small organization, written into the current directory."""

from __future__ import annotations

import json
from typing import Any

APPS: dict[str, Any] = {
    "total_apps": 3,
    "apps": [
        {"id": "1", "name": "web", "network": "blue"},
        {"id": "2", "name": "api", "network": "red"},
        {"id": "3", "name": "old", "network": ""},
    ],
}
WEB = [{"id": "m1", "private_ip": "fdaa:2:45b::3"}, {"id": "m2", "private_ip": "fdaa:2:45b::4"}]
API = {"Name": "api", "Machines": [{"id": "m3", "private_ip": "fdaa:7::3"}]}
IPS = {"ips": [{"ip": "fdaa:2:45b:0:1::2"}]}

# The options that name them all, and what `fdaa networks` makes of these.
ALL = ("-d", "apps.json", "-d", "web=web.json", "-d", "api.json")
TABLE = """\
network  ID     prefix           Machines  apps
blue     2:45b  fdaa:2:45b::/48  2         web
default  ?      ?                -         old
  to complete it: a Machine list of old (-d old=FILE)
red      7:0    fdaa:7::/48      1         api
"""


def save(name: str, value: Any) -> str:
    with open(name, "w", encoding="utf-8") as stream:  # noqa: PTH123 - in the current directory
        json.dump(value, stream)
    return name


def save_all() -> None:
    """Write the documents of the organization."""
    for name, value in (("apps", APPS), ("web", WEB), ("api", API), ("ips", IPS)):
        save(f"{name}.json", value)
