"""TREC text is read alike by both kernels, and as the careful reader reads it."""

from __future__ import annotations

import os

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import veridical as vd
from tests.retrieval.test_kernel import alike
from veridical.kernels import Judgements
from veridical.kernels.plain import trec as plain
from veridical.ranking.columns import ordered
from veridical.ranking.golden import Golden
from veridical.tables.listings import listing_of

compiled = pytest.importorskip("veridical.kernels.compiled.trec")

IDS = st.sampled_from(
    ["a", "b", "c", "d10", "d9", "é", "日本", "long-enough-to-need-two-words", "#"]
)
QUERIES = st.sampled_from(["q1", "q2", "q10", "日", "q3"])
SCORES = st.one_of(
    st.sampled_from(["0", "-0", "1", "1.", ".5", "0.50", "5e-1", "+7", "1E2", "-3.25"]),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
)
GRADES = st.sampled_from(["0", "1", "2", "3", "-1", "1.5", "-2"])
BLANKS = st.sampled_from([" ", "\t", "  ", " \t", "\x0b"])
ENDS = st.sampled_from(["\n", "\r\n", " \n", "\n\n", "\n# no line of data\n"])


def lines(width, number, junk):
    @st.composite
    def draw_lines(draw):
        rows = draw(st.lists(st.tuples(QUERIES, IDS, number), max_size=12))
        if not draw(st.booleans()):  # mostly as files are: query by query, nothing twice
            seen = {(query, document): value for query, document, value in rows}
            rows = sorted((q, d, v) for (q, d), v in seen.items())
        text = ""
        for query, document, value in rows:
            words = [query, "0", document, value]
            words = words if width == 4 else [query, "Q0", document, "1", value, "tag of it"]
            text += draw(BLANKS).join(words) + draw(ENDS)
        return text + draw(st.sampled_from(["", "", "", *junk]))

    return draw_lines()


JUNK = ["q1 Q0 a 1", "q1", "q1 0 a high", "q1 0 a nan", "q9 0 a 1", "q9 Q0 a 1 nan t", "\x00",
        "q9 Q0 a 1 1_0 t", "q9 Q0 a 1 1e t", "q9 Q0 a 1 . t", "q9 Q0 a 1 0x1 t",
        "q9 Q0 a 1 1e999 t"]  # fmt: skip
RUNS = lines(6, SCORES, JUNK)
GOLDEN = lines(4, GRADES, JUNK)


# Many bytes are looked at together, unless the text ends before: with this after it, it does not.
MORE = "#" + 99 * "x"


def cut(text, at, more):
    """Return the text in two blocks, cut after a line."""
    data = f"{text}\n{MORE}".encode() if more else text.encode()
    end = data.find(b"\n", at) + 1
    return [block for block in (data[:end], data[end:]) if block]


@given(GOLDEN, RUNS, st.integers(0, 200), st.booleans())
@example("q 0 b 1\nq 0 a 2", "q Q0 a 1 1 t\nq Q0 a 2 2 t", 0, False)
@example("q 0 b 1\nq 0 a 2", "q Q0 a 1 1 t\nq Q0 a 2 2 t", 0, True)
def test_both_kernels_read_alike(golden, run, at, more):
    one, two = (module.read_judgements(cut(golden, at, more)) for module in (plain, compiled))
    assert one[0] == two[0]
    assert (one[1] is None) == (two[1] is None)
    if one[1] is None:
        return
    alike(one[1], two[1])
    judged = Judgements(*two[1])
    given_lines = (judged.query_lengths, judged.query_texts, judged.counts, judged.lengths,
                   judged.texts, judged.grades)  # fmt: skip
    a, b = (module.rank_lines(cut(run, at, more), *given_lines) for module in (plain, compiled))
    assert a[0] == b[0]
    assert (a[1] is None) == (b[1] is None)
    if a[1] is not None:
        alike(a[1], b[1])


@given(GOLDEN, RUNS)
def test_lines_and_columns_are_ranked_alike(tmp_path_factory, golden, run):
    folder = tmp_path_factory.mktemp("lines")
    (folder / "run.trec").write_bytes(run.encode())
    (folder / "golden.qrels").write_bytes(golden.encode())
    paths = str(folder / "run.trec"), str(folder / "golden.qrels")

    def quickly():
        one = Golden(paths[1])
        return one, one.order(paths[0], "docid_desc", "error")

    def carefully():
        columns = Golden(listing_of(paths[1], "qrels"))
        judged = columns.listing  # of two files that are wrong the golden set is told
        listing = listing_of(paths[0], "run")
        return columns, ordered(listing, judged), listing

    try:
        columns, expected, listing = carefully()
    except (ValueError, OSError) as error:
        with pytest.raises(type(error)):
            quickly()
        return
    one, found = quickly()
    assert one.sha256 == columns.sha256
    assert found.source["tag"] == (listing.name or None)
    assert found.n_queries == len(listing.queries)
    assert found.ordered.unknown == expected.unknown
    assert found.ordered.ties_with_relevant == expected.ties_with_relevant
    assert found.ordered.own_ids == expected.own_ids
    for name in ("ids", "retrieved", "starts", "rank", "grades", "ideal_starts", "ideal"):
        a, b = getattr(found.ordered.ranked, name), getattr(expected.ranked, name)
        assert np.asarray(a).tolist() == np.asarray(b).tolist(), name


WRITTEN = r"[+-]?([0-9]{1,25}\.?[0-9]{0,25}|\.[0-9]{1,22})([eE][+-]?[0-9]{1,4})?"
DECIMALS = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.decimals(allow_nan=False, allow_infinity=False).map(str),
    st.integers(-(10**25), 10**25).map(str),
    st.from_regex(WRITTEN, fullmatch=True),
)


SHORT = st.from_regex(r"-?[0-9]{1,10}(\.[0-9]{0,10})?", fullmatch=True)


@given(st.lists(st.one_of(DECIMALS, SHORT), min_size=1, max_size=30))
@example(["12345678.12345678", "99999999.99999999", "123456789.1", "1.123456789", "-0.0", "-0"])
def test_numbers_are_those_of_python(numbers):
    """Seen through grades, which come back as they were read."""
    small = [number for number in numbers if abs(float(number)) <= 2**53]
    text = "".join(f"q 0 d{at:05} {number}\n" for at, number in enumerate(small)) + MORE
    _, found = compiled.read_judgements([text.encode()] if small else [])
    if small:
        assert list(map(repr, found[-1].tolist())) == [repr(float(one) + 0.0) for one in small]


@given(st.text("0123456789.-+e ,\x80:/\x00", max_size=18))
@example("-")
@example("1.2.3")
@example("12345678:")
@example("1234567/.5")
def test_what_is_no_number_is_none(written):
    line = f"q 0 d {written}\n{MORE}".encode()
    assert (plain.read_judgements([line])[0] == 0) == (compiled.read_judgements([line])[0] == 0)


def judged_and_ranked(golden, run):
    """Return what each kernel makes of a run, beside a golden set that both read alike."""
    fields = compiled.read_judgements([golden])[1]
    given_lines = (fields[3], fields[4], fields[1], fields[5], fields[6], fields[7])
    return [module.rank_lines([run], *given_lines) for module in (plain, compiled)]


@pytest.mark.parametrize("at", [0, 1, 7, 30, 40])
def test_every_byte_anywhere_in_a_line(at):
    """Blanks are those of ASCII and no other; the words are found sixteen bytes at a time."""
    line = b"query1 Q0 " + b"d" * 20 + b" 1 0.5 tag of it"
    for odd in range(128):  # the blocks of a file are UTF-8
        block = line[:at] + bytes([odd]) + line[at + 1 :] + b"\n" + MORE.encode()
        expected, found = judged_and_ranked(b"query1 0 d 1\n", block)
        assert found[0] == expected[0]
        assert (found[1] is None) == (expected[1] is None)
        if found[1] is not None:
            alike(found[1], expected[1])


def test_ids_of_every_length_that_differ_in_one_byte():
    ids = ["a" * size for size in range(1, 21)]
    ids += [f"{one[:at]}b{one[at + 1 :]}" for one in ids for at in range(len(one))]
    run = "".join(f"q Q0 {one} 1 {score} t\n" for score, one in enumerate(ids))
    golden = "".join(f"q 0 {one} 1\n" for one in ids[::3])
    expected, found = judged_and_ranked(golden.encode(), f"{run}{MORE}".encode())
    assert found[1] is not None
    alike(found[1], expected[1])
    _, twice = judged_and_ranked(golden.encode(), f"{run}q Q0 {ids[-1]} 1 0 t\n".encode())
    assert twice == (0, None)


@pytest.mark.parametrize("digits", [16, 17, 18, 19, 20])
def test_long_decimals_are_rounded_once(digits):
    """Numbers next to the middle between two doubles, where two roundings would show."""
    generator = np.random.default_rng(digits)
    texts = []
    for value in generator.random(3000).tolist():
        middle = (int(value * 2**53) * 2 + 1) * 5**54  # over 10**54: a half unit
        texts.append(f"0.{middle:054d}"[: 2 + digits])
    text = "".join(f"q 0 d{at:05} {number}\n" for at, number in enumerate(texts))
    assert compiled.read_judgements([text.encode()])[1][-1].tolist() == [*map(float, texts)]


def test_many_queries_in_any_order_and_one_long_list():
    """Tables grow, and shrink again after a long list."""
    generator = np.random.default_rng(2)
    sizes = {f"q{at}": 3 for at in range(400)} | {"q7": 5000}
    golden = {q: {f"d{one}": 1 for one in generator.integers(0, 5000, 20).tolist()} for q in sizes}
    rows, run = [], {}
    for query in generator.permutation(list(sizes)).tolist():
        ids = [f"d{one}" for one in generator.permutation(5000)[: sizes[query]].tolist()]
        run[query] = dict(zip(ids, generator.integers(0, 9, len(ids)).tolist(), strict=True))
        rows += [f"{query} Q0 {d} 1 {s} t" for d, s in run[query].items()]
    judged = [f"{q} 0 {d} {g}" for q, docs in golden.items() for d, g in docs.items()]
    blocks = ["\n".join(judged).encode()]
    fields = compiled.read_judgements(blocks)[1]
    _, found = compiled.rank_lines(["\n".join(rows).encode()], fields[3], fields[4], fields[1],
                                   fields[5], fields[6], fields[7])  # fmt: skip
    expected = vd.kernels.rank_dicts(run, golden)
    alike(tuple(expected[0][:5]), found[0][:5])
    assert found[0][6] == expected[0].ties


def test_queries_that_retrieve_their_own_id_stand_in_the_order_of_the_golden_set():
    golden = {query: {"a": 1} for query in ("p", "é", "q", "r")}
    run = b"".join(f"{one} Q0 {one} 1 0.5 t\n".encode() for one in ("q", "r", "é", "p"))
    judged = vd.kernels.rank_dicts({"q": {}}, golden)[1]
    given_lines = (judged.query_lengths, judged.query_texts, judged.counts, judged.lengths,
                   judged.texts, judged.grades)  # fmt: skip
    for module in (plain, compiled):
        assert module.rank_lines([run], *given_lines)[1][0][5] == ["p", "q", "r", "é"]


def test_a_bad_line_far_down_is_named(tmp_path):
    good = "q1 Q0 d1 1 0.5 t\n"
    rows = [good.replace("d1", f"d{at}") for at in range(70_000)]
    (tmp_path / "run.trec").write_text("".join([*rows, "q1 Q0 x 1 high t\n"]), encoding="utf-8")
    with pytest.raises(vd.VeridicalError) as caught:
        vd.evaluate_ranking(tmp_path / "run.trec", {"q1": {"d1": 1}})
    assert f"run.trec:{len(rows) + 1}" in str(caught.value)


@pytest.mark.skipif(os.name != "posix", reason="a name that is no UTF-8 needs such a system")
def test_a_name_that_is_no_utf_8(tmp_path):
    path = os.path.join(os.fsencode(tmp_path), b"\xff.trec")  # noqa: PTH118 - it is bytes
    with open(path, "wb") as file:  # noqa: PTH123
        file.write(b"q1 Q0 d1 1 0.5 t\n")
    ev = vd.evaluate_ranking(os.fsdecode(path), {"q1": {"d1": 1}}, ["mrr"], intervals=False)
    assert ev["mrr"].value == 1.0


def colliding(n):
    """Return texts of 16 bytes with one hash: the second half undoes what the first half did."""
    draw = np.random.default_rng(0)
    found = []
    while len(found) < n:
        first = draw.integers(97, 123, (200_000, 8), np.uint8)
        mixed = first.view(np.uint64)[:, 0] ^ np.uint64(0x9E3779B97F4A7C15 ^ 16)
        mixed *= np.uint64(0xD6E8FEB86659FD93)
        mixed ^= mixed >> np.uint64(32)
        second = mixed.view(np.uint8).reshape(-1, 8)
        written = ((second > 32) & (second < 127)).all(axis=1)
        found += [bytes(both).decode() for both in np.hstack([first, second])[written]]
    return found[:n]


def test_queries_made_to_collide(tmp_path):
    queries = colliding(1_100)
    read = compiled.read_judgements(["".join(f"{one} 0 a 1\n" for one in queries).encode()])
    assert read == (0, None)
    run = tmp_path / "run.trec"
    run.write_text("".join(f"{one} Q0 a 1 0.5 t\n" for one in queries))
    ev = vd.evaluate_ranking(run, {one: {"a": 1} for one in queries}, ["mrr"], intervals=False)
    assert (ev["retrieval.mrr"].value, ev["retrieval.mrr"].n, ev.warnings) == (1.0, 1_100, ())
