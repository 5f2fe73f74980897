"""``evaluate_agreement``: what raters have in common, beyond chance."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, permutations
from typing import Any, Literal

import numpy as np

from veridical.comparison.units import compare_subjects
from veridical.errors import InputError, LabelError, ParameterError
from veridical.evaluation.agreement_evaluation import AgreementEvaluation
from veridical.evaluation.unit_results import UnitSettings, asked_of, unit_result
from veridical.measures import Measure
from veridical.metrics import find
from veridical.results import Conditions, Result
from veridical.summaries import ConfusionCounts
from veridical.summaries.contingency import ContingencyTable, RatingPatterns
from veridical.summaries.judged_sample import JudgedSample
from veridical.tables import column_from, open_table
from veridical.tables._words import counted, listed, shown
from veridical.tables.ratings import Coded, Ratings, coded_labels, read_ratings
from veridical.tables.source import MemoryTable
from veridical.tables.table import Table

__all__ = ["AgreementEvaluation", "evaluate_agreement", "judged_sample", "measure_agreement"]

PAIR = ("agreement.raw_agreement", "agreement.cohens_kappa")
EVERYONE = ("agreement.fleiss_kappa", "agreement.gwet_ac1", "agreement.krippendorff_alpha")
RATES = (
    "agreement.judged_rate",
    "agreement.rogan_gladen_rate",
    "agreement.prediction_powered_rate",
)


def evaluate_agreement(
    data: Any,
    metrics: Iterable[str | Measure] | str | Measure | None = None,
    *,
    raters: Sequence[str],
    weights: Literal["none", "linear", "quadratic"] | None = None,
    scale: Sequence[Any] | None = None,
    judge: str | None = None,
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
    judge
        The rater that is a machine, say: his agreement with each of the others is compared with
        theirs among themselves, which is the ceiling he is read against.
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
    names = _checked_raters(raters, rate, judge)
    table = open_table(data)
    asked = None if metrics is None else asked_of(metrics, "agreement")
    asked = _defaults(len(names), weights, rate) if asked is None else _weighted(asked, weights)
    texts = "path" in table.describe()
    ratings, tables, results = _measured(
        _read(table, names),
        asked,
        settings,
        scale=scale,
        rate=rate,
        missing=missing,
        texts=texts,
    )
    ev = AgreementEvaluation(
        results=results,
        source={**table.describe(), "n_rows": ratings.n_items},
        subjects=tuple(dict.fromkeys(str(result.subject) for result in results)),
        keyed_by_subject=len(names) > 2,
        raters=names,
        tables={_joined(pair): table for pair, table in tables.items()},
        ratings=ratings,
        settings=settings,
        judge=judge,
    )
    if intervals and judge is not None and len(names) > 2:
        ev = replace(ev, comparisons=compare_subjects(ev, _against_people(names, judge)))
    return ev


def _against_people(names: Sequence[str], judge: str) -> list[tuple[str, str]]:
    """Return which pairs of raters are compared: judge and person, the person and another."""
    people = [name for name in names if name != judge]

    def subject(*raters: str) -> str:
        return _joined([name for name in names if name in raters])

    return [(subject(judge, one), subject(one, two)) for one, two in permutations(people, 2)]


def measure_agreement(
    metric: str | Measure,
    first: Any,
    second: Any,
    *,
    weights: Literal["none", "linear", "quadratic"] | None = None,
    scale: Sequence[Any] | None = None,
    rate: Any = None,
    missing: Literal["error", "drop"] = "error",
    interval: Literal["analytic", "bootstrap"] = "analytic",
    level: float = 0.95,
    intervals: bool = True,
    seed: int = 0,
    replicates: int = 1000,
) -> Result:
    """Measure one metric of agreement on two columns of labels.

    Parameters
    ----------
    metric
        Name or measure object of the family ``agreement``.
    first, second
        Labels, shape (n,).
    weights, scale, rate, missing, interval, level, intervals, seed, replicates
        As for ``evaluate_agreement``.

    Examples
    --------
    >>> measure_agreement("cohens_kappa", ["y", "y", "n", "n"], ["y", "n", "n", "n"]).value
    0.5
    """
    settings = UnitSettings(level, intervals, seed, replicates, interval).checked()
    sides = {"first": first, "second": second}
    # One after the other: the memory of the first column serves the second again.
    columns = {name: coded_labels(column_from(name, side)) for name, side in sides.items()}
    _check_lengths(columns)
    asked = _weighted(asked_of(metric, "agreement"), weights)
    _, _, (result,) = _measured(
        columns, asked, settings, scale=scale, rate=rate, missing=missing, texts=False
    )
    return result


def _read(table: Table, names: Sequence[str]) -> dict[str, Coded]:
    """Return the labels of each rater; what is not in memory is read once, for all of them."""
    if not isinstance(table, MemoryTable):
        return {name: coded_labels(column) for name, column in table.read(names).items()}
    columns = {name: coded_labels(table.read([name])[name]) for name in names}
    _check_lengths(columns)
    return columns


def _check_lengths(columns: Mapping[str, Coded]) -> None:
    lengths = [len(column) for column in columns.values()]
    if len(set(lengths)) > 1:
        raise InputError(
            f"the raters have {' and '.join(f'{length:,}' for length in lengths)} labels",
            fix="give one label an item from each rater",
        )


Measuring = tuple[Ratings, dict[tuple[str, str], ContingencyTable], tuple[Result, ...]]


def _measured(
    columns: Mapping[str, Coded],
    asked: Mapping[Measure, str | None],
    settings: UnitSettings,
    *,
    scale: Sequence[Any] | None,
    rate: Any,
    missing: str,
    texts: bool,
) -> Measuring:
    """Return what the raters said, the table of each pair, and the results."""
    if missing not in {"error", "drop"}:
        raise ParameterError(f"missing is error or drop, not {missing!r}", fix="give one of them")
    ratings = read_ratings(columns, scale, texts=texts)
    if missing == "error" and rate is None and any(_needs_all(measure) for measure in asked):
        _check_complete(ratings, columns)
    tables = {pair: _contingency(ratings, pair) for pair in combinations(columns, 2)}
    return ratings, tables, tuple(_results(asked, ratings, tables, settings, _rated(rate, ratings)))


def _checked_raters(raters: Sequence[str], rate: Any, judge: str | None = None) -> tuple[str, ...]:
    names = (raters,) if isinstance(raters, str) else tuple(raters)
    if len(names) < 2 or len(set(names)) < len(names):
        raise ParameterError(
            f"agreement needs two different raters, not {listed(names) or 'none'}",
            fix="name at least two columns of labels",
        )
    if judge is not None and judge not in names:
        raise ParameterError(
            f"the judge {shown(judge)} is none of the raters",
            fix=f"raters: {listed(names)}",
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


def _check_complete(ratings: Ratings, columns: Mapping[str, Coded]) -> None:
    for name, column in columns.items():
        if not column.complete:
            absent = ratings.codes[name] < 0
            raise LabelError(
                f"{counted(int(absent.sum()), 'rating')} missing",
                where=column.where(absent),
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
    tables: Mapping[tuple[str, str], ContingencyTable],
    settings: UnitSettings,
    rated: int | None,
) -> Iterator[Result]:
    names, n_items = tuple(ratings.codes), ratings.n_items
    scale = {"scale": list(ratings.labels)} if ratings.declared else {}
    alike = {"labels_alike": found} if (found := ratings.alike) else {}
    patterns: RatingPatterns | None = None
    for measure, requested in asked.items():
        kind = measure.definition.summary
        groups: Iterable[tuple[str, ...]] = tables if kind is ContingencyTable else (names,)
        for group in groups:
            summary: Any
            observed: dict[str, Any] = {**alike}
            counts: dict[str, int] = {}
            if kind is ContingencyTable:
                summary = tables[group[0], group[1]]
            elif kind is JudgedSample:
                summary = judged_sample(ratings, names, rated)
                observed["rate_of"] = ratings.labels[rated or 0]
            else:
                patterns = summary = _patterns(ratings) if patterns is None else patterns
            if kind is not JudgedSample and (n_both := summary.n) < n_items:
                counts = {"n_skipped": n_items - n_both}
            yield unit_result(
                measure,
                summary,
                settings,
                subject=_joined(group),
                requested=requested,
                conditions=Conditions(scale, observed),
                n_rows=n_items,
                counts=counts,
                notes=tuple(alike),
            )


def _patterns(ratings: Ratings) -> RatingPatterns:
    codes = np.stack([codes.astype(np.int32) for codes in ratings.codes.values()], axis=1)
    return RatingPatterns.from_codes(codes, ratings.labels, declared=ratings.declared)


def _joined(raters: Sequence[str]) -> str:
    return " / ".join(raters)


def _contingency(ratings: Ratings, pair: Sequence[str]) -> ContingencyTable:
    first, second = (ratings.codes[name] for name in pair)
    return ContingencyTable.from_codes(first, second, ratings.labels, declared=ratings.declared)


def judged_sample(ratings: Ratings, names: Sequence[str], rated: int | None) -> JudgedSample:
    """Return what a judge says about one label, and the truth where it is known.

    Parameters
    ----------
    ratings
        What both called each item.
    names
        The judge, and who knows the truth.
    rated
        The position of the label.
    """
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
