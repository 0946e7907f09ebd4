"""What is found of the forms without colons, and why: percent escapes, tuples, reverse pointers."""

from __future__ import annotations

EIGHT = "fdaa:1:2:3:4:5:6:7"
ENCODED = EIGHT.replace(":", "%3A")
POINTER = "2.0.0.0.6.c.3.d.3.4.b.d.4.7.1.0.b.7.a.0.b.5.4.0.2.0.0.0.a.a.d.f.ip6.arpa"

# text, what is found in it, why
OTHER_FORMS: tuple[tuple[str, list[str], str], ...] = (
    # --- percent escapes ---
    (
        "GET /?u=http%3A%2F%2F%5Bfdaa%3A2%3a45b%3A%3A3%5D%3A80%2F&ip=FDAA%3A%3A3 200",
        ["fdaa%3A2%3a45b%3A%3A3", "FDAA%3A%3A3"],
        "an access log",
    ),
    ("peer%3Afdaa%3A%3A1%3A x a.c%3A12%3Afdaa%3A%3A2", ["fdaa%3A%3A1", "fdaa%3A%3A2"], "in front"),
    ("12%3Afdaa%3A%3A1\n12:34%3Afdaa%3A%3A1", ["fdaa%3A%3A1"], "a line number, and two"),
    ("2001%3A470%3Afdaa%3A%3A1 db8:fdaa%3A%3A1 %5Bcafe%3Afdaa%3A%3A1", [], "a part of another"),
    ("xfdaa%3A%3A1 fdaa%3A%3A1g fdaa%3A%3A1%3A%3A2 fdaa%3Aerror fdaa%3A", [], "no address"),
    ("fdaa%253A%253A1 fdaa%3B%3A1 fdaa%3%3A1 fdaa:0%3A18%3A%3A3", [], "other escapes"),
    ("fdaa%3A2:45b::3 fdaa%3A%3A1:25565", ["fdaa%3A2:45b::3", "fdaa%3A%3A1"], "colons, too"),
    (
        f"fdaa%3A1%3A2%3A3%3A4%3A5%3A6%3A7%3A80 fdaa%3A%3A3%3A25565 db:{ENCODED}",
        [ENCODED, "fdaa%3A%3A3", ENCODED],
        "a port; nine groups",
    ),
    ("fdaa%3A%3A1.2.3.4 fdaa%3A%3A1.2.3.4%3A80", ["fdaa%3A%3A1.2.3.4"] * 2, "a dotted quad"),
    (
        "fdaa%3A0%3A18%3A%3A%2F48 fdaa%3A0%3A18%3A%3A/64 fdaa%3A0%3A18%3A%3A2%2f64 fdaa%3A%3A%2F16",
        ["fdaa%3A0%3A18%3A%3A%2F48", "fdaa%3A0%3A18%3A%3A/64", "fdaa%3A0%3A18%3A%3A2"],
        "prefixes",
    ),
    ("fdaa%3A" + "1%3A" * 246 + "123456%3Afdaa%3A%3A2", [], "a run of 500"),
    # --- tuples of Erlang and Elixir ---
    (
        "{error,{64938,2,1115,2683,372,56131,54214,2}} {64938, 0, 24, 0, 0, 0, 0, 3}",
        ["{64938,2,1115,2683,372,56131,54214,2}", "{64938, 0, 24, 0, 0, 0, 0, 3}"],
        "Erlang, Elixir",
    ),
    (
        "{ 64938 , 7 , 26 , 2683 , 17 , 0 , 0 , 2 } {64938 ,2,3,4,5,6,7,8 }",
        ["{ 64938 , 7 , 26 , 2683 , 17 , 0 , 0 , 2 }", "{64938 ,2,3,4,5,6,7,8 }"],
        "spaces in a tuple",
    ),
    (
        "{{64938,2,1,2,3,4,5,6},5432} x{64938,0,0,0,0,0,0,3}y",
        ["{64938,2,1,2,3,4,5,6}", "{64938,0,0,0,0,0,0,3}"],
        "inside a tuple, and between letters",
    ),
    (
        "{64938,65535,65535,65535,65535,65535,65535,65535}",
        ["{64938,65535,65535,65535,65535,65535,65535,65535}"],
        "the largest groups",
    ),
    (
        "{64938,65536,0,0,0,0,0,1} {64938,1,2,3,4,5,6} {64938,1,2,3,4,5,6,7,8} "
        "{64938,01,2,3,4,5,6,7}",
        [],
        "no group, too few, too many, a zero in front",
    ),
    (
        "{64937,2,3,4,5,6,7,8} 64938,2,3,4,5,6,7,8} {64938,2,3,4,5,6,7,8 {64938,\n2,3,4,5,6,7,8} "
        "{64938,  2,3,4,5,6,7,8} {64938  ,2,3,4,5,6,7,8} {64938,2,3,4,5,6,7,8  } "
        "{  64938,2,3,4,5,6,7,8} {\t64938,2,3,4,5,6,7,8} {64938,2 3,4,5,6,7,8} "
        "{64938,,3,4,5,6,7,8}",
        [],
        "no tuple of an address",
    ),
    # --- reverse pointers ---
    (
        f"query: PTR? {POINTER}. (90), name:{POINTER}:{POINTER.upper()}",
        [POINTER, POINTER, POINTER.upper()],
        "a resolver's log",
    ),
    (f"{POINTER}: x {POINTER}... {POINTER}, [{POINTER}]", [POINTER] * 4, "what stands behind"),
    (
        f"{POINTER}x {POINTER}.example {POINTER}1 {POINTER}_ {POINTER}é {POINTER}.é",
        [],
        "a part of a longer name",
    ),
    (f"a.{POINTER} a{POINTER} -{POINTER} _{POINTER} é{POINTER}", [], "also in front"),
    (f"{POINTER[2:]} {POINTER[64:]} {'1' + POINTER[1:55]}..{POINTER[57:]}", [], "no whole address"),
    (f"fdaa::{POINTER} {POINTER}", ["fdaa::2.0.0.0", POINTER], "inside a run"),
    (f"fdaa:0:18::/4{POINTER} fdaa::/{POINTER}", ["fdaa:0:18::", POINTER], "after a length"),
    (f"{POINTER}.fdaa:2:45b::7 {POINTER}.fdaa:", [POINTER, "fdaa:2:45b::7"], "no label"),
    (f"fdaa%3A%3A1%2F{POINTER}", ["fdaa%3A%3A1", POINTER], "an encoded slash"),
    (f"{POINTER}.fdaa%3A%3A1 {POINTER}.fdaa%3A", [POINTER, "fdaa%3A%3A1"], "encoded, no label"),
)
