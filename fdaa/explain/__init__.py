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
from fdaa.explain._documents import explain_allocation, explain_contradiction
from fdaa.explain._missing import Missing, Remark
from fdaa.explain._settings import Setting
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
from fdaa.explain._verdicts import ExplainedVerdict, Sentence, explain_verdict

__all__ = [
    "AllocationsStep",
    "Answer",
    "Cause",
    "ExplainedCause",
    "ExplainedConclusion",
    "ExplainedEvidence",
    "ExplainedVerdict",
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
    "explain",
    "explain_allocation",
    "explain_conclusion",
    "explain_contradiction",
    "explain_verdict",
]

_publish(__name__)
