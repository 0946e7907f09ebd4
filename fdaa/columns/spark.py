"""All functions for a session of Spark: those of `fdaa sql spark`, and those that need Python.

    from fdaa.columns.spark import register
    register(spark)
    spark.sql("SELECT fdaa_network_id('fdaa:2:45b::3'), fdaa_refusals('fdaa::g')").show()

The functions in SQL need nothing on the executors. For the others, their Python (`PYSPARK_PYTHON`)
needs pyarrow and fdaa: `--py-files` with the wheel, named `.zip`, brings fdaa.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from fdaa._support.exports import publish
from fdaa._support.extras import needs_package
from fdaa._values.bits import ADDRESS_BYTES
from fdaa._values.checks import wrong_type
from fdaa.columns import arrow
from fdaa.columns._sql import sql
from fdaa.scan import Pseudonyms

with needs_package("fdaa.columns.spark", "pyspark"):
    import pyarrow as pa  # it is there: `arrow` has it
    import pyarrow.compute as pc
    from pyspark.sql import SparkSession
try:
    from pyspark.sql.functions import arrow_udf
except ImportError:
    raise ImportError(
        "fdaa.columns.spark needs Spark 4.1 or later; `fdaa sql spark` needs 4.0, with --inline 3.5"
    ) from None

__all__ = ["register"]

_FOUND = (
    "array<struct<kind:string, address:string, network_id:string, network_id_int:bigint,"
    " prefix:string, start:bigint>>"
)


def register(session: SparkSession, *, pseudonyms: Pseudonyms | None = None) -> None:
    """Add the functions to a session, until it ends.

    | function                  | result                                                         |
    |---------------------------|----------------------------------------------------------------|
    | those of `fdaa sql`       | temporary functions in SQL, which need no Python               |
    | `fdaa_refusals(a)`        | why it is not an address                                       |
    | `fdaa_find(a)`            | an array of the addresses in a text, as `find_addresses` does  |
    | `fdaa_pseudonymize(text)` | the text with pseudonyms for addresses                         |

    Args:
        session: a session of Spark 4.1 or later.
        pseudonyms: the secret for the last one, which is not there without. It is sent to the
            workers, with what is made of the secret.

    Raises:
        TypeError: `session` is not a session of Spark.
    """
    if not hasattr(session, "udf"):
        raise wrong_type(session, "session", "a Spark session")
    for statement in sql("spark", temporary=True).split("\n\n"):
        session.sql(statement)
    _create(session, "fdaa_refusals", _refusals, "string")
    _create(session, "fdaa_find", arrow.find, _FOUND)
    if pseudonyms is not None:
        _create(session, "fdaa_pseudonymize", partial(_hidden, pseudonyms), "string")


def _create(session: SparkSession, name: str, function: Callable[[Any], Any], result: str) -> None:
    def batch(values: pa.Array) -> pa.Array:  # Spark reads the types
        return function(values)

    session.udf.register(name, arrow_udf(batch, result))


def _refusals(values: Any) -> Any:
    """Return why values are no addresses; `BINARY` may be text, as in the functions of SQL."""
    of_values = arrow.refusals(values)
    if not (pa.types.is_binary(values.type) or pa.types.is_large_binary(values.type)):
        return of_values
    of_texts = arrow.refusals(values.cast(pa.large_binary()).cast(pa.large_string(), safe=False))
    is_packed = pc.equal(pc.binary_length(values), ADDRESS_BYTES)
    is_neither = pc.and_(is_packed, of_texts.is_valid())
    return pc.if_else(is_neither, of_values, of_texts)


def _hidden(pseudonyms: Pseudonyms, values: Any) -> Any:
    """Return texts with pseudonyms; the result is a text, so it has no place for bytes."""
    if values.type not in (pa.string(), pa.large_string(), pa.null()):
        raise TypeError(f"expected STRING, got {values.type}: use fdaa_address(a) first")
    return arrow.pseudonymize(values, pseudonyms)


publish(__name__)
del publish
