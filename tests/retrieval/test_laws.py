"""What must hold for every run, and equality with pytrec_eval and ranx on random ones."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import veridical as vd
from veridical.kernels import rank_dicts
from veridical.metrics import find
from veridical.ranking.columns import ordered
from veridical.ranking.ordering import ordered_by_kernel
from veridical.summaries import QueryValues
from veridical.tables.listings import listing_of

IDS = st.sampled_from(["a", "b", "c", "d", "é", "zz", "日本", "B", "10", "9"])
QUERY_IDS = st.sampled_from(["q1", "q2", "q3", "q4"])
RUNS = st.dictionaries(QUERY_IDS, st.dictionaries(IDS, st.sampled_from([0.0, -0.0, 0.5, 1, 2.5])))
GOLDEN = st.dictionaries(QUERY_IDS, st.dictionaries(IDS, st.sampled_from([-1, 0, 1, 2, 3])))
METRICS = [
    "recall@2", "precision@3", "f1@3", "success@2", "mrr", "map", "ndcg@3", "ndcg,gain=exp",
    "r_precision", "bpref", "judged@3", "rbp", "err",
]  # fmt: skip


def same(a, b):
    assert bytes(a.listed) == bytes(b.listed)
    assert (a.ties_with_relevant, a.unknown) == (b.ties_with_relevant, b.unknown)
    assert sorted(a.own_ids) == sorted(b.own_ids)
    for name in ("retrieved", "starts", "rank", "grades", "ideal_starts", "ideal"):
        assert getattr(a.ranked, name).tolist() == getattr(b.ranked, name).tolist(), name
    assert a.ranked.ids == b.ranked.ids


@given(RUNS, GOLDEN)
def test_dicts_and_columns_are_ranked_alike(run, qrels):
    quick = rank_dicts(run, qrels)
    if quick is None:
        assert not run or not qrels or all(not judged for judged in qrels.values())
        return
    unknown = [query for query in run if query not in qrels]
    same(
        ordered_by_kernel(*quick, unknown),
        ordered(listing_of(run, "run"), listing_of(qrels, "qrels")),
    )


@given(RUNS, GOLDEN, st.randoms(use_true_random=False))
def test_the_order_of_the_input_changes_nothing(run, qrels, random):
    def shuffled(mapping):
        keys = list(mapping)
        random.shuffle(keys)
        return {key: mapping[key] for key in keys}

    again = {query: shuffled(documents) for query, documents in shuffled(run).items()}
    one = ordered(listing_of(run, "run"), listing_of(qrels, "qrels"))
    two = ordered(listing_of(again, "run"), listing_of(qrels, "qrels"))
    assert one.ranked.rank.tolist() == two.ranked.rank.tolist()
    assert one.ranked.grades.tolist() == two.ranked.grades.tolist()


def test_the_order_of_the_golden_set_changes_no_interval():
    run, qrels = random_data(6)
    backwards = {query: dict(reversed(qrels[query].items())) for query in reversed(qrels)}
    one, two = (vd.evaluate_ranking(run, golden, ["map"]) for golden in (qrels, backwards))
    assert one["map"].interval == two["map"].interval
    assert one["map"].conditions == two["map"].conditions


@given(RUNS, GOLDEN)
def test_every_value_lies_in_its_bounds(run, qrels):
    found = ordered(listing_of(run, "run"), listing_of(qrels, "qrels")).ranked
    for name in METRICS:
        measure = find(f"retrieval.{name}")
        values = measure.definition.statistic(found, **measure.arguments())
        assert ((values.values >= 0) & (values.values <= 1 + 1e-12)).all(), name


VALUES = st.lists(st.tuples(st.booleans(), st.floats(0, 1)), max_size=6)


@given(VALUES, VALUES)
def test_query_values_are_a_monoid(one, two):
    def values(pairs, prefix):
        return QueryValues(
            tuple(f"{prefix}{at}" for at in range(len(pairs))),
            np.array([value for _, value in pairs]),
            np.array([known for known, _ in pairs], bool),
        )

    a, b = values(one, "a"), values(two, "b")
    empty = values([], "")
    assert (a + b).to_dict() == (b + a).to_dict()
    assert (a + empty).to_dict() == a.to_dict()
    assert QueryValues.from_dict((a + b).to_dict()).sha256 == (a + b).sha256
    assert (a + b).n == a.n + b.n


def random_data(seed, queries=30):
    generator = np.random.default_rng(seed)
    run, qrels = {}, {}
    for query in range(queries):
        ids = [f"d{one}" for one in generator.permutation(200)]
        scores = np.round(generator.normal(size=60), 1)
        run[f"q{query}"] = dict(zip(ids[:60], scores.tolist(), strict=True))
        judged = generator.choice(ids[:120], 40, replace=False).tolist()
        grades = generator.integers(0, 4, 40).tolist()
        qrels[f"q{query}"] = dict(zip(judged, grades, strict=True))
    return run, qrels


TREC = {
    "map": "map", "recip_rank": "mrr", "ndcg_cut_10": "ndcg@10", "ndcg": "ndcg", "P_5":
    "precision@5", "recall_30": "recall@30", "bpref": "bpref", "Rprec": "r_precision",
    "success_5": "success@5",
}  # fmt: skip


@pytest.mark.parametrize("seed", range(3))
def test_pytrec_eval(seed):
    pytrec_eval = pytest.importorskip("pytrec_eval", reason="pytrec_eval-terrier is not installed")
    run, qrels = random_data(seed)
    theirs = pytrec_eval.RelevanceEvaluator(qrels, pytrec_eval.supported_measures).evaluate(run)
    ours = vd.evaluate_ranking(run, qrels, list(TREC.values()), intervals=False)
    named = vd.evaluate_ranking(run, qrels, [f"trec.{name}" for name in TREC], intervals=False)
    for name, metric in TREC.items():
        for query in qrels:
            value = pytest.approx(theirs[query][name], abs=1e-9)
            assert ours.query_values(metric).of(query) == value, (name, query)
            assert named.query_values(f"trec.{name}").of(query) == value, (name, query)


MORE_TREC = ["infAP", "binG", "set_P", "set_recall", "set_map", "set_F", "map_cut_20", "num_ret",
             "num_rel", "num_rel_ret", "ndcg_rel", "Rndcg", "num_nonrel_judged_ret"]  # fmt: skip


def test_more_of_trec_evals_measures():
    pytrec_eval = pytest.importorskip("pytrec_eval", reason="pytrec_eval-terrier is not installed")
    run, qrels = random_data(9)
    theirs = pytrec_eval.RelevanceEvaluator(qrels, pytrec_eval.supported_measures).evaluate(run)
    known = [name for name in MORE_TREC if name in theirs["q0"]]
    assert len(known) > 8
    ours = vd.evaluate_ranking(run, qrels, [f"trec.{name}" for name in known], intervals=False)
    for name in known:
        for query in qrels:
            value = pytest.approx(theirs[query][name], abs=1e-9)
            assert ours.query_values(f"trec.{name}").of(query) == value, (name, query)


def test_err_and_rbp_by_their_definitions():
    run, qrels = random_data(4, queries=5)
    ev = vd.evaluate_ranking(run, qrels, ["err", "rbp,p=0.7"], intervals=False)
    for query, scores in run.items():
        order = sorted(scores, key=lambda d: (scores[d], d), reverse=True)
        stay, err, rbp = 1.0, 0.0, 0.0
        for rank, document in enumerate(order, 1):
            grade = qrels[query].get(document, 0)
            stop = (2**grade - 1) / 2**3
            err += stay * stop / rank
            stay *= 1 - stop
            rbp += 0.3 * 0.7 ** (rank - 1) * (grade >= 1)
        assert ev.query_values("err").of(query) == pytest.approx(err, abs=1e-12)
        assert ev.query_values("rbp,p=0.7").of(query) == pytest.approx(rbp, abs=1e-12)


def test_the_bootstrap_interval_has_the_width_of_students():
    run, qrels = random_data(5, queries=200)
    ev = vd.evaluate_ranking(run, qrels, ["map"], seed=3)
    values = ev.query_values("map").values
    expected = 2 * 1.96 * values.std(ddof=1) / len(values) ** 0.5
    assert ev["map"].interval.width == pytest.approx(expected, rel=0.1)
    assert vd.evaluate_ranking(run, qrels, ["map"], seed=3)["map"] == ev["map"]


def test_values_that_kernels_leave_to_the_careful_reader():
    for odd in (True, "1", None, float("nan"), np.float32(1.0)):
        assert rank_dicts({"q": {"a": odd}}, {"q": {"a": 1}}) is None
    assert rank_dicts({"q": {"a": 1}}, {"q": {"a": float("inf")}}) is None
    assert rank_dicts({"q": {"a": 1.0}}, {1: {"a": 1}}) is None
    assert rank_dicts({"q": {1: 1.0}}, {"q": {"a": 1}}) is None
