"""`veridical.yaml` of RAG runs: the example of the definition, the published schema, bad lines."""

import json
import re

import jsonschema
import pytest
import yaml

from veridical.errors import ConfigurationError, FileMissingError
from veridical.rag.configuration import read_configuration
from veridical.rag.configuration.schema import SCHEMA_FILE, schema_text

# The example of the definition, its placeholders filled in, with what it does not show.
EXAMPLE = """\
version: 1
dataset: {path: cases.jsonl, map: {question: user_input}}
pipeline: {kind: http, target: "https://rag.example.org/ask", timeout_s: 60, concurrency: 8, retries: 3,
           http: {method: POST, json: {q: "{{ case.question }}"}, answer: "$.data.answer", chunks: "$.data.contexts[*]",
                  chunk_id: docId, chunk_text: text, citations: "$.data.citations[*].id"}}
run: {k: 5, source_match: chunk, repeats: 1, seed: 0}
judge: {base_url: "https://judge.example.org/v1", model: judge-1, api_key_env: JUDGE_KEY, temperature: 0, max_output_tokens: 2048,
        reasoning_tokens: 0, concurrency: 8, language: en, response_format: auto,
        price: {input_per_mtok: null, output_per_mtok: null}, max_cost_usd: null}
metrics: {retrieval.recall_at_k: {min: 0.7}, generation.groundedness: {min: 0.9, max_error_rate: 0.02}, robustness.overrefusal: {max: 0.05}}
store: sqlite:///.veridical/runs.db
privacy: {store_text: full, redact: [email, phone, secret, "regex:[0-9]{4}"]}
"""  # noqa: E501 - as it stands there
SCHEMA = json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))


def read(folder, text):
    (folder / "veridical.yaml").write_text(text, encoding="utf-8")
    return read_configuration(folder)


def test_the_published_schema_is_that_of_the_models():
    assert SCHEMA_FILE.read_text(encoding="utf-8") == schema_text()
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_the_example_is_read_and_keeps_the_schema(tmp_path):
    jsonschema.validate(yaml.safe_load(EXAMPLE), SCHEMA)
    found = read(tmp_path, EXAMPLE)
    assert found.pipeline.http.json_body == {"q": "{{ case.question }}"}
    assert (found.pipeline.http.chunk_id, found.pipeline.timeout_s) == ("docId", 60)
    bounds = {name: (one.min, one.max, one.max_error_rate) for name, one in found.bounds.items()}
    assert bounds == {
        "retrieval.recall@5": (0.7, None, None),
        "generation.groundedness": (0.9, None, 0.02),
        "robustness.overrefusal": (None, 0.05, None),
    }
    assert found.privacy.redact == ["email", "phone", "secret", "regex:[0-9]{4}"]


def test_the_example_of_the_definition_itself(tmp_path, shared):
    text = (shared / "spec" / "5-rag.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)
    for placeholder, value in {
        "python|http|command|openai|static": "http",
        "my_rag:pipeline": "https://rag.example.org/ask",
        "base_url: ..., model: ...": "base_url: 'https://judge.example.org/v1', model: judge-1",
        "full|hashed|none": "full",
        '"regex:..."': '"regex:[0-9]{4}"',
    }.items():
        assert placeholder in block
        block = block.replace(placeholder, value)
    jsonschema.validate(yaml.safe_load(block), SCHEMA)
    assert read(tmp_path, block).file == read(tmp_path, EXAMPLE).file


def test_every_default_is_the_one_of_the_definition(tmp_path):
    found = read(tmp_path, "version: 1\n")
    assert (found.file.dataset.path, found.pipeline.kind) == ("cases.jsonl", "static")
    pipeline = found.pipeline
    assert (pipeline.timeout_s, pipeline.concurrency, pipeline.retries) == (60, 8, 3)
    run = found.run
    assert (run.k, run.source_match, run.repeats, run.seed) == (5, "chunk", 1, 0)
    judge = found.judge
    assert (judge.temperature, judge.max_output_tokens, judge.reasoning_tokens) == (0, 2048, 0)
    assert (judge.concurrency, judge.language, judge.response_format) == (8, "en", "auto")
    assert (judge.max_cost_usd, judge.price.input_per_mtok) == (None, None)
    assert (found.file.store, found.privacy.store_text) == ("sqlite:///.veridical/runs.db", "full")


def test_the_command_line_names_a_store_before_the_file_and_a_default_is_no_name(tmp_path):
    silent = read(tmp_path, "version: 1\n")
    assert (silent.store_at(None), silent.store_at("mine.db")) == (None, "mine.db")
    named = read(tmp_path, "version: 1\nstore: theirs.db\n")
    assert (named.store_at(None), named.store_at("mine.db")) == ("theirs.db", "mine.db")


WRONG = {
    "an unknown key": ("version: 1\nrun:\n  kk: 3\n", ":3, run.kk", "did you mean 'k'?"),
    "a wrong type": ("version: 1\nrun: {k: five}\n", ":2, run.k", ""),
    "a k of 0": ("version: 1\nrun: {k: 0}\n", ":2, run.k", ""),
    "a NaN": ("version: 1\npipeline: {timeout_s: .nan}\n", ":2, pipeline.timeout_s", ""),
    "no version": ("run: {k: 3}\n", ":1", "add it"),
    "another version": ("version: 2\n", ":1, version", ""),
    "a kind without a target": ("version: 1\npipeline: {kind: python}\n", ":2, pipeline", ""),
    "a static target": ("version: 1\npipeline: {target: a:b}\n", ":2, pipeline", ""),
    "the section of another kind": (
        "version: 1\npipeline: {kind: command, target: x, http: {}}\n",
        ":2, pipeline",
        "",
    ),
    "a query that is no object": (
        "version: 1\npipeline: {kind: http, target: 'http://h', http: {method: GET, json: [1]}}\n",
        ":2, pipeline.http",
        "",
    ),
    "an empty bound": (
        "version: 1\nmetrics: {retrieval.mrr: {}}\n", ":2, metrics.retrieval.mrr", ""
    ),
    "bounds that exclude all": (
        "version: 1\nmetrics: {retrieval.mrr: {min: 0.9, max: 0.1}}\n",
        ":2, metrics.retrieval.mrr",
        "",
    ),
    "an unknown metric": (
        "version: 1\nmetrics:\n  generation.groundednes: {min: 0.9}\n",
        ":3",
        "did you mean 'generation.groundedness'?",
    ),
    "another k": ("version: 1\nmetrics:\n  retrieval.recall@7: {min: 1}\n", ":3", "it has"),
    "a metric twice": (
        "version: 1\nmetrics: {retrieval.recall@5: {min: 0}, retrieval.recall_at_k: {min: 1}}\n",
        ":2",
        "keep one",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "place", "fix"), WRONG.values(), ids=WRONG.keys())
def test_a_bad_configuration_is_an_error_with_its_place(tmp_path, text, place, fix):
    with pytest.raises(ConfigurationError) as refused:
        read(tmp_path, text)
    assert refused.value.where.endswith(f"veridical.yaml{place}")
    assert fix in refused.value.fix
    assert refused.value.exit_code == 65


@pytest.mark.parametrize(
    "text", ["version: 1\nrun: {k: 1, k: 2}\n", "- version: 1\n", "version: [\n", "\x00"]
)
def test_what_is_no_mapping_is_refused(tmp_path, text):
    with pytest.raises(ConfigurationError):
        read(tmp_path, text)


def test_no_configuration_is_told(tmp_path):
    with pytest.raises(FileMissingError, match="there is no configuration"):
        read_configuration(tmp_path)


@pytest.mark.parametrize("name", ["an unknown key", "a k of 0", "no version", "another version"])
def test_editors_see_it_too(name):
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(yaml.safe_load(WRONG[name][0]), SCHEMA)


@pytest.mark.parametrize(
    ("pipeline", "said"),
    [
        ("{kind: http}", "needs a target: an address"),
        ("{kind: command}", "needs a target: a list of words"),
        ("{target: a:b}", "its answers stand in the dataset"),
    ],
)
def test_a_target_that_is_missing_or_too_many_is_described(tmp_path, pipeline, said):
    with pytest.raises(ConfigurationError, match=said):
        read(tmp_path, f"version: 1\npipeline: {pipeline}\n")


@pytest.mark.parametrize("version", ["true", "1.0", "2", "'1'"])
def test_the_version_is_the_whole_number_one(tmp_path, version):
    (tmp_path / "veridical.yaml").write_text(f"version: {version}\n", encoding="utf-8")
    with pytest.raises(ConfigurationError, match="version is 1, not"):
        read_configuration(tmp_path)
