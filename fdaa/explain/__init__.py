"""What answers mean: lines, verdicts, holders, contradictions, probes; and what to do next.

Provisional: a minor release may change it (docs/api/index.md lists what is promised).
"""

from typing import TYPE_CHECKING

from fdaa._support.exports import publish_on_first_use as _publish_on_first_use

if TYPE_CHECKING:
    from fdaa.explain._allocation_words import explain_allocation
    from fdaa.explain._answers import Answer, TargetVerdict, explain
    from fdaa.explain._compared import Compared
    from fdaa.explain._conclusion_words import (
        ExplainedConclusion,
        ExplainedPhase,
        explain_conclusion,
    )
    from fdaa.explain._decoded import Decoded, decode
    from fdaa.explain._missing import Missing, Remark
    from fdaa.explain._phase_words import Check
    from fdaa.explain._step_words import describe_step
    from fdaa.explain._steps import DecodeStep, NextStep, ProbeStep, ReachStep, Where
    from fdaa.explain._verdict_words import ExplainedVerdict, Sentence, explain_verdict

__all__ = [
    "Answer",
    "Check",
    "Compared",
    "DecodeStep",
    "Decoded",
    "ExplainedConclusion",
    "ExplainedPhase",
    "ExplainedVerdict",
    "Missing",
    "NextStep",
    "ProbeStep",
    "ReachStep",
    "Remark",
    "Sentence",
    "TargetVerdict",
    "Where",
    "decode",
    "describe_step",
    "explain",
    "explain_allocation",
    "explain_conclusion",
    "explain_verdict",
]

_publish_on_first_use(
    __name__,
    "fdaa.explain._missing",
    "fdaa.explain._verdict_words",
    "fdaa.explain._steps",
    "fdaa.explain._answers",
    "fdaa.explain._step_words",
    "fdaa.explain._conclusion_words",
    "fdaa.explain._allocation_words",
    "fdaa.explain._phase_words",
    "fdaa.explain._decoded",
    "fdaa.explain._compared",
)
