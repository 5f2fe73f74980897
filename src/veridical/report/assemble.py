"""From an evaluation to what the HTML report and the figures show."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, cast

from veridical.costs import Costs
from veridical.errors import ParameterError
from veridical.metrics import find
from veridical.metrics.evidence import BinnedEvidence, LacksSummaryError
from veridical.notes import sentence
from veridical.report.operating_points import (
    operating_points,
    reliability_bins,
    table_of_bins,
    table_of_stops,
)
from veridical.report.passport import cluster_count, held, row_counts
from veridical.report.payload import (
    Comparison,
    NamedThreshold,
    Passport,
    Payload,
    Policy,
    Prices,
    Subject,
)
from veridical.report.presentation import metric_entry
from veridical.results import Result
from veridical.writing import write_made

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from veridical.evaluation import Evaluation
    from veridical.slices import Slice
    from veridical.summaries import ConfusionCounts, ScoreTable

__all__ = [
    "MOST_POINTS",
    "Plots",
    "positive_name",
    "prevalence",
    "report_payload",
    "source_name",
    "subject_points",
    "write_report",
]

MOST_POINTS = 2000
"""Operating points of a score column: twice as many as a chart has columns of pixels."""

_STANDARD_RATES = (0.0001, 0.001)


def write_report(ev: Evaluation, path: str | Path, title: str | None = None) -> Path:
    """Write the self-contained HTML report.

    Parameters
    ----------
    ev
        What to report.
    path
        Where to write; an existing file is replaced, whole or not at all.
    title
        The page's heading; the name of the data by default.

    Returns
    -------
    Path
        ``path``.

    Raises
    ------
    OutputError
        The file cannot be written.
    """
    from veridical.report.html import render_report

    return write_made(path, lambda: render_report(report_payload(ev, title)))


def report_payload(
    ev: Evaluation, title: str | None = None, *, points: int = MOST_POINTS
) -> Payload:
    """Return everything that the HTML report shows of an evaluation.

    Parameters
    ----------
    ev
        What to report.
    title
        The page's heading; the name of the data by default.
    points
        At most so many operating points of each score column.
    """
    whole = [result for result in ev.results if result.group == ev.only_group]
    by_metric = {r.metric: [s for s in whole if s.metric == r.metric] for r in ev.results}
    rate = prevalence(ev)
    noted = [*ev.results, *(one.difference for one in ev.comparisons)]
    notes = dict.fromkeys(note for result in noted for note in result.notes)
    payload = Payload(
        title=title or source_name(ev),
        passport=_passport(ev),
        subjects=[subject_points(ev, name, points) for name in ev.subjects],
        results=[_as_whole(result, ev) for result in ev.results],
        metrics={name: metric_entry(name, same, rate) for name, same in by_metric.items()},
        note_sentences={note: sentence(note) for note in notes},
        notes=[sentence(note) for note in (*ev.source.get("notes", ()), *_of_bins(ev))],
        comparisons=[cast(Comparison, one.to_dict()) for one in ev.comparisons],
    )
    if ev.settings.costs is not None:
        payload["costs"] = _prices(ev.settings.costs)
    if ev.policy is not None:
        payload["policy"] = cast(Policy, ev.policy.to_dict())
    return payload


def _of_bins(ev: Evaluation) -> list[str]:
    binned = any(isinstance(part.evidence, BinnedEvidence) for part in ev.slices)
    return ["curves_of_bins"] if binned else []


def _as_whole(result: Result, ev: Evaluation) -> dict[str, Any]:
    """Return a result as JSON; the one group that is evaluated is the whole."""
    written = result.to_dict()
    return written | {"group": None} if result.group == ev.only_group else written


def source_name(ev: Evaluation) -> str:
    """Return what the data are called: the file's name, or the kind of object."""
    path = ev.source.get("path")
    # The folder is left out: a report is passed on, and who keeps what where is nobody's business.
    name = PurePath(str(path)).name if path else f"{ev.source.get('kind', 'data')}{held(ev)}"
    return name if ev.only_group is None else f"{name}, {ev.only_group}"


def prevalence(ev: Evaluation) -> float | None:
    """Return the share of positives in the rows, weighted if they are; None without rows."""
    for one in ev.slices:
        if one.group == ev.only_group:
            counts = one.evidence.at(None)
            return float(counts.positives / counts.n) if counts.n else None
    return None


def subject_points(ev: Evaluation, name: str, points: int = MOST_POINTS) -> Subject:
    """Return one score column with its operating points and reliability bins."""
    part = next(s for s in ev.slices if s.subject == name and s.group == ev.only_group)
    (table, probabilities), settings = _curve(ev, part), ev.settings
    binned = isinstance(part.evidence, BinnedEvidence)
    in_use = None if binned and _known(ev, part) is None else settings.threshold
    named = list(_named_thresholds(ev, table, in_use))
    # Rows that belong together are fewer units than there are: their intervals would be too narrow.
    level = settings.level if cluster_count(ev) is None else None
    return Subject(
        name=name,
        is_probability=probabilities,
        positives=_number(table.total_positives),
        negatives=_number(table.total_negatives),
        prevalence=float(table.total_positives / table.total) if table.total else None,
        points=operating_points(
            table,
            limit=points,
            costs=settings.costs,
            keep=[point["threshold"] for point in named],
            level=level,
        ),
        named_thresholds=named,
        reliability=(
            reliability_bins(part.evidence.reliability(_bins(ev)), level=level)
            if probabilities
            else []
        ),
    )


def _curve(ev: Evaluation, part: Slice) -> tuple[ScoreTable, bool]:
    """Return the scores that the charts of a slice are drawn from, and whether they are forecasts.

    They are all distinct scores or, where these were not kept, those of positives, or the lowest
    of each bin.
    """
    if isinstance(part.evidence, BinnedEvidence):
        return table_of_bins(part.evidence.bins, _known(ev, part)), _has_forecasts(ev, part)
    try:
        table = part.table
    except LacksSummaryError:
        return _stops(ev, part), _has_forecasts(ev, part)
    return table, bool(len(table) and table.scores[0] >= 0 and table.scores[-1] <= 1)


def _known(ev: Evaluation, part: Slice) -> tuple[float, ConfusionCounts] | None:
    """Return the threshold in use and the counts there, if they are known exactly."""
    threshold = ev.settings.threshold
    if threshold is None:
        return None
    try:
        return threshold, part.evidence.at(threshold)
    except LacksSummaryError:
        return None


def _stops(ev: Evaluation, part: Slice) -> ScoreTable:
    threshold, ranking = ev.settings.threshold, part.evidence.ranking
    return table_of_stops(ranking.walk if threshold is None else ranking.walk_at(threshold))


def _has_forecasts(ev: Evaluation, part: Slice) -> bool:
    try:
        part.evidence.reliability(_bins(ev))
    except LacksSummaryError:
        return False
    return True


def _named_thresholds(
    ev: Evaluation, table: ScoreTable, in_use: float | None
) -> Iterable[NamedThreshold]:
    """Yield the standard operating points, the one to start at first."""
    settings = ev.settings
    if in_use is not None:
        yield NamedThreshold(name="in use", threshold=in_use)
    if settings.costs is not None:
        cheapest = find("cost.best_threshold").function(table, settings.costs)
        if cheapest.ok:
            yield NamedThreshold(name="cheapest", threshold=_threshold(cheapest))
    for rate in _STANDARD_RATES:
        attained = find("binary.recall")(fpr=rate).function(table, fpr=rate)
        if attained.ok:
            name = f"recall at FPR {rate:g}"
            yield NamedThreshold(name=name, threshold=_threshold(attained))


def _threshold(result: Result) -> float | None:
    """Return the threshold a result found, which its conditions hold as text where infinite."""
    threshold = result.conditions["threshold"]
    return None if threshold is None else float(threshold)


def _bins(ev: Evaluation) -> int:
    """Return the number of bins that the calibration errors used."""
    used = (r.conditions["bins"] for r in ev.results if "bins" in r.conditions)
    return int(next(used, 10))


def _number(count: Any) -> float:
    return int(count) if count == int(count) else float(count)


def _passport(ev: Evaluation) -> Passport:
    source = ev.source
    counts = {name: source[name] for name in ("n_read", "n_skipped") if source.get("n_skipped")}
    clusters = cluster_count(ev)
    if clusters is not None:
        counts["n_clusters"] = clusters
    return Passport(
        source=source_name(ev),
        sha256=source.get("sha256"),
        rows=row_counts(ev)[0],
        label=source["label"],
        positive=positive_name(ev),
        level=ev.settings.level,
        seed=ev.settings.seed,
        versions=source["versions"],
        counts=counts,
        weight=source.get("weight"),
    )


def positive_name(ev: Evaluation) -> str:
    """Return the label that counts as positive; 1 stands for true as well."""
    given = ev.source.get("positive")
    return "1" if given is None else str(given)


def _prices(costs: Costs) -> Prices:
    written = costs.to_dict()
    alarm = costs.false_alarm
    prices = Prices(
        fn=written["fn"],
        fp=written["fp"],
        review=written["review"],
        false_alarm=None if alarm is None else format(alarm, "f"),
    )
    if costs.currency:
        prices["currency"] = costs.currency
    return prices


class Plots:
    """The charts of an evaluation on matplotlib axes (extra ``figures``).

    Parameters
    ----------
    ev
        The evaluation.

    Examples
    --------
    >>> import veridical as vd
    >>> data = {"y": [1, 0, 1, 0], "s": [0.9, 0.6, 0.4, 0.1]}
    >>> ev = vd.evaluate(data, label="y", score="s", intervals=False)
    >>> ax = ev.plot.roc()
    >>> ax.get_xlabel()
    'False-positive rate'
    """

    def __init__(self, ev: Evaluation) -> None:
        self._ev = ev

    def _subjects(self) -> list[Subject]:
        if not self._ev.slices:
            raise ParameterError(
                "this evaluation has no curves", fix="evaluate the data again, then plot"
            )
        return [subject_points(self._ev, name) for name in self._ev.subjects]

    def roc(self, ax: Axes | None = None) -> Axes:
        """Recall against false positive rate."""
        from veridical.report import figures

        return figures.roc(self._subjects(), ax)

    def precision_recall(self, ax: Axes | None = None) -> Axes:
        """Precision against recall."""
        from veridical.report import figures

        return figures.precision_recall(self._subjects(), ax)

    pr = precision_recall

    def cost(self, ax: Axes | None = None) -> Axes:
        """Cost against threshold."""
        from veridical.report import figures

        return figures.cost(self._subjects(), ax)

    def reliability(self, ax: Axes | None = None) -> Axes:
        """Event rate against forecast."""
        from veridical.report import figures

        return figures.reliability(self._subjects(), ax)
