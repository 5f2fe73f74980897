"""Budgets that hold at any concurrency, and a cache that misses on any change."""

import asyncio
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.judge.conftest import PRICE, asked, reply, settings
from veridical.judge.cache import VerdictCache, cache_key
from veridical.judge.client import JudgeClient
from veridical.judge.costs import RunBudget
from veridical.judge.purse import Purse
from veridical.judge.rendering import Rendered
from veridical.judge.serving import Fault, FaultSchedule, MockServer
from veridical.judge.settings import JudgeSettings
from veridical.judge.verdicts import Failure, Usage, Verdict
from veridical.store import GroupCommit

LIMIT = Decimal("0.01")
BILLED = ("reset", "html", "truncated", "502", "no_choices", "usage_missing", "cut", "prose")
FREE = ("429", "500", "503")


def spend(store, run_id, limit, faults=None, kept=RunBudget):
    """Ask more than the limit allows, all at once; the outcomes, and the server's books."""

    async def asking():
        async with (
            MockServer(reply, faults, price=PRICE, latency_s=0.02) as server,
            GroupCommit(store) as commit,
            JudgeClient(
                settings(
                    server,
                    price=PRICE,
                    max_cost_usd=limit,
                    concurrency=64,
                    max_output_tokens=50,
                    timeout_s=30,
                ),
                spending=Purse() if kept is Purse else RunBudget(commit, run_id),
            ) as client,
        ):
            outcomes = await asyncio.gather(*(client.ask(asked(at)) for at in range(240)))
            return outcomes, server.ledger

    return asyncio.run(asking())


# The smaller limit allows five reservations at a time, the larger one nearly all that are wanted.
@pytest.mark.parametrize(("limit", "at_once"), [(LIMIT, 2), (10 * LIMIT, 16)])
@pytest.mark.parametrize("seed", range(3))
def test_the_servers_own_ledger_never_exceeds_the_budget(store, run_id, seed, limit, at_once):
    rates = [Fault(kind, rate=0.05) for kind in (*BILLED, *FREE)]
    outcomes, books = spend(store, run_id, limit, FaultSchedule(rates, seed=seed))
    spent = store.spending(run_id).spent()
    assert books.most_at_once >= at_once
    assert books.cost <= spent.committed <= limit
    assert spent.unsettled_calls == 0
    stopped = [one for one in outcomes if isinstance(one, Failure) and one.kind == "budget"]
    assert stopped
    assert any(isinstance(one, Verdict) for one in outcomes)
    assert sum((one.usage.cost or 0) for one in outcomes) == spent.settled


def test_a_judge_that_charges_the_worst_case_breaks_no_budget(store, run_id, monkeypatch):
    def dearest(reply, body):
        texts = [text for message in body["messages"] for text in message.values()]
        return reply, (sum(len(text.encode()) for text in texts), body["max_tokens"]), False

    monkeypatch.setattr("veridical.judge.serving.server._fitted", dearest)
    outcomes, books = spend(store, run_id, 10 * LIMIT)
    given = [one for one in outcomes if isinstance(one, Verdict)]
    assert 16 <= len(given) < len(outcomes)
    assert 9 * LIMIT < books.cost == store.spending(run_id).spent().committed <= 10 * LIMIT


@pytest.mark.parametrize("kept", [RunBudget, Purse])
def test_an_endpoint_that_does_not_say_what_it_took_breaks_no_budget(
    store, run_id, monkeypatch, kept
):
    def dear(reply, body):
        said = "".join(message["content"] for message in body["messages"])
        return reply, (len(said), body["max_tokens"]), False  # four times what is estimated

    monkeypatch.setattr("veridical.judge.serving.server._fitted", dear)
    silent = FaultSchedule([Fault("usage_missing", rate=1)])
    outcomes, books = spend(store, run_id, 10 * LIMIT, silent, kept)
    assert 16 <= sum(isinstance(one, Verdict) for one in outcomes) < len(outcomes)
    assert 8 * LIMIT < books.cost <= 10 * LIMIT


def test_a_reservation_that_a_crash_left_is_spent_for_good(store, run_id):
    store.spending(run_id).reserve(LIMIT, LIMIT)  # its process went away

    async def resume():
        async with MockServer(reply, price=PRICE) as server, GroupCommit(store) as commit:
            judge = settings(server, price=PRICE, max_cost_usd=LIMIT)
            async with JudgeClient(judge, spending=RunBudget(commit, run_id)) as client:
                return await client.ask(asked()), server.ledger.requests

    failure, requests = asyncio.run(resume())
    assert (failure.kind, requests) == ("budget", 0)


def test_an_endpoint_without_an_output_cap_stops_a_budgeted_run(store, run_id):
    async def ask():
        refuses = ("max_tokens", "max_completion_tokens")
        async with MockServer(reply, refuses=refuses) as server, GroupCommit(store) as commit:
            judge = settings(server, price=PRICE, max_cost_usd=Decimal(1))
            async with JudgeClient(judge, spending=RunBudget(commit, run_id)) as client:
                limited = await client.ask(asked())
            async with JudgeClient(settings(server)) as client:
                return limited, await client.ask(asked())

    limited, free = asyncio.run(ask())
    assert (limited.kind, limited.code) == ("stop", "no_output_cap")
    assert free.dropped == ("max_completion_tokens", "max_tokens")


def test_a_warm_run_costs_nothing_and_says_the_same(store):
    async def run():
        async with MockServer(reply) as server, GroupCommit(store) as commit:
            passes = []
            for _ in range(2):
                cache = VerdictCache(commit)
                async with JudgeClient(settings(server), cache=cache) as client:
                    questions = [client.ask(asked(at % 5)) for at in range(10)]
                    passes.append(await asyncio.gather(*questions))
            return passes, server.ledger.requests

    (cold, warm), requests = asyncio.run(run())
    assert requests == 5  # the same question twice at once is asked once
    plain = [replace(one, usage=Usage(), cached=True) for one in cold]
    assert plain == warm
    assert sum(one.usage.calls for one in cold) == 5


def test_without_a_cache_nothing_is_read_or_written(store):
    async def run():
        async with MockServer(reply) as server:
            for _ in range(2):
                async with JudgeClient(settings(server)) as client:
                    await client.ask(asked())
            return server.ledger.requests

    assert asyncio.run(run()) == 2
    assert store.verdicts().kept() == []


def test_replies_that_break_the_contract_are_not_kept(store):
    async def run():
        schedule = FaultSchedule([Fault("prose", rate=1)])
        async with (
            MockServer(reply, schedule) as server,
            GroupCommit(store) as commit,
            JudgeClient(settings(server), cache=VerdictCache(commit)) as client,
        ):
            return await client.ask(asked())

    assert isinstance(asyncio.run(run()), Failure)
    assert store.verdicts().kept() == []


BASE = JudgeSettings(base_url="http://127.0.0.1:1/v1", model="judge-1")
HASH = "ab" * 32


def changed(text: str, at: int) -> str:
    """The text with one character changed."""
    at %= len(text)
    return text[:at] + ("0" if text[at] != "0" else "1") + text[at + 1 :]


@given(st.sampled_from(["prompt", "input", "model", "endpoint", "parameters", "repeat"]),
       st.integers(0, 63))  # fmt: skip
def test_any_change_of_one_byte_misses(component, at):
    rendered = Rendered((), HASH, HASH)
    before = cache_key(BASE, rendered, 1)
    judge, repeat = BASE, 1
    if component == "prompt":
        rendered = replace(rendered, prompt_sha256=changed(HASH, at))
    elif component == "input":
        rendered = replace(rendered, input_sha256=changed(HASH, at))
    elif component == "model":
        judge = replace(BASE, model=changed(BASE.model, at))
    elif component == "endpoint":
        judge = replace(BASE, base_url=BASE.base_url[:-1] + str(at))
    elif component == "repeat":
        repeat = at + 2
    else:
        others = [
            {"temperature": 0.01 + at / 100}, {"temperature": None}, {"language": "de"},
            {"max_output_tokens": 2049 + at}, {"reasoning_tokens": 1 + at},
            {"response_format": "none"},
        ]  # fmt: skip
        judge = replace(BASE, **others[at % len(others)])
    assert cache_key(judge, rendered, repeat) != before
    assert cache_key(BASE, Rendered(({"role": "user"},), HASH, HASH), 1) == before
