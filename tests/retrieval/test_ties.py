"""``ties=average`` is the mean over every order of equal scores, tried one by one."""

from __future__ import annotations

from itertools import groupby, permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import veridical as vd
from veridical.errors import ParameterError
from veridical.metrics.retrieval_ties import EXPECTED

METRICS = [
    "recall@2", "recall@4,rel=2", "precision@3", "f1@3", "success@1", "success@3", "mrr", "mrr@2",
    "map", "map@3", "ndcg", "ndcg@3", "ndcg@2,gain=exp", "r_precision", "bpref", "bpref,rel=2",
    "judged@2", "rbp,p=0.5", "rbp,k=3", "err", "err,max=4,k=2",
]  # fmt: skip
DOCUMENTS = "abcdef"
SCORES = st.dictionaries(
    st.sampled_from(DOCUMENTS), st.sampled_from([1.0, 2.0]), min_size=1, max_size=5
)
GRADES = st.dictionaries(st.sampled_from(DOCUMENTS + "xyz"), st.integers(-1, 3), min_size=1)


def every_order(scores):
    """Yield the lists that the scores allow."""
    ranked = sorted(scores, key=lambda one: -scores[one])
    groups = [list(group) for _, group in groupby(ranked, key=scores.get)]
    for parts in product(*map(permutations, groups)):
        yield [document for part in parts for document in part]


def values(run, qrels, **options):
    ev = vd.evaluate_ranking(run, qrels, METRICS, intervals=False, **options)
    return [ev.query_values(metric).of("q") for metric in METRICS]


def value(metric, run, qrels, **options):
    ev = vd.evaluate_ranking(run, qrels, [metric], intervals=False, **options)
    return ev.query_values(metric).of("q")


@pytest.mark.filterwarnings("ignore:.*none of the:UserWarning")
@settings(max_examples=40, deadline=None)
@given(SCORES, GRADES)
def test_the_value_is_the_mean_over_all_orders(scores, grades):
    found = values({"q": scores}, {"q": grades}, ties="average")
    orders = [values({"q": order}, {"q": grades}, ties="input") for order in every_order(scores)]
    for metric, one, each in zip(METRICS, found, zip(*orders, strict=True), strict=True):
        expected = None if each[0] is None else pytest.approx(np.mean(each), abs=1e-12)
        assert one == expected, metric


def test_every_metric_is_tried():
    assert {metric.split("@")[0].split(",")[0] for metric in METRICS} == set(EXPECTED)


def test_mcsherry_and_najork_by_hand():
    """Three documents of one score, one relevant: each of the ranks 1, 2, 3 has the chance 1/3."""
    run, qrels = {"q": dict.fromkeys("abc", 1.0)}, {"q": {"b": 1}}
    worked = {
        "precision@1": 1 / 3,
        "mrr": (1 + 1 / 2 + 1 / 3) / 3,
        "map": (1 + 1 / 2 + 1 / 3) / 3,
        "ndcg": (1 + 1 / np.log2(3) + 1 / 2) / 3,
        "recall@2": 2 / 3,
        "success@2": 2 / 3,
    }
    for metric, expected in worked.items():
        assert value(metric, run, qrels, ties="average") == pytest.approx(expected, abs=1e-15)


def test_without_ties_nothing_changes():
    generator = np.random.default_rng(0)
    run = {"q": dict(zip("abcdefghij", generator.permutation(10).tolist(), strict=True))}
    qrels = {"q": dict(zip("adfxyh", [3, 0, 1, 2, 1, 2], strict=True))}
    for metric in METRICS:
        plain = value(metric, run, qrels)
        assert value(metric, run, qrels, ties="average") == pytest.approx(plain, abs=1e-13)


def test_the_order_of_ids_does_not_matter():
    """The relevant document is the last of its score by id, or the first: the value is one."""
    for relevant in ("a", "z"):
        run = {"q": {relevant: 1.0, "m": 1.0, "n": 1.0}}
        assert value("mrr", run, {"q": {relevant: 1}}, ties="average") == pytest.approx(11 / 18)


def test_a_long_list_of_one_score():
    run = {"q": {f"d{at}": 0.0 for at in range(100_000)}}
    qrels = {"q": {f"d{at}": 1 for at in range(0, 100_000, 1000)}}
    ev = vd.evaluate_ranking(run, qrels, ties="average", intervals=False)
    assert ev["precision@10"].value == pytest.approx(0.001)
    assert ev["recall@100"].value == pytest.approx(0.001)
    assert ev["mrr"].conditions["ties"] == "average"
    assert ev["mrr"].conditions["ties_with_relevant"] == 1


@pytest.mark.parametrize("metric", ["trec.map", "trec.P@5"])
def test_trec_eval_has_no_expectation(metric):
    with pytest.raises(ParameterError, match="no mean over the orders"):
        vd.evaluate_ranking({"q": {"a": 1.0}}, {"q": {"a": 1}}, [metric], ties="average")


def test_a_stored_run_keeps_its_values_and_is_not_computed_again_by_another_rule(tmp_path):
    run, qrels = {"q": {"a": 1.0, "b": 1.0}, "p": {"c": 1.0}}, {"q": {"a": 1}, "p": {"c": 1}}
    ev = vd.evaluate_ranking(run, qrels, ["mrr"], ties="average")
    stored = ev.save(store=f"{tmp_path}/runs.db")
    assert ev["mrr"].value == 0.875
    assert [one.value for one in stored.results] == [0.875]
    with pytest.raises(ParameterError, match="cannot be computed again"):
        stored.refinalised()
