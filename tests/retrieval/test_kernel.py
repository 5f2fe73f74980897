"""Both implementations of the dictionary kernel give the same arrays."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.retrieval.test_laws import GOLDEN, RUNS
from veridical.kernels.plain import ranking as plain

compiled = pytest.importorskip("veridical.kernels.compiled.ranking")
INTS = st.integers(0, 12)
INT_RUNS = st.dictionaries(INTS, st.dictionaries(INTS, st.sampled_from([0, 1, 0.5, 2**70])))


def same(run, qrels, kind):
    one, two = (module.rank_dicts(run, qrels, kind, kind) for module in (plain, compiled))
    alike(one, two)


def alike(one, two):
    """Whether nested tuples hold the same numbers and texts, in whatever holds them."""
    if isinstance(one, tuple):
        for a, b in zip(one, two, strict=True):
            alike(a, b)
    elif isinstance(one, bytes):
        assert one == bytes(two)
    else:
        assert np.asarray(one).tolist() == np.asarray(two).tolist()


@given(RUNS, GOLDEN)
def test_text_ids(run, qrels):
    same(run, qrels, str)


@given(INT_RUNS, st.dictionaries(INTS, st.dictionaries(INTS, st.integers(-1, 3))))
def test_int_ids(run, qrels):
    same(run, qrels, int)


WIDE = st.integers(-(2**63), 2**63 - 1) | st.sampled_from([-1, 0, 9, 10, 99, 100, -100, 2**32])
WIDE_QRELS = st.dictionaries(WIDE, st.dictionaries(WIDE, st.integers(0, 3)), min_size=1)


@given(WIDE_QRELS, st.randoms(use_true_random=False))
def test_int_ids_of_every_width_and_a_run_in_another_order(qrels, random):
    queries = random.sample(list(qrels), len(qrels))
    same({query: dict.fromkeys(qrels[query], 0.5) for query in queries}, qrels, int)
    (_, golden) = compiled.rank_dicts({}, qrels, int, int)
    assert golden[0] == sorted(map(str, qrels))
    assert bytes(golden[4]).decode() == "".join(golden[0])


@pytest.mark.parametrize("odd", [True, 1.0, "1", np.int64(1), 2])
def test_an_int_among_ids_of_another_kind_is_left_to_the_careful_reader(odd):
    one = {1: {5: 0.5}, 3: {5: 0.5}}
    for module in (plain, compiled):
        assert (module.rank_dicts({odd: {5: 0.5}, 3: {}}, one, int, int) is None) == (odd != 2)
        assert (module.rank_dicts({3: {}, odd: {5: 0.5}}, one, int, int) is None) == (odd != 2)
        assert (module.rank_dicts({1: {odd: 0.5, 5: 1}}, one, int, int) is None) == (odd != 2)


def test_ints_up_to_the_largest_float():
    same({"q": {"a": 2**1023, "b": -(2**1023), "c": 1}}, {"q": {"a": 1, "c": 2}}, str)


@pytest.mark.parametrize("odd", [True, "1", None, float("nan"), 2**1024])
def test_odd_values_are_left_to_the_careful_reader(odd):
    for module in (plain, compiled):
        assert module.rank_dicts({"q": {"a": odd}}, {"q": {"a": 1}}, str, str) is None
        assert module.rank_dicts({"q": {"a": 1.0}}, {"q": {"a": odd}}, str, str) is None


LONG = st.text("ab\0é", min_size=6, max_size=20).map("the same beginning ".__add__)


@given(st.dictionaries(LONG, st.integers(0, 3), min_size=1, max_size=90))
def test_ids_that_begin_alike_and_long_lists(judged):
    same({"q": dict.fromkeys(judged, 1.0)}, {"q": judged, "p": {}}, str)


def test_ids_that_kernels_leave_to_the_careful_reader():
    for module in (plain, compiled):
        assert module.rank_dicts({}, {"q": {"\ud800": 1}}, str, str) is None
        assert module.rank_dicts({}, {"\ud800": {"a": 1}}, str, str) is None
        assert module.rank_dicts({}, {1: {2**63: 1}}, int, int) is None
        assert module.rank_dicts({}, {1: {True: 1}}, int, int) is None
        assert module.rank_dicts({"q": {1: 1.0}}, {"q": {"a": 1}}, str, str) is None


def test_extreme_int_ids():
    judged = dict.fromkeys((-(2**63), 2**63 - 1, 0, -1, 10, 9), 1)
    same({1: dict.fromkeys(judged, 0.5)}, {1: judged}, int)


def test_floats_of_numpy_are_floats():
    same({"q": {"a": np.float64(0.5), "b": 1}}, {"q": {"a": np.float64(1.0)}}, str)


def test_kinds_of_queries_and_runs_that_hold_more_than_dicts():
    for module in (plain, compiled):
        one = {"q": {"a": 1.0}}
        assert module.rank_dicts({**one, "p": [1]}, {"q": {"a": 1}}, str, str) is None
        assert module.rank_dicts({**one, 1: {}}, {"q": {"a": 1}}, str, str) is None
        assert module.rank_dicts(one, {"q": {"a": 1}, np.str_("p"): {}}, str, str) is None
        assert module.rank_dicts(one, {"q": {"a": 1}, "p": [1]}, str, str) is None


@given(st.data())
def test_many_documents_few_of_them_judged(data):
    ids = data.draw(st.lists(st.integers(-(2**70), 2**70), min_size=50, max_size=300, unique=True))
    judged = {one: 1 for one in ids[::7] if -(2**63) <= one < 2**63} | {5: 2}
    scores = dict.fromkeys(ids, 0.5) | {one: float(at) for at, one in enumerate(ids[::2])}
    same({1: scores}, {1: judged}, int)
    same({"q": {str(k): v for k, v in scores.items()}},
         {"q": {str(k): v for k, v in judged.items()}}, str)  # fmt: skip


class Odd(str):
    """A text whose methods take away the dictionaries in which it stands."""

    __slots__ = ()
    around = ()

    def take_away(self):
        for one in Odd.around:
            one.clear()

    def __eq__(self, other):
        self.take_away()
        return str.__eq__(self, other)

    def __hash__(self):
        self.take_away()
        return str.__hash__(self)

    def __str__(self):
        self.take_away()
        return "a"


@pytest.mark.parametrize("where", ["a query of both", "a query of the run", "results", "judged"])
def test_texts_of_a_subclass_are_left_to_the_careful_reader(where):
    for module in (plain, compiled):
        for kind in (Odd, np.str_):
            run = {f"q{q}": {f"d{d}": 0.5 for d in range(9)} for q in range(9)}
            golden = {f"q{q}": {f"d{d}": 1 for d in range(9)} for q in range(9)}
            chosen = {"results": run["q3"], "judged": golden["q3"]}.get(where, run)
            text = "q4" if chosen is run else "d4"
            chosen[kind(text)] = chosen.pop(text)
            if where == "a query of both":
                golden[kind("q4")] = golden.pop("q4")
            Odd.around = (run, golden, *run.values(), *golden.values())
            try:
                assert module.rank_dicts(run, golden, str, str) is None
            finally:
                Odd.around = ()


def test_floats_of_a_subclass_are_what_they_are_and_not_what_they_say():
    class Odd(float):
        __slots__ = ()

        def __float__(self):
            return 0.25

        def __ge__(self, other):
            return False

    run = {"q": {"a": Odd(0.5), "b": 0.4, "c": Odd(0.4), "d": Odd(0.0)}}
    for module in (plain, compiled):
        ranks, judged = module.rank_dicts(run, {"q": {"a": Odd(3.0), "c": Odd(2.0)}}, str, str)
        assert ranks[3].tolist() == [1, 2]
        assert ranks[4].tolist() == judged[2].tolist() == [3.0, 2.0]
        assert ranks[6] == 1


def test_dictionaries_with_gaps_and_without_entries_of_their_own():
    gaps = {f"d{n}": float(n) for n in range(300)}
    for n in range(0, 300, 3):
        del gaps[f"d{n}"]
    judged = {f"d{n}": n % 4 for n in range(290, 320)}
    del judged["d300"]
    same({"q": gaps}, {"q": judged}, str)
    numbers = {n: float(n) for n in range(300) if n % 3} | {-1: 5.0, 2**61: 6.0}
    del numbers[1]
    same({1: numbers}, {1: dict.fromkeys(range(280, 310), 1) | {-1: 1, -2: 2, 1: 1, 2**61: 2}}, int)

    class Bare:
        def __init__(self):
            self.a, self.b, self.c = 0.5, 1.0, 2.0

    same({"q": vars(Bare())}, {"q": {"b": 1, "c": 2, "x": 1}, "p": vars(Bare())}, str)


def test_ids_that_fall_into_the_same_slots():
    every = {2**16 * n: float(n % 5) for n in range(40)}
    same({1: every}, {1: {2**16 * n: n % 3 for n in range(0, 80, 3)}}, int)
    texts = sorted((f"d{n}" for n in range(60_000)), key=lambda one: hash(one) & 0xFFF)[:200]
    same({"q": dict.fromkeys(texts[::2], 0.5)}, {"q": dict.fromkeys(texts[::3], 1)}, str)


def test_queries_in_other_places_than_in_the_golden_set():
    golden = {f"q{n}": {f"d{m}": m % 2 for m in range(n, n + 5)} for n in range(40)}
    run = {f"q{n}": {f"d{m}": float(-m) for m in range(n, n + 9)} for n in range(45, 3, -1)}
    same(run, golden, str)
    same({**run, "q3": {}}, golden, str)


def test_long_lists_of_results():
    results = {f"d{n}": float(n % 999) for n in range(70_000)}
    same({"q": results}, {"q": {f"d{n}": 1 for n in range(0, 140_000, 7_001)}}, str)


CHANGING = """
import random, threading, time
import veridical as vd

run = {f"q{q}": {f"d{d}": float(d) for d in range(20)} for q in range(200)}
golden = {query: dict.fromkeys(list(results)[::2], 1) for query, results in run.items()}
done = threading.Event()

def change():
    chosen = random.Random(0)
    while not done.is_set():
        query = f"q{chosen.randrange(200)}"
        run[query] = {f"d{d}": float(d) for d in range(chosen.randrange(500))}
        run[query][f"new{chosen.randrange(999)}"] = 1.0

thread = threading.Thread(target=change)
thread.start()
end = time.monotonic() + 1.5
while time.monotonic() < end:
    try:
        vd.evaluate_ranking(run, golden, ["map"], intervals=False)
    except RuntimeError:  # the careful reader may notice
        pass
done.set()
thread.join()
print("alive")
"""


def test_dictionaries_that_another_thread_changes():
    ran = subprocess.run([sys.executable, "-c", CHANGING], capture_output=True, check=True)
    assert ran.stdout.split() == [b"alive"]
