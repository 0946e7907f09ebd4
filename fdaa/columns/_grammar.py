r"""Two regular expressions that tell a private address, for engines that know no IPv6.

They follow from RFC 4291, section 2.2, and any engine takes them: RE2, Rust, Java and PostgreSQL
(which writes `\Z` for `\z`). No look-around, no back-reference, no flags; `\A` and `\z` as `$` lets
a line feed pass in some engines.

An address has eight groups, the first is `fdaa`, the next two are the network ID. Cut at its colons,
a text has these two as its second and third part, unless a `::` swallowed them:

| text                           | `::` stands for  | second and third part | network ID |
|--------------------------------|------------------|-----------------------|------------|
| no `::` before the third group | none of the two  | `2`, `45b`            | `2:45b`    |
| `fdaa:2::` and 0 to 5 groups   | the second of it | `2`, nothing          | `2:0`      |
| `fdaa::` and 6 groups          | the first of it  | nothing, `45b`        | `0:45b`    |
| `fdaa::` and 0 to 5 groups     | both             | nothing, *any group*  | `0:0`      |

So an empty part is 0, and only the last row needs an expression of its own:

- where `ZERO` matches, the network ID is 0;
- else, where `ADDRESS` matches, it is the second and the third part in hex, an empty one being 0;
- else the text is no private address.
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
