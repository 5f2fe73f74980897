"""A trend as a page that asks the network for nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from veridical.comparison.page import facts_of_run, without_folder
from veridical.comparison.recorded import Recorded
from veridical.comparison.trend_table import axis_of, closing, heading, made
from veridical.comparison.trends import Point, Trend
from veridical.report.html import render_page
from veridical.report.payload import Shown
from veridical.report.result_rows import entry_of, result_row
from veridical.report.sections import number_text
from veridical.report.unit_page import Fact, level_text, made_with, presented

__all__ = ["trend_html"]


def trend_html(found: Trend, title: str | None = None) -> str:
    """Return the trend as HTML text; the same trend always gives the same text.

    Parameters
    ----------
    found
        What to show.
    title
        The page's heading; the metric, and whose, by default.
    """
    found = _without_folders(found)
    results = [point.result for point in found.points]
    shown = presented(results)
    axis = axis_of(found)
    ends = None if axis is None else [number_text(found.metric, end) for end in axis]
    level = max((i.level for result in results if (i := result.interval)), default=None)
    metric = {"title": entry_of(shown, found.metric)["title"], "name": found.metric}
    context = {
        "title": title or heading(found),
        "facts": [
            Fact("Metric", metric["title"], [found.metric]),
            *([Fact("Of", found.subject)] if found.subject is not None else []),
            *([Fact("Within", found.group)] if found.group is not None else []),
            Fact("Runs", f"{len(found.points):,}", [f"{len(found.left_out):,} left out"]),
            made_with(),
            *facts_of_run("Newest run", found.points[-1].run),
        ],
        "level": level_text(level),
        "ends": ends,
        "rows": [_row(shown, point, axis) for point in found.points],
        "said": [text for text, _ in closing(found) if not text.startswith("left out: ")],
        "left_out": [
            {
                "name": one.run.label,
                "made": made(one.run),
                "field": one.field,
                "value": one.value,
                "newest": one.newest,
            }
            for one in found.left_out
        ],
    }
    return render_page("trend.html", context)


def _without_folders(found: Trend) -> Trend:
    runs = [*(one.run for one in found.points), *(one.run for one in found.left_out)]

    def named(run: Recorded) -> Recorded:
        return without_folder(run, *(other for other in runs if other is not run))

    return replace(
        found,
        points=tuple(replace(one, run=named(one.run)) for one in found.points),
        left_out=tuple(replace(one, run=named(one.run)) for one in found.left_out),
    )


def _row(shown: Shown, point: Point, axis: tuple[float, float] | None) -> dict[str, Any]:
    run, row = point.run, result_row(shown, point.result.to_dict(), axis or (0.0, 0.0), {})
    return row | {
        "name": run.label,
        "id": "" if run.id in {None, run.label} else run.id,
        "made": made(run),
        "bar": row.get("bar") if axis else None,
    }
