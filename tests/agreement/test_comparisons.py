"""Two raters against a third: exact tests, every swap, refusals, the judge and the people."""

import json
from itertools import product

import numpy as np
import pytest
from scipy import stats

import veridical as vd
from veridical.cli import main
from veridical.errors import MismatchError


def rated(n, seed, wrong=(0.3, 0.3), labels=3):
    """Return the truth, and two raters that are wrong in these shares of the items."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, labels, n)
    sides = [np.where(rng.random(n) < w, rng.integers(0, labels, n), truth) for w in wrong]
    return {"truth": truth.tolist(), "a": sides[0].tolist(), "b": sides[1].tolist()}


def compared(data, metric, **options):
    ev = vd.evaluate_agreement(data, [metric], raters=["truth", "a", "b"], **options)
    return vd.compare(ev.subject("truth / a"), ev.subject("truth / b"), metric)


def test_raw_agreement_by_mcnemar():
    data = rated(80, seed=1, wrong=(0.2, 0.5))
    truth, a, b = map(np.array, data.values())
    only_a, only_b = (
        int(np.sum(x)) for x in ((a == truth) & (b != truth), (b == truth) & (a != truth))
    )
    found = compared(data, "raw_agreement")
    assert found.p_value == pytest.approx(stats.binomtest(only_a, only_a + only_b).pvalue)
    assert found.difference.value == pytest.approx((only_a - only_b) / 80)
    counts = [found.difference.counts[f"n_{k}"] for k in ("wins", "losses")]
    assert counts == [only_a, only_b]


@pytest.mark.parametrize("weights", ["none", "quadratic"])
def test_kappa_by_every_way_to_swap_two_raters(weights):
    data = rated(14, seed=5, wrong=(0.2, 0.6))
    name = f"cohens_kappa,weights={weights}"
    found = compared(data, name)
    apart = [i for i in range(14) if data["a"][i] != data["b"][i]]
    assert 4 <= len(apart) <= 12

    def difference(swaps):
        a, b = list(data["a"]), list(data["b"])
        for at, swap in zip(apart, swaps, strict=True):
            if swap:
                a[at], b[at] = b[at], a[at]
        one, two = (float(vd.measure(f"agreement.{name}", data["truth"], x)) for x in (a, b))
        return one - two

    observed = difference([0] * len(apart))
    every = [difference(swaps) for swaps in product((0, 1), repeat=len(apart))]
    assert found.difference.value == pytest.approx(observed, abs=1e-12)
    assert found.p_value == pytest.approx(
        float(np.mean([abs(one) >= abs(observed) - 1e-12 for one in every]))
    )


def test_the_interval_of_kappa_is_the_paired_bootstrap():
    data = rated(150, seed=7, wrong=(0.2, 0.4))
    found = compared(data, "cohens_kappa", replicates=2_000)
    columns = np.stack(list(map(np.array, data.values())))
    rng, drawn = np.random.default_rng(0), []
    for _ in range(2_000):
        truth, a, b = columns[:, rng.integers(0, 150, 150)]
        drawn.append(kappa(truth, a) - kappa(truth, b))
    low, high = np.quantile(drawn, [0.025, 0.975])
    assert found.difference.interval.low == pytest.approx(low, abs=0.02)
    assert found.difference.interval.high == pytest.approx(high, abs=0.02)


def kappa(x, y):
    agreed = np.mean(x == y)
    chance = sum(np.mean(x == label) * np.mean(y == label) for label in np.unique(x))
    return (agreed - chance) / (1 - chance)


def test_labels_that_only_one_evaluation_knows():
    data = rated(60, seed=3)
    data["b"] = [9 if label == 2 and i % 2 else label for i, label in enumerate(data["b"])]
    together = compared(data, "cohens_kappa")
    sides = [vd.evaluate_agreement(data, ["cohens_kappa"], raters=["truth", name]) for name in "ab"]
    assert vd.compare(*sides, "cohens_kappa") == together


def test_without_the_same_reference_it_is_refused():
    data = rated(30, seed=2)
    ev = vd.evaluate_agreement(data, ["kappa"], raters=["truth", "a"])
    with pytest.raises(MismatchError, match="differ in reference"):
        vd.compare(
            ev,
            vd.evaluate_agreement({"c": data["a"], "d": data["b"]}, ["kappa"], raters=["c", "d"]),
        )
    other = {**data, "truth": data["truth"][1:] + data["truth"][:1]}
    with pytest.raises(MismatchError, match="30 labels of truth"):
        vd.compare(ev, vd.evaluate_agreement(other, ["kappa"], raters=["truth", "b"]))


def test_a_missing_rating_leaves_the_item_out():
    data = rated(40, seed=6)
    data["b"][:5] = [None] * 5
    ev = vd.evaluate_agreement(data, ["kappa"], raters=["truth", "a", "b"], missing="drop")
    found = vd.compare(ev.subject("truth / a"), ev.subject("truth / b"), "kappa")
    assert found.difference.n == 35
    assert "common_units" in found.difference.notes


def test_a_judge_is_compared_with_the_agreement_of_people(tmp_path, capsys):
    data = rated(120, seed=9, wrong=(0.1, 0.6))
    path = tmp_path / "ratings.csv"
    rows = zip(*data.values(), strict=True)
    path.write_text(
        "ann,ben,bot\n" + "".join(f"{x},{y},{z}\n" for x, y, z in rows), encoding="utf-8"
    )
    words = ["agree", str(path), "--rater", "ann", "--rater", "ben", "--rater", "bot"]
    assert main([*words, "--judge", "bot", "--json"]) == 0
    written = json.loads(capsys.readouterr().out)["comparisons"]
    assert {(one["a"], one["b"]) for one in written} == {
        ("ann / bot", "ann / ben"),
        ("ben / bot", "ann / ben"),
    }
    assert all(one["verdict"].startswith("ann / ben better") for one in written)
    assert main([*words, "--judge", "bot"]) == 0
    assert "ann / bot − ann / ben, on the same items" in capsys.readouterr().out
    assert main([*words, "--judge", "bob"]) == 64
    assert "none of the raters" in capsys.readouterr().err
    assert main([*words, "--markdown"]) == 0
    out = capsys.readouterr().out
    assert "| Cohen's kappa | ann / ben |" in out
    assert "**ann (down) against bot (across), 120 items**" in out


def differences_found(samples, seed):
    shown = 0
    for sample in range(samples):
        data = rated(60, seed=[seed, sample])
        shown += compared(data, "cohens_kappa", intervals=False, replicates=400, seed=sample).shown
    return shown


def test_equal_raters_are_rarely_told_apart():
    assert differences_found(60, 1) <= stats.binom.ppf(0.9999, 60, 0.05)


@pytest.mark.long
def test_equal_raters_are_told_apart_in_about_5_percent():
    assert 20 <= differences_found(1_000, 2) <= 62
