"""The arithmetic of factorial designs, by hand, against statsmodels, and by its laws."""

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.anova import anova_lm
from statsmodels.stats.multivariate import test_mvmean as mean_test

from veridical.errors import ParameterError
from veridical.stats.factorial import MOST_COLUMNS, Factorial, estimate, joint_test
from veridical.stats.paired_seeds import PairedSeeds

# Two factors of two levels, two runs each: cell means 1, 3, 2, 8.
CODES = np.array([[0, 0], [0, 0], [0, 1], [0, 1], [1, 0], [1, 0], [1, 1], [1, 1]])
VALUES = np.array([0.0, 2.0, 2.0, 4.0, 1.0, 3.0, 7.0, 9.0])


def test_two_by_two_by_hand():
    # The difference of the first factor: (2 + 8)/2 - (1 + 3)/2 = 3.
    # Within each cell the runs are 1 from their mean: SSE = 8, df = 4, s2 = 2.
    # Its variance: 2 (1/4 + 1/4) = 1, so t = 3 and F = 9.
    design = Factorial(CODES, (2, 2))
    noise = design.noise(VALUES)
    assert (noise.mean_square, noise.df) == (pytest.approx(2.0), 4)
    found = estimate(design.difference(0, 1, 0), VALUES, noise, 0.95)
    assert found.value == pytest.approx(3.0)
    assert found.error == pytest.approx(1.0)
    t = 2.7764451051977987  # quantile 0.975 of t with 4 degrees of freedom
    assert (found.low, found.high) == (pytest.approx(3 - t), pytest.approx(3 + t))
    test = joint_test(design.whole((0,)), VALUES, noise)
    assert test.statistic == pytest.approx(9.0)
    assert test.p_value == pytest.approx(0.03994, abs=1e-5)
    # The interaction: (8 - 3) - (2 - 1) = 4, variance 2 (4 / 2) = 4.
    both = estimate(design.interaction((0, 1), (1, 1), (0, 0)), VALUES, noise, 0.95)
    assert (both.value, both.error) == (pytest.approx(4.0), pytest.approx(2.0))
    assert estimate(design.mean(0, 1), VALUES, noise, 0.95).value == pytest.approx(5.0)


def table(levels, counts, seed):
    """Return a random table of runs, each combination with its own number of replicates."""
    generator = np.random.default_rng(seed)
    cells = np.array(list(np.ndindex(*levels)))
    codes = np.repeat(cells, [counts[at % len(counts)] for at in range(len(cells))], axis=0)
    return codes, generator.normal(size=len(codes)) + codes @ np.arange(1, len(levels) + 1) * 0.4


def frame_of(codes, values):
    names = "abc"[: codes.shape[1]]
    return pd.DataFrame({"y": values} | {n: codes[:, at].astype(str) for at, n in enumerate(names)})


@pytest.mark.parametrize("levels", [(2, 2), (2, 3), (3, 4)])
@pytest.mark.parametrize("counts", [(2,), (3, 2, 4, 1, 2)])
def test_two_factors_are_those_of_statsmodels(levels, counts):
    codes, values = table(levels, counts, 3)
    design = Factorial(codes, levels)
    noise = design.noise(values)
    fit = smf.ols("y ~ C(a, Sum) * C(b, Sum)", frame_of(codes, values)).fit()
    theirs = anova_lm(fit, typ=3)
    assert (noise.mean_square, noise.df) == (pytest.approx(fit.mse_resid), fit.df_resid)
    rows = {(0,): "C(a, Sum)", (1,): "C(b, Sum)", (0, 1): "C(a, Sum):C(b, Sum)"}
    for term, name in rows.items():
        ours = joint_test(design.whole(term), values, noise)
        assert ours.statistic == pytest.approx(theirs.loc[name, "F"], rel=1e-9)
        assert ours.df == (theirs.loc[name, "df"], noise.df)
        assert ours.p_value == pytest.approx(theirs.loc[name, "PR(>F)"], rel=1e-8)
    # A level's difference from the next, as a contrast of the fitted cell means.
    cell_means = fit.predict(
        pd.DataFrame(
            [{"a": str(a), "b": str(b)} for a in range(levels[0]) for b in range(levels[1])]
        )
    ).to_numpy()
    by_level = cell_means.reshape(levels).mean(axis=1)
    found = estimate(design.difference(0, 1, 0), values, noise, 0.9)
    assert found.value == pytest.approx(by_level[1] - by_level[0])


def test_an_interval_is_that_of_statsmodels():
    codes, values = table((2, 3), (3, 2, 4), 5)
    design = Factorial(codes, (2, 3))
    fit = smf.ols("y ~ C(a, Sum) * C(b, Sum)", frame_of(codes, values)).fit()
    # Effect codes of two levels are 1 and -1: the difference is twice the coefficient.
    contrast = np.zeros(len(fit.params))
    contrast[list(fit.params.index).index("C(a, Sum)[S.0]")] = 2.0
    theirs = fit.t_test(contrast)
    found = estimate(design.difference(0, 0, 1), values, design.noise(values), 0.95)
    assert found.error == pytest.approx(float(np.squeeze(theirs.sd)))
    assert [found.low, found.high] == pytest.approx(np.ravel(theirs.conf_int(0.05)))


@pytest.mark.parametrize("counts", [(2,), (1, 3, 2)])
def test_three_factors_test_the_model_of_pairs_against_replicates(counts):
    codes, values = table((2, 2, 3), counts, 7)
    design = Factorial(codes, (2, 2, 3))
    frame = frame_of(codes, values)
    pairs = smf.ols("y ~ (C(a, Sum) + C(b, Sum) + C(c, Sum)) ** 2", frame).fit()
    cells = smf.ols("y ~ C(a) * C(b) * C(c)", frame).fit()
    noise = design.noise(values)
    assert (noise.mean_square, noise.df) == (pytest.approx(cells.mse_resid), cells.df_resid)
    theirs = anova_lm(pairs, typ=3)
    for term, name in {(2,): "C(c, Sum)", (0, 2): "C(a, Sum):C(c, Sum)"}.items():
        row = theirs.loc[name]
        expected = row["sum_sq"] / row["df"] / cells.mse_resid
        assert joint_test(design.whole(term), values, noise).statistic == pytest.approx(expected)
    # What the cells explain beyond the pairs of factors.
    beyond = (pairs.ssr - cells.ssr) / (pairs.df_resid - cells.df_resid) / cells.mse_resid
    test = joint_test(design.higher(), values, noise)
    assert test.statistic == pytest.approx(beyond)
    assert test.df == (2, noise.df)


def paired_by_seed(codes, n_seeds):
    """Return the design of the combinations, and the number of the run of each seed in each."""
    cells = np.unique(codes, axis=0)
    runs = [np.flatnonzero((codes == cell).all(axis=1)) for cell in cells]
    return cells, np.array(runs).T.reshape(n_seeds, len(cells))


def test_seeds_are_paired_as_in_a_t_test_of_their_differences():
    codes, values = table((2, 3), (5,), 11)
    cells, order = paired_by_seed(codes, 5)
    paired = PairedSeeds(Factorial(cells, (2, 3)), order)
    by_seed = values[order].reshape(5, 2, 3)
    differences = by_seed[:, 1].mean(axis=1) - by_seed[:, 0].mean(axis=1)
    theirs = stats.ttest_1samp(differences, 0)
    found = paired.estimate(paired.design.difference(0, 1, 0), values, 0.95)
    ends = theirs.confidence_interval(0.95)
    assert [found.low, found.high] == pytest.approx([ends.low, ends.high])
    test = paired.joint_test(paired.design.whole((0,)), values)
    assert test.p_value == pytest.approx(theirs.pvalue)


def test_several_paired_differences_are_tested_by_hotelling():
    codes, values = table((3, 2), (6,), 13)
    cells, order = paired_by_seed(codes, 6)
    paired = PairedSeeds(Factorial(cells, (3, 2)), order)
    by_seed = values[order].reshape(6, 3, 2).mean(axis=2)
    # statsmodels tests a vector of means; any two contrasts of three levels give the same F.
    theirs = mean_test(by_seed[:, 1:] - by_seed[:, :1], np.zeros(2))
    test = paired.joint_test(paired.design.whole((0,)), values)
    assert test.statistic == pytest.approx(theirs.statistic)
    assert test.df == theirs.df
    assert test.p_value == pytest.approx(theirs.pvalue)
    few = PairedSeeds(paired.design, order[:2])
    assert few.joint_test(paired.design.whole((0,)), values) is None


def test_rows_add_to_paired_seeds_what_these_do_not_show():
    # One factor, two seeds, the same rows everywhere: run = (seed, level).
    paired = PairedSeeds(Factorial(np.array([[0], [1]]), (2,)), np.array([[0, 1], [2, 3]]))
    values, difference = np.array([1.0, 2.0, 1.0, 4.0]), np.array([-1.0, 1.0])
    # Differences 1 and 3: variance of their mean 2/2 = 1.  By rows each level has variance 0.5,
    # whatever the seed, and levels are independent: 1 more, which seeds do not show.
    same = np.kron(np.ones((2, 2)), 0.5 * np.eye(2))
    found = paired.estimate(difference, values, 0.95, same)
    assert found.error**2 == pytest.approx(2.0)
    assert found.df == pytest.approx(1 * (2 / 1) ** 2)
    # Rows of their own in each seed: the differences of the seeds show them already.
    own = np.kron(np.eye(2), 0.5 * np.eye(2))
    assert paired.estimate(difference, values, 0.95, own).error ** 2 == pytest.approx(1.0)
    for rows, variance in ((same, 2.0), (own, 1.0)):
        test = paired.joint_test(difference[:, None], values, rows)
        assert test.statistic == pytest.approx(2.0**2 / variance)


def test_rows_add_to_independent_runs_what_replicates_do_not_show():
    # Two levels, two runs each, s2 = 2; the same rows: 0.5 more for each level's mean.
    design = Factorial(np.array([[0], [0], [1], [1]]), (2,))
    values = np.array([0.0, 2.0, 3.0, 5.0])
    same = np.kron(0.5 * np.eye(2), np.ones((2, 2)))
    found = estimate(design.difference(0, 1, 0), values, design.noise(values, same), 0.9, same)
    assert found.error**2 == pytest.approx(2.0 * (1 / 2 + 1 / 2) + 0.5 + 0.5)
    own = 0.5 * np.eye(4)
    found = estimate(design.difference(0, 1, 0), values, design.noise(values, own), 0.9, own)
    assert found.error**2 == pytest.approx(2.0)


def test_an_empty_combination_of_two_factors_leaves_only_means_over_complete_levels():
    codes = np.repeat(np.array([[0, 0], [0, 1], [1, 0]]), 2, axis=0)
    design = Factorial(codes, (2, 2))
    assert design.df == 3
    assert design.difference(0, 1, 0) is None
    assert design.interaction((0, 1), (1, 1), (0, 0)) is None
    assert design.whole((0,)) is None
    assert design.mean(1, 1) is None
    # The first level of each factor has runs at both levels of the other.
    assert design.mean(1, 0) == pytest.approx([0.25, 0.25, 0, 0, 0.25, 0.25])
    assert design.higher() is None


def test_half_a_design_mixes_each_factor_with_a_pair():
    # 2^(3-1) with c = a + b: the difference of c is that of the interaction of a and b.
    codes = np.repeat([[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0]], 2, axis=0)
    design = Factorial(np.asarray(codes), (2, 2, 2))
    assert [design.whole(term) for term in design.terms] == [None] * 6


def test_an_interaction_that_lacks_one_combination_of_three_factors_is_still_estimable():
    codes = np.repeat([cell for cell in np.ndindex(2, 2, 2) if cell != (1, 1, 1)], 2, axis=0)
    design = Factorial(np.asarray(codes), (2, 2, 2))
    # The model of pairs has 7 coefficients, and 7 combinations have runs.
    assert all(design.whole(term) is not None for term in design.terms)


def test_without_replicates_there_is_no_noise():
    design = Factorial(np.array(list(np.ndindex(2, 3))), (2, 3))
    assert design.df == 0
    assert design.noise(np.arange(6.0)) is None


def test_equal_replicates_give_no_interval():
    codes = np.repeat(np.array(list(np.ndindex(2, 2))), 3, axis=0)
    values = np.repeat([0.1, 0.2, 0.3, 0.7], 3)
    design = Factorial(codes, (2, 2))
    noise = design.noise(values)
    assert noise.mean_square == 0
    assert estimate(design.difference(0, 1, 0), values, noise, 0.95) is None
    assert joint_test(design.whole((0,)), values, noise) is None


def test_too_large_a_model_is_refused():
    with pytest.raises(ParameterError, match=f"more than {MOST_COLUMNS}"):
        Factorial(np.zeros((1, 2), dtype=int), (40, 40))


designs = st.tuples(
    st.sampled_from([(2, 2), (2, 3), (3, 3), (2, 2, 2)]),
    st.lists(st.integers(1, 3), min_size=1, max_size=5).filter(lambda counts: max(counts) > 1),
    st.integers(0, 10_000),
)


@settings(max_examples=40, deadline=None)
@given(designs, st.randoms(use_true_random=False))
def test_the_order_of_runs_means_nothing(design, random):
    codes, values = table(*design)
    order = np.array(random.sample(range(len(values)), len(values)))
    one, two = Factorial(codes, design[0]), Factorial(codes[order], design[0])
    for term in one.terms:
        a = joint_test(one.whole(term), values, one.noise(values))
        b = joint_test(two.whole(term), values[order], two.noise(values[order]))
        assert a.statistic == pytest.approx(b.statistic, rel=1e-6, abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(designs)
def test_swapped_factors_and_turned_levels_move_nothing(design):
    codes, values = table(*design)
    levels = design[0]
    one = Factorial(codes, levels)
    swapped = Factorial(codes[:, ::-1], levels[::-1])
    turned = Factorial(np.array(levels) - 1 - codes, levels)
    noise = one.noise(values)
    last = len(levels) - 1
    for at, mirrored in {0: last, last: 0}.items():
        a = joint_test(one.whole((at,)), values, noise)
        b = joint_test(swapped.whole((mirrored,)), values, swapped.noise(values))
        c = joint_test(turned.whole((at,)), values, turned.noise(values))
        assert a.statistic == pytest.approx(b.statistic, rel=1e-6, abs=1e-9)
        assert a.statistic == pytest.approx(c.statistic, rel=1e-6, abs=1e-9)
        forth = estimate(one.difference(at, 1, 0), values, noise, 0.95)
        back = estimate(one.difference(at, 0, 1), values, noise, 0.95)
        same = estimate(turned.difference(at, levels[at] - 2, levels[at] - 1), values, noise, 0.95)
        assert forth.value == pytest.approx(-back.value)
        assert forth.value == pytest.approx(same.value)
        assert (forth.low, forth.high) == (pytest.approx(-back.high), pytest.approx(-back.low))
