"""What ``veridical validate`` prints: the verdict rule by rule, and how much limits it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from veridical.regulation import CAUTION
from veridical.report.judgements import judgements
from veridical.report.unit_lines import COLUMNS
from veridical.report.visible import visible, wrapped
from veridical.validation.contents import OVERALL

if TYPE_CHECKING:
    from veridical.validation.model_validation import Validation

__all__ = ["validation_text"]


def validation_text(validation: Validation) -> str:
    """Return the verdict as text; the report says the rest.

    Parameters
    ----------
    validation
        What was measured.
    """
    return "\n".join(_lines(validation))


def _lines(validation: Validation) -> Iterator[str]:
    file, limits = validation.description.file, validation.limits
    yield visible(f"{file.name} {file.version}, {validation.date.isoformat()}")
    for name, ev in (
        ("development", validation.development),
        ("out of time", validation.out_of_time),
    ):
        yield f"{name}: {ev.source['n_rows']:,} rows, {ev.source['n_positive']:,} events"
    for verdict in validation.verdicts:
        yield ""
        yield visible(str(verdict))
        for one in judgements(verdict):
            about = f"{one.subject}: " if one.subject else ""
            first, *more = wrapped(
                f"{one.verdict:<10}  {about}{one.rule}, found {one.value}", COLUMNS - 4
            )
            yield first
            yield from (f"    {line}" for line in more)
    yield ""
    yield from wrapped(f"Overall: {validation.verdict}. {OVERALL[validation.verdict]}", COLUMNS)
    for text in limits.absent:
        yield from wrapped(visible(text), COLUMNS)
    places = sum(len(one.places) for one in limits.skipped)
    yield (
        f"The report names what was skipped ({places:,}) and which rules are vacuous "
        f"({len(limits.vacuous):,})."
    )
    yield CAUTION
