"""A summary is evaluated like the rows that it stands for: exactly, or within certified bounds."""

from math import isclose

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import veridical as vd
from tests.portable.rows import WHOLE_WEIGHTS, columns, example
from tests.silence import silence
from veridical.errors import MismatchError, ParameterError, ScoreError

COSTS = vd.Costs(fn=850, fp=25, review=5)
DECISIONS = ["recall", "precision", "f1", "fpr", "npv", "mcc", "accuracy", "balanced_accuracy"]
RANKED = [
    "roc_auc", "average_precision", "ks", "gini", "partial_auc@fpr=0.3", "recall@fpr=0.1",
    "recall@precision=0.5", "precision@recall=0.5", "precision_top@3", "recall_top@3", "lift_top@3",
    "cost.best_threshold", "cost.saving", "cost.total",
]  # fmt: skip
SUMMED = [
    "brier", "brier_skill", "ece", "mce", "log_loss", "brier_reliability", "brier_resolution",
    "brier_uncertainty", "brier_within_variance", "brier_within_covariance",
]  # fmt: skip
EVERY_SCORE = ["calibration.slope", "calibration.intercept", "ece_equal_mass"]


def both(data, metrics, summary, **options):
    """Evaluate rows and a summary of them with the same settings."""
    held = {name: options.pop(name) for name in ("groups", "weight") if name in options}
    rows = vd.evaluate(data, metrics, label="y", score="p", **held, **options)
    return rows, vd.evaluate(summary, metrics, **options)


def identical(one, two):
    """Whether two results say the same, but for the condition that names the summary."""
    observed = [
        {k: v for k, v in result.conditions.observed.items() if k != "summary"}
        for result in (one, two)
    ]
    return (
        (one.metric, one.subject, one.group, one.n, one.n_rows, one.counts)
        == (two.metric, two.subject, two.group, two.n, two.n_rows, two.counts)
        and (one.ok, one.value, one.interval, one.bounds, one.notes)
        == (two.ok, two.value, two.interval, two.bounds, two.notes)
        and (one.ok or one.reason == two.reason)
        and one.conditions.settings == two.conditions.settings
        and observed[0] == observed[1]
    )


@settings(max_examples=settings.default.max_examples // 4)
@given(st.data())
def test_with_every_score_all_digits_are_those_of_the_rows(data):
    weighted = data.draw(st.booleans())
    rows = data.draw(columns(forecasts=True, weights=WHOLE_WEIGHTS if weighted else None, least=1))
    options = {"groups": ["region"], **({"weight": "w"} if weighted else {})}
    summary = vd.summarise(rows, label="y", score="p", exact=True, **options)
    metrics = [*RANKED, *DECISIONS, *SUMMED, *EVERY_SCORE]
    with silence():
        one, two = both(
            rows, metrics, summary, threshold=0.3, costs=COSTS, replicates=20, **options
        )
    for mine, theirs in zip(one.results, two.results, strict=True):
        assert identical(mine, theirs), (mine, theirs)


@pytest.mark.parametrize("score", ["p_logistic", ["p_boosting", "p_logistic"]])
def test_real_decisions_with_every_score(root, score):
    file = root / "examples" / "credit" / "hmda_scores.csv"
    named = {"label": "denied", "score": score}
    summary = vd.summarise(file, **named, groups=["black", "single"][:1], exact=True)
    at = {"threshold": 0.2, "costs": COSTS, "replicates": 50}
    rows = vd.evaluate(file, **named, groups="black", **at)
    again = vd.evaluate(summary, **at)
    assert rows.subjects == again.subjects
    for mine, theirs in zip(rows.results, again.results, strict=True):
        assert identical(mine, theirs), (mine, theirs)


def test_the_published_figures_of_the_real_decisions(root):
    file = root / "examples" / "credit" / "hmda_scores.csv"
    summary = vd.summarise(file, label="denied", score=["p_logistic", "p_boosting"])
    ev = vd.evaluate(summary, intervals=False)
    published = {
        ("p_logistic", "roc_auc"): 0.8218799983251684,
        ("p_boosting", "roc_auc"): 0.7997429133693421,
        ("p_logistic", "average_precision"): 0.5383894104695945,
        ("p_boosting", "average_precision"): 0.5088432744697192,
    }
    for key, value in published.items():
        assert value in ev[key].bounds
        assert ev[key].bounds.width < 2e-4
    # Calibration is summed exactly, whatever the bins of the histogram.
    assert isclose(ev["p_logistic", "brier"].value, 0.07668265405842101, abs_tol=1e-12)
    assert isclose(ev["p_boosting", "brier"].value, 0.07886214217839202, abs_tol=1e-12)
    assert ev["p_logistic", "brier"].bounds is None


@settings(max_examples=settings.default.max_examples // 2)
@given(st.data())
def test_binned_values_are_exact_or_have_bounds_that_hold(data):
    grid = data.draw(st.sampled_from(["line/5", "line/20", "probability/4"]))
    forecasts = True if grid.startswith("probability") else None
    weighted = data.draw(st.booleans())
    rows = data.draw(columns(forecasts=forecasts, weights=WHOLE_WEIGHTS if weighted else None))
    options = {"groups": ["region"], **({"weight": "w"} if weighted else {})}
    summary = vd.summarise(rows, label="y", score="p", grid=grid, **options)
    at = {"threshold": 0.3, "costs": COSTS, "intervals": False}
    one, two = both(rows, [*RANKED, *DECISIONS], summary, **options, **at)
    for exact, binned in zip(one.results, two.results, strict=True):
        assert (exact.metric, exact.group) == (binned.metric, binned.group)
        if not (exact.ok and binned.ok):
            # Which rows are flagged may decide whether a ratio is 0/0: the bins may not know it.
            assert not exact.ok or binned.metric.startswith("binary.")
        elif binned.bounds is None:
            assert isclose(exact.value, binned.value, rel_tol=1e-12, abs_tol=1e-12), exact
        else:
            assert exact.value in binned.bounds, (exact, binned)
            assert binned.value in binned.bounds


@settings(max_examples=settings.default.max_examples // 2)
@given(columns(forecasts=True, least=1))
def test_calibration_is_exact_in_any_bins(rows):
    summary = vd.summarise(rows, label="y", score="p", grid="line/4", groups="region", bins=7)
    one, two = both(rows, SUMMED, summary, bins=7, groups="region", intervals=False)
    for mine, theirs in zip(one.results, two.results, strict=True):
        assert identical(mine, theirs), (mine, theirs)


@given(columns(forecasts=True, least=2))
def test_intervals_of_mean_losses_are_exact(rows):
    summary = vd.summarise(rows, label="y", score="p", grid="line/4")
    one, two = both(rows, ["brier", "brier_skill", "log_loss"], summary)
    for mine, theirs in zip(one.results, two.results, strict=True):
        assert identical(mine, theirs), (mine, theirs)


@given(columns(least=1), st.sampled_from([-7.5, 0.0, 0.3, 0.5, 12.0]))
def test_decisions_at_a_named_threshold_are_exact(rows, threshold):
    options = {"grid": "line/4", "thresholds": [0.1, threshold]}
    summary = vd.summarise(rows, label="y", score="p", **options)
    one, two = both(rows, DECISIONS, summary, threshold=threshold, replicates=20)
    for mine, theirs in zip(one.results, two.results, strict=True):
        assert identical(mine, theirs), (mine, theirs)


def test_the_only_named_threshold_is_the_one_in_use():
    data = example(1, 200)
    one = vd.summarise(data, label="y", score="p", thresholds=[0.4])
    assert vd.evaluate(one, ["recall"])["recall"].ok
    two = vd.summarise(data, label="y", score="p", thresholds=[0.4, 0.5])
    assert vd.evaluate(two, ["recall"])["recall"].reason == vd.SkipReason.NO_THRESHOLD
    assert vd.evaluate(two, ["recall"], threshold=0.5)["recall"].bounds is None


@pytest.mark.parametrize("metric", EVERY_SCORE)
def test_what_needs_every_score_is_skipped_and_says_what_to_do(metric):
    summary = vd.summarise(example(1, 200), label="y", score="p")
    result = vd.evaluate(summary, [metric])[metric]
    assert result.reason == vd.SkipReason.UNSUPPORTED_BY_ENGINE
    assert "exact=True" in result.detail


def test_a_clipped_loss_lies_between_what_its_bins_allow():
    data = example(1, 200)
    name = "log_loss,clip=0.01"
    truth = vd.evaluate(data, [name], label="y", score="p")[name]
    told = vd.evaluate(vd.summarise(data, label="y", score="p"), [name])[name]
    assert told.bounds.low <= truth.value <= told.bounds.high < told.bounds.low + 1e-3


def test_other_bins_are_skipped_and_the_bins_of_the_summary_are_the_default():
    summary = vd.summarise(example(1, 200), label="y", score="p", bins=7)
    assert vd.evaluate(summary)["ece"].metric == "calibration.ece@7"
    other = vd.evaluate(summary, ["ece@10"], bins=10)["ece@10"]
    assert other.reason == vd.SkipReason.UNSUPPORTED_BY_ENGINE


def test_the_conditions_name_how_scores_are_held():
    data = example(1, 200)
    for options, kind in (
        ({}, "histogram probability/14"),
        ({"grid": "line/12"}, "histogram line/12"),
        ({"exact": True}, "score table"),
    ):
        ev = vd.evaluate(vd.summarise(data, label="y", score="p", **options))
        ranked = [result for result in ev.results if result.metric.startswith("binary")]
        assert {result.conditions.observed["summary"] for result in ranked} == {kind}
        assert "summary" not in ev["brier"].conditions  # a sum of forecasts
        assert ev.source["summary"] == kind


def test_rows_left_out_are_counted_by_column():
    data = {"y": [1, 0, None, 1, 0], "p": [0.9, None, None, 0.3, 0.2]}
    summary = vd.summarise(data, label="y", score="p", missing="drop")
    ev = vd.evaluate(summary)
    assert ev["roc_auc"].counts == {"n_skipped": 2}
    assert ev.source["missing"] == {"p": 2, "y": 1}
    assert (ev.source["n_read"], ev.source["n_rows"]) == (5, 3)


@pytest.mark.parametrize("options", [{}, {"exact": True}, {"grid": "line/30"}])
def test_forecasts_a_rounding_outside_are_clamped_and_counted(options):
    data = {"y": [1, 0, 1, 0], "p": [1 + 1e-12, 1.0, 0.5, -1e-12]}
    ev = vd.evaluate(vd.summarise(data, label="y", score="p", **options))
    rows = vd.evaluate(data, label="y", score="p")
    assert ev["brier"].value == rows["brier"].value
    assert ev["brier"].conditions["n_clamped"] == rows["brier"].conditions["n_clamped"] == 2
    assert "clamped" in ev["brier"].notes


def test_a_score_outside_its_grid_is_an_error_that_says_where():
    data = {"y": [1, 0], "p": [0.5, 1.5]}
    with pytest.raises(ScoreError, match=r"1\.5.*row 1"):
        vd.summarise(data, label="y", score="p", grid="probability/14")


def test_calibration_of_scores_that_are_no_forecasts_is_an_error():
    summary = vd.summarise({"y": [1, 0], "p": [0.5, 1.5]}, label="y", score="p")
    with pytest.raises(ScoreError, match="outside"):
        vd.evaluate(summary, ["brier"])


def test_some_columns_and_groups_may_be_chosen():
    data = {**example(3, 300), "q": np.linspace(0, 1, 300)}
    summary = vd.summarise(data, label="y", score=["q", "p"], groups="region")
    assert vd.evaluate(summary, ["roc_auc"]).subjects == ("p", "q")
    ev = vd.evaluate(summary, ["roc_auc"], score="q", label="y")
    assert ev.subjects == ("q",)
    assert ev.groups == ["region=north", "region=south"]


@pytest.mark.parametrize(
    ("asked", "named"),
    [
        ({"label": "z"}, "label='y'"),
        ({"score": "z"}, "no score column 'z'"),
        ({"groups": ["z"]}, "no grouping column 'z'"),
        ({"positive": 1}, "positive=None"),
        ({"weight": "w"}, "weight=None"),
        ({"cluster": "c"}, "no clusters"),
        ({"costs": vd.Costs(fn="amount", fp=1)}, "no prices in columns"),
    ],
)
def test_what_a_summary_does_not_hold_cannot_be_asked_of_it(asked, named):
    summary = vd.summarise(example(1, 50), label="y", score="p")
    with pytest.raises(ParameterError, match=named):
        vd.evaluate(summary, **asked)


def test_rows_still_need_their_columns_named():
    for named in ({"label": "y"}, {"score": "p"}):
        with pytest.raises(ParameterError, match="is missing"):
            vd.evaluate(example(1, 50), **named)


@pytest.mark.parametrize("weight", [0.5, 0.3])
@pytest.mark.parametrize("options", [{}, {"exact": True}, {"grid": "line/5"}])
def test_fractional_weights_have_values_but_no_intervals(weight, options):
    data = {**example(4, 400), "w": np.full(400, weight)}
    summary = vd.summarise(data, label="y", score="p", weight="w", **options)
    summary = vd.Summary.from_dict(summary.to_dict())
    ev = vd.evaluate(summary)
    rows = vd.evaluate(data, label="y", score="p", weight="w", intervals=False)
    assert all(result.interval is None for result in ev.results)
    assert all("no_interval_without_rows" in result.notes for result in ev.results)
    for exact, held in zip(rows.results, ev.results, strict=True):
        if held.bounds is None:
            assert isclose(exact.value, held.value, rel_tol=1e-12, abs_tol=1e-12)
        else:
            assert exact.value in held.bounds


def test_two_halves_in_a_bin_are_not_taken_for_one_row():
    # Two positives of weight 1/2 and a negative between them: their sum is whole, they are not.
    data = {"y": [1, 0, 1], "p": [0.501, 0.502, 0.503], "w": [0.5, 1.0, 0.5]}
    summary = vd.summarise(data, label="y", score="p", weight="w", grid="line/10")
    held = vd.evaluate(summary)["average_precision"]
    exact = vd.evaluate(data, label="y", score="p", weight="w")["average_precision"]
    assert exact.value in held.bounds


@pytest.mark.parametrize("policy", ["bank", "metric-standard"])
def test_a_policy_says_of_a_summary_what_it_says_of_the_rows(policy):
    data = example(5, 2_000)
    summary = vd.summarise(data, label="y", score="p")
    held = vd.evaluate(summary, policy=policy).policy
    rows = vd.evaluate(data, label="y", score="p", policy=policy).policy
    assert [(row.rule, row.verdict) for row in held.rows] == [
        (row.rule, row.verdict) for row in rows.rows
    ]


def test_summaries_of_other_rows_are_compared_only_when_that_is_allowed():
    summaries = [vd.summarise(example(seed, 800), label="y", score="p") for seed in (1, 2)]
    a, b = map(vd.evaluate, summaries)
    with pytest.raises(MismatchError, match="rows"):
        vd.compare(a, b, "roc_auc")
    comparison = vd.compare(a, b, "roc_auc", allow=["rows"])
    assert comparison.difference.value == a["roc_auc"].value - b["roc_auc"].value
    assert comparison.difference.interval is not None


def test_two_columns_of_a_summary_cannot_be_paired():
    data = {**example(3, 300), "q": np.linspace(0, 1, 300)}
    (one, *_) = vd.evaluate(vd.summarise(data, label="y", score=["q", "p"])).comparisons
    assert one.difference.reason == vd.SkipReason.UNSUPPORTED_BY_ENGINE
