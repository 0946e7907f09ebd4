"""The guide of each command, and what does the same in Python; imports nothing, for the site."""

from __future__ import annotations

# Command -> its guide, and what does the same in Python.
EQUIVALENTS = {
    "fdaa explain": ("symptoms.md", "fdaa.explain.explain"),
    "fdaa decode": ("addresses.md", "fdaa.Address", "fdaa.explain.decode"),
    "fdaa same": ("addresses.md", "fdaa.same_network"),
    "fdaa build": ("addresses.md", "fdaa.Address.build"),
    "fdaa scan": (
        "scan.md",
        "fdaa.scan.find_addresses",
        "fdaa.scan.find_in_file",
        "fdaa.scan.count",
        "fdaa.scan.Pseudonyms",
    ),
    "fdaa networks": ("documents.md", "fdaa.networks.NetworkMap", "fdaa.networks.read_documents"),
    "fdaa reach": ("reach.md", "fdaa.networks.reach", "fdaa.explain.explain_verdict"),
    "fdaa probe": ("probe.md", "fdaa.probe.probe"),
    "fdaa check allocations": ("reach.md", "fdaa.networks.check_allocations"),
    "fdaa check name": ("library.md", "fdaa.NetworkName"),
    "fdaa whoami": ("platform.md", "fdaa.own_address", "fdaa.platform.Token.claims"),
    "fdaa token": ("tokens.md", "fdaa.platform.MachineIdentity.token"),
    "fdaa verify": ("tokens.md", "fdaa.platform.Verifier"),
    "fdaa apps create": ("platform.md", "fdaa.platform.Client.create_app"),
    "fdaa apps destroy": ("platform.md", "fdaa.platform.Client.destroy_app"),
    "fdaa apps list": ("platform.md", "fdaa.platform.Client.list_apps"),
    "fdaa sandbox": ("platform.md", "fdaa.platform.sandbox.Sandbox"),
    "fdaa sql": ("columns.md", "fdaa.columns.sql", "fdaa.columns.inline_sql"),
}
