"""What is known of an engine: its record, and the words that all engines have in common."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal, TypeAlias, get_args

from fdaa._values.text import MAX_LENGTH
from fdaa.columns._grammar import ADDRESS, QUAD, ZERO


class Operation(StrEnum):
    """The vocabulary: what every engine does, or has a reason not to."""

    NETWORK_ID_INT = "network_id_int"
    NETWORK_ID = "network_id"
    ADDRESS = "address"
    KEY = "key"
    SAME_NETWORK = "same_network"
    PREFIX = "prefix"
    FIND = "find"
    PSEUDONYMIZE = "pseudonymize"
    REVEAL = "reveal"
    REFUSALS = "refusals"


class Use(StrEnum):
    """Where an expression can stand in a database."""

    AGGREGATE = "aggregate as argument"
    WINDOW = "window as argument"
    LAMBDA = "lambda over a list"
    VIEW = "view"
    GENERATED = "generated column"
    CHECK = "`CHECK`"
    INDEX = "index"
    PARAMETER = "parameter of a prepared statement"
    ELSEWHERE = "from another database or schema"
    PERMANENT = "permanent function"


# The engines with functions or expressions in SQL.
Dialect: TypeAlias = Literal["clickhouse", "duckdb", "mariadb", "postgresql", "spark"]
DIALECTS: tuple[Dialect, ...] = get_args(Dialect)
# What SQL has an expression for, of one address.
InSQL: TypeAlias = Literal["network_id_int", "network_id", "prefix", "address", "key"]
IN_SQL: tuple[InSQL, ...] = get_args(InSQL)
# What SQL alone cannot do: it needs the parser, the scanner or the key.
IN_PYTHON = (Operation.FIND, Operation.PSEUDONYMIZE, Operation.REVEAL, Operation.REFUSALS)


@dataclass(frozen=True, slots=True)
class Function:
    """A function of a database.

    Args:
        name: begins with `fdaa_`.
        expression: its result, which calls only functions before this one. `{address}`, `{zero}`
            and `{quad}` are the grammar, and `{longest}` is the length of the longest address.
        parameters: those of the statement.
        returns: the type of the result, where the statement has it.
        statement: creates it, if it does not have the form of the others.
        of_text: the result for a text alone, where that is shorter: an expression without functions
            is made of it.
    """

    name: str
    expression: str
    parameters: str = "ip"
    returns: str = ""
    statement: str = ""
    of_text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Definitions:
    """The functions of a database, in its SQL.

    Args:
        functions: in an order in which they can be created.
        has_functions: whether they are created at all, or only expressions are made of them.
        statement: creates a function, with its values and `{create}` and `{on_cluster}`.
        comment: stands before the first one.
        in_transaction: whether they are dropped all together or not at all.
        argument: a column in an expression without functions, as a parameter would take it.
        parameter: what a parameter is called in an expression.
        end: the end of the text in a regular expression. Its start is `^` everywhere, and there is
            no backslash, as what that means depends on a setting in most databases.
        permanent, temporary: begin a statement for a function that stays, or that ends with the
            session; empty where there are none.
        drop, drop_temporary: begin a statement that drops one.
        is_temporary: whether the functions are temporary unless asked for otherwise.
        has_schemas: whether a function can be created in a schema or database by its name.
        quote: stands before and after the name of a schema, which can be a reserved word.
        folds_case: whether the database reads a name without quotes as lower case.
        has_clusters: whether a statement can be for a cluster.
        has_overloads: whether several functions have one name, and are dropped by their types.
    """

    functions: tuple[Function, ...]
    statement: str = ""
    has_functions: bool = True
    comment: str = ""
    in_transaction: bool = False
    argument: str = "{}"
    parameter: str = "ip"
    end: str = "$"
    permanent: str = "CREATE OR REPLACE FUNCTION"
    temporary: str = ""
    drop: str = "DROP FUNCTION"
    drop_temporary: str = ""
    is_temporary: bool = False
    has_schemas: bool = True
    quote: str = "`"
    folds_case: bool = False
    has_clusters: bool = False
    has_overloads: bool = False

    def creating(self, function: Function, create: str, on_cluster: str) -> str:
        """Return the statement that creates a function."""
        marks = {
            "{create}": create,
            "{name}": function.name,
            "{on_cluster}": on_cluster,
            "{parameters}": function.parameters,
            "{returns}": function.returns,
            "{expression}": self.filled(function.expression),
        }
        text = function.statement or self.statement
        for mark, replacement in marks.items():
            text = text.replace(mark, replacement)
        return f"{text};\n"

    def dropping(self, function: Function, drop: str, on_cluster: str) -> str:
        """Return the statement that drops a function."""
        types = f"({function.parameters})" if self.has_overloads else ""
        return f"{drop} IF EXISTS {function.name}{types}{on_cluster};\n"

    def filled(self, expression: str) -> str:
        """Return an expression with the grammar in it."""
        marks = {
            "{longest}": str(MAX_LENGTH),
            "{address}": self._literal(ADDRESS),
            "{zero}": self._literal(ZERO),
            "{quad}": self._literal(rf"\A{QUAD}\z"),
        }
        for mark, replacement in marks.items():
            expression = expression.replace(mark, replacement)
        return expression

    def _literal(self, expression: str) -> str:
        """Return a regular expression of the grammar as a string of SQL."""
        body = expression.removeprefix(r"\A").removesuffix(r"\z")
        return f"'^(?:{body}){self.end}'"


# Nothing follows, also no line feed: `$` alone matches in front of one in these libraries.
END_IN_JAVA = END_IN_PCRE = "(?![^:]|:)"


AS_TEXT = "read as text"


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """An engine.

    Args:
        name: its name for `fdaa sql`, for its module, and for the tests that start it.
        title: its name in documents, with the oldest version.
        use: how its functions are reached, in Markdown.
        extra: the extra of fdaa that it needs with Python.
        types: its types that hold addresses, besides text, in Markdown.
        other_bytes: what bytes that are not the 16 of an address are, where an address is wanted.
        of_number, of_list: what a number or a list gives, which are no addresses: null or an error.
        network_id_int: its type of a network ID as a number.
        key: its type of a key.
        missing: the operations that it has not -> why.
        refused: the uses that it refuses -> what to do instead, in Markdown; '' for nothing.
        caveats: the uses that it accepts without the effect that users expect -> what happens.
        definitions: its SQL.
    """

    name: str
    title: str
    use: str
    extra: str = ""
    types: tuple[str, ...] = ()
    other_bytes: str = "null"
    of_number: str = "null"
    of_list: str = "null"
    network_id_int: str
    key: str
    missing: dict[Operation, str] = field(default_factory=dict)
    refused: dict[Use, str] = field(default_factory=dict)
    caveats: dict[Use, str] = field(default_factory=dict)
    definitions: Definitions | None = None
