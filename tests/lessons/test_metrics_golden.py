"""The worked numbers of the lesson on metrics: by hand, or from an independent computation."""

import math
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest

from veridical.errors import InputError, LabelError, ParameterError, ScoreError
from veridical.lessons.metrics import (
    GEN_CANDIDATES,
    GEN_REFERENCE,
    Confusion,
    auc_trapezoid,
    best_threshold_by_cost,
    bleu,
    cohens_kappa,
    confusion,
    dcg_at_k,
    flag_nothing_trap,
    fraud_example,
    judge_examples,
    mean_reciprocal_rank,
    ndcg_at_k,
    ngrams,
    pr_curve,
    precision_at_k,
    raw_agreement,
    recall_at_k,
    reciprocal_rank,
    roc_auc,
    roc_auc_rank,
    roc_curve,
    rouge_l,
    synthetic_scores,
    words,
)

exactly = pytest.approx
LABELS, SCORES = [1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1]
RANKED = ["d7", "d3", "d9", "d1", "d4"]
GRADES = {"d3": 3, "d4": 2, "d8": 1}


@pytest.fixture(scope="module")
def synthetic():
    return synthetic_scores()


# Confusion


def test_fraud_example():
    y_true, y_pred = fraud_example()
    assert (len(y_true), y_true.sum(), y_pred.sum()) == (100, 10, 8)
    counts = confusion(y_true, y_pred)
    assert counts == Confusion(tp=6, fp=2, fn=4, tn=88)
    assert (counts.n, counts.precision, counts.recall, counts.accuracy) == (100, 0.75, 0.6, 0.94)
    assert counts.f1 == exactly(2 / 3)
    assert counts.fpr == exactly(2 / 90)


def test_f1_stays_near_the_smaller():
    timid = Confusion(tp=1, fp=0, fn=9, tn=0)
    assert (timid.precision, timid.recall) == (1, 0.1)
    assert timid.f1 == exactly(2 / 11)


def test_a_confusion_is_frozen():
    counts = Confusion(1, 2, 3, 4)
    assert replace(counts, tp=5).tp == 5
    with pytest.raises(FrozenInstanceError):
        counts.tp = 5


def test_flag_nothing():
    trap = flag_nothing_trap()
    assert trap == Confusion(tp=0, fp=0, fn=100, tn=9_900)
    assert (trap.accuracy, trap.recall, trap.precision, trap.f1) == (0.99, 0, 0, 0)
    assert flag_nothing_trap(1_000, 0.0) == Confusion(0, 0, 0, 1_000)


def test_shares_of_nothing_are_0():
    nothing = confusion([], [])
    assert nothing == Confusion(0, 0, 0, 0)
    rates = (nothing.precision, nothing.recall, nothing.f1, nothing.accuracy, nothing.fpr)
    assert rates == (0, 0, 0, 0, 0)


# Thresholds


def test_four_scores():
    fpr, tpr, thresholds = roc_curve(LABELS, SCORES)
    assert fpr.tolist() == [0, 0, 0.5, 0.5, 1]
    assert tpr.tolist() == [0, 0.5, 0.5, 1, 1]
    assert thresholds.tolist() == [math.inf, 0.9, 0.6, 0.4, 0.1]
    assert roc_auc(LABELS, SCORES) == roc_auc_rank(LABELS, SCORES) == 0.75


def test_equal_scores_are_one_point_and_half_a_pair():
    fpr, tpr, thresholds = roc_curve([1, 0, 0], [0.5, 0.5, 0.5])
    assert (fpr.tolist(), tpr.tolist(), thresholds.tolist()) == ([0, 1], [0, 1], [math.inf, 0.5])
    assert roc_auc([1, 0, 0], [0.5] * 3) == roc_auc_rank([1, 0, 0], [0.5] * 3) == 0.5


def test_an_area_is_made_of_trapezoids():
    assert auc_trapezoid([0, 1, 3], [0, 2, 2]) == 1 + 4
    assert auc_trapezoid([1], [1]) == 0


def test_four_prices():
    def best(cost_fn, cost_fp):
        return best_threshold_by_cost(LABELS, SCORES, cost_fn, cost_fp)

    assert best(10, 1) == (0.4, 1, Confusion(tp=2, fp=1, fn=0, tn=1))
    assert best(1, 10) == (0.9, 1, Confusion(tp=1, fp=0, fn=1, tn=2))


def test_of_equal_costs_the_lowest_threshold_and_nothing_is_a_candidate():
    # Flagged or not, each error costs 1: 0.2, 0.8 and +inf cost the same.
    assert best_threshold_by_cost([1, 0], [0.2, 0.8], 1, 1)[:2] == (0.2, 1)
    assert best_threshold_by_cost([0, 0], [0.2, 0.8], 1, 1)[:2] == (math.inf, 0)


def test_synthetic_scores(synthetic):
    y, s = synthetic
    draws = np.random.default_rng(0)
    assert s[:50].tolist() == draws.normal(1.5, 1, 50).tolist()
    assert s[50:].tolist() == draws.normal(0, 1, 450).tolist()
    assert y.tolist() == [1] * 50 + [0] * 450
    assert synthetic_scores(3, 2, separation=0, seed=1)[0].tolist() == [1, 1, 1, 0, 0]


def test_both_areas_of_the_synthetic_scores(synthetic):
    assert roc_auc(*synthetic) == exactly(0.8894666666666666, abs=1e-12)
    assert roc_auc_rank(*synthetic) == exactly(0.8894666666666666, abs=1e-12)


def test_precision_and_recall_of_the_synthetic_scores(synthetic):
    precision, recall, thresholds = pr_curve(*synthetic)
    assert np.all(np.diff(thresholds) < 0)
    area = np.sum(np.diff(recall, prepend=0) * precision)
    assert area == exactly(0.5412426828550405, abs=1e-12)
    first = np.argmax(recall >= 0.8)
    assert (precision[first], recall[first]) == (0.3125, 0.8)
    assert thresholds[first] == exactly(0.8461713905816606, abs=1e-12)


@pytest.mark.parametrize(
    ("prices", "threshold", "cost", "counts"),
    [
        ((1, 1), 2.140422650443282, 40, Confusion(tp=15, fp=5, fn=35, tn=445)),
        ((10, 1), 0.7565007506461916, 162, Confusion(tp=44, fp=102, fn=6, tn=348)),
        ((1, 10), 3.301634869866125, 48, Confusion(tp=2, fp=0, fn=48, tn=450)),
    ],
)
def test_prices_of_the_synthetic_scores(synthetic, prices, threshold, cost, counts):
    found = best_threshold_by_cost(*synthetic, *prices)
    assert found == (exactly(threshold, abs=1e-12), cost, counts)


# Retrieval


def test_one_list():
    assert recall_at_k(RANKED, set(GRADES), 5) == exactly(2 / 3)
    assert precision_at_k(RANKED, set(GRADES), 5) == 0.4
    assert reciprocal_rank(RANKED, set(GRADES)) == 0.5
    assert dcg_at_k([0, 3, 0, 0, 2], 5) == exactly(2.6665, abs=5e-5)
    assert dcg_at_k([3, 2, 1], 5) == exactly(4.7619, abs=5e-5)
    assert ndcg_at_k(RANKED, GRADES, 5) == exactly(0.559969245456243, abs=1e-12)


def test_the_discount():
    weights = [dcg_at_k([0] * (rank - 1) + [1], rank) for rank in (1, 2, 10)]
    assert weights == exactly([1, 1 / math.log2(3), 1 / math.log2(11)])
    assert [round(weight, 2) for weight in weights] == [1, 0.63, 0.29]


def test_short_lists_and_empty_ones():
    assert precision_at_k(["a"], {"a"}, 5) == 0.2  # divided by k, not by what came
    assert recall_at_k([], {"a"}, 3) == recall_at_k(["a"], set(), 3) == 0
    assert reciprocal_rank(["a"], {"b"}) == mean_reciprocal_rank([]) == 0
    assert ndcg_at_k(["a"], {}, 3) == ndcg_at_k(["a"], {"a": -1}, 3) == 0


def test_the_mean_over_queries():
    runs = [(["a", "b"], {"b"}), (["a", "b"], {"a"}), (["a"], {"c"})]
    assert mean_reciprocal_rank(runs) == exactly((1 / 2 + 1 + 0) / 3)


# Texts


def test_the_three_answers():
    assert list(GEN_CANDIDATES) == ["correct paraphrase", "wrong but copies wording", "exact copy"]
    assert GEN_CANDIDATES["exact copy"] == GEN_REFERENCE
    overlap = [(bleu(c, GEN_REFERENCE), rouge_l(c, GEN_REFERENCE)) for c in GEN_CANDIDATES.values()]
    assert overlap == [
        exactly((0.15851165692617156, 0.2608695652173913), abs=1e-12),
        exactly((0.733365826056299, 0.9090909090909091), abs=1e-12),
        (1, 1),
    ]


def test_monday_length_by_length():
    c, r = words(GEN_CANDIDATES["wrong but copies wording"]), words(GEN_REFERENCE)
    shared = [(ngrams(c, n) & ngrams(r, n)).total() for n in (1, 2, 3, 4)]
    # Add-one above and below from two words on: 9/11, 7/10, 5/9.
    assert shared == [10, 8, 6, 4]
    assert [ngrams(c, n).total() for n in (1, 2, 3, 4)] == [11, 10, 9, 8]


def test_words_are_clipped_and_brevity_is_punished():
    assert bleu("the the the the", "the cat is here", max_n=1) == 0.25
    assert bleu("a b", "a b c", max_n=2, smooth=False) == exactly(math.exp(1 - 3 / 2))
    assert bleu("a b c x", "a b c d", smooth=False) == 0  # no four words in common
    assert bleu("x", "a") == bleu("", "a") == 0
    assert bleu("a", "a", smooth=False) == 1


def test_rouge_l():
    assert rouge_l("a b c d", "a c d e") == 0.75
    assert rouge_l("", "a") == rouge_l("a", "") == rouge_l("", "") == 0


# Judges


def test_kappa():
    assert (raw_agreement("yynn", "ynnn"), cohens_kappa("yynn", "ynnn")) == (0.75, 0.5)
    lenient, able = judge_examples().values()
    assert (raw_agreement(*lenient), cohens_kappa(*lenient)) == (0.9, 0)
    assert raw_agreement(*able) == 0.95
    assert cohens_kappa(*able) == exactly(0.7727272727272725, abs=1e-12)


def test_kappa_where_both_have_one_label_is_1_as_textbooks_have_it():
    assert cohens_kappa(["pass"] * 3, ["pass"] * 3) == 1
    assert cohens_kappa([], []) == raw_agreement([], []) == 0


# What cannot be meant


@pytest.mark.parametrize(
    ("error", "call"),
    [
        (LabelError, lambda: confusion([1, 2], [1, 0])),
        (LabelError, lambda: confusion([[1], [0]], [1, 0])),
        (LabelError, lambda: roc_curve(["a"], [0.5])),
        (InputError, lambda: confusion([1, 0], [1])),
        (InputError, lambda: roc_auc_rank([1, 0], [1.0])),
        (ScoreError, lambda: roc_curve([1, 0], [1.0, math.nan])),
        (ScoreError, lambda: best_threshold_by_cost([1], [math.inf], 1, 1)),
        (ParameterError, lambda: flag_nothing_trap(fraud_rate=1.5)),
        (ParameterError, lambda: precision_at_k(["a"], {"a"}, 0)),
        (InputError, lambda: recall_at_k(["a", "a"], {"a"}, 2)),
        (ParameterError, lambda: bleu("a", "a", max_n=0)),
        (InputError, lambda: cohens_kappa("ab", "a")),
    ],
)
def test_what_cannot_be_meant_is_refused(error, call):
    with pytest.raises(error):
        call()
    assert issubclass(error, ValueError)
