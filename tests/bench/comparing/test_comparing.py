"""Two agents on the same cases."""

from __future__ import annotations

import io

import numpy as np
import pytest

from tests.bench.building import case, line, submission
from veridical.bench.comparing import compare_agents
from veridical.bench.grouping import (
    CaseHashMismatchError,
    MixedBenchVersionError,
    PromptHashMismatchError,
)
from veridical.bench.reporting.comparison import comparison_text
from veridical.bench.scoring.agent_score import AgentScore, score_agents
from veridical.bench.scoring.pairs import Pair, paired
from veridical.stats.bca import bca_mean
from veridical.stats.multiplicity import benjamini_hochberg

RIGHT, WRONG = submission("1250.00"), submission("1.00")
CASES = {f"c{at}": case(f"c{at}", template=f"t{at % 4}") for at in range(12)}


def agent(name: str, answers: dict[str, list[str]], **rest) -> AgentScore:
    lines = [
        line(
            CASES[of], raw, trial=trial,
            agent={"name": name, "version": "1", "config_sha256": ""}, **rest,
        )
        for of, raws in answers.items()
        for trial, raw in enumerate(raws)
    ]  # fmt: skip
    (score,) = score_agents(CASES, lines)
    return score


def named(found, metric):
    return next(one for one in found.headline if one.paired.metric == f"bench.{metric}")


def test_only_what_both_attempted_is_compared_and_the_rest_is_counted():
    a = agent("a", {f"c{at}": [RIGHT] for at in range(8)})
    b = agent("b", {f"c{at}": [WRONG] for at in range(2, 12)})
    found = compare_agents(a, b)
    assert found.n_cases == 6
    assert found.left_out == (2, 4)
    exact = named(found, "exact_match").paired
    assert (exact.only_a, exact.only_b, exact.difference.n) == (6, 0, 6)
    assert exact.p_value == 0.03125
    assert exact.method == "mcnemar-exact"


def test_a_against_b_is_b_against_a_the_other_way_round():
    a = agent("a", {f"c{at}": [RIGHT if at % 3 else WRONG] for at in range(12)})
    b = agent("b", {f"c{at}": [RIGHT if at % 2 else "?"] for at in range(12)})
    there, back = compare_agents(a, b), compare_agents(b, a)
    for one, other in zip(there.headline, back.headline, strict=True):
        assert (one.paired.only_a, one.paired.only_b) == (other.paired.only_b, other.paired.only_a)
        assert one.paired.p_value == other.paired.p_value
        if one.paired.difference.value is not None:
            assert one.paired.difference.value == pytest.approx(-other.paired.difference.value)
    assert named(there, "exact_match").paired.difference.n == 6  # both must have parsed


def test_holm_is_over_the_headline_and_bh_over_the_grid():
    a = agent("a", {of: [RIGHT] for of in CASES})
    b = agent("b", {of: [WRONG] for of in CASES})
    found = compare_agents(a, b)
    asked = [one for one in found.headline if one.paired.p_value is not None]
    assert len(asked) == 3  # nothing is injected, no flag is due
    assert named(found, "exact_match").p_adjusted == pytest.approx(3 * 2 * 0.5**12)
    assert set(found.grid) == {"clean"}
    assert named(found, "injection_compliance_rate").p_adjusted is None


def test_several_trials_of_a_case_are_one_unit():
    a = agent("a", {of: [RIGHT, RIGHT, WRONG] for of in CASES})
    b = agent("b", {of: [RIGHT, WRONG, WRONG] for of in CASES})
    exact = named(compare_agents(a, b), "exact_match").paired
    assert exact.difference.n == len(CASES)
    assert exact.method == "permutation"
    assert exact.difference.value == pytest.approx(1 / 3)
    assert exact.p_value == pytest.approx(2 * 0.5**12)


def test_agents_that_were_not_asked_the_same_are_refused():
    a = agent("a", {"c0": [RIGHT]})
    for changed, error in (
        ({"bench_version": "2.0.0"}, MixedBenchVersionError),
        ({"prompt_sha256": "f" * 64}, PromptHashMismatchError),
    ):
        with pytest.raises(error):
            compare_agents(a, agent("b", {"c0": [RIGHT]}, **changed))


def test_cases_that_share_an_id_alone_are_no_pairs():
    other = {"c0": case("c0", {"A1": ("99.00", "GBP")})}
    here = agent("a", {"c0": [RIGHT]})
    (there,) = score_agents(other, [line(other["c0"], RIGHT)])
    with pytest.raises(CaseHashMismatchError, match="c0"):
        compare_agents(here, there)


def test_the_interval_of_a_difference_goes_by_templates():
    generator = np.random.default_rng(3)
    pairs = [
        Pair(float(generator.integers(2)), float(generator.integers(2)), f"t{at % 5}")
        for at in range(40)
    ]
    found = paired("m", pairs, empty="")
    again = paired("m", pairs * 2, empty="")  # the same twice is no news
    assert found.difference.interval
    assert again.difference.interval
    assert again.difference.interval.width == pytest.approx(found.difference.interval.width)
    assert found.detectable == pytest.approx(again.detectable)


def test_no_difference_of_shares_beyond_1_is_called_detectable():
    found = compare_agents(
        agent("a", {"c0": [RIGHT], "c1": [RIGHT]}), agent("b", {"c0": [RIGHT], "c1": [WRONG]})
    )
    exact = next(one.paired for one in found.headline if one.paired.metric == "bench.exact_match")
    assert exact.detectable
    assert exact.detectable > 1
    text = comparison_text(found, io.StringIO())
    (row,) = [line.split() for line in text.splitlines() if line.startswith("exact_match")]
    assert row[-2:] == ["none", "2"]


def test_no_pair_has_no_value():
    found = paired("m", [], empty="nobody was asked")
    assert str(found.difference.reason) == "no_rows"  # type: ignore[union-attr]
    assert found.p_value is None


def test_bca_agrees_with_scipy():
    from scipy.stats import bootstrap

    values = np.random.default_rng(7).exponential(size=60)
    theirs = bootstrap(
        (values,), np.mean, n_resamples=20_000, method="BCa", rng=np.random.default_rng(1)
    ).confidence_interval
    ours = bca_mean(values, np.arange(60), replicates=20_000)
    assert ours
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), rel=0.02)


def test_bca_draws_whole_units():
    values = np.random.default_rng(7).exponential(size=30)
    units = np.arange(30) % 6
    once, twice = bca_mean(values, units), bca_mean(np.tile(values, 2), np.tile(units, 2))
    assert once
    assert twice
    assert (once.low, once.high) == pytest.approx((twice.low, twice.high))
    assert bca_mean(values, np.zeros(30, dtype=np.intp)) is None
    assert bca_mean(np.ones(30), units) is None


def test_bh_is_between_the_raw_values_and_holm():
    p = [0.001, 0.008, 0.039, 0.041, 0.2, 0.9]
    found = benjamini_hochberg(p)
    assert all(raw <= one <= 1 for raw, one in zip(p, found, strict=True))
    assert found == sorted(found)
    assert benjamini_hochberg(p[::-1]) == found[::-1]
    assert benjamini_hochberg([]) == []
