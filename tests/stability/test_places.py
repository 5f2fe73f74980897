"""Several summaries beside each other: all but one, and how far each lies from the others."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import veridical as vd
from tests.portable.rows import example
from veridical.stability.places import places_of
from veridical.summaries.partition import Partition

NAMED = {"label": "y", "score": "p"}


def shifted(seed, n, by, ties=0):
    data = example(seed, n, ties=ties)
    return {**data, "p": np.clip(data["p"] + by, 0, 1)}


@given(
    st.lists(
        st.tuples(st.integers(-5, 5), st.integers(0, 6)), min_size=1, unique_by=lambda v: v[0]
    ),
    st.integers(2, 12),
)
def test_quantiles_of_counts_are_those_of_the_rows(counted, bins):
    values, counts = map(np.array, zip(*sorted(counted), strict=True))
    counts[0] += counts.sum() == 0
    rows = np.repeat(values, counts).astype(float)
    found = Partition.of_counts(values.astype(float), counts, bins)
    assert found == Partition.of_numbers(rows, bins)
    assert np.bincount(found.places(rows), minlength=len(found.names)).tolist() == (
        found.count(rows).tolist()
    )


@pytest.mark.parametrize("by", [0.0, 0.02, 0.3])
def test_with_every_score_drift_is_that_of_the_rows(by):
    rows = [shifted(1, 700, 0.0, ties=40), shifted(2, 400, 0.0, ties=40), shifted(3, 500, by, 40)]
    summaries = [vd.summarise(one, **NAMED, exact=True) for one in rows]
    others = {"p": np.concatenate([rows[0]["p"], rows[1]["p"]])}
    truth = vd.measure("drift.psi", others["p"], rows[2]["p"])
    found = places_of(summaries)[2].drift("p")
    assert found.value == pytest.approx(truth.value, rel=0, abs=1e-12)
    assert found.conditions["light"] == truth.conditions["light"]
    assert found.conditions["share_above_reference"] == truth.conditions["share_above_reference"]


@pytest.mark.parametrize("options", [{}, {"min_cell": 10}, {"grid": "line/20"}])
def test_binned_scores_show_a_shift_and_nothing_where_there_is_none(options):
    same, moved = (
        places_of(
            [
                vd.summarise(shifted(seed, 3_000, by), **NAMED, **options)
                for seed, by in ((1, 0.0), (2, 0.0), (3, last))
            ]
        )[2].drift("p")
        for last in (0.0, 0.3)
    )
    assert same.conditions["light"] == "stable"
    assert moved.conditions["light"] == "significant"
    assert same.value < 3 * same.conditions["quantile_without_drift"]


def test_samples_that_never_met_are_far_apart():
    low = {"y": [0, 1] * 50, "p": np.linspace(0.0, 0.4, 100)}
    high = {"y": [0, 1] * 50, "p": np.linspace(0.6, 1.0, 100)}
    one, two = places_of([vd.summarise(side, **NAMED) for side in (low, high)])
    assert min(one.drift("p").value, two.drift("p").value) > 1


def test_the_others_are_the_sum_of_all_others():
    summaries = [vd.summarise(example(seed, 50), **NAMED) for seed in range(5)]
    for at, place in enumerate(places_of(summaries)):
        rest = [one for other, one in enumerate(summaries) if other != at]
        total = rest[0]
        for one in rest[1:]:
            total += one
        assert place.alone is summaries[at]
        assert place.others == total
    (alone,) = places_of(summaries[:1])
    assert alone.others is None
    assert alone.drift("p") is None


def test_weights_are_no_counts():
    data = {**example(0, 60), "w": np.full(60, 2.0)}
    one, _ = places_of([vd.summarise(data, **NAMED, weight="w")] * 2)
    assert one.drift("p").reason == "unsupported_by_engine"
