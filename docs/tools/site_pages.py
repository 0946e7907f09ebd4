"""What a page of the site gets after it is built: its description, and what its buttons copy."""

from __future__ import annotations

import html
import re

LONGEST_DESCRIPTION = 200  # characters; search engines show about 160 and cut the rest

_DESCRIPTION = re.compile(r'(<meta name="description" content=")[^"]*')
_PARAGRAPH = re.compile(r"<p>(?!Guide: )(.*?)</p>", re.DOTALL)
_SENTENCE_END = re.compile(r"(?<=[.?!]) ")
_TAG = re.compile(r"<[^>]*>")

# A block of code, as Pygments writes it. Sessions are told apart by their prompts: one of Python is
# `python` in most pages and `pycon` in docstrings.
_BLOCK = re.compile(
    r"""
    <div\ class="language-(?P<language>\w+)\ highlight">
    (?P<before>.*?)
    <code>(?P<code>.*?)</code>
    """,
    re.DOTALL | re.VERBOSE,
)
_TYPED = {
    "$ ": re.compile(r"^\$ (.*)", re.MULTILINE),
    ">>> ": re.compile(r"^(?:>>>|\.\.\.) ?(.*)", re.MULTILINE),
}


def finished(page: str) -> str:
    """Return the HTML of a page with its own description, and commands to copy in its sessions."""
    about = html.escape(description(page.partition("</h1>")[2]))
    described = _DESCRIPTION.sub(lambda match: match[1] + about, page, count=1)
    return _BLOCK.sub(_with_commands, described)


def description(content: str) -> str:
    """Return the first sentences of a page, as plain text.

    >>> description("<p>Guide: <a>Scan</a>.</p><p>Finds <code>fdaa</code> in logs. Fast.</p>")
    'Finds fdaa in logs. Fast.'
    """
    paragraph = _PARAGRAPH.search(content)
    if paragraph is None:
        return ""
    words = _plain(paragraph[1]).split()
    first, *others = _SENTENCE_END.split(" ".join(words))
    text = first
    for sentence in others:
        if len(text) + 1 + len(sentence) > LONGEST_DESCRIPTION:
            break
        text += f" {sentence}"
    return text.rstrip(":")


def commands(code: str) -> str | None:
    r"""Return the input in a session, without prompts and output; None if it is no session.

    >>> commands("$ cd /tmp\n$ ls\nfile\n")
    'cd /tmp\nls'
    """
    for prompt, typed in _TYPED.items():
        if code.startswith(prompt):
            return "\n".join(typed.findall(code))
    return None


def _with_commands(match: re.Match[str]) -> str:
    """Return a session whose button copies its input: the theme prefers `data-copy` to the text."""
    typed = commands(_plain(match["code"]))
    if typed is None:
        return match[0]
    opening = (
        f'<div class="language-{match["language"]} highlight" data-copy="{html.escape(typed)}">'
    )
    return f"{opening}{match['before']}<code>{match['code']}</code>"


def _plain(markup: str) -> str:
    """Return the text in HTML."""
    return html.unescape(_TAG.sub("", markup))
