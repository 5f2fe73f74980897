"""An evaluation as Markdown, for a pull request or a document."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from veridical.report.assemble import prevalence
from veridical.report.differences import differences
from veridical.report.judgements import band_notes, judgements
from veridical.report.passport import data_line, roles_line, skipped_groups, stamp
from veridical.report.sections import Block, Footnotes, Line, Section, group_columns, sections
from veridical.report.visible import visible

if TYPE_CHECKING:
    from veridical.evaluation import Evaluation

__all__ = ["markdown", "markdown_table", "markdown_text"]

# What starts a tag, a table cell, emphasis, code, a link, an entity or a mention; a bare address
# would become a link too.
_SPECIAL = re.compile(r"[\\`*_{}\[\]<>|~&@$]|(?<=[a-z]):(?=//)|(?<=www)\.", re.IGNORECASE)
_ENTITIES = set("<>&|@:.")


def markdown(ev: Evaluation) -> str:
    """Return an evaluation as GitHub-flavoured Markdown.

    Parameters
    ----------
    ev
        The evaluation.  Names in it are hostile: they become text that no renderer acts on.

    Returns
    -------
    str
        A heading, a table for each kind of metric, what was skipped, notes and the passport.
    """
    footnotes, rate = Footnotes(), prevalence(ev)
    name, size = data_line(ev)
    parts = [f"### {markdown_text(name)}", markdown_text(f"{size}; {roles_line(ev)}.")]
    for group in (None, *group_columns(ev)):
        if group is not None:
            parts.append(f"#### By {markdown_text(visible(group))}")
        for section in sections(ev, footnotes, rate, group):
            parts += _section(section, ev, grouped=group is not None)
    parts += _comparisons(ev)
    parts += _policy(ev)
    parts += _skipped(ev)
    parts += [
        "\n".join(f"{number}. {markdown_text(text)}" for number, text in footnotes.sentences()),
        markdown_text(" · ".join(stamp(ev))),
    ]
    return "\n\n".join(filter(None, parts)) + "\n"


def markdown_text(text: str) -> str:
    r"""Return ``text`` so that Markdown shows it as it is.

    Examples
    --------
    >>> markdown_text("<b>a|b</b>")
    '&#60;b&#62;a&#124;b&#60;/b&#62;'
    >>> print(markdown_text("p_boosting, 95%"), markdown_text("[x](https://example.org)"))
    p\_boosting, 95% \[x\](https&#58;//example.org)
    """
    return _SPECIAL.sub(lambda match: _escaped(match[0]), text)


def markdown_table(
    head: Sequence[str], rows: Iterable[Sequence[str]], numbers: Collection[int] = ()
) -> str:
    """Return a table; names in its cells become plain text.

    Parameters
    ----------
    head, rows
        Cells, as many in each row.
    numbers
        Which columns stand flush right.

    Examples
    --------
    >>> print(markdown_table(["file", "rows"], [["a|b", "4"]], {1}))
    | file | rows |
    | --- | ---: |
    | a&#124;b | 4 |
    """
    align = ["---:" if at in numbers else "---" for at in range(len(head))]
    cells = [[markdown_text(cell) for cell in row] for row in rows]
    return "\n".join(map(_table_row, [list(map(markdown_text, head)), align, *cells]))


def _escaped(character: str) -> str:
    return f"&#{ord(character)};" if character in _ENTITIES else f"\\{character}"


def _section(section: Section, ev: Evaluation, *, grouped: bool) -> list[str]:
    several = len(ev.subjects) > 1 or grouped
    head = ["metric", *([("group" if grouped else "score")] if several else [])]
    head += ["value", f"{100 * ev.settings.level:g}% interval", "n", "conditions"]
    align = ["---"] * (len(head) - 4) + ["---:", "---", "---:", "---"]
    rows = [
        _row(block, line, several=several)
        for block in section.blocks
        for line in block.lines
        if line.result.ok
    ]
    if not rows:
        return []
    table = "\n".join(map(_table_row, [head, align, *rows]))
    return [f"**{markdown_text(section.heading)}**", *map(markdown_text, section.remarks), table]


def _row(block: Block, line: Line, *, several: bool) -> list[str]:
    marks = f" [{', '.join(map(str, line.marks))}]" if line.marks else ""
    names = [block.title + marks, *([line.label] if several else [])]
    cells = [*names, line.value, line.interval, line.n, "; ".join(line.details)]
    return [markdown_text(cell) for cell in cells]


def _table_row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _comparisons(ev: Evaluation) -> list[str]:
    rows = [
        (one.pair, one.metric, one.value, one.interval, one.method, one.verdict)
        for one in differences(ev)
    ]
    if not rows:
        return []
    level = f"{100 * ev.settings.level:g}% interval"
    head = ["pair", "metric", "difference", level, "test", "verdict"]
    align = ["---", "---", "---:", "---", "---", "---"]
    cells = [[markdown_text(cell) for cell in row] for row in rows]
    return ["**Comparisons on the same rows**", "\n".join(map(_table_row, [head, align, *cells]))]


def _policy(ev: Evaluation) -> list[str]:
    if ev.policy is None:
        return []
    head = ["score", "rule", "value", "verdict", "remark", "note"]
    rows = [
        [
            markdown_text(cell)
            for cell in (one.subject, one.rule, one.value, one.verdict, one.remark, one.note)
        ]
        for one in judgements(ev.policy)
    ]
    table = [head, ["---", "---", "---:", "---", "---", "---"], *rows]
    return [
        f"**{markdown_text(visible(str(ev.policy)))}**",
        "\n".join(map(_table_row, table)),
        *map(markdown_text, band_notes(ev.policy)),
    ]


def _skipped(ev: Evaluation) -> list[str]:
    skipped = skipped_groups(ev.results, several=len(ev.subjects) > 1)
    if not skipped:
        return []
    items = (f"- {markdown_text(f'{what}: {why}; {fix}')}" for what, why, fix in skipped)
    return ["**Not measured**", "\n".join(items)]
