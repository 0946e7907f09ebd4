"""The functions of a database, as SQL for its client."""

import re
from enum import StrEnum

from fdaa._escapes import quote
from fdaa.columns._engines import ENGINES, Definitions


class Dialect(StrEnum):
    """The dialects of SQL that have definitions."""

    CLICKHOUSE = "clickhouse"
    DUCKDB = "duckdb"
    MARIADB = "mariadb"
    POSTGRESQL = "postgresql"
    SPARK = "spark"


_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,31}")
_PATH = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,62}(\.[A-Za-z_][A-Za-z0-9_]{0,62})?")


def sql(
    dialect: str,
    *,
    prefix: str = "fdaa",
    schema: str | None = None,
    temporary: bool | None = None,
    cluster: str | None = None,
) -> str:
    r"""Return the definitions of functions, as statements for the client of a database.

    | function                  | result                                                     |
    |---------------------------|------------------------------------------------------------|
    | `fdaa_network_id(a)`      | the network ID as a number (specification, section 2.3)    |
    | `fdaa_network(a)`         | the network ID as text: `2:45b`                            |
    | `fdaa_same_network(a, b)` | whether both addresses are on one network                  |
    | `fdaa_prefix(a)`          | the /48 of the network: `fdaa:2:45b::/48`                  |
    | `fdaa_address(a)`         | the address as text, in one spelling (RFC 5952)            |
    | `fdaa_key(a)`             | its 16 bytes, which sort like addresses                    |

    They read texts, and the types of the engine that hold addresses. The result is null for null,
    for what `Address` or `Address.from_bytes` refuses, and for an `inet` with a prefix length under
    48.

    Args:
        dialect: a `Dialect` or its name, in any case.
        prefix: the first part of the functions' names, without the underscore.
        schema: the schema or database to create them in, also with its catalog: `my.main`.
        temporary: whether they end with the session. Unless it is said, they do in Spark only.
        cluster: the cluster of ClickHouse to create them on.

    Raises:
        TypeError: `dialect` is not a `str`.
        ValueError: there is no definition in this dialect, it does not have one of these, or a
            name is not one.

    >>> statements = sql("spark").split("\n\n")  # for clients that take one at a time
    >>> statements[1].split("(")[0]
    'CREATE OR REPLACE TEMPORARY FUNCTION fdaa_same_network'
    """
    definitions = _definitions(dialect)
    name = dialect.lower()
    if not _NAME.fullmatch(prefix):
        raise ValueError(f"prefix {quote(prefix)}: at most 32 letters, digits, '_'; no digit first")
    create = _create(definitions, name, temporary)
    on_cluster = ""
    if cluster is not None:
        if not definitions.has_clusters:
            raise ValueError(f"{name} has no ON CLUSTER")
        if not _NAME.fullmatch(cluster):
            raise ValueError(f"cluster {quote(cluster)}: expected the name of a cluster")
        on_cluster = f" ON CLUSTER {cluster}"
    first = f"{prefix}_"
    if schema is not None:
        _check_schema(definitions, name, schema, create)
        first = f"{_quoted(definitions, schema)}.{first}"
    return definitions.statements(create, on_cluster).replace("fdaa_", first)


def _create(definitions: Definitions, name: str, temporary: bool | None) -> str:
    """Return the words that begin a statement."""
    if temporary is None:
        temporary = definitions.is_temporary
    if not temporary:
        return definitions.permanent
    if not definitions.temporary:
        raise ValueError(f"{name} has no temporary functions")
    return definitions.temporary


def _check_schema(definitions: Definitions, name: str, schema: str, create: str) -> None:
    if not definitions.has_schemas:
        raise ValueError(f"{name} functions belong to no schema: all databases share them")
    if create == definitions.temporary:
        raise ValueError("a temporary function belongs to no schema")
    if not _PATH.fullmatch(schema):
        raise ValueError(f"schema {quote(schema)}: expected SCHEMA or CATALOG.SCHEMA")


def _quoted(definitions: Definitions, schema: str) -> str:
    """Return the name of a schema as the database reads it: a reserved word needs quotes."""
    if definitions.folds_case:
        schema = schema.lower()
    mark = definitions.quote
    return ".".join(f"{mark}{part}{mark}" for part in schema.split("."))


def drop_sql(
    dialect: str,
    *,
    prefix: str = "fdaa",
    schema: str | None = None,
    temporary: bool | None = None,
    cluster: str | None = None,
) -> str:
    """Return the statements that drop the functions of `sql`, the last one first.

    Args:
        dialect, prefix, schema, temporary, cluster: as they were given to `sql`.

    Raises:
        TypeError, ValueError: as `sql`.

    >>> print(drop_sql("duckdb").splitlines()[0])
    DROP MACRO IF EXISTS fdaa_address;
    """
    text = sql(dialect, prefix=prefix, schema=schema, temporary=temporary, cluster=cluster)
    name = r"[\w.`\"]+"
    if _definitions(dialect).has_overloads:
        name += r"\([^)]*\)"
    created = re.compile(rf"^CREATE OR REPLACE ([A-Z ]+) ({name})( ON CLUSTER \w+)?", re.MULTILINE)
    drops = []
    for kind, function, on_cluster in reversed(created.findall(text)):
        kind = kind.removeprefix("TEMP ")  # DuckDB drops the temporary one first
        drops.append(f"DROP {kind} IF EXISTS {function}{on_cluster};\n")
    return "\n".join(drops)


def _definitions(dialect: str) -> Definitions:
    if not isinstance(dialect, str):
        raise TypeError(f"expected the name of a dialect, got {type(dialect).__name__}")
    engine = ENGINES.get(dialect.lower())
    if engine is None:
        raise ValueError(f"unknown dialect {quote(dialect)}: use one of {', '.join(Dialect)}")
    if engine.definitions is None:
        raise ValueError(f"{engine.title} has no definitions in SQL: {engine.use}")
    return engine.definitions
