"""Write the help of every command into docs/commands.md, and what is made of code into its page.

With `--check`, write nothing and exit 1 where the page is out of date.
"""

from __future__ import annotations

import ast
import copy
import re
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click
import engine_tables
import error_tree
import schema_tables
from equivalents import EQUIVALENTS
from manual import all_commands

from fdaa.cli.main import fdaa
from fdaa.explain import Cause, ExplainedWords, explain_words
from fdaa.lines import Evidence

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = Path(__file__).with_name("commands.md")
ROOT = PAGE.parent.parent
MARKER = "<!-- From here on made by `python docs/reference.py`"

# An option with the same help in so many commands is described once.
SEVERAL = 2


def reference() -> str:
    """Return the help of the group and of each of its commands, as Markdown.

    What several commands have is described once, before them; the help in a terminal has it all.
    """
    top = fdaa.context_class(fdaa, info_name="fdaa", terminal_width=80, **fdaa.context_settings)
    commands = list(all_commands(fdaa, top))
    shared = _shared_options(commands)
    page = "\n## Options of several commands\n\nA command lists those that it has after *And*.\n\n"
    page += f"```text\n{_definitions(shared)}```\n"
    for path, command, context in commands:
        page += f"\n## {path}\n\n{_links(path)}\n\n"
        text = _short_help(command, context, shared)
        if command is fdaa:
            text = _LISTED.sub(_names_alone, text)
        page += f"```text\n{text}\n```\n"
    return page


# A section of commands in the help of the group.
_LISTED = re.compile(r"(?m)^(?!Options)(\w[^\n]*:)\n((?:  [a-z]+ +[A-Z].*\n?)+)")


def _names_alone(section: re.Match[str]) -> str:
    """Return a section of commands without their summaries, which stand below."""
    names = [row.split()[0] for row in section[2].splitlines()]
    return f"{section[1]} {', '.join(names)}\n"


def _options_of(
    command: click.Command, context: click.Context
) -> Iterator[tuple[click.Parameter, str, str]]:
    """Yield the options of a command: each with its form, and its help without its own fields."""
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None and record[1]:
            yield parameter, record[0], record[1].partition(" NAME: ")[0]


def _shared_options(
    commands: list[tuple[str, click.Command, click.Context]],
) -> dict[str, str]:
    """Return the options that several commands have with the same help."""
    seen: Counter[tuple[str, str]] = Counter()
    for _, command, context in commands:
        seen.update((form, text) for _, form, text in _options_of(command, context))
    shared: dict[str, str] = {}
    for (form, text), number in seen.most_common():
        if number >= SEVERAL:
            shared.setdefault(form, text)
    return shared


def _definitions(options: dict[str, str]) -> str:
    """Return options with their help, as click lays them out."""
    formatter = click.HelpFormatter(width=80)
    formatter.write_dl(list(options.items()))
    return formatter.getvalue()


def _short_help(command: click.Command, context: click.Context, shared: dict[str, str]) -> str:
    """Return the help of a command without the shared options, which it only names."""
    own = []
    others = []
    for parameter, form, text in _options_of(command, context):
        if shared.get(form) == text:
            others.append(form.rpartition(", ")[2].partition(" ")[0])
        else:
            own.append(parameter)
    if isinstance(command, click.Group) and context.parent is not None and not own:
        formatter = context.make_formatter()
        command.format_usage(context, formatter)
        command.format_help_text(context, formatter)
        return formatter.getvalue().rstrip("\n")  # its commands follow
    short = copy.copy(command)
    short.params = [each for each in command.params if each in own or not is_option(each)]
    short.add_help_option = False
    others.remove("--help")
    text = short.get_help(context)
    if not others:
        return text
    named = click.wrap_text(f"And: {', '.join(others)}.", 80, "  ", "  ")
    before, end, after = text.partition("\n\n  Example")
    return f"{before}\n\n{named}{end}{after}"


def is_option(parameter: click.Parameter) -> bool:
    """Return whether a parameter is an option, not an argument."""
    return isinstance(parameter, click.Option)


def _links(path: str) -> str:
    """Return a line of links to a command's guide and to its functions in Python.

    The site resolves `<autoref>` and fails if there is no such name; other viewers show the name.
    """
    guide, *names = EQUIVALENTS[path]
    links = ", ".join(f'<autoref identifier="{name}">`{name}`</autoref>' for name in names)
    name = guide.removesuffix(".md")
    return f"Guide: [{name}]({guide})." + (f" In Python: {links}." if links else "")


# --- public names ---------------------------------------------------------------------------------

NAMES = PAGE.parent / "api" / "index.md"
ROOMS = (
    "fdaa",
    "fdaa.scan",
    "fdaa.networks",
    "fdaa.probe",
    "fdaa.lines",
    "fdaa.explain",
    "fdaa.columns",
    "fdaa.columns.arrow",
    "fdaa.columns.pandas",
    "fdaa.columns.polars",
    "fdaa.columns.duckdb",
    "fdaa.columns.spark",
    "fdaa.columns.sqlite",
    "fdaa.platform",
    "fdaa.platform.sandbox",
    "fdaa.sqlalchemy",
    "fdaa.logging",
    "fdaa.strategies",
)


_ABOUT_NAMES = """\
# What is promised, and all public names

A program that runs with 1.0 runs with each 1.x, if it uses what is promised.

- **Promised**: the names of the first table, with their parameters and types; the names, options
  and exit statuses of [the commands](../commands.md); and [their JSON](../json.md), CSV and
  Parquet. A minor release only adds to them: a name, an optional parameter, an option, a key.
- **Provisional**: the names of [the second table](#provisional). A minor release may change them;
  the [changelog](../changelog.md) then says how.
- **Not promised**: all other names, such as those that begin with an underscore and
  `fdaa.scan.engine`; and text for people: messages, and what commands print without `--json`.

The engines of Python have a module each: [`fdaa.columns`](columns.md).

## Promised

"""
_ABOUT_PROVISIONAL = """
## Provisional

These rooms have not been used for long enough.

"""


def _tree_of(room: str) -> ast.Module:
    """Return a module as a tree; it is not imported, as it may need an extra."""
    file = ROOT.joinpath(*room.split("."))
    if file.is_dir():
        file /= "__init__"
    return ast.parse(file.with_suffix(".py").read_text("utf-8"))


def _all_of(room: str) -> list[str]:
    """Return the `__all__` of a module."""
    for node in _tree_of(room).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            names: list[str] = ast.literal_eval(node.value)
            return names
    raise LookupError(f"{room} has no __all__")


def public_names() -> str:
    """Return the page with the public names of every package, and what is promised of them."""
    promised = []
    provisional = []
    for room in ROOMS:
        names = sorted(_all_of(room), key=str.lower)
        listed = ", ".join(f"`{name}`" for name in names)
        page = f"{room.rpartition('.')[2]}.md"
        if room.startswith("fdaa.columns."):
            page = "columns.md"  # the engines share one page
        row = f"| [`{room}`]({page}) | {listed} |\n"
        if "\nProvisional: " in (ast.get_docstring(_tree_of(room)) or ""):
            provisional.append(row)
        else:
            promised.append(row)
    head = "| package | names |\n|---|---|\n"
    return (
        f"{_ABOUT_NAMES}{head}{''.join(promised)}{_ABOUT_PROVISIONAL}{head}{''.join(provisional)}"
    )


# --- symptoms -------------------------------------------------------------------------------------

SYMPTOMS_PAGE = PAGE.with_name("symptoms.md")
SYMPTOMS_BEGIN = "<!-- Made by `python docs/reference.py` -->\n"
SYMPTOMS_END = "<!-- End -->\n"

# The headings of the page; below each the evidence that it is about, with the words that are shown.
_SYMPTOMS: dict[str, dict[Evidence, tuple[str, ...]]] = {
    "Timeout": {Evidence.NO_RESPONSE: ("i/o timeout", "timed out", "deadline exceeded")},
    "Connection refused": {Evidence.REFUSED: ("connection refused", "ECONNREFUSED")},
    "Cannot connect": {
        Evidence.NOT_CONNECTED: ("cannot connect", "failed to connect", "max retries exceeded")
    },
    "No route to host": {Evidence.ADDRESS_UNREACHABLE: ("no route to host", "EHOSTUNREACH")},
    "Network is unreachable": {Evidence.NO_ROUTE: ("network is unreachable", "ENETUNREACH")},
    "Name not found": {
        Evidence.NOT_FOUND: ("NXDOMAIN", "ENOTFOUND", "no such host", "name or service not known"),
        Evidence.NO_IPV4_ADDRESS: ("no address associated with hostname", "ENODATA"),
    },
    "The resolver fails": {
        Evidence.RESOLVER_FAILED: ("EAI_AGAIN", "temporary failure in name resolution", "SERVFAIL")
    },
    "An address or a URL is not valid": {
        Evidence.ADDRESS_NOT_READ: ("invalid port", "too many colons in address", "invalid URL"),
        Evidence.NO_NAME_LOOKED_UP: ("[[fdaa:", "invalid host name"),
    },
    "The connection was open": {
        Evidence.NO_REPLY: ("Read timed out", "TLS handshake timeout", "upstream request timeout"),
        Evidence.CLOSED: ("connection reset", "ECONNRESET", "broken pipe", "socket hang up"),
        Evidence.TLS_FAILED: ("wrong version number", "does not support SSL"),
        Evidence.CERTIFICATE_REFUSED: ("x509:", "self-signed", "unknown authority"),
        Evidence.ACCESS_DENIED: ("no pg_hba.conf entry", "is not allowed to connect"),
        Evidence.CREDENTIALS_REFUSED: ("password authentication failed", "access denied for user"),
        Evidence.TOO_MANY_CONNECTIONS: ("too many clients", "too many connections"),
        Evidence.QUERY_TIMED_OUT: ("statement timeout", "lock timeout", "deadlock detected"),
    },
    "A token is refused": {
        Evidence.TOKEN_AUDIENCE: ("incorrect token audience", "invalid audience"),
        Evidence.TOKEN_EXPIRED: ("token has expired", "ExpiredToken"),
        Evidence.TOKEN_REFUSED: ("InvalidIdentityToken", "issuer is invalid"),
    },
    "A program cannot listen": {
        Evidence.ADDRESS_IN_USE: ("address already in use", "EADDRINUSE"),
        Evidence.FAMILY_NOT_SUPPORTED: ("address family not supported",),
    },
}
_WAS_OPEN = "The connection was open, so networks, names and firewalls are not the cause"
_NOT_THE_CAUSE = "So networks, names and firewalls are not the cause."


def symptoms() -> str:
    """Return the page of symptoms, with the commonest words of a line, and their causes."""
    known = {row.evidence: row for row in explain_words()}
    sections = ""
    for heading, shown in _SYMPTOMS.items():
        sections += f"\n### {heading}\n\n"
        rows = [known[evidence] for evidence in shown]
        shown_causes = 2
        if len(rows) > 2:
            shown_causes = 1
        if all(row.meaning.startswith(f"{_WAS_OPEN}:") for row in rows):
            sections += f"{_NOT_THE_CAUSE}\n\n"
        for row, words in zip(rows, shown.values(), strict=True):
            if not set(words) <= set(row.words):
                raise ValueError(f"{row.evidence} has other words than {words}")
            sections += _symptom(row, words, row.causes[:shown_causes])
    before, _, rest = SYMPTOMS_PAGE.read_text(encoding="utf-8").partition(SYMPTOMS_BEGIN)
    after = rest.partition(SYMPTOMS_END)[2]
    return before + SYMPTOMS_BEGIN + sections + "\n" + SYMPTOMS_END + after


def _symptom(
    row: ExplainedWords, words: tuple[str, ...], causes: tuple[tuple[Cause, str], ...]
) -> str:
    """Return an item of a list: words of a line, what they mean, and the likeliest causes."""
    meaning = row.meaning.removeprefix(f"{_WAS_OPEN}: ")
    meaning = meaning[0].upper() + meaning[1:]
    item = f"- {', '.join(f'`{word}`' for word in words)}: {meaning}\n"
    if len(causes) == 1:
        return item + f"    {causes[0][1]}\n"
    for number, (_, text) in enumerate(causes, 1):
        item += f"    {number}. {text}\n"
    return item


def main() -> int:
    """Bring the pages up to date, or say that they are not."""
    written, marker, rest = PAGE.read_text(encoding="utf-8").partition(MARKER)
    commands = written + marker + rest.partition("\n")[0] + "\n" + reference()
    status = 0
    pages = {
        PAGE: commands,
        NAMES: public_names(),
        SYMPTOMS_PAGE: symptoms(),
        error_tree.PAGE: error_tree.page(),
        schema_tables.PAGE: schema_tables.page(),
        **engine_tables.pages(),
    }
    for page, text in pages.items():
        if page.exists() and page.read_text(encoding="utf-8") == text:
            continue
        if "--check" in sys.argv[1:]:
            print(f"{page.name} is out of date: run python docs/reference.py", file=sys.stderr)
            status = 1
        else:
            page.write_text(text, encoding="utf-8")
    return status


if __name__ == "__main__":
    sys.exit(main())
