"""``evaluate_agreement``: what raters have in common, beyond chance."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar, Literal

import numpy as np

from veridical.errors import InputError, LabelError, ParameterError
from veridical.evaluation.result_set import ResultSet
from veridical.evaluation.unit_results import UnitSettings, asked_of, unit_result
from veridical.measures import Measure
from veridical.metrics import find
from veridical.results import Conditions, Result
from veridical.summaries import ConfusionCounts
from veridical.summaries.contingency import ContingencyTable, RatingPatterns
from veridical.summaries.judged_sample import JudgedSample
from veridical.tables import column_from, open_table
from veridical.tables._words import counted, listed, shown
from veridical.tables.column import Column
from veridical.tables.ratings import Ratings, read_ratings

__all__ = ["AgreementEvaluation", "evaluate_agreement", "measure_agreement"]

PAIR = ("agreement.raw_agreement", "agreement.cohens_kappa")
EVERYONE = ("agreement.fleiss_kappa", "agreement.gwet_ac1", "agreement.krippendorff_alpha")
RATES = (
    "agreement.judged_rate",
    "agreement.rogan_gladen_rate",
    "agreement.prediction_powered_rate",
)


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class AgreementEvaluation(ResultSet):
    """Results by metric for two raters, by ``(raters, metric)`` for more.

    Attributes
    ----------
    results, source, subjects
        As for ``ResultSet``; a subject is a pair of raters, or all of them: ``"a / b / c"``.
    raters
        Their names, in the order given.
    tables
        The contingency table of each pair, by subject.
    """

    subject_noun: ClassVar[str] = "group of raters"

    raters: tuple[str, ...]
    tables: Mapping[str, ContingencyTable]

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON document that ``--json`` prints, with the table of each pair."""
        tables = [_table_document(pair, table) for pair, table in self.tables.items()]
        return {**super().to_dict(), "tables": tables}

    def __repr__(self) -> str:
        from veridical.report.agreement import agreement_text

        return agreement_text(self)


def evaluate_agreement(
    data: Any,
    metrics: Iterable[str | Measure] | str | Measure | None = None,
    *,
    raters: Sequence[str],
    weights: Literal["none", "linear", "quadratic"] | None = None,
    scale: Sequence[Any] | None = None,
    rate: Any = None,
    missing: Literal["error", "drop"] = "error",
    interval: Literal["analytic", "bootstrap"] = "analytic",
    level: float = 0.95,
    intervals: bool = True,
    seed: int = 0,
    replicates: int = 1000,
) -> AgreementEvaluation:
    """Measure how far raters agree, one item a row.

    Parameters
    ----------
    data
        A path (CSV, Parquet, JSONL, Arrow), a data frame, a dict of columns, a list of dicts.
    metrics
        Names or measure objects of the family ``agreement``.  By default raw agreement and
        Cohen's kappa of each pair of raters; of all of them Fleiss' kappa where there are more
        than two, Gwet's AC1 and Krippendorff's alpha.
    raters
        Columns of labels, at least two; text or numbers.
    weights
        Weights of Cohen's kappa where its name does not say; they need an order of the labels.
    scale
        The labels from lowest to highest, where they are text.
    rate
        A label: then the first rater is a judge, the second the truth where it is known, and the
        share of the label that the judge gives is reported with what his errors make of it.
    missing
        ``"error"``; or ``"drop"``, by which each pair is measured on the items that both rated.
        Krippendorff's alpha, and the rates, take missing ratings as they are.
    interval
        ``"analytic"`` where there is a formula, or ``"bootstrap"`` over items throughout.
    level, intervals, seed, replicates
        As for ``evaluate``.

    Returns
    -------
    AgreementEvaluation
        A mapping from metric to result.

    Raises
    ------
    InputError, LabelError, MissingColumnError, FileFormatError
        The data cannot be used as they are; the message says where and what to do.
    MetricNameError, ParameterError
        A metric or a parameter that does not exist, or weights without an order.

    Examples
    --------
    >>> data = {"a": ["y", "y", "n", "n"], "b": ["y", "n", "n", "n"]}
    >>> ev = evaluate_agreement(data, raters=["a", "b"])
    >>> ev["raw_agreement"].value, ev["cohens_kappa"].value
    (0.75, 0.5)
    """
    settings = UnitSettings(level, intervals, seed, replicates, interval).checked()
    names = _checked_raters(raters, rate)
    if missing not in {"error", "drop"}:
        raise ParameterError(f"missing is error or drop, not {missing!r}", fix="give one of them")
    table = open_table(data)
    columns = table.read(names)
    ratings = read_ratings(columns, scale, texts="path" in table.describe())
    asked = None if metrics is None else asked_of(metrics, "agreement")
    asked = _defaults(len(names), weights, rate) if asked is None else _weighted(asked, weights)
    if missing == "error" and rate is None and any(_needs_all(measure) for measure in asked):
        _check_complete(ratings, columns)
    results = tuple(_results(asked, ratings, settings, _rated(rate, ratings)))
    return AgreementEvaluation(
        results=results,
        source={**table.describe(), "n_rows": ratings.n_items},
        subjects=tuple(dict.fromkeys(str(result.subject) for result in results)),
        keyed_by_subject=len(names) > 2,
        raters=names,
        tables={_joined(pair): _contingency(ratings, pair) for pair in combinations(names, 2)},
    )


def measure_agreement(metric: str | Measure, first: Any, second: Any, **settings: Any) -> Result:
    """Measure one metric of agreement on two columns of labels.

    Parameters
    ----------
    metric
        Name or measure object of the family ``agreement``.
    first, second
        Labels, shape (n,).
    **settings
        As for ``evaluate_agreement``.

    Examples
    --------
    >>> measure_agreement("cohens_kappa", ["y", "y", "n", "n"], ["y", "n", "n", "n"]).value
    0.5
    """
    columns = {"first": column_from("first", first), "second": column_from("second", second)}
    if len({len(column) for column in columns.values()}) > 1:
        raise InputError(
            f"the raters have {len(columns['first']):,} and {len(columns['second']):,} labels",
            fix="give one label an item from each rater",
        )
    ev = evaluate_agreement(columns, [metric], raters=["first", "second"], **settings)
    return ev.results[0]


def _checked_raters(raters: Sequence[str], rate: Any) -> tuple[str, ...]:
    names = (raters,) if isinstance(raters, str) else tuple(raters)
    if len(names) < 2 or len(set(names)) < len(names):
        raise ParameterError(
            f"agreement needs two different raters, not {listed(names) or 'none'}",
            fix="name at least two columns of labels",
        )
    if rate is not None and len(names) > 2:
        raise ParameterError(
            "a corrected rate needs exactly two raters: the judge, and the truth",
            fix="name the judge first and the truth second",
        )
    return names


def _defaults(raters: int, weights: str | None, rate: Any) -> dict[Measure, str | None]:
    many = EVERYONE if raters > 2 else EVERYONE[1:]
    names = (*PAIR, *many, *(RATES if rate is not None else ()))
    return _weighted({find(name): None for name in names}, weights)


def _weighted(asked: dict[Measure, str | None], weights: str | None) -> dict[Measure, str | None]:
    """Give Cohen's kappa the weights, unless its name has some already."""
    if weights is None:
        return asked
    return {
        measure(weights=weights)
        if measure.name == "cohens_kappa" and "weights" not in measure.parameters
        else measure: name
        for measure, name in asked.items()
    }


def _needs_all(measure: Measure) -> bool:
    return measure.name != "krippendorff_alpha" and measure.definition.summary is not JudgedSample


def _check_complete(ratings: Ratings, columns: Mapping[str, Column]) -> None:
    for name, codes in ratings.codes.items():
        absent = codes < 0
        if absent.any():
            raise LabelError(
                f"{counted(int(absent.sum()), 'rating')} missing",
                where=columns[name].where(absent),
                why="who did not rate an item neither agrees nor disagrees",
                fix="complete them, or measure on the rated items with missing='drop' "
                "(--missing drop)",
            )


def _rated(rate: Any, ratings: Ratings) -> int | None:
    """Return the position of the label whose rate is asked for."""
    if rate is None:
        return None
    for position, label in enumerate(ratings.labels):
        if label == rate or (isinstance(rate, str) and str(label) == rate):
            return position
    raise LabelError(
        f"no rater gave the label {shown(rate)}", fix=f"labels: {listed(ratings.labels)}"
    )


def _results(
    asked: Mapping[Measure, str | None],
    ratings: Ratings,
    settings: UnitSettings,
    rated: int | None,
) -> Iterator[Result]:
    names = tuple(ratings.codes)
    scale = {"scale": list(ratings.labels)} if ratings.declared else {}
    patterns: RatingPatterns | None = None
    for measure, requested in asked.items():
        kind = measure.definition.summary
        groups = list(combinations(names, 2)) if kind is ContingencyTable else [names]
        for group in groups:
            summary: Any
            observed: dict[str, Any] = {}
            counts: dict[str, int] = {}
            if kind is ContingencyTable:
                summary = _contingency(ratings, group)
            elif kind is JudgedSample:
                summary = _judged(ratings, names, rated)
                observed = {"rate_of": ratings.labels[rated or 0]}
            else:
                patterns = summary = _patterns(ratings) if patterns is None else patterns
            if kind is not JudgedSample and summary.n < ratings.n_items:
                counts = {"n_skipped": ratings.n_items - summary.n}
            yield unit_result(
                measure,
                summary,
                settings,
                subject=_joined(group),
                requested=requested,
                conditions=Conditions(scale, observed),
                n_rows=ratings.n_items,
                counts=counts,
            )


def _patterns(ratings: Ratings) -> RatingPatterns:
    codes = np.stack(list(ratings.codes.values()), axis=1)
    return RatingPatterns.from_codes(codes, ratings.labels, declared=ratings.declared)


def _joined(raters: Sequence[str]) -> str:
    return " / ".join(raters)


def _contingency(ratings: Ratings, pair: Sequence[str]) -> ContingencyTable:
    first, second = (ratings.codes[name] for name in pair)
    both = (first >= 0) & (second >= 0)
    if not both.all():
        first, second = first[both], second[both]
    return ContingencyTable.from_codes(first, second, ratings.labels, declared=ratings.declared)


def _judged(ratings: Ratings, names: Sequence[str], rated: int | None) -> JudgedSample:
    if rated is None:
        raise ParameterError(
            "this metric corrects the rate of one label",
            fix="say which with rate= (on the command line --rate)",
        )
    judge, truth = (ratings.codes[name] for name in names)
    judged = judge >= 0
    labelled = judged & (truth >= 0)
    true, said = truth[labelled] == rated, judge[labelled] == rated
    tp, fp, fn, tn = (
        int(np.count_nonzero(cell))
        for cell in (true & said, ~true & said, true & ~said, ~true & ~said)
    )
    return JudgedSample(
        ConfusionCounts(tp, fp, fn, tn), int((judge == rated).sum()), int(judged.sum())
    )


def _table_document(pair: str, table: ContingencyTable) -> dict[str, Any]:
    """Return a table with what is read off it: per-label agreement, base rates, bias."""
    n = table.n
    rows, columns = table.counts.sum(axis=1), table.counts.sum(axis=0)
    both = rows + columns
    agreed = np.diag(table.counts)
    return {
        "raters": pair,
        "labels": list(table.labels),
        "counts": table.counts.tolist(),
        "per_label_agreement": [
            None if total == 0 else 2 * int(same) / int(total)
            for same, total in zip(agreed, both, strict=True)
        ],
        "base_rates": None if n == 0 else [(rows / n).tolist(), (columns / n).tolist()],
        "bias": _mean_difference(table),
    }


def _mean_difference(table: ContingencyTable) -> float | None:
    """Return the first rater's mean minus the second's; None without order or items.

    Labels that are numbers count as themselves, those of a declared scale as its steps.
    """
    if table.n == 0 or not table.ordered:
        return None
    steps = np.arange(len(table.labels), dtype=np.float64)
    if not any(isinstance(label, str) for label in table.labels):
        steps = np.array(table.labels, dtype=np.float64)
    margins = table.counts.sum(axis=1) - table.counts.sum(axis=0)
    return float(steps @ margins) / table.n
