"""The shapes of documents: one table, for the guide and for the message about any other shape."""

from typing import NamedTuple

from fdaa.networks._model import DocumentKind


class Shape(NamedTuple):
    """A shape of a document.

    Args:
        name: its name in the guide.
        kind: what it is read as.
        noun: what the message calls the document; several shapes of one document have the same.
        words: how the message describes the shape.
        example: its keys, or its text.
        names_app: whether it names its apps itself.
    """

    name: str
    kind: DocumentKind
    noun: str
    words: str
    example: str
    names_app: bool = False


SHAPES = (
    Shape(
        "app list of the API",
        DocumentKind.APP_LIST,
        "an app list",
        "an object with 'apps'",
        '{"total_apps": 1, "apps": [{"name", "network", "machine_count"}]}',
        names_app=True,
    ),
    Shape(
        "app list of the command-line tool",
        DocumentKind.APP_LIST,
        "an app list",
        "objects with 'Name' and 'Network'",
        '[{"Name", "Network", "Status", ...}]',
        names_app=True,
    ),
    Shape(
        "Machine list",
        DocumentKind.MACHINE_LIST,
        "a Machine list",
        "objects with 'id' and 'private_ip'",
        '[{"id", "private_ip", ...}]',
    ),
    Shape(
        "status document",
        DocumentKind.MACHINE_LIST,
        "a status document",
        "an object with 'Name' and 'Machines'",
        '{"Name", "Network", "Machines": [{"id", "private_ip"}]}',
        names_app=True,
    ),
    Shape(
        "instance list",
        DocumentKind.MACHINE_LIST,
        "an instance list",
        "instance=...,app=...,ip=...",
        "instance=ID,app=APP,ip=ADDRESS,region=REGION;...",
        names_app=True,
    ),
    Shape(
        "address list with `ips`",
        DocumentKind.ADDRESS_LIST,
        "cross-network addresses",
        "an object with 'ips'",
        '{"ips": [{"ip", "network": {"name"}}]}',
    ),
    Shape(
        "address list of the command-line tool",
        DocumentKind.ADDRESS_LIST,
        "cross-network addresses",
        "objects with 'Address'",
        '[{"Address", "Network": {"Name"}}]',
    ),
    Shape(
        "addresses as texts",
        DocumentKind.ADDRESS_LIST,
        "cross-network addresses",
        "texts",
        '["fdaa:2:45b:0:1::23"]',
    ),
)


def expected() -> str:
    """Return which shapes are accepted, for the message about another one."""
    words: dict[str, list[str]] = {}
    for shape in SHAPES:
        words.setdefault(shape.noun, []).append(shape.words)
    documents = [f"{noun} ({_any_of(described)})" for noun, described in words.items()]
    return f"expected {_any_of(documents)}"


def _any_of(texts: list[str]) -> str:
    *others, last = texts
    if not others:
        return last
    return f"{', '.join(others)}, or {last}"
