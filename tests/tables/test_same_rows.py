"""The same rows give the same arrays and the same hash, whatever they are written in."""

import math

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.forms import FILES, OBJECTS
from veridical.tables import Roles, iter_rows, open_table, read_rows

ROLES = Roles("label", ("score",), weight="weight", groups=("group",), cluster="group")
SCORES = [0.1, 1 / 3, 5e-324, 1e300, -0.0, 0.30000000000000004]
TABLE = pa.table({
    "unused": [[1], [2], [3], [4], [5], [6]],
    "label": [1, 0, 0, 1, 1, 0],
    "score": SCORES,
    "weight": [1.0, 2.0, 0.5, 1.0, 0.0, 3.25],
    "group": ["north", "süd, tief", 'say "hi"\nthere', "007", "NA", "north"],
})  # fmt: skip
USED = TABLE.drop_columns("unused")


@pytest.fixture(params=[*FILES, *OBJECTS])
def same_rows(request, tmp_path):
    """A function from an Arrow table to the same rows as a file, a frame or Python objects."""
    name = request.param
    if name in OBJECTS:
        return OBJECTS[name]

    def write(table: pa.Table) -> str:
        path = tmp_path / name
        path.write_bytes(FILES[name](table))
        return str(path)

    return write


def test_every_form_gives_the_same_rows(same_rows):
    rows = read_rows(same_rows(USED), ROLES)
    assert rows.positive.tolist() == [True, False, False, True, True, False]
    assert rows.scores["score"].tolist() == SCORES
    assert rows.weight.tolist() == USED["weight"].to_pylist()
    assert [rows.groups["group"].names[c] for c in rows.groups["group"].codes] == (
        USED["group"].to_pylist()
    )
    assert rows.cluster[0] == rows.cluster[5]
    assert len(set(rows.cluster.tolist())) == 5


def test_every_form_has_the_same_hash(same_rows):
    assert read_rows(same_rows(USED), ROLES).sha256 == read_rows(USED, ROLES).sha256


def test_every_form_can_be_read_in_batches(same_rows):
    batches = list(iter_rows(same_rows(USED), ROLES, size=2))
    assert sum(map(len, batches)) == 6
    assert np.concatenate([rows.scores["score"] for rows in batches]).tolist() == SCORES
    assert np.concatenate([rows.positive for rows in batches]).sum() == 3


@pytest.mark.parametrize("name", ["a.jsonl", "a.parquet", "a.arrow", "a.arrows", "a.json"])
def test_a_column_that_is_not_needed_is_not_read(name, tmp_path):
    # A list in every row: reading that column as a number or text would be refused.
    path = tmp_path / name
    path.write_bytes(FILES[name](TABLE))
    assert read_rows(str(path), ROLES).sha256 == read_rows(USED, ROLES).sha256


CHANGES = {
    "label": [0, 0, 0, 1, 1, 0],
    "score": [0.10000000000000002, *SCORES[1:]],
    "weight": [1.0, 2.0, 0.5, 1.0, 0.0, 3.5],
    "group": ["north", "süd, tief", 'say "hi"\nthere', "7", "NA", "north"],
}


@pytest.mark.parametrize("name", CHANGES)
def test_another_value_gives_another_hash(name):
    changed = USED.set_column(USED.column_names.index(name), name, pa.array(CHANGES[name]))
    assert read_rows(changed, ROLES).sha256 != read_rows(USED, ROLES).sha256


def test_another_order_of_rows_gives_another_hash():
    order = [5, 4, 3, 2, 1, 0]
    assert read_rows(USED.take(order), ROLES).sha256 != read_rows(USED, ROLES).sha256


def test_group_names_cannot_run_into_each_other():
    one, two = (
        read_rows({"y": [0, 1], "s": [0.1, 0.2], "g": names}, Roles("y", ("s",), groups=("g",)))
        for names in (["ab", "c"], ["a", "bc"])
    )
    assert one.sha256 != two.sha256


def test_negative_zero_is_zero_in_the_hash():
    one, two = (read_rows({"y": [0, 1], "s": [z, 1.0]}, Roles("y", ("s",))) for z in (0.0, -0.0))
    assert one.sha256 == two.sha256


def test_labels_spelled_otherwise_have_the_same_hash():
    spelled = [[1, 0], [True, False], ["1", "0"], [1.0, -1.0], np.array([1, 0], dtype=np.uint8)]
    roles = Roles("y", ("s",))
    assert len({read_rows({"y": y, "s": [0.1, 0.2]}, roles).sha256 for y in spelled}) == 1


numbers = st.floats(allow_nan=False)
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"), min_size=1)


@given(
    st.lists(st.tuples(st.booleans(), numbers, texts), min_size=1, max_size=20),
    st.sampled_from(["a.csv", "a.tsv", "semicolon.csv", "utf16.csv", "a.jsonl", "a.parquet"]),
)
def test_any_rows_come_back(tmp_path_factory, rows, name):
    labels, scores, groups = (list(column) for column in zip(*rows, strict=True))
    if name == "a.jsonl":
        scores = [s if math.isfinite(s) else 0.0 for s in scores]
    table = pa.table({"label": labels, "score": pa.array(scores, pa.float64()), "group": groups})
    path = tmp_path_factory.mktemp("any") / name
    path.write_bytes(FILES[name](table))
    roles = Roles("label", ("score",), groups=("group",))
    assert read_rows(str(path), roles).sha256 == read_rows(table, roles).sha256


def test_the_hmda_file_in_parquet_has_the_hash_of_the_csv(shared, tmp_path):
    from pyarrow import csv, parquet

    path = shared / "data/credit/hmda_scores.csv"
    parquet.write_table(csv.read_csv(path), tmp_path / "hmda.parquet")
    roles = Roles("denied", ("p_logistic", "p_boosting"), groups=("black", "single"))
    one, two = read_rows(str(path), roles), read_rows(str(tmp_path / "hmda.parquet"), roles)
    assert one.n == 2380
    assert one.sha256 == two.sha256


def test_several_files_are_one_table(tmp_path):
    for number in range(3):
        part = USED.slice(2 * number, 2)
        (tmp_path / f"part-{number}.parquet").write_bytes(FILES["a.parquet"](part))
    (tmp_path / "_SUCCESS").write_text("")
    (tmp_path / ".part-0.parquet.crc").write_bytes(b"\0")
    whole = read_rows(USED, ROLES).sha256
    parts = sorted(tmp_path.glob("part-*.parquet"))
    for source in (tmp_path, str(tmp_path / "*.parquet"), parts):
        assert read_rows(source, ROLES).sha256 == whole
    assert open_table(tmp_path).describe() == {
        "kind": "parquet", "path": str(tmp_path), "files": 3,
    }  # fmt: skip


def test_float32_stays_float32():
    table = pa.table({"y": [0, 1], "s": pa.array([0.1, 0.100000001], pa.float32())})
    scores = read_rows(table, Roles("y", ("s",))).scores["s"]
    assert scores.dtype == np.float32
    assert scores[0] == scores[1]
