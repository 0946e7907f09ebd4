"""The documents in docs/examples, and addresses in them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from fdaa.networks import NetworkMap, read_document

EXAMPLES = Path(__file__).parent.parent.parent / "docs" / "examples"
APPS = ("archive", "billing", "reports", "web", "worker")  # all that the app list has

# Addresses of Machines of these apps.
WEB = "fdaa:2:45b:a7b:174:db43:d3c6:2"
WORKER = "fdaa:2:45b:a7b:7e:3155:9844:2"
BILLING = "fdaa:0:18:a7b:7d:f066:3418:2"
# Cross-network addresses of billing, by the network of the clients.
FOR_CUSTOMER_17 = "fdaa:2:45b:0:1::23"
FOR_DEFAULT = "fdaa:0:18:0:1::24"


@cache
def example_networks() -> NetworkMap:
    """Return the documents, joined."""
    documents = [
        read_document(EXAMPLES / "apps.json"),
        read_document(EXAMPLES / "machines-web.json", app="web"),
        read_document(EXAMPLES / "status-billing.json"),
        read_document(EXAMPLES / "instances.txt"),
    ]
    for app in APPS:
        documents.append(read_document(EXAMPLES / f"addresses-{app}.json", app=app))
    return NetworkMap(documents)
