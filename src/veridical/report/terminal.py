"""The table that ``veridical evaluate`` prints."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TextIO

from veridical.report.assemble import prevalence
from veridical.report.bars import BASELINE, INTERVAL, POINT, TRACK, axis_text, interval_bar
from veridical.report.differences import differences
from veridical.report.judgements import band_notes, judgements
from veridical.report.passport import data_line, roles_line, skipped_groups, stamp
from veridical.report.pieces import Pieces, folded, phrased
from veridical.report.printing import is_plain
from veridical.report.sections import (
    Block,
    Footnotes,
    Line,
    Section,
    group_columns,
    sections,
)
from veridical.report.visible import fitted, padded, visible, width

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from veridical.evaluation import Evaluation

__all__ = ["plain_console", "terminal_text"]

_WIDEST, _NARROWEST = 110, 60
_WIDEST_LABEL, _WIDEST_BAR, _NARROWEST_BAR = 26, 40, 8
_WIDEST_RULE, _WIDEST_VALUE = 44, 8
_GROUPS_SHOWN = 20
_VERDICT_STYLES = {"met": "green", "not met": "red", "undecided": "yellow", "skipped": "yellow"}
_PLAIN = str.maketrans({TRACK: "-", INTERVAL: "=", POINT: "o", BASELINE: "|", "·": "|", "…": "~"})


def plain_console(stream: TextIO) -> Console:
    """Return a console to capture text from, styled only for a terminal that wants it.

    It writes nothing to the stream itself: what goes wrong there is the caller's to tell.

    Parameters
    ----------
    stream
        Where the text will go.
    """
    from rich.console import Console

    plain = is_plain(stream)
    return Console(
        file=io.StringIO(),
        color_system=None if plain else "auto",
        force_terminal=not plain,
        highlight=False,
        markup=False,
        emoji=False,
        soft_wrap=True,
    )


def terminal_text(ev: Evaluation, stream: TextIO | None = None) -> str:
    """Return the table as text for ``stream``: styled on a terminal, plain in a pipe.

    Parameters
    ----------
    ev
        What to print.
    stream
        Where it will be printed; standard output by default.
    """
    from rich.text import Text

    out = stream or sys.stdout
    console = plain_console(out)
    columns = max(_NARROWEST, min(console.width, _WIDEST))
    with console.capture() as captured:
        for pieces in _table(ev, columns):
            console.print(_joined(pieces, Text))
    text = captured.get()
    return text if _speaks_unicode(out) else text.translate(_PLAIN)


def _joined(pieces: Pieces, kind: type[Text]) -> Text:
    text = kind()
    for content, style in pieces:
        text.append(content, style=style)
    text.rstrip()
    return text


def _speaks_unicode(stream: TextIO) -> bool:
    try:
        (TRACK + INTERVAL + POINT + BASELINE).encode(getattr(stream, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _table(ev: Evaluation, columns: int) -> Iterator[Pieces]:
    footnotes, rate = Footnotes(), prevalence(ev)
    name, size = data_line(ev)
    yield [(fitted(name, columns), "bold")]
    yield from folded(f"{size}; {roles_line(ev)}", columns)
    parts = {g: _measured(sections(ev, footnotes, rate, g)) for g in (None, *group_columns(ev))}
    several = len(ev.subjects) > 1
    level = f"{100 * ev.settings.level:g}% interval" if ev.settings.intervals else ""
    layout = _layout([s for part in parts.values() for s in part], columns, several=several)
    for group, part in parts.items():
        if group is not None:
            yield []
            yield [(fitted(f"By {visible(group)}", columns), "bold underline")]
        for section in part:
            yield from _section(
                section, layout, columns, several=several or group is not None, level=level
            )
    if any(
        block.baseline is not None for part in parts.values() for s in part for block in s.blocks
    ):
        yield []
        yield [(f"{BASELINE} what a forecast without skill gets on these data", "dim")]
    yield from _comparisons(ev, columns)
    yield from _policy(ev, columns)
    yield from _skipped(ev, columns)
    yield from _closing(ev, footnotes, columns)


@dataclass(frozen=True, slots=True)
class _Layout:
    """Widths of the columns, in terminal columns."""

    label: int
    value: int
    interval: int
    bar: int
    n: int
    marks: int


def _measured(every: Sequence[Section]) -> list[Section]:
    """Return the sections without the metrics of which nothing was measured."""
    return [
        replace(section, blocks=blocks)
        for section in every
        if (blocks := tuple(b for b in section.blocks if any(x.result.ok for x in b.lines)))
    ]


def _layout(every: Sequence[Section], columns: int, *, several: bool) -> _Layout:
    """Return one layout for all sections, so that their columns line up."""
    blocks = [block for section in every for block in section.blocks]
    lines = [line for block in blocks for line in block.lines]
    value = max([7, *(width(line.value) for line in lines)])
    interval = max([16, *(width(line.interval) for line in lines if line.result.ok)])
    n = max([6, *(len(line.n) for line in lines)])
    marks = max([0, *(len(_marks(line)) for line in lines)])
    labels = [line.label for line in lines] if several else [block.title for block in blocks]
    label = min(_WIDEST_LABEL, max([20, *(width(text) + 2 * several for text in labels)]))
    rest = columns - (label + 1 + value + 2 + interval + 2) - (2 + n) - (1 + marks if marks else 0)
    bar = min(rest, _WIDEST_BAR) if rest >= _NARROWEST_BAR else 0
    return _Layout(label, value, interval, bar, n, marks)


def _section(
    section: Section, layout: _Layout, columns: int, *, several: bool, level: str
) -> Iterator[Pieces]:
    yield []
    yield _heading(section, layout, level)
    for remark in section.remarks:
        yield from folded(remark, columns, style="dim")
    for block in section.blocks:
        yield from _block(block, section, layout, columns, 2 if several else 0)


def _heading(section: Section, layout: _Layout, level: str) -> Pieces:
    names, before = layout.label + 1 + layout.value, layout.interval + 4
    over_interval = f"  {level}".ljust(before)
    if width(section.heading) > names:
        names, over_interval = max(names + before, width(section.heading)), ""
    ends = axis_text(section.axis, layout.bar).ljust(layout.bar) if layout.bar else ""
    heading = padded(section.heading, names)
    return [(heading, "bold cyan"), (f"{over_interval}{ends}  {'n'.rjust(layout.n)}", "dim")]


def _block(
    block: Block, section: Section, layout: _Layout, columns: int, indent: int
) -> Iterator[Pieces]:
    shown = block.lines[:_GROUPS_SHOWN]
    common: list[str] = []
    if indent:
        common = [d for d in shown[0].details if all(d in line.details for line in shown)]
        common = common if len(shown) > 1 else []
        yield from _titled(block.title, common, columns)
    for line in shown:
        label = " " * indent + line.label if indent else block.title
        yield _row(label, line, block, section, layout)
        own = [detail for detail in line.details if detail not in common]
        yield from phrased(own, columns, indent=indent + 2)
    if len(block.lines) > len(shown):
        more = f"and {len(block.lines) - len(shown):,} more, in --json"
        yield from folded(more, columns, indent=indent, style="dim")


def _titled(name: str, common: Sequence[str], columns: int) -> Iterator[Pieces]:
    text = " · ".join(common)
    if width(name) + 2 + width(text) <= columns:
        yield [(name, "bold"), ("  " + text if text else "", "dim")]
    else:
        yield [(fitted(name, columns), "bold")]
        yield from phrased(common, columns, indent=2)


def _row(label: str, line: Line, block: Block, section: Section, layout: _Layout) -> Pieces:
    head = padded(label, layout.label) + " "
    interval = padded(line.interval, layout.interval)
    if not line.result.ok:
        return [(head, ""), (line.value, "yellow"), ("  " + line.interval, "dim")]
    bar = interval_bar(line, section.axis, block.baseline, layout.bar)
    return [
        (head, ""),
        (line.value.rjust(layout.value), "bold"),
        ("  " + interval + "  ", ""),
        *_styled_bar(bar.ljust(layout.bar)),
        ("  " + line.n.rjust(layout.n), ""),
        (" " + _marks(line).ljust(layout.marks) if layout.marks else "", "dim"),
    ]


def _styled_bar(bar: str) -> Pieces:
    styles = {TRACK: "dim", INTERVAL: "cyan", POINT: "bold cyan", BASELINE: "yellow"}
    return [(character, styles.get(character, "")) for character in bar]


def _marks(line: Line) -> str:
    return f"[{','.join(map(str, line.marks))}]" if line.marks else ""


def _comparisons(ev: Evaluation, columns: int) -> Iterator[Pieces]:
    every = list(differences(ev))
    if not every:
        return
    metric = min(_WIDEST_LABEL, max(width(one.metric) for one in every))
    value = max(len(one.value) for one in every)
    interval = max(len(one.interval) for one in every)
    pair = ""
    for one in every:
        if one.pair != pair:
            pair = one.pair
            yield []
            yield [(fitted(f"{pair}, on the same rows", columns), "bold cyan")]
        yield [
            (padded(one.metric, metric), ""),
            ("  " + one.value.rjust(value), "bold"),
            ("  " + one.interval.ljust(interval), ""),
            ("  " + one.method, "dim"),
        ]
        yield from folded(one.verdict, columns, indent=2, style="bold" if one.shown else "dim")


def _policy(ev: Evaluation, columns: int) -> Iterator[Pieces]:
    if ev.policy is None:
        return
    yield []
    yield from folded(visible(str(ev.policy)), columns, style="bold cyan")
    subject = None
    for one in judgements(ev.policy):
        if one.subject != subject and len(ev.subjects) > 1:
            subject = one.subject
            yield [(fitted(subject, columns), "bold")]
        yield [
            (padded(one.rule, _WIDEST_RULE) + "  ", ""),
            (one.value.rjust(_WIDEST_VALUE) + "  ", "bold"),
            (one.verdict, _VERDICT_STYLES.get(one.verdict.partition(",")[0], "")),
        ]
        for line in one.lines:
            yield from folded(line, columns, indent=2, style="dim")
    for note in band_notes(ev.policy):
        yield from folded(note, columns, style="dim")


def _skipped(ev: Evaluation, columns: int) -> Iterator[Pieces]:
    skipped = skipped_groups(ev.results, several=len(ev.subjects) > 1)
    if not skipped:
        return
    yield []
    yield [("Not measured", "bold yellow")]
    for metrics, why, fix in skipped:
        yield from folded(metrics, columns, style="bold")
        yield from folded(why, columns, indent=2)
        yield from folded(f"fix: {fix}", columns, indent=2, style="dim")


def _closing(ev: Evaluation, footnotes: Footnotes, columns: int) -> Iterator[Pieces]:
    notes = footnotes.sentences()
    if notes:
        yield []
    for number, sentence in notes:
        yield from folded(sentence, columns, style="dim", mark=f"[{number}] ")
    yield []
    yield from phrased(stamp(ev), columns)
