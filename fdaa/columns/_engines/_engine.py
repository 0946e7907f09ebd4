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
    """A function of a database: the expression of a operation, under a name.

    Args:
        operation: what it returns; its name is `fdaa_` and the operation.
        expression: its body, over its parameter.
        parameter: the parameter, with its type where the statement has it.
        returns: the type of the result, where the statement has it.
    """

    operation: Operation
    expression: str
    parameter: str = "ip"
    returns: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """A database.

    Args:
        title: its name in documents, with the oldest version.
        reads: what an expression reads, for the comment before it.
        expressions: operation -> its expression over a column of the types in `reads`.
        functions: those that it can create; none if it has no functions in SQL.
        statement: creates a function, with `{create}` and the fields of a `Function`.
        create, create_temporary: begin a statement for a function that stays, or that ends with
            the session; empty where there are none.
        drop, drop_temporary: begin a statement that drops one.
        is_temporary: whether functions are temporary unless asked for otherwise.
        has_overloads: whether several functions have one name, and are dropped by their types.
        note: a sentence on the use of the functions, for the comment before them.
    """

    title: str
    reads: str
    expressions: Expressions
    functions: tuple[Function, ...] = ()
    statement: str = ""
    create: str = "CREATE OR REPLACE FUNCTION"
    create_temporary: str = ""
    drop: str = "DROP FUNCTION"
    drop_temporary: str = ""
    is_temporary: bool = False
    has_overloads: bool = False
    note: str = ""


def untyped_functions(expressions: Expressions) -> tuple[Function, ...]:
    """Return the functions of a database that does not ask for types."""
    return tuple(Function(operation, expressions[operation]("ip")) for operation in OPERATIONS)


def literal(expression: str, end: str = "$") -> str:
    r"""Return a regular expression of the grammar as a string of SQL.

    It has no backslash, as what that means depends on a setting in most databases.

    Args:
        expression: between `\A` and `\z`.
        end: the end of the text. The start is `^` everywhere.
    """
    body = expression.removeprefix(r"\A").removesuffix(r"\z")
    return f"'^(?:{body}){end}'"
