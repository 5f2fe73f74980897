"""What ``veridical ablate`` prints: each metric by combination, and what each factor moves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

from veridical.notes import sentence
from veridical.report.markdown import markdown_text
from veridical.report.pieces import Pieces, folded
from veridical.report.printing import printed
from veridical.report.sections import end_text, number_text
from veridical.report.titles import title
from veridical.report.visible import padded, visible, width
from veridical.results import Result

if TYPE_CHECKING:
    from veridical.ablation import Ablation, Term

__all__ = [
    "EffectRow",
    "ablation_markdown",
    "ablation_text",
    "effect_rows",
    "head_lines",
    "numbers_of_test",
    "reading",
    "verdict_text",
]

_MODEL = (
    "Effects are least-squares estimates in the model of main effects and pairs: each level of the "
    "other factors counts once, however many runs it has. A product of two differences is how much "
    "the first grows with the second."
)
_POOLED = "Their noise is what runs of one combination differ by, pooled over the combinations."
_WITHIN = "Each is taken within every seed, and its noise is what seeds differ by in it."
_COVERS = (
    "P-values are adjusted over all effects and metrics (Holm). Intervals of seeds and rows stand "
    "for other seeds and other rows like these; those of seeds for other seeds on these rows; "
    "those of rows for other rows and the same run."
)
_WIDEST = 48
_HEAD = ("", "mean", "interval", "covers", "runs", "spread")
_EFFECT_HEAD = ("", "difference", "interval", "covers")


@dataclass(frozen=True, slots=True)
class EffectRow:
    """One contrast as it is shown.

    Attributes
    ----------
    label, value, interval, covers
        What it is, and its numbers as text; without a value why there is none.
    result
        What it was made of.
    """

    label: str
    value: str
    interval: str
    covers: str
    result: Result


def ablation_text(found: Ablation, stream: TextIO | None = None) -> str:
    """Return the experiment as text for ``stream``: styled on a terminal, plain in a pipe.

    Parameters
    ----------
    found
        What to print.
    stream
        Where it will be printed; standard output by default.
    """
    return printed(lambda columns: _lines(found, columns), stream)


def ablation_markdown(found: Ablation) -> str:
    """Return the experiment as GitHub-flavoured Markdown; names in it become plain text.

    Parameters
    ----------
    found
        What to write.
    """
    first, *rest = head_lines(found)
    parts = [f"### {markdown_text(first)}", *map(markdown_text, rest)]
    for metric in found.metrics:
        parts.append(f"**{markdown_text(visible(title(metric)))}**")
        cells = [_cell(one) for one in found.results if one.metric == metric]
        parts.append(_table(("combination", *_HEAD[1:]), cells))
        rows = [
            (row.label, row.value, row.interval, row.covers, said)
            for term in found.terms
            if term.metric == metric
            for row, said in _with_test(term)
        ]
        if rows:
            parts.append(_table(("effect", *_EFFECT_HEAD[1:], "test"), rows))
    parts += [f"- {markdown_text(text)}" for text in _remarks(found)]
    return "\n\n".join([*parts, markdown_text(reading(found))]) + "\n"


def reading(found: Ablation) -> str:
    """Return how the numbers of an experiment are to be read."""
    noise = _WITHIN if found.source["paired_seeds"] else _POOLED
    return " ".join([_MODEL, noise, _COVERS] if found.terms else [_COVERS])


def head_lines(found: Ablation) -> Iterator[str]:
    """Yield what the experiment is: runs, factors, rows, how seeds were taken."""
    experiment = found.experiment
    factors = " \N{MULTIPLICATION SIGN} ".join(
        f"{one.name} ({_levels(one.levels)})" for one in experiment.factors
    )
    n = found.source["n_runs"]
    yield visible(
        f"{n:,} run{'s' * (n != 1)}, {found.source['n_combinations']:,} combinations"
        + (f" of {factors}" if factors else "")
    )
    for one in experiment.constants:
        yield visible(f"{one.name} is {one.levels[0]} everywhere, and can have no effect")
    paired = "; differences are taken within a seed" if found.source["paired_seeds"] else ""
    yield f"{found.source['rows']}; {100 * found.level:g}% intervals{paired}"


def _levels(levels: Sequence[str]) -> str:
    told = ", ".join(levels[:6])
    return told if len(levels) <= 6 else f"{told} and {len(levels) - 6} more"


def effect_rows(term: Term) -> list[EffectRow]:
    """Return the contrasts of a term as they are shown."""
    return [
        EffectRow(
            visible(str(one.subject)),
            _signed(one),
            _interval(one),
            str(one.conditions.get("covers", "")),
            one,
        )
        for one in term.contrasts
    ]


def verdict_text(term: Term) -> str:
    """Return the verdict on a term and its test in a phrase."""
    return ": ".join(filter(None, [term.verdict, numbers_of_test(term)]))


def numbers_of_test(term: Term) -> str:
    """Return the numbers of a term's test; nothing where it was not tested."""
    if term.statistic is None or term.df is None or term.p_adjusted is None:
        return ""
    p = term.p_adjusted
    told = "< 0.0001" if p < 0.0001 else f"= {p:.4f}" if p < 0.1 else f"= {p:.2f}"
    df = f"{term.df[1]:,.0f}" if term.df[1] < 1e5 else "many"
    return f"F({term.df[0]}, {df}) = {term.statistic:.4g}, adjusted p {told}"


def _lines(found: Ablation, columns: int) -> Iterator[Pieces]:
    first, *rest = head_lines(found)
    yield from folded(first, columns, style="bold cyan")
    for line in rest:
        yield from folded(line, columns)
    for metric in found.metrics:
        yield []
        yield from folded(visible(title(metric)), columns, style="bold")
        cells = [_cell(one) for one in found.results if one.metric == metric]
        yield from _aligned([_HEAD, *cells], columns)
        yield from _effects([one for one in found.terms if one.metric == metric], columns)
    remarks = list(_remarks(found))
    yield []
    for text in remarks:
        yield from folded(text, columns, style="dim")
    yield from folded(reading(found), columns, style="dim")


def _cell(one: Result) -> tuple[str, ...]:
    if one.value is None:
        return (visible(str(one.subject)), "none", "", "", f"{one.counts.get('n_runs', 0)}", "")
    spread = one.conditions.get("standard_deviation")
    return (
        visible(str(one.subject)),
        number_text(one.metric, one.value),
        _interval(one) or "none",
        str(one.conditions.get("covers", "")),
        f"{one.counts['n_runs']:,}",
        "" if spread is None else number_text(one.metric, float(spread)),
    )


def _interval(one: Result) -> str:
    if one.interval is None:
        return ""
    return " to ".join(end_text(one.metric, end) for end in (one.interval.low, one.interval.high))


def _signed(one: Result) -> str:
    if one.value is None:
        return "none"
    text = number_text(one.metric, one.value)
    return f"+{text}" if one.value > 0 else text


def _effects(terms: Sequence[Term], columns: int) -> Iterator[Pieces]:
    if not terms:
        return
    rows = [
        [(row.label, row.value, row.interval, row.covers) for row in effect_rows(one)]
        for one in terms
    ]
    told = [_EFFECT_HEAD, *(row for those in rows for row in those)]
    widths = [min(_WIDEST, max(width(row[at]) for row in told)) for at in range(len(_EFFECT_HEAD))]
    yield []
    yield from _aligned([_EFFECT_HEAD], columns, widths)
    for term, those in zip(terms, rows, strict=True):
        yield from _aligned(those, columns, widths)
        style = "bold" if term.shown else "dim"
        named = "" if len(those) == 1 else f"{term.label}: "
        yield from folded(visible(named + verdict_text(term)), columns, indent=2, style=style)


def _aligned(
    rows: Sequence[Sequence[str]], columns: int, widths: Sequence[int] | None = None
) -> Iterator[Pieces]:
    """Yield rows as a table; a label that does not fit stands on lines of its own."""
    if widths is None:
        widths = [min(_WIDEST, max(width(row[at]) for row in rows)) for at in range(len(rows[0]))]
    for label, *cells in rows:
        wide = width(label) > widths[0]
        if wide:
            yield from folded(label, columns)
        numbers = (
            padded(cell, size, right=at in {0, 3, 4})
            for at, (cell, size) in enumerate(zip(cells, widths[1:], strict=True))
        )
        yield [(padded("" if wide else label, widths[0]), ""), ("  " + "  ".join(numbers), "")]


def _remarks(found: Ablation) -> Iterator[str]:
    """Yield why values are absent, once for each reason, and the notes."""
    everything = [
        *found.results,
        *(one for term in found.terms for one in (*term.means, *term.contrasts)),
    ]
    absent: dict[tuple[str, str], list[str]] = {}
    for one in everything:
        if not one.ok:
            key = (f"{one.detail} ({one.reason})", one.reason.fix)
            absent.setdefault(key, []).append(one.metric)
    for (detail, fix), metrics in absent.items():
        names = ", ".join(dict.fromkeys(map(title, metrics)))
        yield visible(f"{names}, {len(metrics):,} values: {detail}; {fix}")
    for note in dict.fromkeys(note for one in everything for note in one.notes):
        noted = dict.fromkeys(title(one.metric) for one in everything if note in one.notes)
        yield visible(f"{', '.join(noted)}: {sentence(note)}")


def _with_test(term: Term) -> Iterator[tuple[EffectRow, str]]:
    for at, row in enumerate(effect_rows(term)):
        yield row, "" if at else f"{visible(term.label)}: {verdict_text(term)}"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    align = ["---", "---:", *["---"] * (len(head) - 2)]
    cells = ([markdown_text(cell) for cell in row] for row in rows)
    return "\n".join(f"| {' | '.join(row)} |" for row in [list(head), align, *cells])
