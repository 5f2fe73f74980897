"""A model behind an endpoint: tools, refusals, load, overflow, usage; and no secret is kept."""

import json

import pytest

from tests.bench.adapters.chat_server import OVERFLOW, USAGE, calls, said, serving, status
from tests.bench.running.agents import ANSWER, FAST, case
from veridical.bench.adapters.openai_chat import OpenaiChatAgent
from veridical.bench.agents.scripted_chat import ScriptedChatAgent, scripted_reply
from veridical.bench.cases import Limits
from veridical.bench.prompting import prompt_for, tool_schemas
from veridical.bench.running.one_case import Conditions, run_case
from veridical.errors import ConfigurationError

SUBMIT = ("submit", ANSWER)


def ran(*replies, of=None, limits=None, **options):
    """Return the trajectory, and what the endpoint was asked."""
    conditions = Conditions("run", "test", limits or FAST.limits)
    with serving(*replies) as endpoint:
        agent = OpenaiChatAgent("m", endpoint.url, **options)

        async def no_pause(_: float) -> None:
            """Wait for nothing."""

        agent._sleep = no_pause
        return run_case(agent, of or case(a_dot_csv=b"one"), conditions), endpoint


def test_tools_are_called_and_answered_until_a_submission():
    line, endpoint = ran(
        calls(("list_files", {})),
        calls(("read_file", {"name": "a.csv"}), ("read_file", {"name": "b.csv", "offset": 1})),
        calls(SUBMIT),
    )
    assert (line.outcome, line.stop_reason) == ("parsed", "submitted")
    assert line.submission_raw == ANSWER
    assert [one["name"] for one in line.tool_calls] == [
        "list_files", "read_file", "read_file", "submit",
    ]  # fmt: skip
    assert [one["id"] for one in line.tool_calls] == ["id-0", "id-0", "id-1", "id-0"]
    first, second, third = endpoint.asked
    assert first["messages"] == [{"role": "user", "content": prompt_for(case(a_dot_csv=b"one"))}]
    assert [one["function"] for one in first["tools"]] == list(tool_schemas())
    assert json.loads(second["messages"][-1]["content"]) == [{"name": "a.csv", "bytes": 3}]
    read, refused = (json.loads(one["content"]) for one in third["messages"][-2:])
    assert read == {"text": "one", "next_offset": None, "characters": 3}
    assert refused == {"error": "no such file"}
    assert line.model_requested == "m"
    assert line.model_returned == "model-as-served"


def test_usage_of_every_call_is_added_and_cached_tokens_count_once():
    line, _ = ran(calls(("list_files", {})), calls(SUBMIT))
    kinds = ("input", "output", "cache_read", "cache_write")
    assert [line.usage[kind] for kind in kinds] == [2 * 86, 2 * 300, 2 * 1920, 0]


@pytest.mark.parametrize("usage", [None, {}, {"prompt_tokens": 1}, {**USAGE, "prompt_tokens": 5}])
def test_missing_or_impossible_usage_is_unknown_and_not_zero(usage):
    line, _ = ran(calls(("list_files", {})), calls(SUBMIT, usage=usage))
    assert line.parsed
    assert line.usage is None
    assert line.usage_reason


@pytest.mark.parametrize(
    "arguments",
    [
        "{",
        '{"name": "a.csv", "name": "b"}',
        "[]",
        '{"name": 7}',
        '{"name": "a.csv", "offset": "0"}',
        '{"nom": "a.csv"}',
    ],
)
def test_malformed_arguments_are_told_and_kept(arguments):
    line, endpoint = ran(calls(("read_file", arguments)), calls(SUBMIT))
    told = json.loads(endpoint.asked[1]["messages"][-1]["content"])
    assert "error" in told
    assert line.tool_calls[0]["arguments_raw"] == arguments
    assert line.parsed


def test_an_unknown_tool_is_told():
    line, endpoint = ran(calls(("delete_all", {})), calls(SUBMIT))
    assert "error" in json.loads(endpoint.asked[1]["messages"][-1]["content"])
    assert [one["name"] for one in line.tool_calls] == ["delete_all", "submit"]


def test_a_malformed_submission_has_its_reason_once_a_turn():
    line, endpoint = ran(calls(("submit", "{"), ("submit", "[]")), calls(SUBMIT))
    told = [json.loads(one["content"]) for one in endpoint.asked[1]["messages"][-2:]]
    assert told == [
        {"accepted": False, "reason": "not_json"}, {"accepted": False, "reason": None},
    ]  # fmt: skip
    assert line.parsed
    assert line.submit_attempts == 3


def test_digits_of_a_submission_are_not_read_as_floats():
    raw = ANSWER.replace('"1250.00"', "1250.00000000000000001")
    line, _ = ran(calls(("submit", raw)), said("done"))
    assert line.submission_raw == raw
    assert line.parse_reason == "balance_not_string"


@pytest.mark.parametrize(
    ("reply", "outcome", "stop"),
    [
        (said(ANSWER), "parsed", "final_text"),
        (said(f"```json\n{ANSWER}\n```"), "parsed", "final_text"),
        (said("I'd rather not."), "parse_failure", "final_text"),
        (said(""), "no_submission", "final_text"),
        (said(None), "no_submission", "final_text"),
        (said(None, refusal="I cannot help with that."), "parse_failure", "refusal"),
        (said("Let me", finish="length"), "parse_failure", "token_limit"),
        (said("", finish="length"), "no_submission", "token_limit"),
        (status(400, OVERFLOW), "no_submission", "context_overflow"),
    ],
)
def test_how_a_conversation_ends(reply, outcome, stop):
    line, _ = ran(reply)
    assert (line.outcome, line.stop_reason) == (outcome, stop)


def test_an_overflow_after_some_turns_keeps_what_was_spent():
    line, _ = ran(calls(("list_files", {})), status(400, OVERFLOW))
    assert (line.outcome, line.stop_reason) == ("no_submission", "context_overflow")
    assert line.usage["output"] == 300


def test_load_is_waited_for_and_counted():
    line, endpoint = ran(status(429, retry_after="0"), status(503), status(500), calls(SUBMIT))
    assert line.parsed
    assert line.error == {"class": "retried", "message": "calls were repeated", "retries": 3}
    assert len(endpoint.asked) == 4
    assert line.usage["output"] == 300


@pytest.mark.parametrize("code", [429, 500, 503])
def test_load_that_does_not_end_is_nobodys_answer(code):
    line, endpoint = ran(status(code), retries=2)
    assert (line.outcome, line.error["class"], line.error["retries"]) == (
        "infra_error",
        "status",
        2,
    )
    assert len(endpoint.asked) == 3
    assert line.usage["input"] == 0


@pytest.mark.parametrize("code", [400, 401, 403, 404])
def test_a_refusal_is_not_repeated(code):
    line, endpoint = ran(status(code))
    assert line.outcome == "infra_error"
    assert len(endpoint.asked) == 1


@pytest.mark.parametrize("body", [b"<html>", b"[]", b"{}", b'{"choices": []}', b'{"choices": [7]}',
                                  b'{"choices": [{"message": "x"}]}', b"\xff"])  # fmt: skip
def test_a_response_that_is_none_is_nobodys_answer(body):
    line, _ = ran(calls(("list_files", {})), (200, {}, body))
    assert (line.outcome, line.error["class"]) == ("infra_error", "bad_response")


def test_an_endpoint_that_is_not_there():
    agent = OpenaiChatAgent("m", "http://127.0.0.1:9/v1", retries=0)
    line = run_case(agent, case(), FAST)
    assert (line.outcome, line.error["class"]) == ("infra_error", "connection")


def test_turns_end():
    line, endpoint = ran(calls(("list_files", {})), limits=Limits(turns=3, seconds=20))
    assert (line.outcome, line.stop_reason) == ("no_submission", "turn_limit")
    assert len(endpoint.asked) == 3
    assert line.usage["output"] == 900


def test_time_ends_a_silent_endpoint_as_the_agents_own_fault():
    import threading

    silent = threading.Event()

    def wait(_):
        silent.wait(20)
        return said(ANSWER)

    try:
        line, _ = ran(calls(("list_files", {})), wait, limits=Limits(seconds=3.0))
    finally:
        silent.set()
    assert (line.outcome, line.stop_reason) == ("no_submission", "time_limit")
    assert line.usage["output"] == 300


def test_the_key_goes_to_the_endpoint_and_nowhere_else(monkeypatch):
    monkeypatch.setenv("MY_KEY", "sk-very-secret")
    echo = said("your key is sk-very-secret")
    line, endpoint = ran(calls(("read_file", {"name": "sk-very-secret"})), echo, key_env="MY_KEY")
    assert endpoint.headers[0]["authorization"] == "Bearer sk-very-secret"
    assert "[key]" in json.dumps([line.messages])
    assert "sk-very-secret" not in json.dumps(line.to_dict())


def test_messages_are_kept_without_the_results_of_tools():
    line, _ = ran(calls(("read_file", {"name": "a.csv"})), calls(SUBMIT), of=case(
        a_dot_csv=b"words of the file"
    ))  # fmt: skip
    assert [one["role"] for one in line.messages] == ["user", *["assistant", "tool"] * 2]
    assert "words of the file" not in json.dumps(line.to_dict())
    assert len(line.messages[2]["result_sha256"]) == 64


def test_sampling_is_sent_and_kept():
    line, endpoint = ran(calls(SUBMIT), sampling={"temperature": 0, "seed": 7})
    assert (endpoint.asked[0]["temperature"], endpoint.asked[0]["seed"]) == (0, 7)
    assert line.sampling == {"temperature": 0, "seed": 7}


@pytest.mark.parametrize(
    "url",
    [
        "",
        "x",
        "ftp://a",
        "https://user:pass@example.org",
        "https://a/?k=1",
    ],
)
def test_an_address_that_is_none_or_tells_a_secret_is_refused(url):
    with pytest.raises(ConfigurationError):
        OpenaiChatAgent("m", url)


def test_a_key_goes_over_no_network_in_the_clear(monkeypatch):
    monkeypatch.setenv("MY_KEY", "k")
    OpenaiChatAgent("m", "http://10.0.0.7:8000/v1")
    OpenaiChatAgent("m", "http://localhost:8000/v1", "MY_KEY")
    with pytest.raises(ConfigurationError):
        OpenaiChatAgent("m", "http://10.0.0.7:8000/v1", "MY_KEY")


def test_the_words_of_a_refusal_are_kept_without_the_key(monkeypatch):
    monkeypatch.setenv("MY_KEY", "sk-very-secret")
    line, _ = ran(status(401, {"error": {"message": "bad key sk-very-secret"}}), key_env="MY_KEY")
    assert line.error["message"] == "the endpoint says 401: bad key [key]"


def test_a_key_that_is_not_set_is_refused(monkeypatch):
    monkeypatch.delenv("NO_KEY", raising=False)
    with pytest.raises(ConfigurationError):
        OpenaiChatAgent("m", "https://example.org/v1", "NO_KEY")


def test_the_scripted_model_answers_the_same_behind_an_endpoint(dev):
    """The same script, over HTTP and without: nothing is different but the agent."""

    def scripted(asked):
        return 200, {}, scripted_reply(asked["messages"])

    of = dev.cases[0]
    line, endpoint = ran(scripted, of=of)
    plain = run_case(ScriptedChatAgent(), of, FAST)
    assert line.parsed
    assert (line.submission_raw, line.usage, line.messages) == (
        plain.submission_raw,
        plain.usage,
        plain.messages,
    )
    assert plain.usage["cache_read"] > plain.usage["output"] > 0
    assert len(endpoint.asked) >= 3
