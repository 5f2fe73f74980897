"""What ``veridical agree`` prints: results, and the table of each pair of raters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from veridical.report.display import rate_text
from veridical.report.unit_comparisons import comparison_lines
from veridical.report.unit_lines import COLUMNS, result_lines
from veridical.report.visible import padded, visible, width, wrapped

if TYPE_CHECKING:
    from veridical.evaluation.agreement import AgreementEvaluation
    from veridical.summaries.contingency import ContingencyTable

__all__ = ["READING", "agreement_markdown", "agreement_text"]

_MOST_LABELS = 12
_WIDEST_LABEL = 16
READING = (
    "Raw agreement counts agreement by chance. Kappa above about 0.6 is usually called "
    "substantial; the kappa of two people is the ceiling that a judge is read against."
)


def agreement_text(ev: AgreementEvaluation) -> str:
    r"""Return the results and the contingency tables as text.

    Parameters
    ----------
    ev
        What to print.

    Examples
    --------
    >>> import veridical as vd
    >>> data = {"a": ["y", "y", "n", "n"], "b": ["y", "n", "n", "n"]}
    >>> text = agreement_text(vd.evaluate_agreement(data, "kappa", raters=["a", "b"]))
    >>> print(text.split("\n")[3])
    agreement.cohens_kappa  0.5000  [-0.2350, 1.0000]  4
    """
    lines = [f"{ev.source['n_rows']:,} items, raters {', '.join(map(visible, ev.raters))}", ""]
    lines += result_lines(ev.results, subjects=ev.keyed_by_subject)
    lines += comparison_lines(ev.comparisons, ev.units, COLUMNS)
    for pair, table in ev.tables.items():
        lines += ["", *_table(ev.pairs[pair], table)]
    return "\n".join([*lines, "", *wrapped(READING, COLUMNS)])


def agreement_markdown(ev: AgreementEvaluation) -> str:
    """Return the results as Markdown.

    Parameters
    ----------
    ev
        What to print.
    """
    from veridical.report.unit_markdown import unit_markdown

    level = ev.settings.shown_level
    heading = f"Agreement of {', '.join(ev.raters)}"
    tables = {
        _heading(ev.pairs[pair], table): _cells(table)
        for pair, table in ev.tables.items()
        if len(table.labels) <= _MOST_LABELS
    }
    return unit_markdown(ev, heading, [f"{ev.source['n_rows']:,} items", READING], level, tables)


def _heading(pair: tuple[str, str], table: ContingencyTable) -> str:
    first, second = (visible(name) for name in pair)
    return f"{first} (down) against {second} (across), {table.n:,} items"


def _table(pair: tuple[str, str], table: ContingencyTable) -> Iterator[str]:
    yield _heading(pair, table)
    if len(table.labels) > _MOST_LABELS:
        yield f"  {len(table.labels)} labels: the table is in --json"
        return
    cells = _cells(table)
    widths = [
        min(_WIDEST_LABEL, max(width(row[at]) for row in cells)) for at in range(len(cells[0]))
    ]
    for row in cells:
        padded_cells = [
            padded(c, w, right=at > 0) for at, (c, w) in enumerate(zip(row, widths, strict=True))
        ]
        yield ("  " + "  ".join(padded_cells)).rstrip()


def _cells(table: ContingencyTable) -> list[list[str]]:
    """Return counts, what share each label has, and how far the two agree on it, as text."""
    labels = [visible(str(label)) for label in table.labels]
    rows, columns = table.counts.sum(axis=1), table.counts.sum(axis=0)
    cells = [["", *labels, "share", "agreement"]]
    for at, label in enumerate(labels):
        both = int(rows[at] + columns[at])
        same = rate_text(2 * int(table.counts[at, at]) / both) if both else "none"
        share = rate_text(int(rows[at]) / table.n) if table.n else "none"
        cells.append([label, *(f"{int(count):,}" for count in table.counts[at]), share, same])
    if table.n:
        cells.append(["share", *(rate_text(int(count) / table.n) for count in columns), "", ""])
    return cells
