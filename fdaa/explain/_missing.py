"""What is missing for a better answer, as data; the command has the options for it."""

# Without `annotations` from `__future__`: annotations of public names must be objects.

from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass

from fdaa._support.escapes import inline
from fdaa.networks import DocumentKind

_APPS_SHOWN = 4


@dataclass(frozen=True, slots=True)
class Missing:
    """A document that would add to the answer.

    Args:
        kinds: the kinds of documents, one of which is enough.
        app: the app whose list it is; None where that is not known.
    """

    kinds: tuple[DocumentKind, ...]
    _: KW_ONLY
    app: str | None = None

    def __str__(self) -> str:
        return name_lists([self])

    def to_dict(self) -> dict[str, object]:
        """Return it as a dictionary for JSON."""
        return {"kinds": [kind.value for kind in self.kinds], "app": self.app}


@dataclass(frozen=True, slots=True)
class Remark:
    """A sentence, and the documents that would make it unnecessary.

    Args:
        text: the sentence.
        missing: the documents, all of which are needed.
    """

    text: str
    _: KW_ONLY
    missing: tuple[Missing, ...] = ()

    def __str__(self) -> str:
        return self.text


def name_lists(missing: Iterable[Missing]) -> str:
    """Return what missing documents are called.

    >>> name_lists([Missing((DocumentKind.MACHINE_LIST,), app="worker")])
    'the Machine list of worker'
    """
    apps_of: dict[str, list[str]] = {}
    for each in missing:
        words = " or ".join(_LISTS[kind] for kind in each.kinds)
        apps = apps_of.setdefault(words, [])
        if each.app is None or DocumentKind.APP_LIST in each.kinds or each.app in apps:
            continue
        apps.append(each.app)
    return " and ".join(_name(words, apps) for words, apps in apps_of.items())


def _name(words: str, apps: list[str]) -> str:
    if not apps:
        article = "an" if words[0] == "a" else "a"
        return f"{article} {words}"
    shown = list(map(inline, apps[:_APPS_SHOWN]))
    if len(apps) > len(shown):
        shown[-1] += f" and {len(apps) - len(shown)} more"
    plural = "s" if len(apps) > 1 else ""
    return f"the {words}{plural} of {', '.join(shown)}"


_LISTS = {
    DocumentKind.APP_LIST: "app list",
    DocumentKind.MACHINE_LIST: "Machine list",
    DocumentKind.ADDRESS_LIST: "address list",
}
APP_LIST = Missing((DocumentKind.APP_LIST,))
MACHINE_LIST = Missing((DocumentKind.MACHINE_LIST,))
ADDRESS_LIST = Missing((DocumentKind.ADDRESS_LIST,))
