"""An argument of the wrong type is a TypeError that names the argument, in all rooms."""

from __future__ import annotations

import io
from ipaddress import IPv6Network
from typing import TYPE_CHECKING, Any

import pytest
from scan_output import PSEUDONYMS

import fdaa
from fdaa import Address, NetworkID
from fdaa.columns import inline_sql, sql
from fdaa.columns.sqlite import register
from fdaa.explain import (
    explain,
    explain_allocation,
    explain_conclusion,
    explain_contradiction,
    explain_verdict,
)
from fdaa.explain._document_words import (
    describe_apps,
    describe_network,
    describe_origins,
    describe_place,
    explain_holder,
)
from fdaa.lines import read_line
from fdaa.networks import (
    NetworkMap,
    check_allocations,
    find_holder,
    mermaid,
    parse_document,
    reach,
    read_document,
)
from fdaa.platform import Claims, Client, MachineIdentity, Verifier
from fdaa.platform.sandbox import Sandbox
from fdaa.probe import Target, probe
from fdaa.strategies import address_texts, addresses, log_lines

if TYPE_CHECKING:
    from collections.abc import Callable

FIRST = Address("fdaa:2:45b::3")
HIDDEN: Any = PSEUDONYMS
NETWORKS: Any = NetworkMap()
VERDICT = reach(FIRST, FIRST)
DOCUMENT = parse_document("[]", file="machines.json")
SANDBOX: Any = Sandbox()
REQUIRED: Any = {"issuer": "https://oidc.example/acme", "aud": "https://vault.example"}

CALLS: list[tuple[Callable[..., object], tuple[Any, ...], str]] = [
    # function, arguments, message
    (fdaa.NetworkID, (FIRST,), "int, str or NetworkID, not Address; use address.network_id$"),
    (fdaa.NetworkID, (FIRST.network_id.prefix,), "not Prefix; use prefix.network_id$"),
    (fdaa.NetworkID, (1.5,), "^a network ID must be int, str or NetworkID, not float$"),
    (
        fdaa.Prefix,
        (NetworkID(7),),
        "^a prefix must be str or Prefix, not NetworkID; use net",
    ),
    (fdaa.Prefix, (IPv6Network("fdaa::/48"),), r"not IPv6Network; use Prefix\(str\(network\)\)$"),
    (HIDDEN.pseudonymize, ("fdaa::1",), "address must be Address, not str"),
    (HIDDEN.pseudonymize, (NetworkID(5),), "address must be Address, not NetworkID"),
    (HIDDEN.reveal, (5,), "pseudonym must be Address, not int"),
    (HIDDEN.pseudonymize_text, (b"fdaa::1",), "text must be str, not bytes"),
    (HIDDEN.reveal_text, (None,), "text must be str, not NoneType"),
    (sql, (None,), "dialect must be str, not NoneType"),
    (register, ("my.db",), "connection must be an SQLite connection, not str"),
    (lambda prefix: sql("duckdb", prefix=prefix), (5,), "prefix must be str, not int"),
    (inline_sql, ("duckdb", None), "column must be str, not NoneType"),
    (addresses, (5,), "network_ids must be SearchStrategy, not int"),
    (address_texts, (FIRST,), "addresses must be SearchStrategy, not Address"),
    (log_lines, ([FIRST],), "addresses must be SearchStrategy, not list"),
    (NETWORKS.state_of, (5,), "machine_id must be str, not int"),
    (probe, (5,), "each of targets must be str or Target, not int"),
    (explain_holder, (FIRST,), "holder must be Holder, not Address"),
    (explain_allocation, (None,), "checked must be CheckedAllocation, not NoneType"),
    (reach, (FIRST, FIRST, [DOCUMENT]), "networks must be NetworkMap, not list"),
    (NetworkMap, (["apps.json"],), "each of documents must be Document, not str"),
    (NetworkMap, (5,), "documents must be Iterable, not int"),
    (find_holder, ("fdaa::1", NETWORKS), "address must be Address, not str"),
    (find_holder, (FIRST, [DOCUMENT]), "networks must be NetworkMap, not list"),
    (check_allocations, ([DOCUMENT],), "networks must be NetworkMap, not list"),
    (NETWORKS.by_name, (5,), "name must be str, not int"),
    (NETWORKS.known_network, (None,), "app must be str, not NoneType"),
    (read_document, (None,), "path_or_file must be str or PathLike, not NoneType"),
    (
        lambda text: read_document(io.StringIO(text)),  # type: ignore[arg-type]
        ("[]",),
        r"what source\.read\(\) returns must be bytes, not str",
    ),
    (fdaa.own_address, ([],), "environ must be Mapping, not list"),
    (
        lambda plain: Client("http://api.example", "t", allow_plain_http=plain),
        ("no",),
        "must be bool",
    ),
    (lambda jti: Verifier(**REQUIRED, require_jti=jti), ("no",), "require_jti must be bool, not"),
    (lambda drop: sql("duckdb", drop=drop), ("no",), "drop must be bool, not str"),
    (lambda short: sql("duckdb", temporary=short), ("no",), "temporary must be bool or NoneType"),
    (lambda leeway: Verifier(**REQUIRED, leeway=leeway), ("5",), "leeway must be int or float"),
    (lambda bound: Verifier(**REQUIRED, bound=bound), (5,), "bound must be Mapping, not int"),
    (
        lambda bound: Verifier(**REQUIRED, bound=bound),
        ({"app_id": 5},),
        r"bound\['app_id'\] must be str or Iterable, not int",
    ),
    (read_line, (None,), "text must be str, not NoneType"),
    (read_line, ("fdaa::3", "fdaa::3"), "own must be Address or NoneType, not str"),
    (read_line, ("fdaa::3", None, 3), "known must be Container, not int"),
    (explain, (b"fdaa::3",), "text must be str, not bytes"),
    (explain, ("fdaa::3", []), "networks must be NetworkMap or NoneType, not list"),
    (explain_verdict, (None,), "verdict must be Verdict, not NoneType"),
    (explain_verdict, (VERDICT, 1.5), "networks must be NetworkMap or NoneType, not float"),
    (explain_contradiction, (None,), "contradiction must be Contradiction, not NoneType"),
    (explain_conclusion, (3, None), "conclusion must be Conclusion, not int"),
    (describe_apps, ([1],), "apps must be tuple, not list"),
    (describe_network, (3,), "network must be KnownNetwork or NoneType, not int"),
    (describe_origins, ("x",), "origins must be tuple, not str"),
    (describe_place, (b"x",), "place must be str, not bytes"),
    (Target.parse, (3,), "text must be str, not int"),
    (Claims.from_payload, (3,), "payload must be dict, not int"),
    (mermaid, (None,), "networks must be NetworkMap, not NoneType"),
    (SANDBOX.start_machine, (5,), "app must be str, not int"),
    (SANDBOX.destroy_machine, ("x",), "machine must be Machine, not str"),
    # A missing argument names the public class.
    (Verifier, (), r"^Verifier\.__init__\(\) missing 2 required keyword-only arguments"),
    (Client, (), r"^Client\.__init__\(\) missing 2 required positional arguments"),
    (MachineIdentity, (5,), r"^MachineIdentity\.__init__\(\) takes 1 positional argument"),
]


@pytest.mark.parametrize(("function", "arguments", "message"), CALLS)
def test_a_wrong_type_names_the_argument(
    function: Callable[..., object], arguments: tuple[Any, ...], message: str
) -> None:
    with pytest.raises(TypeError, match=message):
        function(*arguments)
