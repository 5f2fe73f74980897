"""What a policy says about an evaluation: rows, bands and one verdict for each score column."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

from veridical.results import Result

__all__ = ["BandFound", "Overall", "PolicyRow", "PolicyVerdict", "RowVerdict", "overall"]

RowVerdict: TypeAlias = Literal["met", "not met", "undecided", "skipped"]
Overall: TypeAlias = Literal["met", "not met", "undecided"]


@dataclass(frozen=True, slots=True)
class PolicyRow:
    """One rule and what the data say about it.

    Attributes
    ----------
    rule
        The rule in words.
    bounds
        Its bounds by name.
    result
        The metric that it is about, with interval and conditions.
    verdict
        ``met``, ``not met``, ``undecided`` (the interval straddles the bound, or too few units),
        or ``skipped`` (the metric has no value, which never passes).
    met_without_skill
        Forecasts without skill that meet the rule too, with their values.
    skill
        What is to be read instead where the rule is vacuous.
    why
        Why the verdict is what it is; empty where the numbers say it.
    note
        The rule's own note.  In documents of older versions ``why`` stands in front of it.
    difference
        From the baseline; None where the rule or the gate has none.
    about_value
        Whether the rule is about the metric's value, and not only about what was left out.
    """

    rule: str
    bounds: Mapping[str, float]
    result: Result
    verdict: RowVerdict
    met_without_skill: Mapping[str, float] = field(default_factory=dict)
    skill: tuple[Result, ...] = ()
    why: str = ""
    note: str = ""
    difference: Result | None = None
    about_value: bool = True

    @property
    def vacuous(self) -> bool:
        """Whether a forecast without skill meets the rule on these data."""
        return bool(self.met_without_skill) or not self.about_value

    def to_dict(self) -> dict[str, Any]:
        """Return the row as one JSON object."""
        return {
            "rule": self.rule,
            "bounds": dict(self.bounds),
            "verdict": self.verdict,
            "vacuous": self.vacuous,
            "met_without_skill": dict(self.met_without_skill),
            "why": self.why,
            "note": self.note,
            "result": self.result.to_dict(),
            "skill": [result.to_dict() for result in self.skill],
            **({} if self.about_value else {"about_value": False}),
            **({} if self.difference is None else {"difference": self.difference.to_dict()}),
        }


@dataclass(frozen=True, slots=True)
class BandFound:
    """The band that a value falls in.

    Attributes
    ----------
    result
        The metric.
    label
        The band of the value; None where the metric has no value.
    spanned
        All bands that the interval touches, highest first; more than one means that the data do
        not settle the band.
    note
        Where the bands come from.
    """

    result: Result
    label: str | None
    spanned: tuple[str, ...] = ()
    note: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the band as one JSON object."""
        return {
            "metric": self.result.metric,
            "subject": self.result.subject,
            "value": self.result.value,
            "label": self.label,
            "spanned": list(self.spanned),
            "note": self.note,
            "result": self.result.to_dict(),
        }


@dataclass(frozen=True, slots=True)
class PolicyVerdict:
    """What a policy says about an evaluation.

    Attributes
    ----------
    name, version, sha256, source
        Which policy it was.
    rows
        One row a rule and score column.
    bands
        One a score column and banded metric.
    """

    name: str
    version: str
    sha256: str
    source: str
    rows: tuple[PolicyRow, ...]
    bands: tuple[BandFound, ...] = ()

    @property
    def subjects(self) -> tuple[str | None, ...]:
        """The score columns that were judged."""
        return tuple(dict.fromkeys(row.result.subject for row in self.rows))

    @property
    def by_subject(self) -> dict[str | None, Overall]:
        """The verdict on each score column."""
        return {name: overall(self.subject(name).rows) for name in self.subjects}

    @property
    def verdict(self) -> Overall:
        """The verdict over all score columns: met only where each of them is."""
        found = set(self.by_subject.values())
        if "not met" in found:
            return "not met"
        return "met" if found == {"met"} else "undecided"

    def subject(self, name: str | None) -> PolicyVerdict:
        """Return the part about one score column."""
        return replace(
            self,
            rows=tuple(row for row in self.rows if row.result.subject == name),
            bands=tuple(band for band in self.bands if band.result.subject == name),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the verdict as one JSON object."""
        return {
            "name": self.name,
            "version": self.version,
            "sha256": self.sha256,
            "source": self.source,
            "verdict": self.verdict,
            "by_subject": [{"subject": k, "verdict": v} for k, v in self.by_subject.items()],
            "rows": [row.to_dict() for row in self.rows],
            "bands": [band.to_dict() for band in self.bands],
        }

    def __str__(self) -> str:
        return f"policy {self.name} {self.version} ({self.sha256[:12]}): {self.verdict}"


def overall(rows: tuple[PolicyRow, ...]) -> Overall:
    """Return the verdict over all rules about one score column.

    Met takes every rule met, and at least one of them not vacuous: what a forecast without skill
    also achieves cannot turn a verdict green.  A rule that is not met is not met, vacuous or not.
    """
    verdicts = {row.verdict for row in rows}
    if "not met" in verdicts:
        return "not met"
    if verdicts == {"met"} and not all(row.vacuous for row in rows):
        return "met"
    return "undecided"
