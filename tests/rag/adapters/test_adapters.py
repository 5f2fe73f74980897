"""Every kind of pipeline, and every way in which one fails: a reply, never an exception."""

from __future__ import annotations

import asyncio
import json
import sys
import threading
from contextlib import asynccontextmanager

import pytest

from veridical.errors import ConfigurationError
from veridical.judge.settings import JudgeSettings
from veridical.rag.adapters import adapter
from veridical.rag.adapters.answering import Throttle
from veridical.rag.adapters.paths import Path
from veridical.rag.answers import Answer, CaseError, Chunk
from veridical.rag.cases import Case
from veridical.rag.configuration import read_configuration

CASE = Case(id="c1", question="How much?")


def replied(tmp_path, pipeline: str, case: Case = CASE):
    """Return the reply of a pipeline to one case."""
    (tmp_path / "veridical.yaml").write_text(f"version: 1\npipeline: {pipeline}\n")
    configuration = read_configuration(tmp_path)

    async def ask():
        async with adapter(configuration) as made:
            return await made.answer(case)

    return asyncio.run(ask())


def module(tmp_path, text: str) -> str:
    """Write a module of a name of its own, and return the name."""
    name = f"made_{abs(hash(str(tmp_path)))}"
    (tmp_path / f"{name}.py").write_text(text)
    return name


def test_static(tmp_path):
    assert replied(tmp_path, "{kind: static}").answer.code == "no_static_answer"
    answered = Case(id="c", question="?", answer=Answer("two"))
    assert replied(tmp_path, "{kind: static}", answered).answer == Answer("two")


@pytest.mark.parametrize("asynchronous", [False, True])
def test_python(tmp_path, asynchronous):
    word = "async def" if asynchronous else "def"
    name = module(tmp_path, f"{word} ask(question):\n    return {{'text': question.upper()}}\n")
    reply = replied(tmp_path, f"{{kind: python, target: '{name}:ask'}}")
    assert reply.answer == Answer("HOW MUCH?")
    assert reply.retrieved is None
    assert reply.attempts == 1


def test_python_with_a_retrieval_of_its_own(tmp_path):
    name = module(
        tmp_path,
        "def ask(question):\n    return 'two'\n"
        "def retrieve(question):\n    return [{'id': 'd', 'text': 'Two.'}]\n",
    )
    reply = replied(tmp_path, f"{{kind: python, target: '{name}:ask'}}")
    assert reply.retrieved == (Chunk("d", "Two."),)


def test_a_retrieval_that_fails_leaves_the_answer(tmp_path):
    name = module(
        tmp_path,
        "def ask(question):\n    return 'two'\ndef retrieve(question):\n    return 1 / 0\n",
    )
    reply = replied(tmp_path, f"{{kind: python, target: '{name}:ask'}}")
    assert reply.answer == Answer("two")
    assert reply.retrieved == CaseError("exception", "the pipeline raised ZeroDivisionError")


def patience(code) -> float:
    """How long to wait: briefly only for what never comes, so that no load decides."""
    return 0.1 if code == "timeout" else 30.0


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("raise KeyError('sk-secret')", "exception"),
        ("raise SystemExit('sk-secret')", "exception"),
        ("raise StopIteration", "exception"),
        ("raise BaseException('sk-secret')", "exception"),
        ("raise GeneratorExit", "exception"),
        ("return None", "bad_reply"),
        ("return {'text': 'a', 'retrieved_chunks': [{'text': 'no id'}]}", "bad_reply"),
        ("return {'text': 'a', 'txet': 'b'}", "bad_reply"),
        ("import time; time.sleep(0.4)", "timeout"),
    ],
)
def test_python_that_fails(tmp_path, body, code):
    name = module(tmp_path, f"def ask(question):\n    {body}\n")
    made = f"{{kind: python, target: '{name}:ask', timeout_s: {patience(code)}, retries: 0}}"
    error = replied(tmp_path, made).answer
    assert error.code == code
    assert "sk-secret" not in error.detail


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("raise KeyboardInterrupt", "exception"),
        ("raise SystemExit", "exception"),
        ("raise GeneratorExit", "exception"),
        ("raise BaseException('sk-secret')", "exception"),
        ("[task.cancel() for task in asyncio.all_tasks()]; await asyncio.sleep(0)", "exception"),
        ("asyncio.get_running_loop().stop(); await asyncio.sleep(0); return 'a'", "answer"),
        ("asyncio.get_running_loop().stop(); await asyncio.sleep(9)", "timeout"),
        ("await asyncio.Event().wait()", "timeout"),
        ("time.sleep(0.4)", "timeout"),
        (
            "while True:\n        with suppress(asyncio.CancelledError): await asyncio.sleep(9)",
            "timeout",
        ),
    ],
)
def test_an_asynchronous_pipeline_holds_up_itself_alone(tmp_path, body, code):
    head = "import asyncio, time\nfrom contextlib import suppress\n\n"
    name = module(tmp_path, f"{head}async def ask(question):\n    {body}\n")
    made = f"{{kind: python, target: '{name}:ask', timeout_s: {patience(code)}, retries: 0}}"
    replies = [replied(tmp_path, made).answer for _ in range(2)]
    assert [getattr(one, "code", "answer") for one in replies] == [code, code]
    assert "sk-secret" not in str(replies)


@pytest.mark.parametrize(
    ("body", "code"), [("raise BaseException", "bad_reply"), ("time.sleep(0.4)", "timeout")]
)
@pytest.mark.parametrize("word", ["def", "async def"])
def test_an_object_that_hangs_or_raises_when_it_is_read(tmp_path, word, body, code):
    odd = f"import time\n\nclass Odd(dict):\n    def __iter__(self):\n        {body}\n\n"
    name = module(tmp_path, f"{odd}{word} ask(question):\n    return Odd(text='a')\n")
    made = f"{{kind: python, target: '{name}:ask', timeout_s: {patience(code)}, retries: 0}}"
    assert replied(tmp_path, made).answer.code == code


def test_calls_of_an_asynchronous_pipeline_share_a_loop_that_is_closed_at_the_end(tmp_path):
    head = "import asyncio\nLOOPS = []\n\n"
    body = "LOOPS.append(asyncio.get_running_loop())\n    return 'a'"
    name = module(tmp_path, f"{head}async def ask(question):\n    {body}\n")
    (tmp_path / "veridical.yaml").write_text(
        f"version: 1\npipeline: {{kind: python, target: '{name}:ask'}}\n"
    )

    async def ask():
        async with adapter(read_configuration(tmp_path)) as made:
            await asyncio.gather(made.answer(CASE), made.answer(CASE))
            await made.answer(CASE)
        return asyncio.get_running_loop()

    ours = asyncio.run(ask())
    loops = sys.modules[name].LOOPS
    assert len(loops) == 3
    assert len(set(loops)) == 1
    assert ours not in loops
    for thread in threading.enumerate():  # others hang, of other tests
        if thread.name == "veridical-pipeline-loop":
            thread.join(5)
    assert loops[0].is_closed()


@pytest.mark.parametrize(
    "target", ["nothing", "no_such_module:ask", "json:nothing", "json:__doc__"]
)
def test_a_target_that_is_none(tmp_path, target):
    with pytest.raises(ConfigurationError):
        replied(tmp_path, f"{{kind: python, target: '{target}'}}")


def command(tmp_path, body: str, more: str = "") -> str:
    (tmp_path / "program.py").write_text(f"import json, sys, time\n{body}\n")
    return f"{{kind: command, target: ['{sys.executable}', 'program.py'], retries: 0{more}}}"


def test_command(tmp_path):
    body = "case = json.load(sys.stdin)\nprint(json.dumps({'text': case['question'] + case['id']}))"
    assert replied(tmp_path, command(tmp_path, body)).answer == Answer("How much?c1")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("sys.exit(3)", "exit"),
        ("print('hello')", "bad_reply"),
        ('print(\'{"text": "a", "text": "b"}\')', "bad_reply"),
        ("print('x' * 2000)", "too_large"),
        ("time.sleep(30)", "timeout"),
    ],
)
def test_a_command_that_fails(tmp_path, body, code):
    limit = 1 if code == "timeout" else 60
    more = f", timeout_s: {limit}, max_response_bytes: 1000"
    assert replied(tmp_path, command(tmp_path, body, more)).answer.code == code


def test_a_command_that_is_not_there(tmp_path):
    assert (
        replied(tmp_path, "{kind: command, target: [no-such-program]}").answer.code == "not_started"
    )


@asynccontextmanager
async def endpoint(*responses: tuple[int, str, str]):
    """Serve the responses one after the other, the last one for ever, and keep what was asked."""
    asked: list[bytes] = []

    async def serve(reader, writer):
        head = await reader.readuntil(b"\r\n\r\n")
        lines = head.decode().lower().split("\r\n")
        length = next((int(x.split(":")[1]) for x in lines if x.startswith("content-length:")), 0)
        asked.append(head + await reader.readexactly(length))
        status, extra, body = responses[min(len(asked), len(responses)) - 1]
        content = body.encode()
        writer.write(
            f"HTTP/1.1 {status} X\r\ncontent-length: {len(content)}\r\n{extra}"
            "connection: close\r\n\r\n".encode()
            + content
        )
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", asked


def over_http(tmp_path, pipeline: str, *responses: tuple[int, str, str]):
    """Return the reply, and the requests that were made."""

    async def ask():
        async with endpoint(*responses) as (url, asked):
            (tmp_path / "veridical.yaml").write_text(
                f"version: 1\npipeline: {pipeline.replace('URL', url)}\n"
            )
            async with adapter(read_configuration(tmp_path)) as made:
                return await made.answer(CASE), asked

    return asyncio.run(ask())


HTTP = (
    "{kind: http, target: 'URL/ask', http: {json: {q: '{{ case.question }}', n: [1]},"
    " answer: $.data.answer, chunks: '$.data.contexts[*]', chunk_id: docId, chunk_text: body.text,"
    " document_id: of, citations: '$.data.citations[*].id'}}"
)
FOUND = {
    "data": {
        "answer": "two",
        "contexts": [{"docId": 7, "body": {"text": "Two."}, "of": "book"}],
        "citations": [{"id": "7"}],
    }
}


def test_http(tmp_path):
    reply, asked = over_http(tmp_path, HTTP, (200, "", json.dumps(FOUND)))
    chunk = Chunk("7", "Two.", None, {"document_id": "book"})
    assert reply.answer == Answer("two", ("7",), (chunk,))
    assert json.loads(asked[0].partition(b"\r\n\r\n")[2]) == {"q": "How much?", "n": [1]}


def test_get_asks_in_its_query(tmp_path):
    made = (
        "{kind: http, target: 'URL/ask?v=1', http: {method: GET, answer: $.a,"
        " json: {q: '{{ case.question }} & more', n: 2}}}"
    )
    reply, asked = over_http(tmp_path, made, (200, "", '{"a": "two"}'))
    assert reply.answer == Answer("two")
    head, _, body = asked[0].partition(b"\r\n\r\n")
    assert head.split(b"\r\n")[0] == b"GET /ask?v=1&q=How+much%3F+%26+more&n=2 HTTP/1.1"
    assert body == b""


def test_a_question_is_no_template(tmp_path):
    hostile = Case(id="c", question="{{ 7 * 7 }}")

    async def ask():
        async with endpoint((200, "", '{"answer": "a"}')) as (url, asked):
            (tmp_path / "veridical.yaml").write_text(
                f"version: 1\npipeline: {{kind: http, target: '{url}'}}\n"
            )
            async with adapter(read_configuration(tmp_path)) as made:
                await made.answer(hostile)
            return asked

    assert b"{{ 7 * 7 }}" in asyncio.run(ask())[0]


def test_http_is_asked_again_where_that_may_help(tmp_path):
    good = (200, "", json.dumps(FOUND))
    reply, asked = over_http(tmp_path, HTTP, (429, "retry-after: 0\r\n", ""), (503, "", ""), good)
    assert reply.answer.text == "two"
    assert reply.attempts == len(asked) == 3


@pytest.mark.parametrize(
    ("response", "code"),
    [
        ((404, "", ""), "http_404"),
        ((302, "location: http://example.org/\r\n", ""), "http_302"),
        ((200, "", "<html>"), "bad_reply"),
        ((200, "", '{"data": {}}'), "bad_reply"),
        ((200, "", '{"data": NaN}'), "bad_reply"),
    ],
)
def test_http_that_fails_is_not_asked_again(tmp_path, response, code):
    reply, asked = over_http(tmp_path, HTTP, response)
    assert reply.answer.code == code
    assert len(asked) == 1


def test_openai(tmp_path, monkeypatch):
    monkeypatch.setenv("MY_KEY", "sk-secret")
    made = (
        "{kind: openai, target: URL/v1, openai: {model: m, api_key_env: MY_KEY, system: Be brief.}}"
    )
    body = json.dumps({"choices": [{"message": {"content": "two"}}]})
    reply, asked = over_http(tmp_path, made, (200, "", body))
    assert reply.answer == Answer("two")
    assert b"authorization: bearer sk-secret" in asked[0].lower()
    sent = json.loads(asked[0].partition(b"\r\n\r\n")[2])
    assert [one["role"] for one in sent["messages"]] == ["system", "user"]
    failed, _ = over_http(tmp_path, made, (401, "", '{"error": "sk-secret is wrong"}'))
    assert failed.answer == CaseError("http_401", "the endpoint answered with status 401")


def test_a_key_that_a_reply_quotes_is_taken_out(tmp_path, monkeypatch):
    monkeypatch.setenv("MY_KEY", "Bearer sk-4711-secret")
    made = "{kind: http, target: URL, http: {headers_env: {authorization: MY_KEY}}}"
    reply, _ = over_http(tmp_path, made, (200, "", '{"answer": "you sent sk-4711-secret"}'))
    assert reply.answer.text == "you sent [key]"
    with pytest.raises(ConfigurationError, match="say who asks"):
        replied(tmp_path, made.replace("URL", "'http://me:pass-4711@[::1]'"))


def test_a_key_where_the_name_of_its_variable_belongs_is_not_shown(tmp_path):
    key = "sk-proj-4711abc"
    with pytest.raises(ConfigurationError) as refused:
        replied(
            tmp_path,
            f"{{kind: openai, target: 'http://[::1]', openai: {{model: m, api_key_env: {key}}}}}",
        )
    assert key not in f"{refused.value} {refused.value.what}"
    with pytest.raises(ConfigurationError) as refused:
        JudgeSettings(base_url="http://[::1]/v1", model="m", api_key_env=key).key({})
    assert key not in f"{refused.value} {refused.value.what}"


def test_a_key_that_is_not_set(tmp_path, monkeypatch):
    monkeypatch.delenv("MY_KEY", raising=False)
    with pytest.raises(ConfigurationError, match="MY_KEY"):
        replied(
            tmp_path, "{kind: openai, target: 'http://h', openai: {model: m, api_key_env: MY_KEY}}"
        )


@pytest.mark.parametrize("text", ["$.a[", "$..a", "$.a[x]", "a b[]"])
def test_a_path_that_is_none(text):
    with pytest.raises(ConfigurationError):
        Path(text)


def test_fewer_calls_at_a_time_after_complaints():
    throttle = Throttle(8)
    for _ in range(10):
        throttle.complained()
    assert throttle.limit == 1
    for _ in range(100):
        throttle.succeeded()
    assert throttle.limit == 8


def test_no_more_calls_than_the_limit():
    async def most() -> int:
        throttle, running, seen = Throttle(3), 0, 0

        async def call() -> None:
            nonlocal running, seen
            async with throttle.slot():
                running += 1
                seen = max(seen, running)
                await asyncio.sleep(0)
                running -= 1

        await asyncio.gather(*(call() for _ in range(30)))
        return seen

    assert asyncio.run(most()) == 3
