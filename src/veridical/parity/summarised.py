"""Decisions about groups, read from a summary that holds no rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from veridical.errors import ParameterError
from veridical.measures import format_value
from veridical.parameters import number
from veridical.parity.tallies import Tallies
from veridical.portable import Summary, evidence_of
from veridical.portable.slicing import HistogramEvidence, are_forecasts, kind_of
from veridical.portable.summary import Key
from veridical.summaries import ConfusionCounts, GroupedCounts
from veridical.summaries.open_groups import OpenCounts

__all__ = ["SummarisedDecisions"]

_VALUES: Final = {"1": True, "true": True, "0": False, "false": False}


@dataclass(frozen=True, slots=True)
class SummarisedDecisions:
    """How the scores of a summary decide, and which outcomes are favourable.

    Attributes
    ----------
    summary
        Made with the grouping columns.
    score, threshold
        Which of its scores decides, and from which value on the decision is 1.
    favours_flagged, favours_positive
        Whether the decision 1, the positive label, is the favourable one.
    groups
        Grouping columns of it.
    settings
        What decides, and what was taken for favourable; as decisions about rows have it.
    """

    summary: Summary
    score: str
    threshold: float
    favours_flagged: bool
    favours_positive: bool
    groups: tuple[str, ...]
    settings: Mapping[str, str]

    @classmethod
    def of(
        cls,
        summary: Summary,
        *,
        groups: Sequence[str],
        favourable: Any,
        favourable_label: Any = None,
        score: str | None = None,
        threshold: float | None = None,
        **others: Any,
    ) -> SummarisedDecisions:
        """Return what was asked for, as far as the summary holds it.

        Raises
        ------
        ParameterError
            It does not: another column, a decision that no threshold makes.
        """
        header = summary.header
        known = {"label": header.label, "positive": header.positive, "weight": header.weight}
        for name, given in others.items():
            if given is not None and str(given) != known.get(name):
                raise ParameterError(
                    f"a summary was asked for {name}={given!s:.80}",
                    why="what was counted cannot be counted otherwise",
                    fix=f"leave {name}= out, or measure the rows",
                )
        scores, columns = list(header.scores), list(groups) or list(header.groups)
        if not columns or not set(columns) <= set(header.groups):
            raise ParameterError(
                f"the summary was made with {_listed(header.groups) or 'no groups'}",
                fix="summarise the rows with groups= (--group)",
            )
        name = str(scores[0] if score is None and len(scores) == 1 else score)
        if name not in scores:
            raise ParameterError(
                "which score decides?" if score is None else f"there is no score {score!r:.80}",
                fix=f"name one of {_listed(scores)} (--score)",
            )
        at = header.thresholds[0] if len(header.thresholds) == 1 else None
        at = at if threshold is None else number("threshold", threshold)
        if at is None:
            raise ParameterError(
                "a score alone is no decision", fix="give threshold= (--threshold)"
            )
        favours = _decision(favourable)
        of_label, positive = _label(favourable, favourable_label, header.positive)
        settings = {
            "decision": f"{name} >= {format_value(at)}",
            "favourable": str(favourable),
            "favourable_label": of_label,
        }
        return cls(summary, name, at, favours, positive, tuple(columns), settings)

    def tallied(self) -> Tallies:
        """Return the counts of every group; positive is the favourable outcome.

        They are exact where the summary counted decisions at the threshold, or no cell straddles
        it; elsewhere the fewest and the most favourable decisions that the cells allow.
        """
        found = {
            column: {
                str(key.value): self._counted(key)
                for key in self.summary.parts
                if (key.score, key.column) == (self.score, column)
            }
            for column in self.groups
        }
        ends = [
            {
                column: GroupedCounts({name: counts[end] for name, counts in groups.items()})
                for column, groups in found.items()
            }
            for end in (0, 1)
        ]
        return Tallies(counts=ends[0], most=ends[1] if ends[1] != ends[0] else {}, labelled=True)

    def passport(self) -> dict[str, Any]:
        """Return what holds for every result."""
        tally = self.summary.tally
        skipped = tally.n_read - tally.rows
        return {
            "n_rows": tally.rows,
            "counts": {"n_skipped": skipped} if skipped else {},
            "notes": tuple(self._notes()),
        }

    def source(self) -> dict[str, Any]:
        """Return what was read."""
        tally = self.summary.tally
        return {
            "kind": "summary",
            "summary": kind_of(self.summary, self.score),
            "sources": sum(self.summary.sources.values()),
            "sha256": self.summary.sha256,
            "n_rows": tally.rows,
            "n_skipped": tally.n_read - tally.rows,
            "groups": list(self.groups),
            "label": self.summary.header.label,
            "score": self.score,
            **self.settings,
        }

    def _notes(self) -> Iterator[str]:
        if any(count > 1 for count in self.summary.sources.values()):
            yield "repeated_source"
        if self.summary.header.weight is not None:
            fractional = self.summary.tally.fractional
            yield "no_interval_without_rows" if fractional else "frequency_weights"

    def _counted(self, key: Key) -> OpenCounts:
        forecasts = are_forecasts(self.summary, self.score)
        evidence = evidence_of(self.summary.parts[key], forecasts=forecasts)
        named = (
            isinstance(evidence, HistogramEvidence) and self.threshold in evidence.held.decisions
        )
        if isinstance(evidence, HistogramEvidence) and not named:
            ends = [self._favoured(one) for one in evidence.bins.at(self.threshold)]
        else:
            ends = [self._favoured(evidence.at(self.threshold))] * 2
        right, wrong = ([getattr(end, cell) for end in ends] for cell in ("tp", "fp"))
        return OpenCounts(*(_with(ends[0], edge(right), edge(wrong)) for edge in (min, max)))

    def _favoured(self, counts: ConfusionCounts) -> ConfusionCounts:
        """Return the counts with the favourable outcome for the positive one."""
        tp, fp, fn, tn = counts.tp, counts.fp, counts.fn, counts.tn
        if not self.favours_flagged:
            tp, fp, fn, tn = fn, tn, tp, fp
        if not self.favours_positive:
            tp, fp, fn, tn = fp, tp, tn, fn
        return ConfusionCounts(tp, fp, fn, tn)


def _with(counts: ConfusionCounts, tp: Any, fp: Any) -> ConfusionCounts:
    return ConfusionCounts(tp, fp, counts.positives - tp, counts.negatives - fp)


def _decision(favourable: Any) -> bool:
    value = _VALUES.get(str(favourable).strip().lower())
    if value is None:
        raise ParameterError(
            f"a threshold decides 1 or 0, not {favourable!s:.80}",
            fix="say whether a score of at least the threshold is favourable: favourable=1 "
            "(--favourable 1), or 0",
        )
    return value


def _label(favourable: Any, given: Any, positive: str | None) -> tuple[str, bool]:
    """Return the favourable label, and whether it is the positive one."""
    if positive is None:
        asked = str(favourable if given is None else given).strip()
        # Negatives may be labelled -1.
        value = False if asked == "-1" else _VALUES.get(asked.lower())
    else:
        asked = str(given)
        value = _decision(favourable) if given is None else {positive: True}.get(asked)
        if given is None:
            asked = positive if value else f"not {positive}"
    if value is None:
        raise ParameterError(
            f"a summary does not know the label {asked:.80}",
            why=f"of labels it knows whether they are {positive or 'positive'}",
            fix="leave favourable_label= (--favourable-label) out: the label that agrees with the "
            "favourable decision is favourable",
        )
    return asked, value


def _listed(names: Sequence[str]) -> str:
    return ", ".join(repr(name) for name in names)
