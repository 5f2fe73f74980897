"""Files in the shape of other tools: what each column becomes, and what is not guessed."""

import json
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.cli import main
from veridical.errors import FileFormatError
from veridical.rag.aliases import LAYOUTS, text_id
from veridical.rag.answers import Answer, Chunk, Reply
from veridical.rag.cases import Case
from veridical.rag.dataset import read_dataset
from veridical.rag.scoring import ScoreSettings, score

FILES = Path(__file__).with_name("other_tools")
TICKET = "A single ticket costs 2.80 euros."
DOGS = "Dogs travel free."
RECALL = "retrieval.recall@5"


def read(name) -> dict[str, Case]:
    found = read_dataset(FILES / f"{name}.jsonl")
    assert found.layout == name.replace("_testset", "").replace("_before_02", " before 0.2")
    return {case.id: case for case in found.cases}


def hashed(text) -> Chunk:
    return Chunk(text_id(text), text)


def test_ragas():
    ticket, office, dogs, bikes = read("ragas").values()
    assert (ticket.id, ticket.question) == ("line-1", "What does a single ticket cost?")
    assert ticket.expected_answer == TICKET
    assert ticket.answer == Answer("2.80 euros.", (), (hashed(TICKET), hashed(DOGS)))
    assert dict(ticket.expected_sources) == {text_id(TICKET): 1.0}
    assert ticket.metadata["rubrics"] == {"score1_description": "wrong"}
    # Both sides have ids: they are compared, whatever the texts say.
    assert dict(office.expected_sources) == {"office-1": 1.0, "7": 1.0}
    assert office.answer.retrieved_chunks == (Chunk("office-1", "The office opens at 9."),)
    # Ids are expected and texts were retrieved: nothing can be compared.
    assert dict(dogs.expected_sources) == {}
    assert dogs.metadata["reference_context_ids"] == ["dogs-1"]
    assert (bikes.question, bikes.answer) == ("Do bikes pay?", None)


def test_texts_that_were_retrieved_count_where_the_same_are_expected():
    case = read("ragas")["line-1"]
    found = score(case, Reply(case.answer), {}, ScoreSettings(k=2))
    assert found["retrieval.precision@2"].value == 0.5
    assert found["retrieval.recall@2"].value == 1.0


def test_expected_texts_are_no_sources_for_a_pipeline_with_ids_of_its_own():
    case = read("ragas_testset")["line-1"]
    assert (dict(case.expected_sources), case.answer) == ({}, None)
    assert case.metadata["reference_contexts"] == [TICKET]
    assert case.metadata["persona_name"] == "Commuter"
    reply = Reply(Answer("2.80 euros.", (), (Chunk("fares#1", TICKET),)))
    found = score(case, reply, {}, ScoreSettings())["retrieval.recall@5"]
    assert (found.state, found.reason) == ("skipped", "no_expected_sources")


def test_nor_where_the_file_has_answers_that_were_made_before():
    found = read_dataset(FILES / "ragas.jsonl", asked=True)
    ticket, office, *_ = found.cases
    assert dict(ticket.expected_sources) == {}
    assert dict(office.expected_sources) == {"office-1": 1.0, "7": 1.0}
    reply = Reply(Answer("2.80 euros.", (), (Chunk("fares#1", TICKET),)))
    states = {
        name: one.state
        for name, one in score(ticket, reply, {}, ScoreSettings()).items()
        if name.startswith("retrieval.")
    }
    assert set(states.values()) == {"skipped"}


def test_ragas_before_02():
    ticket, dogs = read("ragas_before_02").values()
    assert ticket.answer == Answer("2.80 euros.", (), (hashed(TICKET),))
    assert (ticket.expected_answer, dogs.expected_answer) == ("2.80 euros.", "No.")
    assert dogs.answer == Answer("No.", (), ())


def test_deepeval():
    ticket, dogs, bikes = read("deepeval").values()
    assert ticket.answer == Answer("2.80 euros.", (), (hashed(DOGS), hashed(TICKET)))
    assert dict(ticket.expected_sources) == {text_id(TICKET): 1.0}
    assert ticket.metadata["level"] == 2
    assert dogs.answer == Answer("No.", (), ())
    assert (bikes.id, bikes.question, bikes.expected_answer) == ("bikes", "Do bikes pay?", "Yes.")
    assert bikes.metadata == {"context": ["Bikes pay half."], "source_file": "fares.md"}


def test_promptfoo():
    ticket, dogs = read("promptfoo").values()
    assert (ticket.id, ticket.expected_answer) == ("ticket", "2.80 euros.")
    assert (ticket.metadata["context"], ticket.metadata["level"]) == ("fares.md", 2)
    assert (dogs.question, dogs.expected_answer) == ("Do dogs pay?", None)
    assert dogs.answer == Answer(DOGS)


def test_inspect_ai():
    ticket, dogs, stop = read("inspect_ai").values()
    assert (ticket.id, ticket.expected_answer, ticket.metadata) == (
        "1",
        "2.80 euros.",
        {"level": 2},
    )
    assert (dogs.question, dogs.expected_answer) == ("Do dogs pay?", "No.")
    assert (stop.expected_answer, stop.metadata["target"]) == (None, ["Harbour", "Mill"])


def test_a_file_of_another_tool_is_run_as_it_is(tmp_path, monkeypatch, capsys):
    shutil.copy(FILES / "ragas.jsonl", tmp_path / "cases.jsonl")
    (tmp_path / "veridical.yaml").write_text("version: 1\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(["rag", "run", "--json"]) == 0
    results = json.loads(capsys.readouterr().out)["results"]
    (recall,) = (one for one in results if (one["metric"], one["group"]) == (RECALL, None))
    # One of one, one of two; texts beside ids cannot be compared; the last has no answer.
    assert (recall["value"], recall["n"]) == (0.75, 2)
    assert (recall["n_skipped"], recall["n_case_errors"]) == (1, 1)


@pytest.mark.parametrize("name", ["ragas", "deepeval", "promptfoo", "inspect_ai"])
def test_an_unknown_column_is_told_and_may_be_mapped(name, tmp_path):
    record = json.loads((FILES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()[0])
    file = tmp_path / "cases.jsonl"
    file.write_text(json.dumps({**record, "speech": "de"}), encoding="utf-8")
    with pytest.raises(FileFormatError, match="no field 'speech'") as refused:
        read_dataset(file)
    column = file.read_text(encoding="utf-8").index('"speech"') + 1
    assert refused.value.where == f"{file}:1:{column}"
    assert read_dataset(file, {"language": "speech"}).cases[0].language == "de"


@pytest.mark.parametrize(
    ("record", "column", "said"),
    [
        ({"expected_output": "a", "input": 5}, "input", "question is a text, not 5"),
        ({"input": "a", "target": {"b": 1}}, "target", "expected_answer is a text"),
        ({"user_input": "a", "reference": ["b"]}, "reference", "expected_answer is a text"),
    ],
)
def test_a_wrong_value_is_told_at_the_column_that_has_it(record, column, said, tmp_path):
    file = tmp_path / "cases.jsonl"
    file.write_text(json.dumps(record), encoding="utf-8")
    with pytest.raises(FileFormatError, match=said) as refused:
        read_dataset(file)
    place = file.read_text(encoding="utf-8").index(f'"{column}"') + 1
    assert refused.value.where == f"{file}:1:{place}"


def test_columns_of_two_tools_are_not_guessed(tmp_path):
    file = tmp_path / "cases.jsonl"
    file.write_text('{"input": "How much?"}\n{"input": \n', encoding="utf-8")
    with pytest.raises(FileFormatError) as refused:
        read_dataset(file)
    assert f"{file}:1:1: the columns could be those of deepeval or inspect_ai" in str(refused.value)
    assert f"{file}:2:" in str(refused.value)
    file.write_text('{"input": "How much?"}\n', encoding="utf-8")
    assert read_dataset(file, {"question": "input"}).cases[0].question == "How much?"


def test_lists_of_ids_and_texts_of_other_lengths_are_no_answer(tmp_path):
    record = {
        "user_input": "?",
        "response": "a",
        "retrieved_contexts": ["one", "two"],
        "retrieved_context_ids": ["1"],
    }
    file = tmp_path / "cases.jsonl"
    file.write_text(json.dumps(record), encoding="utf-8")
    (case,) = read_dataset(file).cases
    assert (case.answer.code, case.answer.detail) == ("bad_reply", "chunk 2 has no id")


@pytest.fixture(scope="module")
def scratch(tmp_path_factory):
    """A folder for all the files of a search."""
    return tmp_path_factory.mktemp("any")


anything = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.text(max_size=3) | st.just("a|b"),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["id", "text", "role", "type", "content", "value", "question", "x"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)


@pytest.mark.parametrize("layout", LAYOUTS, ids=[layout.name for layout in LAYOUTS])
@given(data=st.data(), asked=st.booleans())
def test_any_line_of_another_tool_is_a_case_or_an_error_with_a_place(scratch, layout, data, asked):
    names = st.sampled_from(sorted(layout.columns))
    record = data.draw(st.dictionaries(names, anything, max_size=6))
    record |= dict.fromkeys(layout.marks[0], "a") if data.draw(st.booleans()) else {}
    file = scratch / "cases.jsonl"
    file.write_text(json.dumps(record), encoding="utf-8")
    told = ""
    try:
        read_dataset(file, asked=asked)
    except FileFormatError as refused:
        told = str(refused)
    assert not told or f"{file}:1:" in told
