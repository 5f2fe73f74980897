"""What Spark is asked to do, and what it says when it cannot."""

import numpy as np
import pyarrow as pa
import pytest

import veridical as vd
from veridical.engines import spark as engine
from veridical.engines.partition import Counted, PartitionCounter, counted
from veridical.errors import InputError, MissingExtraError
from veridical.summaries import LossSums, ReliabilityTable, ScoreSlots


@pytest.fixture
def skewed(spark):
    """Rows of which few are positive, in partitions of very different sizes."""
    rng = np.random.default_rng(8)
    scores = rng.beta(0.3, 8, 30_000)
    labels = (rng.random(30_000) < 0.01).astype(np.int64)
    table = pa.table({"y": labels, "p": scores, "g": rng.choice(["a", "b"], 30_000)})
    frames = [spark.createDataFrame(part) for part in (table[:10], table[10:9_000], table[9_000:])]
    return table, frames[0].union(frames[1]).union(frames[2])


def test_only_counts_come_back_and_nothing_is_sorted(skewed, monkeypatch):
    table, frame = skewed
    plans, sizes = [], []
    collected = engine._collected

    def watched(query):
        answer = collected(query)
        plans.append(query.to_native()._jdf.queryExecution().executedPlan().toString())
        sizes.append(answer.num_rows)
        return answer

    monkeypatch.setattr(engine, "_collected", watched)
    found = vd.evaluate(frame, label="y", score="p", groups="g")
    expected = vd.evaluate(table, label="y", score="p", groups="g")
    assert [r.value for r in found.results] == [r.value for r in expected.results]
    assert [r.interval for r in found.results] == [r.interval for r in expected.results]
    assert ["MapInArrow" in plan for plan in plans] == [False, True]
    for plan in plans:
        assert "Sort" not in plan
        assert "Window" not in plan
    positives = int(np.sum(table["y"].to_numpy()))
    assert sizes[0] == positives  # all scores differ
    # Slots of the whole and of the groups, and a few hundred pieces of sums: no rows.
    assert sizes[1] < 2 * (2 * positives + 3) + 1_500 < 9_000


def test_models_are_compared_where_the_rows_are(skewed):
    table, frame = skewed
    table = table.append_column("q", pa.array(np.sqrt(table["p"].to_numpy())))
    frame = frame.selectExpr("*", "sqrt(p) as q")
    metrics = ["average_precision", "brier", "recall", "f1", "cost.saving"]
    settings = {"threshold": 0.1, "costs": vd.Costs(fn=30, fp=1), "groups": "g"}
    found, expected = (
        vd.evaluate(data, metrics, label="y", score=["p", "q"], **settings)
        for data in (frame, table)
    )
    assert [c.metric for c in found.comparisons] == [c.metric for c in expected.comparisons]
    for one, two in zip(found.comparisons, expected.comparisons, strict=True):
        if "fpr=" not in one.metric:
            assert (one.p_value, one.method) == (two.p_value, two.method)
            assert one.difference == two.difference
    inside = [
        vd.compare(*(ev.subject(name).group("g=a") for name in "pq"), "brier").difference
        for ev in (found, expected)
    ]
    assert inside[0] == inside[1]
    assert inside[0].interval is not None


def test_more_edges_than_fit_are_refused(skewed, monkeypatch):
    monkeypatch.setattr(engine, "MOST_EDGES", 20)
    with pytest.raises(InputError, match="more than 20 distinct scores"):
        vd.evaluate(skewed[1], label="y", score="p")


def test_workers_without_veridical_are_explained(skewed, monkeypatch):
    def fails(answers):
        raise RuntimeError("ModuleNotFoundError: No module named 'veridical'")

    monkeypatch.setattr(engine, "_added", fails)
    with pytest.raises(MissingExtraError, match="workers"):
        vd.evaluate(skewed[1], label="y", score="p")


def test_data_that_change_between_the_passes_are_noticed(spark):
    def drawn_anew(batches):
        rng = np.random.default_rng()  # no seed: every pass must see other rows
        for batch in batches:
            scores = rng.random(batch.num_rows)
            positive = scores < rng.uniform(
                0.2, 0.8
            )  # two passes hardly ever agree in their number
            yield pa.record_batch({"y": pa.array(positive.astype(np.int32)), "p": scores})

    frame = spark.range(2_000).mapInArrow(drawn_anew, "y int, p double")
    with pytest.raises(InputError, match="changed"):
        vd.evaluate(frame, label="y", score="p", intervals=False)


def parts(n=3_000):
    rng = np.random.default_rng(11)
    scores = rng.random(n)
    return rng.random(n) < 0.2, scores


def test_flat_counts_add_up_to_the_counts_of_all_rows():
    positive, scores = parts()
    losses = {("log", 0.0), ("squared_error", 0.0), ("log", 0.01)}
    slots = ScoreSlots.from_rows(positive, scores)
    empty = ScoreSlots.from_edges(slots.edges, slots.positives)
    whole = {("p", None): Counted.nothing(empty, {10, 15}, losses)}
    counter = PartitionCounter(whole, ("p",), (), frozenset({"p"}))
    answers = [
        pa.Table.from_batches(counter(pa.table({"y": y, "s0": s}).to_batches(100)))
        for y, s in zip(
            np.array_split(positive.astype(np.int64), 7), np.array_split(scores, 7), strict=True
        )
    ]
    together = pa.concat_tables(answers).group_by(["slice", "place"]).aggregate([("n", "sum")])
    found = counted(whole, together.rename_columns(["slice", "place", "n"]))["p", None]
    assert np.array_equal(found.slots.tied, slots.tied)
    assert np.array_equal(found.slots.between, slots.between)
    assert found.positives == int(positive.sum())
    for bins in (10, 15):
        expected = ReliabilityTable.from_rows(positive, scores, bins=bins)
        assert found.reliabilities[bins] == expected
    for loss, clip in losses:
        assert found.losses[loss, clip] == LossSums.from_rows(positive, scores, loss, clip)


def test_an_empty_partition_answers_nothing():
    slots = ScoreSlots.from_edges(np.array([0.5]), np.array([1]))
    whole = {("p", None): Counted.nothing(slots, {10}, ())}
    counter = PartitionCounter(whole, ("p",), (), frozenset({"p"}))
    assert list(counter([])) == []
