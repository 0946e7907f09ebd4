"""The first answer about a line, without documents: symptoms, and what to do next.

`fdaa.explain` has its public names, and adds the verdict.
"""

from fdaa._answers._first import (
    ABOUT_SERVICES,
    FirstAnswer,
    about_outside,
    first_answer,
    rows_of_network,
    text_of,
)
from fdaa._answers._steps import Compare, Probe, Reach, Step, Where, Whois
from fdaa._answers._symptoms import SYMPTOMS, Symptom, find_symptom

__all__ = [
    "ABOUT_SERVICES",
    "SYMPTOMS",
    "Compare",
    "FirstAnswer",
    "Probe",
    "Reach",
    "Step",
    "Symptom",
    "Where",
    "Whois",
    "about_outside",
    "find_symptom",
    "first_answer",
    "rows_of_network",
    "text_of",
]
