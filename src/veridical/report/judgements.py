"""What a policy says, row by row and in words, for the terminal and Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from veridical.report.sections import number_text
from veridical.report.visible import visible
from veridical.results import Result

if TYPE_CHECKING:
    from veridical.policy import PolicyVerdict
    from veridical.policy.verdict import BandFound, PolicyRow

__all__ = ["Judgement", "band_notes", "judgements"]


@dataclass(frozen=True, slots=True)
class Judgement:
    """One rule or band about one score column, as text.

    Attributes
    ----------
    subject
        The score column.
    rule, value, verdict
        The rule, the metric's value, and whether it is met and says anything.
    remark
        Why, and first why a rule was skipped; for bands which one, and which others the interval
        touches.
    note
        The rule's own note.
    """

    subject: str
    rule: str
    value: str
    verdict: str
    remark: str
    note: str = ""

    @property
    def lines(self) -> tuple[str, ...]:
        """What stands below the rule: the remark, and apart from it the note."""
        return (self.remark,) * bool(self.remark) + (f"note: {self.note}",) * bool(self.note)


def judgements(verdict: PolicyVerdict) -> Iterator[Judgement]:
    """Yield rules and bands, those of one score column together.

    Parameters
    ----------
    verdict
        What the policy says.
    """
    for subject in verdict.subjects:
        part = verdict.subject(subject)
        yield from (_rule(row) for row in part.rows)
        yield from (_band(band) for band in part.bands)


def band_notes(verdict: PolicyVerdict) -> list[str]:
    """Return where the bands come from, each sentence once."""
    return [visible(note) for note in dict.fromkeys(b.note for b in verdict.bands) if note]


def _rule(row: PolicyRow) -> Judgement:
    result = row.result
    absent = "" if result.ok else f"{result.detail} ({result.reason})"
    return Judgement(
        visible(result.subject or ""),
        visible(row.rule),
        _value(result),
        f"{row.verdict}, vacuous" if row.vacuous else row.verdict,
        visible("; ".join(filter(None, [absent, row.why]))),
        visible(row.note),
    )


def _band(band: BandFound) -> Judgement:
    spanned = f"the interval spans {'; '.join(band.spanned)}" if len(band.spanned) > 1 else ""
    return Judgement(
        visible(band.result.subject or ""),
        visible(f"band of {band.result.metric}"),
        _value(band.result),
        "band" if band.label is not None else "skipped",
        visible("; ".join(filter(None, [band.label or "", spanned]))),
    )


def _value(result: Result) -> str:
    return number_text(result.metric, result.value) if result.ok else "skipped"
