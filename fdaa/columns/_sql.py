"""Expressions over a column of a database, and the functions that are made of them."""

import re
from types import NoneType

from fdaa import __version__
from fdaa._support.escapes import quote
from fdaa._values.checks import check_type
from fdaa._values.errors import ArgumentError
from fdaa.columns._engines import (
    DIALECTS,
    ENGINES,
    OPERATIONS,
    Dialect,
    Engine,
    Operation,
)


def sql(dialect: "Dialect", *, temporary: bool | None = None, drop: bool = False) -> str:
    r"""Return the definitions of functions, as statements for the client of a database.

    | function                 | result                                                     |
    |--------------------------|------------------------------------------------------------|
    | `fdaa_network_id_int(a)` | the network ID as a number (specification, section 2.3)    |
    | `fdaa_network_id(a)`     | the network ID as text: `2:45b`                            |
    | `fdaa_address(a)`        | the address as text, in one spelling (RFC 5952)            |
    | `fdaa_key(a)`            | its 16 bytes, which sort like addresses                    |

    They read texts, and the types of the database that hold addresses. The result is null for null,
    for what `Address` or `Address.from_bytes` refuses, and for an `inet` with a prefix length under
    48.

    Args:
        dialect: one of `DIALECTS`, but "sqlite", which has expressions only.
        temporary: whether they end with the session. The default is true in Spark only.
        drop: return the statements that drop them instead, with `temporary` as it was.

    Raises:
        TypeError: an argument has another type.
        fdaa.ArgumentError: unknown dialect, or it has no such functions.

    >>> statements = sql("spark").split("\n\n")  # for clients that take one at a time
    >>> statements[1].split("(")[0]
    'CREATE OR REPLACE TEMPORARY FUNCTION fdaa_network_id'
    >>> print(sql("duckdb", drop=True).splitlines()[1])
    DROP MACRO IF EXISTS fdaa_network_id_int;
    """
    engine = _engine(dialect)
    check_type(temporary, "temporary", bool, NoneType)
    check_type(drop, "drop", bool)
    if not engine.functions:
        raise ArgumentError(f"{engine.title} has no functions in SQL: use `inline_sql`")
    if temporary is None:
        temporary = engine.is_temporary
    if temporary and not engine.temporary:
        raise ArgumentError(f"{engine.title} has no temporary functions")
    word = ""
    if temporary:
        word = engine.temporary
    if drop:
        return _commented(engine, "") + _dropping(engine, word)
    return _commented(engine, f"{_MATCHED}\n{engine.note}") + _creating(engine, word)


def _creating(engine: Engine, temporary: str) -> str:
    statements = []
    for function in engine.functions:
        statement = engine.create.format(
            temporary=temporary,
            name=function.name,
            returns=function.returns,
            expression=function.expression,
        )
        statements.append(f"{statement};\n")
    return "\n".join(statements)


def _dropping(engine: Engine, temporary: str) -> str:
    names = [function.name for function in engine.functions]
    if engine.drops_all:
        names = [", ".join(names)]
    statements = [engine.drop.format(temporary=temporary, name=name) for name in names]
    return ";\n\n".join(statements) + ";\n"


# Without a semicolon and a quote: some clients look for them in comments, too.
_MATCHED = """\
A regular expression matches the text of a private address and nothing else (RFC 4291, section 2.2):
fdaa and seven groups of one to four hex digits. A double colon stands for one or more groups of
zeros, and a dotted quad for the last two groups. Each letter has both cases: not all engines have a
flag for that."""


def _commented(engine: Engine, text: str) -> str:
    """Return where statements are from, and a text, as comments."""
    lines = [f"fdaa {__version__}, for {engine.title}", *text.splitlines()]
    return "".join(f"-- {line}\n" for line in lines if line)


def inline_sql(dialect: "Dialect", column: str, operation: "Operation" = "network_id_int") -> str:
    """Return an expression over a column, which calls no function of fdaa.

    It is for users who may not create functions, for replicas, and for SQLite. It begins with a
    comment that says which types it reads, and has one to seven kilobytes.

    Args:
        dialect: one of `DIALECTS`.
        column: a column, or another expression; as SQL, so not from a stranger.
        operation: one of `OPERATIONS`.

    Raises:
        TypeError: an argument has another type.
        fdaa.ArgumentError: unknown dialect or operation, or `column` is empty or has a control
            character.

    >>> inline_sql("postgresql", "ip").splitlines()[1][:90]
    'Reads text only: for inet or bytea it is an error. */ (CASE WHEN octet_length(ip) <= 45 AN'
    """
    engine = _engine(dialect)
    check_type(column, "column", str)
    check_type(operation, "operation", str)
    if operation not in OPERATIONS:
        raise ArgumentError(
            f"no expression for {quote(operation)}: use one of {', '.join(OPERATIONS)}"
        )
    if not column.strip():
        raise ArgumentError(f"column {quote(column)}: expected a column, or an expression")
    if not column.isprintable():
        raise ArgumentError(f"column {quote(column)}: it has a control character")
    if not re.fullmatch(r"[\w.]+", column):
        column = f"({column})"
    made_by = f"fdaa {__version__}, for {engine.title}: {operation}.\nReads {engine.reads}."
    return f"/* {made_by} */ ({engine.expressions[operation](column)})"


def _engine(dialect: Dialect) -> Engine:
    check_type(dialect, "dialect", str)
    engine = ENGINES.get(dialect.lower())
    if engine is None:
        raise ArgumentError(f"unknown dialect {quote(dialect)}: use one of {', '.join(DIALECTS)}")
    return engine
