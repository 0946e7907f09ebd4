r"""Addresses inside text, by regular expressions alone, where the rules of the scanner are plain.

The rules for what stands around an address (`fdaa.scan`) need a parser. But most lines of most logs
are plain: before each `fdaa:` is the start of the text or an ASCII character that no word or number
has, and after each run of hex digits and colons is its end, or such a character, but no slash and
no dot with a digit. There, each run must be an address, or the line is not plain.

    dial [fdaa:2:45b::3]:80              plain
    at fdaa:2:45b::3.                    plain
    at fdaa:2:45b::3.80                  a dot and a digit: a port, or a dotted quad
    app.log:12:fdaa:2:45b::3             a colon: the number of a line, or another address
    ESC[32mfdaa:2:45b::3                 a letter: a colour, or another word
    fdaa:2:45b:a7b:1:2:3:2:3000          plain around it, but no address: it has a port
    {64938,2,1115,2683,0,0,0,3}          a tuple of Erlang; a reverse pointer, likewise
    fdaa%3A2%3A45b%3A%3A3                a percent escape
"""

_FDAA = "[Ff][Dd][Aa][Aa]:"
_RUN = f"{_FDAA}[0-9A-Fa-f:]+"
# ASCII without digits, letters, `_` and the colon.
_EDGE = r"[\x00-/;-@\[-^`{-\x7f]"

# What a tuple, a reverse pointer, or an address with percent escapes has.
_OTHER_FORM = r"[{] ?64938 ?,|[.][Aa][.][Aa][.][Dd][.][Ff][.][Ii][Pp]6[.]|[Ff][Dd][Aa][Aa]%3[Aa]"

PLACE = _FDAA  # one for each run
ANY_PLACE = f"{PLACE}|{_OTHER_FORM}"
# A run with the character before it, so that the next run can begin after the character that ends
# this one.
PLAIN_RUN = f"(?:^|{_EDGE}){_RUN}"
NOT_PLAIN = rf"{_FDAA}[0-9A-Fa-f:]*(?:[g-zG-Z_/%]|[.][0-9]|[^\x00-\x7f])|{_OTHER_FORM}"
BEFORE_RUN = "^[^Ff]"
