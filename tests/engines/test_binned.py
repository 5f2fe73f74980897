"""The binned summaries have the same bytes on every engine, and those are numpy's."""

import numpy as np
import pyarrow as pa
import pytest

from tests.engines.corpus import table_of, whole_corpus
from veridical.engines.binned import binned
from veridical.engines.survey import survey
from veridical.errors import ParameterError, ScoreError
from veridical.summaries import KeyGrid, LossSums, ReliabilityTable, ScoreHistogram
from veridical.tables import Roles

BINS = (7, 10, 15)


def check(one, positive, scores, grid="probability/14"):
    """Compare with what numpy makes of the rows in memory."""
    expected = ScoreHistogram.from_rows(positive, scores, grid=grid)
    assert one.histogram.to_dict() == expected.to_dict()
    assert one.histogram.sha256 == expected.sha256
    for bins in BINS:
        table = ReliabilityTable.from_rows(positive, scores, bins=bins)
        assert one.reliabilities[bins].to_dict() == table.to_dict()
        assert one.reliabilities[bins].sha256 == table.sha256
    sums = LossSums.from_rows(positive, scores, "squared_error")
    assert one.squared_error.sha256 == sums.sha256


def test_bytes_are_those_of_numpy(backend):
    labels, scores = whole_corpus()
    rows = survey(backend(table_of(labels, scores)), Roles("y", ("p",)))
    (one,) = binned(rows, bins=BINS)
    check(one, labels == 1, scores)


@pytest.mark.parametrize("grid", ["probability/4", "probability/32"])
def test_bytes_on_the_coarsest_and_the_finest_grid(local_backend, grid):
    labels, scores = whole_corpus()
    rows = survey(local_backend(table_of(labels, scores)), Roles("y", ("p",)))
    (one,) = binned(rows, grid=grid, bins=BINS)
    check(one, labels == 1, scores, grid)


def test_missing_scores_and_labels_have_keys_of_their_own(backend):
    labels, scores = whole_corpus()
    labels, scores = labels[:400], scores[:400].copy()
    scores[::7] = np.nan
    no_label, no_score = np.arange(400) % 11 == 3, np.arange(400) % 13 == 5
    table = table_of(pa.array(labels, mask=no_label), pa.array(scores, mask=no_score))
    rows = survey(backend(table), Roles("y", ("p",), missing="drop"))
    kept = ~no_label & ~no_score & ~np.isnan(scores)
    assert (rows.n_read, rows.n_rows) == (400, int(kept.sum()))
    assert rows.n_positive == int(labels[kept].sum())
    assert rows.missing == {
        "y": int(no_label.sum()),
        "p": int((no_score | np.isnan(scores)).sum()),
    }
    (one,) = binned(rows, bins=BINS)
    check(one, labels[kept] == 1, scores[kept])


def test_float32_scores_keep_their_edges(backend):
    labels, scores = whole_corpus()
    narrow = scores.astype(np.float32)
    rows = survey(backend(table_of(labels, narrow)), Roles("y", ("p",)))
    assert rows.dtypes == {"p": "float32"}
    (one,) = binned(rows, bins=BINS)
    check(one, labels == 1, narrow)


@pytest.mark.parametrize("bins", [1, 2, 300])
def test_any_number_of_bins(bins):
    labels, scores = whole_corpus()
    (one,) = binned(survey(table_of(labels, scores), Roles("y", ("p",))), bins=(bins,))
    assert one.reliabilities[bins] == ReliabilityTable.from_rows(labels == 1, scores, bins=bins)


def test_one_row(local_backend):
    for score in (0.3, 0.7, np.nextafter(0.7, 1)):
        rows = survey(local_backend(table_of([1], [score])), Roles("y", ("p",)))
        (one,) = binned(rows, bins=BINS)
        check(one, np.array([True]), np.array([score]))


def test_groups_are_slices_of_the_whole(backend):
    labels, scores = whole_corpus()
    names = np.random.default_rng(1).choice(["10", "9", "", "(missing)"], len(labels))
    table = table_of(labels, scores, site=pa.array(names))
    rows = survey(backend(table), Roles("y", ("p",), groups=("site",)))
    found = {one.group: one for one in binned(rows, bins=BINS)}
    check(found.pop(None), labels == 1, scores)
    sites = {"10": "10", "9": "9", "": "(missing)", "(missing)": "'(missing)'"}
    assert found.keys() == {f"site={shown}" for shown in sites.values()}
    for value, shown in sites.items():
        part = names == value
        check(found[f"site={shown}"], labels[part] == 1, scores[part])


def test_two_grouping_columns(local_backend):
    labels, scores = whole_corpus()
    rng = np.random.default_rng(2)
    sizes, flags = rng.integers(0, 3, len(labels)), rng.random(len(labels)) < 0.5
    table = table_of(labels, scores, size=sizes, flag=flags)
    rows = survey(local_backend(table), Roles("y", ("p",), groups=("size", "flag")))
    found = {one.group: one for one in binned(rows, bins=BINS)}
    check(found.pop(None), labels == 1, scores)
    parts = {f"size={value}": sizes == value for value in range(3)}
    parts |= {f"flag={value}": flags == value for value in (False, True)}
    assert found.keys() == parts.keys()
    for group, part in parts.items():
        check(found[group], labels[part] == 1, scores[part])


def test_several_score_columns(local_backend):
    labels, scores = whole_corpus()
    table = table_of(labels, scores, q=1 - scores)
    rows = survey(local_backend(table), Roles("y", ("p", "q")))
    one, other = binned(rows, bins=BINS)
    assert (one.subject, other.subject) == ("p", "q")
    check(one, labels == 1, scores)
    check(other, labels == 1, 1 - scores)


def test_forecasts_beyond_by_rounding_are_clamped_and_counted(local_backend):
    scores = np.array([-1e-10, 0.5, 1 + 2.0**-52, 0.25])
    rows = survey(local_backend(table_of([0, 1, 1, 0], scores)), Roles("y", ("p",)))
    assert rows.clamped == {"p": 2}
    (one,) = binned(rows, bins=BINS)
    check(one, np.array([0, 1, 1, 0]) == 1, np.clip(scores, 0, 1))


@pytest.mark.parametrize("beyond", [1.1, -0.1, np.inf, -np.inf])
def test_scores_that_are_no_forecasts_are_refused(local_backend, beyond):
    rows = survey(local_backend(table_of([0, 1], [0.5, beyond])), Roles("y", ("p",)))
    assert rows.clamped == {"p": None}
    with pytest.raises(ScoreError, match="outside"):
        binned(rows)


def test_a_grid_of_bits_is_refused():
    rows = survey(table_of([0, 1], [0.5, 0.75]), Roles("y", ("p",)))
    with pytest.raises(ParameterError, match="line/20"):
        binned(rows, grid=KeyGrid("line", 20))


def test_no_rows(local_backend):
    nothing = table_of(pa.array([], pa.int64()), pa.array([], pa.float64()))
    rows = survey(local_backend(nothing), Roles("y", ("p",)))
    (one,) = binned(rows, bins=BINS)
    assert (rows.n_read, rows.probabilities) == (0, {"p": False})
    assert one.histogram == ScoreHistogram.empty()
    assert one.reliabilities[10] == ReliabilityTable.empty(10)


def test_integers_and_booleans_are_scores(local_backend):
    labels = [1, 0, 1, 0]
    for scores in ([1, 0, 1, 1], [True, False, True, True]):
        rows = survey(local_backend(table_of(labels, scores)), Roles("y", ("p",)))
        (one,) = binned(rows, bins=BINS)
        check(one, np.array(labels) == 1, np.array(scores, dtype=np.float64))
