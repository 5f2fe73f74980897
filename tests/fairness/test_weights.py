"""Fairness of rows that count unequally, or that belong together."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import veridical as vd
from tests.fairness.test_fairness import DIR, DPD, EOD, EVERY
from veridical.errors import FileFormatError
from veridical.parity import evaluate_fairness
from veridical.stats.normal import z
from veridical.stats.proportions import wilson
from veridical.stats.standard_error import t_quantile
from veridical.stats.two_shares import share_interval
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


def test_a_whole_weight_is_that_many_rows_of_a_cluster():
    rng = np.random.default_rng(4)
    data = {**drawn(1), "c": rng.permutation(300)}
    times = rng.integers(0, 4, 300)
    repeated = {name: np.repeat(column, times) for name, column in data.items()}
    weighted = evaluate_fairness({**data, "w": times}, **NAMED, weight="w", cluster="c")
    rows = evaluate_fairness(repeated, **NAMED, cluster="c")
    for name in EVERY:
        assert weighted[name].interval == rows[name].interval
        assert weighted[name].conditions == rows[name].conditions


@pytest.mark.parametrize("clusters", [None, 300, 20])
def test_the_order_of_weighted_rows_changes_nothing(clusters):
    rng = np.random.default_rng(5)
    data = {**drawn(5), "w": 10.0 ** rng.uniform(-8, 8, 300), "c": np.arange(300)}
    asked = {**NAMED, "weight": "w"}
    if clusters:
        asked["cluster"], data["c"] = "c", data["c"] % clusters
    order = rng.permutation(300)
    one = evaluate_fairness(data, **asked)
    other = evaluate_fairness({name: column[order] for name, column in data.items()}, **asked)
    for name in EVERY:
        assert one[name].interval == other[name].interval
        assert one[name].conditions == other[name].conditions


@pytest.mark.parametrize("scale", [2.0**-52, 1.0, 2.0**40])
def test_weights_of_any_size_have_intervals_around_their_values(scale):
    rng = np.random.default_rng(6)
    weights = scale * (1 + rng.random(300))
    weights[0] = 1e18
    for clusters in (np.zeros(300, int), np.arange(300) % 7, np.arange(300) // 299):
        data = {**drawn(6), "w": weights, "c": clusters}
        ev = evaluate_fairness(data, **NAMED, weight="w", cluster="c", level=0.999999)
        for name in EVERY:
            interval = ev[name].interval
            assert interval.low <= ev[name].value <= interval.high
            assert interval.low >= (0 if name == DIR else -1)
            assert name == DIR or interval.high <= 1


def test_fishers_test_is_of_as_many_rows_as_it_can_count():
    data = {"d": [1, 0, 1, 0], "g": ["a", "a", "b", "b"]}
    known = {}
    for n in (10**6, 10**9, 10**10):
        more = round(n**0.5) // 2
        data["w"] = [n // 4 + more, n // 4 - more, n // 4, n // 4]
        ev = evaluate_fairness(data, DPD, decision="d", groups="g", favourable=1, reference="b",
                               weight="w")  # fmt: skip
        known[n] = ev[DPD].conditions
    for n in (10**6, 10**9):
        assert known[n]["fisher_p_value"] == pytest.approx(known[n]["z_p_value"], rel=0.01)
    assert "fisher_p_value" not in known[10**10]
    assert known[10**10]["z_p_value"] == pytest.approx(known[10**9]["z_p_value"], rel=1e-3)


def test_clusters_that_weigh_nothing_are_not_counted():
    data = {**drawn(7), "c": np.arange(300)}
    for there, few in ((29, True), (30, False)):
        data["w"] = (np.arange(300) < there) * 1.5
        ev = evaluate_fairness(data, DPD, **NAMED, weight="w", cluster="c")
        assert ("few_clusters" in ev[DPD].notes) is few


def test_groups_of_few_and_of_very_many_rows_are_adjusted_together():
    data = {"g": list("aabbcc"), "d": [1, 0] * 3, "w": [2e10, 2e10, 500, 500, 530, 470]}
    ev = evaluate_fairness(data, DPD, decision="d", groups="g", favourable=1, reference="b",
                           weight="w")  # fmt: skip
    of = {result.subject: result.conditions for result in ev.results}
    assert of["g=c"]["fisher_p_value_holm"] == 2 * of["g=c"]["fisher_p_value"]
    assert of["g=a"]["z_p_value_holm"] == 1.0


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


def spread_of(rows):
    """Return sums of (favoured, deserving, weight), and the spread of rows drawn one by one."""
    sums, many = [Fraction(0)] * 4, [[0] * 4 for _ in range(3)]
    for favoured, deserving, weight in rows:
        cell = (not deserving) + 2 * (not favoured)
        sums[cell] += Fraction(weight)
        for of, power in zip(many, (2, 0, 4), strict=True):
            of[cell] += Fraction(weight) ** power
    return ConfusionCounts(*sums), Spread.of_squares(*many)


weighted_rows = st.lists(
    st.tuples(st.booleans(), st.booleans(), st.integers(1, 40).map(lambda k: k / 8)), min_size=1
)


@given(weighted_rows)
def test_the_effective_number_is_by_its_definition(rows):
    counts, spread = spread_of(rows)
    total = sum(w for _, _, w in rows)
    share = sum(w for favoured, _, w in rows if favoured) / total
    kish = total**2 / sum(w * w for _, _, w in rows)
    varies = sum((w * (favoured - share)) ** 2 for favoured, _, w in rows)
    wanted = kish if varies == 0 else share * (1 - share) * total**2 / varies
    sides = [[w for favoured, _, w in rows if favoured is side] for side in (True, False)]
    if any(sum(side) ** 2 < 5 * sum(w * w for w in side) for side in sides):
        wanted = min(wanted, kish)
    assert spread.effective("flagged", "n", counts) == pytest.approx(wanted)
    assert spread.even_rows("n", counts) == pytest.approx(kish)


@given(weighted_rows)
def test_degrees_of_freedom_are_by_their_definition(rows):
    counts, spread = spread_of(rows)
    share = float(counts.flagged / counts.n)
    varies = sum((w * (favoured - share)) ** 2 for favoured, _, w in rows)
    scatter = 0.0
    for side, factor in ((True, 1 - share), (False, share)):
        squares = np.array([w * w for favoured, _, w in rows if favoured is side])
        scatter += factor**4 * ((squares - squares.mean()) ** 2).sum() if len(squares) else 0.0
    found = spread.degrees_of_freedom("flagged", "n", counts)
    if varies == 0 or scatter <= 1e-9 * varies**2:
        assert found == math.inf
    else:
        assert found == pytest.approx(max(1.0, 2 * varies**2 / scatter))


@given(st.integers(5, 30), st.integers(5, 30), st.integers(1, 40), st.integers(1, 40))
def test_rows_drawn_by_their_decision_know_the_odds_as_well_as_rows(hits, others, one, other):
    """Where hits weigh one and others another, Wilson's ends are those of rows, by their odds."""
    rows = [(True, True, one / 8)] * hits + [(False, True, other / 8)] * others
    counts, spread = spread_of(rows)
    share, _ = ComparedGroups(counts, counts, spread=(spread, spread)).selected
    found, of_rows = share_interval(share), wilson(hits, hits + others)
    for end in ("low", "high"):
        seen, wanted = getattr(found, end), getattr(of_rows, end)
        assert seen / (1 - seen) == pytest.approx(wanted / (1 - wanted) * one / other, rel=1e-6)
    # It is worth no more than its rows all the same.
    assert share.worth <= (hits + others) * (1 + 1e-12)


spreads = st.builds(
    Spread,
    st.tuples(*[st.fractions(0, 9, max_denominator=8)] * 4),
    st.tuples(*[st.fractions(0, 9, max_denominator=8)] * 10),
    st.tuples(*[st.integers(0, 9)] * 4),
    st.tuples(*[st.fractions(0, 9, max_denominator=8)] * 4),
)
sixteen = st.one_of(st.just(()), st.tuples(*[st.fractions(0, 9, max_denominator=8)] * 16))


@given(spreads, spreads, spreads, sixteen)
def test_spreads_are_a_monoid_and_survive_json(a, b, c, shared):
    assert (a + b) + c == a + (b + c)
    assert a + b == b + a
    assert a + Spread() == a
    assert Spread.from_dict((a + b).to_dict()).sha256 == (a + b).sha256
    counts = ConfusionCounts(1), ConfusionCounts(tn=2)
    weighted = ComparedGroups(*counts, spread=(a, b), shared=shared)
    assert ComparedGroups.from_dict(weighted.to_dict()) == weighted
    # Rows of weight 1 are added as such.
    rows = ComparedGroups(ConfusionCounts(2), ConfusionCounts(fp=1))
    both = weighted + rows
    of_rows = [Spread.of_squares(one, one, one) for one in ([2, 0, 0, 0], [0, 1, 0, 0])]
    assert both.spread == (a + of_rows[0], b + of_rows[1])
    assert both.shared == (rows + weighted).shared == shared
    assert (both + weighted).shared == tuple(2 * one for one in shared)


def test_what_was_written_before_is_read():
    """Without rows and fourth powers a variance is taken for known; without clusters, apart."""
    counts, spread = spread_of([(True, True, 0.5), (True, True, 1.5), (False, True, 0.25)])
    kept = spread.to_dict()
    before = Spread.from_dict({name: kept[name] for name in ("schema", "squares", "moments")})
    assert before == Spread.of_squares(spread.squares)
    asked = ("flagged", "n", counts)
    assert before.effective(*asked) == spread.effective(*asked)
    assert before.degrees_of_freedom(*asked) == math.inf > spread.degrees_of_freedom(*asked)
    groups = ComparedGroups(counts, counts, spread=(before, spread))
    assert "shared" not in groups.to_dict()
    for broken in ({"rows": ["1"]}, {"fourths": ["1"] * 5}, {"moments": []}):
        with pytest.raises(FileFormatError, match="four cells"):
            Spread.from_dict(kept | broken)
    with pytest.raises(FileFormatError, match="four cells by four"):
        ComparedGroups.from_dict(groups.to_dict() | {"shared": ["1"] * 15})


def test_rows_of_a_cluster_are_worth_one_where_they_agree():
    once = drawn(5, 200)
    data = {name: np.repeat(column, 5) for name, column in once.items()}
    data["c"] = np.repeat(np.arange(200), 5)
    clustered = evaluate_fairness(data, **NAMED, cluster="c")
    rows = {row.group: row for row in evaluate_fairness(once, **NAMED).rows()}
    for row in clustered.rows():
        share, of = row.shares["favourable"], rows[row.group].shares["favourable"]
        # As many as clusters, of which one is used up by the mean.
        assert share.effective == pytest.approx(of.n - 1)
        assert share.degrees_of_freedom == pytest.approx(of.n - 1)
        fewer = (of.n - 1) * (z(0.95) / t_quantile(0.95, of.n - 1)) ** 2
        wanted = wilson(of.rate * fewer, fewer)
        found = row.intervals["favourable"]
        assert (found.low, found.high) == pytest.approx((wanted.low, wanted.high), abs=1e-9)
    assert "effective_clusters" in clustered[DPD].notes
    assert clustered[DPD].conditions["group_degrees_of_freedom"] < 200
    # No cluster has rows of both groups here.
    assert "correlation" not in clustered[DPD].conditions


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


def test_what_clusters_have_in_common_is_by_its_definition():
    """Of three groups, one of which shares no cluster with the reference."""
    rng = np.random.default_rng(13)
    n = 240
    group = rng.choice(["a", "b", "c"], n)
    cluster = np.where(group == "c", 100, 0) + rng.integers(0, 20, n)
    data = {"d": (rng.random(n) < 0.2 + 0.03 * (cluster % 20)) * 1, "g": group, "c": cluster}
    data |= {"y": (rng.random(n) < 0.6) * 1, "w": rng.integers(1, 9, n) / 4}
    ev = evaluate_fairness(data, **NAMED, weight="w", cluster="c")
    assert set(ev.tallies.shared["g"]) == {"a"}
    for metric, among in ((DPD, np.ones(n, bool)), (EOD, data["y"] == 1)):
        sums = {}
        for name in "ab":
            mine = (group == name) & among
            share = np.average(data["d"][mine], weights=data["w"][mine])
            off = np.where(mine, data["w"] * (data["d"] - share), 0.0)
            sums[name] = np.bincount(cluster, off)
        one, other = sums["a"], sums["b"]
        wanted = one @ other / math.sqrt((one @ one) * (other @ other))
        assert ev[("g=a", metric)].conditions["correlation"] == pytest.approx(wanted)
        assert "correlation" not in ev[("g=c", metric)].conditions
    # Held against another reference, other groups have clusters in common.
    of_c = evaluate_fairness(data, **NAMED | {"reference": "c"}, weight="w", cluster="c")
    assert not of_c.tallies.shared["g"]


@pytest.mark.parametrize("table", [(1, 1, 7, 12), (59, 6, 16, 80), (5, 20, 25, 4), (6, 0, 0, 8)])
def test_pairs_have_newcombes_interval_of_pairs(table):
    """Counts of pairs: both favoured, the first alone, the second alone, neither."""
    n, (both, first, second, neither) = sum(table), table
    decided = np.repeat([[1, 1], [1, 0], [0, 1], [0, 0]], table, axis=0)
    data = {"d": decided.T.ravel(), "g": ["a"] * n + ["b"] * n, "c": [*range(n), *range(n)]}
    result = evaluate_fairness(data, DPD, decision="d", groups="g", favourable=1, reference="b",
                               cluster="c")[DPD]  # fmt: skip
    # R. G. Newcombe (1998), Statistics in Medicine 17, 2635, method 10.
    covers = both * neither - first * second
    covers = covers if covers <= 0 else max(0, covers - n / 2)
    sides = (both + first), (second + neither), (both + second), (first + neither)
    phi = covers / math.sqrt(math.prod(sides))
    p, q = sides[0] / n, sides[2] / n
    one, other = wilson(sides[0], n), wilson(sides[2], n)
    below, above = (p - one.low, other.high - q), (one.high - p, q - other.low)
    length = [math.sqrt(x * x - 2 * phi * x * y + y * y) for x, y in (below, above)]
    assert result.interval.low == pytest.approx(p - q - length[0], abs=1e-9)
    assert result.interval.high == pytest.approx(p - q + length[1], abs=1e-9)
    assert result.interval.width > 0


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
    assert again.tallies.shared == ev.tallies.shared
    assert one.conditions["correlation"] == ev[DPD].conditions["correlation"] != 0


def test_what_only_rounding_makes_vary_does_not():
    """One cluster, and clusters of the same rate, tell nothing of how rates vary."""
    tenths = {"d": [1, 0, 0] * 20, "g": ["a"] * 30 + ["b"] * 30, "w": [0.1, 0.3, 0.7] * 20}
    for clusters in (np.arange(60) // 30, np.arange(60) // 3):
        data = tenths | {"c": clusters}
        ev = evaluate_fairness(data, DPD, decision="d", groups="g", favourable=1, reference="b",
                               weight="w", cluster="c")  # fmt: skip
        found = ev[DPD].conditions
        assert found["group_n_effective"] == pytest.approx(len(np.unique(clusters)) / 2)
        assert "correlation" not in found
        assert 0.0 in ev[DPD].interval


def test_one_cluster_that_outweighs_all_others_leaves_everything_open():
    data = {"d": [1, 0, 0, 1] * 2, "g": ["a"] * 4 + ["b"] * 4, "c": [0, 0, 0, 1, 2, 2, 2, 3]}
    ev = evaluate_fairness(data | {"w": [2.0**16, 2.0**16, 2.0**16, 1.5] * 2}, (DPD, DIR),
                           decision="d", groups="g", favourable=1, reference="b",
                           weight="w", cluster="c")  # fmt: skip
    assert ev[DPD].interval.width > 1.4
    assert ev[DIR].interval.low < 0.01
    assert ev[DIR].interval.high > 100
