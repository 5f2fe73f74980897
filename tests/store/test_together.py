"""What many tasks ask for one by one is done for all of them at once."""

import asyncio

import pytest

from veridical.store.together import Together


class Recorder:
    """Remembers what each go was given."""

    def __init__(self, fails: int | None = None) -> None:
        self.goes: list[list[int]] = []
        self.fails = fails
        self.held = asyncio.Event()

    async def __call__(self, items):
        self.goes.append(items)
        await self.held.wait()
        if self.fails in items:
            raise ValueError(f"{self.fails} is in it")
        return [10 * item for item in items]


def test_what_arrives_during_one_go_makes_up_the_next():
    async def run():
        work = Recorder()
        together = Together(work)
        first = asyncio.create_task(together(0))
        await asyncio.sleep(0.01)
        rest = [asyncio.create_task(together(item)) for item in (1, 2, 3)]
        await asyncio.sleep(0.01)
        work.held.set()
        assert await asyncio.gather(first, *rest) == [0, 10, 20, 30]
        assert work.goes == [[0], [1, 2, 3]]

    asyncio.run(run())


def test_a_go_that_fails_is_told_to_those_in_it_and_the_next_goes_on():
    async def run():
        work = Recorder(fails=2)
        work.held.set()
        together = Together(work)
        outcomes = await asyncio.gather(together(1), together(2), return_exceptions=True)
        assert [type(one) for one in outcomes] == [ValueError, ValueError]
        assert await together(3) == 30

    asyncio.run(run())


def test_who_is_cancelled_keeps_nobody_from_the_result_and_is_worked_on_himself():
    async def run():
        work = Recorder()
        together = Together(work)
        gone, stays = asyncio.create_task(together(1)), asyncio.create_task(together(2))
        await asyncio.sleep(0.01)
        gone.cancel()
        work.held.set()
        assert await stays == 20
        with pytest.raises(asyncio.CancelledError):
            await gone
        assert work.goes == [[1, 2]]

    asyncio.run(run())


def test_finish_waits_for_what_nobody_waits_for():
    async def run():
        work = Recorder()
        together = Together(work)
        task = asyncio.create_task(together(1))
        await asyncio.sleep(0.01)
        task.cancel()
        finishing = asyncio.create_task(together.finish())
        await asyncio.sleep(0.01)
        assert not finishing.done()
        work.held.set()
        await finishing
        assert together._going is None

    asyncio.run(run())
