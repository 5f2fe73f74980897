"""``veridical rag gate``: whether a run reaches the bounds of its configuration."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from veridical.cli.gate import JUDGING, Allow, Baseline, Github, Junit, show_verdict
from veridical.cli.options import Json, Markdown, Report
from veridical.cli.output import one_form
from veridical.cli.rag.running import USUAL_CONFIG
from veridical.cli.saving import StoreAt
from veridical.cli.targets import check_targets

__all__ = ["gate"]


def gate(
    run: Annotated[
        str, Parameter(help="A RAG run by its whole name or id, or latest; a file of --json.")
    ],
    /,
    *,
    config: Annotated[
        Path | None,
        Parameter(
            group=JUDGING,
            help="The configuration whose metrics: have min, max or max_error_rate. By default "
            "veridical.yaml, where there is one.",
        ),
    ] = None,
    policy: Annotated[
        str | None, Parameter(group=JUDGING, help="A file of rules that count beside them.")
    ] = None,
    baseline: Baseline = None,
    allow_mixed_judges: Annotated[
        bool,
        Parameter(
            group=JUDGING,
            show_default=False,
            help="Compare with the baseline although other models or prompts judged it; it is said "
            "and recorded.",
        ),
    ] = False,
    allow: Allow = None,
    store: StoreAt = None,
    report: Report = None,
    junit: Junit = None,
    github: Github = False,
    markdown: Markdown = False,
    json: Json = False,
) -> int:
    """Say whether a RAG run reaches its bounds: exit code 0 if so, 1 if not, 3 if undecided."""
    one_form(json=json, markdown=markdown)
    read = [run, str(config or USUAL_CONFIG), *filter(None, (policy, baseline))]
    check_targets(report, junit, others=read, store=store)

    from veridical.rag.configuration import read_configuration
    from veridical.rag.gating import gate_rag

    file = config or (USUAL_CONFIG if USUAL_CONFIG.is_file() else None)
    bounds = {} if file is None else read_configuration(file).bounds
    verdict = gate_rag(
        run,
        bounds,
        policy,
        baseline=baseline,
        allow_mixed_judges=allow_mixed_judges,
        allow=allow or (),
        store=store,
    )
    return show_verdict(
        verdict, report=report, junit=junit, github=github, markdown=markdown, json=json
    )
