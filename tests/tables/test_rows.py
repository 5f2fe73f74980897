"""Rows as the engines get them: checked, complete, and counted."""

import json
import subprocess
import sys

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from tests.tables.forms import FILES, named
from veridical.errors import (
    InputError,
    LabelError,
    ParameterError,
    ScoreError,
    UnsupportedTypeError,
)
from veridical.tables import Roles, iter_rows, read_rows

ROLES = Roles("y", ("p",))
DROP = Roles("y", ("p",), missing="drop")


def decoded(values):
    return [float(v) if v in ("NaN", "Infinity", "-Infinity") else v for v in values]


@pytest.fixture(scope="module")
def golden(shared):
    cases = json.loads((shared / "golden/classification_cases.json").read_text())["cases"]
    return {case["id"]: case for case in cases}


def source(case, dtype=None):
    given = case["input"]
    labels = np.array(given["y"], dtype=dtype) if dtype else given["y"]
    return {"y": labels, "p": decoded(given.get("score", given.get("p")))}


def auc(rows):
    p, y = rows.scores["p"], rows.positive
    wins = np.sign(p[y][:, None] - p[~y][None, :])
    return float((wins.mean() + 1) / 2)


def test_golden_nan_score(golden):
    case = golden["nan_score"]
    with pytest.raises(ScoreError, match="1 score missing") as caught:
        read_rows(source(case), ROLES)
    assert caught.value.where == "column 'p', row 1"
    rows = read_rows(source(case), DROP)
    assert auc(rows) == case["expected"]["auc_if_drop"]
    assert rows.n_skipped == case["expected"]["dropped"]


def test_golden_string_labels(golden):
    case = golden["string_labels"]
    rows = read_rows(source(case), Roles("y", ("p",), positive=case["params"]["pos_label"]))
    assert auc(rows) == case["expected"]["auc"]
    with pytest.raises(LabelError):
        read_rows(source(case), ROLES)


def test_golden_labels_1_2(golden):
    case = golden["labels_1_2"]
    assert (
        auc(read_rows(source(case), Roles("y", ("p",), positive=2)))
        == (case["expected"]["auc_pos2"])
    )
    with pytest.raises(LabelError, match="1, 2"):
        read_rows(source(case), ROLES)


def test_golden_bool_labels(golden):
    case = golden["bool_labels"]
    rows = read_rows(source(case), ROLES)
    assert auc(rows) == case["expected"]["auc"]
    brier = np.mean((rows.scores["p"] - rows.positive) ** 2)
    assert brier == pytest.approx(case["expected"]["brier"], abs=case["tol"])


def test_golden_uint8_labels(golden):
    case = golden["uint8_labels"]
    rows = read_rows(source(case, np.uint8), ROLES)
    brier = np.mean((rows.scores["p"] - rows.positive) ** 2)
    assert brier == pytest.approx(case["expected"]["brier"], abs=case["tol"])


def test_golden_denormals_and_float32(golden):
    assert auc(read_rows(source(golden["denormal_not_tied"]), ROLES)) == 1.0
    case = golden["float64_pair_tied_in_float32"]
    assert auc(read_rows(source(case), ROLES)) == case["expected"]["auc_float64"]
    narrow = {"y": case["input"]["y"], "p": np.array(case["input"]["score"], dtype=np.float32)}
    assert auc(read_rows(narrow, ROLES)) == case["expected"]["auc_float32"]


def test_golden_negative_weight(golden):
    case = golden["weights_negative"]
    data = {**source(case), "w": case["input"]["weight"]}
    with pytest.raises(InputError, match="negative") as caught:
        read_rows(data, Roles("y", ("p",), weight="w"))
    assert caught.value.where == "column 'w', row 1"


def test_golden_missing_group(golden):
    case = golden["fairness_missing_group"]
    data = {"y": case["input"]["y"], "p": case["input"]["pred"], "g": case["input"]["group"]}
    groups = read_rows(data, Roles("y", ("p",), groups=("g",))).groups["g"]
    counts = np.bincount(groups.codes)
    assert dict(zip(groups.names, counts.tolist(), strict=True)) == case["expected"]["groups"]


def test_golden_out_of_range(golden):
    case = golden["brier_out_of_range"]
    clamped, n = read_rows(source(case), ROLES).probabilities("p")
    assert (clamped.tolist(), n) == ([1.0, 0.5], 1)


def test_missing_scores_are_not_counted_by_a_class_that_is_a_guess():
    with pytest.raises(LabelError, match="1, 2"):
        read_rows({"y": [1, 2], "p": [0.5, None]}, ROLES)


def test_drop_leaves_out_a_row_that_misses_anything_and_counts_it():
    data = {
        "y": [1, 0, None, 0, 1, 0],
        "a": [0.9, None, 0.3, 0.2, 0.1, 0.5],
        "b": [0.8, 0.1, None, None, 0.4, 0.6],
        "g": ["x", "y", "y", "y", "x", "z"],
        "w": [1, 2, 3, 4, 5, 6],
        "c": [10, 20, 30, 40, 50, 60],
    }
    roles = Roles(
        "y", ("a", "b"), weight="w", groups=("g",), cluster="g", costs={"fn": "c"}, missing="drop"
    )
    rows = read_rows(data, roles)
    assert rows.positive.tolist() == [True, True, False]
    assert rows.scores["a"].tolist() == [0.9, 0.1, 0.5]
    assert rows.scores["b"].tolist() == [0.8, 0.4, 0.6]
    assert rows.weight.tolist() == [1, 5, 6]
    assert rows.costs["fn"].tolist() == [10, 50, 60]
    assert rows.groups["g"].names == ["x", "z"]
    assert rows.groups["g"].codes.tolist() == [0, 0, 1]
    assert (rows.n_read, rows.n, rows.n_skipped) == (6, 3, 3)
    assert rows.missing == {"y": 1, "a": 1, "b": 2}


def test_dropped_rows_do_not_count_in_the_hash():
    whole = read_rows({"y": [1, 0, 1], "p": [0.5, 0.25, None]}, DROP)
    kept = read_rows({"y": [1, 0], "p": [0.5, 0.25]}, ROLES)
    assert whole.sha256 == kept.sha256


def test_dropped_rows_do_not_count_in_the_clusters():
    data = {"y": [1, 0, 1], "p": [0.5, None, 0.25], "c": ["a", "b", "c"]}
    rows = read_rows(data, Roles("y", ("p",), cluster="c", missing="drop"))
    assert rows.cluster.tolist() == [0, 1]


def test_row_numbers_are_told_as_if_none_had_been_left_out():
    rows = read_rows({"y": [None, 1, 0], "p": [0.5, 0.25, 7.0]}, DROP)
    with pytest.raises(ScoreError, match="outside") as caught:
        rows.probabilities("p")
    assert caught.value.where == "column 'p', row 2"


def test_everything_dropped_is_no_rows():
    rows = read_rows({"y": [None, None], "p": [0.5, 0.25]}, DROP)
    assert (rows.n, rows.n_skipped) == (0, 2)


def test_no_rows_in_memory_are_no_error():
    assert read_rows({"y": [], "p": []}, ROLES).n == 0


def test_batches_count_missing_over_the_whole_table():
    data = {"y": [0, 1] * 50, "p": [0.5, None] + [0.5] * 96 + [None, None]}
    with pytest.raises(ScoreError) as whole:
        read_rows(data, ROLES)
    with pytest.raises(ScoreError) as batches:
        list(iter_rows(data, ROLES, size=10))
    assert (
        batches.value.what
        == whole.value.what
        == ("3 scores missing: 2 of positives, 1 of negatives")
    )


def test_batches_count_missing_labels_over_the_whole_table():
    data = {"y": [0, None] + [1] * 30 + [None], "p": [0.5] * 33}
    with pytest.raises(LabelError, match="2 labels missing"):
        list(iter_rows(data, ROLES, size=10))


def test_the_last_batch_knows_the_notes():
    data = {"y": [1, 2] * 10 + [3], "p": [0.5] * 21}
    *_, last = iter_rows(data, Roles("y", ("p",), positive=2), size=10)
    assert last.notes == ("one_vs_rest",)
    assert last.classes == {"positive": ["2"], "negative": ["1", "3"]}


def test_batches_judge_the_labels_at_the_end():
    data = {"y": [0] * 20 + [1, 2], "p": [0.5] * 22}
    with pytest.raises(LabelError, match="0, 1, 2"):
        list(iter_rows(data, ROLES, size=10))


def test_the_row_number_in_a_later_batch():
    data = {"y": [0, 1] * 50, "p": [0.5] * 99 + ["x"]}
    data["p"] = [str(v) for v in data["p"]]
    with pytest.raises(ScoreError) as caught:
        list(iter_rows(data, ROLES, size=10))
    assert caught.value.where == "column 'p', row 99"


def test_columns_of_different_lengths():
    with pytest.raises(InputError, match="different lengths") as caught:
        read_rows({"y": [0, 1], "p": [0.5]}, ROLES)
    assert "'y' has 2 rows, 'p' has 1 row" in caught.value.where


@pytest.mark.parametrize(
    "wrong", [5, None, [], [1, 2], np.zeros((2, 2)), b"path", pd.Series([1]), object()], ids=named
)
def test_what_is_not_a_table(wrong):
    with pytest.raises(UnsupportedTypeError):
        read_rows(wrong, ROLES)


def test_records_with_different_keys():
    rows = [{"y": 1, "p": 0.5}, {"y": 0, "q": 0.25}]
    assert read_rows(rows, DROP).missing == {"p": 1}


def test_columns_named_by_numbers():
    frame = pd.DataFrame([[1, 0.5], [0, 0.25]])
    assert read_rows(frame, Roles("0", ("1",))).scores["1"].tolist() == [0.5, 0.25]


def test_a_column_that_occurs_twice_in_a_frame():
    frame = pd.DataFrame([[1, 0.5, 0.6]], columns=["y", "p", "p"])
    with pytest.raises(InputError, match="occurs 2 times"):
        read_rows(frame, ROLES)


def test_label_and_score_are_two_columns():
    with pytest.raises(ParameterError, match="both label and score"):
        Roles("y", ("y",))


def test_missing_is_a_closed_choice():
    with pytest.raises(ParameterError, match="error"):
        Roles("y", ("p",), missing="ignore")


def test_scores_outside_the_unit_interval_rank_but_are_no_probabilities():
    rows = read_rows({"y": [0, 1], "p": [-3.0, 7.0]}, ROLES)
    assert not rows.in_unit_interval("p")
    with pytest.raises(ScoreError, match="outside"):
        rows.probabilities("p")


def test_anything_that_speaks_arrow():
    class Stream:
        def __init__(self, table):
            self.table = table

        def __arrow_c_stream__(self, requested_schema=None):
            return self.table.__arrow_c_stream__(requested_schema)

    rows = read_rows(Stream(pa.table({"y": [0, 1], "p": [0.5, 0.25]})), ROLES)
    assert rows.scores["p"].tolist() == [0.5, 0.25]


def test_decimals_that_were_rounded_are_noted():
    wide = pa.array(["0.12345678901234567", "0.5"]).cast(pa.decimal128(20, 17))
    assert read_rows({"y": [0, 1], "p": wide}, ROLES).notes == ("decimals_rounded",)


@pytest.mark.parametrize("name", ["a.csv", "a.parquet", "a.jsonl", "a.arrow"])
def test_reading_a_file_imports_no_data_frame_library(name, tmp_path):
    path = tmp_path / name
    table = pa.table({"y": [1, 0], "p": [0.5, 0.25], "g": ["a", None]})
    path.write_bytes(FILES[name](table))
    program = (
        "import sys; from veridical.tables import Roles, read_rows\n"
        f"rows = read_rows({str(path)!r}, Roles('y', ('p',), groups=('g',)))\n"
        "assert len(rows.sha256) == 64\n"
        "print(sorted({'pandas', 'polars', 'narwhals', 'matplotlib'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
