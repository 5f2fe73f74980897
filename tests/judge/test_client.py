"""The client against every fault: a verdict depends on the finally valid reply alone."""

import asyncio

import pytest

from tests.judge.conftest import asked, reply, settings
from veridical.errors import ConfigurationError, ParameterError
from veridical.judge.client import JudgeClient
from veridical.judge.serving import FAULTS, Fault, FaultSchedule, MockServer
from veridical.judge.settings import DEFAULT_KEY
from veridical.judge.verdicts import Failure, Verdict

RECOVERED = sorted(kind for kind, group in FAULTS.items() if group != "stop")
TRANSPORT = sorted(kind for kind, group in FAULTS.items() if group == "transport")
CONTENT = sorted(kind for kind, group in FAULTS.items() if group == "content")
KEY = "sk-very-secret-0123456789"


def one(judge=reply, faults=None, question=None, server_options=None, **changes):
    """Ask one question of a server with faults; return what came, and the server's ledger."""

    async def ask():
        async with (
            MockServer(judge, faults, **(server_options or {})) as server,
            JudgeClient(settings(server, **changes)) as client,
        ):
            return await client.ask(question or asked()), server.ledger

    return asyncio.run(ask())


def patience(kind):
    """Seconds: few where the fault is that nothing comes, else enough for a busy machine."""
    return 0.5 if kind in {"hang", "drip"} else 10.0


@pytest.mark.parametrize("kind", RECOVERED)
def test_one_fault_of_any_kind_changes_no_verdict(kind):
    schedule = FaultSchedule([Fault(kind, at=(1,))])
    verdict, ledger = one(faults=schedule, timeout_s=patience(kind))
    assert isinstance(verdict, Verdict), verdict
    assert verdict.reply == {"refused": False, "reason": "it answers"}
    assert verdict.model == "mock-judge-1"
    assert verdict.dropped == ()
    assert ledger.faults == {kind: 1}
    assert verdict.usage.calls == ledger.requests == (1 if FAULTS[kind] == "harmless" else 2)


@pytest.mark.parametrize("kind", TRANSPORT)
def test_what_never_comes_through_is_an_error_with_a_code(kind):
    schedule = FaultSchedule([Fault(kind, rate=1)])
    failure, ledger = one(faults=schedule, retries=2, timeout_s=patience(kind))
    assert isinstance(failure, Failure)
    assert failure.kind == "error"
    assert ledger.requests == failure.usage.calls == 3
    known = {"timeout", "connection", "bad_response", "too_large"}
    assert failure.code == f"http_{kind}" if kind.isdigit() else failure.code in known


@pytest.mark.parametrize("kind", CONTENT)
def test_a_reply_is_repaired_exactly_once(kind):
    schedule = FaultSchedule([Fault(kind, rate=1)])
    failure, ledger = one(faults=schedule, timeout_s=patience(kind))
    assert isinstance(failure, Failure)
    assert (failure.kind, ledger.requests, len(failure.raw)) == ("error", 2, 2)


def test_the_repair_says_what_was_wrong_after_the_same_request():
    seen = []

    def judge(request):
        seen.append(request["messages"])
        return '{"refused": "no"}' if len(seen) == 1 else reply(request)

    verdict, _ = one(judge)
    assert isinstance(verdict, Verdict)
    first, second = seen
    assert second[: len(first)] == first
    assert second[-2] == {"role": "assistant", "content": '{"refused": "no"}'}
    assert "refused" in second[-1]["content"]


def test_trouble_with_the_connection_leaves_the_repair_alone():
    kinds = ["429", "reset", "two_objects", "cut", "502", "html"]
    faults = FaultSchedule([Fault(kind, at=(at,)) for at, kind in enumerate(kinds, 1)])
    verdict, ledger = one(faults=faults)
    assert isinstance(verdict, Verdict)
    assert ledger.requests == len(kinds) + 1


@pytest.mark.parametrize("status", ["401"])
def test_a_refused_key_stops_everything(status):
    async def ask():
        schedule = FaultSchedule([Fault(status, at=(1,))])
        async with MockServer(reply, schedule) as server, JudgeClient(settings(server)) as client:
            first = await client.ask(asked(1))
            second = await client.ask(asked(2))
            return first, second, server.ledger.requests

    first, second, requests = asyncio.run(ask())
    assert (first.kind, first.code) == ("stop", "http_401")
    assert (second.kind, requests) == ("stop", 1)


@pytest.mark.parametrize("name", ["temperature", "max_tokens", "response_format"])
def test_a_parameter_that_is_always_refused_is_dropped_and_recorded(name):
    async def ask():
        bodies = []

        def judge(request):
            bodies.append(request)
            return reply(request)

        async with (
            MockServer(judge, refuses=(name,)) as server,
            JudgeClient(settings(server)) as client,
        ):
            verdicts = [await client.ask(asked(at)) for at in range(3)]
            return verdicts, bodies, server.ledger.requests, client.settings

    verdicts, bodies, requests, judge_settings = asyncio.run(ask())
    assert {verdict.dropped for verdict in verdicts} == {(name,)}
    assert judge_settings.identity(verdicts)["dropped"] == [name]
    assert all(name not in body for body in bodies)
    assert requests == 5  # refused twice, then never sent again
    assert all(("max_completion_tokens" in body) == (name == "max_tokens") for body in bodies)


def test_a_response_that_drips_ends_at_the_total_timeout():
    failure, _ = one(
        faults=FaultSchedule([Fault("drip", rate=1)]),
        server_options={"drip_s": 0.01},
        retries=0,
        timeout_s=0.1,
    )
    assert failure.code == "timeout"


def test_a_client_works_inside_a_running_loop_and_asks_many_at_once():
    async def ask():
        async with (
            MockServer(reply, latency_s=0.01) as server,
            JudgeClient(settings(server, concurrency=4)) as client,
        ):
            verdicts = await asyncio.gather(*(client.ask(asked(at)) for at in range(12)))
            return verdicts, server.ledger.most_at_once

    verdicts, most = asyncio.run(ask())
    assert all(isinstance(verdict, Verdict) for verdict in verdicts)
    assert most == 4


def test_the_key_is_sent_and_never_shown(monkeypatch, caplog):
    monkeypatch.setenv(DEFAULT_KEY, KEY)

    def judge(_request):
        return f'{{"refused": false, "reason": "{KEY}"}}'

    async def ask():
        async with MockServer(judge) as server, JudgeClient(settings(server)) as client:
            shown = repr(client) + repr(client.settings) + str(client.settings.identity())
            return await client.ask(asked()), shown

    with caplog.at_level(0):
        verdict, shown = asyncio.run(ask())
    assert verdict.reply["reason"] == "[key]"
    assert KEY not in shown + repr(verdict) + caplog.text


@pytest.mark.parametrize(
    "changes",
    [
        {"base_url": "https://user:pass@host/v1"},
        {"base_url": "https://host/v1?key=pass"},
        {"base_url": "ftp://host"},
        {"model": " "},
        {"concurrency": 0},
        {"temperature": 3.0},
    ],
)
def test_settings_that_cannot_be(changes):
    from veridical.judge.settings import JudgeSettings

    with pytest.raises(ConfigurationError) as caught:
        JudgeSettings(**{"base_url": "http://127.0.0.1:1/v1", "model": "m", **changes})
    assert "pass" not in str(caught.value)


def test_the_canonical_name_wins():
    from veridical.judge.settings import JudgeSettings

    environment = {
        "VERIDICAL_JUDGE_BASE_URL": "http://127.0.0.1:1/v1",
        "VERIDICAL_JUDGE_MODEL": "ours",
        "RAGPROOF_JUDGE_MODEL": "theirs",
        "RAGPROOF_JUDGE_INPUT_COST_PER_MTOK": "2.50",
        "VERIDICAL_JUDGE_OUTPUT_COST_PER_MTOK": "10",
        "RAGPROOF_MAX_COST_USD": "0.5",
    }
    made = JudgeSettings.from_configuration({"model": "of the file"}, environment)
    assert made.model == "ours"
    assert (str(made.price.input_per_mtok), str(made.max_cost_usd)) == ("2.50", "0.5")


def test_a_budget_without_a_price_or_a_run_is_refused():
    async def make(**changes):
        async with MockServer(reply) as server:
            JudgeClient(settings(server, **changes))

    from decimal import Decimal

    from tests.judge.conftest import PRICE

    with pytest.raises(ConfigurationError, match="price") as caught:
        asyncio.run(make(max_cost_usd=Decimal(1)))
    assert caught.value.exit_code == 65
    with pytest.raises(ParameterError, match="run"):
        asyncio.run(make(max_cost_usd=Decimal(1), price=PRICE))
