"""Agreement against scikit-learn, statsmodels and krippendorff, and intervals by simulation."""

import warnings

import numpy as np
import pytest

import veridical as vd
from veridical.summaries.contingency import ContingencyTable, RatingPatterns

krippendorff = pytest.importorskip("krippendorff")


def two_raters(seed, n=40, labels=4):
    generator = np.random.default_rng(seed)
    a = generator.integers(0, labels, n)
    b = np.where(generator.random(n) < 0.5, a, generator.integers(0, labels, n))
    return a, b


@pytest.mark.parametrize("seed", range(15))
@pytest.mark.parametrize("weights", ["none", "linear", "quadratic"])
def test_cohens_kappa(seed, weights):
    from sklearn.metrics import cohen_kappa_score

    a, b = two_raters(seed, labels=2 + seed % 5)
    expected = cohen_kappa_score(a, b, weights=None if weights == "none" else weights)
    result = vd.measure("agreement.cohens_kappa", a, b, weights=weights)
    assert result.value == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("weights", ["none", "linear", "quadratic"])
def test_its_standard_error(seed, weights):
    from statsmodels.stats.inter_rater import cohens_kappa

    a, b = two_raters(seed, n=80, labels=3)
    table = ContingencyTable.from_codes(a, b, (0, 1, 2)).counts
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = cohens_kappa(table, wt={"none": None}.get(weights, weights))
    result = vd.measure("agreement.cohens_kappa", a, b, weights=weights)
    assert result.interval.low == pytest.approx(max(-1, expected.kappa_low), abs=1e-9)
    assert result.interval.high == pytest.approx(min(1, expected.kappa_upp), abs=1e-9)


@pytest.mark.parametrize("seed", range(8))
def test_fleiss_kappa(seed):
    from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

    generator = np.random.default_rng(seed)
    codes = generator.integers(0, 3, (30, 4))
    codes[:15] = codes[:15, :1]
    expected = fleiss_kappa(aggregate_raters(codes)[0])
    data = {str(i): codes[:, i] for i in range(4)}
    ev = vd.evaluate_agreement(data, ["fleiss_kappa"], raters=list(data), intervals=False)
    assert ev.results[0].value == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("measurement", ["nominal", "ordinal", "interval", "ratio"])
def test_krippendorffs_alpha(seed, measurement):
    generator = np.random.default_rng(seed)
    values = generator.integers(1, 6, (25, 3)).astype(float)
    values[:12] = values[:12, :1]
    values[generator.random(values.shape) < 0.2] = np.nan
    expected = krippendorff.alpha(values.T, level_of_measurement=measurement)
    data = {str(i): values[:, i] for i in range(3)}
    name = f"krippendorff_alpha,measurement={measurement}"
    ev = vd.evaluate_agreement(data, [name], raters=list(data), intervals=False)
    assert ev.results[0].value == pytest.approx(expected, abs=1e-12)


def covered(metric, draw, truth, runs):
    hits = 0
    for seed in range(runs):
        interval = draw(np.random.default_rng(seed), metric).interval
        hits += interval is not None and truth in interval
    return hits / runs


def correlated(generator, metric):
    a = generator.random(150) < 0.4
    b = np.where(generator.random(150) < 0.6, a, generator.random(150) < 0.4)
    return vd.measure(metric, a.astype(int), b.astype(int), seed=1, replicates=200)


@pytest.mark.parametrize("metric", ["cohens_kappa", "gwet_ac1", "krippendorff_alpha"])
def test_intervals_cover_what_is_true(metric):
    po = 0.6 + 0.4 * (0.4**2 + 0.6**2)
    pe = {"gwet_ac1": 2 * 0.4 * 0.6}.get(metric, 0.4**2 + 0.6**2)
    share = covered(f"agreement.{metric}", correlated, (po - pe) / (1 - pe), 200)
    assert 0.90 <= share <= 0.99


def test_bootstrap_and_formula_agree_on_many_items():
    a, b = two_raters(0, n=2000, labels=3)
    data = {"a": a, "b": b}
    by = {
        way: vd.evaluate_agreement(data, ["kappa"], raters=["a", "b"], interval=way).results[0]
        for way in ("analytic", "bootstrap")
    }
    assert by["bootstrap"].interval.method == "bootstrap-percentile"
    assert by["bootstrap"].interval.low == pytest.approx(by["analytic"].interval.low, abs=0.01)
    assert by["bootstrap"].interval.high == pytest.approx(by["analytic"].interval.high, abs=0.01)


@pytest.mark.parametrize("kind", [ContingencyTable, RatingPatterns])
def test_summaries_are_a_monoid(kind):
    def part(seed, labels):
        codes = np.random.default_rng(seed).integers(0, len(labels), (9, 2))
        if kind is ContingencyTable:
            return kind.from_codes(codes[:, 0], codes[:, 1], labels)
        return kind.from_codes(codes, labels)

    a, b, c = part(1, ("x", "y")), part(2, ("w", "y", "z")), part(3, ("x",))
    assert a + b == b + a
    assert (a + b) + c == a + (b + c)
    assert a + kind() == a == kind() + a
    assert kind.from_dict(a.to_dict()) == a
    assert (a + b).n == 18
