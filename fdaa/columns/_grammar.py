r"""Two regular expressions that tell a private address, for engines that know no IPv6.

They follow from RFC 4291, section 2.2, without look-around, back-reference or flag: RE2, Rust,
Java, PostgreSQL (which writes `\Z` for `\z`) and others read them alike. `\A` and `\z` are the ends
of the text; `^` and `$` are not in every engine, and let a line feed pass.

An address has eight groups: `fdaa`, two for the network ID, and five more. `::` stands for one or
more groups of zeros, and a dotted quad at the end for two groups. Cut a text at its colons: its
second and third part are the network ID, an empty part being 0, unless `::` takes in both groups:

| text                                  | parts 2 and 3        | network ID |
|---------------------------------------|----------------------|------------|
| `fdaa:2:45b`, then anything           | `2`, `45b`           | `2:45b`    |
| `fdaa:2::`, then at most 5 groups     | `2`, none            | `2:0`      |
| `fdaa::45b`, then 5 groups            | none, `45b`          | `0:45b`    |
| `fdaa::`, then at most 5 groups       | none, *a later one*  | `0:0`      |

Only in the last row the third part is no part of the ID, so that row has an expression of its own:

- where `ZERO` matches, the network ID is 0;
- where `ADDRESS` matches, it is the second and the third part, read as hex digits;
- where neither does, the text is no private address. Both never match the same text.
"""

from __future__ import annotations

_FIRST = "[Ff][Dd][Aa][Aa]"
_GROUP = "[0-9A-Fa-f]{1,4}"
_OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
_QUAD = f"{_OCTET}(?:[.]{_OCTET}){{3}}"  # it is two groups


def _groups(least: int, most: int) -> str:
    """Match `least` to `most` groups, of which a dotted quad can be the last two."""
    if most == 0:
        return ""
    hexadecimal = f"{_GROUP}(?::{_GROUP}){{{max(least, 1) - 1},{most - 1}}}"
    quad = f"|(?:{_GROUP}:){{{max(least, 2) - 2},{most - 2}}}{_QUAD}" if most >= 2 else ""
    return f"(?:{hexadecimal}{quad})" + ("?" if least == 0 else "")


def _after(groups: int) -> str:
    """Match what can follow so many groups and a colon: a second colon, or one more group."""
    if groups == 7:
        return f"(?::|{_GROUP})"
    gap = f":{_groups(6 if groups == 1 else 0, 7 - groups)}"
    quad = f"|{_QUAD}" if groups == 6 else ""
    return f"(?:{gap}|{_GROUP}:{_after(groups + 1)}{quad})"


ZERO = rf"\A{_FIRST}::{_groups(0, 5)}\z"
ADDRESS = rf"\A{_FIRST}:{_after(1)}\z"
