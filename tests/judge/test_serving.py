"""The mock server: bounded, on this machine alone, and the same faults for the same seed."""

import asyncio
import json

import pytest

from tests.judge.conftest import PRICE, asked, reply, settings
from veridical.errors import FileFormatError, ParameterError
from veridical.judge.client import JudgeClient
from veridical.judge.contracts import CONTRACTS, FIELDS
from veridical.judge.reading import read_reply
from veridical.judge.rendering import render
from veridical.judge.serving import Fault, FaultSchedule, MockServer, in_thread, judge_named
from veridical.judge.verdicts import Question, Verdict

CHAT = json.dumps({"model": "m", "messages": [{"role": "user", "content": "hello"}]}).encode()


def sent(raw: bytes, **options) -> bytes:
    """What the server writes to whoever sends these bytes."""

    async def exchange():
        async with MockServer(reply, **options) as server:
            port = int(server.base_url.rsplit(":", 1)[1].split("/")[0])
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(raw)
            writer.write_eof()
            came = await asyncio.wait_for(reader.read(), 5)
            writer.close()
            return came

    return asyncio.run(exchange())


def request(body: bytes = CHAT, method="POST", path="/v1/chat/completions", host="127.0.0.1:1"):
    lines = [f"{method} {path} HTTP/1.1", f"Host: {host}", f"Content-Length: {len(body)}", "", ""]
    return "\r\n".join(lines).encode() + body


@pytest.mark.parametrize(
    ("raw", "status"),
    [
        (request(), 200),
        (request(b"{}"), 400),
        (request(b'{"messages": [1]}'), 400),
        (request(b"[" * 100_000), 400),
        (request(host="evil.example"), 403),
        (request(path="/etc/passwd"), 404),
        (request(method="PUT"), 405),
        (b"nonsense\r\n\r\n", 400),
        (
            b"POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: x\r\n\r\n",
            400,
        ),
        (b"POST / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n", 413),
        (b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", 411),
        (b"GET / HTTP/1.1\r\nA: 1\r\nA: 2\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nA: " + b"x" * 40_000 + b"\r\n\r\n", 431),
    ],
)
def test_hostile_requests_are_bounded(raw, status):
    assert sent(raw).split(b" ", 2)[1] == str(status).encode()


def test_the_ledger_can_be_read():
    came = sent(request() + request(b"", "GET", "/ledger"), price=PRICE)
    ledger = json.loads(came.rsplit(b"\r\n\r\n", 1)[1])
    assert (ledger["requests"], ledger["paid"], ledger["repeated"]) == (1, 1, 0)
    assert ledger["input_tokens"] == 2  # "hello": five characters
    assert ledger["output_tokens"] == 11  # 44 characters
    assert ledger["cost"] == "0.000046"  # 2 x 1 + 11 x 4 millionths


@pytest.mark.parametrize("host", ["0.0.0.0", "example.org", "::"])  # noqa: S104
def test_nobody_else_is_served(host):
    with pytest.raises(ParameterError, match="not this machine"):
        MockServer(reply, host=host)


def test_rates_do_not_depend_on_the_order_of_requests():
    prompts = [f"p{at}" for at in range(200)]
    one, two = (FaultSchedule([Fault("429", rate=0.3)], seed=7) for _ in range(2))
    first = {prompt: one.draw(at, prompt) for at, prompt in enumerate(prompts, 1)}
    second = {prompt: two.draw(at, prompt) for at, prompt in enumerate(reversed(prompts), 1)}
    assert first == second
    assert 30 < sum(kind is not None for kind in first.values()) < 90


@pytest.mark.parametrize("text", ["429", "429=2", "nothing=0.1", "reset@0", "429=0.6,500=0.6"])
def test_schedules_that_cannot_be(text):
    with pytest.raises(ParameterError):
        FaultSchedule.parse(text)


@pytest.mark.parametrize("seed", range(3))
def test_where_every_question_comes_through_every_verdict_is_the_same(seed):
    kinds = ["429", "500", "502", "reset", "html", "truncated", "no_choices", "garbage", "cut",
             "fenced", "think", "two_objects", "nan", "wrong_enum", "unknown_id", "usage_missing",
             "400_temperature", "surrogate", "gzip", "bom"]  # fmt: skip
    faults = FaultSchedule([Fault(k, rate=0.05) for k in kinds], seed=seed, finally_succeeds=True)

    async def ask():
        async with (
            MockServer(reply, faults) as server,
            JudgeClient(settings(server, retries=9)) as client,
        ):
            verdicts = await asyncio.gather(*(client.ask(asked(at)) for at in range(30)))
            return verdicts, server.ledger.faults

    verdicts, met = asyncio.run(ask())
    assert sum(met.values()) > 15
    assert {json.dumps(one.reply) for one in verdicts if isinstance(one, Verdict)} == {
        json.dumps(json.loads(reply(None)))
    }
    assert all(isinstance(one, Verdict) and one.dropped == () for one in verdicts)


@pytest.mark.parametrize("name", ["lexical", "constant-0", "constant-0.5", "constant-1", "random"])
@pytest.mark.parametrize("contract", CONTRACTS)
def test_every_judge_keeps_every_contract(name, contract):
    judge, _ = judge_named(name)
    fields = dict.fromkeys(FIELDS[contract], "The bridge opened in 1921.")
    passages = {"c1": "It opened in 1921.", "c2": "It is red."}
    with_passages = contract in {"groundedness", "citation_support"}
    question = Question(contract, fields, passages if with_passages else {})
    body = {"messages": list(render(question).messages)}
    read_reply(judge(body), question)
    assert judge(body) == judge(body)


def test_a_judge_of_labels(tmp_path):
    path = tmp_path / "labels.jsonl"
    label = {
        "contract": "refusal",
        "fields": dict(asked().fields),
        "reply": json.loads(reply(None)),
    }
    path.write_text(json.dumps(label), encoding="utf-8")
    judge, _ = judge_named(f"labels:{path}")
    assert json.loads(judge({"messages": render(asked()).messages})) == label["reply"]
    with pytest.raises(ParameterError, match="no label"):
        judge({"messages": render(asked(9)).messages})
    path.write_text("{}", encoding="utf-8")
    with pytest.raises(FileFormatError) as caught:
        judge_named(f"labels:{path}")
    assert caught.value.where.endswith(":1")


def test_a_server_in_a_thread_serves_another_loop():
    with in_thread(MockServer(reply)) as server:

        async def ask():
            async with JudgeClient(settings(server)) as client:
                return await client.ask(asked())

        assert isinstance(asyncio.run(ask()), Verdict)


def test_a_judge_that_cannot_answer_refuses_the_request():
    lexical, _ = judge_named("lexical")

    async def ask():
        async with MockServer(lexical) as server:
            port = int(server.base_url.rsplit(":", 1)[1].split("/")[0])
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(request())
            came = await asyncio.wait_for(reader.read(), 5)
            writer.close()
            return came, server.ledger.paid

    came, paid = asyncio.run(ask())
    assert came.startswith(b"HTTP/1.1 400")
    assert b"the judge cannot answer this" in came
    assert paid == 0
