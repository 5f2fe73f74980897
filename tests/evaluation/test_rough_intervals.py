"""Every interval over fewer than thirty units says so, whoever made it, but those made for few."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import veridical as vd
from veridical.measures import REQUIRED
from veridical.results import Interval
from veridical.stats.resolution import rough_notes

MADE_FOR_FEW = {"wilson", "newcombe", "koopman", "bonett-price"}
COSTS = vd.Costs(fn=10, fp=1)


def metrics(*families):
    """Every metric of the catalogue that has intervals and needs nothing more to be named."""
    return [
        str(entry.measure)
        for entry in vd.catalogue()
        if entry.definition.family in families
        and entry.definition.interval is not None
        and all(one.default is not REQUIRED for one in entry.definition.parameters)
        and "embedding" not in str(entry.measure)
    ]


OF_SCORES = [*metrics("binary", "calibration", "cost"), "binary.recall@fpr=0.1", "lift_top@10"]


def table(n):
    rng = np.random.default_rng(0)
    labels = np.arange(n) % 3 == 0
    return {
        "y": labels.astype(int),
        "p": np.clip(0.3 + 0.4 * labels + rng.normal(0, 0.2, n), 0.01, 0.99),
        "w": np.resize([0.5, 1.5], n),
        "c": np.arange(n),
    }


def evaluated(data, **given):
    named = {"label": "y", "score": "p", "threshold": 0.5, "costs": COSTS}
    return vd.evaluate(data, OF_SCORES, **named, **given)


def memory(n, _):
    return evaluated(table(n))


def repeated(n, _):
    """Whole-number weights are repeated rows."""
    halves = table(n - n // 2)
    weight = np.array([2] * (n // 2) + [1] * (n % 2))
    return evaluated({**halves, "w": weight}, weight="w")


def weighted(n, _):
    return evaluated(table(n), weight="w")


def clusters(n, _):
    return evaluated(table(n), cluster="c")


def batches(n, folder):
    pq.write_table(pa.table(table(n)), folder / "rows.parquet")
    return evaluated(str(folder / "rows.parquet"), engine="batches")


def scores_kept(n, _):
    summary = vd.summarise(table(n), label="y", score="p", exact=True)
    return vd.evaluate(summary, OF_SCORES, costs=COSTS, threshold=0.5)


def binned(n, _):
    summary = vd.summarise(table(n), label="y", score="p", thresholds=[0.5])
    return vd.evaluate(summary, OF_SCORES, costs=COSTS)


def again(n, folder):
    return evaluated(table(n)).save(store=folder / "runs.db").refinalised()


def texts(n, _):
    said = ["a b c d e"] * (n // 2) + ["a b c x y"] * (n - n // 2)
    return vd.evaluate_text(said, ["a b c d e"] * n, metrics("text"))


def raters(n, _):
    said = {"x": ["y", "n"], "z": ["y", "n", "n"]}
    data = {name: np.resize(words, n).tolist() for name, words in said.items()}
    return vd.evaluate_agreement(data, raters=["x", "z"], rate="y")


def many_raters(n, _):
    said = {"x": ["y", "n"], "z": ["y", "n", "n"], "v": ["y", "n", "n", "y"]}
    data = {name: np.resize(words, n).tolist() for name, words in said.items()}
    return vd.evaluate_agreement(data, raters=list(said))


def reference(n, _):
    rng = np.random.default_rng(1)
    return vd.evaluate_drift({"p": rng.random(n)}, {"p": rng.random(200) ** 1.3}, metrics("drift"))


def current(n, _):
    rng = np.random.default_rng(1)
    return vd.evaluate_drift({"p": rng.random(200)}, {"p": rng.random(n) ** 1.3}, metrics("drift"))


def groups(n, _):
    said = {"d": [0, 1, 1], "g": ["a", "b", "b", "a"], "y": [0, 1, 0, 1, 1]}
    data = {name: np.resize(words, n).tolist() for name, words in said.items()}
    return vd.evaluate_fairness(data, decision="d", groups="g", favourable=1, label="y")


def queries(n, _):
    run = {f"q{at}": {"d1": 1.0, "d2": float(at % 2)} for at in range(n)}
    golden = {f"q{at}": {"d1": 1} for at in range(n)}
    return vd.evaluate_ranking(run, golden, metrics("retrieval"))


ENGINES = [
    memory, repeated, weighted, clusters, batches, scores_kept, binned, again, texts, raters,
    many_raters, reference, current, groups, queries,
]  # fmt: skip


@pytest.mark.parametrize("engine", ENGINES, ids=lambda one: one.__name__)
def test_few_units_are_told_of_every_interval_and_enough_of_none(engine, tmp_path):
    note = "few_clusters" if engine is clusters else "few_units"
    for n in (29, 30):
        found = [one for one in engine(n, tmp_path).results if one.interval is not None]
        assert found
        for one in found:
            few = n < 30 and one.interval.method not in MADE_FOR_FEW
            told = [said for said in one.notes if said.startswith("few")]
            assert told == [note] * few, (one.metric, one.interval)


@pytest.mark.parametrize("method", ["bootstrap-percentile-clusters", "bootstrap-debiased"])
def test_ends_that_are_quantiles_need_replicates_beyond_them(method):
    interval = Interval(0.1, 0.9, 0.95, method)
    assert rough_notes(interval, None, 39) == ("few_replicates",)
    assert rough_notes(interval, None, 40) == ()
    assert rough_notes(interval, 29, 39) == ("few_replicates", "few_units")


def test_no_quantile_no_replicates_and_no_interval_no_note():
    for method in ("student", "bootstrap-normal"):
        assert rough_notes(Interval(0.1, 0.9, 0.95, method), 30, 5) == ()
    assert rough_notes(None, 2, 2) == ()
