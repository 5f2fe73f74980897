"""The consistency band and the debiased ECE, by simulation from the definition."""

import numpy as np
import pytest
from scipy import stats

from veridical.errors import ParameterError
from veridical.stats import calibration_band
from veridical.stats.calibration_band import _Sums, consistency_band, debiased_ece
from veridical.summaries import ReliabilityTable, ScoreTable
from veridical.summaries.reliability import bin_index


def ece_of(positive, forecasts, bins=10):
    index = bin_index(forecasts, bins)
    gaps = np.bincount(index, positive - forecasts, bins)
    return np.abs(gaps).sum() / len(forecasts), np.bincount(index, minlength=bins)


def band_of(positive, forecasts, **kwargs):
    return consistency_band(ReliabilityTable.from_rows(positive, forecasts), **kwargs)


def test_the_band_is_what_calibrated_labels_show():
    generator = np.random.default_rng(1)
    forecasts = generator.beta(1, 4, 300)
    band = band_of(generator.random(300) < forecasts, forecasts, replicates=4000)
    simulated, largest = [], []
    for _ in range(4000):
        labels = generator.random(300) < forecasts
        ece, counts = ece_of(labels, forecasts)
        gaps = np.bincount(bin_index(forecasts, 10), labels - forecasts, 10)
        simulated.append(ece)
        largest.append(np.max(np.abs(gaps[counts > 0]) / counts[counts > 0]))
    error = np.std(simulated) / np.sqrt(4000)
    assert band.ece_mean == pytest.approx(np.mean(simulated), abs=6 * error)
    assert band.ece_high == pytest.approx(np.quantile(simulated, 0.95), rel=0.04)
    assert band.mce_mean == pytest.approx(np.mean(largest), rel=0.04)
    assert band.mce_high == pytest.approx(np.quantile(largest, 0.95), rel=0.08)


def test_p_values_are_uniform_under_calibration_and_small_without():
    generator = np.random.default_rng(2)
    p_values = []
    for seed in range(200):
        forecasts = generator.beta(2, 5, 150)
        labels = generator.random(150) < forecasts
        p_values.append(band_of(labels, forecasts, replicates=200, seed=seed).ece_p_value)
    assert stats.kstest(p_values, "uniform").pvalue > 0.001
    forecasts = generator.random(500)
    assert band_of(generator.random(500) < forecasts**2, forecasts).ece_p_value < 0.01


@pytest.mark.parametrize("bins", [1, 2, 10])
@pytest.mark.parametrize(
    "forecasts",
    [
        [0.1, 0.5, 0.9], [0.999, 0.2, 0.97, 0.6], [0.55, 0.58], [0.0, 0.0, 1.0, 0.5],
        [0.001] * 50 + [0.09] * 3, np.linspace(0, 1, 101).tolist(),
    ],
)  # fmt: skip
def test_drawn_labels_have_the_mean_and_the_variance_of_the_forecasts(forecasts, bins):
    forecasts = np.array(forecasts)
    index = bin_index(forecasts, bins)
    table = ReliabilityTable.from_rows(forecasts > 0.5, forecasts, bins=bins)
    n, p, p2 = (table.column(name) for name in ("n", "sum_p", "sum_p2"))
    sums = _Sums.of(n[n > 0], p[n > 0], p2[n > 0])
    chance = [sums.mean / trials for trials in (sums.trials, sums.trials + 1)]
    assert np.all(chance[0] <= 1)
    variances = [sums.mean * (1 - one) for one in chance]
    variance = (1 - sums.more) * variances[0] + sums.more * variances[1]
    wanted = np.bincount(index, forecasts * (1 - forecasts), bins)[n > 0]
    # Trials are at least the expected labels: certain ones among uncertain ones vary too much.
    assert np.all(variance >= wanted - 1e-9)
    assert variance == pytest.approx(wanted, rel=0.25 if bins == 10 else 1.0, abs=0.01)


def test_the_seed_determines_the_band_and_the_chunk_does_not(monkeypatch):
    forecasts = np.random.default_rng(4).random(80)
    first = band_of(forecasts > 0.4, forecasts, seed=5)
    monkeypatch.setattr(calibration_band, "DRAWS_IN_MEMORY", 1000)
    assert band_of(forecasts > 0.4, forecasts, seed=5) == first
    assert band_of(forecasts > 0.4, forecasts, seed=6) != first


def test_certain_forecasts_have_a_band_of_zero():
    forecasts = np.array([0.0, 0.0, 1.0])
    band = band_of(np.array([False, False, True]), forecasts)
    assert (band.ece_mean, band.ece_high, band.ece_p_value) == (0.0, 0.0, 1.0)


def test_fractional_weights_and_no_rows_are_refused():
    forecasts = np.array([0.2, 0.7])
    table = ScoreTable.from_rows(forecasts > 0.5, forecasts, weight=np.array([0.5, 1.0]))
    with pytest.raises(ParameterError):
        consistency_band(ReliabilityTable.from_scores(table))
    with pytest.raises(ParameterError):
        consistency_band(ReliabilityTable.empty(10))
    with pytest.raises(ParameterError):
        debiased_ece(np.zeros(3), np.zeros(3), np.zeros(3))


@pytest.mark.parametrize("shift", [0.0, 0.02, 0.05, 0.2])
def test_debiasing_brings_the_mean_nearer_to_the_truth(shift):
    generator = np.random.default_rng(6)
    n, truth = np.full(10, 60.0), np.linspace(0.1, 0.7, 10)
    plain, debiased = [], []
    for _ in range(2000):
        sum_y = generator.binomial(60, truth)
        plain.append(np.abs(sum_y - n * (truth + shift)).sum() / n.sum())
        debiased.append(debiased_ece(n, n * (truth + shift), sum_y.astype(float)))
    assert abs(np.mean(debiased) - shift) < max(0.75 * abs(np.mean(plain) - shift), 0.002)


def test_debiased_ece_equals_its_definition_by_resampling():
    n, sum_p = np.array([40.0, 0.0, 25.0]), np.array([10.0, 0.0, 12.0])
    sum_y = np.array([14.0, 0.0, 11.0])
    rate, gap = np.array([14 / 40, 11 / 25]), np.array([14 / 40 - 0.25, 11 / 25 - 12 / 25])
    noise = np.random.default_rng(7).normal(size=(400_000, 2))
    resampled = np.abs(gap + noise * np.sqrt(rate * (1 - rate) / [40, 25])).mean(axis=0)
    want = np.array([40, 25]) @ (2 * np.abs(gap) - resampled) / 65
    assert debiased_ece(n, sum_p, sum_y) == pytest.approx(max(0.0, want), abs=5e-4)


def test_certain_labels_need_no_debiasing():
    n, sum_p, sum_y = np.array([5.0, 5.0]), np.array([1.0, 4.0]), np.array([0.0, 5.0])
    assert debiased_ece(n, sum_p, sum_y) == pytest.approx(0.2)
