"""``veridical ablate``: a table of runs by factors in, what each factor moves out."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from veridical.cli.options import (
    DATA,
    INTERVALS,
    MEASURE,
    Json,
    Level,
    Markdown,
    Metrics,
    Report,
    Seed,
)
from veridical.cli.output import emit, emit_json, one_form, talk
from veridical.cli.saving import StoreAt
from veridical.cli.targets import check_target
from veridical.errors import ParameterError
from veridical.exit_codes import OK, UNDECIDED

__all__ = ["ablate"]

Many = list[str] | None


def ablate(
    experiment: Annotated[
        str,
        Parameter(
            help="CSV, YAML or any table: one row a run, a column for each factor, `seed`, and "
            "`file` (scores) or `run` (a stored run)."
        ),
    ],
    /,
    *,
    label: Annotated[
        str | None, Parameter(group=DATA, help="Column of outcomes in the files of scores.")
    ] = None,
    score: Annotated[
        str | None, Parameter(group=DATA, help="Column of scores in the files of scores.")
    ] = None,
    positive: Annotated[
        str | None, Parameter(group=DATA, help="The label that counts as positive.")
    ] = None,
    id: Annotated[  # noqa: A002 - the option is called --id
        str | None,
        Parameter(group=DATA, help="Column that names each row, to pair the rows of the runs."),
    ] = None,
    factor: Annotated[
        Many,
        Parameter(group=DATA, help="Column that was varied; repeat it. By default all others."),
    ] = None,
    replicate: Annotated[
        str, Parameter(group=DATA, help="Column that tells runs of one combination apart.")
    ] = "seed",
    reference: Annotated[
        Many,
        Parameter(
            group=DATA,
            help="FACTOR=LEVEL that other levels are compared with; repeat it. By default the "
            "first in order.",
        ),
    ] = None,
    paired_seeds: Annotated[
        bool,
        Parameter(
            group=INTERVALS,
            show_default=False,
            help="A seed stands for the same split or fold everywhere: compare within seeds.",
        ),
    ] = False,
    subject: Annotated[
        str | None, Parameter(group=MEASURE, help="Score column or system of stored runs.")
    ] = None,
    metric: Metrics = None,
    threshold: Annotated[
        float | None, Parameter(group=MEASURE, help="Scores >= it are flagged.")
    ] = None,
    allow: Annotated[
        Many,
        Parameter(group=MEASURE, help="A condition in which the runs may differ; repeat it."),
    ] = None,
    level: Level = 0.95,
    seed: Seed = 0,
    report: Report = None,
    markdown: Markdown = False,
    json: Json = False,
    store: StoreAt = None,
) -> int:
    """Say what each factor of an experiment moves."""
    one_form(json=json, markdown=markdown)
    if report is not None:
        check_target(report, sources=[], others=[experiment], store=store)
    from veridical.ablation import ablate as measured

    found = measured(
        experiment,
        metric or None,
        label=label,
        score=score,
        positive=positive,
        id=id,
        threshold=threshold,
        factors=factor or None,
        replicate=replicate,
        reference=_references(reference or ()),
        paired_seeds=paired_seeds,
        subject=subject,
        allow=allow or (),
        level=level,
        seed=seed,
        store=store,
    )
    if report is not None:
        talk(f"report: {found.report(report)}")
    if json:
        emit_json(found.to_dict())
    else:
        from veridical.report.ablation import ablation_markdown, ablation_text

        emit(ablation_markdown(found) if markdown else ablation_text(found))
    return UNDECIDED if found.is_empty else OK


def _references(given: Many | tuple[()]) -> dict[str, str]:
    pairs = [one.partition("=") for one in given or ()]
    for name, equals, level in pairs:
        if not (name and equals and level):
            raise ParameterError(
                f"--reference is FACTOR=LEVEL, not {name + equals + level!r}"[:200],
                fix="write for example --reference loss=ce",
            )
    return {name: level for name, _, level in pairs}
