"""``refinalised``: a stored run computed again from its summaries, without the data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from veridical.errors import FileFormatError, MetricNameError, ParameterError
from veridical.evaluation.evaluation import Evaluation
from veridical.evaluation.restored import restored, unit_settings
from veridical.evaluation.result_set import ResultSet
from veridical.evaluation.unit_results import unit_result
from veridical.finalise import finalise
from veridical.metrics import find
from veridical.portable import Summary
from veridical.results import Conditions, Result
from veridical.slices import Settings, Slice
from veridical.store.kept_slices import slice_kept

if TYPE_CHECKING:
    from veridical.store.run import Run

__all__ = ["refinalised", "with_slices"]

NO_UNITS = "no_interval_without_rows"
_OF_DATA = {
    "effective_clusters", "effective_rows", "favourable_absent", "few_clusters",
    "frequency_weights", "no_interval_without_rows", "repeated_source", "small_group",
}  # fmt: skip
"""Notes about what was read, which a summary does not tell."""


def refinalised(run: Run) -> ResultSet:
    """Return the results of a stored run by the definitions of this version.

    What was measured stays: metrics, models, groups, settings, seed.  How it is computed is what
    is installed now.  Intervals that resample whole units (clusters, fractional weights) need
    their rows, and are left out with a note; so are comparisons of models.

    Parameters
    ----------
    run
        A run with summaries; see ``Run.left_out`` for why one may have none.

    Returns
    -------
    ResultSet
        As the verb returns it; an ``Evaluation`` has its charts and its report.

    Raises
    ------
    ParameterError
        The run has no summaries.
    FileFormatError
        They are damaged.
    MetricNameError
        A metric of the run does not exist any more.

    Examples
    --------
    >>> import tempfile, veridical as vd
    >>> ev = vd.evaluate({"y": [1, 0], "p": [0.9, 0.6]}, label="y", score="p")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     run = ev.save(store=f"{folder}/runs.db")
    >>> refinalised(run)["roc_auc"] == ev["roc_auc"]
    True
    """
    if not run.summaries:
        why = run.left_out.get("summaries", "this kind of run keeps none")
        raise ParameterError(
            "the run cannot be computed again without its data",
            where=run.label,
            why=f"it has no summaries: {why}",
            fix="measure the data again",
        )
    before = restored(run)
    try:
        if isinstance(before, Evaluation):
            return _of_scores(run, before)
        if run.kind == "ranking":
            from veridical.ranking.refinalising import of_ranking

            return of_ranking(run, before)
        again: dict[str, Any] = {"results": tuple(_of_units(run)), "comparisons": ()}
        if run.kind == "fairness":
            again["policy"] = None  # what it said was about the results before
        return replace(before, **again)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        if isinstance(error, (FileFormatError, MetricNameError, ParameterError)):
            raise
        raise FileFormatError(
            f"the summaries of the run cannot be read: {type(error).__name__}: {error}"[:300],
            where=run.label,
            fix="check the store with `veridical runs verify`",
        ) from error


def with_slices(run: Run) -> ResultSet:
    """Return the results as they are stored, with the summaries that charts are drawn from.

    Parameters
    ----------
    run
        A stored run; where it kept no summaries, there are none.
    """
    before = restored(run)
    if not isinstance(before, Evaluation) or not run.summaries:
        return before
    parts, _, summary = _parts(run, before)
    return replace(before, slices=tuple(part for part, _ in parts), summary=summary)


Parts = list[tuple[Slice, bool]]


def _parts(run: Run, before: Evaluation) -> tuple[Parts, Settings, Summary | None]:
    """Return the slices, whether their intervals resample whole units, and the settings."""
    first = run.summaries[0]["summary"]
    if first["schema"] != Summary.schema:
        return [slice_kept(one) for one in run.summaries], before.settings, None
    from veridical.evaluation.summarised import settings_of
    from veridical.portable import slices_of

    summary = Summary.from_dict(first)
    found = slices_of(summary, before.subjects, summary.header.groups)
    return [(part, False) for part in found], settings_of(summary, before.settings), summary


def _of_scores(run: Run, before: Evaluation) -> Evaluation:
    parts, settings, summary = _parts(run, before)
    results = tuple(_again(before.results, parts, settings))
    slices = tuple(part for part, _ in parts)
    return replace(
        before, results=results, slices=slices, summary=summary, comparisons=(), policy=None
    )


def _again(
    results: Sequence[Result], parts: Sequence[tuple[Slice, bool]], settings: Settings
) -> Iterator[Result]:
    by_key = {(part.subject, part.group): (part, whole) for part, whole in parts}
    for result in results:
        if not result.ok and result.reason == "not_probabilities":
            yield result  # the scores are what they were
            continue
        part, whole_units = by_key[result.subject, result.group]
        how = replace(settings, intervals=settings.intervals and not whole_units)
        again = finalise(find(result.metric), part, how)
        if whole_units and settings.intervals and result.interval is not None:
            again = replace(again, notes=tuple(dict.fromkeys((*again.notes, NO_UNITS))))
        # Summaries hold sums of weights, and not how many rows they are sums over.
        kept = {name: n for name, n in result.counts.items() if name == "n_rows_counted"}
        yield replace(again, requested=result.requested, counts={**again.counts, **kept})


def _of_units(run: Run) -> Iterator[Result]:
    """Compute results of texts and raters again, each from its own summary."""
    settings = unit_settings(run)
    held = {(one["subject"], one["metric"]): one["summary"] for one in run.summaries}
    for result in run.results:
        measure = find(result.metric)
        kind: Any = measure.definition.summary
        of = (result.subject, result.metric)
        yield unit_result(
            measure,
            kind.from_dict(held[of if of in held else (result.subject, None)]),
            settings,
            subject=result.subject,
            requested=result.requested,
            conditions=Conditions(result.conditions.settings, result.conditions.observed),
            n_rows=result.n_rows,
            counts=result.counts,
            notes=tuple(note for note in result.notes if note in _OF_DATA),
        )
