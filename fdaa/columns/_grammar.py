r"""Two regular expressions that match a private address, for engines without IPv6 support.

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

Only in the last row is the third part not part of the ID, so that row has its own expression:

- where `ZERO` matches, the network ID is 0;
- where `ADDRESS` matches, it is the second and the third part, read as hex digits;
- where neither does, the text is not a private address. They never both match the same text.
"""

FIRST = "[Ff][Dd][Aa][Aa]"
HEX = "[0-9A-Fa-f]"
GROUP = f"{HEX}{{1,4}}"
_OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
QUAD = f"{_OCTET}(?:[.]{_OCTET}){{3}}"  # it is two groups


def _at_most(groups: int) -> str:
    """Match what can follow `::`, a dotted quad being two groups."""
    if groups == 0:
        return ""
    written = f"{GROUP}(?::{GROUP}){{0,{groups - 1}}}"
    if groups >= 2:
        written += f"|(?:{GROUP}:){{0,{groups - 2}}}{QUAD}"
    return f"(?:{written})?"


def _exactly(groups: int) -> str:
    """Match so many groups, the last two of them as hex digits or as a dotted quad."""
    return f"{GROUP}:" * (groups - 2) + f"(?:{GROUP}:{GROUP}|{QUAD})"


# After `fdaa:`, the eight ways to write seven groups: without `::`, with it for the first of them,
# and with it after one to six others.
_WAYS = [_exactly(7), ":" + _exactly(6)]
for _groups in range(1, 7):
    _before = f"{GROUP}:" * _groups
    _WAYS.append(_before + ":" + _at_most(6 - _groups))

ZERO = rf"\A{FIRST}::{_at_most(5)}\z"
ADDRESS = rf"\A{FIRST}:(?:{'|'.join(_WAYS)})\z"
