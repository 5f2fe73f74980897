"""The section about an earlier validation of the same model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veridical.tables._words import counted
from veridical.validation.document import Bullets, Paragraph, Section, Table
from veridical.validation.result_tables import interval_text, value_text

if TYPE_CHECKING:
    from veridical.policy.verdict import PolicyRow
    from veridical.validation.since import Since

__all__ = ["since_section"]


def since_section(since: Since) -> Section:
    """Return each rule with what it found then and now, those that are not as they were first.

    Parameters
    ----------
    since
        Both validations.
    """
    before, altered = since.before, sum(one.altered for one in since.rules)
    lede = (
        f"The validation of {before.date.isoformat()} ({before.label}) was {before.verdict}. "
        f"{altered:,} of {counted(len(since.rules), 'rule')} not as they were. Two intervals "
        "that overlap may still differ, and two verdicts that differ may rest on chance: the "
        "samples are not paired."
    )
    table = Table(
        "Then and now",
        ("Rule", "About", "Policy", "Found then", "Found now", "Verdict then", "Verdict now"),
        tuple(
            (
                one.rule,
                one.place,
                one.policy,
                _found(one.before),
                _found(one.now),
                *one.words,
            )
            for one in sorted(since.rules, key=lambda one: not one.altered)
        ),
        frozenset({3, 4}),
    )
    remarks = (Bullets(since.remarks),) if since.remarks else ()
    return Section(
        "since",
        "Since then",
        "Since the last validation",
        (Paragraph(lede, quiet=True), *remarks, table),
    )


def _found(row: PolicyRow | None) -> str:
    if row is None:
        return "\N{EN DASH}"
    ends = interval_text(row.result)
    return f"{value_text(row.result)} ({ends})" if ends else value_text(row.result)
