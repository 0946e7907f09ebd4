"""What to do next, in the command's language: the commands of steps, and the options for documents.

`fdaa.explain` returns both as data; only this package has options.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fdaa._support.escapes import inline
from fdaa._values.ends import SELF
from fdaa._values.hosts import Host
from fdaa.cli import _layout as layout
from fdaa.cli._document_options import option_for
from fdaa.explain import (
    AllocationsStep,
    Cause,
    ProbeStep,
    ReachStep,
    VerifyStep,
    WhoisStep,
)
from fdaa.networks import Reason

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fdaa.cli._document_options import DocumentOptions
    from fdaa.explain import ExplainedCause, ExplainedVerdict, Missing, NextStep, Sentence
    from fdaa.probe import AnyAddress

# --- what is missing ------------------------------------------------------------------------------

_APPS_SHOWN = 3


def options_for(missing: Iterable[Missing]) -> str:
    """Return the options for documents that are missing: `--apps FILE and --machines web=FILE`."""
    documents = list(missing)
    options: dict[str, None] = {}
    for document in documents:
        app = "APP"  # for many apps, too
        if document.app is not None and len(documents) <= _APPS_SHOWN:
            app = inline(document.app)
        options[" or ".join(option_for(kind, app) for kind in document.kinds)] = None
    return " and ".join(options)


def with_options(text: str, missing: Iterable[Missing]) -> str:
    """Return a sentence about documents that are missing, with their options."""
    options = options_for(missing)
    if not options:
        return text
    return f"{text} ({options})"


def verdict_with_options(explained: ExplainedVerdict) -> ExplainedVerdict:
    """Return a verdict whose sentences have the options for the documents that they ask for."""
    return replace(
        explained,
        reasons=tuple(map(_sentence_with_options, explained.reasons)),
        ways=tuple(map(_sentence_with_options, explained.ways)),
    )


def _sentence_with_options(sentence: Sentence) -> Sentence:
    if sentence.missing and sentence.finding.kind is Reason.NETWORK_NOT_IN_DOCUMENTS:
        options = f"{options_for(sentence.missing)} or --book FILE"
        return replace(sentence, text=f"{sentence.text} ({options})")
    return replace(sentence, text=with_options(sentence.text, sentence.missing))


# --- the commands of steps ------------------------------------------------------------------------


def command_for(step: NextStep, documents: list[str], *, port: str = "") -> list[str]:
    """Return the words of the command for a step.

    Args:
        step: the step.
        documents: the options for the documents that were given, which the command keeps.
        port: what stands for the port of a probe that has none.
    """
    match step:
        case VerifyStep():
            words = ["verify", "--help"]
        case WhoisStep(address):
            words = ["whois", str(address), *documents]
        case AllocationsStep():
            words = ["check", "allocations", *documents]
        case ReachStep(source=source, target=target):
            words = ["reach", str(source or SELF), str(target), *documents]
        case ProbeStep(target):
            words = ["probe", _place(target, str(step.port or port)), *documents]
            if step.timeout is not None:
                words[2:2] = ["--timeout", f"{step.timeout:g}"]
    return ["fdaa", *words]


def _place(target: AnyAddress | Host, port: str) -> str:
    """Return a target with its port, if it has one."""
    text = target.name if isinstance(target, Host) else str(target)
    if not port:
        return text
    return f"{text}:{port}" if isinstance(target, Host) else f"[{text}]:{port}"


def command_of_cause(cause: ExplainedCause, documents: DocumentOptions, book: str | None) -> str:
    """Return the command that confirms or excludes a cause, with the documents that it needs.

    FILE stands for one that was not given. The text is empty without a command.

    Args:
        cause: the cause.
        documents: the documents that were given.
        book: the book that was given.
    """
    if cause.step is None:
        return cause.next
    port = "PORT" if cause.cause is Cause.NO_PORT else ""
    return layout.shell_line(command_for(cause.step, documents.words(book, cause.needs), port=port))
