"""How often intervals cover what a factor truly moves, over other seeds and other rows."""

import numpy as np
import pytest
from scipy import stats

import veridical as vd
from tests.ablation.runs import table_of
from veridical.stats.factorial import Factorial, estimate
from veridical.stats.paired_seeds import PairedSeeds

CELLS = [(a, b) for a in ("0", "1") for b in ("0", "1", "2")]
N_ROWS = 300


def truth_and_rows(generator, *, own_rows):
    """Return losses of 6 x 3 runs on rows, shape (runs, n), of a model whose means are known.

    A row is hard or easy for every run; a seed moves a run as a whole.
    """
    codes = np.repeat(np.array([(a, b) for a in range(2) for b in range(3)]), 3, axis=0)
    means = 1 + 0.3 * codes[:, 0] + 0.2 * codes[:, 1] * (1 + codes[:, 0])
    shape = (len(codes), N_ROWS) if own_rows else (1, N_ROWS)
    hard = generator.normal(size=shape)
    helped = generator.normal(size=shape) * codes[:, :1]  # rows on which the factor matters more
    seeds = generator.normal(scale=0.05, size=(len(codes), 1))
    noise = generator.normal(scale=0.5, size=(len(codes), N_ROWS))
    return codes, means[:, None] + hard + 0.5 * helped + seeds + noise


def covered(generator, *, own_rows, times):
    """Return how often the interval of the first factor's difference, and of a mean, cover."""
    hits = np.zeros(2)
    for _ in range(times):
        codes, losses = truth_and_rows(generator, own_rows=own_rows)
        values = losses.mean(axis=1)
        centred = (losses - values[:, None]) / N_ROWS
        rows = np.diag((centred**2).sum(axis=1)) if own_rows else centred @ centred.T
        design = Factorial(codes, (2, 3))
        noise = design.noise(values, rows)
        # (1.3 + 1.7 + 2.1)/3 - (1 + 1.2 + 1.4)/3 = 0.5
        difference = estimate(design.difference(0, 1, 0), values, noise, 0.95, rows)
        mean = estimate(design.mean(0, 0), values, noise, 0.95, rows)
        hits += [difference.low <= 0.5 <= difference.high, mean.low <= 1.2 <= mean.high]
    return hits / times


@pytest.mark.parametrize("own_rows", [False, True])
def test_a_small_sample_of_intervals_covers_as_it_says(own_rows):
    found = covered(np.random.default_rng(1), own_rows=own_rows, times=300)
    # Three standard errors of a share of 300.
    assert (found > 0.95 - 3 * np.sqrt(0.95 * 0.05 / 300)).all()


@pytest.mark.long
@pytest.mark.parametrize("own_rows", [False, True])
def test_intervals_over_seeds_and_rows_cover_as_they_say(own_rows):
    found = covered(np.random.default_rng(2), own_rows=own_rows, times=5000)
    assert (found >= 0.93).all()
    assert (found <= 0.97).all()


def paired_covered(generator, times, *, seeds=5):
    """Return how often a difference within seeds covers, and how often a null is rejected.

    A seed moves all its runs, and the runs of one level of the first factor by more of its own.
    """
    cells = np.array([(a, b) for a in range(2) for b in range(3)])
    order = np.arange(seeds * len(cells)).reshape(seeds, len(cells))
    paired = PairedSeeds(Factorial(cells, (2, 3)), order)
    first, second = paired.design.difference(0, 1, 0), paired.design.whole((1,))
    hits = np.zeros(2)
    for _ in range(times):
        everywhere = generator.normal(size=(seeds, 1))
        in_level = generator.normal(size=(seeds, 1)) * cells[:, 0]
        noise = 0.2 * generator.normal(size=(seeds, len(cells)))
        values = (0.5 * cells[:, 0] + everywhere + in_level + noise).ravel()
        found = paired.estimate(first, values, 0.95)
        hits += [
            found.low <= 0.5 <= found.high,
            paired.joint_test(second, values).p_value <= 0.05,
        ]
    return hits / times


def test_a_small_sample_of_paired_seeds_covers_as_it_says():
    covers, rejected = paired_covered(np.random.default_rng(5), 400)
    assert covers >= stats.binom.ppf(0.0005, 400, 0.95) / 400
    assert rejected <= stats.binom.ppf(0.9995, 400, 0.05) / 400


@pytest.mark.long
def test_paired_seeds_cover_as_they_say_whatever_a_seed_moves():
    covers, rejected = paired_covered(np.random.default_rng(6), 10_000)
    assert 0.94 <= covers <= 0.96
    assert 0.04 <= rejected <= 0.06


def ablated(generator, cells, *, seeds):
    return vd.ablate(
        table_of(
            {
                cell: 0.7 + 0.05 * int(cell[0]) + 0.02 * generator.normal(size=seeds)
                for cell in cells
            },
            ["a", "b"],
        )
    )


def share_covered(generator, times):
    """Return how often intervals over seeds cover, and how often any null effect is shown."""
    hits = np.zeros(3)
    for _ in range(times):
        found = ablated(generator, CELLS, seeds=3)
        main = found.term("roc_auc", "a").contrasts[0].interval
        cell = found["a=1, b=2", "roc_auc"].interval
        null = [found.term("roc_auc", "b"), found.term("roc_auc", "a", "b")]
        hits += [0.05 in main, 0.75 in cell, any(one.shown for one in null)]
    return hits / times


def test_a_small_sample_of_experiments_covers_as_it_says():
    times = 150
    main, cell, false = share_covered(np.random.default_rng(3), times)
    least = stats.binom.ppf(0.0005, times, 0.95) / times
    assert main >= least
    assert cell >= least
    assert false <= stats.binom.ppf(0.9995, times, 0.05) / times


@pytest.mark.long
def test_experiments_cover_as_they_say_and_rarely_show_what_is_not_there():
    main, cell, false = share_covered(np.random.default_rng(4), 3000)
    assert 0.93 <= main <= 0.97
    assert 0.93 <= cell <= 0.97
    assert false <= 0.06
