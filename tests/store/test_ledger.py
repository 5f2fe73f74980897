"""The unit ledger: one unit, one state; attempts that are only ever added."""

import json
import os
import signal
import threading
import time
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.store.processes import forked, said
from veridical.errors import FileFormatError, MismatchError, ParameterError, RunNotFoundError
from veridical.store import Ledger, Store
from veridical.store.drafts import draft
from veridical.store.ledger import UNIT_STATES


def begun(store) -> Ledger:
    """The ledger of a run that has just begun."""
    return store.ledger(store.save(draft(kind="bench", state="running")).id)


PLAN = {f"case-{at}": f"hash-{at}" for at in range(5)}


@pytest.fixture
def ledger(store) -> Ledger:
    """Five units to be worked on."""
    made = begun(store)
    made.plan(PLAN)
    return made


def test_units_are_claimed_in_the_order_of_the_plan(ledger):
    claims = ledger.claim(2)
    assert [(claim.key, claim.n, claim.payload_sha256) for claim in claims] == [
        ("case-0", 1, "hash-0"),
        ("case-1", 1, "hash-1"),
    ]
    assert ledger.pending() == ["case-2", "case-3", "case-4"]
    assert ledger.counts() == {"pending": 3, "running": 2, "done": 0, "failed": 0, "skipped": 0}


def test_verdict_and_state_are_one(ledger):
    [claim] = ledger.claim()
    ledger.record(claim, "scored", cost=Decimal("0.0100"), artefact=b'{"score": 1}', settle="done")
    [attempt] = ledger.attempts("case-0")
    assert (attempt.n, attempt.outcome, attempt.cost) == (1, "scored", Decimal("0.0100"))
    assert attempt.started <= attempt.ended
    assert ledger.artefact(attempt.artefact_sha256) == b'{"score": 1}'
    assert ledger.counts()["done"] == 1


def test_an_attempt_that_may_be_repeated_gives_the_unit_back(ledger):
    [claim] = ledger.claim()
    ledger.record(claim, "infra_error", error="HTTP 503")
    [again] = ledger.claim()
    assert (again.key, again.n) == ("case-0", 2)
    ledger.record(again, "scored", settle="done")
    assert [(a.n, a.outcome, a.error) for a in ledger.attempts("case-0")] == [
        (1, "infra_error", "HTTP 503"),
        (2, "scored", None),
    ]


def test_planning_again_adds_what_is_new_and_refuses_what_changed(ledger):
    assert ledger.plan(PLAN) == 0
    assert ledger.plan({**PLAN, "case-9": "hash-9"}) == 1
    assert ledger.units() == [*PLAN, "case-9"]
    with pytest.raises(MismatchError, match="not what was planned") as caught:
        ledger.plan({"case-10": "x", "case-0": "another hash"})
    assert "case-0" in caught.value.where
    assert ledger.units() == [*PLAN, "case-9"]


def test_what_is_settled_stays_settled(ledger):
    [claim] = ledger.claim()
    ledger.record(claim, "scored", settle="done")
    for settle in ("done", "failed", None):
        with pytest.raises(MismatchError):
            ledger.record(claim, "scored again", settle=settle)
    with pytest.raises(MismatchError, match="not pending"):
        ledger.settle("case-0", "skipped")
    assert len(ledger.attempts()) == 1
    assert ledger.counts()["done"] == 1


def test_a_unit_that_will_not_be_tried_is_settled_without_an_attempt(ledger):
    ledger.settle("case-4", "skipped")
    assert ledger.counts()["skipped"] == 1
    assert ledger.attempts() == []
    with pytest.raises(MismatchError):
        ledger.settle("no such case", "skipped")
    with pytest.raises(ParameterError):
        ledger.settle("case-3", "pending")


def test_a_claim_that_is_released_is_no_attempt(ledger):
    [claim] = ledger.claim()
    ledger.release(claim)
    assert ledger.pending()[0] == "case-0"
    assert ledger.attempts() == []
    with pytest.raises(MismatchError):
        ledger.release(claim)


def test_units_of_a_dead_process_are_pending_again(store, ledger):
    dead = store.ledger(ledger.run_id)
    [lost] = dead.claim()
    [own] = ledger.claim()
    assert ledger.resume() == 1
    assert ledger.pending()[0] == lost.key
    assert ledger.units("running") == [own.key]
    [attempt] = ledger.attempts(lost.key)
    assert (attempt.outcome, attempt.n) == ("abandoned", 1)
    # The one that was thought dead comes back: it can neither record nor settle.
    with pytest.raises(MismatchError, match="no longer"):
        dead.record(lost, "scored", settle="done")
    [again] = ledger.claim()
    assert (again.key, again.n) == (lost.key, 2)
    with pytest.raises(MismatchError):
        dead.record(lost, "scored", settle="done")
    ledger.record(again, "scored", settle="done")
    assert [a.outcome for a in ledger.attempts(lost.key)] == ["abandoned", "scored"]


def test_failed_units_are_opened_again_only_on_demand(ledger):
    [claim] = ledger.claim()
    ledger.record(claim, "crashed", error="boom\0", settle="failed")
    assert ledger.resume() == 0
    assert ledger.counts()["failed"] == 1
    assert ledger.resume(retry=True) == 1
    assert ledger.pending()[0] == "case-0"
    assert ledger.attempts()[0].error == "boom\0"


def test_an_artefact_is_kept_once(store, ledger):
    for claim in ledger.claim(2):
        ledger.record(claim, "scored", artefact=b"the same", settle="done")
    one, two = ledger.attempts()
    assert one.artefact_sha256 == two.artefact_sha256
    store.delete([ledger.run_id])
    with pytest.raises(RunNotFoundError):
        ledger.artefact(one.artefact_sha256)


@pytest.mark.parametrize(
    "key", ["a\0b", "\ud800", "'; DROP TABLE x", "\u202e", "a\\u0000", "é" * 80]
)
def test_any_text_is_a_key(store, key):
    ledger = begun(store)
    ledger.plan({key: "h"})
    [claim] = ledger.claim()
    assert claim.key == key
    ledger.record(claim, "scored", settle="done")
    assert ledger.units("done") == [key]
    assert ledger.attempts(key)[0].key == key


@pytest.mark.parametrize("key", ["", "x" * 501])
def test_a_key_that_is_none(store, key):
    with pytest.raises(ParameterError):
        begun(store).plan({key: "h"})


def test_two_who_plan_the_same_units_plan_them_once(place):
    with Store(place) as store:
        run_id = begun(store).run_id
        added: list[int] = []

        def work():
            with Store(place) as own:
                added.append(own.ledger(run_id).plan({str(at): "h" for at in range(300)}))

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(added) == [0, 0, 0, 300]
        assert store.ledger(run_id).units() == [str(at) for at in range(300)]


def test_a_finished_run_takes_no_more_units(store):
    run = store.save(draft(kind="bench"))
    with pytest.raises(MismatchError, match="finished"):
        store.ledger(run.id).plan(PLAN)
    with pytest.raises(RunNotFoundError):
        store.ledger("20200101-000000-00000").plan(PLAN)


def test_concurrent_claimers_never_get_the_same_unit(place):
    with Store(place) as store:
        ledger = begun(store)
        ledger.plan({str(at): "h" for at in range(60)})
        taken: list[str] = []

        def work():
            with Store(place) as own:
                mine = own.ledger(ledger.run_id)
                while claims := mine.claim(3):
                    for claim in claims:
                        mine.record(claim, "scored", settle="done")
                        taken.append(claim.key)

        threads = [threading.Thread(target=work) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(taken, key=int) == [str(at) for at in range(60)]
        assert ledger.counts() == {
            "pending": 0, "running": 0, "done": 60, "failed": 0, "skipped": 0,
        }  # fmt: skip
        assert {attempt.n for attempt in ledger.attempts()} == {1}


def test_a_process_that_is_killed_loses_no_unit(place):
    with Store(place) as store:
        ledger = begun(store)
        planned = [str(at) for at in range(200)]
        ledger.plan(dict.fromkeys(planned, "h"))
        store.close()

        def work(say):
            mine = Store(place).ledger(ledger.run_id)
            while claims := mine.claim():
                for claim in claims:
                    say(claim.key)
                    mine.record(claim, "scored", settle="done")

        for wait_s in (0.0, 0.01, 0.03):
            pid, pipe = forked(work)
            os.read(pipe, 1)
            time.sleep(wait_s)
            os.kill(pid, signal.SIGKILL)
            said(pid, pipe)
            counts = ledger.counts()
            assert sum(counts.values()) == 200
            assert counts["running"] <= 1
            ledger.resume()
            assert ledger.counts()["running"] == 0
            store.close()
        while claims := ledger.claim(50):
            for claim in claims:
                ledger.record(claim, "scored", settle="done")
        assert ledger.units("done") == planned
        scored = [a.key for a in ledger.attempts() if a.outcome == "scored"]
        assert sorted(scored, key=int) == planned


STEPS = st.lists(
    st.tuples(
        st.sampled_from(
            ["plan", "claim", "claim of another", "done", "failed", "back", "release", "skip",
             "resume", "retry", "stale"]
        ),
        st.integers(0, 9),
    ),
    max_size=30,
)  # fmt: skip


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(STEPS)
def test_whatever_happens_every_unit_is_in_one_state(file_store, steps):
    """Compare with the plainest model: a dictionary from unit to state."""
    ledger, other = begun(file_store), None
    other = file_store.ledger(ledger.run_id)
    model: dict[str, str] = {}
    held: list = []
    stale: list = []
    attempts = 0
    for step, number in steps:
        if step == "plan":
            new = {f"u{number}": "h", f"u{number + 1}": "h"}
            ledger.plan(new)
            model |= {key: "pending" for key in new if key not in model}
        elif step in {"claim", "claim of another"}:
            claims = (ledger if step == "claim" else other).claim(number)
            waiting = [key for key in ledger.units() if model[key] == "pending"]
            assert [claim.key for claim in claims] == waiting[:number]
            model |= {claim.key: "running" for claim in claims}
            (held if step == "claim" else stale).extend(claims)
        elif step in {"done", "failed", "back"} and held:
            claim = held.pop(number % len(held))
            ledger.record(claim, step, settle=None if step == "back" else step)
            model[claim.key] = "pending" if step == "back" else step
            attempts += 1
        elif step == "release" and held:
            claim = held.pop(number % len(held))
            ledger.release(claim)
            model[claim.key] = "pending"
        elif step == "skip" and model.get(f"u{number}") == "pending":
            ledger.settle(f"u{number}")
            model[f"u{number}"] = "skipped"
        elif step in {"resume", "retry"}:
            own = {claim.key for claim in held}
            lost = [key for key, state in model.items() if state == "running" and key not in own]
            failed = [key for key, state in model.items() if state == "failed"]
            opened = lost + (failed if step == "retry" else [])
            assert ledger.resume(retry=step == "retry") == len(opened)
            model |= dict.fromkeys(opened, "pending")
            attempts += len(lost)
        elif step == "stale":
            for claim in [c for c in stale if model[c.key] != "running"][:1]:
                with pytest.raises(MismatchError):
                    other.record(claim, "scored", settle="done")
        assert {key: state for state in UNIT_STATES for key in ledger.units(state)} == model
        counts = ledger.counts()
        assert sum(counts.values()) == len(model)
        assert len(ledger.attempts()) == attempts


def test_a_ledger_travels_with_its_run(store, tmp_path):
    ledger = begun(store)
    ledger.plan({"a\0b": "h", "c": "h"})
    [claim] = ledger.claim()
    ledger.record(claim, "scored", cost=Decimal("1.50"), artefact=b"x" * 2000, settle="done")
    run = store.load(ledger.run_id)
    store.update(replace(run, state="finished"))
    store.export(None, tmp_path / "runs.zip")
    with Store(tmp_path / "other.db") as other:
        other.import_file(tmp_path / "runs.zip")
        theirs = other.ledger(run.id)
        assert theirs.attempts() == ledger.attempts()
        assert theirs.counts() == ledger.counts()
        assert theirs.artefact(theirs.attempts()[0].artefact_sha256) == b"x" * 2000
        assert other.verify() == (1, [])
        other.export(None, tmp_path / "again.zip")
    assert (tmp_path / "again.zip").read_bytes() == (tmp_path / "runs.zip").read_bytes()


def test_the_counts_are_json(ledger):
    assert json.loads(json.dumps(ledger.counts())) == ledger.counts()


def test_a_damaged_artefact_is_refused(file_store):
    ledger = begun(file_store)
    ledger.plan({"a": "h"})
    [claim] = ledger.claim()
    ledger.record(claim, "scored", artefact=b"what it said", settle="done")
    with file_store._database.writing() as connection:
        connection.exec_driver_sql("UPDATE veridical_artefact SET content = 'something else'")
    with pytest.raises(FileFormatError, match="does not have its hash"):
        ledger.artefact(ledger.attempts()[0].artefact_sha256)
    assert [damage.what for damage in file_store.verify()[1]] == ["it does not have its hash"]
