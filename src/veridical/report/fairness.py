"""What ``veridical fairness`` prints: rates of groups, differences, tests, and how to read them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from veridical.regulation import CAUTION, load_regulations
from veridical.report.condition_phrases import side_text
from veridical.report.display import count_text, rate_text
from veridical.report.judgements import judgements
from veridical.report.sections import certified
from veridical.report.unit_lines import COLUMNS, result_lines
from veridical.report.visible import padded, visible, width, wrapped
from veridical.results import Result

if TYPE_CHECKING:
    from veridical.parity.fairness_evaluation import FairnessEvaluation, GroupRow

__all__ = [
    "SCREEN",
    "SHARES",
    "about",
    "aligned",
    "both_outcomes",
    "cited",
    "fairness_markdown",
    "fairness_text",
    "share_text",
]

_RATIO = "fairness.disparate_impact_ratio"
_WIDEST = 40
SHARES = {
    "favourable": "favourable",
    "favourable_of_deserving": "if label favourable",
    "favourable_of_others": "if label not",
    "deserving_of_favourable": "label, if favoured",
}
"""What the rates of a group are called, in a column."""

SCREEN = (
    "The four-fifths screen comes from the EEOC Uniform Guidelines (29 CFR 1607.4(D)), which are "
    "employment law and compare with the group of the highest rate. In lending it is used in "
    "practice as a screen under ECOA / Regulation B (12 CFR 1002), which sets no such number. It "
    "is decided on exact numbers: exactly 0.8 passes."
)


def fairness_text(ev: FairnessEvaluation) -> str:
    r"""Return the fairness of decisions as text.

    Parameters
    ----------
    ev
        What to print.

    Examples
    --------
    >>> from veridical.parity import evaluate_fairness
    >>> data = {"d": [0, 1, 1, 0, 0, 0, 1, 0], "race": ["b"] * 3 + ["w"] * 5}
    >>> text = fairness_text(evaluate_fairness(data, decision="d", groups="race", favourable=0))
    >>> text.split("\n")[0]
    "8 rows decided by d; favourable is '0'"
    """
    lines = [*about(ev), "", *aligned([*_group_table(ev)])]
    lines += ["", *result_lines(ev.results, subjects=True), "", *_order(ev)]
    for result in ev.results:
        if result.metric == _RATIO:
            lines += _hung(f"{result.subject}: {both_outcomes(ev, result)}")
    if ev.calibration:
        lines += ["", "Scores as probabilities, group by group"]
        lines += result_lines(ev.calibration, subjects=True)
    lines += _policy(ev)
    for remark in (SCREEN, *cited(ev)):
        lines += ["", *wrapped(remark, COLUMNS)]
    return "\n".join(lines)


def _order(ev: FairnessEvaluation) -> Iterator[str]:
    """Say which groups are farthest from their reference, and which are too small to be ranked."""
    small = [row.name for row in ev.rows() if row.is_small and not row.is_reference]
    if len(ev.ranked) > 1:
        yield from _hung(f"farthest from its reference first: {', '.join(ev.ranked)}")
    if small:
        told = f"fewer than {ev.min_size:,} rows, not ranked: {', '.join(small)}"
        yield from _hung(told)


def fairness_markdown(ev: FairnessEvaluation) -> str:
    """Return the fairness of decisions as Markdown.

    Parameters
    ----------
    ev
        What to print.
    """
    from veridical.report.unit_markdown import unit_markdown

    level = ev.settings.shown_level
    outcomes = [
        (str(result.subject), both_outcomes(ev, result))
        for result in ev.results
        if result.metric == _RATIO
    ]
    tables: dict[str, Sequence[Sequence[str]]] = {"Rates of the groups": [*_group_table(ev)]}
    if outcomes:
        tables["Both outcomes"] = [("group", "against its reference"), *outcomes]
    if ev.policy is not None:
        tables[str(ev.policy)] = [
            ("group", "rule", "value", "verdict", "remark", "note"),
            *_judged(ev),
        ]
    remarks = [*about(ev), SCREEN, *cited(ev)]
    return unit_markdown(ev, f"Fairness of {ev.source['decision']}", remarks, level, tables)


def about(ev: FairnessEvaluation) -> list[str]:
    """Return what was decided, what is favourable, and what others are held against."""
    source = ev.source
    left_out = f" ({source['n_skipped']:,} left out)" if source["n_skipped"] else ""
    favourable = f"favourable is {source['favourable']!r}"
    if ev.labelled and source["favourable_label"] != source["favourable"]:
        favourable += f", of {source['label']} {source['favourable_label']!r}"
    if source.get("weight") is not None:
        favourable += f"; n in weights of {source['weight']}"
    by_size = source["references_by_size"]
    references = ", ".join(
        f"{name} (the largest group)" if name in by_size else name for name in source["references"]
    )
    return [
        visible(
            f"{source['n_rows']:,} rows{left_out} decided by {source['decision']}; {favourable}"
        ),
        visible(f"held against {references}: group / reference, and group - reference"),
    ]


def both_outcomes(ev: FairnessEvaluation, ratio: Result) -> str:
    """Return the ratio of both outcomes, the difference in 10,000, the screen and the tests.

    Parameters
    ----------
    ev
        The evaluation.
    ratio
        One of its results of the disparate impact ratio.
    """
    found = ratio.conditions
    if "group_n" not in found:
        return "not measured"
    told = [side_text(found, side) for side in ("group", "reference")]
    favoured = _ratio(ratio.value) if ratio.bounds is None else f"within {certified(ratio)}"
    said = [f"favourable {told[0]} against {told[1]}", f"ratio of favourable {favoured}"]
    if "ratio_of_unfavourable" in found:
        said.append(f"of unfavourable {_ratio(found['ratio_of_unfavourable'])}")
    if ratio.bounds is None:
        gap = 10_000 * (found["group_rate"] - found["reference_rate"])
        said.append(f"{gap:+,.1f} in 10,000")
    said.append(f"four-fifths screen {found['four_fifths'] or 'undefined, 0/0'}")
    if "fisher_p_value" in found:
        said.append(f"Fisher p {found['fisher_p_value']:.2g}" + _adjusted(ev, found, "fisher"))
    if "z" in found:
        said.append(f"z {found['z']:.2f} (p {found['z_p_value']:.2g})" + _adjusted(ev, found, "z"))
    if "small_group" in ratio.notes:
        said.append("too small to be ranked")
    return "; ".join(said)


def cited(ev: FairnessEvaluation) -> Iterator[str]:
    """Yield what the results are evidence for, with the status of each text, and a caution."""
    table = load_regulations()
    told: dict[str, None] = {}
    for metric in dict.fromkeys(result.metric for result in ev.results):
        for row, instrument in table.of(metric):
            told[f"Evidence for {row.theme} of {table.cited(instrument)}."] = None
            if (warning := table.warning(instrument)) is not None:
                told[f"{warning[:1].upper()}{warning[1:]}."] = None
    yield from told
    yield CAUTION


def _ratio(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.4g}"


def _adjusted(ev: FairnessEvaluation, found: Any, test: str) -> str:
    if len(ev.subjects) < 2 or f"{test}_p_value_holm" not in found:
        return ""
    return f", {found[f'{test}_p_value_holm']:.2g} adjusted for {len(ev.subjects)} groups"


def _group_table(ev: FairnessEvaluation) -> Iterator[tuple[str, ...]]:
    names = list(SHARES) if ev.labelled else ["favourable"]
    yield ("group", "n", *(SHARES[name] for name in names), "of highest", "")
    for row in ev.rows():
        rates = (_rate(row, name) for name in names)
        highest = "" if row.of_highest is None else f"{row.of_highest:.4f}"
        yield (visible(row.name), count_text(row.n), *rates, highest, _remark(row))


def _rate(row: GroupRow, name: str) -> str:
    told, ends = share_text(row, name), row.intervals.get(name)
    return told if ends is None else f"{told} [{ends.low:.3f}, {ends.high:.3f}]"


def share_text(row: GroupRow, name: str) -> str:
    """Return a rate of a group; where merged cells leave it open, its lowest and its highest."""
    low, high = row.shares[name], row.highest[name]
    if not low.n or not high.n:
        return "0/0"
    ends = dict.fromkeys((rate_text(low.rate), rate_text(high.rate)))
    return " to ".join(ends)


def _remark(row: GroupRow) -> str:
    said = ["reference"] if row.is_reference else []
    said += ["small"] if row.is_small else []
    said += ["below four fifths"] if row.four_fifths == "fails" else []
    return ", ".join(said)


def _policy(ev: FairnessEvaluation) -> Iterator[str]:
    if ev.policy is None:
        return
    yield ""
    yield visible(str(ev.policy))
    for one in judgements(ev.policy):
        yield from _hung(f"{one.verdict:<10}  {one.subject}: {one.rule}, found {one.value}")
        for text in one.lines:
            yield from (f"      {line}" for line in wrapped(text, COLUMNS - 6))
    yield "a rule is undecided where the interval straddles its bound"


def _judged(ev: FairnessEvaluation) -> Iterator[tuple[str, ...]]:
    if ev.policy is not None:
        for one in judgements(ev.policy):
            yield one.subject, one.rule, one.value, one.verdict, one.remark, one.note


def _hung(text: str) -> Iterator[str]:
    first, *more = wrapped(visible(text), COLUMNS - 2)
    yield first
    yield from (f"  {line}" for line in more)


def aligned(rows: Sequence[tuple[str, ...]], *, right: int = 1) -> Iterator[str]:
    """Yield the lines of a table, one column of numbers aligned to the right."""
    size = len(rows[0])
    widths = [min(_WIDEST, max(width(row[at]) for row in rows)) for at in range(size)]
    for row in rows:
        cells = [padded(row[at], widths[at], right=at == right) for at in range(size)]
        yield "  ".join(cells).rstrip()
