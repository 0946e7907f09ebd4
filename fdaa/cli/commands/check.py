"""`fdaa check`: cross-network addresses that do not do what was meant, and invalid names."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from fdaa._support.escapes import as_unicode, inline, quote
from fdaa._values.errors import NetworkNameError
from fdaa._values.network_name import NetworkName, risks
from fdaa.cli import _layout as layout
from fdaa.cli._document_options import (
    contradiction_lines,
    document_options,
    read_inputs,
    status_of,
    write_remarks,
)
from fdaa.cli._next import with_options
from fdaa.cli._options import book_option, open_book, quiet_option
from fdaa.cli._records import Records, record_options
from fdaa.cli._statuses import NO, UNKNOWN, YES
from fdaa.cli._streams import caret_below, complain
from fdaa.explain import explain_allocation
from fdaa.networks import (
    AllocationWarning,
    CheckedAllocation,
    check_allocations,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fdaa.cli._document_options import DocumentOptions

_ALLOCATION_FIELDS = (
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


@click.group()
def check() -> None:
    """Check cross-network addresses or network names.

    Examples:
      $ fdaa check allocations --apps apps.json --addresses billing=addresses-billing.json
      $ fdaa check name customer-17
    """


# --- allocations ----------------------------------------------------------------------------------


@check.command()
@document_options
@book_option()
@quiet_option
@record_options(*_ALLOCATION_FIELDS)
def allocations(
    book_file: str | None, quiet: bool, records: Records, documents: DocumentOptions
) -> int:
    """Show which network each cross-network address serves.

    A warning is printed if that is the app's own network, whose clients cannot use the address, or
    a network that no listed app is on.

    Example:
      $ fdaa check allocations --apps apps.json --addresses billing=addresses-billing.json

    Exit status: 0 no warnings, 1 a warning or a contradiction, 3 unknown.
    """
    if not documents.addresses:
        raise click.UsageError("give the address list of an app: --addresses APP=FILE")
    inputs = read_inputs(documents, open_book(book_file))
    found = check_allocations(inputs.joined)
    contradictions = inputs.joined.contradictions
    if records and not quiet:
        for checked in found:
            records.write(checked.to_dict())
        write_remarks(records, inputs, contradictions)
    elif not quiet:
        head = ("address", "app", "network", "ID")
        sys.stdout.writelines(layout.table(_rows(found), head))
        for contradiction in contradictions:
            sys.stdout.write("\n")
            lines = contradiction_lines(contradiction, inputs)
            sys.stdout.writelines(f"{line}\n" for line in lines)
        if not found:
            complain("no cross-network address in these documents")
    status = NO if contradictions else _status(found)
    return status_of(inputs, status, quiet=quiet)


_MISTAKES = (AllocationWarning.OWN_NETWORK, AllocationWarning.NO_APP_ON_NETWORK)


def _status(found: tuple[CheckedAllocation, ...]) -> int:
    status = YES
    for checked in found:
        if checked.warning in _MISTAKES:
            return NO
        if checked.warning is AllocationWarning.UNKNOWN_NETWORK or checked.own_network is None:
            status = UNKNOWN
    return status


def _rows(found: tuple[CheckedAllocation, ...]) -> Iterator[tuple[str, ...] | str]:
    for checked in found:
        allocated = checked.allocated
        yield (
            str(allocated.address),
            inline(allocated.app),
            inline(checked.network.name),
            str(allocated.network_id),
        )
        for remark in explain_allocation(checked):
            yield f"  {with_options(remark.text, remark.missing)}"


# --- names ----------------------------------------------------------------------------------------


@check.command()
@click.argument("names", metavar="NAME...", nargs=-1, required=True)
@quiet_option
@record_options("input", "valid", "error", "at", "warnings")
def name(names: tuple[str, ...], quiet: bool, records: Records) -> int:
    """Check whether names are valid network names.

    A valid name that is likely to cause trouble gets a warning on standard error.

    Example:
      $ fdaa check name customer-17 17-customers
    """
    status = YES
    for text in names:
        error = None
        warnings: list[str] = []
        try:
            warnings = risks(NetworkName(text))
        except NetworkNameError as invalid:
            error = invalid
            status = NO
        if quiet:
            continue
        for warning in warnings:
            complain(f"warning: {quote(text)}: {warning}")
        if records:
            records.write(_name_record(text, error, warnings))
        else:
            sys.stdout.write(f"{quote(text)}: {_validity(error)}\n")
    return status


def _validity(error: NetworkNameError | None) -> str:
    if error is None:
        return "valid"
    text = f"invalid: {error.reason}"
    if error.at is None:
        return text
    return f"{text}\n{caret_below(error.text, error.at)}"


def _name_record(
    text: str, error: NetworkNameError | None, warnings: list[str]
) -> dict[str, object]:
    reason = None
    at = None
    if error is not None:
        reason = error.reason
        at = error.at
    return {
        "input": as_unicode(text),
        "valid": error is None,
        "error": reason,
        "at": at,
        "warnings": warnings,
    }
