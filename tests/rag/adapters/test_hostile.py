"""Pipelines that return what they should not: a case fails with a code, and nothing else does."""

import asyncio
import gzip
import json
import sys

import pytest

from tests.rag.adapters.test_adapters import CASE, command, module, over_http, replied
from veridical.cli import main
from veridical.rag.answer_fields import BadAnswerError, chunks_of
from veridical.rag.answers import Answer

PLAIN = "{kind: http, target: 'URL', retries: 0, max_response_bytes: 10000, http: {%s}}"
MAPPED = PLAIN % "chunks: $.chunks, citations: $.cites"


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ('{"answer": null}', "answer.text is a text, not nothing"),
        ('{"answer": ["a"]}', "answer.text is a text, not a list"),
        ('{"answer": 3}', "answer.text is a text, not a int"),
        ("[]", "answer.text is a text"),
        ("3", "answer.text is a text"),
        ('{"answer": "a", "chunks": [{"text": "no id"}]}', "chunk 1 has no id"),
        ('{"answer": "a", "chunks": [{"id": "", "text": ""}]}', "chunk 1 has an empty id"),
        ('{"answer": "a", "chunks": [{"id": {"a": 1}, "text": ""}]}', "an id that is no text"),
        ('{"answer": "a", "chunks": [{"id": "a", "text": null}]}', "the text of chunk 1"),
        ('{"answer": "a", "chunks": [["a"]]}', "chunk 1 has no id"),
        ('{"answer": "a", "cites": [[1]]}', "a citation has an id that is no text"),
        ('{"answer": "a", "answer": "b"}', "without JSON"),
        ('{"answer": "a"', "without JSON"),
        ('{"answer": "a"}{}', "without JSON"),
        ('{"answer": "a", "score": Infinity}', "without JSON"),
        ("[" * 9_000, "without JSON"),
    ],
)
def test_http_bodies(tmp_path, body, said):
    reply, _ = over_http(tmp_path, MAPPED, (200, "", body))
    assert reply.answer.code == "bad_reply"
    assert said in reply.answer.detail


def test_http_bodies_that_are_too_large(tmp_path):
    large = json.dumps({"answer": "a" * 20_000})
    reply, _ = over_http(tmp_path, MAPPED, (200, "", large))
    assert reply.answer.code == "too_large"


def test_a_small_body_that_inflates_is_not_read_to_its_end(tmp_path):
    bomb = gzip.compress(b'{"answer": "' + b"a" * 50_000_000 + b'"}')

    async def serve(reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        head = f"HTTP/1.1 200 X\r\ncontent-encoding: gzip\r\ncontent-length: {len(bomb)}\r\n\r\n"
        writer.write(head.encode() + bomb)
        writer.close()

    async def ask():
        from veridical.rag.adapters import adapter
        from veridical.rag.configuration import read_configuration

        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        async with server:
            url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
            text = f"version: 1\npipeline: {MAPPED.replace('URL', url)}\n"
            (tmp_path / "veridical.yaml").write_text(text, encoding="utf-8")
            async with adapter(read_configuration(tmp_path)) as made:
                return await made.answer(CASE)

    assert asyncio.run(ask()).answer.code == "too_large"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('\ufeff{"answer": "a"}', Answer("a", (), ())),
        ('{"answer": "\\ud800"}', Answer("\ud800", (), ())),
        ('{"answer": "", "chunks": []}', Answer("", (), ())),
        ('{"answer": "a", "cites": [3, "b"]}', Answer("a", ("3", "b"), ())),
    ],
)
def test_odd_bodies_that_are_answers(tmp_path, body, expected):
    reply, _ = over_http(tmp_path, MAPPED, (200, "", body))
    assert reply.answer == expected


def test_retry_after_of_a_response_is_honoured(tmp_path, monkeypatch):
    waited = []
    sleep = asyncio.sleep

    async def quick(seconds, *rest):
        waited.append(seconds)
        await sleep(0, *rest)

    monkeypatch.setattr("veridical.rag.adapters.answering.asyncio.sleep", quick)
    made = "{kind: http, target: 'URL', retries: 1}"
    limit = (429, "retry-after: 17\r\n", "")
    reply, asked = over_http(tmp_path, made, limit, (200, "", '{"answer": "a"}'))
    assert (reply.answer, len(asked)) == (Answer("a"), 2)
    assert 17.0 in waited


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("None", "not nothing"),
        ("b'bytes'", "not a bytes"),
        ("object()", "not a object"),
        ("[]", "not a list"),
        ("{'text': None}", "answer.text"),
        ("{'text': 'a', 'citations': 'doc-1'}", "citations are a list of ids"),
        ("{'text': 'a', 'citations': [None]}", "a citation has no id"),
        ("{'text': 'a', 'citations': [True]}", "a citation has an id that is no text"),
        ("{'text': 'a', 'retrieved_chunks': {'a': 1}}", "retrieved chunks are a list"),
        ("{'text': 'a', 'retrieved_chunks': ['a']}", "chunk 1 is an object with id and text"),
        (
            "{'text': 'a', 'retrieved_chunks': [{'id': 'a', 'text': '', 'score': float('nan')}]}",
            "the score of chunk 1 is a finite number",
        ),
        (
            "{'text': 'a', 'retrieved_chunks': [{'id': 'a', 'text': '', 'score': 10 ** 400}]}",
            "the score of chunk 1 is a finite number",
        ),
        (
            "{'text': 'a', 'retrieved_chunks': [{'id': 'a', 'text': '', 'meta': {}}]}",
            "chunk 1 has no field 'meta'; did you mean 'metadata'?",
        ),
    ],
)
def test_python_results(tmp_path, expression, said):
    name = module(tmp_path, f"def ask(question):\n    return {expression}\n")
    error = replied(tmp_path, f"{{kind: python, target: '{name}:ask', retries: 0}}").answer
    assert error.code == "bad_reply"
    assert said in error.detail


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("sys.stdout.buffer.write(b'\\xff\\xfe')", "bad_reply"),
        ('print(\'{"text": "a"} and more\')', "bad_reply"),
        ("print('[' * 100000)", "bad_reply"),
        ("pass", "bad_reply"),
        ("import os; os.abort()", "exit"),
        ("sys.stdin.close(); sys.stderr.write('sk-secret' * 100000); sys.exit(2)", "exit"),
        ("print('\\n' * 10**6, flush=True)", "too_large"),
    ],
)
def test_command_outputs(tmp_path, body, code):
    error = replied(tmp_path, command(tmp_path, body, ", max_response_bytes: 200000")).answer
    assert error.code == code
    assert "sk-secret" not in error.detail


def test_what_a_command_leaves_running_does_not_hold_up_its_case(tmp_path):
    # The child keeps standard output open; the time of the case ends both.
    child = "import time; time.sleep(600)"
    body = (
        "import subprocess\n"
        f"subprocess.Popen([{sys.executable!r}, '-c', {child!r}])\n"
        "print(json.dumps({'text': 'a'}), flush=True)"
    )
    error = replied(tmp_path, command(tmp_path, body, ", timeout_s: 1")).answer
    assert error.code == "timeout"


OPENAI = "{kind: openai, target: URL/v1, retries: 0, openai: {model: m}}"


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("{}", "no chat completion"),
        ('{"choices": []}', "no chat completion"),
        ('{"choices": [{"message": {"content": null}}]}', "has no text"),
        ('{"choices": [{"message": {"content": [{"text": "a"}]}}]}', "has no text"),
        ('{"choices": [{"text": "a"}]}', "no chat completion"),
        ("[]", "no chat completion"),
    ],
)
def test_completions(tmp_path, body, said):
    reply, _ = over_http(tmp_path, OPENAI, (200, "", body))
    assert reply.answer.code == "bad_reply"
    assert said in reply.answer.detail


def test_an_endpoint_that_is_not_there(tmp_path):
    made = "{kind: http, target: 'http://127.0.0.1:9/ask', retries: 0}"
    assert replied(tmp_path, made).answer.code == "connection"


def test_the_metadata_of_a_chunk_have_a_hundred_levels_at_most():
    def metadata(levels):
        inner = {}
        for _ in range(levels - 1):
            inner = {"a": inner}
        return [{"id": "d", "text": "", "metadata": inner}]

    assert chunks_of(metadata(100))[0].id == "d"
    with pytest.raises(BadAnswerError, match="chunk 1 has more than 100 levels"):
        chunks_of(metadata(101))
    circle = {}
    circle["me"] = circle
    with pytest.raises(BadAnswerError, match="more than 100 levels"):
        chunks_of([{"id": "d", "text": "", "metadata": circle}])


def test_halves_of_surrogate_pairs_in_a_case_stop_nothing(tmp_path, monkeypatch):
    half = '{"id": "H", "question": "H", "expected_source_ids": ["H"], "answer": {"text": "H"}}'
    (tmp_path / "cases.jsonl").write_text(half.replace("H", "\\ud800"), encoding="utf-8")
    (tmp_path / "veridical.yaml").write_text("version: 1\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(["rag", "run", "--json"]) == 0
    assert main(["rag", "report", "latest", "--report", "a.html", "--junit", "a.xml"]) == 0
