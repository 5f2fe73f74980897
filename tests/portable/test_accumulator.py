"""``Accumulator``: batch by batch, in any order and on any machine, what all rows give at once."""

import pickle
from functools import reduce
from operator import add

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import veridical as vd
from tests.portable.rows import WEIGHTS, columns, example, part
from veridical.errors import (
    InputError,
    LabelError,
    MismatchError,
    ParameterError,
    ScoreError,
    UnsupportedTypeError,
)


def filled(data, sizes, **options):
    """Fill an accumulator with consecutive batches."""
    accumulator = vd.Accumulator(label="y", score="p", **options)
    start = 0
    for size in [*sizes, len(data["y"])]:
        rows = slice(start, start + size)
        weight = data["w"][rows] if "w" in data else None
        accumulator.update(data["y"][rows], data["p"][rows], weight)
        start += size
    return accumulator


@given(st.data())
def test_batches_of_any_size_give_the_summary_of_all_rows(data):
    weighted = data.draw(st.booleans())
    rows = data.draw(columns(weights=WEIGHTS if weighted else None))
    sizes = data.draw(st.lists(st.integers(0, 5), max_size=6))
    options = {"thresholds": [0.3], "weight": "w" if weighted else None}
    accumulator = filled(rows, sizes, **options)
    whole = vd.summarise(rows, label="y", score="p", **options)
    assert accumulator.summary() == whole
    assert accumulator.rows == whole.rows == len(rows["y"])


@given(st.data())
def test_the_order_of_merging_never_matters(data):
    rows = data.draw(columns())
    n = len(rows["y"])
    owner = data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    parts = [
        filled(part(rows, [row for row in range(n) if owner[row] == which]), [2])
        for which in range(4)
    ]
    sums = [reduce(add, [parts[i] for i in data.draw(st.permutations(range(4)))]) for _ in range(2)]
    assert sums[0].summary() == sums[1].summary()
    if n:
        assert sums[0].summary() == vd.summarise(rows, label="y", score="p")


def test_merging_changes_neither_side():
    one, two = filled(example(1, 50), []), filled(example(2, 50), [])
    before = one.summary(), two.summary()
    both = one + two
    both.update([1], [0.5])
    assert (one.summary(), two.summary()) == before
    assert (one.rows, two.rows, both.rows) == (50, 50, 101)


def test_it_measures_what_evaluate_measures():
    data = example(3, 4_000)
    accumulator = filled(data, [1, 10, 500, 1_000], thresholds=[0.3], bins=15)
    held = accumulator.result()
    rows = vd.evaluate(data, label="y", score="p", threshold=0.3, bins=15)
    assert held.keys() == rows.keys()
    for name, exact in rows.items():
        result = held[name]
        if result.bounds is None:
            assert result.value == pytest.approx(exact.value, abs=1e-12)
        else:
            assert exact.value in result.bounds
            assert result.bounds.width < 0.002
    assert held["recall"].value == rows["recall"].value
    assert held["ece"].value == rows["ece"].value


def test_more_batches_may_follow_a_result():
    accumulator = vd.Accumulator()
    accumulator.update([1, 0], [0.9, 0.6])
    assert accumulator.result(["roc_auc"])["roc_auc"].value == 1.0
    accumulator.update([1, 0], [0.4, 0.1])
    assert accumulator.result(["roc_auc"])["roc_auc"].value == 0.75


def test_nothing_yet_is_skipped():
    results = vd.Accumulator().result().values()
    assert {result.reason for result in results} == {vd.SkipReason.NO_ROWS}


@pytest.mark.parametrize("probabilities", [None, True, False])
def test_its_state_does_not_grow_with_the_rows(probabilities):
    # A coarse grid is full soon; from then on nothing is added but digits of counts.
    grid = {"probabilities": probabilities} if probabilities is None else {}
    grid = grid or {"grid": "probability/5" if probabilities else "line/10"}
    accumulator, sizes = vd.Accumulator(**grid), []
    for batch in range(12):
        data = example(batch, 70_000, ties=2**12)
        accumulator.update(data["y"], data["p"])
        accumulator.summary()
        sizes.append(len(pickle.dumps(accumulator)))
    assert sizes[-1] < 1.02 * sizes[3]
    assert sizes[-1] < 1_000_000


def test_waiting_rows_are_bounded_too():
    accumulator = vd.Accumulator(grid="line/5")
    for _ in range(5_000):
        accumulator.update([], [])
        accumulator.update(1, 0.5)
    assert accumulator.rows == 5_000
    assert len(pickle.dumps(accumulator)) < 3_000_000
    assert len(accumulator._waiting) < 5_000


def test_it_goes_to_another_process_and_back():
    accumulator = filled(example(4, 300), [100], thresholds=[0.5])
    again = pickle.loads(pickle.dumps(accumulator))  # noqa: S301 - our own bytes
    assert again.summary() == accumulator.summary()
    assert (again + accumulator).rows == 600


def test_its_summary_merges_with_that_of_a_file(tmp_path):
    data = example(5, 400)
    pd.DataFrame(data).iloc[200:].to_csv(tmp_path / "rest.csv", index=False)
    first = filled({name: values[:200] for name, values in data.items()}, []).summary()
    rest = vd.summarise(tmp_path / "rest.csv", label="y", score="p")
    assert first + rest == vd.summarise(data, label="y", score="p")


LABELS, SCORES = [1, 0, 1], [0.5, 0.25, 0.125]


class OnlyDlpack:
    """An array of a library that speaks nothing but DLPack."""

    def __init__(self, values):
        self._values = np.asarray(values)

    def __dlpack__(self, **options):
        return self._values.__dlpack__(**options)

    def __dlpack_device__(self):
        return self._values.__dlpack_device__()


class OnAnotherDevice(OnlyDlpack):
    def __dlpack__(self, **options):
        raise BufferError("it lives on another device")


@pytest.mark.parametrize(
    "kind", [list, tuple, np.array, pd.Series, pl.Series, pa.array, OnlyDlpack, "column vector"]
)
def test_any_column_of_values_is_taken(kind):
    make = (lambda values: np.array(values)[:, None]) if kind == "column vector" else kind
    accumulator = vd.Accumulator()
    accumulator.update(make(LABELS), make(SCORES))
    reference = vd.Accumulator()
    reference.update(LABELS, SCORES)
    assert accumulator.summary() == reference.summary()


def test_an_array_on_another_device_is_refused():
    with pytest.raises(UnsupportedTypeError, match="another device"):
        vd.Accumulator().update(LABELS, OnAnotherDevice(SCORES))


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_tensors(dtype):
    torch = pytest.importorskip("torch")
    scores = torch.tensor(SCORES, dtype=getattr(torch, dtype), requires_grad=True)
    accumulator = vd.Accumulator()
    accumulator.update(torch.tensor(LABELS), scores)
    accumulator.update(torch.tensor(1), scores[0])
    accumulator.update(torch.tensor(LABELS)[:, None], scores[:, None])
    numpy = vd.Accumulator()
    values = np.array(SCORES, dtype=np.float64 if dtype == "float64" else np.float32)
    for labels, rows in (([1, 0, 1], values), ([1], values[:1]), ([1, 0, 1], values)):
        numpy.update(labels, rows)
    assert accumulator.summary() == numpy.summary()


class Tensor:
    """What of a tensor is asked of it, for where torch is not installed."""

    __module__ = "torch"

    def __init__(self, values, on="cuda"):
        self._values, self._on, self.dtype, self.ndim = np.asarray(values), on, "float", 1

    def detach(self):
        return Tensor(self._values, self._on)

    def cpu(self):
        return Tensor(self._values, "cpu")

    def numpy(self):
        assert self._on == "cpu"
        return self._values


def test_a_tensor_on_another_device_comes_to_the_cpu():
    accumulator, reference = vd.Accumulator(), vd.Accumulator()
    accumulator.update(Tensor(LABELS), Tensor(SCORES))
    reference.update(LABELS, SCORES)
    assert accumulator.summary() == reference.summary()


def test_torch_is_not_imported_for_others():
    import subprocess
    import sys

    code = (
        "import sys, veridical as vd; a = vd.Accumulator(); a.update([1, 0], [0.9, 0.1]); "
        "a.result(); print('torch' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"


BAD = [
    ([1, 0], [0.5, float("nan")], ScoreError, r"1 score missing.*batch 3.*row 1"),
    ([1, None], [0.5, 0.5], LabelError, r"1 label missing.*batch 3.*row 1"),
    ([1, 2], [0.5, 0.5], LabelError, r"batch 3"),
    (["a", "b"], [0.5, 0.5], LabelError, r"batch 3"),
    ([1, -1], [0.5, 0.5], LabelError, r"0 in some batches and -1 in others.*batch 3"),
    ([1, 0], ["x", "y"], ScoreError, r"batch 3"),
    ([1, 0], [0.5], InputError, r"different lengths.*batch 3"),
    ([1, 0], np.array([0.5, 0.5], np.float32), MismatchError, r"float32.*batch 3"),
    ([1, 0], np.ones((2, 2)), InputError, r"batch 3"),
]


@pytest.mark.parametrize(("labels", "scores", "kind", "match"), BAD)
def test_a_bad_batch_is_named_and_leaves_no_trace(labels, scores, kind, match):
    accumulator = vd.Accumulator()
    accumulator.update([1, 0], [0.9, 0.6])
    accumulator.update([1, 0], [0.4, 0.1])
    before = accumulator.summary()
    with pytest.raises(kind, match=match):
        accumulator.update(labels, scores)
    assert accumulator.summary() == before
    accumulator.update([1, 0], [0.5, 0.5])
    assert accumulator.rows == 6


def test_a_batch_that_fails_late_does_not_decide_what_may_follow():
    accumulator = vd.Accumulator(probabilities=True)
    with pytest.raises(ScoreError, match=r"batch 1.*row 0"):
        accumulator.update([-1], np.array([7.0], np.float32))
    accumulator.update([0, 1], [0.5, 0.25])
    assert accumulator.rows == 2


def test_missing_values_may_be_dropped_and_are_counted():
    accumulator = vd.Accumulator(missing="drop")
    accumulator.update([1, None, 0], [0.9, 0.5, None])
    accumulator.update([0], [0.25])
    ev = accumulator.result()
    assert (ev.source["n_read"], ev.source["n_rows"]) == (4, 2)
    assert ev.source["missing"] == {"label": 1, "score": 1}


def test_the_positive_class_may_be_named_and_must_occur_somewhere():
    accumulator = vd.Accumulator(positive="fraud")
    accumulator.update(["ok", "ok"], [0.1, 0.2])
    with pytest.raises(LabelError, match="fraud"):
        accumulator.result()
    accumulator.update(["fraud", "ok"], [0.9, 0.2])
    assert accumulator.result()["roc_auc"].value == 1.0


def test_whether_scores_are_forecasts_is_settled_at_the_end():
    accumulator = vd.Accumulator()
    accumulator.update([1, 0], [0.9, 0.6])
    assert "brier" in accumulator.result()
    accumulator.update([1], [1.5])
    assert "brier" not in accumulator.result()
    assert accumulator.summary().header.scores == {"score": "line/20"}
    forecasts = vd.Accumulator()
    forecasts.update([1, 0], [0.9, 0.6])
    for both in (accumulator + forecasts, forecasts + accumulator):
        assert both.summary().header.scores == {"score": "line/20"}
        assert both.rows == 5


OPTIONS = [
    ({"thresholds": [0.5]}, "thresholds"),
    ({"bins": 5}, "bins"),
    ({"grid": "line/12"}, "."),
    ({"probabilities": True}, "probabilities"),
    ({"label": "z"}, "label"),
    ({"score": "z"}, "score"),
    ({"positive": 1}, "positive"),
    ({"weight": "w"}, "weight"),
]


@pytest.mark.parametrize(("options", "match"), OPTIONS)
def test_other_options_do_not_merge(options, match):
    for one, two in ((vd.Accumulator(), vd.Accumulator(**options)),) * 2:
        with pytest.raises(MismatchError, match=match):
            _ = one + two


@pytest.mark.parametrize(
    "options",
    [
        {"grid": "line/12", "probabilities": True},
        {"grid": "histogram"},
        {"bins": 0},
        {"thresholds": [float("inf")]},
        {"missing": "ignore"},
    ],
)
def test_options_that_contradict_or_do_not_exist(options):
    with pytest.raises(ParameterError):
        vd.Accumulator(**options)


def test_weights_are_announced():
    with pytest.raises(ParameterError, match="announced"):
        vd.Accumulator().update([1], [0.5], [2.0])
    with pytest.raises(ParameterError, match="without weights"):
        vd.Accumulator(weight="w").update([1], [0.5])
    with pytest.raises(InputError, match=r"negative.*batch 1"):
        vd.Accumulator(weight="w").update([1], [0.5], [-1.0])
