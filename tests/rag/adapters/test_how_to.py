"""The page about pipelines: each of its examples answers, and its table has every key there is."""

import json
import re
import sys
from pathlib import Path
from typing import get_args

import pytest
import yaml
from pydantic import BaseModel

from tests.rag.adapters.test_adapters import CASE, over_http, replied
from veridical.rag.configuration import read_configuration
from veridical.rag.configuration.sections import ConfigurationFile

PAGE = (Path(__file__).parents[3] / "docs" / "how-to" / "rag-pipelines.md").read_text("utf-8")
YAML = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Make a folder with the modules of the page."""
    for block in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL):
        name = block.partition("\n")[0].removeprefix("# ")
        (tmp_path / name).write_text(block, encoding="utf-8")
    monkeypatch.setenv("MY_RAG_AUTHORIZATION", "Bearer sesame")
    monkeypatch.setenv("MY_KEY", "sesame")
    monkeypatch.setattr(sys, "path", [*sys.path])
    yield tmp_path
    sys.modules.pop("mine", None)


def pipeline(kind: str) -> dict:
    (found,) = [
        made for made in (yaml.safe_load(one)["pipeline"] for one in YAML) if made["kind"] == kind
    ]
    return found


def test_every_example_is_a_configuration(tmp_path):
    for number, text in enumerate(YAML):
        path = tmp_path / f"{number}.yaml"
        path.write_text(text, encoding="utf-8")
        assert read_configuration(path).pipeline.kind in text


def test_a_function(folder):
    answer = replied(folder, json.dumps(pipeline("python"))).answer
    assert answer.citations == ("dogs",)
    assert answer.retrieved_chunks[0].text == "Dogs travel free."


def test_a_program_and_what_it_reads(folder):
    assert replied(folder, json.dumps(pipeline("command"))).answer.text == "You asked: How much?"
    (asked,) = re.findall(r"It reads `(.*?)`", PAGE)
    assert json.loads(asked).keys() == {"id", "language", "question"}
    echo = "import json, sys; print(json.dumps({'text': sys.stdin.read()}))"
    made = json.dumps({"kind": "command", "target": [sys.executable, "-c", echo]})
    sent = json.loads(replied(folder, made).answer.text)
    assert sent == {"id": CASE.id, "language": None, "question": CASE.question}


def test_a_service(folder):
    (reply,) = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    made = json.dumps(pipeline("http") | {"target": "URL/ask"})
    replied_, asked = over_http(folder, made, (200, "", reply))
    assert replied_.answer.text == "Dogs travel free."
    assert [(one.id, one.text) for one in replied_.answer.retrieved_chunks] == [
        ("dogs", "Dogs travel free.")
    ]
    head, _, body = asked[0].partition(b"\r\n\r\n")
    assert b"authorization: bearer sesame" in head.lower()
    assert json.loads(body) == {"query": "How much?", "top_k": 5}


def test_a_model(folder):
    reply = json.dumps({"choices": [{"message": {"content": "Free."}}]})
    made = json.dumps(pipeline("openai") | {"target": "URL/v1"})
    replied_, asked = over_http(folder, made, (200, "", reply))
    assert replied_.answer.text == "Free."
    assert b"POST /v1/chat/completions" in asked[0]


def keys(model: type[BaseModel]) -> set[str]:
    """Return all keys below a section, but for those of what is named freely."""
    found = set()
    for name, field in model.model_fields.items():
        found.add(field.alias or name)
        for one in (field.annotation, *get_args(field.annotation)):
            if isinstance(one, type) and issubclass(one, BaseModel):
                found |= keys(one)
    return found


def test_every_key_is_told():
    told = set(re.findall(r"\w+", " ".join(re.findall(r"`([^`]*)`", PAGE))))
    assert keys(ConfigurationFile) - told == set()


@pytest.mark.parametrize(
    ("section", "key"),
    [
        ("pipeline", "timeout_s"),
        ("pipeline", "concurrency"),
        ("pipeline", "retries"),
        ("pipeline", "max_response_bytes"),
        ("run", "k"),
        ("run", "repeats"),
        ("run", "seed"),
    ],
)
def test_defaults_are_what_the_table_says(section, key):
    (rest,) = re.findall(
        rf"^\| `{section}` \|(?:.*\n\| \|)*? `{key}` \| (\d+) \|", PAGE, re.MULTILINE
    )
    model = ConfigurationFile.model_fields[section].annotation
    assert float(rest) == model.model_fields[key].default
