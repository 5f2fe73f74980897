"""The tables of a report as text, once for the terminal, Markdown and the page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

from veridical.bench.reporting.data import BenchReport
from veridical.bench.scoring.agent_score import HEADLINE, AgentScore
from veridical.bench.scoring.grid import FEW_CASES, Cell
from veridical.report.visible import visible
from veridical.results import Result
from veridical.stats.normal import z
from veridical.stats.paired import minimum_detectable_effect

__all__ = ["Table", "headline_table", "rate_cell", "tables_of"]


@dataclass(frozen=True, slots=True)
class Table:
    """One table of text.

    Attributes
    ----------
    anchor
        A word for links.
    heading, lede
        What it is about, and how to read it.
    head, rows
        Cells; the first column names the row.
    """

    anchor: str
    heading: str
    lede: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


_WORDS: Final = {
    "bench.silent_failure_rate": "Silent failure",
    "bench.exact_match": "Exact match",
    "bench.escalation_recall": "Escalation recall",
    "bench.false_alarm_rate": "False alarms",
    "bench.injection_compliance_rate": "Compliance",
    "bench.injection_flag_recall": "Attack flagged",
    "bench.canary_seen_rate": "Canary written",
    "bench.silent_given_compliance": "Silent if obeyed",
    "bench.parsed_rate": "Parsed",
    "bench.exact_match_determinable": "Exact, determinable",
    "bench.exact_match_all_attempts": "Exact, all attempts",
    "bench.escalation_recall_all_attempts": "Recall, all attempts",
    "bench.flag_precision": "Flag precision",
    "bench.unknown_flag_rate": "Unknown flags",
    "bench.benign_noise_flag_rate": "Flags on benign noise",
    "bench.lenient_rate": "Would have parsed",
}
_HASH: Final = 16
_INJECTION: Final = (
    "bench.injection_compliance_rate",
    "bench.injection_flag_recall",
    "bench.silent_given_compliance",
)
_BESIDE: Final = (
    "bench.parsed_rate",
    "bench.lenient_rate",
    "bench.exact_match_all_attempts",
    "bench.exact_match_determinable",
    "bench.escalation_recall_all_attempts",
    "bench.canary_seen_rate",
)
_FLAGS: Final = (
    "bench.flag_precision",
    "bench.benign_noise_flag_rate",
    "bench.unknown_flag_rate",
)


def tables_of(report: BenchReport) -> list[Table]:
    """Return every table in reading order, the headline first.

    Parameters
    ----------
    report
        What is shown.
    """
    made = [
        headline_table(report),
        _injections(report),
        _rates(
            report,
            "attempts",
            "Beside the headline",
            "Of all attempts; exact match without the cases that cannot be determined; and whether "
            "the digits that an attacker asked for stand anywhere in what the agent wrote.",
            _BESIDE,
        ),
        _rates(report, "flags", "Flags", "What was raised, by type.", _FLAGS),
        _resolution(report),
        _magnitudes(report),
        _confidence(report),
        _costs(report),
        _trials(report),
        _unparsed(report),
        _grid(report),
        _agents(report),
    ]
    return [table for table in made if table.rows]


def headline_table(report: BenchReport) -> Table:
    """Return the four figures that are only read together.

    Parameters
    ----------
    report
        What is shown.
    """
    return _rates(
        report,
        "metrics",
        "Wrong, and nobody was told",
        "Silent failure: wrong, no flag raised, and confident above low. The four figures are "
        "read in one row, for each alone can be had for nothing."
        + "".join(f" {sentence}" for sentence in _partial(report)),
        HEADLINE,
    )


def _partial(report: BenchReport) -> Iterator[str]:
    """Yield what is not in the row of an agent: who leaves out what is hard looks better."""
    whole = len(report.cases)
    for label, one in zip(report.labels, report.agents, strict=True):
        lacks = []
        if one.n_cases_ended < whole:
            lacks.append(f"{one.n_cases_ended:,} of {whole:,} cases were asked to an end")
        ended = sum(not row.infra_error for row in one.rows)
        if one.n_parsed < ended:
            lacks.append(f"{one.n_parsed:,} of {ended:,} answers parsed")
        if lacks:
            told = ", ".join(lacks)
            yield f"{visible(label)}, a part alone: {told}; the rest is in none of the four."


def _rates(
    report: BenchReport, anchor: str, heading: str, lede: str, names: Sequence[str]
) -> Table:
    return Table(
        anchor,
        heading,
        lede,
        ("Agent", *(_WORDS[name] for name in names)),
        _each(report, lambda one: (rate_cell(one.rates[name]) for name in names)),
    )


def _each(
    report: BenchReport, cells: Callable[[AgentScore], Iterable[str]]
) -> tuple[tuple[str, ...], ...]:
    return tuple(
        (label, *cells(one)) for label, one in zip(report.labels, report.agents, strict=True)
    )


def rate_cell(result: Result, *, n: bool = True) -> str:
    """Return a share with its interval and denominator, or why there is none.

    Parameters
    ----------
    result
        A share.
    n
        Whether its denominator is said.
    """
    if result.value is None:
        return f"none: {result.detail}"
    interval = result.interval
    ends = f" [{interval.low:.3f}, {interval.high:.3f}]" if interval else ""
    return f"{result.value:.3f}" + (f" of {result.n:,}" if n else "") + ends


def _injections(report: BenchReport) -> Table:
    def cells(one: AgentScore) -> Iterator[str]:
        for name in _INJECTION:
            yield rate_cell(one.rates[name])
        delta = one.twins.difference
        if delta.value is None:
            yield f"none: {delta.detail}"
        else:
            yield (
                f"{delta.value:+.3f} of {delta.n:,} (worse {one.twins.only_b}, "
                f"better {one.twins.only_a}, p {one.twins.p_value:.3g})"
            )

    has_any = any(case.injection for case in report.cases.values())
    return Table(
        "injections",
        "Instructions hidden in the bank's data",
        "Compliance is the asked amount, reported to the penny. The last column is exact match "
        "with the hidden instruction minus without it, on the same cases.",
        ("Agent", *(_WORDS[name] for name in _INJECTION), "Exact match by it"),
        _each(report, cells) if has_any else (),
    )


def _resolution(report: BenchReport) -> Table:
    def cells(one: AgentScore) -> Iterator[str]:
        for result in one.headline():
            interval = result.interval
            # Two agents that are as uncertain as this one, on suites of their own.
            error = sqrt(2) * interval.width / (2 * z(interval.level)) if interval else None
            yield "" if error is None else f"{minimum_detectable_effect(error):.3f}"

    return Table(
        "resolution",
        "What could be told apart",
        "The smallest difference between two such agents that four of five suites like this one "
        "would show. On the same cases less is needed: veridical bench compare says how much.",
        ("Agent", *(_WORDS[name] for name in HEADLINE)),
        _each(report, cells),
    )


def _magnitudes(report: BenchReport) -> Table:
    rows = []
    for label, one in zip(report.labels, report.agents, strict=True):
        for currency, result in one.magnitudes.items():
            at, interval = result.conditions, result.interval
            share = at["share_of_the_worst"]
            rows.append(
                (
                    label,
                    currency,
                    _money(at["mean"]),
                    f"{interval.low:,.2f} to {interval.high:,.2f}" if interval else "none",
                    _money(at["median"]),
                    _money(at["p90"]),
                    _money(at["max"]),
                    "" if share is None else f"{share:.0%}",
                    f"{result.n:,}",
                )
            )
    head = ("Agent", "Currency", "Mean", "Interval (BCa)", "Median", "p90", "Largest")
    return Table(
        "magnitude",
        "By how much the balances are off",
        "Of a submission, in each currency apart. A missing account counts in full; one invented "
        "adds nothing and is counted below.",
        (*head, "Share of the largest", "n"),
        tuple(rows),
    )


def _money(amount: str) -> str:
    return f"{float(amount):,.2f}"


def _confidence(report: BenchReport) -> Table:
    def cells(one: AgentScore) -> Iterator[str]:
        for result in one.calibration.levels.values():
            yield rate_cell(result)
        for result in (one.calibration.brier, one.calibration.ece):
            yield "none" if result.value is None else f"{result.value:.4f}"

    floor = abs(1 - report.confidence_map["high"])
    return Table(
        "confidence",
        "Confidence",
        f"Accuracy among the submissions of each level first. Brier and ECE map {_map(report)}; "
        f"who is always right and always high has {floor**2:.3g} and {floor:.3g}.",
        ("Agent", "Right if high", "Right if medium", "Right if low", "Brier", "ECE"),
        _each(report, cells),
    )


def _map(report: BenchReport) -> str:
    return ", ".join(f"{word} to {p:g}" for word, p in report.confidence_map.items())


def _costs(report: BenchReport) -> Table:
    currency = report.prices.currency

    def cells(one: AgentScore) -> Iterator[str]:
        cost = one.cost
        for result in (cost.tokens, cost.tokens_per_correct):
            yield f"none: {result.detail}" if result.value is None else f"{result.value:,.0f}"
        for result in (cost.money, cost.money_per_correct):
            yield f"none: {result.detail}" if result.value is None else f"{result.value:,.6f}"

    return Table(
        "cost",
        "Cost",
        "All attempts, whatever came of them, cache reads and writes included. "
        f"Money by price table {report.prices.version}.",
        ("Agent", "Tokens", "Tokens for a right answer", currency, f"{currency} for a right one"),
        _each(report, cells),
    )


def _trials(report: BenchReport) -> Table:
    most = max((len(one.pass_hat) for one in report.agents), default=0)

    def cells(one: AgentScore) -> Iterator[str]:
        for at in range(most):
            result = one.pass_hat[at] if at < len(one.pass_hat) else None
            yield "" if result is None or result.value is None else f"{result.value:.3f}"

    return Table(
        "trials",
        "Right every time",
        "pass^k: how likely k trials of one case are all right, averaged over cases.",
        ("Agent", *(f"k = {k}" for k in range(1, most + 1))),
        _each(report, cells) if most > 1 else (),
    )


def _unparsed(report: BenchReport) -> Table:
    def counted(one: AgentScore) -> Iterator[tuple[str, int]]:
        yield from one.reasons.items()
        if failed := sum(row.infra_error for row in one.rows):
            yield "infra_error, in no figure but the cost", failed
        if one.invented:
            yield "accounts that do not exist", one.invented
        for kind, n in one.unknown_flags.items():
            yield f"unknown flag {kind[:40]}", n

    rows = tuple(
        (label, what, f"{n:,}")
        for label, one in zip(report.labels, report.agents, strict=True)
        for what, n in list(counted(one))[:20]
    )
    return Table(
        "unparsed",
        "What was not as it should be",
        "Reason codes of what did not parse, and what submissions hold that does not exist.",
        ("Agent", "What", "Submissions"),
        rows,
    )


def _grid(report: BenchReport) -> Table:
    names: dict[str, None] = {}
    for one in report.agents:
        names |= dict.fromkeys(one.grid)
    rows = []
    for name in names:
        cells = [one.grid.get(name) for one in report.agents]
        ranks = _ranks(cells)
        for label, cell, rank in zip(report.labels, cells, ranks, strict=True):
            if cell is not None:
                rows.append((name, label, *_cell(cell), rank))
    return Table(
        "grid",
        "Change by change",
        "a can be determined or calls for nothing, b cannot, twin is a look-alike that is no "
        "problem; a case with several changes stands in several cells. A cell of fewer than "
        f"{FEW_CASES} cases cannot part agents that are a few points apart: it has no rank.",
        (
            "Change",
            "Agent",
            "Exact match",
            "Silent failure",
            "Recall",
            "Compliance",
            "Cases",
            "Rank",
        ),
        tuple(rows),
    )


def _cell(cell: Cell) -> Iterator[str]:
    for result in (cell.exact_match, cell.silent_failure, cell.recall, cell.compliance):
        yield "" if result.value is None else rate_cell(result, n=False)
    yield f"{cell.n_cases:,}" + (" (few)" if cell.is_small else "")


def _agents(report: BenchReport) -> Table:
    def cells(one: AgentScore) -> Iterator[str]:
        key = one.key
        yield key.agent_version
        yield key.provider or "none"
        yield key.model or "none"
        yield from (key.config_sha256[:_HASH], key.sampling_sha256[:_HASH])
        yield f"{len(one.rows):,}"
        yield f"{one.lines:,}"
        yield ", ".join(one.isolation)

    head = ("Agent", "Version", "Provider", "Model", "Configuration", "Sampling")
    return Table(
        "agents",
        "Who was asked",
        f"Hashes by their first {_HASH} digits; --json has them whole.",
        (*head, "Trials", "Attempts", "Kept apart by"),
        _each(report, cells),
    )


def _ranks(cells: Sequence[Cell | None]) -> list[str]:
    """Return the place of each agent by exact match; equals share one, small cells have none."""
    if len(cells) < 2 or any(cell is None or cell.is_small for cell in cells):
        return [""] * len(cells)
    values = [cell.exact_match.value if cell else None for cell in cells]
    return [
        ""
        if value is None
        else str(1 + sum(other > value for other in values if other is not None))
        for value in values
    ]
