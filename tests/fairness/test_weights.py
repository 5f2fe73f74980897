"""Fairness of rows that count unequally, or that belong together."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import veridical as vd
from tests.fairness.test_fairness import DIR, DPD, EVERY
from veridical.parity import evaluate_fairness
from veridical.summaries import ConfusionCounts
from veridical.summaries.compared_groups import ComparedGroups
from veridical.summaries.spread import PAIRS, Spread

NAMED = {"decision": "d", "groups": "g", "favourable": 1, "label": "y", "reference": "b"}


def drawn(seed: int, n: int = 300):
    """Return seeded decisions, labels and groups."""
    rng = np.random.default_rng(seed)
    groups = rng.choice(["a", "b"], n)
    chance = np.where(groups == "a", 0.35, 0.55)
    return {"d": (rng.random(n) < chance) * 1, "y": (rng.random(n) < 0.6) * 1, "g": groups}


def values(ev):
    return {name: result.value for name, result in ev.items()}


def test_a_whole_weight_is_that_many_rows():
    data = drawn(1)
    times = np.random.default_rng(2).integers(0, 4, len(data["d"]))
    repeated = {name: np.repeat(column, times) for name, column in data.items()}
    weighted = evaluate_fairness({**data, "w": times}, **NAMED, weight="w")
    rows = evaluate_fairness(repeated, **NAMED)
    for name in EVERY:
        one, other = weighted[name], rows[name]
        assert (one.value, one.n, one.interval) == (other.value, other.n, other.interval)
        assert one.notes == ("frequency_weights",)
    assert weighted[DIR].conditions["fisher_p_value"] == rows[DIR].conditions["fisher_p_value"]


def test_one_weight_for_all_changes_nothing_that_rows_tell():
    data = drawn(3)
    halves = evaluate_fairness({**data, "w": np.full(300, 0.5)}, **NAMED, weight="w")
    rows = evaluate_fairness(data, **NAMED)
    for name in EVERY:
        assert halves[name].value == pytest.approx(rows[name].value, rel=1e-12)
        for end in ("low", "high"):
            wanted = getattr(rows[name].interval, end)
            assert getattr(halves[name].interval, end) == pytest.approx(wanted, abs=1e-9)
    found = halves[DPD].conditions
    assert found["group_n_effective"] == pytest.approx(2 * found["group_n"])
    assert found["z"] == pytest.approx(rows[DPD].conditions["z"])
    # A table of counts is what Fisher's test is about, and there is none.
    assert "fisher_p_value" not in found
    assert halves[DPD].notes == ("effective_rows",)


def test_four_fifths_of_weights_is_decided_exactly():
    def screen(tenths: int) -> str:
        # 0.1 is no binary fraction; the sums are compared in steps of 2**-52 all the same.
        data = {"d": [1, 0, 1, 0], "g": ["a", "a", "b", "b"], "w": [tenths / 8, 0, 0.625, 0.375]}
        data["w"][1] = 1 - data["w"][0]
        ev = evaluate_fairness(data, DIR, decision="d", groups="g", favourable=1, reference="b",
                               weight="w")  # fmt: skip
        return ev[DIR].conditions["four_fifths"]

    assert screen(4) == "passes"  # 0.5 of 1 against 0.625 of 1
    assert screen(3.999999999) == "fails"


@given(
    st.lists(
        st.tuples(st.booleans(), st.booleans(), st.integers(1, 40).map(lambda k: k / 8)), min_size=1
    )
)
def test_the_effective_number_is_by_its_definition(rows):
    sums, squares = [Fraction(0)] * 4, [Fraction(0)] * 4
    for favoured, deserving, weight in rows:
        cell = (not deserving) + 2 * (not favoured)
        sums[cell] += Fraction(weight)
        squares[cell] += Fraction(weight) ** 2
    spread, counts = Spread.of_squares(squares), ConfusionCounts(*sums)
    total = sum(w for _, _, w in rows)
    share = sum(w for favoured, _, w in rows if favoured) / total
    kish = total**2 / sum(w * w for _, _, w in rows)
    varies = sum((w * (favoured - share)) ** 2 for favoured, _, w in rows)
    wanted = kish if varies == 0 else min(kish, share * (1 - share) * total**2 / varies)
    assert spread.effective("flagged", "n", counts) == pytest.approx(wanted)
    assert spread.effective("flagged", "n", counts) <= len(rows) * (1 + 1e-12)


spreads = st.builds(
    Spread,
    st.tuples(*[st.fractions(0, 9, max_denominator=8)] * 4),
    st.tuples(*[st.fractions(0, 9, max_denominator=8)] * 10),
)


@given(spreads, spreads, spreads)
def test_spreads_are_a_monoid_and_survive_json(a, b, c):
    assert (a + b) + c == a + (b + c)
    assert a + b == b + a
    assert a + Spread() == a
    assert Spread.from_dict((a + b).to_dict()).sha256 == (a + b).sha256
    weighted = ComparedGroups(ConfusionCounts(1), ConfusionCounts(tn=2), spread=(a, b))
    assert ComparedGroups.from_dict(weighted.to_dict()) == weighted
    # Rows of weight 1 are added as such.
    rows = ComparedGroups(ConfusionCounts(2), ConfusionCounts(fp=1))
    both = (weighted + rows).spread
    assert both == (a + Spread.of_squares([2, 0, 0, 0]), b + Spread.of_squares([0, 1, 0, 0]))


def test_rows_of_a_cluster_are_worth_one_where_they_agree():
    once = drawn(5, 200)
    data = {name: np.repeat(column, 5) for name, column in once.items()}
    data["c"] = np.repeat(np.arange(200), 5)
    clustered = evaluate_fairness(data, **NAMED, cluster="c")
    for name in EVERY:
        wanted = evaluate_fairness(once, **NAMED)[name].interval
        assert clustered[name].interval.low == pytest.approx(wanted.low, abs=1e-9)
        assert clustered[name].interval.high == pytest.approx(wanted.high, abs=1e-9)
    assert clustered[DPD].conditions["group_n_effective"] * 5 == pytest.approx(
        clustered[DPD].conditions["group_n"]
    )
    assert "effective_clusters" in clustered[DPD].notes


def test_clusters_of_one_row_are_rows():
    data = drawn(7)
    clustered = evaluate_fairness({**data, "c": np.arange(300)}, **NAMED, cluster="c")
    rows = evaluate_fairness(data, **NAMED)
    for name in EVERY:
        assert clustered[name].interval.low == pytest.approx(rows[name].interval.low, abs=1e-9)
    few = evaluate_fairness({**data, "c": np.arange(300) % 7}, **NAMED, cluster="c")
    assert "few_clusters" in few[DPD].notes


def test_moments_are_sums_over_clusters():
    data = drawn(11, 60)
    weight, cluster = np.random.default_rng(1).integers(1, 9, 60) / 4, np.arange(60) // 4
    ev = evaluate_fairness({**data, "w": weight, "c": cluster}, **NAMED, weight="w", cluster="c")
    adds = np.zeros((15, 4))
    for d, y, g, w, c in zip(data["d"], data["y"], data["g"], weight, cluster, strict=True):
        if g == "a":
            adds[c, (1 - y) + 2 * (1 - d)] += w
    spread = ev.tallies.spreads["g"]["a"]
    wanted = [float((adds[:, i] * adds[:, j]).sum()) for i, j in PAIRS]
    assert [float(one) for one in spread.moments] == pytest.approx(wanted)


def test_measure_and_a_saved_run(tmp_path):
    data = drawn(9) | {"w": np.random.default_rng(4).random(300), "c": np.arange(300) // 3}
    ev = evaluate_fairness(data, **NAMED, weight="w", cluster="c")
    settings = {"groups": data["g"], "favourable": 1, "reference": "b"}
    drawn_by = {"weight": data["w"], "cluster": data["c"]}
    one = vd.measure(DPD, data["y"], data["d"], **settings, **drawn_by)
    assert (one.value, one.interval) == (ev[DPD].value, ev[DPD].interval)
    again = ev.save("weighted", store=tmp_path / "runs.db").evaluation
    assert again.results == ev.results
    assert again.to_dict()["groups"] == ev.to_dict()["groups"]
    assert again.tallies.counts == ev.tallies.counts
    assert again.tallies.spreads == ev.tallies.spreads


def covered(seed: int, draws: int) -> float:
    """Return how often the interval of a weighted difference holds the true one.

    Rows are kept with a chance that depends on the decision, and weighted by its inverse.
    """
    rng = np.random.default_rng(seed)
    hits = 0
    for _ in range(draws):
        group = rng.random(1500) < 0.5
        chance = np.where(group, 0.3, 0.4)
        decided = rng.random(1500) < chance
        kept = np.where(decided, 0.9, rng.choice([0.15, 0.5], 1500))
        there = rng.random(1500) < kept
        data = {"d": decided[there] * 1, "g": group[there] * 1, "w": 1 / kept[there]}
        ev = evaluate_fairness(data, DPD, decision="d", groups="g", favourable=1, reference="0",
                               weight="w")  # fmt: skip
        hits += -0.1 in ev[DPD].interval
    return hits / draws


def test_the_weighted_interval_covers():
    # 150 draws of 95% fall below 0.89 once in a thousand times.
    assert covered(1, 150) >= 0.89


@pytest.mark.long
def test_the_weighted_interval_covers_at_least_as_often_as_it_says():
    n = 2000
    assert covered(2, n) >= 0.95 - 3.3 * math.sqrt(0.95 * 0.05 / n)
