"""The matplotlib figures draw the payload's points, and scikit-learn's curves."""

import sys

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from sklearn.metrics import average_precision_score, precision_recall_curve, roc_auc_score

from tests.report.payloads import rows, score_table, subject
from veridical.errors import MissingExtraError, ParameterError
from veridical.report import figures
from veridical.summaries import ScoreTable

mpl.use("Agg")
FIGURES = [figures.roc, figures.precision_recall, figures.cost, figures.reliability]


@pytest.fixture(autouse=True)
def closed_afterwards():
    yield
    plt.close("all")


@pytest.fixture
def subjects():
    return [subject("p_$1$", score_table(seed=5)), subject("_hidden", score_table(seed=6))]


@pytest.mark.parametrize("draw", FIGURES)
def test_each_draws_on_the_given_axes_or_makes_its_own(draw, subjects):
    _, ax = plt.subplots()
    assert draw(subjects, ax=ax) is ax
    assert draw(subjects) is not ax
    legend = [text.get_text() for text in ax.get_legend().get_texts()]
    assert any("p_" in name for name in legend)
    assert any("_hidden" in name for name in legend)
    ax.figure.canvas.draw()


def test_the_area_under_the_roc_curve_is_the_auc(subjects):
    x, y = figures.roc(subjects).lines[0].get_data()
    area = np.sum(np.diff(x) * (y[1:] + y[:-1]) / 2)
    assert area == pytest.approx(roc_auc_score(*rows(seed=5)), abs=1e-12)


def test_the_area_under_the_precision_recall_steps_is_the_average_precision(subjects):
    line = figures.precision_recall(subjects).lines[0]
    recall, precision = line.get_data()
    assert line.get_drawstyle() == "steps-pre"
    area = np.sum(np.diff(recall) * precision[1:])
    assert area == pytest.approx(average_precision_score(*rows(seed=5)), abs=1e-12)
    theirs = precision_recall_curve(*rows(seed=5))
    assert sorted(precision[1:]) == pytest.approx(sorted(theirs[0][:-1]), abs=1e-12)


def test_the_cost_curve_steps_where_the_counts_do(subjects):
    line = figures.cost(subjects).lines[0]
    assert line.get_drawstyle() == "steps-post"
    positive, scores = rows(seed=5)
    for threshold, amount in list(zip(*line.get_data(), strict=True))[::9]:
        flags = scores >= threshold
        missed, alarms = np.sum(~flags & positive), np.sum(flags & ~positive)
        assert amount == 850 * missed + 25 * alarms + 5 * np.sum(flags)


def test_the_reliability_bars_are_the_bins(subjects):
    ax = figures.reliability(subjects[:1])
    x, y = ax.containers[0].lines[0].get_data()
    bins = subjects[0]["reliability"]
    assert x.tolist() == [b["mean_forecast"] for b in bins]
    assert y.tolist() == [b["event_rate"]["value"] for b in bins]


def test_what_is_undefined_is_refused():
    empty = [subject("p", ScoreTable.empty(), costs=None)]
    for draw in FIGURES:
        with pytest.raises(ParameterError):
            draw(empty)


def test_without_matplotlib_the_error_names_the_extra(subjects, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'matplotlib>=3\.8'"):
        figures.roc(subjects)
