"""What answers mean: lines, verdicts, holders, contradictions, probes; and what to do next.

Provisional: a minor release may change it (docs/api/index.md has what is promised).
"""

from typing import TYPE_CHECKING

from fdaa._exports import publish_on_first_use as _publish_on_first_use

if TYPE_CHECKING:
    from fdaa.explain._allocations import explain_allocation
    from fdaa.explain._answers import Answer, Missing, MissingKind, explain
    from fdaa.explain._cause_kinds import Cause
    from fdaa.explain._causes import ExplainedCause
    from fdaa.explain._conclusions import (
        ExplainedConclusion,
        ExplainedEvidence,
        explain_conclusion,
    )
    from fdaa.explain._documents import (
        describe_apps,
        describe_network,
        describe_origins,
        describe_place,
        explain_contradiction,
        explain_holder,
    )
    from fdaa.explain._evidence import DescribedStep, describe_step
    from fdaa.explain._names import ABOUT_SERVICES
    from fdaa.explain._settings import SETTINGS, Setting
    from fdaa.explain._steps import (
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
    "Answer",
    "Cause",
    "DescribedStep",
    "ExplainedCause",
    "ExplainedConclusion",
    "ExplainedEvidence",
    "ExplainedVerdict",
    "ExplainedWords",
    "Missing",
    "MissingKind",
    "NextStep",
    "ProbeStep",
    "ReachStep",
    "SameStep",
    "Sentence",
    "Setting",
    "VerifyStep",
    "Where",
    "WhoisStep",
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
    "explain_words",
]

_publish_on_first_use(
    __name__,
    "fdaa.explain._names",
    "fdaa.explain._cause_kinds",
    "fdaa.explain._documents",
    "fdaa.explain._settings",
    "fdaa.explain._verdicts",
    "fdaa.explain._steps",
    "fdaa.explain._causes",
    "fdaa.explain._answers",
    "fdaa.explain._conclusions",
    "fdaa.explain._evidence",
    "fdaa.explain._symptoms",
    "fdaa.explain._allocations",
)
