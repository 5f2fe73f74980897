"""Which axes the charts have, and that nothing which matters lies outside them."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.report.payloads import PRICES, score_table, subject
from veridical.report.chart_data import charts_of
from veridical.report.operating_points import operating_points
from veridical.report.svg import static_chart
from veridical.summaries import ScoreTable


def test_rare_events_have_logarithmic_axes_that_reach_one_false_positive():
    described = subject("p", score_table(n=5000, prevalence=0.002))
    charts = charts_of(described)
    assert charts["roc"]["x"]["log"]
    assert charts["cost"]["x"]["log"]
    assert 0 < charts["roc"]["x"]["domain"][0] <= 1 / described["negatives"]
    assert not charts["reliability"]["x"]["log"]


def test_common_events_have_linear_axes():
    charts = charts_of(subject("p", score_table()))
    assert not any(chart["x"]["log"] for chart in charts.values())


@given(st.integers(0, 10**6), st.sampled_from([0.005, 0.1, 0.6]))
def test_the_cheapest_threshold_and_flag_nothing_are_on_the_cost_chart(seed, prevalence):
    described = subject("p", score_table(seed=seed, n=200, prevalence=prevalence))
    chart = charts_of(described)["cost"]
    costs = [p["cost"] for p in described["points"]]
    assert chart["y"]["domain"][0] <= min(costs) <= chart["y"]["domain"][1]
    assert costs[0] <= chart["y"]["domain"][1]
    assert chart["x"]["domain"][0] < chart["x"]["domain"][1]


@example(scores=[-1.7e308, 1.7e308], positive=True)
@example(scores=[0.0, 5e-324], positive=True)
@example(scores=[0.0, 1e-320], positive=False)
@example(scores=[1e16, 1e16 + 2], positive=True)
@example(scores=[float("inf"), 3.0], positive=True)
@given(st.lists(st.floats(allow_nan=False), min_size=1, max_size=6), st.booleans())
def test_any_scores_give_axes_that_can_be_drawn(scores, positive):
    labels = np.arange(len(scores)) % 2 == positive
    with np.errstate(over="ignore"):
        table = ScoreTable.from_rows(labels, np.array(scores))
        described = {
            "name": "p",
            "is_probability": False,
            "positives": int(table.total_positives),
            "negatives": int(table.total_negatives),
            "prevalence": float(table.total_positives / table.total),
            "points": operating_points(table, costs=PRICES),
            "named_thresholds": [],
            "reliability": [],
        }
    charts = charts_of(described)
    assert charts["reliability"] is None
    for kind, chart in charts.items():
        if chart is not None:
            for axis in (chart["x"], chart["y"]):
                low, high = axis["domain"]
                assert np.isfinite([low, high]).all()
                assert low < high
            drawn = static_chart(kind, chart, [(0, described["points"])])
            assert "nan" not in drawn
            assert "inf" not in drawn


@pytest.mark.parametrize("kind", ["roc", "precision_recall", "cost", "reliability"])
def test_static_charts_are_small(kind):
    described = subject("p", score_table(n=20_000, levels=10**9))
    chart = charts_of(described)[kind]
    assert len(static_chart(kind, chart, [(0, described["points"])])) < 20_000
