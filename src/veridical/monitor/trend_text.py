"""The history of a monitor in a terminal: a line of blocks for each watched column."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from veridical.monitor.history import Mark, Period, Reading, periods_of
from veridical.monitor.observing import WATCHED
from veridical.monitor.states import Status
from veridical.report.display import rate_text
from veridical.report.visible import padded, visible, width, wrapped
from veridical.stability.traffic_light import SIGNIFICANT, Light
from veridical.store.journal import Event
from veridical.tables._words import counted

__all__ = ["trend_text"]

_COLUMNS: Final = 100
_MOST: Final = 48
_WIDEST: Final = 28
_BLOCKS: Final = "▁▂▃▄▅▆▇█"
_FULL: Final = 2 * SIGNIFICANT
_LETTERS: Final = {
    Light.STABLE: ".", Light.MODERATE: "m", Light.SIGNIFICANT: "S", Light.INSUFFICIENT_DATA: "?",
}  # fmt: skip
_KEY = (
    "A block is full from an index of 0.50. Lights: . stable, m moderate from 0.10, S significant "
    "above 0.25, ? too few rows to tell; these lines are a convention of the industry."
)


def trend_text(name: str, events: Sequence[Event]) -> str:
    """Return the index of every watched column over the periods, and what was done about it.

    Parameters
    ----------
    name, events
        Of the monitor.

    Raises
    ------
    MismatchError
        It was never started.
    """
    return "\n".join(_lines(Status.of(name, events), periods_of(name, events)))


def _lines(status: Status, periods: Sequence[Period]) -> Iterator[str]:
    yield f"monitor {visible(status.name)}: {status.state}, {counted(len(periods), 'period')}"
    if not periods:
        return
    last = periods[-_MOST:]
    ends = [visible(one.seen.period) for one in (last[0], last[-1])]
    yield f"population stability index, {ends[0]} to {ends[1]}"
    yield ""
    names = list(status.reference["columns"])
    room = min(_WIDEST, max(width(visible(one)) for one in names))
    for column in names:
        yield from _column(column, last, room)
    yield ""
    yield from wrapped(_KEY, _COLUMNS)
    done = [(one, mark) for one in periods for mark in one.marks]
    if done:
        yield ""
        yield "what was done about it"
        for one, mark in done:
            yield from _mark(one, mark)


def _column(name: str, periods: Sequence[Period], room: int) -> Iterator[str]:
    read = [Reading.of(one.seen, name, WATCHED[0]) for one in periods]
    blocks = "".join(map(_block, read))
    lights = "".join(_letter(one, name) for one in periods)
    yield f"{padded(visible(name), room)}  {blocks}  {_told(read[-1])}".rstrip()
    yield f"{'':<{room}}  {lights}"


def _block(found: Reading | None) -> str:
    if found is None or found.value is None:
        return " "
    return _BLOCKS[min(int(found.value / _FULL * len(_BLOCKS)), len(_BLOCKS) - 1)]


def _letter(one: Period, column: str) -> str:
    found = one.seen.columns.get(column)
    return " " if found is None else _LETTERS[Light(found["light"])]


def _told(found: Reading | None) -> str:
    if found is None:
        return "not measured"
    if found.value is None:
        return f"skipped: {visible(found.why)}"
    if found.low is None or found.high is None:
        return rate_text(found.value)
    return f"{rate_text(found.value)} [{rate_text(found.low)}, {rate_text(found.high)}]"


def _mark(one: Period, mark: Mark) -> Iterator[str]:
    said = f"{mark.word} ({mark.actor})" if mark.actor else mark.word
    said += f": {mark.detail}" if mark.detail else ""
    first, *more = wrapped(visible(f"{one.seen.period}: {said}"), _COLUMNS - 4)
    yield f"  {first}"
    yield from (f"    {line}" for line in more)
