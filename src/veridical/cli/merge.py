"""``veridical merge``: pool summaries of data sets that never met, and measure the whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Group, Parameter

from veridical.cli.keeping import check_saving, keep
from veridical.cli.options import MEASURE, OUTPUT, Json, Level, Metrics, NoIntervals, Seed
from veridical.cli.output import emit, emit_json, talk
from veridical.cli.prices import costs_of
from veridical.cli.saving import Save, StoreAt, Tag
from veridical.cli.showing import show
from veridical.cli.targets import check_target
from veridical.errors import MismatchError
from veridical.exit_codes import OK, UNDECIDED
from veridical.report.visible import padded, visible, width

if TYPE_CHECKING:
    from veridical.portable import Summary
    from veridical.results import Result
    from veridical.stability.places import Place

__all__ = ["merge"]


FAIRNESS = Group("Fairness", sort_key=3)

Many = list[str] | None
Row = tuple[str, ...]


def merge(
    file: Annotated[list[str], Parameter(help="Files that `veridical summarise` wrote.")],
    /,
    *,
    metric: Metrics = None,
    threshold: Annotated[
        float | None, Parameter(group=MEASURE, help="Scores >= it are flagged.")
    ] = None,
    cost_fn: Annotated[
        str | None, Parameter(group=MEASURE, help="Price of a missed positive.")
    ] = None,
    cost_fp: Annotated[str | None, Parameter(group=MEASURE, help="Price of a false alarm.")] = None,
    cost_review: Annotated[
        str | None, Parameter(group=MEASURE, help="Price of every flagged row.")
    ] = None,
    favourable: Annotated[
        str | None,
        Parameter(
            group=FAIRNESS,
            help="Measure fairness too: 1 where a score of at least --threshold is good for whom "
            "it is about, 0 where the others are.",
        ),
    ] = None,
    favourable_label: Annotated[
        str | None,
        Parameter(group=FAIRNESS, help="The favourable label, where it is not that value."),
    ] = None,
    score: Annotated[
        str | None,
        Parameter(group=FAIRNESS, help="The score that decides, where there are several."),
    ] = None,
    group: Annotated[
        Many, Parameter(group=FAIRNESS, help="Groups to compare; all of the files by default.")
    ] = None,
    reference: Annotated[
        Many,
        Parameter(
            group=FAIRNESS, help="Group that others are held against; by default the largest."
        ),
    ] = None,
    min_size: Annotated[
        int, Parameter(group=FAIRNESS, help="Groups of fewer rows are shown, and not ranked.")
    ] = 30,
    no_intervals: NoIntervals = False,
    level: Level = 0.95,
    seed: Seed = 0,
    output: Annotated[
        Path | None,
        Parameter(name=["--output", "-o"], group=OUTPUT, help="Write the pooled summary too."),
    ] = None,
    json: Json = False,
    save: Save = None,
    tag: Tag = None,
    store: StoreAt = None,
) -> int:
    """Pool summaries, and measure the whole."""
    check_saving(save, tag)
    costs = costs_of(cost_fn, cost_fp, cost_review)
    if output is not None:
        check_target(output, sources=file)

    from veridical.evaluation import evaluate

    summaries = _loaded(file)
    pooled = _pooled(summaries)
    result = evaluate(
        pooled,
        metric or None,
        threshold=threshold,
        costs=costs,
        level=level,
        intervals=not no_intervals,
        seed=seed,
    )
    title = ", ".join(file[:3]) + (", ..." if len(file) > 3 else "")
    result = replace(result, source={**result.source, "path": title})
    if output is not None:
        talk(f"summary: {pooled.save(output)}")
    if any(count > 1 for count in pooled.sources.values()):
        talk("the same data stand in more than one of these files, and count as often", "warning")
    files = list(_files(summaries))
    found = None
    if favourable is not None:
        from veridical.parity import fairness_by_place

        found = fairness_by_place(
            dict(summaries),
            favourable=favourable,
            favourable_label=favourable_label,
            groups=group or (),
            score=score,
            threshold=threshold,
            reference=reference or (),
            min_size=min_size,
            level=level,
            intervals=not no_intervals,
        )
    if json:
        fairness = {} if found is None else {"fairness": found.to_dict()}
        emit_json({**result.to_dict(), "files": [_described(one) for one in files], **fairness})
    else:
        tables = [_aligned(_rows(files))]
        tables += [_aligned(_rows_without(files))] if len(files) > 1 else []
        emit("\n".join([*(line for table in tables for line in (*table, "")), ""]))
        show(result)
        if found is not None:
            from veridical.report.fairness_places import fairness_places_text

            emit(f"\n{fairness_places_text(found)}")
    keep(result, save, tag, store, {"metrics": metric, "files": file})
    return OK if any(one.ok for one in result.results) else UNDECIDED


def _loaded(names: Sequence[str]) -> list[tuple[str, Summary]]:
    from veridical.portable import Summary

    return [(name, Summary.load(name)) for name in names]


def _pooled(summaries: Sequence[tuple[str, Summary]]) -> Summary:
    (first, pooled), *others = summaries
    for name, summary in others:
        try:
            pooled += summary
        except MismatchError as error:
            places = f"{first} and {name}"
            error.where = f"{places}, {error.where}" if error.where else places
            raise
    return pooled


@dataclass(frozen=True, slots=True)
class _File:
    """A file beside the others: what it is worth alone, what the others are without it."""

    name: str
    place: Place
    alone: list[Result]
    without: list[Result]

    @property
    def summary(self) -> Summary:
        return self.place.alone

    @property
    def scores(self) -> list[str]:
        return list(self.summary.header.scores)


def _files(summaries: Sequence[tuple[str, Summary]]) -> Iterator[_File]:
    from veridical.stability.places import places_of

    places = places_of([summary for _, summary in summaries])
    for (name, _), place in zip(summaries, places, strict=True):
        without = [] if place.others is None else _ranked(place.others)
        yield _File(name, place, _ranked(place.alone), without)


def _ranked(summary: Summary) -> list[Result]:
    """Return what the ranking of a summary is worth; ROC-AUC never stands alone."""
    from veridical.evaluation import evaluate

    metrics = ["binary.roc_auc", "binary.average_precision"]
    ev = evaluate(summary, metrics, intervals=False)
    return [r for r in ev.results if r.group is None and r.metric in metrics]


def _described(file: _File) -> dict[str, Any]:
    rows, positives = file.summary.tally.rows, file.summary.tally.positives
    drifts = [file.place.drift(score) for score in file.scores]
    return {
        "path": file.name,
        "sha256": file.summary.sha256,
        "n_rows": rows,
        "n_positive": positives,
        "prevalence": positives / rows if rows else None,
        "results": [result.to_dict() for result in file.alone],
        "results_without_it": [result.to_dict() for result in file.without],
        "drift_from_the_others": [one.to_dict() for one in drifts if one is not None],
    }


def _rows(files: Sequence[_File]) -> list[Row]:
    lines: list[Row] = [("file", "score", "rows", "positive", "ROC-AUC", "average precision")]
    for file in files:
        rows, positives = file.summary.tally.rows, file.summary.tally.positives
        share = f" ({100 * positives / rows:.3g}%)" if rows else ""
        counts = (f"{rows:,}", f"{positives:,}{share}")
        lines += [
            (visible(file.name), visible(score), *counts, *_of(file.alone, score))
            for score in file.scores
        ]
    return lines


def _rows_without(files: Sequence[_File]) -> list[Row]:
    head = ("all but", "score", "PSI of its scores", "", "ROC-AUC", "average precision")
    lines: list[Row] = [head]
    for file in files:
        for score in file.scores:
            psi = file.place.drift(score)
            drift = ("", "") if psi is None else _drift(psi)
            values = _of(file.without, score)
            lines.append((visible(file.name), visible(score), *drift, *values))
    return lines


def _of(results: Sequence[Result], score: str) -> list[str]:
    return [_told(result) for result in results if result.subject == score]


def _drift(psi: Result) -> tuple[str, str]:
    if not psi.ok:
        return f"skipped ({psi.reason})", ""
    return f"{psi.value:.4f}", str(psi.conditions["light"]).replace("_", " ")


def _told(result: Result) -> str:
    if not result.ok:
        return f"skipped ({result.reason})"
    from veridical.report.sections import certified

    return f"{result.value:.4f} {certified(result)}".rstrip()


def _aligned(rows: Sequence[Row]) -> list[str]:
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            padded(cell, size, right=index in {2, 3})
            for index, (cell, size) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
