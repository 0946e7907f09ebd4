"""What answers mean: lines, verdicts, holders, contradictions, probes; and what to do next.

Provisional: a minor release may change it (docs/api/index.md has what is promised).
"""

from fdaa._public import publish as _publish
from fdaa.explain._answers import Answer, explain
from fdaa.explain._cause_kinds import Cause
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
    explain_completion,
    explain_contradiction,
    explain_holder,
)
from fdaa.explain._evidence import DescribedStep, describe_step
from fdaa.explain._missing import Missing, Remark
from fdaa.explain._names import ABOUT_SERVICES, describe_network_of
from fdaa.explain._settings import SETTINGS, Setting
from fdaa.explain._steps import (
    AllocationsStep,
    NextStep,
    ProbeStep,
    ReachStep,
    SameStep,
    VerifyStep,
    Where,
    WhoisStep,
)
from fdaa.explain._symptoms import ExplainedWords, explain_words
from fdaa.explain._verdicts import ExplainedVerdict, Sentence, explain_verdict

__all__ = [
    "ABOUT_SERVICES",
    "SETTINGS",
    "AllocationsStep",
    "Answer",
    "Cause",
    "DescribedStep",
    "ExplainedCause",
    "ExplainedConclusion",
    "ExplainedEvidence",
    "ExplainedVerdict",
    "ExplainedWords",
    "Missing",
    "NextStep",
    "ProbeStep",
    "ReachStep",
    "Remark",
    "SameStep",
    "Sentence",
    "Setting",
    "VerifyStep",
    "Where",
    "WhoisStep",
    "describe_apps",
    "describe_network",
    "describe_network_of",
    "describe_origins",
    "describe_place",
    "describe_step",
    "explain",
    "explain_allocation",
    "explain_completion",
    "explain_conclusion",
    "explain_contradiction",
    "explain_holder",
    "explain_verdict",
    "explain_words",
]

_publish(__name__)
