"""Hypothesis strategies for tests of code that handles these addresses.

Hypothesis itself finds the strategies of values where both packages are installed:
`from_type(fdaa.Address)` works without an import. Half of the examples are uniform, half are edge
cases for code that splits addresses.
"""

from fdaa._support.exports import publish as _publish
from fdaa._support.extras import needs_package as _needs_package

with _needs_package("fdaa.strategies", "hypothesis"):
    from fdaa.strategies._addresses import (
        address_texts,
        addresses,
        network_ids,
        network_names,
        not_addresses,
        prefixes,
    )
    from fdaa.strategies._log_lines import LogLine, log_lines
    from fdaa.strategies._organizations import Organization, organizations

__all__ = [
    "LogLine",
    "Organization",
    "address_texts",
    "addresses",
    "log_lines",
    "network_ids",
    "network_names",
    "not_addresses",
    "organizations",
    "prefixes",
]

_publish(__name__)
