"""Slots, counted or sorted, say of the ranking what the score table says."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.summaries import ScoreSlots, ScoreTable, Walk

STOPS = st.lists(st.sampled_from([-1.0, 0.0, 0.25, 0.3, 0.5, 0.75, 1.0, 2.0]), max_size=4)


@st.composite
def rows(draw, negatives_for_each_positive: int):
    """Rows of which few or many are positive, with many ties."""
    dtype = draw(st.sampled_from([np.float64, np.float32]))
    quarter = st.integers(-1, 5).map(lambda k: k / 4)
    scores = draw(st.lists(quarter | st.floats(-1, 2, width=32), min_size=1, max_size=40))
    positive = np.array([draw(st.booleans()) for _ in scores])
    # Negatives at the same scores bring the prevalence below, or leave it above, the switch.
    repeats = np.where(positive, 1, negatives_for_each_positive)
    positive = np.append(np.repeat(positive, repeats), [False] * negatives_for_each_positive)
    values = np.append(np.repeat(scores, repeats), [0.5] * negatives_for_each_positive)
    return positive.astype(bool), values.astype(dtype)


def same(a: Walk, b: Walk) -> None:
    assert a.thresholds.dtype == b.thresholds.dtype
    for name in ("thresholds", "tp", "fp"):
        assert getattr(a, name).tolist() == getattr(b, name).tolist()
    assert a.tied == b.tied
    assert a.between == b.between


@pytest.mark.parametrize("negatives_for_each_positive", [0, 1, 400])
@given(data=st.data(), stops=STOPS)
def test_walk_and_counts_are_those_of_the_score_table(negatives_for_each_positive, data, stops):
    positive, scores = data.draw(rows(negatives_for_each_positive))
    slots = ScoreSlots.from_rows(positive, scores, thresholds=stops)
    table = ScoreTable.from_rows(positive, scores)
    same(slots.walk, table.walk)
    assert (slots.rows, slots.total_positives) == (len(scores), table.total_positives)
    assert slots.at(None) == table.at(None)
    for stop in stops:
        assert slots.at(stop) == table.at(stop)


@given(data=st.data())
def test_slots_of_parts_with_the_same_edges_add_up(data):
    positive, scores = data.draw(rows(3))
    whole = ScoreSlots.from_rows(positive, scores)
    empty = ScoreSlots.from_edges(whole.edges, whole.positives)
    cut = data.draw(st.integers(0, len(scores)))
    parts = (empty.counted(positive[part], scores[part]) for part in (slice(cut), slice(cut, None)))
    assert sum(parts, empty).between.tolist() == whole.between.tolist()
