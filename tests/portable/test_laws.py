"""A summary is a commutative monoid, to the byte, whatever the split, the order and the tree."""

import pickle
from functools import reduce
from operator import add

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import veridical as vd
from tests.portable.rows import WEIGHTS, columns, example, part
from veridical import strict_json
from veridical.errors import MismatchError

HELD = [{"exact": True}, {"grid": "line/6"}, {"grid": "line/20"}, {"grid": "probability/6"}]


@st.composite
def divided(draw):
    """Draw rows, options of a summary, and the parts that the rows are divided into."""
    options = dict(draw(st.sampled_from(HELD)))
    forecasts = True if options.get("grid", "").startswith("probability") else None
    weighted = draw(st.booleans())
    data = draw(columns(forecasts=forecasts, weights=WEIGHTS if weighted else None))
    options |= {"weight": "w"} if weighted else {}
    options |= {"groups": "region"} if draw(st.booleans()) else {}
    n = len(data["y"])
    owner = draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    order = draw(st.permutations(range(n)))
    parts = [part(data, [row for row in order if owner[row] == which]) for which in range(4)]
    return data, parts, options


def summarised(data, **options):
    return vd.summarise(data, label="y", score="p", thresholds=(0.3, 0.5), **options)


def in_a_tree(draw, summaries):
    """Add summaries in any order and any tree."""
    waiting = list(draw(st.permutations(summaries)))
    while len(waiting) > 1:
        first = waiting.pop(draw(st.integers(0, len(waiting) - 1)))
        other = draw(st.integers(0, len(waiting) - 1))
        waiting[other] = first + waiting[other]
    return waiting[0]


@given(divided(), st.data())
def test_any_split_order_and_tree_gives_the_same_bytes(drawn, data):
    rows, parts, options = drawn
    whole = summarised(rows, **options)
    summaries = [summarised(one, **options) for one in parts]
    merged = in_a_tree(data.draw, summaries)
    assert strict_json.canonical(merged.content()) == strict_json.canonical(whole.content())
    assert merged.sha256 == whole.sha256
    again = in_a_tree(data.draw, summaries)
    assert strict_json.canonical(again.to_dict()) == strict_json.canonical(merged.to_dict())


@given(divided())
def test_no_rows_change_nothing(drawn):
    rows, _, options = drawn
    summary, nothing = summarised(rows, **options), summarised(part(rows, []), **options)
    assert nothing.rows == 0
    for both in (summary + nothing, nothing + summary):
        assert strict_json.canonical(both.to_dict()) == strict_json.canonical(summary.to_dict())


@given(divided())
def test_the_portable_form_is_read_back(drawn):
    rows, _, options = drawn
    summary = summarised(rows, **options)
    text = strict_json.canonical(summary.to_dict())
    again = vd.Summary.from_dict(strict_json.loads(text))
    assert strict_json.canonical(again.to_dict()) == text
    assert again == summary
    assert pickle.loads(pickle.dumps(summary)) == summary  # noqa: S301 - our own bytes


@given(columns(forecasts=True, least=1), st.sampled_from(["0.1", "float32", "text"]))
def test_the_hash_does_not_depend_on_the_container(data, kind):
    if kind == "text":
        other = {**data, "p": [repr(float(score)) for score in data["p"]]}
        data = {**data, "p": data["p"].astype(np.float64)}
    else:
        other = {**data, "y": data["y"].astype(int).tolist()}
    assert summarised(data).sha256 == summarised(other).sha256


def test_reading_in_batches_and_threads_changes_nothing(tmp_path, monkeypatch):
    data = example(1, 5_000)
    path = tmp_path / "scores.csv"
    lines = [f"{int(y)},{float(p)!r},{r}" for y, p, r in zip(*data.values(), strict=True)]
    path.write_text("\n".join(["y,p,region", *lines, ""]), encoding="utf-8")
    whole = summarised(data, groups="region")
    monkeypatch.setattr("veridical.tables.rows.iter_rows.__defaults__", (700,))
    for threads in (1, 3):
        assert summarised(str(path), groups="region", threads=threads) == whole


def test_the_grid_follows_from_all_batches(monkeypatch):
    monkeypatch.setattr("veridical.tables.rows.iter_rows.__defaults__", (2,))
    data = {"y": [1, 0, 1, 0, 1], "p": [0.5, 0.25, 0.75, 0.5, 3.0], "q": [0.5, 0.4, 0.3, 0.2, 0.1]}
    summary = vd.summarise(data, label="y", score=["p", "q"])
    assert summary.header.scores == {"p": "line/20", "q": "probability/14"}
    monkeypatch.undo()
    assert summary == vd.summarise(data, label="y", score=["p", "q"])


@pytest.mark.parametrize("options", [{}, {"exact": True}])
def test_a_stream_of_batches_can_be_read_again(options):
    import pyarrow as pa

    data = {"y": [1, 0, 1], "p": [0.5, 0.25, 7.0]}
    batch = pa.RecordBatch.from_pydict(data)
    stream = pa.RecordBatchReader.from_batches(batch.schema, [batch, batch])
    summary = vd.summarise(stream, label="y", score="p", **options)
    assert summary.rows == 6


BASE = {"label": "y", "score": "p"}
OTHERS = [
    ({"label": "z"}, "the label column"),
    ({"positive": "1"}, "the positive class"),
    ({"score": "q"}, "the score columns"),
    ({"score": ["p", "q"]}, "the score columns"),
    ({"grid": "probability/12"}, "the grid of 'p'"),
    ({"grid": "line/20"}, "the grid of 'p'"),
    ({"exact": True}, "the grid of 'p'"),
    ({"groups": "region"}, "the grouping columns"),
    ({"weight": "w"}, "the weight column"),
    ({"bins": 15}, "the number of bins"),
    ({"thresholds": [0.5]}, "the thresholds"),
]


@pytest.mark.parametrize(("other", "named"), OTHERS)
def test_other_choices_refuse_and_are_named(other, named):
    data = {"y": [1, 0], "z": [1, 0], "p": [0.9, 0.1], "q": [0.9, 0.1], "w": [1, 1], "region": "ab"}
    data["region"] = list(data["region"])
    mine, theirs = vd.summarise(data, **BASE), vd.summarise(data, **(BASE | other))
    for one, two in ((mine, theirs), (theirs, mine)):
        with pytest.raises(MismatchError, match=named):
            _ = one + two


@pytest.mark.parametrize("options", [{}, {"exact": True}, {"grid": "line/20"}])
def test_scores_of_two_types_refuse_and_name_the_column(options):
    data = {"y": np.array([1, 0]), "p": np.array([0.9, 0.1])}
    single = {**data, "p": data["p"].astype(np.float32)}
    mine, theirs = (vd.summarise(rows, **BASE, **options) for rows in (data, single))
    with pytest.raises(MismatchError, match=r"float32") as caught:
        _ = mine + theirs
    assert "'p'" in str(caught.value)


def test_one_score_outside_makes_none_a_forecast_in_any_order():
    parts = [
        vd.summarise({"y": [1, 0], "p": scores}, **BASE, grid="line/12")
        for scores in ([0.5, 0.25], [0.5, 1.5], [0.125, 1.0])
    ]
    sums = [reduce(add, [parts[i] for i in order]) for order in ((0, 1, 2), (1, 2, 0), (2, 0, 1))]
    assert len({one.sha256 for one in sums}) == 1
    assert "calibration.brier" not in vd.evaluate(sums[0])
    assert "calibration.brier" in vd.evaluate(parts[0] + parts[2])


def test_the_same_data_twice_are_noticed():
    data = {"y": [1, 0, 1, 0], "p": [0.9, 0.6, 0.4, 0.1]}
    one = vd.summarise(data, **BASE)
    other = vd.summarise({"y": [1, 0], "p": [0.8, 0.1]}, **BASE)
    assert "repeated_source" in vd.evaluate(one + other + one)["roc_auc"].notes
    assert "repeated_source" not in vd.evaluate(one + other)["roc_auc"].notes
