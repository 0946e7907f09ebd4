"""What a database needs: an expression for each operation, and the statements that keep one."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

# The engines with expressions in SQL.
Dialect: TypeAlias = Literal["clickhouse", "duckdb", "postgresql", "spark", "sqlite"]
DIALECTS: tuple[Dialect, ...] = get_args(Dialect)
# What SQL can return for an address.
Operation: TypeAlias = Literal["network_id_int", "network_id", "address", "key"]
OPERATIONS: tuple[Operation, ...] = get_args(Operation)

# Operation -> the expression for a column.
Expressions: TypeAlias = Mapping[Operation, Callable[[str], str]]


@dataclass(frozen=True, slots=True)
class Function:
    """A function of a database.

    Args:
        name: its name; in PostgreSQL, with the type of the parameter.
        expression: its body.
        returns: the type of the result, where the statement has it.
    """

    name: str
    expression: str
    returns: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """A database.

    Args:
        title: its name in documents, with the oldest version.
        reads: what an expression reads, for the comment before it.
        expressions: operation -> its expression over a column of the types in `reads`.
        functions: those that it can create; none if it has no functions in SQL.
        create: the statement for one, with `{temporary}` and the fields of a `Function`.
        drop: the statement that drops one, with `{temporary}` and `{name}`.
        temporary: the word for functions that end with the session; empty if it has none.
        is_temporary: whether functions are temporary unless asked for otherwise.
        drops_all: whether one statement drops all functions or, if one is in use, none.
        note: a sentence on the use of the functions, for the comment before them.
    """

    title: str
    reads: str
    expressions: Expressions
    functions: tuple[Function, ...] = ()
    create: str = ""
    drop: str = "DROP {temporary}FUNCTION IF EXISTS {name}"
    temporary: str = ""
    is_temporary: bool = False
    drops_all: bool = False
    note: str = ""


def functions_of(expressions: Expressions) -> tuple[Function, ...]:
    """Return the functions of a database that does not ask for types."""
    return tuple(Function(f"fdaa_{name}", make("ip")) for name, make in expressions.items())


def literal(expression: str, end: str = "$") -> str:
    r"""Return a regular expression of the grammar as a string of SQL.

    It has no backslash, as what that means depends on a setting in most databases.

    Args:
        expression: between `\A` and `\z`.
        end: the end of the text. The start is `^` everywhere.
    """
    body = expression.removeprefix(r"\A").removesuffix(r"\z")
    return f"'^(?:{body}){end}'"


# The first of the longest runs of zeros, of two to seven groups, and what is in front of it, for
# databases that do not write an address as RFC 5952, section 4, wants it. An earlier alternative
# wins wherever it matches, so a longer run wins, and of those the first one. Each group has a colon
# after it.
LONGEST_RUN = "^(?:" + "|".join(f"(.*?)(?::0){{{groups}}}:" for groups in range(7, 1, -1)) + ")"
