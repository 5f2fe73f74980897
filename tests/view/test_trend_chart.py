"""The chart of a trend: its axis holds every end, and each point stands where its value is."""

import re
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from tests.view.conftest import HOSTILE
from veridical.view.trend_chart import TrendPoint, trend_chart, value_ticks

START = datetime(2026, 1, 1, tzinfo=UTC)
FINITE = st.floats(-1e12, 1e12, allow_subnormal=False)


def point(value, low=None, high=None, *, day=0.0, series=0, label="a run"):
    when = START + timedelta(days=day)
    return TrendPoint(when, value, low, high, label, "/runs/x", series)


@given(st.lists(FINITE, min_size=1, max_size=6))
def test_ticks_are_few_and_enclose_everything(ends):
    ticks = value_ticks(ends)
    # A nine-digit remainder of a step is an error of binary, not a value beyond the axis.
    slack = 1e-6 * (ticks[-1] - ticks[0])
    assert ticks[0] <= min(ends) + slack
    assert ticks[-1] >= max(ends) - slack
    assert 2 <= len(ticks) <= 7
    assert ticks == sorted(ticks)


def heights(svg):
    return [float(y) for y in re.findall(r'<circle cx="[^"]+" cy="([^"]+)"', svg)]


def places(svg):
    return [float(x) for x in re.findall(r'<circle cx="([^%]+)%"', svg)]


@given(st.lists(st.floats(0, 1), min_size=2, max_size=8, unique=True))
def test_higher_values_stand_higher_and_later_runs_further_right(values):
    svg = trend_chart([point(v, day=k) for k, v in enumerate(values)], "x")
    found = heights(svg)
    for (v, h), (w, i) in zip(
        zip(values, found, strict=True), zip(values[1:], found[1:], strict=True), strict=False
    ):
        assert (v < w) == (h > i) or abs(h - i) <= 0.25
    assert places(svg) == sorted(places(svg))
    assert all(0 <= x <= 100 for x in places(svg))


def test_an_interval_stands_around_its_value():
    svg = trend_chart([point(0.5, 0.25, 0.75)], "x")
    top, bottom = map(
        float, re.search(r'class="whisker".*?y1="([\d.]+)" y2="([\d.]+)"', svg).groups()
    )
    (height,) = heights(svg)
    assert abs((top + bottom) / 2 - height) < 0.2
    assert top < height < bottom
    assert "whisker" not in trend_chart([point(0.5)], "x")


def test_lines_join_the_points_of_one_series_only():
    points = [point(0.1, day=0), point(0.2, day=1), point(0.3, day=2, series=1)]
    assert trend_chart(points, "x").count('class="thread"') == 1


def test_runs_of_one_moment_stand_in_the_middle():
    svg = trend_chart([point(0.1), point(0.2)], "x")
    assert len(set(places(svg))) == 1


def test_hostile_labels_are_text():
    hostile = trend_chart([point(0.5, label=f'{HOSTILE}"')], HOSTILE)
    assert "<img" not in hostile
    assert hostile.count("&lt;img") == 3
