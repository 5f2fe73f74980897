"""``veridical gate``: whether a run passes a policy, as an exit code and in the forms of CI."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

from cyclopts import Group, Parameter

from veridical.cli.options import OUTPUT, Json, Markdown, Report
from veridical.cli.output import emit, emit_json, one_form, talk
from veridical.cli.saving import StoreAt
from veridical.cli.targets import check_targets
from veridical.errors import ParameterError
from veridical.writing import write_atomically

if TYPE_CHECKING:
    from veridical.gates import GateVerdict

__all__ = ["JUDGING", "Allow", "Baseline", "Github", "Junit", "gate", "show_verdict"]

JUDGING = Group("What to judge by", sort_key=1)

Baseline: TypeAlias = Annotated[
    str | None,
    Parameter(group=JUDGING, help="The run that rules with no_worse_than compare with."),
]
Allow: TypeAlias = Annotated[
    list[str] | None,
    Parameter(
        group=JUDGING,
        help="A condition in which run and baseline may differ; repeat it. It is recorded.",
    ),
]
Junit: TypeAlias = Annotated[
    Path | None, Parameter(group=OUTPUT, help="Write JUnit XML, each rule a test case.")
]
Github: TypeAlias = Annotated[
    bool,
    Parameter(
        group=OUTPUT,
        show_default=False,
        help="Annotate the log of GitHub Actions, and append to the summary of the job.",
    ),
]


def gate(
    run: Annotated[
        str,
        Parameter(
            help="A stored run by its whole name or id, or latest; a file that --json wrote."
        ),
    ],
    /,
    *,
    policy: Annotated[
        str | None,
        Parameter(
            group=JUDGING,
            help="Rules: a YAML file, or metric-standard, bank or fairness-standard. By default "
            "veridical.yaml, where it has rules.",
        ),
    ] = None,
    baseline: Baseline = None,
    subject: Annotated[
        str | None,
        Parameter(group=JUDGING, help="Judge this score column, run or system alone."),
    ] = None,
    allow: Allow = None,
    store: StoreAt = None,
    report: Report = None,
    junit: Junit = None,
    github: Github = False,
    markdown: Markdown = False,
    json: Json = False,
) -> int:
    """Say whether a run passes a policy: exit code 0 if it does, 1 if not, 3 if undecided."""
    one_form(json=json, markdown=markdown)
    rules = _rules() if policy is None else policy
    read = [run, str(rules), *([] if baseline is None else [baseline])]
    check_targets(report, junit, others=read, store=store)

    from veridical.gates import gate as judged

    verdict = judged(
        run,
        rules,
        baseline=baseline,
        subject=subject,
        allow=allow or (),
        store=store,
    )
    return show_verdict(
        verdict, report=report, junit=junit, github=github, markdown=markdown, json=json
    )


def show_verdict(
    verdict: GateVerdict,
    *,
    report: Path | None,
    junit: Path | None,
    github: bool,
    markdown: bool,
    json: bool,
) -> int:
    """Write a verdict in the forms that were asked for, and return the exit code."""
    if report is not None:
        talk(f"report: {verdict.report(report)}")
    if junit is not None:
        from veridical.gates.junit import gate_junit

        talk(f"junit: {write_atomically(junit, gate_junit(verdict))}")
    if github:
        from veridical.gates.github import append_summary, workflow_commands

        append_summary(verdict)
        for command in workflow_commands(verdict):
            talk(command)
    if json:
        emit_json(verdict.to_dict())
    elif markdown:
        from veridical.gates.markdown import gate_markdown

        emit(gate_markdown(verdict))
    else:
        from veridical.gates.terminal import gate_text

        emit(gate_text(verdict))
    return verdict.exit_code


def _rules() -> Path:
    """Return the project file, if it has rules."""
    from veridical.cli.project_file import find_project_file

    project = find_project_file()
    if project is None or not project.has_rules:
        raise ParameterError(
            "no policy is given, and there is no veridical.yaml with rules",
            fix="give --policy FILE, or --policy metric-standard",
        )
    return project.path
