"""A ranking in plain memory has the values, to the bit, of the same ranking in arrays."""

from __future__ import annotations

import math
import pickle
from array import array

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.kernels import query_sums
from veridical.kernels.plain import query_sums as plain
from veridical.metrics import find
from veridical.summaries import QueryValues, RankedQueries

compiled = pytest.importorskip("veridical.kernels.compiled.query_sums")

GRADES = st.one_of(
    st.integers(-1, 3).map(float),
    st.floats(-2, 5, allow_nan=False),
    st.sampled_from([-0.0, 0.1, 1e-300, 700.0]),
)
QUERIES = st.lists(st.tuples(st.lists(st.none() | GRADES, max_size=9), st.lists(GRADES)))
METRICS = [
    "recall@1", "recall@3,rel=2", "precision@2", "precision@10,rel=0.5", "judged@3", "judged@100",
    "mrr", "mrr@2", "mrr,rel=2", "map", "map@3", "map,rel=3", "ndcg", "ndcg@1", "ndcg@5",
    "ndcg@2000", "ndcg@5,gain=exp", "f1@3", "success@2", "bpref", "err", "rbp", "r_precision",
]  # fmt: skip
COLUMNS = ["included", "retrieved", "starts", "rank", "grades", "ideal_starts", "ideal"]


def ranking(queries, left_out=()):
    """Return a ranking whose golden set holds what was retrieved, and what was not."""
    found = RankedQueries.from_lists(
        [grades for grades, _ in queries],
        [[grade for grade in grades if grade is not None] + rest for grades, rest in queries],
    )
    return found.averaged_over(np.array([at not in left_out for at in range(len(queries))], bool))


def in_memory(ranked):
    """Return the same ranking, as the kernel for lines of text gives it."""
    columns = {name: array("q", getattr(ranked, name)) for name in COLUMNS[1:4]}
    columns |= {name: array("d", getattr(ranked, name)) for name in ("grades", "ideal")}
    columns |= {"ideal_starts": array("q", ranked.ideal_starts)}
    return RankedQueries(ranked.ids, included=bytearray(ranked.included), **columns)


def in_numpy(numerator, denominator):
    with np.errstate(all="ignore"):
        return np.where(denominator > 0, np.divide(numerator, denominator), 0.0)


def by_numpy(name, ranked):
    """Return the values of the commonest metrics by their formulas, spelt in numpy."""
    measure = find(name, ("retrieval",))
    k, rel = measure.arguments().get("k"), measure.arguments().get("rel", 1.0)
    k = math.inf if k is None else k
    top, good = ranked.rank <= k, ranked.relevant(rel)
    relevant = ranked.sums_ideal(ranked.ideal >= rel)
    hits = ranked.sums(good & top)
    if measure.name == "recall":
        return in_numpy(hits, relevant)
    if measure.name == "precision":
        return hits / k
    if measure.name == "judged":
        return in_numpy(ranked.sums(top), np.minimum(ranked.retrieved, k))
    if measure.name == "mrr":
        first = good & top & (ranked.running(good) == 1.0)
        return ranked.sums(first / ranked.rank)
    if measure.name == "map":
        return in_numpy(ranked.sums(good * top * ranked.running(good) / ranked.rank), relevant)
    gained = np.maximum(ranked.grades, 0.0) / np.log2(ranked.rank + 1.0)
    ideal = np.maximum(ranked.ideal, 0.0) / np.log2(ranked.ideal_rank + 1.0)
    return in_numpy(ranked.sums(gained * top), ranked.sums_ideal(ideal * (ranked.ideal_rank <= k)))


def values(name, ranked):
    measure = find(name, ("retrieval",))
    return measure.definition.statistic(ranked, **measure.arguments())


@given(QUERIES, st.sets(st.integers(0, 5)))
def test_memory_and_arrays_have_the_same_values(queries, left_out):
    ranked = ranking(queries, left_out)
    for name in METRICS:
        one, two = values(name, ranked), values(name, in_memory(ranked))
        assert one.ids == two.ids
        assert one.defined.tolist() == two.defined.tolist()
        assert one.values[one.defined].tobytes() == two.values[one.defined].tobytes()
        assert (one.n, one.total) == (two.n, two.total)


@given(QUERIES)
def test_the_formulas_in_numpy_give_the_same_digits(queries):
    ranked = ranking(queries)
    for name in METRICS[:14]:
        found = values(name, in_memory(ranked)).values
        assert found.tobytes() == (by_numpy(name, ranked) + 0.0).tobytes(), name


@given(QUERIES, st.sampled_from([0.0, 0.5, 1.0, 2.0]), st.sampled_from([1, 2, 5, None]))
def test_both_kernels_add_up_the_same(queries, rel, k):
    ranked = in_memory(ranking(queries))
    told = []
    for module in (plain, compiled):
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(query_sums, "implementation", lambda _, module=module: module)
            totals = in_memory(ranking(queries)).totals
            told.append([
                totals.relevant(rel), totals.hits(k, rel), totals.judged(k), totals.in_top(k or 9),
                totals.first_hit(k, rel), totals.precisions(k, rel),
                totals.discounted(ranked.totals.grades, k),
                totals.discounted_ideal(ranked.totals.ideal, k),
                query_sums.quotients(totals.hits(k, rel), totals.relevant(rel)),
                query_sums.quotients(1.0, totals.first_hit(k, rel)),
                query_sums.quotients(totals.hits(k, rel), 3),
                query_sums.positive(totals.hits(k, rel)),
                query_sums.starts_of(totals.retrieved),
            ])  # fmt: skip
    assert told[0] == told[1]


@pytest.mark.parametrize("folder", ["plain", "compiled"])
def test_numbers_by_hand(monkeypatch, folder):
    module = {"plain": plain, "compiled": compiled}[folder]
    monkeypatch.setattr(query_sums, "implementation", lambda _: module)
    assert list(query_sums.quotients(array("d", [1, 3, 2]), array("d", [4, 0, -1]))) == [0.25, 0, 0]
    assert list(query_sums.quotients(array("d", [1, 3]), 4)) == [0.25, 0.75]
    assert list(query_sums.quotients(1.0, array("d", [0, 8]))) == [0, 0.125]
    assert list(query_sums.quotients(1.0, array("d"))) == []
    assert list(query_sums.quotients(1.0, array("d", [2]))) == [0.5]
    assert list(query_sums.top_counts(array("q", [3, 100]), 10)) == [3.0, 10.0]
    assert list(query_sums.positive(array("d", [0.5, 0, -1]))) == [1, 0, 0]
    assert list(query_sums.starts_of(array("q", [2, 0, 3]))) == [0, 2, 2, 5]
    assert list(query_sums.starts_of(array("q"))) == [0]


def test_memory_becomes_arrays_of_the_right_types():
    ranked = ranking([([None, 3.0], [1.0]), ([], [])], left_out={1})
    made = in_memory(ranked)
    assert made.n_included == 1
    for name in COLUMNS:
        one, two = getattr(made, name), getattr(ranked, name)
        assert one.dtype == two.dtype, name
        assert one.tolist() == two.tolist(), name
    assert made.sha256 == ranked.sha256
    assert pickle.loads(pickle.dumps(in_memory(ranked))).sha256 == ranked.sha256  # noqa: S301


def test_values_may_be_memory():
    some = QueryValues(("a", "b", "c"), array("d", [0.25, 7.0, 0.5]), bytearray([1, 0, 1]))
    assert (some.n, some.total, some.of("b")) == (2, 0.75, None)
    assert some.values.dtype == np.float64
    assert some.defined.dtype == np.bool_
