"""What is missing for a better answer, as data; the command has the options for it."""

# Without `annotations` from `__future__`: annotations of public names must be objects.

from dataclasses import KW_ONLY, dataclass

from fdaa._support.escapes import inline
from fdaa.networks import DocumentKind

_NOUNS = {
    DocumentKind.APP_LIST: "app list",
    DocumentKind.MACHINE_LIST: "Machine list",
    DocumentKind.ADDRESS_LIST: "address list",
}


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
        """Return what it is: `the Machine list of worker`, `an app list`."""
        nouns = [_NOUNS[kind] for kind in self.kinds]
        if self.app is None or DocumentKind.APP_LIST in self.kinds:
            articles = ["a" if noun.startswith("M") else "an" for noun in nouns]
            return " or ".join(f"{a} {noun}" for a, noun in zip(articles, nouns, strict=True))
        return f"the {' or '.join(nouns)} of {inline(self.app)}"

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


APP_LIST = Missing((DocumentKind.APP_LIST,))
MACHINE_LIST = Missing((DocumentKind.MACHINE_LIST,))
ADDRESS_LIST = Missing((DocumentKind.ADDRESS_LIST,))
