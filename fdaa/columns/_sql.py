"""The functions of a database, as SQL for its client; or one of them as an expression."""

import re
from types import NoneType

from fdaa import __version__
from fdaa._support.escapes import quote
from fdaa._values.checks import check_type
from fdaa._values.errors import ArgumentError
from fdaa.columns._engines import DIALECTS, ENGINES, IN_SQL, Definitions, Dialect, InSQL

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,31}")
_PATH = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,62}(\.[A-Za-z_][A-Za-z0-9_]{0,62})?")


def sql(
    dialect: Dialect,
    *,
    prefix: str = "fdaa",
    schema: str | None = None,
    temporary: bool | None = None,
    cluster: str | None = None,
    drop: bool = False,
) -> str:
    r"""Return the definitions of functions, as statements for the client of a database.

    | function                    | result                                                     |
    |-----------------------------|------------------------------------------------------------|
    | `fdaa_network_id_int(a)`    | the network ID as a number (specification, section 2.3)    |
    | `fdaa_network_id(a)`        | the network ID as text: `2:45b`                            |
    | `fdaa_same_network(a, b)`   | whether both addresses are on one network                  |
    | `fdaa_prefix(a)`            | the /48 of the network: `fdaa:2:45b::/48`                  |
    | `fdaa_address(a)`           | the address as text, in one spelling (RFC 5952)            |
    | `fdaa_key(a)`               | its 16 bytes, which sort like addresses                    |

    They read texts, and the types of the engine that hold addresses. The result is null for null,
    for what `Address` or `Address.from_bytes` refuses, and for an `inet` with a prefix length under
    48.

    Args:
        dialect: one of `DIALECTS`.
        prefix: the first part of the functions' names, without the underscore.
        schema: the schema or database to create them in, also with its catalog: `my.main`.
        temporary: whether they end with the session. Unless it is said, they do in Spark only.
        cluster: the cluster of ClickHouse to create them on.
        drop: return the statements that drop them instead, the last one first; with the other
            arguments as they were when the functions were created.

    Raises:
        TypeError: an argument has another type.
        fdaa.ArgumentError: there is no definition in this dialect, it does not have one of these,
            or a name is not one.

    >>> statements = sql("spark").split("\n\n")  # for clients that take one at a time
    >>> statements[1].split("(")[0]
    'CREATE OR REPLACE TEMPORARY FUNCTION fdaa_same_network'
    >>> print(sql("duckdb", drop=True).splitlines()[1])
    DROP MACRO IF EXISTS fdaa_address;
    """
    definitions = _definitions(dialect)
    name = dialect.lower()
    if not definitions.has_functions:
        raise ArgumentError(f"{name} has no functions: use --inline COLUMN, or `inline_sql`")
    check_type(prefix, "prefix", str)
    check_type(schema, "schema", str, NoneType)
    check_type(cluster, "cluster", str, NoneType)
    check_type(temporary, "temporary", bool, NoneType)
    check_type(drop, "drop", bool)
    if not _NAME.fullmatch(prefix):
        raise ArgumentError(
            f"prefix {quote(prefix)}: at most 32 letters, digits, '_'; no digit first"
        )
    if temporary is None:
        temporary = definitions.is_temporary
    if temporary and not definitions.temporary:
        raise ArgumentError(f"{name} has no temporary functions")
    on_cluster = ""
    if cluster is not None:
        if not definitions.has_clusters:
            raise ArgumentError(f"{name} has no ON CLUSTER")
        if not _NAME.fullmatch(cluster):
            raise ArgumentError(f"cluster {quote(cluster)}: expected the name of a cluster")
        on_cluster = f" ON CLUSTER {cluster}"  # it may have fdaa_ in its name: filled in last
    first = f"{prefix}_"
    if schema is not None:
        _check_schema(definitions, name, schema, temporary)
        first = f"{_quoted(definitions, schema)}.{first}"
    statements = _dropping(definitions, temporary) if drop else _creating(definitions, temporary)
    comment = "".join(f"-- {line}\n" for line in _comment(dialect, statements).splitlines())
    return comment + statements.replace("fdaa_", first).replace(_PLACE, on_cluster)


def _comment(dialect: str, text: str) -> str:
    """Return where SQL is from, and what the regular expressions in it match."""
    made_by = f"fdaa {__version__}, for {ENGINES[dialect.lower()].title}\n"
    if "[Ff]" in text:
        return made_by + _EXPLAINED
    return made_by


# Without a semicolon and a quote: some clients look for them in comments, too.
_EXPLAINED = """\
A regular expression matches the text of a private address and nothing else (RFC 4291, section 2.2):
fdaa and seven groups of one to four hex digits. A double colon stands for one or more groups of
zeros, and a dotted quad for the last two groups. Each letter has both cases: not all engines have a
flag for that.
"""


def _creating(definitions: Definitions, temporary: bool) -> str:
    create = definitions.temporary if temporary else definitions.permanent
    statements = [
        definitions.creating(function, create, _PLACE) for function in definitions.functions
    ]
    return definitions.comment + "\n".join(statements)


def _dropping(definitions: Definitions, temporary: bool) -> str:
    drop = definitions.drop_temporary if temporary else definitions.drop
    statements = [
        definitions.dropping(function, drop, _PLACE) for function in reversed(definitions.functions)
    ]
    if definitions.in_transaction:
        statements = ["BEGIN;\n", *statements, "COMMIT;\n"]
    return "\n".join(statements)


def _check_schema(definitions: Definitions, name: str, schema: str, temporary: bool) -> None:
    if not definitions.has_schemas:
        raise ArgumentError(f"{name} functions belong to no schema: all databases share them")
    if temporary:
        raise ArgumentError("a temporary function belongs to no schema")
    if not _PATH.fullmatch(schema):
        raise ArgumentError(f"schema {quote(schema)}: expected SCHEMA or CATALOG.SCHEMA")


def _quoted(definitions: Definitions, schema: str) -> str:
    """Return the name of a schema as the database reads it: a reserved word needs quotes."""
    if definitions.folds_case:
        schema = schema.lower()
    mark = definitions.quote
    return ".".join(f"{mark}{part}{mark}" for part in schema.split("."))


def inline_sql(dialect: Dialect, column: str, operation: InSQL = "network_id_int") -> str:
    """Return the expression of one function for a column of text, which calls no other function.

    It is for MariaDB, for users who may not create functions, and for replicas. It begins with a
    comment, and has one to seven kilobytes.

    Args:
        dialect: as in `sql`.
        column: a column, or another expression that is a text; as SQL, so not from a stranger.
        operation: "network_id_int", "network_id", "key", "prefix" or "address".

    Raises:
        TypeError: an argument has another type.
        fdaa.ArgumentError: there is no definition in this dialect, or no such expression.

    >>> inline_sql("mariadb", "ip").splitlines()[1][:40]
    '*/ (CAST(conv(hex(substring((CASE'
    """
    expression = _expression(dialect, column, operation)
    return f"/* {_comment(dialect, expression)}*/ {expression}"


def _expression(dialect: Dialect, column: str, operation: InSQL) -> str:
    definitions = _definitions(dialect)
    check_type(column, "column", str)
    check_type(operation, "operation", str)
    if operation not in IN_SQL:
        raise ArgumentError(f"no expression for {quote(operation)}: use one of {', '.join(IN_SQL)}")
    if not column.strip():
        raise ArgumentError(f"column {quote(column)}: expected a column, or an expression")
    if not column.isprintable():
        raise ArgumentError(f"column {quote(column)}: it has a control character")
    if not _SIMPLE.fullmatch(column):
        column = f"({column})"
    expression = _without_calls(definitions, f"fdaa_{operation}({_PLACE})")
    argument = definitions.argument.replace("{}", column)
    return definitions.filled(expression).replace(_PLACE, argument)


def dbt_macros(dialect: Dialect) -> str:
    """Return the macros of dbt for one file: each is the expression of one function.

    | macro                         | result                                  |
    |-------------------------------|-----------------------------------------|
    | `fdaa_network_id_int(column)` | the network ID as a number              |
    | `fdaa_network_id(column)`     | the network ID as text                  |
    | `fdaa_prefix(column)`         | the /48 of the network                  |
    | `fdaa_address(column)`        | the address in one spelling             |
    | `fdaa_key(column)`            | its 16 bytes                            |

    Args:
        dialect: as in `sql`.

    Raises:
        TypeError, fdaa.ArgumentError: as `sql`, for the dialect.

    >>> dbt_macros("duckdb").count("{% macro ")
    5
    """
    texts = []
    for operation in IN_SQL:
        expression = _expression(dialect, "{{ column }}", operation)
        name = f"fdaa_{operation}"
        texts.append(f"{{% macro {name}(column) %}}\n{expression}\n{{% endmacro %}}\n")
    macros = "\n".join(texts)
    return f"{{#\n{_comment(dialect, macros)}#}}\n\n{macros}"


_SIMPLE = re.compile(r"[\w.]+")
_PLACE = "\0"  # of what is filled in at the end: ON CLUSTER, or a column
_CALL = re.compile(r"(fdaa_\w+)\(")


def _without_calls(definitions: Definitions, expression: str) -> str:
    """Return an expression with those of the functions in the place of their calls."""
    expressions: dict[str, str] = {}
    for function in definitions.functions:  # of several types, the first one is for text
        expressions.setdefault(function.name, function.of_text or function.expression)
    parameter = re.compile(rf"(?<!\w){re.escape(definitions.parameter)}(?!\w)")
    parts = []
    at = 0
    while call := _CALL.search(expression, at):
        parts.append(expression[at : call.start()])
        at = _end_of_call(expression, call.end())
        argument = _without_calls(definitions, expression[call.end() : at - 1])
        called = parameter.sub(argument.replace("\\", r"\\"), expressions[call[1]])
        parts.append(f"({_without_calls(definitions, called)})")
    parts.append(expression[at:])
    return "".join(parts)


def _end_of_call(expression: str, start: int) -> int:
    """Return where the parentheses of a call end; there is no string in them."""
    depth = 1
    while depth:
        depth += {"(": 1, ")": -1}.get(expression[start], 0)
        start += 1
    return start


def _definitions(dialect: Dialect) -> Definitions:
    check_type(dialect, "dialect", str)
    engine = ENGINES.get(dialect.lower())
    if engine is None:
        raise ArgumentError(f"unknown dialect {quote(dialect)}: use one of {', '.join(DIALECTS)}")
    if engine.definitions is None:
        raise ArgumentError(f"{engine.title} has no definitions in SQL: {engine.use}")
    return engine.definitions
