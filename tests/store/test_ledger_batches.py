"""Many units at once: the same ledger as one by one, in few statements."""

from decimal import Decimal

import pytest

from veridical.errors import MismatchError
from veridical.store.drafts import draft
from veridical.store.ledger_batches import BatchLedger, Done

PLAN = {f"case-{at}": f"hash-{at}" for at in range(1203)}


@pytest.fixture
def ledger(store) -> BatchLedger:
    """More units than one statement takes."""
    made = BatchLedger(store.database, store.save(draft(kind="rag", state="running")).id)
    made.plan(PLAN)
    return made


def test_the_named_units_are_claimed_in_the_order_of_the_plan(store, ledger):
    with store.database.writing() as connection:
        claims = ledger.claim_these_in(connection, ["case-7", "case-3", "unknown"])
        again = ledger.claim_these_in(connection, ["case-3"])
    assert [(one.key, one.n, one.payload_sha256) for one in claims] == [
        ("case-3", 1, "hash-3"),
        ("case-7", 1, "hash-7"),
    ]
    assert not again
    assert ledger.counts()["running"] == 2


def test_a_batch_is_recorded_as_one_by_one(store, ledger):
    with store.database.writing() as connection:
        claims = ledger.claim_these_in(connection, list(PLAN))
        ledger.record_all_in(
            connection,
            [
                Done(claim, "answered", b'{"same": true}', cost=Decimal("0.10"))
                if at % 3
                else Done(claim, "timeout", error="no answer in 60 s", settle="failed")
                for at, claim in enumerate(claims)
            ],
        )
    assert ledger.counts() == {"pending": 0, "running": 0, "done": 802, "failed": 401, "skipped": 0}
    first, second = ledger.attempts("case-0") + ledger.attempts("case-1")
    assert (first.outcome, first.error, first.artefact_sha256) == (
        "timeout",
        "no answer in 60 s",
        None,
    )
    assert (second.outcome, second.cost) == ("answered", Decimal("0.10"))
    settled = list(ledger.settled())
    assert [one.key for one in settled] == list(PLAN)
    assert settled[0][1:] == ("failed", "timeout", None)
    assert settled[1][1:] == ("done", "answered", b'{"same": true}')


def test_a_claim_that_was_taken_over_spoils_the_whole_batch(store, ledger):
    with store.database.writing() as connection:
        claims = ledger.claim_these_in(connection, ["case-0", "case-1"])
    other = BatchLedger(store.database, ledger.run_id)
    assert other.resume() == 2
    with (
        pytest.raises(MismatchError, match="no longer"),
        store.database.writing() as connection,
    ):
        ledger.record_all_in(connection, [Done(claim, "answered", b"{}") for claim in claims])
    assert other.counts()["pending"] == len(PLAN)
    assert {one.outcome for one in other.attempts()} == {"abandoned"}


def test_only_pending_units_are_settled_without_an_attempt(store, ledger):
    with store.database.writing() as connection:
        [claim] = ledger.claim_these_in(connection, ["case-0"])
        ledger.settle_all_in(connection, ["case-0", "case-1"], "skipped")
        ledger.release_all_in(connection, [claim])
    assert ledger.pending()[0] == "case-0"
    assert [one[:3] for one in ledger.settled()] == [("case-1", "skipped", None)]


def test_the_last_attempt_is_the_one_that_counts(store, ledger):
    for content, settle in ((b"first", "failed"), (b"second", "done")):
        with store.database.writing() as connection:
            [claim] = ledger.claim_these_in(connection, ["case-0"])
            ledger.record_all_in(connection, [Done(claim, "tried", content, settle=settle)])
        ledger.resume(retry=True)
    [settled] = ledger.settled()
    assert settled.artefact == b"second"


def test_what_was_not_settled_is_given_back_at_the_end(store, ledger):
    other = BatchLedger(store.database, ledger.run_id)
    with store.database.writing() as connection:
        claims = ledger.claim_these_in(connection, ["case-0", "case-1"])
        other.claim_these_in(connection, ["case-2"])
        ledger.record_all_in(connection, [Done(claims[0], "answered", b"{}")])
        ledger.release_own_in(connection)
    assert ledger.counts() == {**dict.fromkeys(ledger.counts(), 0), "done": 1, "running": 1} | {
        "pending": len(PLAN) - 2
    }
