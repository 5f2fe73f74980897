"""Text overlap against sacrebleu, rouge-score and NLTK on random texts; summaries; intervals."""

import random

import numpy as np
import pytest

import veridical as vd
from veridical.overlap.porter import stem
from veridical.overlap.tokenisers import TOKENISERS
from veridical.summaries.token_statistics import TokenStatistics

sacrebleu = pytest.importorskip("sacrebleu")
pytest.importorskip("rouge_score")

TEXT = (
    "the cat sat on a mat , running dogs were quickly relational 1,000.50 café U.S. (not) "
    '"yes" don\'t - & $5 and it was - well - Übung happily . ! ?'
)
WORDS = TEXT.split()


def sentence(generator, longest=14):
    return " ".join(generator.choices(WORDS, k=generator.randint(0, longest)))


def changed(generator, text):
    words = text.split()
    for _ in range(generator.randint(0, 4)):
        if words and generator.random() < 0.5:
            block = words[: generator.randint(1, 3)]
            words = words[len(block) :] + block
        elif words:
            words[generator.randrange(len(words))] = generator.choice(WORDS)
    return " ".join(words)


def corpus(seed, n=12, references=1):
    generator = random.Random(seed)
    texts = [[sentence(generator) for _ in range(references)] for _ in range(n)]
    return [changed(generator, own[0]) for own in texts], texts


def value(metric, candidates, references):
    return vd.measure(metric, candidates, references, intervals=False).value


def streams(references):
    return [list(stream) for stream in zip(*references, strict=True)]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("references", [1, 2])
@pytest.mark.parametrize("tokeniser", ["13a", "intl", "char", "none"])
@pytest.mark.parametrize("smoothing", ["exp", "floor", "add-k", "none"])
def test_corpus_bleu(seed, references, tokeniser, smoothing):
    candidates, texts = corpus(seed, references=references)
    for effective in (False, True):
        scorer = sacrebleu.metrics.BLEU(
            tokenize=tokeniser, smooth_method=smoothing, effective_order=effective, force=True
        )
        expected = scorer.corpus_score(candidates, streams(texts)).score / 100
        metric = vd.text.corpus_bleu(
            tokeniser=tokeniser,
            smoothing=smoothing,
            effective_order="yes" if effective else "no",
        )
        assert value(metric, candidates, texts) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("seed", range(40))
def test_sentence_bleu(seed):
    (candidate,), (texts,) = corpus(seed, n=1, references=1 + seed % 3)
    scorer = sacrebleu.metrics.BLEU(smooth_method="add-k", smooth_value=1, tokenize="13a")
    expected = scorer.sentence_score(candidate, texts).score / 100
    found = value("bleu,tokeniser=13a,effective_order=no", [candidate], [texts])
    assert found == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("references", [1, 3])
@pytest.mark.parametrize(("word_order", "eps"), [(0, False), (2, False), (0, True)])
def test_chrf(seed, references, word_order, eps):
    candidates, texts = corpus(seed, references=references)
    scorer = sacrebleu.metrics.CHRF(word_order=word_order, eps_smoothing=eps)
    expected = scorer.corpus_score(candidates, streams(texts)).score / 100
    metric = vd.text.chrf(word_order=word_order, effective_order="no" if eps else "yes")
    assert value(metric, candidates, texts) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("references", [1, 2])
def test_ter(seed, references):
    candidates, texts = corpus(seed, n=6, references=references)
    expected = sacrebleu.metrics.TER().corpus_score(candidates, streams(texts)).score / 100
    assert value("ter,tokeniser=tercom", candidates, texts) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("stemmed", [False, True])
@pytest.mark.parametrize("seed", range(20))
def test_rouge(seed, stemmed):
    from rouge_score.rouge_scorer import RougeScorer

    generator = random.Random(seed)
    reference = "\n".join(sentence(generator) for _ in range(generator.randint(1, 4)))
    candidate = "\n".join(changed(generator, line) for line in reference.split("\n"))
    names = {"rouge1": "rouge_1", "rouge2": "rouge_2", "rougeL": "rouge_l"}
    names["rougeLsum"] = "rouge_lsum"
    expected = RougeScorer(list(names), use_stemmer=stemmed).score(reference, candidate)
    split = "rouge_score_stemmed" if stemmed else "rouge_score"
    for theirs, ours in names.items():
        for part, attribute in (("precision", 0), ("recall", 1), ("f1", 2)):
            found = value(f"{ours},tokeniser={split},score={part}", [candidate], [reference])
            assert found == pytest.approx(expected[theirs][attribute], abs=1e-9)


def test_the_default_tokeniser_of_rouge_is_rouge_scores_on_ascii_text():
    generator = random.Random(0)
    for _ in range(500):
        text = "".join(chr(generator.randrange(128)) for _ in range(30))
        assert TOKENISERS["unicode"](text) == TOKENISERS["rouge_score"](text)


def test_the_stemmer_on_every_suffix_that_it_knows():
    from nltk.stem.porter import PorterStemmer

    listed = (
        "ational tional enci anci izer bli alli entli eli ousli ization ation ator alism iveness "
        "fulness ousness aliti iviti biliti fulli logi icate ative alize iciti ical ful ness al "
        "ance ence er ic able ible ant ement ment ent sion tion ion ou ism ate iti ous ive ize s "
        "es ies ied ed eed ing y ly ll e ss sses"
    )
    suffixes = listed.split()
    theirs, generator = PorterStemmer(), random.Random(1)
    for _ in range(5000):
        start = "".join(generator.choices("aeioubcdfglmnrstyz", k=generator.randint(1, 6)))
        word = start + generator.choice(suffixes) + generator.choice(["", "", "s", "ing", "ly"])
        assert stem(word) == theirs.stem(word), word
    for word in ("dying", "skies", "innings", "news", "proceed"):
        assert stem(word) == theirs.stem(word)


@pytest.mark.parametrize("name", ["13a", "intl"])
def test_tokenisers_of_sacrebleu(name):
    from sacrebleu.metrics.bleu import _get_tokenizer

    theirs, generator = _get_tokenizer(name)(), random.Random(2)
    alphabet = "abc ,.-0123 $€«»'\"&();:<>/\n¿é中1٣,—%"
    for _ in range(3000):
        text = "".join(generator.choices(alphabet, k=generator.randint(0, 20)))
        assert TOKENISERS[name](text) == theirs(text.rstrip()).split()


def test_statistics_are_a_monoid():
    a = TokenStatistics.from_rows("rouge_l", "words", [[3, 4, 4], [1, 2, 2]])
    b = TokenStatistics.from_rows("rouge_l", "words", [[0, 1, 5]], (2, 2))
    assert a + b == b + a
    assert a + TokenStatistics() == a == TokenStatistics() + a
    assert TokenStatistics.from_dict((a + b).to_dict()) == a + b
    with pytest.raises(vd.VeridicalError, match="tokeniser differs"):
        a + TokenStatistics.from_rows("rouge_l", "none", [[1, 1, 1]])


@pytest.mark.parametrize("metric", ["bleu", "corpus_bleu", "chrf", "ter", "rouge_1", "rouge_l"])
def test_the_order_of_segments_is_nothing_and_the_interval_holds_the_value(metric):
    candidates, texts = corpus(5, n=40)
    result = vd.measure(metric, candidates, texts, replicates=200)
    assert result.interval.low < result.value < result.interval.high
    assert result.interval.method == "bootstrap-percentile"
    again = vd.measure(metric, candidates[::-1], texts[::-1], intervals=False)
    assert again.value == result.value


def test_the_bootstrap_is_that_of_segment_values():
    candidates, texts = corpus(6, n=60)
    each = [value("rouge_1", [c], [t]) for c, t in zip(candidates, texts, strict=True)]
    result = vd.measure("rouge_1", candidates, texts, replicates=2000)
    assert result.value == pytest.approx(np.mean(each), abs=1e-12)
    spread = np.std(each) / np.sqrt(len(each))
    assert result.interval.width == pytest.approx(2 * 1.96 * spread, rel=0.08)
