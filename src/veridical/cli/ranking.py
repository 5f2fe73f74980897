"""What ``veridical rank`` does once its words are read; it needs no parser."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from veridical.cli.keeping import check_saving, keep
from veridical.cli.output import emit, emit_json, one_form, talk
from veridical.exit_codes import OK, UNDECIDED

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["rank_runs"]


def rank_runs(
    *,
    run: list[str],
    qrels: str,
    metric: list[str] | None = None,
    average: Literal["golden", "intersection"] | None = None,
    ties: Literal["docid_desc", "input", "average", "error"] = "docid_desc",
    duplicates: Literal["error", "keep-first"] = "error",
    fuse: Literal["rrf", "combsum", "combmnz"] | None = None,
    strict: bool = False,
    per_query: bool = False,
    trec: bool = False,
    no_intervals: bool = False,
    level: float = 0.95,
    seed: int = 0,
    report: Path | None = None,
    markdown: bool = False,
    json: bool = False,
    save: list[str] | None = None,
    tag: list[str] | None = None,
    store: str | None = None,
) -> int:
    """Measure runs, print the results, keep them where that was asked for; return the exit code.

    The parameters are the options of ``veridical rank``.
    """
    check_saving(save, tag)
    one_form(json=json, markdown=markdown, trec=trec)
    if report is not None:
        from veridical.cli.targets import check_target

        check_target(report, sources=run, others=[qrels])
    from veridical.ranking.evaluating import evaluated
    from veridical.ranking.names import free_name, names_of
    from veridical.ranking.settings import RankingSettings

    settings = RankingSettings(
        ties=ties,
        duplicates=duplicates,
        average=average or ("intersection" if trec else "golden"),
        level=level,
        intervals=not (no_intervals or trec),
        seed=seed,
    )
    runs: dict[str, Any] = dict(zip(names_of(run), run, strict=True))
    if fuse is not None:
        from veridical.ranking import fusion

        runs[free_name(fuse, runs)] = fusion.fused(runs, fuse, duplicates=duplicates)
    if trec:
        from veridical.ranking.trec_form import trec_metrics, trec_text

        metric = trec_metrics(metric)
    ev = evaluated(runs, qrels, metric, settings, strict=strict, several=len(runs) > 1)
    for sentence in ev.warnings:
        talk(sentence, "warning")
    if report is not None:
        talk(f"report: {ev.report(report)}")
    if trec:
        emit(trec_text(ev, per_query=per_query))
    elif json:
        document = ev.to_dict()
        emit_json({**document, "per_query": list(ev.per_query_rows())} if per_query else document)
    elif markdown:
        from veridical.ranking.terminal import ranking_markdown

        emit(ranking_markdown(ev))
    else:
        from veridical.ranking.terminal import ranking_text

        emit(ranking_text(ev, per_query=per_query))
    keep(ev, save, tag, store, {"metrics": metric, "fuse": fuse, "strict": strict})
    return OK if any(one.ok for one in ev.results) else UNDECIDED
