"""What a comparison of two runs says, as sentences that every form of output shares."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from veridical.comparison.comparison import COULD_TURN, POWER, Comparison
from veridical.comparison.runs import RunComparison
from veridical.notes import sentence
from veridical.report.sections import end_text, number_text
from veridical.report.titles import title
from veridical.report.visible import visible

__all__ = ["beside", "head", "notes", "numbers", "place", "verdict"]

_MINUS = " \N{MINUS SIGN} "
_TOLD = (
    "unpaired",
    "units_not_kept",
    "common_units",
    "few_clusters",
    "few_units",
    "no_unit_differs",
)


def place(one: Comparison) -> str:
    """Return the two that were compared, and the group within which."""
    group = f", {one.difference.group}" if one.difference.group else ""
    return f"{one.a}{_MINUS}{one.b}{group}"


def head(found: RunComparison) -> Iterator[str]:
    """Yield which runs these are, and what of their units could be paired."""
    yield visible(f"{found.a.label}{_MINUS}{found.b.label}")
    yield from map(visible, found.notes)
    matched = found.matched
    if matched is None:
        yield "compared from their results: no outcomes of single units in common were kept"
        return
    lost = [
        f"{len(only):,} only in {name} ({', '.join(only[:3])}{', ...' if len(only) > 3 else ''})"
        for name, only in (("the first", matched.only_a), ("the second", matched.only_b))
        if only
    ]
    yield visible("; ".join([f"{matched.n:,} {matched.plural} in common", *lost]))


def numbers(one: Comparison) -> tuple[str, str, str, str]:
    """Return both values, the difference and its interval, empty where there is none."""
    sides = (
        "none" if value is None else number_text(one.metric, value)
        for value in (one.value_a, one.value_b)
    )
    value = interval = ""
    if one.difference.ok:
        value = number_text(one.metric, one.difference.value)
        value = f"+{value}" if one.difference.value > 0 else value
        if one.difference.interval is not None:
            ends = (one.difference.interval.low, one.difference.interval.high)
            interval = " to ".join(end_text(one.metric, end) for end in ends)
    return (*sides, value, interval)  # type: ignore[return-value]


def beside(one: Comparison) -> str:
    """Say which differences would have been found, where none is shown, and what was lost."""
    said = ""
    if not one.shown and COULD_TURN not in one.difference.notes and one.detectable is not None:
        smallest = number_text(one.metric, one.detectable)
        said = f"; differences from {smallest} on are found with {100 * POWER:g}% power"
    lost = one.difference.counts.get("n_missing")
    if lost is not None:
        scored = "scored in both" if one.difference.conditions.get("paired") else "at most"
        said += f"; {one.difference.n:,} cases {scored}, {lost:,} lost"
    return said


def verdict(one: Comparison) -> str:
    """Return the sentence for a table: without the p-values, and the name of the winner."""
    if one.winner is not None:
        return "the first is better" if one.winner == one.a else "the second is better"
    return one.verdict.partition(" (p ")[0]


def notes(found: RunComparison) -> Iterator[str]:
    """Yield what must be said of the numbers: how they were paired, what was allowed, left out."""
    every = [*found.comparisons, *found.groups]
    for note in _TOLD:
        noted = [one for one in every if note in one.difference.notes]
        if noted:
            named = "" if len(noted) == len(every) else f"{', '.join(_named(noted))}: "
            yield f"{named}{sentence(note)}"
    for one in found.allowed:
        yield visible(f"allowed to differ: {one.field}, {one.a} and {one.b}")
    if found.groups_left_out:
        yield f"{found.groups_left_out:,} more groups were not compared; name them with --group"


def _named(noted: Sequence[Comparison]) -> list[str]:
    """Return the titles of metrics; where only groups of one are meant, with these groups."""
    groups: dict[str, list[str | None]] = {}
    for one in noted:
        groups.setdefault(title(one.metric), []).append(one.difference.group)
    return [
        name if None in those else f"{name} ({', '.join(filter(None, those))})"
        for name, those in groups.items()
    ]
