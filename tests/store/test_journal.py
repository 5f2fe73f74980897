"""Journals: events that are only added, each sealed with the one before."""

import threading

import pytest
from sqlalchemy import delete, update

from veridical.errors import StoreError
from veridical.store import Store, schema


def add(journal, *bodies):
    return journal.extend(lambda _: [("seen", body) for body in bodies])


def test_events_come_back_in_their_order(place):
    with Store(place) as store:
        journal = store.journal("monitor/naïve \0 name")
        add(journal, {"n": 1}, {"n": 2})
        add(journal, {"text": "ä\\u0000", "deep": [{"a": None}]})
        events = journal.events()
        assert [(event.number, event.kind) for event in events] == [(n, "seen") for n in (1, 2, 3)]
        assert [dict(event.body) for event in events][2] == {
            "text": "ä\\u0000",
            "deep": [{"a": None}],
        }
        assert store.journal("another").events() == []
        assert store.journals() == ["monitor/naïve \0 name"]


def test_a_decision_that_raises_adds_nothing(place):
    with Store(place) as store:
        journal = store.journal("j")

        def decide(before):
            yield "seen", {"n": len(before)}
            raise ValueError("changed its mind")

        with pytest.raises(ValueError, match="changed its mind"):
            journal.extend(decide)
        assert journal.events() == []


def test_many_at_once_leave_no_gap(place):
    def work():
        with Store(place) as own:
            for _ in range(5):
                own.journal("j").extend(lambda before: [("seen", {"n": len(before)})])

    with Store(place) as store:
        store.journal("j")
        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [event.body["n"] for event in store.journal("j").events()] == list(range(20))


@pytest.mark.parametrize("how", ["body", "kind", "created", "sha256", "taken out"])
def test_what_was_changed_is_found(file_store, how):
    journal = file_store.journal("j")
    add(journal, {"n": 1}, {"n": 2}, {"n": 3})
    at = schema.events.c
    other = {
        "body": b'{"n":7}',
        "kind": "other",
        "created": "2020-01-01T00:00:00.000000Z",
        "sha256": "0" * 64,
    }
    change = (
        delete(schema.events).where(at.number == 2)
        if how == "taken out"
        else update(schema.events).where(at.number == 2).values({how: other[how]})
    )
    with file_store.database.writing() as connection:
        connection.execute(change)
    with pytest.raises(StoreError, match="event 2"):
        journal.events()
    with pytest.raises(StoreError, match="event 2"):
        add(journal, {"n": 4})


def test_an_event_of_another_journal_does_not_fit(file_store):
    add(file_store.journal("one"), {"n": 1})
    with file_store.database.writing() as connection:
        connection.execute(update(schema.events).values(journal="two"))
    with pytest.raises(StoreError, match="event 1"):
        file_store.journal("two").events()
