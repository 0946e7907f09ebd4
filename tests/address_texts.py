"""Texts that are addresses, and texts that are none: each row with its reason."""

from __future__ import annotations

from typing import NamedTuple

from fdaa import AddressError, OutsidePrefixError

FULL = "fdaa:0002:045b:0a7b:0174:db43:d3c6:0002"  # all 39 characters of eight groups
FULL_QUAD = "fdaa:ffff:ffff:ffff:ffff:ffff:255.255.255.255"  # all 45 that an address can have


class Valid(NamedTuple):
    text: str
    packed: str  # 32 hex digits
    why: str

    @property
    def network_id(self) -> int:
        return int(self.packed[4:12], 16)


class Invalid(NamedTuple):
    text: str
    reason: str  # a part of it
    at: int | None
    why: str

    @property
    def error(self) -> type[AddressError]:
        if self.reason == OUTSIDE:
            return OutsidePrefixError
        return AddressError


OUTSIDE = "does not start with 'fdaa'"

# --- what an address can look like (RFC 4291, section 2.2) ----------------------------------------

VALID = (
    Valid("fdaa:2:45b:a7b:174:db43:d3c6:2", "fdaa0002045b0a7b0174db43d3c60002", "form 1"),
    Valid(FULL, "fdaa0002045b0a7b0174db43d3c60002", "form 1, all leading zeros"),
    Valid("fdaa::3", "fdaa0000000000000000000000000003", "'::' over the network ID"),
    Valid("fdaa::", "fdaa" + "0" * 28, "'::' at the end"),
    Valid("fdaa:2:45b::", "fdaa0002045b" + "0" * 20, "'::' behind the network ID"),
    Valid("fdaa:1::1:0:0:2", "fdaa0001000000000001000000000002", "'::' over one half"),
    Valid("fdaa::45b:1:2:3:4:5", "fdaa0000045b00010002000300040005", "'::' for one group"),
    Valid("fdaa:2::1:2:3:4:5", "fdaa0002000000010002000300040005", "'::' for the low half"),
    Valid("fdaa:2:45b:1:2:3:4::", "fdaa0002045b00010002000300040000", "'::' for the last"),
    Valid("fdaa:1:2345:0:0::11", "fdaa0001234500000000000000000011", "'::' beside zeros"),
    Valid("fdaa:0:0:0:0:0:0:3", "fdaa0000000000000000000000000003", "zeros and no '::'"),
    Valid("fdaa:0::0:3", "fdaa0000000000000000000000000003", "zeros around '::'"),
    Valid("FDAA:2:45B::ABCD", "fdaa0002045b0000000000000000abcd", "upper case"),
    Valid("fDaA:2:45b::aBcD", "fdaa0002045b0000000000000000abcd", "mixed case"),
    Valid("fdaa:18::", "fdaa0018" + "0" * 24, "a group without leading zeros"),
    Valid("fdaa:0018::", "fdaa0018" + "0" * 24, "the same group with them"),
    Valid("fdaa:2:45b:1:2:3:1.2.3.4", "fdaa0002045b00010002000301020304", "form 3"),
    Valid("fdaa:2:45b::192.0.2.255", "fdaa0002045b000000000000c00002ff", "form 3 and '::'"),
    Valid("fdaa::1:2:3:4:0.0.0.0", "fdaa0000000100020003000400000000", "form 3, '::' for one"),
    Valid("fdaa:2:45b:1:2::9.9.9.9", "fdaa0002045b00010002000009090909", "'::', then a quad"),
    Valid(FULL_QUAD, "fdaa" + "f" * 28, "45 characters, the longest there is"),
    Valid("fdaa:ffff:ffff::", "fdaaffffffff" + "0" * 20, "the largest network ID"),
    # Seen in the field:
    Valid("fdaa:0:18:a7b:196:e274:9ce1:2", "fdaa000000180a7b0196e2749ce10002", "a machine list"),
    Valid("FDAA:0:2ED2:A7B:19C:D9D2:5484:2", "fdaa00002ed20a7b019cd9d254840002", "a header"),
    Valid("fdaa:0:18::3", "fdaa0000001800000000000000000003", "a tunnel's DNS"),
    Valid("fdaa:2:45b:0:1::23", "fdaa0002045b00000001000000000023", "a cross-network one"),
    Valid("fdaa::3:5432", "fdaa0000000000000000000000035432", "a port? it reads as a group"),
)

# --- how an address is printed (RFC 5952, section 4) ----------------------------------------------

PRINTED = (
    # 16 bytes, text, why
    ("fdaa0002045b0a7b0174db43d3c60002", "fdaa:2:45b:a7b:174:db43:d3c6:2", "4.1: no leading zeros"),
    ("fdaa0000000000000000000000000003", "fdaa::3", "4.2.1: as short as it can be"),
    ("fdaa" + "0" * 28, "fdaa::", "4.2.1: to the end"),
    ("fdaa0000000100010001000100010001", "fdaa:0:1:1:1:1:1:1", "4.2.2: not for one group"),
    ("fdaa0001000100010001000100010000", "fdaa:1:1:1:1:1:1:0", "4.2.2: not for the last one"),
    ("fdaa0000000000010000000000000001", "fdaa:0:0:1::1", "4.2.3: the longest run"),
    ("fdaa0000000000000001000000000001", "fdaa::1:0:0:1", "4.2.3: the longest run, first"),
    ("fdaa0000000000010001000000000001", "fdaa::1:1:0:0:1", "4.2.3: the first of two as long"),
    ("fdaa0002045b0000abcd000000000000", "fdaa:2:45b:0:abcd::", "4.2.3: the longest run, last"),
    ("fdaa0002abcd00000000000000000ef0", "fdaa:2:abcd::ef0", "4.3: lower case"),
    ("fdaa000000000000000000000102abcd", "fdaa::102:abcd", "no dotted quad"),
    ("fdaa000000000000000000005efe0102", "fdaa::5efe:102", "no dotted quad, ISATAP-like"),
    ("fdaa00010001000100005efe01020304", "fdaa:1:1:1:0:5efe:102:304", "no dotted quad, ISATAP"),
    ("fdaa0000000000000200" + "5efe01020304", "fdaa::200:5efe:102:304", "the same, 200"),
    ("fdaa" + "f" * 28, "fdaa:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "the longest"),
)

# --- what is no address ---------------------------------------------------------------------------

INVALID = (
    Invalid("", "it is empty", None, "nothing"),
    # Too few, too many, and where "::" cannot stand:
    Invalid("fdaa", "1 of 8 groups, and no '::'", None, "one group"),
    Invalid(FULL[:-5], "7 of 8 groups, and no '::'", None, "seven groups"),
    Invalid("fdaa:1:2:3:1.2.3.4", "only 6 of 8 groups, and no '::'", None, "a quad too early"),
    Invalid(FULL + ":g", "'g' is not a hex digit", 40, "a ninth group"),
    Invalid(FULL + "::", "'::' stands for at least", 34, "eight and '::'"),
    Invalid(FULL + ":", "it ends in a single colon", 39, "eight, a colon"),
    Invalid("::1:2:3:4:5:6:7:8", "too many groups", 15, "'::' for none, first"),
    Invalid("fdaa:1:2:3::4:5:6:7", "too many groups", 17, "'::' for none"),
    Invalid("fdaa:1:2:3:4:5:6::7", "'::' stands for at least", 17, "'::' for none, late"),
    Invalid("fdaa::1:2:3:4:5:6:7", "too many groups", 17, "'::' for none"),
    Invalid("fdaa:1::2:3:4:5:6:", "it ends in a single colon", 17, "seven, '::' and a colon"),
    Invalid("fdaa:1::2:3:4:5:6:7:8", "too many groups", 17, "nine with '::'"),
    Invalid("fdaa::1::2", "'::' may appear only once", 7, "two '::'"),
    Invalid("::fdaa::", "'::' may appear only once", 6, "two '::', first and last"),
    Invalid("fdaa:::1", "expected hex digits, not a colon", 6, "three colons"),
    Invalid(":::", "expected hex digits, not a colon", 2, "only colons"),
    Invalid(":", "expected hex digits, not a colon", 0, "a colon"),
    Invalid(":fdaa::1", "expected hex digits, not a colon", 0, "a colon before"),
    Invalid("fdaa:", "it ends in a single colon", 4, "a colon at the end"),
    Invalid("fdaa::1:", "it ends in a single colon", 7, "a colon behind (ping)"),
    # Groups:
    Invalid("fdaa::00001", "at most 4 hex digits", 10, "five digits"),
    Invalid("0fdaa::1", "at most 4 hex digits", 4, "five digits first"),
    Invalid("12345678::1", "at most 4 hex digits", 4, "eight digits first"),
    Invalid("fdaa::abcde", "at most 4 hex digits", 10, "five hex digits"),
    Invalid("fdaa:12345:1::", "at most 4 hex digits", 9, "five digits between"),
    Invalid("fdaa::65536", "at most 4 hex digits", 10, "five digits, too many for a port"),
    Invalid("fdaa::0x1", "'x' is not a hex digit", 7, "0x"),
    Invalid("fdaa::1g", "'g' is not a hex digit", 7, "g"),
    Invalid("fdaa::G", "'G' is not a hex digit", 6, "G"),
    Invalid("fdaa::X", "'X' is not a hex digit", 6, "X"),
    Invalid("fdaa::+1", "'+' is not a hex digit", 6, "int() takes a sign"),
    Invalid("fdaa::1_1", "'_' is not a hex digit", 7, "int() takes an underscore"),
    Invalid("-fdaa::1", "'-' is not a hex digit", 0, "a minus"),
    Invalid("fdaa-0-0-0-0-0-0-3", "'-' is not a hex digit", 4, "dashes for colons"),
    Invalid("fdaa::1\0", r"'\x00' is not a hex digit", 7, "NUL at the end"),
    Invalid("fdaa\0::1", r"'\x00' is not a hex digit", 4, "NUL inside"),
    Invalid("fdaa::\u0661", r"'\u0661' is not a hex digit", 6, "Arabic 1: isdigit()"),
    Invalid("fdaa::\uff11", r"'\uff11' is not a hex digit", 6, "full-width 1"),
    Invalid("fdaa::\u00b2", r"'\xb2' is not a hex digit", 6, "superscript 2: isdigit()"),
    Invalid("fda\u0430::1", r"'\u0430' is not a hex digit", 3, "Cyrillic a"),
    Invalid("\uff26daa::1", r"'\uff26' is not a hex digit", 0, "full-width F"),
    Invalid("fdaa\uff1a:1", r"'\uff1a' is not a hex digit", 4, "full-width colon"),
    Invalid("fdaa::1\udc80", r"'\udc80' is not a hex digit", 7, "a lone surrogate"),
    Invalid("\ufefffdaa::1", r"'\ufeff' is not a hex digit", 0, "a byte order mark"),
    Invalid("fdaa::1\x1b[0m", r"'\x1b' is not a hex digit", 7, "a colour behind it"),
    Invalid("\x1b[32mfdaa:0:18::3", r"'\x1b' is not a hex digit", 0, "a colour before it"),
    # A dotted quad that is none, or not where one can stand:
    Invalid("10.0.0.1", "an IPv4 address", None, "IPv4"),
    Invalid("999.0.0.1", "'.' is allowed only", 3, "nearly IPv4, and meant to be"),
    Invalid("1.2.3", "'.' is allowed only", 1, "a part of IPv4"),
    Invalid("1.2.3.4.5", "'.' is allowed only", 1, "more than IPv4"),
    Invalid("a.b.c.d", "'.' is allowed only", 1, "a host name of hex digits"),
    Invalid("1.2.3.4::", "'.' is allowed only", 1, "a quad first"),
    Invalid("10.0.0.1:80", "'.' is allowed only", 2, "IPv4 and a port"),
    Invalid("fdaa:1.2.3.4::", "'.' is allowed only", 6, "a quad second"),
    Invalid("fdaa:1:2:3:4:5:6:1.2.3.4", "an address has 8", 16, "a quad eighth"),
    Invalid("fdaa:1:2:3:4::5:1.2.3.4", "'::' stands for at least", 15, "'::' for none, a quad"),
    Invalid("fdaa:1:2:3:4:5::1.2.3.4", "'::' stands for at least", 15, "'::' for none, a quad"),
    Invalid("fdaa.2::1", "'.' is allowed only", 4, "a dot for a colon"),
    Invalid("fdaa::3.53", "between four numbers", 7, "a port behind a dot"),
    Invalid("fdaa::1.2.3", "between four numbers", 7, "three numbers"),
    Invalid("fdaa::1.2.3.", "between four numbers", 7, "three and a dot"),
    Invalid("fdaa::1..2.3", "between four numbers", 7, "an empty number"),
    Invalid("fdaa::1.2.3.256", "between four numbers", 7, "256"),
    Invalid("fdaa::256.2.3.4", "between four numbers", 9, "256 first"),
    Invalid("fdaa::1.2.3.1000", "between four numbers", 7, "1000"),
    Invalid("fdaa::1.2.03.4", "no leading zeros", 7, "a leading zero"),
    Invalid("fdaa::00.2.3.4", "no leading zeros", 8, "two zeros"),
    Invalid("fdaa::1.2.3.a", "between four numbers", 7, "a hex number"),
    Invalid("fdaa::a.2.3.4", "between four numbers", 7, "a hex number first"),
    Invalid("fdaa::1.2x3.4", "between four numbers", 7, "x for a dot"),
    Invalid("fdaa::1.2.3.\u0664", "between four numbers", 7, "Arabic 4"),
    Invalid("fdaa::1.2.3.4.5", "'.' is allowed only", 7, "a fifth"),
    Invalid("fdaa::1.2.3.4a", "'.' is allowed only", 7, "a digit more"),
    Invalid("fdaa::1.2.3.4::", "'.' is allowed only", 7, "'::' behind"),
    Invalid("fdaa::1.2.3.4:", "'.' is allowed only", 7, "a colon behind"),
    Invalid("fdaa::1.2.3.4g", "'.' is allowed only", 7, "a letter behind a quad"),
    # What stands around addresses:
    Invalid("fdaa::1%eth0", "a zone ('%eth0')", 7, "a zone"),
    Invalid("fdaa::1%", "a zone ('%')", 7, "an empty zone"),
    Invalid("fdaa::1%0", "a zone ('%0')", 7, "a zone number"),
    Invalid("fdaa::%1", "a zone ('%1')", 6, "a zone behind '::'"),
    Invalid("fdaa::1.2.3.4%1", "'.' is allowed only", 7, "a zone behind a quad"),
    Invalid("%5Bfdaa::3%5D", "a zone", 0, "percent-encoded brackets"),
    Invalid("[fdaa::1]", "brackets ('[')", 0, "brackets"),
    Invalid("[fdaa::3]:53", "brackets ('[')", 0, "brackets and port"),
    Invalid("fdaa::1]", "brackets (']')", 7, "half of brackets"),
    Invalid("[fdaa:0:and:so:on]:8787", "brackets ('[')", 0, "a placeholder"),
    Invalid("fdaa:0:and:so:on", "'n' is not a hex digit", 8, "a placeholder"),
    Invalid(FULL + ":3000", "a port (':3000')", 39, "eight groups, a port"),
    Invalid(FULL + ":1", "a port (':1')", 39, "the smallest port"),
    Invalid(FULL + ":65535", "a port (':65535')", 39, "the largest port"),
    Invalid(FULL + ":65536", "a group has at most 4 hex digits", 44, "too large a port"),
    Invalid(FULL + ":0", "too many groups: an address has 8", 39, "no port is 0"),
    Invalid("fdaa::3:25565", "a port (':25565')", 7, "five decimal digits"),
    Invalid("fdaa::1.2.3.4:80", "a port (':80')", 13, "a port behind a quad"),
    Invalid("fdaa:2:45b::/48", "a prefix length ('/48')", 12, "a network"),
    Invalid("fdaa:0:18:a7b:d6b:0:a:2/120", "a prefix length ('/120')", 23, "a tunnel's"),
    Invalid("fdaa::1/", "a prefix length ('/')", 7, "a slash"),
    Invalid(" fdaa::1", "white space (' ')", 0, "a space before"),
    Invalid("fdaa::1 ", "white space (' ')", 7, "a space behind"),
    Invalid("fdaa::1\n", r"white space ('\n')", 7, "a line feed: '$' lets it pass"),
    Invalid("fdaa::1\r\n", r"white space ('\r')", 7, "a Windows line end"),
    Invalid("\tfdaa::1", r"white space ('\t')", 0, "a tab"),
    Invalid("fdaa: :1", "white space (' ')", 5, "a space inside"),
    Invalid("fdaa::1\u00a0", r"white space ('\xa0')", 7, "a no-break space"),
    Invalid("fdaa::1\u2028", r"white space ('\u2028')", 7, "a line separator"),
    Invalid("fdaa:3::2 local-name", "white space (' ')", 9, "a hosts file"),
    Invalid("app@fdaa:0:18::2", "'p' is not a hex digit", 1, "a node name"),
    Invalid("fdaa::3#53", "'#' is not a hex digit", 7, "a resolver's port"),
    Invalid("fdaa:0:18::3...", "between four numbers", 12, "dots of a sentence"),
    Invalid("fdaa::1,", "',' is not a hex digit", 7, "a comma of a sentence"),
    Invalid('"fdaa::1"', "'\"' is not a hex digit", 0, "quotes of JSON"),
    Invalid("nfdaa::1", "'n' is not a hex digit", 0, "a cut escape"),
    Invalid("instance=1,ip=fdaa::2", "'i' is not a hex digit", 0, "an instance list"),
    Invalid("postgres://u:p@[fdaa::2]:5432/db", "'p' is not a hex digit", 0, "a URL"),
    Invalid("3." + "0." * 27 + "a.a.d.f.ip6.arpa", "'.' is allowed", 1, "a reverse pointer"),
    # Good IPv6, but not private:
    Invalid("::", OUTSIDE, 0, "the unspecified address"),
    Invalid("::1", OUTSIDE, 0, "this host"),
    Invalid("2001:db8:fdaa::1", OUTSIDE, 0, "fdaa further on"),
    Invalid("fdab::1", OUTSIDE, 0, "the next prefix"),
    Invalid("fda9:ffff::", OUTSIDE, 0, "the prefix before"),
    Invalid("fcaa::1", OUTSIDE, 0, "only aa is right"),
    Invalid("fd::1", OUTSIDE, 0, "00fd"),
    Invalid("::ffff:10.0.0.1", OUTSIDE, 0, "IPv4-mapped"),
    Invalid("::fdaa", OUTSIDE, 0, "fdaa last"),
    Invalid("fe80::1", OUTSIDE, 0, "link-local"),
    Invalid("fe80::1%lo", "a zone ('%lo')", 7, "link-local with a zone"),
    # Longer than any address:
    Invalid(FULL_QUAD + "5", "between four numbers", 33, "46 characters"),
    Invalid(FULL_QUAD + ".", "'.' is allowed only", 33, "46 characters, a dot"),
    Invalid(FULL_QUAD + "\0", "'.' is allowed only", 33, "46 characters, NUL"),
    Invalid("0" * 46, "at most 4 hex digits", 4, "46 digits"),
    Invalid("fdaa::" + "0" * 1000, "at most 4 hex digits", 10, "a thousand zeros"),
    Invalid("fdaa::1" + " " * 1000, "white space (' ')", 7, "a thousand spaces"),
    Invalid("fdaa" + ":0" * 1000, "too many groups", 18, "a thousand groups"),
)
