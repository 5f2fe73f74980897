"""The five figures of the lesson on metrics: what they draw."""

import importlib
import sys

import matplotlib as mpl
import numpy as np
import pytest

from veridical.errors import MissingExtraError
from veridical.lessons.figure_style import svg_bytes
from veridical.lessons.metrics import (
    figures,
)

KEYS = ["roc", "pr", "cost_vs_threshold", "ndcg_discount", "overlap_scores"]


@pytest.fixture(scope="module")
def drawn():
    return figures()


def axes_of(drawn, key):
    [axes] = drawn[key].axes
    return axes


def lines_of(axes):
    return [line.get_xydata() for line in axes.get_lines()]


def words_of(axes):
    return [text.get_text() for text in axes.texts]


def test_the_five_figures_are_there(drawn):
    assert list(drawn) == KEYS


def test_settings_from_outside_change_nothing(drawn):
    with mpl.rc_context({"font.size": 30, "axes.facecolor": "black", "svg.fonttype": "none"}):
        again = svg_bytes(figures()["pr"])
    assert again == svg_bytes(drawn["pr"])


def test_roc_has_a_shaded_area_and_the_diagonal(drawn):
    axes = axes_of(drawn, "roc")
    curve, diagonal = lines_of(axes)
    x, y = curve.T
    assert np.sum(np.diff(x) * (y[1:] + y[:-1]) / 2) == pytest.approx(0.8894666666666666, abs=1e-12)
    assert diagonal.tolist() == [[0, 0], [1, 1]]
    assert axes.get_lines()[1].get_linestyle() == "--"
    assert len(axes.collections) == 1
    assert "AUC 0.89" in words_of(axes)


def test_pr_has_the_dotted_base_rate(drawn):
    axes = axes_of(drawn, "pr")
    curve, base = lines_of(axes)
    assert set(base[:, 1]) == {0.1}
    assert axes.get_lines()[1].get_linestyle() == ":"
    recall, precision = curve.T
    assert np.sum(np.diff(recall) * precision[1:]) == pytest.approx(0.5412426828550405, abs=1e-12)
    assert "base rate 10%" in words_of(axes)


def test_costs_above_500_are_not_drawn_and_the_minima_are_marked(drawn):
    axes = axes_of(drawn, "cost_vs_threshold")
    lines = lines_of(axes)
    curves, marks = lines[::2], lines[1::2]
    minima = [(2.140422650443282, 40), (0.7565007506461916, 162), (3.301634869866125, 48)]
    assert len(curves) == 3
    for curve, [mark], (threshold, cost) in zip(curves, marks, minima, strict=True):
        assert mark.tolist() == pytest.approx([threshold, cost], abs=1e-9)
        assert len(curve) == 201  # 200 equally spaced, and the minimum itself
        equally = np.delete(curve[:, 0], np.flatnonzero(curve[:, 0] == mark[0]))
        assert np.diff(equally) == pytest.approx(np.ptp(equally) / 199)
        assert np.nanmax(curve[:, 1]) <= 500
        assert np.nanmin(curve[:, 1]) == cost
    assert np.isnan(curves[2][:, 1]).any()
    assert words_of(axes) == ["40", "162", "48"]


def test_the_discount_of_ten_ranks(drawn):
    axes = axes_of(drawn, "ndcg_discount")
    heights = [bar.get_height() for bar in axes.patches]
    assert heights == pytest.approx([1 / np.log2(rank + 1) for rank in range(1, 11)])
    assert words_of(axes)[1] == "0.63"
    assert words_of(axes)[9] == "0.29"


def test_the_overlap_of_three_answers(drawn):
    axes = axes_of(drawn, "overlap_scores")
    widths = [bar.get_width() for bar in axes.patches]
    bleu = [0.15851165692617156, 0.733365826056299, 1]
    rouge_l = [0.2608695652173913, 0.9090909090909091, 1]
    assert widths == pytest.approx(bleu + rouge_l, abs=1e-12)


def test_drawing_opens_no_window_and_leaves_no_state():
    pyplot = importlib.import_module("matplotlib.pyplot")
    before, windows = dict(mpl.rcParams), pyplot.get_fignums()
    figures()
    assert pyplot.get_fignums() == windows
    assert dict(mpl.rcParams) == before


def test_without_matplotlib_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtraError) as caught:
        figures()
    assert "pip install 'matplotlib>=3.8'" in str(caught.value)
