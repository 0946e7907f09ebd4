"""What answers mean, as sentences: verdicts, holders of addresses, contradictions."""

from fdaa._public import publish as _publish
from fdaa.explain._contradictions import describe_origins, describe_place, explain_contradiction
from fdaa.explain._holders import explain_allocation, explain_holder
from fdaa.explain._names import describe_apps, describe_network
from fdaa.explain._verdicts import ExplainedVerdict, Sentence, explain_verdict

__all__ = [
    "ExplainedVerdict",
    "Sentence",
    "describe_apps",
    "describe_network",
    "describe_origins",
    "describe_place",
    "explain_allocation",
    "explain_contradiction",
    "explain_holder",
    "explain_verdict",
]

_publish(__name__)
