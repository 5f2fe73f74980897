"""An interval beyond what its replicates can tell is noted, whatever was measured."""

from dataclasses import replace

import numpy as np
import pytest

import veridical as vd
from tests.gates.documents import house
from veridical.comparison.unpaired import unpaired
from veridical.gates import gate
from veridical.results import Interval, Measured
from veridical.stats.resolution import are_few

N = 60


def ranking(**settings):
    rng = np.random.default_rng(0)
    golden = {f"q{i:02}": {"a": 1} for i in range(N)}
    runs = {
        name: {q: dict(zip("abcd", rng.random(4).tolist(), strict=True)) for q in golden}
        for name in ("one", "two")
    }
    return vd.evaluate_ranking(runs, golden, "mrr", **settings)


def texts(metric):
    def measure(**settings):
        rng = np.random.default_rng(0)
        words = ["a", "b", "c", "d", "e"]
        said = {
            name: [" ".join(rng.choice(words, 6)) for _ in range(N)]
            for name in ("ref", "one", "two")
        }
        systems = {name: said[name] for name in ("one", "two")}
        return vd.evaluate_text(systems, said["ref"], metric, **settings)

    return measure


def raters(**settings):
    rng = np.random.default_rng(0)
    said = {name: rng.choice(["x", "y", "z"], N).tolist() for name in ("one", "two", "three")}
    return vd.evaluate_agreement(said, "fleiss_kappa", raters=list(said), **settings)


KINDS = {
    "ranking": ranking, "bleu": texts("bleu"), "rouge": texts("rouge_1"), "raters": raters,
}  # fmt: skip


def test_one_replicate_is_expected_beyond_each_end():
    assert [are_few(b, 0.95) for b in (39, 41)] == [True, False]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("level", "few"), [(0.95, False), (0.99, True)])
def test_results_and_differences_say_that_replicates_are_few(kind, level, few):
    ev = KINDS[kind](level=level, replicates=100)
    differences = [one.difference for one in ev.comparisons]
    for result in (*ev.results, *differences):
        if result.ok and result.interval is not None:
            assert ("few_replicates" in result.notes) is few
    assert any(result.ok and result.interval for result in ev.results)
    assert kind == "raters" or any(one.interval for one in differences)


def test_a_gate_decides_nothing_on_few_replicates():
    rule = house({"metric": "mrr", "at_least": 0.01})
    for replicates, verdict in ((1000, "pass"), (100, "undecided")):
        ev = ranking(level=0.99, replicates=replicates)
        assert gate(ev, rule, subject="one").verdict == verdict


@pytest.mark.parametrize(("level", "few"), [(0.95, False), (0.99, True)])
def test_the_difference_of_two_score_columns_says_so_too(level, few):
    rng = np.random.default_rng(0)
    data = {"y": rng.integers(0, 2, N), "one": rng.random(N), "two": rng.random(N)}
    ev = vd.evaluate(data, label="y", score=["one", "two"], level=level, replicates=100)
    difference = vd.compare(ev.subject("one"), ev.subject("two"), "ks").difference
    assert difference.interval.method == "bootstrap"
    assert ("few_replicates" in difference.notes) is few


@pytest.mark.parametrize("side", [0, 1])
def test_the_difference_of_two_independent_results_says_so_too(side):
    results = [Measured(0.5, 9, interval=Interval(0.4, 0.6, 0.95, "bootstrap-percentile"))] * 2
    assert unpaired(*results).notes == ("unpaired",)
    results[side] = replace(results[side], notes=("few_replicates",))
    assert unpaired(*results).notes == ("unpaired", "few_replicates")
