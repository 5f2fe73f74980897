"""Every file that cannot be used says what is wrong, where, and what to do."""

import gzip
import os
from pathlib import Path

import pyarrow as pa
import pytest

import veridical as vd
from tests.tables.forms import FILES
from veridical.errors import (
    FileFormatError,
    FileMissingError,
    InputError,
    MissingColumnError,
    UnsupportedTypeError,
    VeridicalError,
)
from veridical.tables import Roles, iter_rows, json_file, read_rows

ROLES = Roles("y", ("p",))
GOOD = b"y,p\n1,0.5\n0,0.25\n"
PARQUET = FILES["a.parquet"](pa.table({"y": [1, 0] * 50, "p": [0.5, 0.25] * 50}))
ARROW = FILES["a.arrow"](pa.table({"y": [1, 0], "p": [0.5, 0.25]}))
STREAM = FILES["a.arrows"](pa.table({"y": [1, 0], "p": [0.5, 0.25]}))

# File name, content, error, words of the message, place.
CASES = [
    ("empty.csv", b"", FileFormatError, "empty", "empty.csv"),
    ("empty.parquet", b"", FileFormatError, "empty", "empty.parquet"),
    ("empty.csv.gz", gzip.compress(b""), FileFormatError, "empty", "empty.csv.gz"),
    ("header.csv", b"y,p\n", InputError, "no rows", "header.csv"),
    ("blank.jsonl", b"\n\n", InputError, "no rows", "blank.jsonl"),
    ("header_only.csv", b"y,p", InputError, "no rows", "header_only.csv"),
    ("no_header.csv", b"1,0.5\n0,0.2\n", MissingColumnError, "add a header line", "no_header.csv"),
    ("case.csv", b"Y,p\n1,0.5\n", MissingColumnError, "did you mean 'Y'?", "case.csv"),
    ("space.csv", b"y, p\n1,0.5\n", MissingColumnError, "did you mean ' p'?", "space.csv"),
    ("twice.csv", b"y,p,p\n1,0.5,0.6\n", InputError, "occurs 2 times", "twice.csv"),
    ("short.csv", b"y,p\n1,0.5\n\n0\n", FileFormatError, "1 values", "short.csv:4"),
    ("long.csv", b"y,p\n1,0.5\n0,0.2,9\n", FileFormatError, "3 values", "long.csv:3"),
    (
        "quoted.csv",
        b'g,y,p\n"two\nlines",1,0.5\nx,0\n',
        FileFormatError,
        "2 values, the header names 3",
        "quoted.csv:4",
    ),
    ("open.csv", b'y,p\n1,0.5\n1,"0.5\n0,0.2\n', FileFormatError, "never closed", "open.csv"),
    ("text.csv", b"y,p\n1,0.5\n0,high\n", InputError, "'high'", "text.csv:3"),
    ("comma.csv", b"y;p\n1;0,5\n0;0,2\n", InputError, "decimal point", "comma.csv:2"),
    ("latin.csv", "y,p\ncafé,0.5\n".encode("latin-1"), FileFormatError, "UTF-8", "latin.csv"),
    ("zero.csv", b"y,p\n1,0.\0005\n", FileFormatError, "neither a table nor text", "zero.csv"),
    ("noise.csv", bytes(range(256)) * 8, FileFormatError, "neither", "noise.csv"),
    ("noise.parquet", bytes(range(256)) * 8, FileFormatError, "neither", "noise.parquet"),
    ("csv.parquet", GOOD, FileFormatError, "suffix", "csv.parquet"),
    ("parquet.csv", PARQUET, FileFormatError, "parquet file", "parquet.csv"),
    ("arrow.parquet", ARROW, FileFormatError, "arrow file", "arrow.parquet"),
    ("packed.csv", gzip.compress(GOOD), FileFormatError, "gzip-compressed", "packed.csv"),
    ("plain.csv.gz", GOOD, FileFormatError, "not gzip", "plain.csv.gz"),
    ("cut.parquet", PARQUET[:-20], FileFormatError, "cut short", "cut.parquet"),
    ("magic.parquet", b"PAR1", FileFormatError, "cut short", "magic.parquet"),
    ("cut.arrow", ARROW[:-20], FileFormatError, "cut short", "cut.arrow"),
    ("cut.arrows", STREAM[: len(STREAM) // 2], FileFormatError, "cut short", "cut.arrows"),
    ("book.xlsx", b"PK\x03\x04....", FileFormatError, "Excel", "book.xlsx"),
    ("model.pkl", b"\x80\x04....", FileFormatError, "pickle", "model.pkl"),
    ("no.jsonl", b'{"y":1,"p":0.5}\n{"y":0,"p":\n', FileFormatError, "not JSON", "no.jsonl:2"),
    ("five.jsonl", b'{"y":1,"p":0.5}\n5\n', FileFormatError, "object is needed", "five.jsonl:2"),
    ("twice.jsonl", b'{"y":1,"p":0.5,"p":1}\n', FileFormatError, "twice", "twice.jsonl:1"),
    (
        "mixed.jsonl",
        b'{"y":1,"p":0.5}\n\n{"y":0,"p":"x"}\n',
        InputError,
        "mixed types",
        "mixed.jsonl:3",
    ),
    ("list.jsonl", b'{"y":1,"p":[0.5]}\n', InputError, "one value a row", "list.jsonl:1"),
    ("absent.jsonl", b'{"y":1,"q":0.5}\n', MissingColumnError, "no column 'p'", "absent.jsonl"),
]


def written(folder: Path, name: str, content: bytes) -> str:
    path = folder / name
    path.write_bytes(content)
    return str(path)


@pytest.mark.parametrize(
    ("name", "content", "kind", "words", "place"), CASES, ids=[case[0] for case in CASES]
)
@pytest.mark.parametrize("batches", [False, True], ids=["whole", "batches"])
def test_a_bad_file_says_what_where_and_what_to_do(
    tmp_path, name, content, kind, words, place, batches
):
    path = written(tmp_path, name, content)
    with pytest.raises(VeridicalError) as caught:
        list(iter_rows(path, ROLES)) if batches else read_rows(path, ROLES)
    error = caught.value
    assert type(error) is kind
    assert words in str(error)
    assert str(tmp_path / place) in error.where
    assert error.fix


@pytest.mark.parametrize("fraction", [0.2, 0.5, 0.9, 0.99])
def test_a_gzip_file_that_was_cut_short_is_refused(tmp_path, fraction):
    rows = b"".join(b"%d,0.%06d\n" % (i % 2, i * 7919 % 1000003) for i in range(20_000))
    packed = gzip.compress(b"y,p\n" + rows)
    path = written(tmp_path, "cut.csv.gz", packed[: int(len(packed) * fraction)])
    with pytest.raises(FileFormatError, match="damaged"):
        read_rows(path, ROLES)


def test_a_duplicate_that_is_not_needed_does_no_harm(tmp_path):
    path = written(tmp_path, "spare.csv", b"y,p,q,q\n1,0.5,8,9\n0,0.25,8,9\n")
    assert read_rows(path, ROLES).scores["p"].tolist() == [0.5, 0.25]


def parts(folder: Path, seventh: pa.Table) -> Path:
    for number in range(1, 10):
        table = seventh if number == 7 else pa.table({"y": [1, 0], "p": [0.5, 0.25]})
        written(folder, f"part{number}.parquet", FILES["a.parquet"](table))
    return folder


@pytest.mark.parametrize(
    ("seventh", "words"),
    [
        ({"y": [1, 0], "p": ["a", "b"]}, "mixed types"),
        ({"y": [1, 0], "q": [0.5, 0.25]}, "no column 'p'"),
        ({"y": [1, 0], "p": [0.5, None]}, "1 score missing"),
        ({"y": [1, 0], "p": [[0.5], [0.25]]}, "one value a row"),
    ],
)
def test_the_one_bad_file_of_nine_is_named(tmp_path, seventh, words):
    with pytest.raises(InputError) as caught:
        read_rows(parts(tmp_path, pa.table(seventh)), ROLES)
    assert words in str(caught.value)
    assert "part7.parquet" in str(caught.value)


def test_an_empty_file_among_nine_is_legal(tmp_path):
    schema = pa.schema([("y", pa.int64()), ("p", pa.float64())])
    assert read_rows(parts(tmp_path, schema.empty_table()), ROLES).n == 16


def test_numbers_and_bad_text_in_another_csv(tmp_path):
    written(tmp_path, "a.csv", GOOD)
    written(tmp_path, "b.csv", b"y,p\n1,0.5\n0,NA\n1,n/a\n")
    with pytest.raises(InputError, match="2 scores missing") as caught:
        read_rows(tmp_path, ROLES)
    assert f"{tmp_path / 'b.csv'}:3, {tmp_path / 'b.csv'}:4" in caught.value.where


def test_no_such_file_names_a_near_one(tmp_path):
    written(tmp_path, "scores.csv", GOOD)
    with pytest.raises(FileNotFoundError, match=r"did you mean 'scores\.csv'\?"):
        read_rows(tmp_path / "score.csv", ROLES)


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("", "path is empty"),
        ("a" * 5000, "no file"),
        ("zero\0byte.csv", "no file"),
        ("none/*.csv", "no file matches"),
    ],
    ids=["empty", "long", "zero byte", "pattern"],
)
def test_a_path_that_names_nothing(path, words):
    with pytest.raises(FileMissingError, match=words):
        read_rows(path, ROLES)


def test_a_folder_without_tables(tmp_path):
    written(tmp_path, "readme.txt", b"nothing here")
    with pytest.raises(FileFormatError, match="no file that can be read"):
        read_rows(tmp_path, ROLES)


def test_a_folder_with_the_same_rows_twice(tmp_path):
    written(tmp_path, "a.csv", GOOD)
    written(tmp_path, "a.parquet", PARQUET)
    with pytest.raises(FileFormatError, match="several kinds"):
        read_rows(tmp_path, ROLES)


def test_a_remote_address_is_not_fetched():
    with pytest.raises(UnsupportedTypeError, match="no network call"):
        read_rows("https://example.org/scores.csv", ROLES)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_does_not_hang(tmp_path):
    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(FileFormatError, match="not a regular file"):
        read_rows(tmp_path / "pipe.csv", ROLES)


def test_permission_denied(tmp_path, monkeypatch):
    path = written(tmp_path, "secret.csv", GOOD)
    if os.geteuid() == 0:  # the superuser may read everything

        def refuse(*args, **kwargs):
            raise PermissionError(13, "Permission denied", path)

        monkeypatch.setattr(pa, "input_stream", refuse)
    else:
        Path(path).chmod(0)
    with pytest.raises(InputError, match="permission") as caught:
        read_rows(path, ROLES)
    assert caught.value.where == path


def test_a_hostile_name_is_escaped(tmp_path):
    path = written(tmp_path, "a\x1b[2J.csv", b"y,q\n1,2\n")
    with pytest.raises(MissingColumnError) as caught:
        read_rows(path, ROLES)
    assert "\x1b" not in str(caught.value)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b'{"y":0,"p":"x"}', "mixed types"),
        (b'{"y":0,"p":', "not JSON"),
        (b'{"p":[1]}', "one value"),
    ],
)
def test_a_bad_line_in_a_later_block_of_json(tmp_path, monkeypatch, line, words):
    monkeypatch.setattr(json_file, "_BLOCK", 1000)
    lines = [b'{"y":1,"p":0.5}'] * 500
    lines[321] = line
    path = written(tmp_path, "far.jsonl", b"\n".join(lines))
    with pytest.raises(InputError, match=words) as caught:
        list(iter_rows(path, ROLES))
    assert caught.value.where == f"{path}:322"


def test_not_a_number_in_a_later_block_of_json(tmp_path, monkeypatch):
    monkeypatch.setattr(json_file, "_BLOCK", 1000)
    lines = [b'{"y":1,"p":0.5}'] * 500
    lines[321] = b'{"y":0,"p":NaN,"late":1}'
    path = written(tmp_path, "far.jsonl", b"\n".join(lines))
    batches = list(iter_rows(path, Roles("y", ("p",), missing="drop")))
    assert len(batches) > 5
    assert sum(rows.n_skipped for rows in batches) == 1


def test_lines_within_quotes_across_the_blocks_of_a_file(tmp_path):
    # Every row has three lines, so that a block boundary falls between quotes.
    rows = b"".join(b'"a\n%d\nb",%d,0.5\n' % (i, i % 2) for i in range(200_000))
    path = written(tmp_path, "lines.csv", b"g,y,p\n" + rows)
    assert read_rows(path, ROLES).n == 200_000
    assert sum(rows.n for rows in iter_rows(path, ROLES)) == 200_000


def test_the_first_bad_row_is_far_down(tmp_path):
    # Beyond the first block of a megabyte: types must not be guessed from the top of the file.
    lines = [b"0,0\n"] * 400_000
    lines[399_000] = b"1,0.5\n"
    path = written(tmp_path, "far.csv", b"y,p\n" + b"".join(lines))
    assert read_rows(path, ROLES).scores["p"].max() == 0.5
    assert sum(rows.positive.sum() for rows in iter_rows(path, ROLES)) == 1
    lines[399_500] = b"0,oops\n"
    path = written(tmp_path, "far.csv", b"y,p\n" + b"".join(lines))
    with pytest.raises(InputError, match="oops") as caught:
        read_rows(path, ROLES)
    assert caught.value.where.endswith("far.csv:399502")


@pytest.mark.parametrize("quoted", [False, True])
@pytest.mark.parametrize("engine", ["memory", "batches"])
@pytest.mark.parametrize("before", [0, 40_000])
def test_a_long_text_in_another_column_does_no_harm(tmp_path, quoted, engine, before):
    text = '"' + "a prompt,\n" * 250_000 + '"' if quoted else "x" * 2_500_000
    content = "y,s,t\n" + "1,0.5,a\n0,0.25,b\n" * before + f"1,0.75,{text}\n0,0.25,c\n"
    path = written(tmp_path, "long.csv", content.encode())
    ev = vd.evaluate(path, ["roc_auc"], label="y", score="s", engine=engine, intervals=False)
    assert (ev.source["n_rows"], ev["roc_auc"].value) == (2 * before + 2, 1)


def test_a_fault_behind_a_long_text_is_placed(tmp_path):
    path = written(tmp_path, "long.csv", b'y,s,t\n1,0.5,"' + b"z\n" * 200_000 + b'"\n0,x,a\n')
    with pytest.raises(InputError, match=r"long\.csv:200003"):
        vd.evaluate(path, label="y", score="s")


def test_a_part_without_objects_adds_no_rows(tmp_path):
    for name, content in {"a": b"\n", "b": b'{"y": 1, "p": 0.5}\n', "c": b"\n\n"}.items():
        (tmp_path / f"{name}.jsonl").write_bytes(content)
    assert len(read_rows(str(tmp_path), ROLES).positive) == 1
