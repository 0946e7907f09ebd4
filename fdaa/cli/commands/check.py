"""`fdaa check`: cross-network addresses that do not do what was meant, and invalid names."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

import click

from fdaa._support.escapes import as_unicode, inline, quote
from fdaa._support.tables import table
from fdaa._values.errors import NetworkNameError
from fdaa._values.network_name import NetworkName, risks
from fdaa.cli._documents import (
    Documents,
    contradiction_lines,
    documents_options,
    lacking,
    needs_documents,
)
from fdaa.cli._output import NO, UNKNOWN, YES, Output, caret_below, note, output_options
from fdaa.explain import explain_allocation
from fdaa.networks import AllocationWarning, check_allocations

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fdaa.explain import Missing
    from fdaa.networks import CheckedAllocation

_MISTAKES = (AllocationWarning.OWN_NETWORK, AllocationWarning.NO_APP_ON_NETWORK)


@click.group()
def check() -> None:
    """Check cross-network addresses or network names."""


@check.command()
@documents_options
@output_options(
    "kind",
    "address",
    "app",
    "network_name",
    "network_id",
    "network_id_int",
    "warning",
    "own_network",
    "assumed",
)
def allocations(documents: Documents, output: Output) -> int:
    """Show which network each cross-network address serves.

    A warning is printed if an address serves its app's own network, whose clients cannot use it, or
    a network without a listed app.

    Exit status: 0 no warning, 1 a warning or a contradiction, 3 unknown.

    Examples:
      $ fdaa check allocations -d apps.json -d addresses-billing.json
    """
    needs_documents(documents)
    found = check_allocations(documents.joined)
    contradictions = documents.joined.contradictions
    text = chain(_lines(found), contradiction_lines(contradictions))
    output.show(found, text, list(contradictions) + documents.unused)
    if not found:
        note("no cross-network address in these documents")
    status = YES
    for checked in found:
        if checked.warning is AllocationWarning.UNKNOWN_NETWORK or checked.own_network is None:
            status = UNKNOWN
    if contradictions or any(checked.warning in _MISTAKES for checked in found):
        status = NO
    return documents.status(status)


def _lines(found: tuple[CheckedAllocation, ...]) -> Iterator[str]:
    rows: list[tuple[str, ...] | str] = []
    missing: list[Missing] = []
    for checked in found:
        allocated = checked.allocated
        name = inline(checked.network.name)
        network_id = str(allocated.network_id)
        rows.append((str(allocated.address), inline(allocated.app), name, network_id))
        for remark in explain_allocation(checked):
            rows.append(f"  {remark}")
            missing.extend(remark.missing)
    yield from table(rows, ("address", "app", "network", "ID"))
    yield from lacking(missing)


@check.command()
@click.argument("names", metavar="NAME...", nargs=-1, required=True)
@output_options("input", "valid", "error", "at", "warnings")
def name(names: tuple[str, ...], output: Output) -> int:
    """Check whether names are valid network names.

    A valid name that is likely to cause trouble gets a warning.

    Exit status: 0 all are valid, 1 at least one is not.

    Examples:
      $ fdaa check name customer-17 17-customers
    """
    records = [_check(text) for text in names]
    output.show(records, _validity(names, records))
    if all(record["valid"] for record in records):
        return YES
    return NO


def _check(text: str) -> dict[str, Any]:
    record: dict[str, Any] = {"input": as_unicode(text), "valid": True, "error": None, "at": None}
    try:
        return {**record, "warnings": risks(NetworkName(text))}
    except NetworkNameError as error:
        return {**record, "valid": False, "error": error.reason, "at": error.at, "warnings": []}


def _validity(names: tuple[str, ...], records: list[dict[str, Any]]) -> Iterator[str]:
    for text, record in zip(names, records, strict=True):
        if record["valid"]:
            yield f"{quote(text)}: valid"
            for warning in record["warnings"]:
                yield f"  warning: {warning}"
            continue
        yield f"{quote(text)}: invalid: {record['error']}"
        if record["at"] is not None:
            yield caret_below(text, record["at"])
