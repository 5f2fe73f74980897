"""The report of fairness: rates of groups, differences, both outcomes, calibration, the texts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, cast

from veridical.regulation import CAUTION, load_regulations
from veridical.report.display import count_text, rate_text
from veridical.report.fairness import SCREEN, SHARES, share_text
from veridical.report.html import render_page
from veridical.report.page import metric_blocks, p_text, policy_section, skipped_rows
from veridical.report.payload import Policy
from veridical.report.sections import certified
from veridical.report.svg import interval_bar
from veridical.report.unit_page import (
    Fact,
    has_context,
    level_text,
    made_with,
    presented,
    series_of,
    unit_context,
)

if TYPE_CHECKING:
    from veridical.parity.fairness_evaluation import FairnessEvaluation, GroupRow
    from veridical.results import Interval
    from veridical.summaries.compared_groups import Share

__all__ = ["fairness_html"]

_RATIO = "fairness.disparate_impact_ratio"


def fairness_html(ev: FairnessEvaluation, heading: str | None = None) -> str:
    """Return the report as HTML text.

    Parameters
    ----------
    ev
        What to report.
    heading
        The page's heading; the decision by default.
    """
    level = ev.settings.shown_level
    title = heading or f"Does {ev.source['decision']} treat groups alike?"
    context = unit_context(ev, title, _facts(ev, level), level)
    rows = ev.rows()
    colours = series_of([row.name for row in rows])
    measured, of_scores = presented(ev.results), presented(ev.calibration)
    calibration = metric_blocks(of_scores, colours)
    policy = None if ev.policy is None else cast("Policy", ev.policy.to_dict())
    context |= {
        "metrics": metric_blocks(measured, colours),
        "shares": [SHARES[name] for name in SHARES if ev.labelled or name == "favourable"],
        "groups": [_group(row, colours[row.name]) for row in rows],
        "min_size": count_text(ev.min_size),
        "outcomes": list(_outcomes(ev)),
        "calibration": calibration,
        "calibration_has_context": has_context(calibration),
        "skipped": skipped_rows([*measured["results"], *of_scores["results"]]),
        "policy": policy_section(measured, policy, colours),
        "screen": SCREEN,
        "texts": list(_texts(ev)),
        "as_of": load_regulations().as_of,
        "caution": CAUTION,
    }
    return render_page("fairness.html", context)


def _facts(ev: FairnessEvaluation, level: float | None) -> list[Fact]:
    source, path = ev.source, ev.source.get("path")
    left_out = [f"{source['n_skipped']:,} left out"] if source["n_skipped"] else []
    weight = source.get("weight")
    weighted = [] if weight is None else [f"n, counts and rates in weights of {weight}"]
    label = [f"label {source['label']}: {source['favourable_label']}"] if ev.labelled else []
    by_size = source["references_by_size"]
    references = [
        f"{name}, the largest group" if name in by_size else str(name)
        for name in source["references"]
    ]
    return [
        Fact("Source", PurePath(str(path)).name if path else "data in memory", width="double"),
        Fact("Rows", f"{source['n_rows']:,}", [*left_out, *weighted]),
        Fact("Decision", str(source["decision"]), [f"favourable: {source['favourable']}", *label]),
        Fact("Held against", "; ".join(references), (), "double"),
        Fact("Intervals", level_text(level) if level else "none"),
        made_with(),
        Fact("Data sha256", str(source["sha256"]), width="wide"),
    ]


def _group(row: GroupRow, series: int) -> dict[str, Any]:
    favourable, ends = row.shares["favourable"], row.intervals.get("favourable")
    said = ["reference"] if row.is_reference else []
    said += ["small, not ranked"] if row.is_small else []
    return {
        "name": row.name,
        "series": series,
        "n": count_text(row.n),
        "said": said,
        "rates": [
            {
                "value": share_text(row, name) if share.n else None,
                "interval": _ends(row.intervals.get(name)),
                "of": _hits(share, row.highest[name]),
            }
            for name, share in row.shares.items()
        ],
        "bar": interval_bar(favourable.rate, ends.low, ends.high, (0.0, 1.0), series=series)
        if ends
        else "",
        "is_open": row.is_open,
        "of_highest": None if row.of_highest is None else rate_text(row.of_highest),
        "four_fifths": row.four_fifths,
    }


def _hits(low: Share, high: Share) -> str:
    if low.n == high.n:
        hits = dict.fromkeys((count_text(low.hits), count_text(high.hits)))
        return f"{' to '.join(hits)} of {count_text(low.n)}"
    return " to ".join(f"{count_text(end.hits)} of {count_text(end.n)}" for end in (low, high))


def _ends(interval: Interval | None) -> str:
    return f"{rate_text(interval.low)} to {rate_text(interval.high)}" if interval else ""


def _outcomes(ev: FairnessEvaluation) -> Iterator[dict[str, Any]]:
    """Yield the ratio of both outcomes, the difference in 10,000, the screen and the tests."""
    for result in ev.results:
        found = result.conditions
        if result.metric != _RATIO or "group_n" not in found:
            continue
        gap = None
        if "group_rate" in found and "reference_rate" in found:
            gap = 10_000 * (found["group_rate"] - found["reference_rate"])
        adjusted = [
            p_text(found.get(f"{test}_p_value_holm") if len(ev.subjects) > 1 else None)
            for test in ("fisher", "z")
        ]
        yield {
            "group": result.subject,
            "reference": found["reference"],
            "ratios": [
                certified(result) or _ratio(result.value),
                _ratio(found["ratio_of_unfavourable"]) if "ratio_of_unfavourable" in found else "",
            ],
            "gap": "open" if gap is None else f"{gap:+,.1f}",
            "screen": found["four_fifths"],
            "fisher": p_text(found.get("fisher_p_value")),
            "adjusted": adjusted,
            "z": p_text(found.get("z_p_value")),
        }


def _ratio(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.4g}"


def _texts(ev: FairnessEvaluation) -> Iterator[dict[str, Any]]:
    """Yield each text that the metrics are evidence for, with its status and its source."""
    table = load_regulations()
    seen = set()
    for metric in dict.fromkeys(result.metric for result in ev.results):
        for row, instrument in table.of(metric):
            if (row.theme, instrument.id) not in seen:
                seen.add((row.theme, instrument.id))
                yield {
                    "theme": row.theme,
                    "text": instrument,
                    "warning": table.warning(instrument),
                }
