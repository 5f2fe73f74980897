"""What ``veridical merge`` says of each file: alone, and what the others are without it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from veridical.report.payload import NamedTable
from veridical.report.visible import padded, visible, width

if TYPE_CHECKING:
    from veridical.portable import Summary
    from veridical.results import Result
    from veridical.stability.places import Place

__all__ = ["MergedFile", "aligned", "described", "files_of", "tables_of"]

Row = tuple[str, ...]

_ALONE, _WITHOUT = "Each file alone", "All files but one"
_OF_FILES = "How well the scores rank within each file, before anything is pooled."
_OF_REST = (
    "How far the scores of a file are from those of all others, and what the pool is worth without "
    "it: a file that holds the pool up, or down, shows here."
)


@dataclass(frozen=True, slots=True)
class MergedFile:
    """A file beside the others: what it is worth alone, what the others are without it."""

    name: str
    place: Place
    alone: list[Result]
    without: list[Result]

    @property
    def summary(self) -> Summary:
        """What is in it."""
        return self.place.alone

    @property
    def scores(self) -> list[str]:
        """Its score columns."""
        return list(self.summary.header.scores)


def files_of(summaries: Sequence[tuple[str, Summary]]) -> Iterator[MergedFile]:
    """Yield each file with what it is worth alone, and what the others are without it.

    Parameters
    ----------
    summaries
        Names of files, and what is in them.
    """
    from veridical.stability.places import places_of

    places = places_of([summary for _, summary in summaries])
    for (name, _), place in zip(summaries, places, strict=True):
        without = [] if place.others is None else _ranked(place.others)
        yield MergedFile(name, place, _ranked(place.alone), without)


def _ranked(summary: Summary) -> list[Result]:
    """Return what the ranking of a summary is worth; ROC-AUC never stands alone."""
    from veridical.evaluation import evaluate

    metrics = ["binary.roc_auc", "binary.average_precision"]
    ev = evaluate(summary, metrics, intervals=False)
    return [r for r in ev.results if r.group is None and r.metric in metrics]


def described(file: MergedFile) -> dict[str, Any]:
    """Return a file as JSON has it."""
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


def tables_of(files: Sequence[MergedFile]) -> list[NamedTable]:
    """Return the tables of text: each file alone, and where there are several all others.

    Parameters
    ----------
    files
        In the order in which they were given.
    """
    head, *rows = _rows(files)
    tables = [NamedTable(anchor="files", heading=_ALONE, lede=_OF_FILES, head=head, rows=rows)]
    if len(files) > 1:
        head, *rows = _rows_without(files)
        without = NamedTable(anchor="others", heading=_WITHOUT, lede=_OF_REST, head=head, rows=rows)
        tables.append(without)
    return tables


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows as lines of text whose columns stand below each other.

    Parameters
    ----------
    rows
        Of as many cells each; the third and fourth are numbers.
    """
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            padded(cell, size, right=index in {2, 3})
            for index, (cell, size) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def _rows(files: Sequence[MergedFile]) -> list[Row]:
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


def _rows_without(files: Sequence[MergedFile]) -> list[Row]:
    head = ("all but", "score", "PSI of its scores", "light", "ROC-AUC", "average precision")
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
