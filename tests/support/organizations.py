"""Documents of values; and how many whole organizations, which are costly to draw."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from hypothesis import settings

from fdaa.networks import Document, DocumentKind, parse_document

# The fast profile makes a third of its examples of whole organizations.
_default = settings.default or settings()
_examples = _default.max_examples
if _examples < 100:
    _examples //= 3
fewer = settings(max_examples=_examples)


def parse(value: Any, app: str | None = None, file: str = "f") -> Document:
    """Parse a document, given as its bytes or as a JSON value; an empty list is a Machine list."""
    data = value
    if not isinstance(value, bytes):
        data = json.dumps(value).encode()
    document = parse_document(data, file=file, app=app)
    if document.kind is DocumentKind.EMPTY_LIST:
        return replace(document, kind=DocumentKind.MACHINE_LIST)
    return document
