r"""Many addresses at once: the columns of an engine, each with one vocabulary.

`sql` defines the functions of a database. The engines of Python have a module each:
`fdaa.columns.arrow`, `fdaa.columns.pandas`, `fdaa.columns.polars` and `fdaa.columns.sqlite`; and
`fdaa.columns.duckdb` and `fdaa.columns.spark` add what SQL alone cannot do.

`ADDRESS` and `ZERO` are the grammar of a private address as two regular expressions, for other
engines. These need `\A` and `\z`, the ends of the text. Python before 3.14 writes `\Z` for `\z`;
where there are neither, `^` and `$` do if `$` does not match in front of a last line feed. What
follows from a match is in the guide.

>>> import re
>>> bool(re.search(ADDRESS.replace(r"\z", r"\Z"), "fdaa:2:45b::3"))
True
"""

from fdaa._public import publish as _publish
from fdaa.columns._grammar import ADDRESS, ZERO
from fdaa.columns._sql import Dialect, drop_sql, sql

__all__ = ["ADDRESS", "ZERO", "Dialect", "drop_sql", "sql"]

_publish(__name__)
