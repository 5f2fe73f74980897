"""Whatever the texts are made of: both kernels agree, other programs agree, nothing breaks."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import veridical as vd
from tests.kernels.rows import from_both
from tests.kernels.texts import ALPHABET, PIECES, texts
from veridical.errors import InputError, UnsupportedTypeError
from veridical.metrics import find, text_counts
from veridical.metrics.text_counts import token_statistics
from veridical.overlap.segments import Segments

EVERY = [
    "bleu", "bleu,case=lower", "bleu,order=1,tokeniser=char", "corpus_bleu",
    "corpus_bleu,tokeniser=intl", "corpus_bleu,tokeniser=none", "chrf", "chrf,word_order=2", "ter",
    "ter,tokeniser=words", "rouge_1", "rouge_2", "rouge_l", "rouge_lsum",
    "rouge_1,tokeniser=rouge_score_stemmed", "rouge_l,tokeniser=words",
]  # fmt: skip
MEASURES = [find(f"text.{name}") for name in EVERY]


def counted(segments):
    found = token_statistics(MEASURES, segments)
    return {str(one): (found[one].tokeniser, found[one].rows.tolist()) for one in MEASURES}


def columns(segments):
    first = np.cumsum([0, *(len(own) for _, own in segments)])
    references = [text for _, own in segments for text in own]
    return Segments([candidate for candidate, _ in segments], references, first)


@settings(max_examples=40)
@given(st.lists(st.tuples(texts, st.lists(texts, min_size=1, max_size=3)), max_size=4))
def test_every_count_is_the_same_with_both_kernels(segments):
    given_columns = columns(segments)
    first, *others = from_both(lambda: counted(given_columns))
    assert all(other == first for other in others)


def test_how_segments_are_parted_never_shows(monkeypatch):
    generator = random.Random(7)

    def text():
        return "".join(generator.choices([*ALPHABET, *PIECES], k=generator.randint(0, 20)))

    segments = columns([(text(), [text() for _ in range(1 + at % 3)]) for at in range(40)])
    whole = counted(segments)
    for letters in (1, 50, 300):
        monkeypatch.setattr(text_counts, "AT_ONCE", letters)
        assert counted(segments) == whole


@pytest.mark.parametrize("metric", EVERY)
@pytest.mark.parametrize(
    "text",
    [
        "a\ud800b \udfff",
        "a\x00b c\x00",
        "\u202eabc \u200fd\u200d",
        "\ufeffx y",
        "İ ΑΣ. Σ",
        "x" * 10**6,
    ],
    ids=["surrogates", "NUL", "direction", "byte order mark", "lower case", "one token"],
)
def test_identical_text_is_identical(metric, text):
    found = vd.measure(f"text.{metric}", [text, "a b"], [text, "a b"], intervals=False).value
    perfect = 0.0 if metric.startswith("ter") else 1.0
    # Two words have no pair of pairs: only BLEU leaves such orders out.
    assert found == pytest.approx(perfect, abs=1e-15) or metric == "rouge_2"


def test_many_empty_texts():
    n = 5_000
    ev = vd.evaluate_text([""] * n, [""] * n, intervals=False)
    assert [result.value for result in ev.results] == [0.0] * len(ev.results)
    assert {result.n for result in ev.results} == {n}


@pytest.mark.parametrize("bad", [None, float("nan"), 3, b"bytes", ["nested"]])
def test_what_is_no_text_is_named_by_its_segment(bad):
    kind = type(bad).__name__
    with pytest.raises(InputError, match=f"(?s){kind}.*segment 2"):
        vd.evaluate_text(["a", bad], ["a", "b"])
    with pytest.raises((InputError, UnsupportedTypeError), match=r"segment 3|references of 3"):
        vd.evaluate_text(
            ["a", "b", "c"], [["a"], ["b", "c"], ["d", bad] if bad != ["nested"] else 5]
        )


def test_texts_of_arrays_and_of_kinds_of_their_own():
    class Text(str):
        __slots__ = ()

    expected = vd.evaluate_text(["a b", "c"], ["a c", "c"], intervals=False)
    for kind in (np.array, lambda side: [Text(text) for text in side], tuple):
        found = vd.evaluate_text(kind(["a b", "c"]), kind(["a c", "c"]), intervals=False)
        assert [r.value for r in found.results] == [r.value for r in expected.results]


def random_pair(generator, alphabet):
    reference = "".join(generator.choices(alphabet, k=generator.randint(0, 40)))
    candidate = list(reference)
    for _ in range(generator.randint(0, 6)):
        candidate.insert(generator.randint(0, len(candidate)), generator.choice(alphabet))
    return "".join(candidate), reference


@pytest.mark.parametrize("seed", range(12))
def test_other_programs_agree_on_any_characters(seed):
    metrics = pytest.importorskip("sacrebleu.metrics")
    generator = random.Random(seed)
    # Lone surrogates cannot be written, and what ends a line differs between the programs.
    alphabet = [
        c for c in ALPHABET if not "\ud800" <= c <= "\udfff" and c not in "\x0b\x1c\x85\u2028"
    ]
    alphabet += ["the ", "cat ", "Running ", "-\n", "&amp;"]
    candidates, references = zip(*(random_pair(generator, alphabet) for _ in range(8)), strict=True)
    for metric, scorer in {
        "corpus_bleu,tokeniser=13a,effective_order=no": metrics.BLEU(),
        "corpus_bleu,tokeniser=none,effective_order=no": metrics.BLEU(tokenize="none", force=True),
        "corpus_bleu,tokeniser=char,effective_order=no": metrics.BLEU(tokenize="char"),
        "chrf": metrics.CHRF(),
        "chrf,word_order=2": metrics.CHRF(word_order=2),
        "ter,tokeniser=tercom": metrics.TER(),
    }.items():
        expected = scorer.corpus_score(candidates, [references]).score / 100
        found = vd.measure(f"text.{metric}", candidates, references, intervals=False).value
        assert found == pytest.approx(expected, abs=1e-9), metric


@pytest.mark.parametrize("stemmed", [False, True])
@pytest.mark.parametrize("seed", range(10))
def test_rouge_score_agrees_on_any_characters(seed, stemmed):
    rouge = pytest.importorskip("rouge_score.rouge_scorer")
    generator = random.Random(seed)
    alphabet = [*ALPHABET, "the ", "Relational ", "happily ", "\n", "dying "]
    names = {
        "rouge1": "rouge_1",
        "rouge2": "rouge_2",
        "rougeL": "rouge_l",
        "rougeLsum": "rouge_lsum",
    }
    scorer = rouge.RougeScorer(list(names), use_stemmer=stemmed)
    split = "rouge_score_stemmed" if stemmed else "rouge_score"
    for candidate, reference in (random_pair(generator, alphabet) for _ in range(10)):
        expected = scorer.score(reference, candidate)
        for theirs, ours in names.items():
            metric = f"text.{ours},tokeniser={split}"
            found = vd.measure(metric, [candidate], [reference], intervals=False).value
            assert found == pytest.approx(expected[theirs].fmeasure, abs=1e-9), (
                candidate,
                reference,
            )
