"""Cases read from files: every fault with its place, all of them at once, and what is only odd."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.cli import main
from veridical.errors import FileFormatError, FileMissingError
from veridical.rag.answers import CaseError
from veridical.rag.dataset import read_cases, read_dataset
from veridical.rag.json_places import columns_of

LONG = "a" * 999


def written(folder, *lines):
    file = folder / "cases.jsonl"
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    file.write_text("\n".join(texts), encoding="utf-8")
    return file


def case(id_="q1", **fields):
    return {"id": id_, "question": "How much?", **fields}


def test_every_field(tmp_path):
    chunk = {"id": 3, "text": "T.", "score": 0.5, "metadata": {"document_id": "d"}}
    answer = {"text": "2 euros", "citations": ["3"], "retrieved_chunks": [chunk]}
    fields = {
        "kind": "injection",
        "expected_answer": "2",
        "expected_source_ids": {"a": 2, "b": 0},
        "adversarial_payload": "override",
        "language": "de",
        "tags": ["fees"],
        "metadata": {"level": 1},
        "answer": answer,
    }
    (read,) = read_cases(written(tmp_path, case(**fields)))
    assert (read.id, read.question, read.kind, read.line) == ("q1", "How much?", "injection", 1)
    assert (dict(read.expected_sources), read.graded) == ({"a": 2.0, "b": 0.0}, True)
    assert (read.adversarial_payload, read.language, read.tags) == ("override", "de", ("fees",))
    assert (read.expected_answer, read.metadata) == ("2", {"level": 1})
    assert read.answer.citations == ("3",)
    assert [(one.id, one.score) for one in read.answer.retrieved_chunks] == [("3", 0.5)]


def test_what_is_left_out_and_what_is_null(tmp_path):
    nulls = dict.fromkeys(("kind", "expected_source_ids", "tags", "metadata", "answer"))
    plain, empty = read_cases(written(tmp_path, case("a"), case("b", **nulls)))
    assert plain.kind == empty.kind == "qa"
    assert plain.answer is empty.answer is None
    assert dict(plain.expected_sources) == dict(empty.expected_sources) == {}


def test_a_byte_order_mark_empty_lines_and_line_ends_of_windows(tmp_path):
    file = tmp_path / "cases.jsonl"
    lines = ["", json.dumps(case("a")), "  ", json.dumps(case("b"))]
    file.write_bytes(b"\xef\xbb\xbf" + "\r\n".join(lines).encode())
    assert [(one.id, one.line) for one in read_cases(file)] == [("a", 2), ("b", 4)]


@pytest.mark.parametrize(
    ("line", "column", "said"),
    [
        ('{"id": "a", "question": "?"', 28, "this is not JSON: Expecting ',' delimiter"),
        ('{"id": "a", "question": "?"} x', 30, "this is not JSON: Extra data"),
        ('{"id": "a", "question": NaN}', 1, "NaN is not JSON"),
        ('{"id": "a", "question": "?", "id": "b"}', 30, "the key 'id' stands twice"),
        ('{"id": "a", "question": "?", "metadata": {"x": 1, "x": 2}}', 51, "the key 'x' stands"),
        ('["a", "?"]', 1, "this is an array"),
        ('{"metadata": ' + "[" * 100 + "]" * 100 + "}", 1, "in more than 100 levels"),
        ('"a"', 1, "this is no object"),
        ('{"id": "a", "qestion": "?"}', 13, "no field 'qestion'; did you mean 'question'?"),
        ('{"question": "?"}', 1, "the case has no id"),
        ('{"id": " ", "question": "?"}', 2, "the case has an empty id"),
        ('{"id": "a"}', 1, "the case has no question"),
        (f'{{"id": "{"a" * 401}", "question": "?"}}', 2, "at most 400 long, not 401"),
        (f'{{"{LONG}": 1, "{LONG}": 2}}', 1008, f"the key {LONG[:80]!r} stands"),
        ('{"id": "a", "question": " "}', 13, "the case has no question"),
        ('{"id": "a", "question": 5}', 13, "question is a text, not 5"),
        ('{"id": "a", "question": "?", "kind": "QA"}', 30, "kind is qa, unanswerable or injection"),
        ('{"id": "a", "question": "?", "tags": "x"}', 30, "tags are a list of texts"),
        ('{"id": "a", "question": "?", "expected_source_ids": "x"}', 30, "a list, or an object"),
        ('{"id": "a", "question": "?", "expected_source_ids": {"x": 0.5}}', 30, "a grade is 0, or"),
        ('{"id": "a", "question": "?", "answer": {"txt": "x"}}', 30, "did you mean 'text'?"),
        ('{"id": "a", "question": "?", "answer": {"text": 1}}', 30, "answer.text is a text"),
    ],
)
def test_a_bad_line_is_an_error_with_its_place(tmp_path, line, column, said):
    file = written(tmp_path, case("fine"), line)
    with pytest.raises(FileFormatError) as refused:
        read_dataset(file)
    assert refused.value.where == f"{file}:2:{column}"
    assert said in refused.value.what
    assert "char" not in refused.value.what
    assert refused.value.exit_code == 65


def test_bytes_that_are_no_utf_8_have_a_column_of_characters(tmp_path):
    file = tmp_path / "cases.jsonl"
    file.write_bytes('{"id": "\u00e9'.encode() + b'\xff"}')
    with pytest.raises(FileFormatError, match="this is not UTF-8") as refused:
        read_dataset(file)
    assert refused.value.where == f"{file}:1:10"


def test_all_problems_are_told_at_once(tmp_path):
    file = written(tmp_path, '{"id": 1,', case("a"), case("a"), case("b", qestion="?"), [1])
    with pytest.raises(FileFormatError, match="has 4 problems") as refused:
        read_dataset(file)
    places = [line.split(": ")[0] for line in refused.value.listed]
    assert places == [f"{file}:1:10", f"{file}:3:2", f"{file}:4:38", f"{file}:5:1"]


def test_of_many_problems_ten_are_shown(tmp_path):
    file = written(tmp_path, *["x"] * 25)
    with pytest.raises(FileFormatError, match="has 25 problems") as refused:
        read_dataset(file)
    *shown, rest = refused.value.listed
    assert [line.startswith(f"{file}:") for line in shown] == [True] * 10
    assert rest == "and 15 more"
    assert str(refused.value).splitlines()[11] == "  and 15 more"


def test_an_id_twice_is_an_error(tmp_path):
    with pytest.raises(FileFormatError, match="the id 'a' stands on line 1 too") as refused:
        read_dataset(written(tmp_path, case("a"), case("b"), case("a")))
    assert refused.value.where.endswith(":3:2")


def test_1_and_text_1_are_two_ids_and_odd(tmp_path):
    found = read_dataset(written(tmp_path, case("1"), case(1), case(2)))
    assert [one.id for one in found.cases] == ['"1"', "1", "2"]
    assert found.warnings == (
        "the case id 1 is written as a number and as a text; the text is called '\"1\"'",
    )


@pytest.mark.parametrize(
    ("one", "other", "but_for"),
    [
        ("Q1", "q1", "case or white space"),
        ("q1", " q1", "case or white space"),
        ("stra\u00dfe", "STRASSE", "case or white space"),
        ("caf\u00e9", "cafe\u0301", "how accents are written"),
    ],
)
def test_ids_that_look_alike_are_odd(tmp_path, one, other, but_for):
    cases = read_dataset(written(tmp_path, case(one), case(other)))
    assert cases.warnings == (f"the case ids {one!r} and {other!r} are equal but for {but_for}",)
    sources = read_dataset(written(tmp_path, case("a", expected_source_ids=[one, other])))
    assert sources.warnings == (
        f"the source ids {one!r} and {other!r} are equal but for {but_for}",
    )


def test_sources_that_are_numbers_and_texts_are_one_and_odd(tmp_path):
    answer = {"text": "a", "retrieved_chunks": [{"id": "7", "text": ""}]}
    found = read_dataset(written(tmp_path, case("a", expected_source_ids=[7], answer=answer)))
    assert dict(found.cases[0].expected_sources) == {"7": 1.0}
    assert found.warnings == (
        "the source id 7 is written as a number and as a text; both are read as the text",
    )


def test_an_injection_without_a_payload_is_odd(tmp_path):
    found = read_dataset(written(tmp_path, case("a", kind="injection"), case("b")))
    assert found.warnings == ("1 injection cases have no adversarial_payload: 'a'",)


def test_almost_the_id_of_a_payload_is_odd(tmp_path):
    payloads = ["override", "overide", "Override", "ZEBRA-9"]
    cases = [case(f"c{n}", kind="injection", adversarial_payload=p) for n, p in enumerate(payloads)]
    assert read_dataset(written(tmp_path, *cases)).warnings == (
        "the payload 'overide' is looked for to the letter; 'override' is registered",
        "the payload 'Override' is looked for to the letter; 'override' is registered",
    )


def test_a_chunk_without_an_id_is_an_error_of_the_case_alone(tmp_path):
    answer = {"text": "a", "retrieved_chunks": [{"id": "x", "text": ""}, {"text": ""}]}
    bad, good = read_dataset(written(tmp_path, case("a", answer=answer), case("b"))).cases
    assert bad.answer == CaseError("bad_reply", "chunk 2 has no id")
    assert good.answer is None
    assert bad.sha256 != good.sha256


def test_warnings_are_printed(tmp_path, monkeypatch, capsys):
    written(tmp_path, case("1"), case(1))
    (tmp_path / "veridical.yaml").write_text("version: 1\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(["rag", "validate"]) in {0, None}
    assert "warning: the case id 1 is written as a number" in capsys.readouterr().out
    assert main(["rag", "run", "--json"]) == 0
    found = capsys.readouterr()
    assert "warning: the case id 1 is written as a number" in found.err
    assert "warning" not in json.loads(found.out)


def test_of_many_warnings_a_run_prints_five(tmp_path, monkeypatch, capsys):
    written(tmp_path, *(case(id_) for n in range(7) for id_ in (n, str(n))))
    (tmp_path / "veridical.yaml").write_text("version: 1\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(["rag", "run"]) == 0
    told = capsys.readouterr().err
    assert told.count("warning: ") == 5
    assert "and 2 more: see `veridical rag validate`" in told


def test_a_bad_line_ends_the_command_with_65(tmp_path, monkeypatch, capsys):
    written(tmp_path, case("a"), '{"id": "b", "id": "c"}', case("a"))
    (tmp_path / "veridical.yaml").write_text("version: 1\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(["rag", "run"]) == 65
    told = capsys.readouterr().err
    assert "cases.jsonl:2:13: the key 'id' stands twice" in told
    assert "cases.jsonl:3:2: the id 'a' stands on line 1 too" in told


def test_a_chunk_without_an_id_fails_its_case_and_no_other(tmp_path, monkeypatch, capsys):
    good = {"text": "2 euros", "retrieved_chunks": [{"id": "x", "text": "2 euros"}]}
    bad = {"text": "2 euros", "retrieved_chunks": [{"text": "2 euros"}]}
    fields = {"expected_source_ids": ["x"], "expected_answer": "2 euros"}
    cases = [case("a", answer=good, **fields), case("b", answer=bad, **fields)]
    written(tmp_path, *cases)
    (tmp_path / "veridical.yaml").write_text("version: 1\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(["rag", "run", "--json"]) == 0
    results = [one for one in json.loads(capsys.readouterr().out)["results"] if not one["group"]]
    assert {one["n_case_errors"] for one in results} == {1}
    values = {one["metric"]: one["value"] for one in results}
    assert (values["retrieval.recall@5"], values["echo.exact_match"]) == (1.0, 1.0)


@pytest.mark.parametrize("content", [b"", b"\n \n", b"\xef\xbb\xbf"])
def test_a_file_without_a_case_is_an_error(tmp_path, content):
    (tmp_path / "cases.jsonl").write_bytes(content)
    with pytest.raises(FileFormatError, match="has no case"):
        read_dataset(tmp_path / "cases.jsonl")


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(FileMissingError):
        read_dataset(tmp_path / "none.jsonl")
    with pytest.raises(FileFormatError, match="cannot be read"):
        read_dataset(tmp_path)
    with pytest.raises(FileFormatError, match="a device, which may have no end"):
        read_dataset("/dev/zero")


def test_a_map_names_columns_within_objects_too(tmp_path):
    record = {"nr": 4, "text": "How much?", "info": {"level": 3, "lang": "fr"}}
    mapping = {
        "id": "nr",
        "question": "text",
        "language": "info.lang",
        "metadata.level": "info.level",
    }
    (read,) = read_dataset(written(tmp_path, record), mapping).cases
    assert (read.id, read.question, read.language) == ("4", "How much?", "fr")
    assert read.metadata == {"level": 3}


def test_the_hash_is_of_what_the_cases_say_and_not_of_how(tmp_path):
    one = read_dataset(written(tmp_path, case("a", tags=[]), case("b")))
    two = read_dataset(written(tmp_path, "", '{"question":"How much?","id":"a"}', case("b")))
    other = read_dataset(written(tmp_path, case("b"), case("a")))
    assert one.sha256 == two.sha256 != other.sha256


@given(st.dictionaries(st.text(max_size=5), st.text(max_size=5), max_size=5))
def test_columns_are_where_the_keys_stand(record):
    line = json.dumps(record)
    for key, column in columns_of(line).items():
        assert line[column - 1 :].startswith(json.dumps(key))
    assert set(columns_of(line)) == set(record)


@pytest.fixture(scope="module")
def scratch(tmp_path_factory):
    """A folder for all the files of a search."""
    return tmp_path_factory.mktemp("any")


@given(st.text(max_size=60))
def test_any_text_is_cases_or_an_error_with_a_place(scratch, text):
    file = scratch / "cases.jsonl"
    file.write_bytes(text.encode("utf-8", "surrogatepass"))
    refused = None
    try:
        read_dataset(file)
    except FileFormatError as error:
        refused = str(error)
    assert refused is None or str(file) in refused
