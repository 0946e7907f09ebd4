r"""Many addresses at once: the network IDs of a column, in the engine that holds it.

`ADDRESS` and `ZERO` are the grammar of a private address as two regular expressions, `sql` defines
the functions of a database by them. The engines of Python have a module each: `fdaa.columns.arrow`
(and pandas through it), `fdaa.columns.polars` and `fdaa.columns.sqlite`.

Other engines need `\A` and `\z`, the ends of the text. Python before 3.14 writes `\Z` for
`\z`; where there are neither, `^` and `$` do if `$` does not match in front of a last line feed.

>>> import re
>>> bool(re.search(ADDRESS.replace(r"\z", r"\Z"), "fdaa:2:45b::3"))
True
"""

from fdaa.columns._grammar import ADDRESS, ZERO
from fdaa.columns._sql import Dialect, drop_sql, sql

__all__ = ["ADDRESS", "ZERO", "Dialect", "drop_sql", "sql"]
