"""n-grams, subsequences and edits against the shortest code that says what they are."""

import random
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.errors import InputError
from veridical.kernels import subsequences
from veridical.kernels.edits import fewest_edits
from veridical.kernels.ngrams import clipped_matches
from veridical.kernels.subsequences import common_lengths, summary_hits
from veridical.kernels.tokens import Tokens, tokenise

words = st.lists(st.sampled_from("abcd"), max_size=14)


def tokens_of(lines):
    return tokenise([" ".join(line) for line in lines], "none")


@given(st.lists(st.tuples(words, st.lists(words, min_size=1, max_size=3)), max_size=5))
def test_matches_are_those_of_counters(segments):
    candidates = [candidate for candidate, _ in segments]
    references = [reference for _, own in segments for reference in own]
    first = np.cumsum([0, *(len(own) for _, own in segments)])
    others = np.arange(len(candidates), len(candidates) + len(references))
    tokens = tokens_of([*candidates, *references])
    found = clipped_matches(tokens, np.arange(len(candidates)), others, first, 5)
    assert found.shape == (len(segments), 5)
    pairs = clipped_matches(tokens, np.arange(len(candidates)), others, first, 5, 2)
    assert pairs.tolist() == found[:, 1:].tolist()
    for n in (1, 2):
        alone = clipped_matches(tokens, np.arange(len(candidates)), others, first, n, n)
        assert alone[:, 0].tolist() == found[:, n - 1].tolist()
    for row, (candidate, own) in zip(found.tolist(), segments, strict=True):
        for n, matches in enumerate(row, 1):
            most = Counter()
            for reference in own:
                most |= ngrams(reference, n)
            assert matches == (ngrams(candidate, n) & most).total()


def ngrams(line, n):
    return Counter(tuple(line[at : at + n]) for at in range(len(line) - n + 1))


def test_a_long_text_after_a_short_one_and_repeats():
    generator = random.Random(5)
    lines = [generator.choices("ab", k=k) for k in (3, 900, 2, 700, 0, 800)]
    found = clipped_matches(tokens_of(lines), [0, 1, 2], [3, 4, 5], [0, 1, 2, 3], 4)
    for row, (one, other) in zip(
        found.tolist(), zip(lines[:3], lines[3:], strict=True), strict=True
    ):
        assert row == [(ngrams(one, n) & ngrams(other, n)).total() for n in (1, 2, 3, 4)]


def table(first, second):
    """Return the lengths of all beginnings' longest common subsequences."""
    rows = [[0] * (len(second) + 1)]
    for word in first:
        above, row = rows[-1], [0]
        for at, other in enumerate(second):
            row.append(above[at] + 1 if word == other else max(above[at + 1], row[at]))
        rows.append(row)
    return rows


def covered(line, other):
    """Walk back through the table, dropping a word of the line where nothing is lost by that."""
    lengths, found = table(line, other), set()
    i, j = len(line), len(other)
    while i and j:
        if line[i - 1] == other[j - 1]:
            found.add(i - 1)
            i, j = i - 1, j - 1
        elif lengths[i][j - 1] > lengths[i - 1][j]:
            j -= 1
        else:
            i -= 1
    return found


def hits(candidate, reference):
    left = [Counter(word for line in side for word in line) for side in (candidate, reference)]
    found = 0
    for line in reference:
        for at in sorted(set().union(*(covered(line, other) for other in candidate))):
            if all(side[line[at]] for side in left):
                found += 1
                for side in left:
                    side[line[at]] -= 1
    return found


@pytest.mark.parametrize("longest", [5, 60, 70, 260])
@pytest.mark.parametrize("letters", ["ab", "abcdefgh", "abcdefghijklmnopqrstuvwxyz"])
def test_common_subsequences_are_those_of_the_table(longest, letters):
    generator = random.Random(longest)
    lines = [generator.choices(letters, k=generator.randint(0, longest)) for _ in range(40)]
    lines += [[*"ab" * (longest // 2)], [*"a" * longest], []]
    pairs = [(i, (7 * i + 1) % len(lines)) for i in range(len(lines))]
    found = common_lengths(tokens_of(lines), *zip(*pairs, strict=True))
    assert found.tolist() == [table(lines[i], lines[j])[-1][-1] for i, j in pairs]


@pytest.mark.parametrize("longest", [4, 20, 150])
@pytest.mark.parametrize("letters", ["ab", "abcdefgh", "abcdefghijklmnopqrstuvwxyz"])
def test_hits_of_lines_are_those_of_the_table(longest, letters):
    generator = random.Random(longest)
    summaries = [
        [generator.choices(letters, k=generator.randint(0, longest)) for _ in range(lines)]
        for lines in (1, 3, 0, 2, 4, 1, 2, 0)
    ]
    bounds = [*pairwise(np.cumsum([0, *map(len, summaries)]).tolist())]
    tokens = tokens_of([line for lines in summaries for line in lines])
    found = summary_hits(tokens, bounds, bounds[::-1])
    assert found.tolist() == [hits(*pair) for pair in zip(summaries, summaries[::-1], strict=True)]


def test_a_table_beyond_memory_is_refused():
    """Both sides' longest lines decide, and the sentence tells them."""
    ids = np.zeros(400_000, np.int32)
    tokens = Tokens(ids, np.array([0, 200_000, 400_000]))
    with pytest.raises(InputError, match="200,000 words"):
        summary_hits(tokens, [[0, 1]], [[1, 2]])
    assert subsequences.MOST_BLOCKS * 8 == 2**30


@pytest.mark.parametrize("seed", range(30))
def test_edits_are_tercoms_under_every_limit(seed):
    rate = pytest.importorskip("sacrebleu.metrics.lib_ter").translation_edit_rate
    generator = random.Random(seed)
    letters = "abcdefghij"[: generator.choice([2, 4, 10])]
    pairs = []
    for longest in (0, 5, 40):
        reference = generator.choices(letters, k=generator.randint(0, longest))
        candidate = generator.choices(letters, k=generator.randint(0, 2 * longest))
        if seed % 2 and len(reference) > 6:
            candidate = [*reference[5:], *reference[:5]]
        pairs.append((candidate, reference))
    tokens = tokens_of([line for pair in pairs for line in pair])
    found = fewest_edits(tokens, [0, 2, 4], [1, 3, 5])
    assert found.tolist() == [rate(*pair)[0] for pair in pairs]


@pytest.mark.parametrize(("n", "m"), [(2, 130), (130, 2), (1, 60), (90, 95)])
def test_edits_outside_the_beam(n, m):
    rate = pytest.importorskip("sacrebleu.metrics.lib_ter").translation_edit_rate
    generator = random.Random(n)
    candidate, reference = generator.choices("abc", k=n), generator.choices("abc", k=m)
    found = fewest_edits(tokens_of([candidate, reference]), [0], [1])
    assert found.tolist() == [rate(candidate, reference)[0]]


def test_what_does_not_fit_is_refused():
    tokens = tokens_of(["a", "b"])
    for first in ([0], [0, 1], [1, 2], [0, 2, 1, 2]):
        with pytest.raises(InputError):
            clipped_matches(tokens, [0] * max(1, len(first) - 1), [1, 1], first, 1)
    with pytest.raises(InputError):
        common_lengths(tokens, [0, 1], [0])
    with pytest.raises(InputError):
        fewest_edits(tokens, [0], [2])
