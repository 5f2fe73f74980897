"""What a reply is read as, and what it takes to calibrate: each sentence with an exact value."""

from __future__ import annotations

import asyncio
import json
from types import SimpleNamespace

import pytest

from tests.judge.conftest import PRICE, asked, reply, settings
from tests.rag.adapters.test_adapters import endpoint
from veridical.judge.calibration.agreement import (
    JUDGE_ERROR,
    Judged,
    PromptCalibration,
    Thresholds,
)
from veridical.judge.calibration.samples import NOT_APPLICABLE, Sample
from veridical.judge.client import JudgeClient
from veridical.judge.contracts import verdict_score
from veridical.judge.reading import ReplyError, read_reply
from veridical.judge.rendering import render
from veridical.judge.serving import Fault, FaultSchedule, MockServer
from veridical.judge.verdicts import Failure, Question, Verdict

YES = '{"refused": true, "reason": "it declines"}'
NO = '{"refused": false, "reason": "it answers"}'
REFUSAL = Question("refusal", {"question": "How much?", "answer": "2 euros"})
CITATIONS = Question("citation_support", {}, {"c1": "one", "c2": "two"})
CLAIMS = Question("groundedness", {}, {"c1": "one"})


@pytest.mark.parametrize(
    ("raw", "read_as"),
    [
        pytest.param(YES, True, id="strict JSON"),
        pytest.param(f"```json\n{YES}\n```", True, id="one fenced block"),
        pytest.param(f"```\n{YES}\n```\n", True, id="a fence without a language"),
        pytest.param(f"The verdict is {YES}, I think.", True, id="one balanced object"),
        pytest.param(f"<think>{NO} or so?</think>{YES}", True, id="after one reasoning block"),
        pytest.param(f"{YES}\n{YES}", True, id="the same object twice is one"),
        pytest.param(f"{YES}\n{NO}", "two_candidates", id="two different candidates"),
        pytest.param(f"```json\n{YES}\n```\nor {NO}", "two_candidates", id="one of them fenced"),
        pytest.param(f"<think>a</think><think>b</think>{YES}", "reasoning", id="two blocks"),
        pytest.param(f'{YES[:-1]}, "score": NaN}}', "not_json", id="a NaN"),
        pytest.param(f'{YES[:-1]}, "refused": true}}', "not_json", id="a duplicate key"),
        pytest.param(f'{YES[:-1]}, "score": 1}}', "schema", id="the schema is closed"),
        pytest.param('{"refused": true}', "schema", id="nothing is filled in"),
        pytest.param('{"refused": "yes", "reason": ""}', "schema", id="nothing is converted"),
        pytest.param(YES[:-1], "truncated", id="nothing is completed"),
        pytest.param("It declines: refused = true.", "no_object", id="nothing is read from prose"),
    ],
)  # fmt: skip
def test_reading(raw, read_as):
    if read_as is True:
        assert read_reply(raw, REFUSAL) == json.loads(YES)
        return
    with pytest.raises(ReplyError) as refused:
        read_reply(raw, REFUSAL)
    assert refused.value.code == read_as


def test_a_passage_without_a_verdict_is_unsupported_and_no_claims_have_no_score():
    one = {"citations": [{"id": "c1", "supported": True, "reason": ""}]}
    assert verdict_score(CITATIONS, read_reply(json.dumps(one), CITATIONS)) == 0.5
    assert verdict_score(CLAIMS, read_reply('{"claims": []}', CLAIMS)) is None


def answered(*kinds: str, **changes):
    """Ask once where the first requests meet these faults; the verdict, and what was sent."""
    sent = []

    def judge(request):
        sent.append(request)
        return reply(request)

    async def ask():
        faults = FaultSchedule([Fault(kind, at=(at,)) for at, kind in enumerate(kinds, 1)])
        async with (
            MockServer(judge, faults) as server,
            JudgeClient(settings(server, **changes)) as client,
        ):
            return await client.ask(asked()), server.ledger.requests

    verdict, requests = asyncio.run(ask())
    return verdict, requests, sent


def test_a_reply_that_was_cut_is_asked_for_once_more_with_more_room():
    verdict, requests, sent = answered("cut", max_output_tokens=100)
    assert isinstance(verdict, Verdict)
    assert requests == 2
    assert sent[-1]["max_tokens"] == 200


@pytest.mark.parametrize(
    ("kinds", "code"),
    [
        (("503", "cut", "nan"), None),  # transport, length, repair: one of each
        (("cut", "cut"), None),  # cut again: read as it is, which fails, and repaired
        (("nan", "nan"), "not_json"),
        (("nan", "503", "cut", "wrong_enum"), "schema"),  # a second failure, whatever lay between
    ],
)
def test_neither_transport_nor_length_uses_up_the_repair(kinds, code):
    verdict, _, _ = answered(*kinds)
    assert getattr(verdict, "code", None) == code


def calibrated(pairs, contract="refusal", **limits) -> PromptCalibration:
    """Return a prompt whose labels and bands are given as ``(label, said, times)``."""
    judged = [
        Judged(
            Sample(id="s", contract=contract, question="?", answer=".", label=label,
                   source="constructed"),
            (said,),
        )
        for label, said, times in pairs
        for _ in range(times)
    ]  # fmt: skip
    return PromptCalibration(contract, tuple(judged), Thresholds(**limits))


@pytest.mark.parametrize(
    ("label", "said", "exact", "within"),
    [
        (0, "0", 1, 1),
        (0, "0.5", 0, 1),
        (0, "1", 0, 0),
        (0.5, "0", 0, 1),
        (0.5, "1", 0, 1),
        (0.7, "0.5", 1, 1),
        (0.75, "1", 1, 1),
        (1, "0", 0, 0),
        (NOT_APPLICABLE, NOT_APPLICABLE, 1, 1),
        (NOT_APPLICABLE, "0.5", 0, 0),
        (0.5, NOT_APPLICABLE, 0, 0),
        (0.5, JUDGE_ERROR, 0, 0),
        (NOT_APPLICABLE, JUDGE_ERROR, 0, 0),
    ],
)
def test_the_same_band_and_the_next(label, said, exact, within):
    found = calibrated([(label, said, 1)], "groundedness")
    assert (found.exact.value, found.within.value) == (exact, within)


# Of refusals: 0 and 1 alone, so that a wrong one is two bands away.
GOOD = [(0, "0", 50), (1, "1", 50)]


@pytest.mark.parametrize(
    ("pairs", "limits", "said"),
    [
        (GOOD, {}, None),
        ([(0, "0", 45), (0, "1", 5), (1, "1", 45), (1, "0", 5)], {}, None),  # 90% is enough
        ([(0, "0", 45), (0, "1", 6), (1, "1", 44), (1, "0", 5)], {}, "within one band 89.0%"),
        ([(0, "0", 35), (0, "0.5", 15), (1, "1", 35), (1, "0.5", 15)], {}, None),  # 70% is enough
        ([(0, "0", 35), (0, "0.5", 15), (1, "1", 34), (1, "0.5", 16)], {}, "exact agreement 69.0%"),
        ([(0, "0", 39), (0, "1", 1), (1, "1", 60)], {"exact": 1.0}, "exact agreement 99.0%"),
        ([(0, "0", 81), (1, "1", 19)], {}, "fewer than 20% of the samples have the label 1"),
        ([(0, "0", 80), (1, "1", 20)], {}, None),
        ([(0, "0", 100)], {}, "always says the same reaches 100.0%"),
        ([(0, "0.5", 50), (1, "0.5", 50)], {}, "kappa is not above 0.2"),
        # A kappa of 0.52 is above it, its lower bound with ten samples is not.
        ([(0, "0", 2), (0, "0.5", 2), (1, "1", 5), (1, "0.5", 1)], {}, "kappa is not above 0.2"),
    ],
)
def test_what_it_takes(pairs, limits, said):
    failures = calibrated(pairs, **limits).failures
    if said is None:
        assert failures == []
    else:
        assert any(said in failure for failure in failures), failures


def at_endpoint(*responses, **changes):
    """Ask two questions of an endpoint that answers with these; both outcomes, and how often."""

    async def ask():
        async with endpoint(*responses) as (url, requests):
            server = SimpleNamespace(base_url=f"{url}/v1")
            async with JudgeClient(settings(server, **changes)) as client:
                return [await client.ask(asked(at)) for at in range(2)], len(requests)

    return asyncio.run(ask())


@pytest.mark.parametrize("status", [401, 402, 403])
def test_who_is_not_let_in_stops_the_run_with_the_cause(status):
    (first, second), requests = at_endpoint((status, "", '{"error": {"message": "no credit"}}'))
    assert (first.kind, first.code) == ("stop", f"http_{status}")
    assert f"HTTP {status}: no credit" in first.detail
    assert (second.kind, second.code, requests) == ("stop", f"http_{status}", 1)


def test_a_context_that_is_too_long_for_the_model_is_skipped_and_not_repeated():
    words = "This model's maximum context length is 8192 tokens."
    body = {"error": {"message": words, "code": "context_length_exceeded"}}
    (first, _), requests = at_endpoint((400, "", json.dumps(body)))
    assert (first.kind, first.code, requests) == ("skipped", "context_too_long", 2)


def test_usage_is_the_providers_where_it_is_given_and_else_an_estimate():
    text = '{"refused": false, "reason": "it answers"}'
    body = {"choices": [{"message": {"content": text}, "finish_reason": "stop"}]}
    given = {**body, "usage": {"prompt_tokens": 700, "completion_tokens": 30}}
    (first, second), _ = at_endpoint(
        (200, "", json.dumps(given)), (200, "", json.dumps(body)), price=PRICE
    )
    assert (first.usage.input_tokens, first.usage.output_tokens) == (700, 30)
    assert not first.usage.estimated
    # At 1 and 4 a million tokens.
    assert first.usage.cost == (700 * PRICE.input_per_mtok + 30 * PRICE.output_per_mtok) / 10**6
    # Four characters a token, rounded up.
    assert second.usage.estimated
    assert second.usage.output_tokens == -(-len(text) // 4)
    sent = render(asked(1))
    assert not isinstance(sent, Failure)
    length = sum(len(message["content"]) for message in sent.messages)
    assert second.usage.input_tokens == pytest.approx(length / 4, abs=2)
