"""``Limits``: what a validation did not measure, and what stands against what it did."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from veridical.notes import sentence
from veridical.reasons import SkipReason
from veridical.results import Result
from veridical.stability import Light
from veridical.tables._words import counted

if TYPE_CHECKING:
    from veridical.policy import PolicyVerdict
    from veridical.validation.model_validation import Validation

__all__ = ["FEW", "Limits", "Noted", "SkippedItem", "limits_of"]

FEW = 30
"""With fewer units a number is an anecdote."""


@dataclass(frozen=True, slots=True)
class SkippedItem:
    """A number that does not exist.

    Attributes
    ----------
    metric, reason, detail
        What, why, and the counts behind that.
    places
        Where: the part of the validation, the subject and the group.
    """

    metric: str
    reason: SkipReason
    detail: str
    places: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return it as one JSON object."""
        return {
            "metric": self.metric,
            "reason": str(self.reason),
            "detail": self.detail,
            "fix": self.reason.fix,
            "places": list(self.places),
        }


@dataclass(frozen=True, slots=True)
class Noted:
    """Something a reader must know about numbers that do exist.

    Attributes
    ----------
    sentence
        What it is.
    places
        Of which numbers.
    """

    sentence: str
    places: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return it as one JSON object."""
        return {"sentence": self.sentence, "places": list(self.places)}


@dataclass(frozen=True, slots=True)
class Limits:
    """Everything that limits a validation.

    Attributes
    ----------
    stated
        By the model's owner.
    absent
        Whole parts that were not measured, and why.
    remarks
        On the data and the way it was measured.
    vacuous
        Rules that say nothing, and why.
    few
        Numbers that rest on fewer than 30 units.
    noted
        Notes that stand beside numbers.
    skipped
        Numbers that do not exist.
    """

    stated: tuple[str, ...]
    absent: tuple[str, ...]
    remarks: tuple[str, ...]
    vacuous: tuple[Noted, ...]
    few: tuple[Noted, ...]
    noted: tuple[Noted, ...]
    skipped: tuple[SkippedItem, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return it as one JSON object."""
        return {
            "stated": list(self.stated),
            "absent": list(self.absent),
            "remarks": list(self.remarks),
            **{
                name: [one.to_dict() for one in getattr(self, name)]
                for name in ("vacuous", "few", "noted", "skipped")
            },
        }


def limits_of(validation: Validation) -> Limits:
    """Return what limits a validation."""
    parts = _results(validation)
    numbered = [(name, r) for name, results in parts.items() for r in results]
    return Limits(
        stated=validation.description.file.limitations,
        absent=tuple(_absent(validation)),
        remarks=tuple(_remarks(validation)),
        vacuous=tuple(_vacuous(validation.verdicts)),
        few=tuple(_few(numbered)),
        noted=tuple(
            Noted(text, places)
            for text, places in _gathered(
                (sentence(note), f"{name} · {r.metric}") for name, r in numbered for note in r.notes
            ).items()
        ),
        skipped=tuple(
            SkippedItem(metric, reason, detail, places)
            for (metric, reason, detail), places in _gathered(
                ((r.metric, r.reason, r.detail), _place(name, r, metric=False))
                for name, r in numbered
                if not r.ok
            ).items()
        ),
    )


def _results(validation: Validation) -> Mapping[str, Sequence[Result]]:
    """Return every result of the validation by the part that it is from."""
    compared = validation.out_of_time.comparisons
    of_rules = {
        f"policy {one.name}": [
            result for row in one.rows for result in (row.result, *row.skill, row.difference)
        ]
        + [band.result for band in one.bands]
        for one in validation.verdicts
    }
    fairness = validation.fairness
    return {
        "out-of-time": validation.out_of_time.results,
        "development": validation.development.results,
        "benchmark": [one.difference for one in compared],
        "stability": validation.drift.results,
        "fairness": () if fairness is None else (*fairness.results, *fairness.calibration),
        **{name: [r for r in results if r is not None] for name, results in of_rules.items()},
    }


def _place(part: str, result: Result, *, metric: bool = True) -> str:
    named = (result.metric if metric else None, result.subject, result.group)
    return " · ".join([part, *(name for name in named if name)])


def _gathered(pairs: Iterable[tuple[Any, str]]) -> dict[Any, tuple[str, ...]]:
    found: dict[Any, dict[str, None]] = {}
    for key, place in pairs:
        found.setdefault(key, {})[place] = None
    return {key: tuple(places) for key, places in found.items()}


def _absent(validation: Validation) -> Iterator[str]:
    data = validation.description.data
    if validation.threshold is None:
        yield f"Decisions were not measured: {validation.threshold_from}."
    if validation.description.costs is None:
        yield "Cost was not measured: neither the model file nor a policy names prices."
    if data.champion is None:
        yield "There is no benchmark: the model file names no champion."
    if not data.groups:
        yield "Scores were measured over all rows alone: the model file has no `groups`."
    if not data.features:
        yield "Of stability, features were not measured: the model file names none."
    if validation.fairness is None:
        yield f"Fairness was not measured: {validation.why_no_fairness}."
    if not validation.are_forecasts:
        yield "Calibration was not measured: some scores lie outside [0, 1] and are no forecasts."


def _remarks(validation: Validation) -> Iterator[str]:
    for name, ev in (
        ("development", validation.development),
        ("out-of-time", validation.out_of_time),
    ):
        positives = int(ev.source["n_positive"])
        rarer = min(positives, int(ev.source["n_rows"]) - positives)
        if rarer < FEW:
            yield (
                f"The {name} sample has {counted(rarer, 'row')} of the rarer class, fewer than "
                f"{FEW}: what "
                "rests on them is an anecdote."
            )
        if ev.source["n_skipped"]:
            lost = counted(int(ev.source["n_skipped"]), "row")
            yield f"The {name} sample lost {lost} without label or score."
    yield from _of_units(validation)
    if _are_alike(validation):
        yield (
            "The samples do not differ in a single cell of any column that was compared: they may "
            "hold the same rows, and then nothing here is out of time."
        )
    if validation.threshold_from.startswith("the development"):
        yield "The threshold was chosen on the development sample, which flatters its costs there."
    if validation.champion is not None and validation.threshold is not None:
        yield (
            "The champion is held to the model's threshold, which was not chosen for it: decisions "
            "and costs at that threshold are no fair comparison unless both use it."
        )
    for column in validation.drift.subjects:
        psi = next(
            (r for r in validation.drift.results
             if r.subject == column and r.metric.startswith("drift.psi") and r.ok),
            None,
        )  # fmt: skip
        if psi is not None and psi.conditions["light"] == Light.INSUFFICIENT_DATA:
            yield f"{column} has too few rows to tell drift from noise."
    yield "Labels are taken for the truth; who waits longer may see more of them come true."
    yield (
        "One development and one later sample show one stretch of time: what comes next is not "
        "in them."
    )


def _of_units(validation: Validation) -> Iterator[str]:
    data = validation.description.data
    if data.weight is not None:
        yield (
            f"Scores, costs and fairness count the weights in {data.weight}; the table of samples "
            "and stability count rows."
        )
    if data.cluster is not None:
        yield (
            f"Rows of one {data.cluster} belong together: intervals of scores and fairness take "
            "that in. Those of stability take rows for independent, and may be too narrow; rates "
            "at operating points and in bins have none."
        )


def _are_alike(validation: Validation) -> bool:
    source = validation.drift.source
    same_size = source["n_reference"] == source["n_current"]
    return same_size and all(psi.value == 0 for psi in validation.drift.results if psi.ok)


def _vacuous(verdicts: Iterable[PolicyVerdict]) -> Iterator[Noted]:
    for verdict in verdicts:
        for row in verdict.rows:
            if row.vacuous:
                place = _place(f"policy {verdict.name}", row.result, metric=False)
                yield Noted(f"{row.rule}: {row.why}", (place,))


def _few(numbered: Iterable[tuple[str, Result]]) -> Iterator[Noted]:
    small = _gathered((r.n, _place(name, r)) for name, r in numbered if r.ok and 0 < r.n < FEW)
    for n in sorted(small):
        yield Noted(f"rests on {counted(n, 'unit')}", small[n])
