"""The tables that ``veridical rank`` prints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TextIO

from veridical.notes import sentence
from veridical.report.pieces import Pieces, folded
from veridical.report.printing import printed
from veridical.report.ranking_words import fusion_text
from veridical.report.titles import title
from veridical.report.unit_comparisons import comparison_pieces
from veridical.report.visible import fitted, padded, visible, width
from veridical.results import Result
from veridical.tables._words import counted

if TYPE_CHECKING:
    from veridical.ranking.evaluation import RankingEvaluation

__all__ = ["plain_text", "ranking_markdown", "ranking_text"]

_WIDEST, _WIDEST_NAME = 110, 34


def ranking_text(
    ev: RankingEvaluation, stream: TextIO | None = None, *, per_query: bool = False
) -> str:
    """Return the table as text for ``stream``: styled on a terminal, plain in a pipe.

    Parameters
    ----------
    ev
        What to print.
    stream
        Where it will be printed; standard output by default.
    per_query
        Whether to print the value of every query too.
    """
    return printed(lambda columns: _lines(ev, columns, per_query=per_query), stream)


def plain_text(ev: RankingEvaluation) -> str:
    """Return the table without styles, as ``repr`` shows it."""
    lines = ("".join(content for content, _ in pieces) for pieces in _lines(ev, _WIDEST))
    return "\n".join(line.rstrip() for line in lines)


def ranking_markdown(ev: RankingEvaluation) -> str:
    """Return the evaluation as Markdown."""
    from veridical.report.unit_markdown import unit_markdown

    return unit_markdown(ev, _heading(ev), [_sizes(ev), *_told(ev), _stamp(ev)], ev.level)


def _lines(ev: RankingEvaluation, columns: int, *, per_query: bool = False) -> Iterator[Pieces]:
    yield from _header(ev, columns)
    yield []
    yield from _results(ev, columns)
    yield from comparison_pieces(ev.comparisons, ev.units, columns)
    if per_query:
        yield from _per_query(ev)
    yield from _remarks(ev, columns)


def _header(ev: RankingEvaluation, columns: int) -> Iterator[Pieces]:
    yield [(fitted(_heading(ev), columns), "bold")]
    yield from folded(_sizes(ev), columns, style="dim")


def _heading(ev: RankingEvaluation) -> str:
    name = visible(str(ev.source["qrels"].get("path", "golden set in memory")))
    return f"{', '.join(map(visible, ev.subjects))} against {name}"


def _sizes(ev: RankingEvaluation) -> str:
    golden = ev.source["qrels"]
    over = {
        "golden": "averaged over the queries of the golden set",
        "intersection": "averaged over the queries that the run has",
    }[ev.source["average"]]
    queries = "1 query" if golden["n_queries"] == 1 else f"{golden['n_queries']:,} queries"
    return f"{queries}, {counted(golden['n_judged'], 'judgement')}; {over}"


def _results(ev: RankingEvaluation, columns: int) -> Iterator[Pieces]:
    several = len(ev.subjects) > 1
    metrics = list(dict.fromkeys(result.metric for result in ev.results))
    names = [visible(title(m)) for m in metrics] + [f"  {visible(s)}" for s in ev.subjects]
    name = min(_WIDEST_NAME, max([14, *map(width, names if several else names[: len(metrics)])]))
    head = f"{100 * ev.level:g}% interval" if ev.level else ""
    yield [
        (padded("Metric", name), "bold cyan"),
        (f"  {'value':>9}  {head:<18}  {'queries':>7}", "dim"),
    ]
    for metric in metrics:
        rows = [result for result in ev.results if result.metric == metric]
        if several:
            yield [(padded(visible(title(metric)), name), "bold")]
        for row in rows:
            label = f"  {visible(str(row.subject))}" if several else visible(title(metric))
            yield _row(padded(label, name), row)
    for row in ev.results:
        if not row.ok:
            text = f"{row.subject}, {title(row.metric)}: {row.detail}; {row.reason.fix}"
            yield from folded(visible(text), columns, indent=2, style="dim")


def _row(label: str, result: Result) -> Pieces:
    if not result.ok:
        return [(label, ""), (f"  {'skipped':>9}", "yellow"), (f"  {result.reason}", "dim")]
    interval = result.interval
    ends = f"{interval.low:.4f} to {interval.high:.4f}" if interval else ""
    return [
        (label, ""),
        (f"  {_number(result.value):>9}", "bold"),
        (f"  {ends:<18}", ""),
        (f"  {result.n:>7,}", ""),
    ]


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 10 and value == int(value) else f"{value:.4f}"


def _per_query(ev: RankingEvaluation) -> Iterator[Pieces]:
    """Yield one line a query and run: the values of all metrics, ``-`` where there is none."""
    for subject in ev.subjects:
        every = {m: v for (s, m), v in ev.values_by_query.items() if s == subject}
        if not every:
            continue
        ids = next(iter(every.values())).ids
        name = min(_WIDEST_NAME, max(8, *map(width, map(visible, ids))))
        sizes = [max(8, width(title(metric))) for metric in every]
        yield []
        yield [(f"Every query of {visible(subject)}", "bold cyan")]
        yield [(_columns("query", name, map(title, every), sizes), "dim")]
        for at, query in enumerate(ids):
            cells = [f"{v.values[at]:.4f}" if v.defined[at] else "-" for v in every.values()]
            yield [(_columns(visible(query), name, cells, sizes), "")]


def _columns(first: str, size: int, cells: Iterator[str] | Sequence[str], sizes: list[int]) -> str:
    rest = (padded(cell, wide, right=True) for cell, wide in zip(cells, sizes, strict=True))
    return "  ".join([padded(first, size), *rest])


def _remarks(ev: RankingEvaluation, columns: int) -> Iterator[Pieces]:
    remarks = _told(ev)
    notes = dict.fromkeys(note for result in ev.results for note in result.notes)
    remarks += [sentence(note) for note in notes]
    if remarks:
        yield []
    for remark in remarks:
        yield from folded(visible(remark), columns, style="dim")
    yield []
    yield [(_stamp(ev), "dim")]


def _told(ev: RankingEvaluation) -> list[str]:
    """Return what is to be known of each run: how it was fused, queries left out, ties."""
    runs = ev.source["runs"]
    fused = {name: runs[name]["fusion"] for name in ev.subjects if "fusion" in runs.get(name, {})}
    remarks = [f"{name}: {fusion_text(fusion)}" for name, fusion in fused.items()]
    for subject in ev.subjects:
        of_run = [result for result in ev.results if result.subject == subject]
        remarks += _skipped(of_run)
        if of_run:
            remarks += _ties_and_duplicates(of_run[0])
    return remarks


def _skipped(of_run: Sequence[Result]) -> Iterator[str]:
    """Yield how many queries of a run are left out, by metric where these differ in it."""
    metrics: dict[int, list[str]] = {}
    for result in of_run:
        if not result.metric.startswith("trec."):  # which leave none out
            metrics.setdefault(result.counts.get("n_skipped", 0), []).append(title(result.metric))
    for n, names in metrics.items():
        if n:
            whose = "" if len(metrics) == 1 else f" ({'; '.join(names)})"
            yield (
                f"{of_run[0].subject}{whose}: {n:,} of {of_run[0].n_rows:,} queries have no "
                "relevant document and are left out of the means"
            )


def _ties_and_duplicates(result: Result) -> Iterator[str]:
    """Yield what any result of a run tells of its equal scores and repeated documents."""
    if touched := result.conditions.get("ties_with_relevant"):
        yield (
            f"{result.subject}: relevant documents stand in {counted(touched, 'group')} of "
            f"equal scores; order of ties: {result.conditions['ties']}"
        )
    if left_out := result.counts.get("n_duplicates"):
        yield f"{result.subject}: {counted(left_out, 'duplicate row')} left out"


def _stamp(ev: RankingEvaluation) -> str:
    version, digest = ev.source["versions"]["veridical"], ev.source["qrels"]["sha256"][:12]
    return f"veridical {version} · golden set {digest} · seed {ev.source['seed']}"
