"""Engines of SQLAlchemy on real databases. That of a server sorts text as English does."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from sql_servers import cluster, need
from sqlalchemy import create_engine

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Engine

DATABASES = ["sqlite", pytest.param("postgresql", marks=pytest.mark.engines)]
_ENGLISH = "TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en-US'"


@contextmanager
def database(name: str) -> Iterator[Engine]:
    """Yield an engine on an empty database of this kind."""
    with _url(name) as url:
        engine = create_engine(url)
        yield engine
        engine.dispose()


@contextmanager
def _url(name: str) -> Iterator[str]:
    if name == "sqlite":
        yield "sqlite://"
    else:
        need("psycopg")
        with cluster(_ENGLISH) as variables:
            yield f"postgresql+psycopg://fdaa@/{variables['PGDATABASE']}?host={variables['PGHOST']}"
