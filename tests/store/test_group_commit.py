"""Many small writes in one transaction, and what a run may spend."""

import asyncio
import threading
from datetime import timedelta
from decimal import Decimal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import update

from veridical.errors import MismatchError, ParameterError, StoreError
from veridical.store import GroupCommit, Store, schema
from veridical.store.drafts import draft
from veridical.store.verdicts import NewVerdict


def begun(store) -> str:
    return store.save(draft(kind="rag", state="running")).id


def put(verdicts, key, content=b"{}"):
    new = [NewVerdict(key, content, contract="refusal", model="judge-1")]
    return lambda connection: verdicts.put_all_in(connection, new)[0]


def test_writes_of_many_tasks_are_durable_when_they_return(place):
    with Store(place) as store, Store(place) as other:
        verdicts, theirs = store.verdicts(), other.verdicts()

        async def write(commit, key):
            await commit(put(verdicts, key))
            return await asyncio.to_thread(theirs.get, key)

        async def run():
            async with GroupCommit(store) as commit:
                return await asyncio.gather(*(write(commit, f"k{at}") for at in range(40)))

        assert asyncio.run(run()) == [b"{}"] * 40


def test_writes_that_wait_share_a_transaction(file_store, monkeypatch):
    began: list[int] = []
    real = file_store.database.writing

    def counting():
        began.append(1)
        return real()

    monkeypatch.setattr(file_store.database, "writing", counting)
    verdicts, held, entered = file_store.verdicts(), threading.Event(), threading.Event()

    async def run():
        async with GroupCommit(file_store) as commit:
            first = asyncio.create_task(commit(lambda _: (entered.set(), held.wait(10))))
            await asyncio.to_thread(entered.wait, 10)
            rest = [asyncio.create_task(commit(put(verdicts, str(at)))) for at in range(50)]
            await asyncio.sleep(0)
            held.set()
            await asyncio.gather(first, *rest)

    asyncio.run(run())
    assert len(began) == 2


def test_a_write_that_fails_takes_no_other_along(place):
    with Store(place) as store:
        verdicts = store.verdicts()

        def broken(connection):
            put(verdicts, "lost")(connection)
            raise MismatchError("this one fails")

        def refused(connection):
            connection.exec_driver_sql("SELECT * FROM no_such_table")

        async def run():
            async with GroupCommit(store) as commit:
                works = [
                    put(verdicts, "a"),
                    broken,
                    put(verdicts, "b"),
                    refused,
                    put(verdicts, "c"),
                ]
                return await asyncio.gather(*map(commit, works), return_exceptions=True)

        results = asyncio.run(run())
        assert [isinstance(one, Exception) for one in results] == [False, True, False, True, False]
        assert isinstance(results[1], MismatchError)
        kept = [verdicts.get(key) for key in ("a", "lost", "b", "c")]
        assert kept == [b"{}", None, b"{}", b"{}"]


def test_a_transaction_that_fails_is_told_to_all(file_store, monkeypatch):
    def full():
        raise StoreError("there is no space left for the store")

    monkeypatch.setattr(file_store.database, "writing", full)

    async def run():
        async with GroupCommit(file_store) as commit:
            works = [commit(put(file_store.verdicts(), "a")) for _ in range(3)]
            return await asyncio.gather(*works, return_exceptions=True)

    assert [type(one) for one in asyncio.run(run())] == [StoreError] * 3


def test_what_waits_at_the_end_is_written_and_nothing_after_it(file_store):
    async def run():
        async with GroupCommit(file_store) as commit:
            tasks = [asyncio.create_task(commit(put(file_store.verdicts(), "a")))]
            await asyncio.sleep(0)
        await asyncio.gather(*tasks)
        with pytest.raises(StoreError, match="outside"):
            await commit(put(file_store.verdicts(), "b"))

    asyncio.run(run())
    assert file_store.verdicts().get("a") == b"{}"


def test_reservations_of_many_threads_never_pass_the_limit(place):
    limit, amount = Decimal("0.10"), Decimal("0.007")
    with Store(place) as store:
        run_id, given_out = begun(store), []

        def work():
            with Store(place) as own:
                given_out.extend(own.spending(run_id).reserve(amount, limit) for _ in range(5))

        threads = [threading.Thread(target=work) for _ in range(5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sum(given_out) == 14  # 14 x 0.007 = 0.098
        spent = store.spending(run_id).spent()
        assert (spent.committed, spent.unsettled_calls) == (Decimal("0.098"), 14)


AMOUNTS = st.decimals(0, 1, places=6)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(AMOUNTS, st.one_of(st.none(), AMOUNTS)), max_size=8))
def test_a_budget_is_the_plain_sum(file_store, calls):
    """Compare with addition: reserved where it fits, settled by what it cost."""
    spending, limit = file_store.spending(begun(file_store)), Decimal(2)
    committed = settled = Decimal(0)
    for amount, cost in calls:
        fits = committed + amount <= limit
        assert spending.reserve(amount, limit) is fits
        if not fits:
            continue
        committed += amount
        if cost is not None:
            spending.settle(amount, cost)
            committed += cost - amount
            settled += cost
    spent = spending.spent()
    assert (spent.committed, spent.settled) == (committed, settled)


@pytest.mark.parametrize("amount", ["-1", "NaN", "Infinity", "1e30"])
def test_what_is_no_amount_of_money(file_store, amount):
    with pytest.raises(ParameterError):
        file_store.spending(begun(file_store)).reserve(Decimal(amount), None)


def test_a_budget_goes_with_its_run(store):
    run_id = begun(store)
    store.spending(run_id).reserve(Decimal(1), None)
    store.delete([run_id])
    assert store.spending(run_id).spent().committed == 0


def test_the_first_reply_is_the_one_that_is_kept(store):
    verdicts = store.verdicts()
    assert verdicts.put("k", b"first", contract="refusal", model="m\0") == b"first"
    assert verdicts.put("k", b"second", contract="refusal", model="m\0") == b"first"
    [kept] = verdicts.kept()
    assert (kept.contract, kept.model, kept.n) == ("refusal", "m\0", 1)
    assert verdicts.delete(model="another") == 0
    assert verdicts.delete(older_than=timedelta(days=1)) == 0
    assert verdicts.delete() == 1
    assert verdicts.get("k") is None


def test_a_damaged_reply_is_asked_for_again(file_store):
    verdicts = file_store.verdicts()
    verdicts.put("k", b"first", contract="refusal", model="m")
    with file_store.database.writing() as connection:
        connection.exec_driver_sql("UPDATE veridical_verdict SET content = x'00'")
    assert verdicts.get("k") is None
    assert verdicts.put("k", b"second", contract="refusal", model="m") == b"second"
    assert verdicts.get("k") == b"second"


@given(
    new=st.lists(st.tuples(st.sampled_from("abcdef"), st.binary(max_size=3)), max_size=12),
    there=st.sets(st.sampled_from("abcdef")),
    damaged=st.sets(st.sampled_from("abcdef")),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_replies_kept_together_are_those_kept_one_by_one(file_store, new, there, damaged):
    verdicts = file_store.verdicts()

    def before():
        verdicts.delete()
        for key in sorted(there):
            verdicts.put(key, b"first", contract="refusal", model="judge-1")
        with file_store.database.writing() as connection:
            connection.execute(
                update(schema.verdicts)
                .where(schema.verdicts.c.key.in_(sorted(damaged)))
                .values(sha256="0" * 64)
            )

    before()
    one_by_one = [verdicts.put(*one, contract="refusal", model="judge-1") for one in new]
    kept = verdicts.get_all(list("abcdef"))
    before()
    given_ = [NewVerdict(*one, contract="refusal", model="judge-1") for one in new]
    with file_store.database.writing() as connection:
        assert verdicts.put_all_in(connection, given_) == one_by_one
    assert verdicts.get_all(list("abcdef")) == kept
