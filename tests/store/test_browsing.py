"""Pages of runs by the database, against the same thing done by hand on all of them."""

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import event
from sqlalchemy import text as sql

from tests.view.conftest import fill, viewer
from veridical.results import Interval, Measured, Skipped
from veridical.store import Store
from veridical.store.browsing import Browser, Damaged, Headline
from veridical.store.drafts import draft
from veridical.store.filtering import Filter
from veridical.store.run import new_id

START = datetime(2026, 1, 1, tzinfo=UTC)
ODD = ("100%", "under_score", "back\\slash", "Ünïcode", "qu'ote", 'd"q', "日本", "<b>")
METRICS = ("binary.roc_auc", "calibration.brier", "retrieval.ndcg@10")


def result(metric, value, subject="p", group=None):
    if value is None:
        return Skipped("no_positives", metric=metric, subject=subject, group=group).to_dict()
    interval = Interval(value - 0.1, value + 0.1, 0.95, "wilson")
    return Measured(
        value, 10, interval=interval, metric=metric, subject=subject, group=group
    ).to_dict()


def run(rng):
    metrics = rng.sample(METRICS, rng.randint(0, 3))
    results = [result(m, rng.choice([None, 0.1, 0.5, 0.9])) for m in metrics]
    results += [result(m, 0.3, group="g=x") for m in metrics[:1]]
    state = rng.choice(["finished", "finished", "interrupted", "failed"])
    made = draft(
        kind=rng.choice(["evaluation", "ranking"]),
        document={"schema": "veridical.evaluation/1", "source": {}, "results": results},
        name=rng.choice([None, "nightly", "Release", *ODD]),
        tags=rng.sample(["main", "canary", *ODD], rng.randint(0, 3)),
        state=state,
    )
    when = START + timedelta(hours=rng.randint(0, 40))
    return replace(made, created=when, id=new_id(when))


@pytest.fixture(scope="module")
def drafts():
    """Forty runs of all sorts."""
    rng = random.Random(7)
    return [run(rng) for _ in range(40)]


@pytest.fixture
def kept(store, drafts):
    """The forty runs as they were saved."""
    return [store.save(one) for one in drafts]


def all_filters():
    yield Filter()
    yield from (Filter(kind=kind) for kind in ("evaluation", "ranking", "text"))
    yield from (Filter(state=state) for state in ("finished", "failed", "running"))
    yield from (Filter(name=name) for name in ("nightly", "night", *ODD))
    yield from (Filter(tag=tag) for tag in ("main", "nowhere", *ODD))
    yield from (Filter(metric=metric) for metric in (*METRICS, "binary.none"))
    yield from (Filter(since=START + timedelta(hours=h)) for h in (-1, 0, 20, 99))
    texts = (
        "NIGHT",
        "%",
        "_",
        "\\",
        "'",
        '"',
        "é",
        "ï",
        "日",
        "Ü",
        "Ünï",
        "202601",
        "zz",
        "<B>",
        "\0",
        "elea",
    )
    yield from (Filter(text=text) for text in texts)
    for odd in ("\0", "a\0b", "\ud800"):
        yield from (Filter(kind=odd), Filter(name=odd), Filter(tag=odd), Filter(metric=odd))
        yield Filter(text=odd)
    yield Filter(kind="evaluation", tag="main", metric=METRICS[0], text="i")


def is_wanted(one, wanted):
    metrics = {r.metric for r in one.results}
    words = [one.name or "", one.id, *one.tags, *(r.subject for r in one.results)]
    return all(
        (
            wanted.kind in {None, one.kind},
            wanted.state in {None, one.state},
            wanted.name in {None, one.name},
            wanted.tag is None or wanted.tag in one.tags,
            wanted.metric is None or wanted.metric in metrics,
            wanted.since is None or one.created >= wanted.since,
            wanted.text is None or any(_lower(wanted.text) in _lower(word) for word in words),
        )
    )


def _lower(word):
    """Lower ASCII letters alone, which is what SQLite does; others are compared as they are."""
    return "".join(c.lower() if c.isascii() else c for c in word)


def test_filters_find_what_they_say(store, kept):
    browser = Browser(store)
    for wanted in all_filters():
        expected = {one.id for one in kept if is_wanted(one, wanted)}
        found = browser.page(wanted, size=100)
        assert {head.id for head in found.runs} == expected, wanted
        assert found.total == len(expected)


@pytest.mark.parametrize("sort", ["created", "name", "kind", "state", "value"])
@pytest.mark.parametrize("descending", [True, False])
def test_pages_are_the_order_cut_into_pieces(store, kept, sort, descending):
    browser, metric = Browser(store), METRICS[0]
    wanted = Filter(metric=metric) if sort == "value" else Filter()
    pieces = [
        browser.page(wanted, sort=sort, descending=descending, number=number, size=7)
        for number in range(1, 8)
    ]
    last = -(-pieces[0].total // 7)
    heads = [head for piece in pieces[:last] for head in piece.runs]
    assert len({head.id for head in heads}) == len(heads) == pieces[0].total
    assert all(piece == pieces[last - 1] for piece in pieces[last:])
    by_id = {one.id: one for one in kept}

    def key(head):
        if sort != "value":
            return getattr(head, sort)
        return next(
            r.value for r in by_id[head.id].results if r.metric == metric and r.group is None
        )

    keys = [key(head) for head in heads]
    known = [k for k in keys if k is not None]
    assert keys[: len(known)] == known  # what has none comes last, either way
    # Databases order the letters of other scripts by rules of their own.
    plain = [k for k in known if not isinstance(k, str) or (k.isascii() and k.isalpha())]
    assert [str(k).casefold() for k in plain] == sorted(
        (str(k).casefold() for k in plain), reverse=descending
    )


def test_heads_are_those_that_the_store_lists(store, kept):
    listed = {head.id: head for head in store.runs()}
    for head in Browser(store).page(Filter(), size=100).runs:
        assert head == listed[head.id]
        assert Browser(store).head(head.id) == head
    assert Browser(store).head("nothing") is None


def test_tags_have_their_hash_where_the_database_sorts_as_people_do(server):
    import psycopg

    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        try:
            connection.execute(
                "CREATE DATABASE people TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en-US'"
            )
        except psycopg.Error as error:
            pytest.skip(f"this PostgreSQL has no ICU: {error}")
    try:
        with psycopg.connect(f"{server}/people") as connection:
            assert connection.execute("SELECT 'a' < 'B'").fetchone() == (True,)
        with Store(f"{server}/people") as store:
            run = store.save(draft(kind="evaluation", tags=("a", "B")))
            [head] = Browser(store).page(Filter()).runs
            assert head.tags == run.tags == ("B", "a")
            assert Browser(store).damaged([head]) == {}
    finally:
        with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
            connection.execute("DROP DATABASE people WITH (FORCE)")


def test_headlines_are_the_first_results_on_everything(store, kept):
    found = Browser(store).headlines([one.id for one in kept], most=2)
    for one in kept:
        expected = [r for r in one.results if r.group is None][:2]
        assert [(h.metric, h.value, h.n) for h in found[one.id]] == [
            (r.metric, r.value, r.n) for r in expected
        ]
    of_metric = Browser(store).headlines([one.id for one in kept], METRICS[1])
    assert {h.metric for told in of_metric.values() for h in told} == {METRICS[1]}
    skipped = next(h for told in found.values() for h in told if h.value is None)
    assert skipped == Headline(skipped.metric, "p", None, None, None, None, 0, "no_positives")


def test_choices_are_all_there_are_the_most_frequent_first(store, kept):
    choices = Browser(store).choices()
    tags = [tag for one in kept for tag in one.tags]
    assert sorted(choices.tags) == sorted(set(tags))
    counts = [tags.count(tag) for tag in choices.tags]
    assert counts == sorted(counts, reverse=True)
    assert set(choices.names) == {one.name for one in kept if one.name}
    assert set(choices.metrics) == {r.metric for one in kept for r in one.results}
    assert set(choices.kinds) == {one.kind for one in kept}


def test_the_run_before_is_the_newest_older_one_of_its_name_and_kind(store, kept):
    for one in kept:
        older = [
            other
            for other in kept
            if other.state == "finished"
            and (other.name, other.kind) == (one.name, one.kind)
            and other.created < one.created
        ]
        found = Browser(store).before(one)
        if one.name is None or not older:
            assert found is None
        else:
            newest = max(older, key=lambda o: (o.created, o.id))
            assert found.id == newest.id


def test_subjects_and_groups_of_a_metric(store):
    odd = "a\0b\ud800"
    document = {
        "schema": "veridical.evaluation/1",
        "source": {},
        "results": [result(METRICS[0], 0.5, odd), result(METRICS[0], 0.5, "q", f"g={odd}")],
    }
    saved = store.save(draft(kind="evaluation", document=document))
    found = Browser(store).subjects([saved.id], METRICS[0])
    assert set(found[0]) == {odd, "q"}
    assert found[1] == [f"g={odd}"]


def test_units_of_a_ledger_page_by_page(store):
    saved = store.save(draft(kind="bench", state="running"))
    ledger = store.ledger(saved.id)
    keys = [f"case {k:02d}%" for k in range(30)]
    ledger.plan(dict.fromkeys(keys, "0" * 64))
    first, second, _ = ledger.claim(3)
    ledger.record(first, "infra_error", error="time\0out")
    ledger.record(second, "scored", settle="done")
    again = ledger.claim(1)[0]
    ledger.record(again, "scored", settle="done")
    browser = Browser(store)
    pages = [browser.unit_page(saved.id, offset=at, limit=8) for at in range(0, 32, 8)]
    units = [unit for page in pages for unit in page]
    assert [unit.key for unit in units] == keys
    assert (units[0].state, units[0].attempts, units[0].outcome) == ("done", 2, "scored")
    assert (units[2].state, units[2].attempts, units[2].outcome) == ("running", 0, None)
    for state, number in ledger.counts().items():
        assert browser.count_units(saved.id, state=state) == number
        found = browser.unit_page(saved.id, state=state, limit=99)
        assert [unit.key for unit in found] == [u.key for u in units if u.state == state]
    assert browser.count_units(saved.id, text="CASE 1") == 10
    assert browser.count_units(saved.id, text="%") == 30
    assert browser.count_units(saved.id, text="_") == 0


def change(store, statement, **values):
    with store._database.writing() as connection:
        connection.execute(sql(statement), values)


def test_damage_is_told_and_breaks_no_list(store, kept):
    one, two, three, four, *others = kept
    change(store, "UPDATE veridical_run SET created = 'never' WHERE id = :id", id=one.id)
    change(store, "UPDATE veridical_run SET name = 'forged' WHERE id = :id", id=two.id)
    change(
        store,
        "UPDATE veridical_part SET content = :content WHERE run_id = :id AND name = 'document'",
        id=three.id,
        content=b"forged",
    )
    change(
        store,
        "UPDATE veridical_part SET sha256 = :sha WHERE run_id = :id AND name = 'context'",
        id=four.id,
        sha="0" * 64,
    )
    browser = Browser(store)
    heads = browser.page(Filter(), size=100).runs
    assert len(heads) == len(kept)
    (unreadable,) = (head for head in heads if isinstance(head, Damaged))
    assert unreadable.id == one.id
    damage = browser.damaged([head for head in heads if not isinstance(head, Damaged)])
    assert set(damage) == {two.id, three.id, four.id}
    assert "name" in damage[two.id]
    assert "document" in damage[three.id]
    documents = dict(browser.documents([others[0], three]))
    assert documents[others[0]] == others[0].document
    assert "hash" in str(documents[three])


@pytest.mark.parametrize("descending", [True, False])
def test_the_newest_of_many_runs_are_found_without_looking_at_all(file_store, descending):
    plans = []

    @event.listens_for(file_store._database.engine, "before_cursor_execute")
    def explained(connection, cursor, statement, values, context, many):
        if "LIMIT" in statement:
            plans.append(cursor.execute(f"EXPLAIN QUERY PLAN {statement}", values).fetchall())

    Browser(file_store).page(Filter(), descending=descending)
    (plan,) = plans
    assert any("ix_veridical_run_created" in step[-1] for step in plan)


def test_every_page_of_the_viewer_on_either_database(store):
    ids, client = fill(store), viewer(store)
    first, second, _ = ids.nightly
    for address, told in {
        "/": "8 runs",
        "/?metric=binary.roc_auc&sort=value&text=p": "4 runs found",
        f"/runs/{first}": "Where to put the threshold",
        f"/runs/{first}/units?w0=yes&sort=1": "units",
        f"/runs/{ids.running}/units?state=failed": "3 of 130 units",
        f"/compare?a={second}&b={first}": "results differ",
        f"/compare/difference?a={second}&b={first}": "compared one by one",
        "/trends?metric=binary.roc_auc&subject=p": "4 runs under the same conditions",
    }.items():
        answer = client.get(address)
        assert answer.status_code == 200, address
        assert told in answer.text, address
