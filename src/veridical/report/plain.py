"""How an evaluation looks in an interactive session: a short table as text, or as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from veridical.report.assemble import prevalence
from veridical.report.passport import data_line, roles_line, skipped_groups, stamp
from veridical.report.sections import Footnotes, Line, certified, group_columns, sections
from veridical.report.visible import padded, visible, width

if TYPE_CHECKING:
    from veridical.evaluation import Evaluation

__all__ = ["flat_rows", "html_table", "plain_table"]

_WIDEST_CELL = 30

Row = tuple[str, ...]


def flat_rows(ev: Evaluation, footnotes: Footnotes) -> list[tuple[Row, Line]]:
    """Return one row a result, (metric, score, group) as text, in the order of the table.

    Parameters
    ----------
    ev
        The evaluation.
    footnotes
        Where notes are numbered.
    """
    rate = prevalence(ev)
    return [
        ((block.title, visible(line.result.subject or ""), visible(line.result.group or "")), line)
        for group in (None, *group_columns(ev))
        for section in sections(ev, footnotes, rate, group)
        for block in section.blocks
        for line in block.lines
    ]


def plain_table(ev: Evaluation) -> str:
    """Return a short text table, as ``repr`` shows it.

    Parameters
    ----------
    ev
        The evaluation.

    Examples
    --------
    >>> import veridical as vd
    >>> data = {"y": [1, 0, 1, 0], "s": [0.9, 0.6, 0.4, 0.1]}
    >>> print(vd.evaluate(data, ["precision"], label="y", score="s", threshold=0.5))
    dict in memory: 4 rows, 2 positive (50.0%)
    label y, score s
    <BLANKLINE>
    metric      value  95% interval      n
    Precision  0.5000  0.0945 to 0.9055  2
    """
    name, size = data_line(ev)
    rows = flat_rows(ev, Footnotes())
    several, grouped = len(ev.subjects) > 1, bool(group_columns(ev))
    head = ["metric", *(["score"] if several else []), *(["group"] if grouped else [])]
    bounded = any(certified(line.result) for _, line in rows)
    columns = ["value", f"{100 * ev.settings.level:g}% interval", "n"]
    lines: list[Row] = [(*head, *columns, *(["certified"] if bounded else []))]
    for (metric, score, group), line in rows:
        names = [metric, *([score] if several else []), *([group] if grouped else [])]
        bounds = [certified(line.result)] if bounded else []
        lines.append((*names, line.value, line.interval, line.n, *bounds))
    return "\n".join([f"{name}: {size}", roles_line(ev), "", *_aligned(lines, len(head))])


def _aligned(rows: Sequence[Row], names: int) -> list[str]:
    """Line the columns up; value and n, after ``names`` columns of text, to the right."""
    widths = [min(_WIDEST_CELL, max(map(width, column))) for column in zip(*rows, strict=True)]
    right = {names, names + 2}
    return [
        "  ".join(
            padded(cell, size, right=index in right)
            for index, (cell, size) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def html_table(ev: Evaluation) -> str:
    """Return the table as HTML for notebooks; every name in it is escaped.

    Parameters
    ----------
    ev
        The evaluation.
    """
    footnotes = Footnotes()
    rows = flat_rows(ev, footnotes)
    head: Row = ("metric", "score", "group", "value", f"{100 * ev.settings.level:g}% interval", "n")
    bounded = any(certified(line.result) for _, line in rows)
    head += ("certified",) if bounded else ()
    name, size = data_line(ev)
    body = "".join(_html_row(names, line, bounded=bounded) for names, line in rows)
    skipped = skipped_groups(ev.results, several=len(ev.subjects) > 1)
    remarks = [
        *(f"{metrics}: {why}; {fix}" for metrics, why, fix in skipped),
        *(f"[{number}] {sentence}" for number, sentence in footnotes.sentences()),
        " · ".join(stamp(ev)),
    ]
    return (
        f"<p><strong>{escape(name)}</strong>: {escape(size)}; {escape(roles_line(ev))}</p>"
        f"<table><thead>{_cells(head, 'th')}</thead><tbody>{body}</tbody></table>"
        + "".join(f"<p><small>{escape(remark)}</small></p>" for remark in remarks)
    )


def _html_row(names: Row, line: Line, *, bounded: bool) -> str:
    marks = f" [{','.join(map(str, line.marks))}]" if line.marks else ""
    metric, score, group = names
    bounds = (certified(line.result),) if bounded else ()
    return _cells((metric + marks, score, group, line.value, line.interval, line.n, *bounds), "td")


def _cells(cells: Row, tag: str) -> str:
    return "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in cells) + "</tr>"
