"""What a page of the site gets after it is built.

Its description, what its buttons copy, and headings in the cells of its tables, for phones.
"""

from __future__ import annotations

import html
import re

LONGEST_DESCRIPTION = 200  # characters; search engines show about 160 and cut the rest

_DESCRIPTION = re.compile(r'(<meta name="description" content=")[^"]*')
_PARAGRAPH = re.compile(r"<p>(?!Guide: |Provisional: )(.*?)</p>", re.DOTALL)
_SENTENCE_END = re.compile(r"(?<=[.?!]) ")
_TAG = re.compile(r"<[^>]*>")

# The help of a command, or of the options that several have, begins like this.
_HELP = re.compile(
    r'<div class="language-text(?= highlight"><pre><span></span><code>(Usage: |-h, --help))'
)

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
_TABLE = re.compile(r"<table>.*?</table>", re.DOTALL)
_HEADING = re.compile(r"<th[^>]*>(.*?)</th>", re.DOTALL)
_ROW = re.compile(r"<tr>.*?</tr>", re.DOTALL)
_CELL = re.compile(r"<td(?=[ >])")
_CODE_IN_CELL = re.compile(r"(?<=<code>)[^<]*(?=</code>)")
_BREAK = re.compile(r"[.(/](?=\w)")
STACKED = 3  # columns: a table with as many does not fit on a phone
_TYPED = {
    "$ ": re.compile(r"^\$ (.*)", re.MULTILINE),
    ">>> ": re.compile(r"^(?:>>>|\.\.\.) ?(.*)", re.MULTILINE),
}


def finished(page: str) -> str:
    """Return the HTML of a page with its own description, and commands to copy in its sessions."""
    about = html.escape(description(page.partition("</h1>")[2]))
    described = _DESCRIPTION.sub(lambda match: match[1] + about, page, count=1)
    copied = _BLOCK.sub(_with_commands, described)
    helped = _HELP.sub(r"\g<0> help", copied)
    return _TABLE.sub(lambda match: with_headings(with_breaks(match[0])), helped)


def with_breaks(table: str) -> str:
    """Return a table whose names may be broken after a dot, an opening parenthesis or a slash.

    >>> with_breaks("<td><code>fdaa.Address(text)</code></td>")
    '<td><code>fdaa.<wbr>Address(<wbr>text)</code></td>'
    """
    return _CODE_IN_CELL.sub(lambda match: _BREAK.sub(r"\g<0><wbr>", match[0]), table)


def with_headings(table: str) -> str:
    """Return a table whose cells, after the first of a row, have the heading of their column.

    >>> with_headings("<table><tr><th>a</th><th>b</th></tr><tr><td>1</td></tr></table>")
    '<table><tr><th>a</th><th>b</th></tr><tr><td>1</td></tr></table>'
    """
    headings = [html.escape(_plain(heading)) for heading in _HEADING.findall(table)]
    if len(headings) < STACKED:
        return table

    def row_with_headings(match: re.Match[str]) -> str:
        cells = iter(headings)
        return _CELL.sub(lambda _: _cell(next(cells, ""), headings[0]), match[0])

    return _ROW.sub(row_with_headings, table).replace("<table>", "<table data-stacked>", 1)


def _cell(heading: str, first: str) -> str:
    """Return the start of a cell, with its heading unless it is the first of its row."""
    if heading in ("", first):
        return "<td"
    return f'<td data-heading="{heading}"'


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
