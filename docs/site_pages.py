"""What a page of the site gets after it is built: its description, and what its buttons copy."""

from __future__ import annotations

import html
import re

LONGEST_DESCRIPTION = 200  # characters; search engines show about 160 and cut the rest

_DESCRIPTION = re.compile(r'(<meta name="description" content=")[^"]*')
_PARAGRAPH = re.compile(r"<p>(?!Guide: )(.*?)</p>", re.DOTALL)
_SENTENCE_END = re.compile(r"(?<=[.?!]) ")
_TAG = re.compile(r"<[^>]*>")

# A session in a terminal or in Python, as Pygments writes it.
_SESSION = re.compile(
    r"""
    <div\ class="language-(?P<language>console|pycon)\ highlight">
    (?P<before>.*?)
    <code>(?P<code>.*?)</code>
    """,
    re.DOTALL | re.VERBOSE,
)
_PROMPTS = {
    "console": re.compile(r"^\$ (.*)", re.MULTILINE),
    "pycon": re.compile(r"^(?:>>>|\.\.\.) ?(.*)", re.MULTILINE),
}


def finished(page: str) -> str:
    """Return the HTML of a page with its own description, and commands to copy in its sessions."""
    about = html.escape(description(page.partition("</h1>")[2]))
    described = _DESCRIPTION.sub(lambda match: match[1] + about, page, count=1)
    return _SESSION.sub(_with_commands, described)


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


def commands(language: str, session: str) -> str:
    r"""Return the input in a session, without prompts and output.

    >>> commands("console", "$ cd /tmp\n$ ls\nfile\n")
    'cd /tmp\nls'
    """
    return "\n".join(_PROMPTS[language].findall(session))


def _with_commands(match: re.Match[str]) -> str:
    """Return a session whose button copies its input: the theme prefers `data-copy` to the text."""
    language = match["language"]
    copied = html.escape(commands(language, _plain(match["code"])))
    opening = f'<div class="language-{language} highlight" data-copy="{copied}">'
    return f"{opening}{match['before']}<code>{match['code']}</code>"


def _plain(markup: str) -> str:
    """Return the text in HTML."""
    return html.unescape(_TAG.sub("", markup))
