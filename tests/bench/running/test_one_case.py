"""One run of one case: every way in which it can end, and what is kept of it."""

import json
import re
import threading

import pytest

from tests.bench.running.agents import ANSWER, FAST, Scripted, case
from veridical.bench.agents.protocol import AgentResult, InfraError, RunEndedError
from veridical.bench.cases import Limits
from veridical.bench.prompting import hashes
from veridical.bench.running.decoding import decoded, page_of
from veridical.bench.running.one_case import Conditions, run_case
from veridical.bench.running.tools import MOST_CALLS, RecordedTools
from veridical.bench.trajectories import Trajectory


def ran(work, *, conditions=FAST, of=None, **attributes) -> Trajectory:
    return run_case(Scripted(work, **attributes), of or case(), conditions)


def test_a_valid_submission_ends_the_run():
    def work(_, tools):
        assert tools.submit(ANSWER).accepted
        with pytest.raises(RunEndedError):
            tools.submit("{}")
        with pytest.raises(RunEndedError):
            tools.list_files()

    line = ran(work)
    assert (line.outcome, line.stop_reason, line.parsed) == ("parsed", "submitted", True)
    assert line.submission_raw == ANSWER
    assert line.submit_attempts == 1


def test_an_invalid_submission_says_why_and_may_be_corrected():
    reasons = []

    def work(_, tools):
        reasons.append(tools.submit(ANSWER.replace('"high"', '"High"')).reason)
        reasons.append(tools.submit("[]").reason)
        tools.submit(ANSWER)

    line = ran(work)
    assert reasons == ["bad_confidence", "not_object"]
    assert line.parsed
    assert line.submission_raw == ANSWER
    assert line.submit_attempts == 3


def test_the_reason_is_told_once_a_turn():
    reasons = []

    def work(_, tools):
        for _turn in range(2):
            tools.next_turn()
            reasons.extend(tools.submit("[]").reason for _ in range(2))

    assert ran(work).submit_attempts == 4
    assert reasons == ["not_object", None, "not_object", None]


def test_the_last_submission_counts_and_not_the_text():
    def work(_, tools):
        tools.submit("not json")
        return AgentResult(final_text=ANSWER)

    line = ran(work)
    assert (line.outcome, line.parse_reason) == ("parse_failure", "not_json")
    assert line.submission_raw == "not json"


@pytest.mark.parametrize(
    ("text", "outcome", "reason"),
    [
        (ANSWER, "parsed", None),
        (f"Here:\n```json\n{ANSWER}\n```", "parsed", None),
        ("I cannot help with that.", "parse_failure", "not_json"),
        ("", "no_submission", "no_submission"),
        (None, "no_submission", "no_submission"),
    ],
)
def test_without_a_call_the_final_text_is_the_submission(text, outcome, reason):
    line = ran(lambda *_: AgentResult(final_text=text))
    assert (line.outcome, line.parse_reason, line.submission_raw) == (outcome, reason, text)
    assert line.submit_attempts == 0


def test_an_agent_that_breaks_is_no_answer_and_its_words_are_not_kept():
    def work(*_):
        raise KeyError("sk-secret")

    line = ran(work)
    assert line.outcome == "infra_error"
    assert line.error["class"] == "exception"
    told = line.error["message"]
    assert re.fullmatch(r"the agent raised KeyError \(test_one_case\.py:\d+\)", told)
    assert "sk-secret" not in json.dumps(line.to_dict())
    assert line.usage is None


def test_an_agent_that_breaks_after_it_submitted_has_submitted():
    def work(_, tools):
        tools.submit(ANSWER)
        raise SystemExit

    line = ran(work)
    assert (line.outcome, line.submission_raw) == ("parsed", ANSWER)


def test_what_a_failure_cost_is_kept():
    def work(*_):
        raise InfraError("status", "the endpoint says 500", retries=5, usage={
            "input": 7, "output": 1, "cache_read": 0, "cache_write": 0,
        })  # fmt: skip

    line = ran(work)
    assert line.usage["input"] == 7
    assert line.error["retries"] == 5
    assert line.submission_raw is None


def test_an_agent_that_does_not_come_back_is_left_behind():
    released = threading.Event()
    came_back = []

    def work(_, tools):
        released.wait()
        came_back.append(1)
        tools.submit(ANSWER)

    line = ran(work, conditions=Conditions("run", "test", Limits(seconds=0.1)))
    assert not came_back
    released.set()
    assert (line.outcome, line.stop_reason) == ("no_submission", "time_limit")
    assert line.usage is None


def test_a_submission_after_the_time_counts_no_more():
    now = [0.0]
    tools = RecordedTools(case(a_dot_csv=b"1"), Limits(seconds=10), clock=lambda: now[0])
    now[0] = 9.9
    tools.submit("{")
    now[0] = 10.0
    for late in (lambda: tools.submit(ANSWER), tools.list_files, tools.next_turn):
        with pytest.raises(RunEndedError, match="time_limit"):
            late()
    assert (tools.attempts, tools.submission_raw, tools.ended) == (1, "{", "time_limit")


def test_forty_turns_and_no_more():
    begun = []

    def work(_, tools):
        while True:
            tools.next_turn()
            begun.append(1)

    line = ran(work)
    assert (line.outcome, line.stop_reason) == ("no_submission", "turn_limit")
    assert len(begun) == 40


def test_an_agent_without_turns_has_as_many_submissions_as_turns():
    def work(_, tools):
        while True:
            tools.submit("{")

    line = ran(work)
    assert (line.outcome, line.submit_attempts) == ("parse_failure", 40)


def test_reading_in_circles_ends():
    def work(_, tools):
        while True:
            tools.list_files()

    line = ran(work)
    assert line.stop_reason == "turn_limit"
    assert len(line.tool_calls) == MOST_CALLS


def test_the_text_of_arguments_is_kept_to_the_letter():
    raw = ANSWER.replace('"1250.00"', "1250.0000000000000001")
    line = ran(lambda _, tools: tools.submit(raw) and None)
    assert line.tool_calls[0]["arguments_raw"] == raw
    assert line.submission_raw == raw


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        ("x" * 10_000_000, "too_large"),
        ('{"a":' * 100_000, "too_deep"),
        ("[" * 1_000_000, "too_deep"),
        (ANSWER.replace("[]", "[" + ",".join(['{"type":"x"}'] * 1_001) + "]"), "too_many_flags"),
        # A million flags are larger than what is read at all.
        (ANSWER.replace("[]", "[" + ",".join(['{"type":"x"}'] * 1_000_000) + "]"), "too_large"),
        ("\ud800", "not_json"),
        ("\x00", "not_json"),
    ],
    ids=["10 MB", "deep objects", "deep lists", "1,001 flags", "10^6 flags", "surrogate", "zero"],
)
def test_a_hostile_submission_has_a_reason_and_fits_a_line(raw, reason):
    line = ran(lambda _, tools: tools.submit(raw) and None)
    assert (line.outcome, line.parse_reason) == ("parse_failure", reason)
    text = ran(lambda *_: AgentResult(final_text=raw))
    assert (text.outcome, text.parse_reason) == ("parse_failure", reason)
    for one in (line, text):
        assert len(json.dumps(one.to_dict())) < 3_000_000
        assert Trajectory.from_dict(json.loads(json.dumps(one.to_dict()))) == one


def test_the_line_says_who_ran_under_which_conditions():
    of = case(a_dot_csv=b"1")
    line = ran(
        lambda _, tools: tools.submit(ANSWER) and None,
        of=of,
        config={"temperature": 0},
        model="m",
        provider="p",
        sampling={"temperature": 0},
    )
    assert (line.run_id, line.suite, line.case_id) == ("run", "test", "c1")
    assert line.prompt_sha256 == hashes()["prompt_sha256"]
    assert line.case_sha256 == of.sha256
    assert (line.model_requested, line.provider, line.sampling) == ("m", "p", {"temperature": 0})
    other = ran(lambda *_: None, config={"temperature": 1})
    assert other.agent["config_sha256"] != line.agent["config_sha256"]


def test_usage_of_a_provider_is_brought_to_four_kinds():
    raw = {
        "prompt_tokens": 2006,
        "completion_tokens": 300,
        "prompt_tokens_details": {"cached_tokens": 1920},
    }
    line = ran(lambda *_: AgentResult(usage=[raw, raw], shape="openai_chat"))
    totals = {name: line.usage[name] for name in ("input", "output", "cache_read", "cache_write")}
    assert totals == {"input": 172, "output": 600, "cache_read": 3840, "cache_write": 0}
    assert len(line.usage["calls"]) == 2


@pytest.mark.parametrize(
    "result",
    [
        AgentResult(
            usage=[{"prompt_tokens": 1, "completion_tokens": 1}, None], shape="openai_chat"
        ),
        AgentResult(usage={"input_tokens": -1, "output_tokens": 0}, shape="anthropic_messages"),
        AgentResult(usage={"input": 1}),
        AgentResult(usage="many"),
        AgentResult(usage=None),
    ],
)
def test_unknown_usage_is_null_with_a_reason_and_never_zero(result):
    line = ran(lambda *_: result)
    assert line.usage is None
    assert line.usage_reason


def test_messages_that_cannot_be_written_do_not_stop_a_run():
    nested: list = []
    nested.append(nested)
    line = ran(lambda *_: AgentResult(messages=({"role": "user"}, {1, 2}, float("nan"), nested)))
    assert line.messages == (
        {"role": "user"},
        {"left_out": "set"},
        {"left_out": "float"},
        {"left_out": "list"},
    )
    json.dumps(line.to_dict(), allow_nan=False)


def test_messages_fill_no_disk():
    line = ran(lambda *_: AgentResult(messages=tuple(["x" * 3_000_000] * 100)))
    assert len(line.messages) == 2
    assert "left_out" in line.messages[1]


@pytest.mark.parametrize(
    "result",
    [
        7,
        {"final_text": "x"},
        AgentResult(final_text=7, messages="no", usage=7, shape=[], model={}, provider=7,
                    stop_reason=b"x", retries="many", isolation=1),
        AgentResult(final_text=None, messages=7, shape="x" * 10_000, model="m" * 10_000),
        AgentResult(usage={"prompt_tokens": float("nan")}, shape="openai_chat"),
        AgentResult(usage=[[]] * 3, shape="openai_chat"),
        AgentResult(retries=True),
    ],
)  # fmt: skip
def test_an_agent_may_give_back_anything(result):
    line = ran(lambda *_: result)
    text = json.dumps(line.to_dict(), allow_nan=False)
    assert Trajectory.from_dict(json.loads(text)) == line
    assert len(text) < 3_000
    assert line.outcome == "no_submission"


def test_an_infra_error_may_hold_anything():
    def work(*_):
        raise InfraError(7, b"x", retries=None, usage={1, 2}, shape=3)

    line = ran(work)
    assert line.outcome == "infra_error"
    assert Trajectory.from_dict(json.loads(json.dumps(line.to_dict()))) == line


def test_submit_takes_text():
    def work(_, tools):
        with pytest.raises(TypeError, match=r"json\.dumps"):
            tools.submit({"accounts": []})

    assert ran(work).submit_attempts == 0


def test_files_are_read_as_text_by_the_character():
    tools = RecordedTools(case(a_dot_csv="£1\nü".encode(), b_dot_csv=b"\xa31"), Limits())
    assert tools.list_files() == [("a.csv", 6), ("b.csv", 2)]
    page = tools.read_file("a.csv", 1, 2)
    assert (page.text, page.next_offset, page.characters) == ("1\n", 3, 4)
    assert tools.read_file("b.csv").text == "£1"
    for elsewhere in ("../a.csv", "./a.csv", __file__, "/etc/passwd", ""):
        with pytest.raises(LookupError):
            tools.read_file(elsewhere)
    with pytest.raises(ValueError, match="offset"):
        tools.read_file("a.csv", -1)
    assert [call["name"] for call in tools.calls] == ["list_files"] + ["read_file"] * 8


def test_a_page_has_at_most_32_kib_whatever_is_asked():
    text = "\U000e0041" * 30_000
    assert page_of("a" * 40_000, 0, 1_000_000) == ("a" * 32_768, 32_768)
    piece, following = page_of(text, 0, 1_000_000)
    assert len(piece.encode()) == 32_768
    assert following == len(piece)
    whole, offset = "", 0
    while offset is not None:
        piece, offset = page_of(text, offset, 32_768)
        whole += piece
    assert whole == text


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"\xef\xbb\xbfa", "\ufeffa"),
        ("\ufeffa€".encode("utf-16-le"), "\ufeffa€"),
        ("\ufeffa€".encode("utf-16-be"), "\ufeffa€"),
        (b"\x80", "€"),
        (b"a\r\nb", "a\r\nb"),
        (b"", ""),
    ],
)
def test_decoding_loses_nothing(content, text):
    assert decoded(content) == text
