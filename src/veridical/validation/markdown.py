"""The verdict of a validation as Markdown, for a pull request or a ticket."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veridical.regulation import CAUTION
from veridical.report.judgements import judgements
from veridical.report.markdown import markdown_table, markdown_text
from veridical.report.visible import visible
from veridical.validation.contents import OVERALL
from veridical.validation.terminal import since_lines

if TYPE_CHECKING:
    from veridical.policy import PolicyVerdict
    from veridical.validation.model_validation import Validation

__all__ = ["validation_markdown"]


def validation_markdown(validation: Validation) -> str:
    """Return the verdict as GitHub-flavoured Markdown; names in it become plain text.

    Parameters
    ----------
    validation
        What was measured.
    """
    file, limits = validation.description.file, validation.limits
    samples = [
        [name, f"{ev.source['n_rows']:,}", f"{ev.source['n_positive']:,}"]
        for name, ev in (
            ("development", validation.development),
            ("out of time", validation.out_of_time),
        )
    ]
    said = [f"Overall: {validation.verdict}. {OVERALL[validation.verdict]}"]
    said += [] if validation.since is None else since_lines(validation.since)
    places = sum(len(one.places) for one in limits.skipped)
    counts = f"Skipped: {places:,}. Vacuous rules: {len(limits.vacuous):,}. The report names them."
    closing = [*limits.absent, counts, CAUTION]
    parts = [
        f"### {markdown_text(visible(f'{file.name} {file.version}, {validation.date}'))}",
        *(markdown_text(visible(text)) for text in said),
        markdown_table(["sample", "rows", "events"], samples, {1, 2}),
        *(part for verdict in validation.verdicts for part in _policy(verdict)),
        "\n".join(f"- {markdown_text(visible(text))}" for text in closing),
    ]
    return "\n\n".join(parts) + "\n"


def _policy(verdict: PolicyVerdict) -> list[str]:
    rows = [
        [one.verdict, one.subject, one.rule, one.value, one.remark, one.note]
        for one in judgements(verdict)
    ]
    head = ["verdict", "of", "rule", "found", "remark", "note"]
    return [f"**{markdown_text(visible(str(verdict)))}**", markdown_table(head, rows, {3})]
