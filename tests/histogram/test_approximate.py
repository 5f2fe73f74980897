"""What an approximate result says: its value, range, conditions, and why there is none."""

import numpy as np
import pytest

from tests.histogram.rankings import exact
from veridical.costs import Costs
from veridical.errors import MismatchError, ParameterError
from veridical.metrics import find
from veridical.metrics.approximate import approximate, offending_bins
from veridical.metrics.open_bins import OPEN_BINS
from veridical.results import Bounds, Measured, result_from_dict
from veridical.summaries import Ranking, ScoreHistogram, ScoreTable


@pytest.fixture(scope="module")
def fraud():
    """20,000 rows, 2% positive, forecasts that are mostly small."""
    random = np.random.default_rng(7)
    positive = random.random(20_000) < 0.02
    logit = random.normal(-5, 1.5, len(positive)) + 3.5 * positive
    return positive, 1 / (1 + np.exp(-logit))


@pytest.fixture(scope="module")
def histogram(fraud):
    return ScoreHistogram.from_rows(*fraud, grid="probability/8")


SETTINGS = {"costs": Costs(fn=100, fp=3, review=1), "threshold": 0.1}
NAMES = [
    "binary.roc_auc", "binary.gini", "binary.average_precision", "binary.ks", "binary.accuracy",
    "binary.partial_auc,fpr=0.1", "binary.recall@fpr=0.001",
    "binary.recall@fpr=0.01,mode=certified",
    "binary.recall@precision=0.4", "binary.precision@recall=0.8", "binary.precision_top@100",
    "binary.recall_top@777", "binary.lift_top@50", "binary.mcc", "binary.npv", "binary.precision",
    "binary.recall", "binary.f1", "cost.best_threshold", "cost.saving", "cost.total",
]  # fmt: skip


def test_every_metric_of_a_ranking_or_of_counts_has_bounds():
    from veridical.metrics import every_measure
    from veridical.summaries import ConfusionCounts

    forms = [form for measure in every_measure() for form in measure.forms.values()]
    ranked = {form.id for form in forms if form.summary in (Ranking, ConfusionCounts)}
    assert {i for i in ranked if i.split(".")[0] in {"binary", "cost"}} == set(OPEN_BINS)


@pytest.mark.parametrize("name", NAMES)
def test_narrow_and_true(name, fraud, histogram):
    truth = exact(name, ScoreTable.from_rows(*fraud), **SETTINGS)
    result = approximate(name, histogram, **SETTINGS)
    if result.bounds is None:
        assert result.value == pytest.approx(truth.value, rel=1e-12)
    else:
        assert truth.value in result.bounds
        # A saving is a difference of two costs, each of which is narrow.
        assert result.bounds.width < 0.1 * max(1.0, truth.value) or name == "cost.saving"


@pytest.mark.parametrize("name", NAMES)
def test_a_second_pass_over_few_rows_settles_it(name, fraud, histogram):
    positive, scores = fraud
    keys = offending_bins(name, histogram, **SETTINGS)
    again = np.isin(histogram.grid.keys(scores), keys)
    bins = histogram.refined(ScoreTable.from_rows(positive[again], scores[again]))
    settled = approximate(name, bins, **SETTINGS)
    truth = exact(name, ScoreTable.from_rows(*fraud), **SETTINGS)
    assert settled.bounds is None
    assert settled.value == pytest.approx(truth.value, rel=1e-12)
    if name.startswith(("binary.recall@", "binary.precision@", "binary.precision_top", "cost.")):
        assert again.mean() < 0.2


def test_several_metrics_share_one_second_pass(histogram):
    keys = offending_bins(NAMES, histogram, **SETTINGS)
    each = [offending_bins(name, histogram, **SETTINGS) for name in NAMES]
    assert keys.tolist() == sorted(set(np.concatenate(each).tolist()))


def test_a_second_pass_over_other_rows_is_refused(fraud, histogram):
    positive, scores = fraud
    keys = offending_bins("binary.roc_auc", histogram)
    again = np.flatnonzero(np.isin(histogram.grid.keys(scores), keys))
    one_less = ScoreTable.from_rows(positive[again[1:]], scores[again[1:]])
    with pytest.raises(MismatchError, match="second pass"):
        histogram.refined(one_less)
    with pytest.raises(MismatchError, match="second pass"):
        histogram.refined(ScoreTable.from_rows(~positive[again], scores[again]))
    with pytest.raises(MismatchError, match="second pass"):
        histogram.refined(ScoreTable.from_rows(positive[:1], np.array([0.999999])))


@pytest.mark.parametrize("name", NAMES)
def test_bounds_shrink_with_bits(name, fraud):
    ranges = [
        approximate(name, ScoreHistogram.from_rows(*fraud, grid=f"probability/{bits}"), **SETTINGS)
        for bits in (5, 10, 20)
    ]
    widths = [result.bounds.width if result.bounds else 0.0 for result in ranges]
    assert widths == sorted(widths, reverse=True)


def test_passport(histogram):
    result = approximate("recall@fpr=0.001", histogram)
    assert result.metric == "binary.recall@fpr=0.001"
    assert result.n_rows == 20_000
    assert result.n == int(histogram.total_positives)
    assert result.conditions.settings["fpr"] == 0.001
    cost = approximate("cost.best_threshold", histogram, **SETTINGS)
    assert cost.conditions["costs"] is not None
    assert result_from_dict(cost.to_dict()) == cost
    assert "within" in str(cost)


def test_the_value_is_what_its_threshold_attains(fraud, histogram):
    table = ScoreTable.from_rows(*fraud)
    result = approximate("recall@fpr=0.01", histogram)
    counts = table.at(result.conditions["threshold"])
    assert result.value == pytest.approx(counts.tp / counts.positives, rel=1e-12)
    assert result.conditions["attained_fpr"] == pytest.approx(counts.fp / counts.negatives)
    best = approximate("cost.best_threshold", histogram, **SETTINGS)
    at = {"costs": SETTINGS["costs"], "threshold": best.conditions["threshold"]}
    assert exact("cost.total", table, **at).value == pytest.approx(best.value)


def test_settings_that_are_missing(histogram):
    assert approximate("binary.precision", histogram).reason == "no_threshold"
    assert approximate("cost.best_threshold", histogram).reason == "no_costs"
    assert approximate("cost.total", histogram, costs=Costs(fn=1, fp=1)).reason == "no_threshold"


@pytest.mark.parametrize("name", ["calibration.ece", "calibration.brier", "calibration.slope"])
def test_calibration_is_not_guessed(name, histogram):
    result = approximate(name, histogram)
    assert result.reason == "unsupported_by_engine"
    assert len(offending_bins(name, histogram)) == 0


def test_one_class_and_no_rows():
    nobody = ScoreHistogram.empty()
    assert approximate("binary.roc_auc", nobody).reason == "no_rows"
    half = ScoreHistogram.from_rows(np.zeros(3, bool), np.array([0.1, 0.2, 0.3]))
    assert approximate("binary.roc_auc", half).reason == "no_positives"
    other = ScoreHistogram.from_rows(np.ones(3, bool), np.array([0.1, 0.2, 0.3]))
    assert approximate("binary.ks", other).reason == "no_negatives"
    assert approximate("binary.average_precision", other).value == 1


def test_a_price_column_that_was_not_summed(histogram):
    with pytest.raises(ParameterError, match="column"):
        approximate("cost.best_threshold", histogram, costs=Costs(fn="amount", fp=1))


def test_bounds_of_a_result():
    with pytest.raises(ParameterError):
        Bounds(0.5, 0.4)
    with pytest.raises(ParameterError):
        Bounds(0.0, float("inf"))
    with pytest.raises(ParameterError, match="outside"):
        Measured(0.7, bounds=Bounds(0.1, 0.2))
    assert "bounds" not in Measured(0.7).to_dict()
    assert Bounds(0.25, 0.75).width == 0.5


def test_measures_and_names_are_the_same(histogram):
    measure = find("binary.roc_auc")
    assert approximate(measure, histogram) == approximate("ROC-AUC", histogram)


def test_halves_that_add_up_to_whole_numbers_are_not_taken_for_rows():
    scores = np.array([0.54, 0.53, 0.52, 0.51])
    positive, weight = np.array([False, True, True, False]), np.array([0.5, 0.5, 0.5, 0.5])
    coarse = ScoreHistogram.from_rows(positive, scores, grid="probability/4", weight=weight)
    assert coarse.bins.positives.is_whole
    result = approximate("binary.average_precision", coarse)
    # One row of weight 1 after one negative of weight 1 would have average precision 1/2.
    distinct = ScoreTable.from_rows(
        np.array([False, False, True, True]), np.array([4.0, 3.0, 2.0, 1.0]), weight=weight
    )
    truth = exact("binary.average_precision", distinct).value
    assert truth < 0.5
    assert truth in result.bounds


def test_no_rows_need_no_price_columns():
    costs = Costs(fn="amount", fp=1)
    assert (
        approximate("cost.best_threshold", ScoreHistogram.empty(), costs=costs).reason == "no_rows"
    )


def test_bounds_without_width_are_settled_by_a_second_pass_too():
    positive, scores = np.array([1, 0, 1, 0, 0]) == 1, np.array([0.55, 0.551, 0.552, 0.1, 0.9])
    histogram = ScoreHistogram.from_rows(positive, scores, grid="probability/4")
    free = {"costs": Costs(fn=0, fp=0), "threshold": 0.5511}
    assert approximate("cost.total", histogram, **free).bounds is not None
    assert len(offending_bins("cost.total", histogram, **free)) == 1
