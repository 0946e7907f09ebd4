"""What answers mean: lines, verdicts, holders, contradictions, probes; and what to do next."""

from fdaa._answers import (
    ABOUT_SERVICES,
    SYMPTOMS,
    Compare,
    Probe,
    Reach,
    Step,
    Symptom,
    Where,
    Whois,
    find_symptom,
)
from fdaa._public import publish as _publish
from fdaa.explain._answers import Answer, explain
from fdaa.explain._apps import NamedApps, find_named_apps
from fdaa.explain._conclusions import (
    ExplainedCause,
    ExplainedConclusion,
    ExplainedEvidence,
    explain_conclusion,
)
from fdaa.explain._documents import (
    describe_apps,
    describe_network,
    describe_origins,
    describe_place,
    explain_allocation,
    explain_contradiction,
    explain_holder,
)
from fdaa.explain._evidence import describe_step
from fdaa.explain._probe_documents import add_documents
from fdaa.explain._verdicts import ExplainedVerdict, Sentence, explain_verdict

__all__ = [
    "ABOUT_SERVICES",
    "SYMPTOMS",
    "Answer",
    "Compare",
    "ExplainedCause",
    "ExplainedConclusion",
    "ExplainedEvidence",
    "ExplainedVerdict",
    "NamedApps",
    "Probe",
    "Reach",
    "Sentence",
    "Step",
    "Symptom",
    "Where",
    "Whois",
    "add_documents",
    "describe_apps",
    "describe_network",
    "describe_origins",
    "describe_place",
    "describe_step",
    "explain",
    "explain_allocation",
    "explain_conclusion",
    "explain_contradiction",
    "explain_holder",
    "explain_verdict",
    "find_named_apps",
    "find_symptom",
]

_publish(__name__)
