"""The page about datasets: each of its blocks is read as it says."""

import re
from pathlib import Path

import pytest
import yaml

from veridical.rag.aliases import LAYOUTS
from veridical.rag.case_fields import FIELDS
from veridical.rag.dataset import read_dataset

PAGE = (Path(__file__).parents[3] / "docs" / "how-to" / "rag-datasets.md").read_text("utf-8")
BLOCKS = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)


def read(folder, text, **options):
    file = folder / "cases.jsonl"
    file.write_text(text, encoding="utf-8")
    return read_dataset(file, **options)


def test_the_fields_are_all_there_are():
    named = re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (`.*?) \|", PAGE, re.MULTILINE)))
    assert set(named) == FIELDS


def test_the_example_of_ours(tmp_path):
    found = read(tmp_path, BLOCKS[0])
    assert (found.layout, found.warnings) == ("veridical", ())
    assert [case.kind for case in found.cases] == ["qa", "qa", "unanswerable", "injection"]
    assert found.cases[1].answer.citations == ("dogs",)


@pytest.mark.parametrize(
    ("block", "layout"),
    list(zip(BLOCKS[1:], ["ragas", "deepeval", "promptfoo", "inspect_ai"], strict=True)),
)
def test_examples_of_other_tools(tmp_path, block, layout):
    found = read(tmp_path, block)
    assert found.layout == layout
    assert found.cases[0].question == "What does a ticket cost?"
    assert found.cases[0].expected_answer == "2 euros."


def test_every_layout_has_its_row():
    for layout in LAYOUTS:
        (row,) = re.findall(rf"^\| {re.escape(layout.name)} \|(.*)$", PAGE, re.MULTILINE)
        columns = {name.partition(".")[0] for name in re.findall(r"`([\w.]+)`", row)}
        kinds_of_checks = {"equals", "similar", "factuality"}
        assert columns - kinds_of_checks <= layout.columns


def test_the_map(tmp_path):
    (text,) = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    mapping = yaml.safe_load(text)["dataset"]["map"]
    record = '{"query": "How much?", "gold": "2", "info": {"level": 3}}'
    (case,) = read(tmp_path, record, mapping=mapping).cases
    assert (case.question, case.expected_answer, case.metadata) == ("How much?", "2", {"level": 3})
