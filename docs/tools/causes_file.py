"""docs/examples/causes.json: the causes of each kind of evidence, and the conditions of each."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from places import DOCS

from fdaa.explain import Cause
from fdaa.explain._cause_table import CAUSES_OF, FIRST_WITH, LAST_WITH, NEEDS, RULED_OUT_BY

if TYPE_CHECKING:
    from pathlib import Path

PAGE = DOCS / "examples" / "causes.json"


def pages() -> dict[Path, str]:
    """Return the file."""
    conditions = {}
    for cause in Cause:
        fields: dict[str, object] = dict(cause.to_dict())
        del fields["cause"]
        if cause in NEEDS:
            fields["needs"] = NEEDS[cause]
        for key, table in (
            ("not_with", RULED_OUT_BY),
            ("first_with", FIRST_WITH),
            ("last_with", LAST_WITH),
        ):
            if cause in table:
                fields[key] = list(table[cause])
        conditions[cause] = fields
    return {PAGE: json.dumps({"evidence": CAUSES_OF, "causes": conditions}, indent=1) + "\n"}
