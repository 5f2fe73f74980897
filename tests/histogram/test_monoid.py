"""Histograms add up to the bit: any split of the rows, any order, any tree, any nested grid."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.histogram.strategies import rows
from veridical import strict_json
from veridical.errors import FileFormatError, MismatchError
from veridical.summaries import ScoreHistogram


def added(parts, draw):
    """Add up in a random order and a random tree."""
    parts = list(parts)
    while len(parts) > 1:
        i = draw(st.integers(0, len(parts) - 1))
        one = parts.pop(i)
        j = draw(st.integers(0, len(parts) - 1))
        parts[j] = one + parts[j]
    return parts[0]


def identical(one, two):
    return strict_json.canonical(one.to_dict()) == strict_json.canonical(two.to_dict())


@given(st.data(), rows())
def test_any_split_any_order_any_tree(data, rows):
    pieces = data.draw(st.integers(1, 5))
    piece_of_row = st.lists(st.integers(0, pieces - 1), min_size=len(rows), max_size=len(rows))
    owner = np.array(data.draw(piece_of_row), int)
    parts = [rows.part(owner == piece).histogram for piece in range(pieces)]
    parts += [ScoreHistogram.empty(rows.grid)] * data.draw(st.integers(0, 2))
    assert identical(added(parts, data.draw), rows.histogram)


@given(rows())
def test_rows_and_their_table_give_the_same(rows):
    from_table = ScoreHistogram.from_table(rows.table, rows.grid, fractional=rows.fractional)
    assert identical(from_table, rows.histogram)


@given(st.data(), rows())
def test_coarsening_is_exact_and_commutes_with_adding(data, rows):
    scheme, bits = rows.grid.split("/")
    coarse = f"{scheme}/{data.draw(st.integers(4, int(bits)))}"
    cut = data.draw(st.integers(0, len(rows)))
    a, b = rows.part(slice(cut)).histogram, rows.part(slice(cut, None)).histogram
    directly = ScoreHistogram.from_table(rows.table, coarse, fractional=rows.fractional)
    assert identical((a + b).coarsened(coarse), directly)
    assert identical(a.coarsened(coarse) + b.coarsened(coarse), directly)
    assert identical(a.coarsened(coarse) + b, directly)
    assert identical(a + b.coarsened(coarse), directly)


@given(rows())
def test_portable_form(rows):
    histogram = rows.histogram
    back = ScoreHistogram.from_dict(strict_json.loads(strict_json.dumps(histogram.to_dict())))
    assert identical(back, histogram)
    assert back == histogram
    assert back.sha256 == histogram.sha256
    assert back.dtype == histogram.dtype


@given(rows(weighted=False))
def test_header(rows):
    data = rows.histogram.to_dict()
    assert (data["grid"], data["rows"]) == (rows.grid, len(rows))
    assert data["dtype"] == (str(rows.scores.dtype) if len(rows) else None)
    assert rows.histogram.total == len(rows)
    assert rows.histogram.total_positives == rows.positive.sum()
    assert rows.histogram.total_negatives == len(rows) - rows.positive.sum()


@given(rows())
def test_bins_hold_what_rows_have_their_key(rows):
    histogram = rows.histogram
    kept = rows.extra.get("weight", np.ones(len(rows))) > 0
    scores, positive = rows.scores[kept], rows.positive[kept]
    weight = rows.extra.get("weight", np.ones(len(rows)))[kept]
    keys = histogram.grid.keys(scores)
    assert histogram.keys.tolist() == np.unique(keys).tolist()
    for index, key in enumerate(histogram.keys):
        inside = keys == key
        assert histogram.bins.lowest[index] == scores[inside].min()
        assert histogram.bins.highest[index] == scores[inside].max()
        total = weight[inside & positive].sum()
        assert histogram.bins.positives.to_float()[index] == pytest.approx(total)


def test_a_heavy_tie_is_an_atom():
    scores = np.array([0.3] * 1000 + [0.9, 0.1])
    positive = np.arange(len(scores)) % 3 == 0
    assert not ScoreHistogram.from_rows(positive, scores).bins.split.any()


def small(scores=(0.3, 0.31, 0.9), dtype=np.float64, grid="probability/4", **columns):
    return ScoreHistogram.from_rows(
        np.array([True, False, True]), np.array(scores, dtype), grid=grid, **columns
    )


@pytest.mark.parametrize(
    ("other", "what"),
    [
        (small(grid="line/10"), "grid"),
        (small(dtype=np.float32), "float32"),
        (small(fn_cost=np.ones(3)), "fn_cost"),
    ],
)
def test_what_does_not_add_up(other, what):
    for one, two in ((small(), other), (other, small())):
        with pytest.raises(MismatchError, match=what):
            one + two


def test_the_empty_one_takes_any_dtype_and_columns_but_not_any_grid():
    empty = ScoreHistogram.empty("probability/4")
    assert empty.dtype is None
    assert empty + small(dtype=np.float32) == small(dtype=np.float32)
    assert small(fn_cost=np.ones(3)) + empty == small(fn_cost=np.ones(3))
    with pytest.raises(MismatchError):
        empty + small(grid="line/10")


def test_float32_is_compared_as_float32():
    narrow = small((0.1, 0.1, 0.9), np.float32)
    worst, best = narrow.at(0.1)
    assert worst == best
    assert (worst.tp, worst.fp) == (2, 1)


def damaged(**changes):
    return {**small().to_dict(), **changes}


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"schema": "veridical.score_table/1"},
        {"schema": "veridical.score_histogram/1"},
        damaged(grid="probability/99"),
        damaged(grid=14),
        damaged(dtype="float16"),
        damaged(dtype=None),
        damaged(fractional=None),
        damaged(fractional=0),
        damaged(positives=["1", "4503599627370496"]),
        damaged(rows=-1),
        damaged(rows=2),
        damaged(rows=3.0),
        damaged(rows=True),
        damaged(keys=[]),
        damaged(keys=small().to_dict()["keys"][::-1]),
        damaged(keys=[0, 1]),
        damaged(keys=[2**80, 2**81]),
        damaged(keys=[64.0, 73.0]),
        damaged(lowest=[0.3, 0.9]),
        damaged(lowest=["nan", "nan"]),
        damaged(lowest=small().to_dict()["highest"], highest=small().to_dict()["lowest"]),
        damaged(highest=small().to_dict()["highest"][:1]),
        damaged(positives=["0", "0"], negatives=["0", "0"]),
        damaged(positives=["-1", "4503599627370496"]),
        damaged(positives=["+1", "4503599627370496"]),
        damaged(positives=["1_0", "4503599627370496"]),
        damaged(positives=["9" * 5000, "0"]),
        damaged(positives=["9" * 60, "0"]),
        damaged(positives=[1, 2]),
        damaged(positives=None),
        damaged(negatives=["0", "0"]),
        damaged(fn_cost=["0"]),
    ],
    ids=lambda data: json.dumps(data)[:60],
)
def test_a_damaged_form_is_refused(data):
    with pytest.raises(FileFormatError):
        ScoreHistogram.from_dict(data)


@pytest.mark.parametrize("name", ["float32"])
def test_a_score_that_is_not_of_its_dtype_is_refused(name):
    with pytest.raises(FileFormatError, match=name):
        ScoreHistogram.from_dict(damaged(dtype=name))
