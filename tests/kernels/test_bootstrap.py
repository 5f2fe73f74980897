"""The bootstrap over slots against scikit-learn on the same resamples, and against rows."""

from itertools import chain

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, roc_auc_score

from tests.kernels.rows import any_rows, from_both, same_bits
from veridical import kernels
from veridical.errors import InputError, ParameterError
from veridical.summaries.score_table import ScoreTable

FPRS = [0.0, 0.01, 0.25, 1.0]


def slots_of(positive, scores):
    edges, positives = kernels.slot_edges(scores[positive])
    counts = kernels.slot_counts(edges, scores, positive)
    return positives, counts.tied, counts.between


def rows_of(positives, tied, between):
    """Any rows that have these slots: score 2i + 1 at edge i, even scores between the edges."""
    m = len(positives)
    scores = np.concatenate(
        [
            np.repeat(2.0 * np.arange(m) + 1, positives),
            np.repeat(2.0 * np.arange(m) + 1, tied),
            np.repeat(2.0 * np.arange(m + 1), between),
        ]
    )
    return np.arange(len(scores)) < positives.sum(), scores


def recall_at(positive, scores, fpr):
    """By definition: the highest recall over observed thresholds, and over flagging nothing."""
    thresholds = [*np.unique(scores), np.inf]
    return max(
        np.mean(scores[positive] >= t) for t in thresholds if np.mean(scores[~positive] >= t) <= fpr
    )


@given(any_rows(), st.booleans(), st.integers(0, 2**40))
def test_each_replicate_is_what_scikit_learn_says_of_its_rows(rows, stratified, seed):
    slots = slots_of(*rows)
    same = {"replicates": 6, "seed": seed, "stratified": stratified}
    found = kernels.slot_bootstrap(*slots, fprs=FPRS, **same)
    resamples = chain.from_iterable(
        zip(*chunk, strict=True) for chunk in kernels.slot_resamples(*slots, **same)
    )
    samples = [rows_of(*resample) for resample in resamples]
    samples = [(y, s) for y, s in samples if y.any() and not y.all()]
    assert found.degenerate == 6 - len(samples)
    expected = [roc_auc_score(y, s) for y, s in samples]
    np.testing.assert_allclose(found.roc_auc, expected, rtol=1e-12)
    expected = [average_precision_score(y, s) for y, s in samples]
    np.testing.assert_allclose(found.average_precision, expected, rtol=1e-12)
    expected = [[recall_at(y, s, fpr) for fpr in FPRS] for y, s in samples]
    assert found.recall.tolist() == expected


counts = st.one_of(st.integers(0, 3), st.integers(0, 10**9))


@given(st.lists(st.tuples(counts, counts, counts), max_size=12), counts, st.booleans())
def test_both_implementations_agree_to_the_bit(slots, above, stratified):
    positives, tied, below = np.array(slots, dtype=np.int64).reshape(-1, 3).T
    between = np.append(below, above)
    results = from_both(
        lambda: kernels.slot_bootstrap(
            positives, tied, between, replicates=70, fprs=FPRS, stratified=stratified
        )
    )
    for found in results[1:]:
        for one, other in zip(results[0][:3], found[:3], strict=True):
            same_bits(one, other)
        assert results[0].degenerate == found.degenerate


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(11)
    positive = rng.random(4_000) < 0.05
    return positive, np.round(rng.normal(positive * 1.5), 1)


def test_threads_and_repetition_change_nothing(rows):
    slots = slots_of(*rows)
    root = np.random.SeedSequence(5)
    runs = [
        kernels.slot_bootstrap(*slots, fprs=FPRS, replicates=200, seed=seed, threads=threads)
        for seed, threads in ((5, 1), (5, 2), (root, 1), (root, 3))
    ]
    for run in runs[1:]:
        for one, other in zip(runs[0][:3], run[:3], strict=True):
            same_bits(one, other)
    other_seed = kernels.slot_bootstrap(*slots, replicates=200, seed=6)
    assert (runs[0].roc_auc != other_seed.roc_auc).any()
    assert len(set(runs[0].average_precision.tolist())) > 190


def test_class_totals_are_fixed_only_where_stratified(rows):
    slots = slots_of(*rows)
    P, n = rows[0].sum(), len(rows[0])
    for at, tied, between in kernels.slot_resamples(*slots, stratified=True):
        assert set(at.sum(axis=1)) == {P}
        assert set(tied.sum(axis=1) + between.sum(axis=1)) == {n - P}
    drawn = []
    for at, tied, between in kernels.slot_resamples(*slots):
        assert set(at.sum(axis=1) + tied.sum(axis=1) + between.sum(axis=1)) == {n}
        drawn.extend(at.sum(axis=1).tolist())
    assert np.std(drawn) == pytest.approx(np.sqrt(P * (n - P) / n), rel=0.1)


def test_resampling_slots_is_resampling_rows(rows):
    """Mean and spread of 1,500 replicates each; the standard error of the spread is 2.6 percent."""
    positive, scores = rows
    rng = np.random.default_rng(3)
    by_rows = []
    for _ in range(1_500):
        index = rng.integers(0, len(scores), len(scores))
        walk = ScoreTable.from_rows(positive[index], scores[index]).walk
        P, N = walk.total_positives, walk.total_negatives
        auc = np.dot(walk.positives.whole, N - walk.fp + walk.tied.whole / 2) / (P * N)
        by_rows.append((auc, np.dot(walk.positives.whole, walk.tp / (walk.tp + walk.fp)) / P))
    found = kernels.slot_bootstrap(*slots_of(*rows), replicates=1_500)
    for ours, theirs in zip(found[:2], np.array(by_rows).T, strict=True):
        assert np.mean(ours) == pytest.approx(np.mean(theirs), abs=4 * np.std(theirs) / 1_500**0.5)
        assert np.std(ours) == pytest.approx(np.std(theirs), rel=0.1)


def test_one_class_gives_no_replicate():
    none = np.zeros(1, np.int64)
    for slots in (
        (np.array([3]), none, np.zeros(2, np.int64)),
        (none[:0], none[:0], np.array([7])),
        (none[:0], none[:0], none),
    ):
        found = kernels.slot_bootstrap(*slots, replicates=9, fprs=[0.1])
        assert [column.shape for column in found[:3]] == [(0,), (0,), (0, 1)]
        assert found.degenerate == 9


def test_rare_classes_are_sometimes_absent():
    one = np.array([1])
    found = kernels.slot_bootstrap(one, one * 0, np.array([1, 0]), replicates=4_000)
    assert found.degenerate / 4_000 == pytest.approx(0.5, abs=0.04)  # both rows the same
    assert set(found.roc_auc) == {1.0}


@pytest.mark.parametrize("wrong", [{"replicates": 0}, {"threads": 0}])
def test_parameters(wrong):
    slots = np.array([1]), np.array([0]), np.array([1, 0])
    with pytest.raises(ParameterError):
        kernels.slot_bootstrap(*slots, **wrong)


def test_shapes_must_be_those_of_slots():
    with pytest.raises(InputError, match="slots of shapes"):
        kernels.slot_bootstrap(np.array([1]), np.array([0]), np.array([1]))
