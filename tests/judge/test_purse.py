"""A purse never gives more than it holds, however many ask at once."""

import asyncio
import random
from decimal import Decimal

import pytest

from veridical.judge.costs import Taken
from veridical.judge.purse import Purse
from veridical.judge.settings import Price

ONE_A_TOKEN = Price(Decimal(1_000_000), Decimal(0))
LIMIT = 20


@pytest.mark.parametrize("seed", range(40))
def test_what_is_reserved_is_never_more_than_the_limit(seed):
    draw = random.Random(seed)
    charged = settled = 0

    async def call(purse):
        nonlocal charged, settled
        most = draw.randint(1, 6)
        if not await purse.reserve(Decimal(most), Decimal(LIMIT)):
            return False
        for _ in range(draw.randrange(5)):
            await asyncio.sleep(0)
        if draw.random() < 0.2:  # nobody knows what became of it
            charged += most
            purse.abandon()
        else:
            taken = draw.randint(0, most)
            charged, settled = charged + taken, settled + taken
            purse.settle(Decimal(most), Taken(taken, 0, estimated=False), ONE_A_TOKEN)
        assert charged <= LIMIT
        return True

    async def spend():
        purse = Purse()
        given = await asyncio.gather(*(call(purse) for _ in range(40)))
        return purse, given

    purse, given = asyncio.run(spend())
    assert purse.cost == settled
    assert not all(given)
    assert charged > LIMIT - 6  # and it gives all that it can


def test_without_a_limit_everything_is_given():
    assert asyncio.run(Purse().reserve(Decimal(10**9), None))
