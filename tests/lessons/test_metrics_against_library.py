"""Every from-scratch function equals the library's fast one, wherever that one measures."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import veridical as vd
from veridical.lessons import metrics as lesson
from veridical.overlap.tokenisers import tokeniser

close = pytest.approx
# Few distinct scores, so that many are tied, beside others.  None is less than 1e-9 outside [0, 1],
# which the library takes for a rounding error.
scores = st.one_of(
    st.sampled_from([0.0, 0.25, 0.5, 1.0]),
    st.integers(-10_000, 10_000).map(lambda thousandths: thousandths / 1_000),
)
rows = st.lists(st.tuples(st.integers(0, 1), scores), min_size=1, max_size=25)
prices = st.integers(0, 20)
documents = st.sampled_from("abcdefgh")
rankings = st.lists(documents, unique=True, max_size=8)
grades = st.dictionaries(documents, st.integers(-1, 3), max_size=8)
cutoffs = st.integers(1, 10)
texts = st.text(alphabet="ab cd.!' Éß\"", max_size=30)


pytestmark = pytest.mark.filterwarnings("ignore:.*none of the .* retrieved documents is judged")


def library(metric, *arguments, **settings):
    return vd.measure(metric, *arguments, intervals=False, **settings)


def parted(pairs):
    return [first for first, _ in pairs], [second for _, second in pairs]


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=1))
def test_shares_of_decisions(pairs):
    y_true, y_pred = parted(pairs)
    counts = lesson.confusion(y_true, y_pred)
    for name in ("precision", "recall", "f1", "accuracy", "fpr"):
        fast = library(f"binary.{name}", y_true, y_pred, threshold=0.5)
        assert getattr(counts, name) == (close(fast.value, abs=1e-12) if fast.ok else 0), name


@given(rows)
def test_both_areas(pairs):
    y, s = parted(pairs)
    fast = library("binary.roc_auc", y, s)
    expected = close(fast.value, abs=1e-12) if fast.ok else 0
    assert lesson.roc_auc(y, s) == expected
    assert lesson.roc_auc_rank(y, s) == expected


@given(rows)
def test_average_precision_from_the_points(pairs):
    y, s = parted(pairs)
    precision, recall, _ = lesson.pr_curve(y, s)
    fast = library("binary.average_precision", y, s)
    area = np.sum(np.diff(recall, prepend=0) * precision)
    assert area == (close(fast.value, abs=1e-12) if fast.ok else 0)


@given(rows)
def test_every_point_of_both_curves(pairs):
    y, s = parted(pairs)
    fpr, tpr, thresholds = lesson.roc_curve(y, s)
    precision, recall, observed = lesson.pr_curve(y, s)
    assert (thresholds[0], fpr[0], tpr[0]) == (math.inf, 0, 0)
    assert thresholds[1:].tolist() == observed.tolist() == sorted(set(s), reverse=True)
    assert recall.tolist() == tpr[1:].tolist()
    for threshold, *point in zip(observed, precision, recall, fpr[1:], strict=True):
        for name, own in zip(("precision", "recall", "fpr"), point, strict=True):
            fast = library(f"binary.{name}", y, s, threshold=threshold)
            assert own == (close(fast.value, abs=1e-12) if fast.ok else 0), name


@given(rows, prices, prices)
def test_the_threshold_by_price(pairs, cost_fn, cost_fp):
    assume(cost_fn + cost_fp > 0)
    y, s = parted(pairs)
    threshold, cost, counts = lesson.best_threshold_by_cost(y, s, cost_fn, cost_fp)
    fast = library("cost.best_threshold", y, s, costs=vd.Costs(fn=cost_fn, fp=cost_fp))
    assert cost == cost_fn * counts.fn + cost_fp * counts.fp == close(fast.value, abs=1e-9)
    # Of equal costs the lesson takes the lowest threshold, the library the highest.
    found = math.inf if fast.conditions["flag_nothing"] else fast.conditions["threshold"]
    assert threshold <= found
    at = lesson.confusion(y, np.array(s) >= found)
    assert cost_fn * at.fn + cost_fp * at.fp == cost


@given(rankings, grades, cutoffs)
def test_one_list_of_results(ranked, graded, k):
    relevant = {document for document, grade in graded.items() if grade >= 1}
    own = {
        f"retrieval.recall@{k}": lesson.recall_at_k(ranked, relevant, k),
        f"retrieval.precision@{k}": lesson.precision_at_k(ranked, relevant, k),
        "retrieval.mrr": lesson.reciprocal_rank(ranked, relevant),
        f"retrieval.ndcg@{k}": lesson.ndcg_at_k(ranked, graded, k),
    }
    for name, value in own.items():
        fast = library(name, {"q": ranked}, {"q": graded})
        assert value == (close(fast.value, abs=1e-12) if fast.ok else 0), name


@given(st.lists(st.tuples(rankings, st.sets(documents, min_size=1)), min_size=1, max_size=5))
def test_the_mean_reciprocal_rank(runs):
    run = {f"q{at}": ranked for at, (ranked, _) in enumerate(runs)}
    golden = {f"q{at}": dict.fromkeys(relevant, 1) for at, (_, relevant) in enumerate(runs)}
    fast = library("retrieval.mrr", run, golden)
    assert lesson.mean_reciprocal_rank(runs) == close(fast.value, abs=1e-12)


@given(st.lists(st.integers(0, 5), max_size=8), cutoffs)
def test_dcg_is_what_ndcg_divides(gains, k):
    graded = {f"d{at}": gain for at, gain in enumerate(gains)}
    ideal = lesson.dcg_at_k(sorted(gains, reverse=True), k)
    fast = library(f"retrieval.ndcg@{k}", {"q": list(graded)}, {"q": graded})
    assert lesson.dcg_at_k(gains, k) == (close(fast.value * ideal, abs=1e-12) if fast.ok else 0)


@given(texts)
def test_words(text):
    assert lesson.words(text) == tokeniser("words")(text)


@given(texts, texts, st.integers(1, 5), st.booleans())
def test_bleu(candidate, reference, longest, smooth):
    name = f"text.bleu,order={longest}" + ("" if smooth else ",smoothing=none")
    fast = library(name, [candidate], [reference])
    own = lesson.bleu(candidate, reference, longest, smooth)
    assert own == close(fast.value, abs=1e-12)


@given(texts, texts)
def test_rouge_l(candidate, reference):
    fast = library("text.rouge_l,tokeniser=words", [candidate], [reference])
    assert lesson.rouge_l(candidate, reference) == close(fast.value, abs=1e-12)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1))
def test_agreement(pairs):
    a, b = parted(pairs)
    agreed = library("agreement.raw_agreement", a, b)
    assert lesson.raw_agreement(a, b) == close(agreed.value, abs=1e-12)
    kappa = library("agreement.cohens_kappa", a, b)
    if not kappa.ok:
        assert kappa.reason == "no_variation"
    assert lesson.cohens_kappa(a, b) == (close(kappa.value, abs=1e-9) if kappa.ok else 1)


@pytest.mark.parametrize("seed", range(3))
def test_synthetic_scores_of_any_size(seed):
    y, s = lesson.synthetic_scores(40, 60, separation=1, seed=seed)
    fast = library("binary.roc_auc", y, s)
    assert lesson.roc_auc(y, s) == close(fast.value, abs=1e-12)
    assert lesson.roc_auc_rank(y, s) == close(fast.value, abs=1e-12)
