"""Public names live where they are public."""

from __future__ import annotations

import sys

# What 0.2 had, by room, and what to write instead. It is kept for one release;
# docs/changelog.md has all changes.
REMOVED = {
    "fdaa": {
        "Address.parse": "fdaa.Address(text)",
        "NetworkID.parse": "fdaa.NetworkID(text)",
        "NetworkID.from_bytes": "fdaa.NetworkID(int.from_bytes(packed))",
        "NetworkID.cidr": "str(network_id.prefix)",
        "NetworkName.parse": "fdaa.NetworkName(text)",
        "OwnAddressNotSetError.variable": "'PLATFORM_PRIVATE_IP'",
    },
    "fdaa.scan": {
        "Match.address": "match.value",
        "Match.prefix_length": "match.value.length, if match.value is a Prefix",
        "scan": "find_addresses, find_in_file or count",
        "find_in_rows": "fdaa.columns",
    },
    "fdaa.columns": {
        "ADDRESS": "docs/examples/column-grammar.json",
        "Dialect": "DIALECTS, the names of the dialects",
        "ZERO": "docs/examples/column-grammar.json",
        "drop_sql": "sql(dialect, drop=True)",
    },
    "fdaa.networks": {
        "App": "ListedApp",
        "Machine": "ListedMachine",
        "missing_lists": "apps_without_lists",
        "NETWORK_END": "fdaa.NetworkName(name) or fdaa.NetworkID(text) as an end",
        "Requirement": "the kinds of verdict.reasons",
        "dot": "mermaid",
        "parse_app_list": "parse_document",
        "Document.is_page": "document.is_whole",
        "Finding.details": "the attributes of the finding, such as finding.addresses",
        "Holder.network": "holder.network_name",
        "Network.machines": "network.machine_count",
        "Network.is_disputed": "network.disputed_by",
        "Network.origins": "network.fact.origins",
        "Network.requires": "network.name is None, network.network_id is None",
        "NetworkMap.allocated": "check_allocations(networks)",
        "NetworkMap.facts": "networks.apps, .machines and .addresses",
        "NetworkMap.holder_at": "find_holder(address, networks)",
        "NetworkMap.may_be_allocated": "find_holder",
        "NetworkMap.serves_own": "check_allocations",
    },
    "fdaa.probe": {
        "Finding": "Explanation",
        "LookUp": "Lookup",
        "Origin": "own.interface",
        "Outcome": "Evidence",
        "Peer": "connection.address",
        "Relation": "own.same_network(address)",
        "Conclusion.answers": "conclusion.is_open",
        "Conclusion.causes": "explanation.causes of conclusion.explanations",
        "Conclusion.look_up": "conclusion.lookup",
        "Connection.outcome": "connection.evidence",
        "Connection.peer": "connection.address",
        "Lookup.outcome": "lookup.evidence",
        "Lookup.peers": "lookup.addresses",
        "OwnAddress.origin": "own.interface",
    },
    "fdaa.platform": {
        "Check": "failure.claim",
        "Created": "App, which create_app returns",
        "Failure": "FailedCheck",
        "AsyncClient.apps": "client.list_apps(org)",
        "Client.apps": "client.list_apps(org)",
        "FailedCheck.check": "failure.claim",
        "Verifier.policy": "the arguments iss, aud, sub and bound",
    },
    "fdaa.platform.sandbox": {
        "Sandbox.issuer": "sandbox.ensure_issuer(org)",
        "Sandbox.machine": "sandbox.start_machine(app)",
    },
}


def publish(room: str) -> None:
    """Make what a room exports name the room, not a private file.

    Messages, tracebacks, pickles and `typing.get_type_hints` then show `fdaa.networks.Book`. The
    annotations of an exported class must be objects, not text: its file does not import
    `annotations` from `__future__`, as text would be looked up in the room.

    Args:
        room: the `__name__` of a package or module with `__all__`; names that it imports from other
            rooms stay theirs. Names of private packages beside it become its own.
    """
    owners = (f"{room}.", "fdaa._")
    module = sys.modules[room]
    for name in module.__all__:
        exported = getattr(module, name)
        owner = getattr(exported, "__module__", None)
        if callable(exported) and owner is not None and owner.startswith(owners):
            exported.__module__ = room
        _name_constructor(exported)
    _explain_removed(room)


def _name_constructor(exported: object) -> None:
    """Let the error for a missing argument name a public class, not the private base of it."""
    for base in getattr(exported, "__mro__", ())[1:]:
        constructor = vars(base).get("__init__")
        if base.__name__.startswith("_") and hasattr(constructor, "__qualname__"):
            constructor.__qualname__ = f"{exported.__name__}.__init__"  # type: ignore[attr-defined]


class _Removed:
    """An attribute that a class no longer has; its `AttributeError` says what to write instead."""

    def __init__(self, message: str) -> None:
        self._message = message

    def __get__(self, instance: object, owner: type[object]) -> object:
        raise AttributeError(self._message)


def _explain_removed(room: str) -> None:
    """Let what a room no longer has say what took its place."""
    module = sys.modules[room]
    messages = {}
    for name, instead in REMOVED.get(room, {}).items():
        message = f"{room}.{name} was removed: use {instead}"
        owner, _, attribute = name.rpartition(".")
        if owner:
            setattr(getattr(module, owner), attribute, _Removed(message))
        else:
            messages[name] = message

    def missing(name: str) -> object:
        message = f"module {room!r} has no attribute {name!r}"
        raise AttributeError(messages.get(name, message))

    if messages:
        module.__dict__["__getattr__"] = missing
