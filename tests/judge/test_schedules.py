"""Whatever goes wrong on the way: if every question comes through, the verdicts are the same."""

import asyncio
import random

import pytest

from tests.judge.conftest import asked, reply, settings
from veridical.judge.client import JudgeClient
from veridical.judge.serving import FAULTS, Fault, FaultSchedule, MockServer
from veridical.judge.verdicts import Verdict

KINDS = [kind for kind, group in FAULTS.items() if group != "stop"]


def verdicts(faults=None):
    """What is compared of the verdicts on twelve questions, and how many faults were met."""

    async def ask():
        async with (
            MockServer(reply, faults) as server,
            JudgeClient(settings(server, retries=9, timeout_s=2.0)) as client,
        ):
            given = await asyncio.gather(*(client.ask(asked(at)) for at in range(12)))
            return given, server.ledger.faults.total()

    given, met = asyncio.run(ask())
    assert all(isinstance(one, Verdict) for one in given), given
    return [(one.contract, one.reply, one.model, one.dropped) for one in given], met


def schedule(seed):
    """A schedule of six kinds of faults."""
    kinds = random.Random(seed).sample(KINDS, 6)
    return FaultSchedule([Fault(k, rate=0.15) for k in kinds], seed=seed, finally_succeeds=True)


@pytest.mark.parametrize("seed", range(4))
def test_a_schedule_moves_no_verdict(seed):
    given, met = verdicts(schedule(seed))
    assert met
    assert given == verdicts()[0]


@pytest.mark.long
def test_two_hundred_schedules_move_no_verdict():
    plain, _ = verdicts()
    for seed in range(200):
        given, met = verdicts(schedule(seed))
        assert met
        assert given == plain, seed
