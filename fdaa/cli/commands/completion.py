"""`fdaa completion`: completion scripts for shells: commands, options, files and names."""

from __future__ import annotations

import os
import sys

import click
from click import shell_completion as shells

from fdaa.cli._statuses import YES
from fdaa.cli.main import COMPLETE_VARIABLE

# Shell -> where the script belongs.
_PLACES = {
    "bash": "~/.local/share/bash-completion/completions/fdaa",
    "zsh": "_fdaa in a directory of $fpath",
    "fish": "~/.config/fish/completions/fdaa.fish",
}


@click.command()
@click.argument("shell", metavar="SHELL", type=click.Choice(tuple(_PLACES)))
def completion(shell: str) -> int:
    """Print the completion script of SHELL.

    SHELL is bash (4.4 or later), zsh or fish. The script completes commands, options, files, and
    names in the book and the documents to the left of the cursor.

    Examples:
      $ fdaa completion bash > ~/.local/share/bash-completion/completions/fdaa
      $ fdaa completion zsh > ~/.zfunc/_fdaa
      $ fdaa completion fish > ~/.config/fish/completions/fdaa.fish
    """
    script = shells.get_completion_class(shell)
    assert script is not None  # noqa: S101 - they are registered below
    source = script(click.Command("fdaa"), {}, "fdaa", COMPLETE_VARIABLE).source()
    sys.stdout.write(f"{source}\n# Save this as {_PLACES[shell]}\n")
    return YES


class _Shell(shells.ShellComplete):
    """Prints one row for each completion."""

    def get_completions(self, args: list[str], incomplete: str) -> list[shells.CompletionItem[str]]:
        """Return the completions; the one for files has the text that was typed, of any lines."""
        items = super().get_completions(args, incomplete)
        for item in items:
            item.value = item.value.partition("\n")[0]
        return items


@shells.add_completion_class
class _Bash(_Shell, shells.BashComplete):
    """Completes words as the user sees them; bash itself also splits them at = and colons."""

    source_template = """\
%(complete_func)s() {
    local type value
    COMPREPLY=()
    while IFS=, read -r type value; do
        case $type in
            file) compopt -o default ;;
            dir) compopt -o dirnames ;;
            plain) printf -v value %%q "$value"; COMPREPLY+=("$value") ;;
        esac
    done < <(COMP_WORDS="${COMP_LINE:0:COMP_POINT}" %(complete_var)s=bash_complete "$1")
}
complete -o nosort -F %(complete_func)s %(prog_name)s
"""
    _split_off = ""

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the words before the cursor, and the one that is being typed."""
        line = os.environ["COMP_WORDS"]
        words = shells.split_arg_string(line)[1:]
        incomplete = ""
        if words and not line[-1].isspace():
            incomplete = words.pop()
        last_split = max(incomplete.rfind("="), incomplete.rfind(":"))
        self._split_off = incomplete[: last_split + 1]
        return words, incomplete

    def format_completion(self, item: shells.CompletionItem[str]) -> str:
        """Return what bash puts in place of its own last word."""
        value = item.value.removeprefix(self._split_off)
        return f"{item.type},{value}"


@shells.add_completion_class
class _Zsh(_Shell, shells.ZshComplete):
    """Also completes the file in APP=FILE and --option=FILE."""

    source_template = shells.ZshComplete.source_template.replace(
        "_path_files -f", "compset -P '[^/]#='; _path_files -f"
    )


@shells.add_completion_class
class _Fish(_Shell, shells.FishComplete):
    """Offers nothing where a file is wanted: fish then completes files by itself.

    click's own script splits the names of files, and the command line, at line feeds.
    """

    source_template = """\
function %(complete_func)s
    set -lx COMP_WORDS (commandline -cp | string collect)
    set -lx COMP_CWORD (commandline -ct | string collect)
    set -g %(complete_func)s (%(complete_var)s=fish_complete %(prog_name)s)
    not string match -qr '^(file|dir),' -- $%(complete_func)s
end

complete --command %(prog_name)s --condition %(complete_func)s --no-files \\
    --arguments "(string replace plain, '' -- \\$%(complete_func)s)"
"""
