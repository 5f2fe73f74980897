"""``summarise`` gives the same bytes wherever the rows are."""

import numpy as np
import pyarrow as pa
import pytest

import veridical as vd
from tests.engines.corpus import whole_corpus
from veridical.errors import ParameterError, ScoreError


def table_of_corpus(step=4):
    labels, scores = (values[::step] for values in whole_corpus())
    rng = np.random.default_rng(3)
    missing = np.arange(len(labels)) % 23 == 4
    return pa.table(
        {
            "y": pa.array(np.where(labels == 1, "bad", "ok")),
            "p": pa.array(scores, mask=missing),
            "odds": scores * 20 - 10,
            "site": rng.choice(["a", "b", "(missing)", ""], len(labels)),
        }
    )


CHOSEN = {
    "label": "y", "score": ["p", "odds"], "groups": "site", "positive": "bad",
    "missing": "drop", "thresholds": [0.5],
}  # fmt: skip


@pytest.mark.parametrize("exact", [False, True])
def test_bytes_are_those_of_rows_in_memory(lazy_backend, exact):
    table = table_of_corpus()
    expected = vd.summarise(table, **CHOSEN, exact=exact)
    found = vd.summarise(lazy_backend(table), **CHOSEN, exact=exact)
    assert found.sha256 == expected.sha256
    assert (found.tally, found.header) == (expected.tally, expected.header)


def test_many_partitions_and_an_empty_one(spark):
    table = table_of_corpus()
    frame = spark.createDataFrame(table).repartition(5).union(spark.createDataFrame(table[:0]))
    assert vd.summarise(frame, **CHOSEN).sha256 == vd.summarise(table, **CHOSEN).sha256


def test_what_has_no_place_on_the_grid_is_refused(spark):
    frame = spark.createDataFrame(table_of_corpus())
    with pytest.raises(ScoreError, match="'odds'"):
        vd.summarise(frame, **CHOSEN, grid="probability/14")
    with pytest.raises(ParameterError, match="rows in memory"):
        vd.summarise(frame, **CHOSEN, weight="odds")
