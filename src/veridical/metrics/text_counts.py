"""From texts to the counts that a text metric needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from veridical.measures import Measure
from veridical.overlap.edits import edits
from veridical.overlap.ngrams import bleu_counts, character_counts, ngrams, overlap
from veridical.overlap.scripts import is_unspaced
from veridical.overlap.subsequences import common_length, summary_hits
from veridical.overlap.tokenisers import Tokeniser, tokeniser
from veridical.summaries.token_statistics import TokenStatistics

__all__ = ["token_statistics"]

Segment = tuple[str, Sequence[str]]
Arguments = Mapping[str, Any]
BASES = {"corpus_bleu": "13a", "ter": "tercom"}


def token_statistics(measure: Measure, segments: Sequence[Segment]) -> TokenStatistics:
    """Return what the measure needs to know about candidates and their references.

    Parameters
    ----------
    measure
        Of the family ``text``.
    segments
        A candidate and at least one reference each.
    """
    arguments = measure.arguments()
    name = _tokeniser(measure, arguments, segments)
    if arguments.get("case") == "lower":
        segments = [(c.lower(), [r.lower() for r in references]) for c, references in segments]
    kind, count = _COUNTERS[measure.name](arguments)
    split = str.split if name == "characters" else tokeniser(name)
    rows = [count(split, candidate, references) for candidate, references in segments]
    counts = [len(references) for _, references in segments] or [0]
    return TokenStatistics.from_rows(kind, name, rows, (min(counts), max(counts)))


def _tokeniser(measure: Measure, arguments: Arguments, segments: Sequence[Segment]) -> str:
    """Return the tokeniser's name; ``auto`` sets characters apart where no spaces are written."""
    name = str(arguments.get("tokeniser", "characters"))
    if name != "auto":
        return name
    unspaced = any(is_unspaced(text) for c, references in segments for text in (c, *references))
    return BASES[measure.name] + ("_characters" if unspaced else "")


Counter = Callable[[Tokeniser, str, Sequence[str]], list[int]]


def _bleu(arguments: Arguments) -> tuple[str, Counter]:
    order = int(arguments["order"])

    def count(split: Tokeniser, candidate: str, references: Sequence[str]) -> list[int]:
        return bleu_counts(split(candidate), [split(text) for text in references], order)

    return f"bleu:{order}", count


def _chrf(arguments: Arguments) -> tuple[str, Counter]:
    characters, words = int(arguments["order"]), int(arguments["word_order"])

    def count(split: Tokeniser, candidate: str, references: Sequence[str]) -> list[int]:
        from veridical.metrics.text_values import chrf_values

        rows = [character_counts(candidate, text, characters, words) for text in references]
        if len(rows) == 1:
            return rows[0]
        values = chrf_values(rows, float(arguments["beta"]), str(arguments["effective_order"]))
        return rows[int(values.argmax())]

    return f"chrf:{characters}+{words}", count


def _ter(arguments: Arguments) -> tuple[str, Counter]:
    def count(split: Tokeniser, candidate: str, references: Sequence[str]) -> list[int]:
        words, targets = split(candidate), [split(text) for text in references]
        fewest = min(edits(words, target) for target in targets)
        return [fewest, sum(map(len, targets)), len(targets)]

    return "ter", count


def _rouge_n(n: int) -> Callable[[Arguments], tuple[str, Counter]]:
    def counter(arguments: Arguments) -> tuple[str, Counter]:
        def one(split: Tokeniser, candidate: str, reference: str) -> list[int]:
            first, second = ngrams(split(candidate), n), ngrams(split(reference), n)
            return [overlap(first, second), first.total(), second.total()]

        return f"rouge_{n}", _best_of(one)

    return counter


def _rouge_l(arguments: Arguments) -> tuple[str, Counter]:
    def one(split: Tokeniser, candidate: str, reference: str) -> list[int]:
        first, second = split(candidate), split(reference)
        return [common_length(first, second), len(first), len(second)]

    return "rouge_l", _best_of(one)


def _rouge_lsum(arguments: Arguments) -> tuple[str, Counter]:
    def one(split: Tokeniser, candidate: str, reference: str) -> list[int]:
        first, second = _sentences(split, candidate), _sentences(split, reference)
        lengths = [sum(map(len, sentences)) for sentences in (first, second)]
        lines = int("\n" in candidate or "\n" in reference)
        return [summary_hits(first, second), *lengths, lines]

    return "rouge_lsum", _best_of(one)


def _sentences(split: Tokeniser, text: str) -> list[list[str]]:
    return [split(line) for line in text.split("\n") if line]


def _best_of(one: Callable[[Tokeniser, str, str], list[int]]) -> Counter:
    """Count against each reference, and keep the one of the best F1."""

    def count(split: Tokeniser, candidate: str, references: Sequence[str]) -> list[int]:
        rows = [one(split, candidate, text) for text in references]
        return max(rows, key=lambda row: row[0] / max(row[1] + row[2], 1))

    return count


_COUNTERS: dict[str, Callable[[Arguments], tuple[str, Counter]]] = {
    "bleu": _bleu,
    "corpus_bleu": _bleu,
    "chrf": _chrf,
    "ter": _ter,
    "rouge_1": _rouge_n(1),
    "rouge_2": _rouge_n(2),
    "rouge_l": _rouge_l,
    "rouge_lsum": _rouge_lsum,
}
