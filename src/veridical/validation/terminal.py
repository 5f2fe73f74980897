"""What ``veridical validate`` prints: the verdict rule by rule, and how much limits it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from veridical.regulation import CAUTION
from veridical.report.judgements import judgements
from veridical.report.unit_lines import COLUMNS
from veridical.report.visible import visible, wrapped
from veridical.tables._words import counted
from veridical.validation.contents import OVERALL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from veridical.policy import PolicyVerdict
    from veridical.validation.model_validation import Validation
    from veridical.validation.record import ValidationRecord
    from veridical.validation.since import Since

__all__ = ["record_text", "since_lines", "validation_text"]


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
    yield from _rules(validation.verdicts)
    yield ""
    yield from wrapped(f"Overall: {validation.verdict}. {OVERALL[validation.verdict]}", COLUMNS)
    if validation.since is not None:
        yield ""
        yield from _since(validation.since)
        yield ""
    for text in limits.absent:
        yield from wrapped(visible(text), COLUMNS)
    places = sum(len(one.places) for one in limits.skipped)
    yield (
        f"The report names what was skipped ({places:,}) and which rules are vacuous "
        f"({len(limits.vacuous):,})."
    )
    yield CAUTION


def record_text(record: ValidationRecord) -> str:
    """Return a verdict that was kept as text.

    Parameters
    ----------
    record
        What a run keeps of a validation.
    """
    return "\n".join(_recorded(record))


def _recorded(record: ValidationRecord) -> Iterator[str]:
    yield visible(f"{record.model['name']} {record.model['version']}, {record.date.isoformat()}")
    for name, source in record.source.items():
        yield (
            f"{name.replace('_', ' ')}: {source['n_rows']:,} rows, {source['n_positive']:,} events"
        )
    yield from _rules(record.verdicts)
    yield ""
    yield from wrapped(f"Overall: {record.verdict}. {OVERALL[record.verdict]}", COLUMNS)
    for text in record.limits.get("absent", ()):
        yield from wrapped(visible(str(text)), COLUMNS)
    for name, run_id in record.parts.items():
        yield visible(f"{name}: veridical runs show {run_id}")
    yield CAUTION


def _rules(verdicts: Sequence[PolicyVerdict]) -> Iterator[str]:
    for verdict in verdicts:
        yield ""
        yield visible(str(verdict))
        for one in judgements(verdict):
            about = f"{one.subject}: " if one.subject else ""
            first, *more = wrapped(
                f"{one.verdict:<10}  {about}{one.rule}, found {one.value}", COLUMNS - 4
            )
            yield first
            yield from (f"    {line}" for line in more)


def since_lines(found: Since) -> Iterator[str]:
    """Yield what became of the rules since an earlier validation, each sentence whole.

    Parameters
    ----------
    found
        Then and now.
    """
    before, altered = found.before, [one for one in found.rules if one.altered]
    yield (
        f"Since {before.date.isoformat()} ({before.label}): {before.verdict} then; "
        f"{len(altered):,} of {counted(len(found.rules), 'rule')} not as they were."
    )
    for one in altered:
        then, now = one.words
        yield f"{one.place}: {one.rule}, {then} then, {now} now"
    yield from found.remarks


def _since(found: Since) -> Iterator[str]:
    first, *rest = since_lines(found)
    altered = len(rest) - len(found.remarks)
    yield from wrapped(visible(first), COLUMNS)
    for told in rest[:altered]:
        yield from (f"  {line}" for line in wrapped(visible(told), COLUMNS - 4))
    for remark in rest[altered:]:
        yield from wrapped(visible(remark), COLUMNS)
