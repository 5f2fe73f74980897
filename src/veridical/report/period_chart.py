"""A metric over the periods of a monitor: intervals, lines to compare with, and what was done.

Inline SVG that needs no script.  No ``style`` attribute and no colour is written here: looks come
from the page's style sheet, through classes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from markupsafe import Markup, escape

from veridical.report.display import round_number_above

__all__ = ["MOST_PERIODS", "PeriodPoint", "Sign", "Threshold", "has_root_axis", "period_chart"]

MOST_PERIODS = 120
"""More would stand on each other."""

_WIDTH, _HEIGHT = 860.0, 230.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 84.0, 112.0, 14.0, 12.0
_LANE, _NAMES = 19.0, 24.0
_FEW_LABELS = 12
_TALL = 1.0
"""Above it a linear axis would press the lines to compare with into its foot."""

Tone = Literal["good", "bad", "plain"]


@dataclass(frozen=True, slots=True)
class Sign:
    """What was done in a period: in which row, how it looks, what it says."""

    lane: str
    tone: Tone
    label: str


@dataclass(frozen=True, slots=True)
class PeriodPoint:
    """One period.

    Attributes
    ----------
    name, label
        Of the period, and all that is said of it.
    value, low, high
        None where there is none.
    noise
        What noise alone stays below, drawn as a tick; or None.
    firm
        Whether it says something: with too few rows it does not.
    signs
        What was done.
    """

    name: str
    label: str
    value: float | None
    low: float | None = None
    high: float | None = None
    noise: float | None = None
    firm: bool = True
    signs: Sequence[Sign] = field(default=())


@dataclass(frozen=True, slots=True)
class Threshold:
    """A line to compare with."""

    value: float
    label: str


def has_root_axis(points: Sequence[PeriodPoint]) -> bool:
    """Return whether values are so large that the chart shows their square roots."""
    return max(_ends(points), default=0.0) > _TALL


def period_chart(
    points: Sequence[PeriodPoint],
    thresholds: Sequence[Threshold],
    description: str,
    lanes: Sequence[str] = (),
) -> Markup:
    """Return the chart of a metric that is at least 0.

    Parameters
    ----------
    points
        Period by period; at most ``MOST_PERIODS``.
    thresholds
        Lines to compare with; above the highest one the ground is marked.
    description
        What a screen reader says.
    lanes
        Rows below the chart, for the signs of each.
    """
    scale = _Scale(points, thresholds)
    parts = [*_ground(thresholds, scale), *_axis(scale), *_lanes(lanes)]
    parts += [_thread(points, scale)]
    parts += [_point(at, one, scale) for at, one in enumerate(points)]
    parts += _signs(points, lanes, scale)
    parts += _names(points, _HEIGHT + len(lanes) * _LANE + 14, scale)
    tall = _HEIGHT + len(lanes) * _LANE + _NAMES
    opening = (
        f'<svg class="static-chart periods series-0" viewBox="0 0 {_WIDTH:.0f} {tall:.0f}" '
        f'role="img" aria-label="{escape(description)}">'
    )
    # Numbers, our own words, and what was escaped.
    return Markup(f"{opening}{''.join(parts)}</svg>")  # noqa: S704


def _ends(points: Sequence[PeriodPoint]) -> list[float]:
    found = (end for p in points for end in (p.value, p.high, p.noise))
    return [end for end in found if end is not None]


class _Scale:
    def __init__(self, points: Sequence[PeriodPoint], thresholds: Sequence[Threshold]) -> None:
        highest = max([*_ends(points), *(1.15 * one.value for one in thresholds)])
        self.top = round_number_above(highest) or 1.0
        self.power = 0.5 if has_root_axis(points) else 1.0
        self.n = len(points)

    def across(self, at: int) -> float:
        return _LEFT + (at + 0.5) * (_WIDTH - _LEFT - _RIGHT) / self.n

    def down(self, value: float) -> float:
        share = float((min(max(value, 0.0), self.top) / self.top) ** self.power)
        return _HEIGHT - _BOTTOM - share * (_HEIGHT - _TOP - _BOTTOM)


def _ground(thresholds: Sequence[Threshold], scale: _Scale) -> Iterator[str]:
    right, highest = _WIDTH - _RIGHT, max((one.value for one in thresholds), default=0.0)
    if thresholds:
        line = scale.down(highest)
        yield (
            f'<rect class="beyond" x="{_LEFT}" y="{_TOP}" width="{right - _LEFT}" '
            f'height="{line - _TOP:.1f}"/>'
        )
    for one in thresholds:
        at = scale.down(one.value)
        yield f'<path class="reference" d="M{_LEFT},{at:.1f}H{right}"/>'
        # Where lines are close, their names stand on either side of both.
        down = 4 if len(thresholds) == 1 else -1 if one.value == highest else 10
        yield _text(one.label, right + 6, at + down, "start")


def _axis(scale: _Scale) -> Iterator[str]:
    shares = (0.0, 0.1, 0.3, 0.6, 1.0) if scale.power < 1 else (0.0, 0.25, 0.5, 0.75, 1.0)
    for share in shares:
        at = scale.down(share * scale.top)
        yield f'<path class="grid" d="M{_LEFT},{at:.1f}H{_WIDTH - _RIGHT}"/>'
        yield _text(f"{share * scale.top:.3g}", _LEFT - 8, at + 4, "end")


def _lanes(lanes: Sequence[str]) -> Iterator[str]:
    for row, name in enumerate(lanes):
        at = _lane(row)
        yield f'<path class="grid" d="M{_LEFT},{at:.1f}H{_WIDTH - _RIGHT}"/>'
        yield _text(name, _LEFT - 8, at + 4, "end")


def _lane(row: int) -> float:
    return _HEIGHT + (row + 0.5) * _LANE


def _thread(points: Sequence[PeriodPoint], scale: _Scale) -> str:
    """Join neighbours; where a period has no value the line breaks."""
    commands, joined = [], False
    for at, one in enumerate(points):
        if one.value is not None:
            commands.append(f"{'L' if joined else 'M'}{scale.across(at):.1f},"
                            f"{scale.down(one.value):.1f}")  # fmt: skip
        joined = one.value is not None
    return f'<path class="curve trace" d="{"".join(commands)}"/>' if commands else ""


def _point(at: int, one: PeriodPoint, scale: _Scale) -> str:
    x, drawn = scale.across(at), []
    if one.low is not None and one.high is not None:
        ends = f"M{x:.1f},{scale.down(one.low):.1f}V{scale.down(one.high):.1f}"
        drawn.append(f'<path class="whisker" d="{ends}"/>')
    if one.noise is not None:
        y = scale.down(one.noise)
        drawn.append(f'<path class="noise" d="M{x - 6:.1f},{y:.1f}H{x + 6:.1f}"/>')
    if one.value is not None:
        look = "" if one.firm else ' class="hollow"'
        drawn.append(f'<circle{look} cx="{x:.1f}" cy="{scale.down(one.value):.1f}" r="4.5"/>')
    return f"<g>{''.join(drawn)}<title>{escape(one.label)}</title></g>"


def _signs(points: Sequence[PeriodPoint], lanes: Sequence[str], scale: _Scale) -> Iterator[str]:
    """Yield the last sign of each period in each row, and in its words all of them."""
    for at, one in enumerate(points):
        for row, lane in enumerate(lanes):
            there = [sign for sign in one.signs if sign.lane == lane]
            if there:
                label = escape(f"{one.name}: {'; '.join(sign.label for sign in there)}")
                shape = _shape(there[-1].tone, scale.across(at), _lane(row))
                yield f"<g>{shape}<title>{label}</title></g>"


def _shape(tone: Tone, x: float, y: float) -> str:
    """Return a dot, a cross or a ring: good, bad or neither, also without colour."""
    if tone == "bad":
        cross = f"M{x - 4.5:.1f},{y - 4.5:.1f}l9,9m0,-9l-9,9"
        return f'<path class="sign sign-bad" d="{cross}"/>'
    look = "sign-good" if tone == "good" else "sign-plain"
    return f'<circle class="sign {look}" cx="{x:.1f}" cy="{y:.1f}" r="4.5"/>'


def _names(points: Sequence[PeriodPoint], y: float, scale: _Scale) -> Iterator[str]:
    """Name the first period, the last, and some between them."""
    every = max(1, -(-len(points) // _FEW_LABELS))
    shown = {at for at in range(0, len(points), every) if at + every <= len(points) - 1}
    longest = max(4, int(96 * every / max(1, len(points))))
    for at in sorted(shown | {len(points) - 1}):
        name = points[at].name
        cut = name if len(name) <= longest else f"{name[: longest - 1]}\N{HORIZONTAL ELLIPSIS}"
        yield _text(cut, scale.across(at), y, "middle")


def _text(text: str, x: float, y: float, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'
