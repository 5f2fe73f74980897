"""Runs and golden sets in every form are one and the same; bad ones are refused with a place."""

from __future__ import annotations

import gzip
import hashlib
import json
import struct

import pyarrow as pa
import pytest

import veridical as vd
from veridical.errors import FileFormatError, FileMissingError, InputError, MismatchError
from veridical.ranking.golden import Golden, golden_hash
from veridical.tables.cbor import read_cbor
from veridical.tables.listings import listing_of
from veridical.tables.text_blocks import text_blocks

QRELS = {"q1": {"d1": 1, "d2": 2, "d3": 3}, "q2": {"d1": 1, "d2": 2}}
RUN = {"q1": {"d3": 0.3, "d2": 0.2, "d1": 0.1}, "q2": {"d2": 0.2, "d1": 0.1}}


def content(listing):
    documents = listing.document.to_pylist()
    rows = zip(listing.query.tolist(), documents, listing.value.tolist(), strict=True)
    return {(listing.queries[query], document): value for query, document, value in rows}


def flat(nested):
    return {(q, d): float(v) for q, docs in nested.items() for d, v in docs.items()}


FORMATS = ["json", "parquet", "trec", "trec.gz"]


@pytest.mark.parametrize("suffix", FORMATS)
@pytest.mark.parametrize(("role", "expected"), [("qrels", QRELS), ("run", RUN)])
def test_every_format_says_the_same(shared, role, expected, suffix):
    listing = listing_of(shared / "data" / "run_formats" / f"{role}.{suffix}", role)
    assert content(listing) == flat(expected)


def test_what_ranx_packs(shared, tmp_path):
    path = shared / "data" / "run_formats" / "run.lz4"
    assert content(listing_of(path, "run")) == flat(RUN)
    (tmp_path / "cut.lz4").write_bytes(path.read_bytes()[:-30])
    with pytest.raises(FileFormatError, match=r"damaged|neither a table nor text"):
        listing_of(tmp_path / "cut.lz4", "run")


CUT = b"\xa2\x62q1\xa1\x61a\xfb\x3f\xd3\x33\x33\x33\x33\x33\x33\x62q2\xa0"


@pytest.mark.parametrize("length", range(len(CUT)))
def test_cbor_that_stops_early(length):
    with pytest.raises(ValueError, match="stop"):
        read_cbor(CUT[:length])


@pytest.mark.parametrize(
    "data", [b"\xbf\xff", b"\xa2\x61a\x01\x61a\x02", CUT + b"\x00", b"\x81\x01", b"\xa1\xa0\x01"]
)
def test_cbor_that_is_no_run(data):
    with pytest.raises(ValueError, match=r"indefinite|twice|after|kind"):
        read_cbor(data)


def test_cbor():
    assert read_cbor(CUT) == {"q1": {"a": 0.3}, "q2": {}}


def columns(nested, number):
    rows = list(flat(nested).items())
    return {
        "query_id": [q for (q, _), _ in rows],
        "doc_id": [d for (_, d), _ in rows],
        number: [v for _, v in rows],
    }


def test_tables_in_memory_and_in_files(tmp_path):
    pandas = pytest.importorskip("pandas")
    table = columns(QRELS, "relevance")
    frame = pandas.DataFrame(table)
    frame.to_csv(tmp_path / "q.csv", index=False)
    frame.to_json(tmp_path / "q.jsonl", orient="records", lines=True)
    for source in (table, frame, tmp_path / "q.csv", tmp_path / "q.jsonl"):
        assert content(listing_of(source, "qrels")) == flat(QRELS)


def test_a_beir_folder(tmp_path):
    (tmp_path / "qrels").mkdir()
    rows = [f"{q}\t{d}\t{g:g}" for (q, d), g in flat(QRELS).items()]
    text = "\n".join(["query-id\tcorpus-id\tscore", *rows, ""])
    (tmp_path / "qrels" / "test.tsv").write_text(text, encoding="utf-8")
    (tmp_path / "qrels" / "train.tsv").write_text(text, encoding="utf-8")
    assert content(listing_of(tmp_path, "qrels")) == flat(QRELS)


TWICE = "q1 Q0 d1 1 0.5 t\n\n# a note\nq1 Q0 d2 2 0.4 t\nq1 Q0 d1 3 0.3 t\n"
TWICE_AS_COLUMNS = {
    "query_id": ["q1"] * 3, "doc_id": ["d1", "d2", "d1"], "score": [3.0, 2.0, 1.0]
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("run.trec", TWICE, "run.trec:1, {0}/run.trec:5, query 'q1'"),
        ("run.trec", TWICE.replace(" ", "  "), "run.trec:1, {0}/run.trec:5, query 'q1'"),
        ("run.csv", "qid,docid,score\nq1,d1,3\nq1,d1,2\n", "run.csv:2, {0}/run.csv:3, query 'q1'"),
        ("run.json", '{"q1": ["d1", "d1"]}', "run.json, query 'q1'"),
    ],
)
def test_a_document_that_stands_twice_is_told_with_its_lines(tmp_path, name, content, told):
    (tmp_path / name).write_text(content, encoding="utf-8")
    for golden in ({"q1": {"d1": 1}}, {"q0": {"d9": 1}, "q1": {"d1": 1}}):
        with pytest.raises(InputError) as caught:
            vd.evaluate_ranking(tmp_path / name, golden)
        assert f"{tmp_path}/{told.format(tmp_path)}; 1 such row" in str(caught.value)


def test_a_document_that_stands_twice_in_a_table_is_told_with_its_rows():
    with pytest.raises(InputError, match=r"rows 0, 2, query 'q1'"):
        vd.evaluate_ranking(TWICE_AS_COLUMNS, {"q1": {"d1": 1}})
    with pytest.raises(InputError, match=r"\(query 'q1'; 1 such row"):
        vd.evaluate_ranking({"q1": ["d1", "d1"]}, {"q1": {"d1": 1}})


def test_a_document_that_is_judged_twice_is_told_with_its_lines(tmp_path):
    (tmp_path / "a.qrels").write_text("q1 0 d1 1\nq1 0 d2 0\n\nq1 0 d1 0\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"a\.qrels:1, .*a\.qrels:4, query 'q1'"):
        vd.evaluate_ranking({"q1": {"d1": 1.0}}, tmp_path / "a.qrels")


@pytest.mark.parametrize("golden", [{1: 5}, {1: None}, {"q1": {"d1": 1}, "q2": 3}])
def test_a_golden_set_whose_entries_are_no_lists_is_refused(golden):
    with pytest.raises(InputError):
        vd.evaluate_ranking({"q1": {"d1": 1.0}}, golden)


def test_an_empty_path_is_no_folder():
    for role in ("run", "qrels"):
        with pytest.raises(FileMissingError, match="the path is empty"):
            listing_of("", role)


def test_lists_stand_in_their_order_and_are_relevant():
    run = {"q": ["b", "a", "c"]}
    assert vd.measure("retrieval.mrr", run, {"q": ["c"]}).value == pytest.approx(1 / 3)


def test_int_and_text_ids_are_one_id_and_that_is_said():
    run, qrels = {1: {10: 0.5, 11: 0.9}}, {"1": {"10": 1}}
    with pytest.warns(UserWarning, match="1 and '1' are one id"):
        assert vd.measure("retrieval.mrr", run, qrels).value == 0.5
    assert vd.measure("retrieval.mrr", run, {1: {10: 1}}).value == 0.5


def test_the_tag_is_read(tmp_path):
    for blanks in (" ", "  "):
        line = blanks.join(["q1", "Q0", "d1", "1", "0.5", "mine"])
        (tmp_path / "a.trec").write_text(f"{line}\n", encoding="utf-8")
        assert listing_of(tmp_path / "a.trec", "run").name == "mine"


def test_words_after_the_tag_belong_to_it(shared):
    listing = listing_of(shared / "data" / "trec_eval" / "results.trunc", "run")
    assert len(listing) == 584
    assert listing.queries == ("301", "303")


BAD = {
    "too few words": ("q1 Q0 d1 1 0.5 t\nq1 Q0 d2 2\n", "a.trec:2", "4 words"),
    "no number": ("q1 Q0 d1 1 0.5 t\n\nq1 Q0 d2 2 high t\n", "a.trec:3", "'high'"),
    "nan": ("q1 Q0 d1 1 nan t\n", "a.trec:1", "'nan'"),
    "underscore": ("q1 Q0 d1 1 1_0 t\n", "a.trec:1", "'1_0'"),
    "too large": ("q1 Q0 d1 1 1e999 t\n", "a.trec:1", "'1e999'"),
    "two blanks hide a missing word": ("q1 Q0 d1  1 0.5\n", "a.trec:1", "5 words"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_line_is_named(tmp_path, name):
    text, where, what = BAD[name]
    (tmp_path / "a.trec").write_text(text, encoding="utf-8")
    with pytest.raises(FileFormatError) as caught:
        listing_of(tmp_path / "a.trec", "run")
    assert where in str(caught.value)
    assert what in str(caught.value)


@pytest.mark.parametrize(
    ("role", "line", "other"),
    [("run", "q1 0 d1 2\n", "golden set"), ("qrels", "q1 Q0 d1 1 0.5 t\n", "run")],
)
def test_a_run_and_a_golden_set_in_each_others_place_are_told(tmp_path, role, line, other):
    (tmp_path / "a.trec").write_text(line, encoding="utf-8")
    with pytest.raises(FileFormatError, match=f"give the {other} where it belongs"):
        listing_of(tmp_path / "a.trec", role)


def test_text_that_is_not_utf_8(tmp_path):
    (tmp_path / "a.trec").write_bytes(b"q1 Q0 d\xff 1 0.5 t\n")
    with pytest.raises(FileFormatError, match="not UTF-8") as caught:
        listing_of(tmp_path / "a.trec", "run")
    assert "a.trec:1" in str(caught.value)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("blank", [" ", "\t", "  \t"])
def test_blanks_line_ends_and_comments(tmp_path, blank, newline):
    lines = [blank.join(["q1", "0", "d1", "1"]), "# six words that look like data", "",
             blank.join(["q1", "0", "d#2", "0"])]  # fmt: skip
    (tmp_path / "q.trec").write_bytes(newline.join(lines).encode())
    assert content(listing_of(tmp_path / "q.trec", "qrels")) == {
        ("q1", "d1"): 1.0,
        ("q1", "d#2"): 0.0,
    }


@pytest.mark.parametrize("value", ["0.5", None, True, float("nan")])
def test_scores_that_are_no_numbers(value):
    with pytest.raises(InputError, match="score"):
        vd.measure("retrieval.map", {"q": {"d": value, "e": 1.0}}, {"q": {"d": 1}})


def test_a_json_key_that_occurs_twice(tmp_path):
    (tmp_path / "run.json").write_text('{"q": {"a": 1.0, "a": 2.0}}', encoding="utf-8")
    with pytest.raises(FileFormatError, match="occurs twice"):
        listing_of(tmp_path / "run.json", "run")


def test_a_document_that_is_judged_twice(tmp_path):
    (tmp_path / "q.trec").write_text("q 0 a 1\nq 0 a 0\n", encoding="utf-8")
    with pytest.raises(InputError, match="document 'a' is judged more than once"):
        vd.measure("retrieval.map", {"q": {"a": 1.0}}, tmp_path / "q.trec")


def hash_of_dict(qrels):
    golden = Golden(qrels)
    golden.order({query: {} for query in qrels}, "docid_desc", "error")
    assert "listing" not in vars(golden)
    return golden.sha256


def test_the_hash_of_a_golden_set_is_that_of_its_judgements(tmp_path):
    (tmp_path / "q.json").write_text(json.dumps(QRELS), encoding="utf-8")
    backwards = {q: dict(reversed(QRELS[q].items())) for q in reversed(QRELS)}
    digests = {
        golden_hash(listing_of(source, "qrels"))
        for source in (QRELS, backwards, tmp_path / "q.json", columns(QRELS, "grade"))
    }
    assert digests == {hash_of_dict(QRELS), hash_of_dict(backwards)}
    assert len(digests) == 1
    other = {**QRELS, "q2": {"d1": 1, "d2": 1}}
    assert golden_hash(listing_of(other, "qrels")) not in digests


@pytest.mark.parametrize(
    "qrels",
    [
        {"q": {}},
        {"é": {"日本": 1.5}, "q": {"b": -0.0, "a": 0}},
        {10: {9: 1, 10: 2}, 9: {1: 0}},
        {"q": {f"the-same-beginning-{at % 7}{at}": at for at in range(200)}},
        {"q": {f"clueweb09-en0000-{at:05}": at for at in range(40)}},
        {"q": {"a": 1, "a\0": 2, "": 3, "aaaaaaaab": 1, "aaaaaaaaa": 0}},
    ],
)
def test_both_ways_to_hash_agree(qrels):
    assert hash_of_dict(qrels) == golden_hash(listing_of(qrels, "qrels"))


def test_the_hash_is_the_one_that_is_documented():
    """Of two queries: one document of grade 2, and none."""
    sizes = struct.pack("<QQ", 2, 1) + struct.pack("<II", 1, 0)
    ids = struct.pack("<II", 2, 2) + b"q1q2" + struct.pack("<I", 3) + b"doc"
    expected = hashlib.sha256(sizes + ids + struct.pack("<d", 2.0)).hexdigest()
    assert golden_hash(listing_of({"q2": {}, "q1": {"doc": 2}}, "qrels")) == expected


def test_a_run_without_any_query_of_the_golden_set_is_refused():
    """Its zeros would be those of ids that do not match."""
    with pytest.raises(MismatchError, match="have no query in common"):
        vd.evaluate_ranking({"q1": {"d1": 1.0}}, {"1": {"d1": 1}})


def test_a_golden_set_without_queries_is_said():
    with pytest.raises(MismatchError, match="the golden set none: "):
        vd.evaluate_ranking({"q1": {"d1": 1.0}}, {})


@pytest.mark.parametrize("as_file", ["run", "golden set"])
@pytest.mark.parametrize("form", ["trec", "csv"])
def test_numbers_beside_the_texts_of_a_file_are_said(tmp_path, as_file, form):
    lines = {
        ("run", "trec"): "1 Q0 10 1 0.5 t\n",
        ("run", "csv"): "query,document,score\n1,10,0.5\n",
        ("golden set", "trec"): "1 0 10 1\n",
        ("golden set", "csv"): "query,document,grade\n1,10,1\n",
    }
    path = tmp_path / f"it.{form}"
    path.write_text(lines[as_file, form], encoding="utf-8")
    run, golden = (path, {1: {10: 1}}) if as_file == "run" else ({1: {10: 0.5}}, path)
    with pytest.warns(UserWarning, match="1 and '1' are one id"):
        assert vd.measure("retrieval.map", run, golden).value == 1.0


def test_strict_refuses_queries_that_one_side_lacks():
    with pytest.raises(MismatchError, match="without results: 'q2'"):
        vd.evaluate_ranking({"q1": {"a": 1.0}}, {"q1": {"a": 1}, "q2": {"a": 1}}, strict=True)


def test_nothing_in_common_is_said():
    with pytest.warns(UserWarning, match="none of the 1 retrieved documents is judged"):
        assert vd.measure("retrieval.map", {"q": {"D1": 1.0}}, {"q": {"d1": 1}}).value == 0.0


def test_empty_lists_shift_no_other_query():
    run = {"q1": {}, "q2": {"a": 1.0}, "q3": {}}
    qrels = {"q0": {}, "q1": {"a": 1}, "q2": {"a": 1}, "q3": {}}
    with pytest.warns(UserWarning, match="without results: 'q0'"):
        ev = vd.evaluate_ranking(run, qrels, ["map"])
    values = ev.query_values("map")
    assert [values.of(q) for q in ("q0", "q1", "q2", "q3")] == [None, 0.0, 1.0, None]
    assert (ev["map"].value, ev["map"].n, ev["map"].counts["n_skipped"]) == (0.5, 2, 2)


def test_infinity_by_name_is_a_score_and_only_in_a_run(tmp_path):
    lines = "q1 Q0 a 1 -inf t\nq1 Q0 b 2 Infinity t\n"
    (tmp_path / "a.trec").write_text(lines, encoding="utf-8")
    assert vd.measure("mrr", tmp_path / "a.trec", {"q1": {"a": 1}}).value == 0.5
    (tmp_path / "q.trec").write_text("q1 0 a inf\n", encoding="utf-8")
    with pytest.raises(InputError, match="a grade is inf"):
        vd.measure("mrr", {"q1": {"a": 1.0}}, tmp_path / "q.trec")


@pytest.mark.parametrize("mark", [",", ";", "|", "\t"])
@pytest.mark.parametrize(("role", "value"), [("run", "score"), ("qrels", "grade")])
def test_columns_of_other_names_are_told(tmp_path, role, value, mark):
    path = tmp_path / "other.csv"
    path.write_text(f"Frage{mark}URL{mark}Note\nq1{mark}d1{mark}1\n", encoding="utf-8")
    with pytest.raises(FileFormatError, match="which column holds the queries") as caught:
        listing_of(path, role)
    assert caught.value.where.endswith("other.csv:1")
    assert caught.value.why == "the columns are 'Frage', 'URL', 'Note'"
    assert caught.value.fix.endswith(f"query, document and {value}")


def test_carriage_returns_end_lines_or_are_refused(tmp_path):
    lines = "q1 Q0 a 1 1 t\rq2 Q0 b 1 1 t\r"
    (tmp_path / "a.trec").write_bytes(lines.encode())
    assert listing_of(tmp_path / "a.trec", "run").queries == ("q1", "q2")
    ev = vd.evaluate_ranking(tmp_path / "a.trec", {"q1": {"a": 1}, "q2": {"b": 1}}, ["mrr"])
    assert (ev["mrr"].value, ev["mrr"].n) == (1.0, 2)
    (tmp_path / "b.trec").write_bytes(lines.replace(" ", "  ").encode())
    with pytest.raises(FileFormatError, match="carriage return") as caught:
        vd.measure("mrr", tmp_path / "b.trec", {"q1": {"a": 1}})
    assert "b.trec:1" in str(caught.value)


def test_zero_bytes_are_no_text(tmp_path):
    (tmp_path / "a.trec").write_bytes(b"q1 Q0 a\x00 1 1 t\n")
    with pytest.raises(FileFormatError, match="neither a table nor text"):
        vd.measure("mrr", tmp_path / "a.trec", {"q1": {"a": 1}})


def test_a_bad_line_inside_gzip(tmp_path):
    text = "q1 Q0 a 1 1 t\nq1 Q0 b 2\n"
    (tmp_path / "a.trec.gz").write_bytes(gzip.compress(text.encode()))
    with pytest.raises(FileFormatError, match="4 words") as caught:
        vd.measure("mrr", tmp_path / "a.trec.gz", {"q1": {"a": 1}})
    assert "a.trec.gz:2" in str(caught.value)
    (tmp_path / "cut.trec.gz").write_bytes(gzip.compress(text.encode())[:-9])
    with pytest.raises(FileFormatError, match="damaged"):
        vd.measure("mrr", tmp_path / "cut.trec.gz", {"q1": {"a": 1}})


CODECS = [("gz", "gzip"), ("bz2", "bz2"), ("zst", "zstd"), ("lz4", "lz4")]


@pytest.mark.parametrize(("suffix", "codec"), CODECS)
def test_compressed_text_is_ranked_as_plain_text_is(tmp_path, suffix, codec):
    rows = [f"q{at % 90} Q0 d{at} 1 {at % 17} tag\n" for at in range(30_000)]
    text = "".join(sorted(rows)).encode()
    qrels = {f"q{at}": {f"d{at + 90 * one}": one % 3 for one in range(9)} for at in range(90)}
    (tmp_path / "a.trec").write_bytes(text)
    with pa.CompressedOutputStream(str(tmp_path / f"a.trec.{suffix}"), codec) as file:
        file.write(text)
    plain, packed = (
        vd.evaluate_ranking(tmp_path / name, qrels, intervals=False)
        for name in ("a.trec", f"a.trec.{suffix}")
    )
    assert [one.value for one in plain.results] == [one.value for one in packed.results]
    assert plain["map"].ok
    assert text_blocks(tmp_path / f"a.trec.{suffix}") is not None


HALF = "\ud800"
"""Half of a pair of surrogates: a text in Python, and in no file."""


@pytest.mark.parametrize(
    ("run", "qrels"),
    [
        ({f"q{HALF}": {"d1": 1.0}}, {f"q{HALF}": {"d1": 1}}),
        ({f"q{HALF}": ["d1"]}, {f"q{HALF}": {"d1": 1}}),
        ({"q1": {f"d{HALF}": 1.0}}, {"q1": {f"d{HALF}": 1}}),
        ({"q1": ["d1"]}, {"q1": {"d1": 1}, f"q{HALF}": {"d1": 1}}),
    ],
)
def test_an_id_of_a_golden_set_that_no_file_can_hold_is_refused(run, qrels):
    with pytest.raises(InputError, match="no valid text"):
        vd.evaluate_ranking(run, qrels, ["mrr"])


@pytest.mark.parametrize("documents", [["d1"], {"d1": 1.0}])
def test_such_a_query_of_a_run_alone_is_left_out_and_told(documents):
    with pytest.warns(UserWarning, match="1 of 2 queries are not in the golden set"):
        ev = vd.evaluate_ranking({"q1": documents, HALF: documents}, {"q1": {"d1": 1}}, ["mrr"])
    assert ev["mrr"].value == 1.0
