"""Portable forms that are not what they should be are refused with a reason."""

from __future__ import annotations

import pytest

from veridical import strict_json
from veridical.errors import FileFormatError
from veridical.summaries import (
    ConfusionCounts,
    GroupedCounts,
    LossSums,
    ReliabilityTable,
    ScoreTable,
)

EMPTY = [
    ConfusionCounts(),
    GroupedCounts(),
    LossSums("log"),
    ReliabilityTable.empty(10),
    ScoreTable.empty(),
]


@pytest.mark.parametrize("summary", EMPTY, ids=lambda s: type(s).__name__)
@pytest.mark.parametrize("other", EMPTY, ids=lambda s: type(s).__name__)
def test_another_kind_of_summary_is_refused(summary, other):
    if type(summary) is type(other):
        assert type(summary).from_dict(other.to_dict()) == summary
        return
    with pytest.raises(FileFormatError, match="expected veridical"):
        type(summary).from_dict(other.to_dict())


@pytest.mark.parametrize("summary", EMPTY, ids=lambda s: type(s).__name__)
@pytest.mark.parametrize("schema", [None, "", "veridical.confusion_counts/99", 1])
def test_another_version_is_refused(summary, schema):
    with pytest.raises(FileFormatError, match="expected"):
        type(summary).from_dict({**summary.to_dict(), "schema": schema})


@pytest.mark.parametrize(
    "cell",
    ["-1", "1.5", "nan", "inf", "1e9", "1e999999999", "1/0", "1/-2", "", " 1", "\u0661",
     "9" * 10_000, 1, 1.0, None, ["1"]],
)  # fmt: skip
def test_a_count_is_an_exact_number_of_at_least_0(cell):
    damaged = {**ConfusionCounts(tp=1).to_dict(), "tp": cell}
    with pytest.raises(FileFormatError, match="count") as caught:
        ConfusionCounts.from_dict(damaged)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("cell", ["0", "12", "7/2", str(2**200)])
def test_exact_counts_are_read(cell):
    counts = ConfusionCounts.from_dict({**ConfusionCounts().to_dict(), "fp": cell})
    assert str(counts.fp) == cell


@pytest.mark.parametrize("summary", EMPTY, ids=lambda s: type(s).__name__)
def test_the_hash_is_of_the_canonical_form(summary):
    assert summary.sha256 == strict_json.sha256(summary.to_dict())
    assert len(summary.sha256) == 64
