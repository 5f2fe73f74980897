"""``veridical text``: candidates and references in, overlap of their wording out."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from veridical.cli.keeping import check_saving, keep
from veridical.cli.options import (
    DATA,
    MEASURE,
    OUTPUT,
    Json,
    Level,
    Markdown,
    Metrics,
    NoIntervals,
    Report,
    Seed,
)
from veridical.cli.output import emit, emit_json, one_form, talk
from veridical.cli.saving import Save, StoreAt, Tag
from veridical.cli.targets import check_target
from veridical.errors import ParameterError
from veridical.exit_codes import OK, UNDECIDED

__all__ = ["text"]


def text(
    *,
    candidates: Annotated[
        list[str] | None,
        Parameter(group=DATA, help="File of texts, one a line; repeat it to measure systems."),
    ] = None,
    references: Annotated[
        list[str] | None,
        Parameter(
            group=DATA,
            consume_multiple=True,
            help="File of references, one a line; several files are several references.",
        ),
    ] = None,
    metric: Metrics = None,
    model: Annotated[
        str | None,
        Parameter(
            group=MEASURE,
            help="What embeds texts: a folder, or an installed package that carries a model. "
            "Nothing is downloaded.",
        ),
    ] = None,
    baseline: Annotated[
        str | None,
        Parameter(group=MEASURE, help="Table of baselines to rescale BERTScore by: LAYER,P,R,F."),
    ] = None,
    no_intervals: NoIntervals = False,
    level: Level = 0.95,
    seed: Seed = 0,
    example: Annotated[
        bool,
        Parameter(
            group=OUTPUT,
            show_default=False,
            help="Show what overlap cannot see, and nothing else.",
        ),
    ] = False,
    report: Report = None,
    markdown: Markdown = False,
    json: Json = False,
    save: Save = None,
    tag: Tag = None,
    store: StoreAt = None,
) -> int:
    """Measure how much of its wording a text shares with references."""
    check_saving(save, tag)
    one_form(json=json, markdown=markdown)
    from veridical.evaluation import text as evaluation
    from veridical.report.text import example_text, overlap_markdown, overlap_text
    from veridical.tables.lines import read_lines

    if example:
        emit(example_text(evaluation.example()))
        return 0
    if not candidates or not references:
        raise ParameterError(
            "candidates and references are needed",
            fix="give --candidates FILE --references FILE, one text a line",
        )
    if report is not None:
        check_target(report, sources=(), others=[*candidates, *references], store=store)
    streams = [read_lines(path) for path in references]
    if len({len(stream) for stream in streams}) > 1:
        told = ", ".join(f"{path}: {len(s):,}" for path, s in zip(references, streams, strict=True))
        raise ParameterError(
            "the files of references differ in length",
            where=told,
            fix="one line a candidate in each",
        )
    systems = {path: read_lines(path) for path in candidates}
    ev = evaluation.evaluate_text(
        systems,
        [list(own) for own in zip(*streams, strict=True)],
        metric or None,
        model=model,
        baseline=baseline,
        level=level,
        intervals=not no_intervals,
        seed=seed,
    )
    if report is not None:
        talk(f"report: {ev.report(report)}")
    if json:
        emit_json(ev.to_dict())
    elif markdown:
        emit(overlap_markdown(ev))
    else:
        emit(overlap_text(ev))
    keep(ev, save, tag, store, {"metrics": metric})
    return OK if any(result.ok for result in ev.results) else UNDECIDED
