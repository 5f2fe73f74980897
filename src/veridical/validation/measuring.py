"""``validate_model``: both samples of a model file measured, compared and judged."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from veridical.errors import ParameterError
from veridical.evaluation import Evaluation, evaluate
from veridical.finalise import finalise
from veridical.metrics import find
from veridical.parity import FairnessEvaluation, evaluate_fairness
from veridical.reasons import SkipReason
from veridical.results import Result, Skipped
from veridical.stability import DriftEvaluation, evaluate_drift
from veridical.validation.description import Description, read_description
from veridical.validation.model_validation import Validation, are_forecasts
from veridical.validation.verdicts import combined, judged

__all__ = ["validate_model"]

_OF_RANKS = ("binary.ks",)
_OF_FORECASTS = (
    "calibration.slope",
    "calibration.intercept",
    "calibration.brier_reliability",
    "calibration.brier_resolution",
)


def validate_model(
    path: str | Path,
    *,
    date: str | dt.date | None = None,
    level: float = 0.95,
    seed: int = 0,
) -> Validation:
    """Measure everything that a validation report shows of a model.

    Parameters
    ----------
    path
        A ``model.yaml``: see ``ModelFile`` for what may stand in it.
    date
        The day that the report bears, as ``2026-11-30``; today by default.
    level, seed
        As for ``evaluate``.

    Returns
    -------
    Validation
        With a verdict, what limits it, and ``report`` and ``docx`` to write it up.

    Raises
    ------
    ConfigurationError, FileMissingError
        The model file or a policy does not hold, or does not exist.
    InputError, LabelError, ScoreError, MissingColumnError, FileFormatError
        A sample cannot be used as it is; the message says where and what to do.
    ParameterError
        The date is none.
    """
    day = _day(date)
    described = read_description(path)
    samples = _Samples(described, level, seed)
    threshold, origin = samples.threshold()
    development = samples.scores(described.development, threshold, None)
    out_of_time = samples.scores(described.out_of_time, threshold, described.data.champion)
    drift = samples.drift()
    fairness, why = samples.fairness(threshold, origin, out_of_time)
    return Validation(
        description=described,
        development=development,
        out_of_time=out_of_time,
        drift=drift,
        fairness=fairness,
        why_no_fairness=why.detail,
        threshold_from=origin,
        verdicts=tuple(
            judged(policy, out_of_time, drift, fairness, why) for policy in described.policies
        ),
        date=day,
    )


def _day(given: str | dt.date | None) -> dt.date:
    if given is None:
        return dt.datetime.now(tz=dt.UTC).date()
    if isinstance(given, dt.date):
        return given
    try:
        return dt.date.fromisoformat(given)
    except ValueError:
        raise ParameterError(
            f"a date is written 2026-11-30, not {given!r:.40}", fix="write year-month-day"
        ) from None


@dataclass(frozen=True, slots=True)
class _Samples:
    """Both samples, and how they are measured."""

    described: Description
    level: float
    seed: int

    def threshold(self) -> tuple[float | None, str]:
        """Return the threshold in use, and where it is from or why there is none."""
        data = self.described.data
        if data.threshold is not None:
            return data.threshold, "the model file"
        if self.described.costs is None:
            return None, "the model file names no threshold, and no prices to find one by"
        first = evaluate(
            self.described.development,
            "cost.best_threshold",
            label=data.label,
            score=data.score,
            positive=data.positive,
            weight=data.weight,
            missing=data.missing,
            costs=self.described.costs,
            intervals=False,
        )["cost.best_threshold"]
        if not first.ok:
            return None, f"the development sample names none: {first.detail}"
        if first.conditions["flag_nothing"]:
            return None, "on the development sample it is cheapest to flag nothing"
        return first.conditions["threshold"], "the development sample, where it is the cheapest"

    def scores(self, sample: str, threshold: float | None, champion: str | None) -> Evaluation:
        """Return the scores of one sample, measured; those of the champion beside them."""
        data = self.described.data
        rules = combined(self.described.policies)
        ev = evaluate(
            sample,
            label=data.label,
            score=[data.score, *([] if champion is None else [champion])],
            positive=data.positive,
            threshold=threshold,
            costs=self.described.costs,
            groups=data.groups,
            weight=data.weight,
            cluster=data.cluster,
            missing=data.missing,
            level=self.level,
            seed=self.seed,
            policy=rules,  # so that whoever counts the rows counts what its rules need
        )
        return replace(ev, results=(*ev.results, *_more(ev, data.score)), policy=None)

    def drift(self) -> DriftEvaluation:
        """Return the drift of score, label and features."""
        data = self.described.data
        return evaluate_drift(
            self.described.development,
            self.described.out_of_time,
            columns=list(dict.fromkeys([data.score, data.label, *data.features])),
            categorical=[data.label, *data.categorical],
            level=self.level,
            seed=self.seed,
        )

    def fairness(
        self, threshold: float | None, origin: str, scores: Evaluation
    ) -> tuple[FairnessEvaluation | None, Skipped]:
        """Return how decisions treat groups, and why that is unknown where it is."""
        data = self.described.data
        if not data.proxies:
            told = "the model file names no proxies, so no groups were compared"
            return None, Skipped(SkipReason.NO_GROUPS, detail=told)
        if threshold is None:
            told = f"without a threshold nothing is decided: {origin}"
            return None, Skipped(SkipReason.NO_THRESHOLD, detail=told)
        of_label = data.favourable_label
        if of_label is None and scores.source["n_positive"] in {0, scores.source["n_rows"]}:
            # Labels of one class do not show how they are written: what was decided says it.
            of_label = data.favourable
        ev = evaluate_fairness(
            self.described.out_of_time,
            groups=data.proxies,
            favourable=data.favourable,
            score=data.score,
            threshold=threshold,
            label=data.label,
            favourable_label=of_label,
            positive=data.positive,
            weight=data.weight,
            cluster=data.cluster,
            missing=data.missing,
            level=self.level,
            seed=self.seed,
        )
        return ev, Skipped(SkipReason.NO_GROUPS, detail="")


def _more(ev: Evaluation, subject: str) -> Iterator[Result]:
    """Yield what validators ask for beyond the default set, of the model on all rows."""
    (part,) = (one for one in ev.slices if (one.subject, one.group) == (subject, None))
    there = {one.metric for one in ev.results if (one.subject, one.group) == (subject, None)}
    for name in (*_OF_RANKS, *(_OF_FORECASTS if are_forecasts(ev, subject) else ())):
        if name not in there:  # a policy may have asked for it
            yield finalise(find(name), part, ev.settings)
