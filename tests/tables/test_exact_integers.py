"""Integers that float64 would round are refused wherever they come from; large ones are not."""

import json

import pyarrow as pa
import pytest
from pyarrow import feather, parquet

import veridical as vd
from veridical.errors import ScoreError

BIG = 2**53


def a_csv(path, scores):
    path.write_text("y,s\n" + "".join(f"{i % 2},{s}\n" for i, s in enumerate(scores)))


def a_jsonl(path, scores):
    path.write_text("".join(f'{{"y": {i % 2}, "s": {s}}}\n' for i, s in enumerate(scores)))


def a_json(path, scores):
    path.write_text(json.dumps([{"y": i % 2, "s": s} for i, s in enumerate(scores)]))


def a_table(scores):
    return pa.table({"y": [i % 2 for i in range(len(scores))], "s": pa.array(scores)})


WRITERS = {
    "s.csv": a_csv,
    "s.jsonl": a_jsonl,
    "s.json": a_json,
    "s.parquet": lambda path, scores: parquet.write_table(a_table(scores), path),
    "s.arrow": lambda path, scores: feather.write_feather(a_table(scores), str(path)),
}


def read(path, **options):
    return vd.evaluate(str(path), ["roc_auc"], label="y", score="s", intervals=False, **options)


@pytest.mark.parametrize("engine", ["memory", "batches"])
@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("sign", [1, -1])
def test_two_integers_that_would_tie_are_refused(tmp_path, name, engine, sign):
    scores = [0, 1] * 500 + [sign * BIG, sign * (BIG + 1), 3]
    WRITERS[name](tmp_path / name, scores)
    with pytest.raises(ScoreError, match=r"1 integer beyond 2\*\*53") as caught:
        read(tmp_path / name, engine=engine)
    assert str(BIG + 1) in str(caught.value)
    lines = {"s.csv": "s.csv:1003", "s.jsonl": "s.jsonl:1002", "s.json": "s.json:1002"}
    assert lines.get(name, "1001") in caught.value.where


@pytest.mark.parametrize("engine", ["memory", "batches"])
@pytest.mark.parametrize("name", WRITERS)
def test_large_numbers_that_are_held_exactly_are_legal(tmp_path, name, engine):
    """Positives at odd places have the larger score of each pair."""
    scores = [0, BIG, 2**60, 2**61, 2**62, 2**62 + 1024]
    WRITERS[name](tmp_path / name, scores)
    assert read(tmp_path / name, engine=engine)["roc_auc"].value == 2 / 3


@pytest.mark.parametrize("name", ["s.csv", "s.jsonl"])
def test_large_fractions_are_no_integers(tmp_path, name):
    WRITERS[name](tmp_path / name, [1e300, 1.7e308, 9007199254740993.0, "1e21"])
    assert read(tmp_path / name)["roc_auc"].ok


@pytest.mark.parametrize("digits", ["18446744073709551617", "1" + "0" * 30 + "1", "-" + "9" * 400])
@pytest.mark.parametrize("name", ["s.csv", "s.jsonl"])
def test_an_integer_beyond_every_type(tmp_path, name, digits):
    WRITERS[name](tmp_path / name, [0, digits])
    with pytest.raises(ScoreError, match="beyond"):
        read(tmp_path / name)


def test_text_is_held_to_the_same():
    with pytest.raises(ScoreError, match=r"beyond 2\*\*53: '9007199254740993'.*row 1"):
        vd.measure("roc_auc", [1, 0], ["1", str(BIG + 1)])
    assert vd.measure("roc_auc", [1, 0], [str(BIG), "1"]).value == 1


@pytest.mark.parametrize("engine", ["memory", "batches"])
@pytest.mark.parametrize("name", ["s.csv", "s.jsonl"])
@pytest.mark.parametrize("beyond", ["1e999", "-1.5E+309"])
def test_a_number_beyond_every_double_is_no_infinity(tmp_path, name, engine, beyond):
    WRITERS[name](tmp_path / name, [0, 1] * 500 + ["1e308", beyond, 3])
    with pytest.raises(ScoreError, match=r"1 number beyond 1\.8e308") as caught:
        read(tmp_path / name, engine=engine)
    assert beyond in str(caught.value)
    assert {"s.csv": "s.csv:1003", "s.jsonl": "s.jsonl:1002"}[name] in caught.value.where


def test_infinity_may_be_written_as_such_and_beyond_text_is_refused(tmp_path):
    a_csv(tmp_path / "s.csv", ["-inf", "inf", "1e308", "1e307"])
    assert read(tmp_path / "s.csv")["roc_auc"].value == 0.75
    with pytest.raises(ScoreError, match=r"beyond 1\.8e308: '1e999'.*row 1"):
        vd.measure("roc_auc", [1, 0], ["1", "1e999"])
    a_jsonl(tmp_path / "other.jsonl", [0.5, 0.25])
    text = (tmp_path / "other.jsonl").read_text().replace("}", ', "t": 1e999}')
    (tmp_path / "other.jsonl").write_text(text)
    assert read(tmp_path / "other.jsonl")["roc_auc"].ok  # in a column that nobody asked for
