"""From texts to the counts that a text metric needs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import chain, filterfalse
from typing import Any

import numpy as np
import numpy.typing as npt

from veridical.kernels.edits import fewest_edits
from veridical.kernels.ngrams import clipped_matches
from veridical.kernels.subsequences import common_lengths, summary_hits
from veridical.kernels.tokens import Tokens, tokenise
from veridical.measures import Measure
from veridical.metrics.text_values import chrf_values, rouge_values
from veridical.overlap.scripts import is_unspaced
from veridical.overlap.segments import Segments
from veridical.summaries.token_statistics import TokenStatistics

__all__ = ["token_statistics"]

# Letters: so many that a call costs nothing beside what it does, and few enough for the caches.
AT_ONCE = 1 << 21
BASES = {"corpus_bleu": "13a", "ter": "tercom"}

Arguments = Mapping[str, Any]
Rows = npt.NDArray[np.int64]


def token_statistics(
    measures: Iterable[Measure], segments: Segments, *, unspaced: bool = False
) -> dict[Measure, TokenStatistics]:
    """Return what each measure needs to know about candidates and their references.

    Parameters
    ----------
    measures
        Of the family ``text``, but for those of vectors.
    segments
        Candidates and their references.
    unspaced
        Whether texts that these are compared with hold a script without spaces: then all of them
        are split alike.
    """
    names = {measure: _tokeniser(measure, segments, unspaced=unspaced) for measure in measures}
    rows: dict[Measure, list[Rows]] = {measure: [] for measure in names}
    for part in segments.parts(AT_ONCE):
        tokenised = {"mixed": _Part(part)}
        if any(measure.arguments().get("case") == "lower" for measure in names):
            tokenised["lower"] = _Part(part.lowered())
        for measure, name in names.items():
            arguments = measure.arguments()
            count = _COUNTERS[measure.name]
            own = tokenised[str(arguments.get("case", "mixed"))]
            rows[measure].append(count(own, name, arguments))
    few, many = (int(end(segments.times)) for end in (np.min, np.max)) if segments else (0, 0)
    return {
        measure: TokenStatistics(_kind(measure), name, _joined(rows[measure]), (few, many))
        for measure, name in names.items()
    }


def _tokeniser(measure: Measure, segments: Segments, *, unspaced: bool) -> str:
    """Return the tokeniser's name; ``auto`` sets characters apart where no spaces are written."""
    name = str(measure.arguments().get("tokeniser", "characters"))
    if name != "auto":
        return name
    texts = chain(segments.candidates, segments.references)
    apart = unspaced or any(map(is_unspaced, filterfalse(str.isascii, texts)))
    return BASES[measure.name] + ("_characters" if apart else "")


def _kind(measure: Measure) -> str:
    arguments = measure.arguments()
    if measure.name == "chrf":
        return f"chrf:{arguments['order']}+{arguments['word_order']}"
    return f"bleu:{arguments['order']}" if measure.name.endswith("bleu") else measure.name


def _joined(rows: list[Rows]) -> Rows:
    return np.concatenate(rows or [np.zeros((0, 0), dtype=np.int64)])


class _Part:
    """Some segments, tokenised when that is first asked for; candidates first, then references."""

    def __init__(self, segments: Segments) -> None:
        self.texts = [*segments.candidates, *segments.references]
        self.first = segments.first
        self.candidates = np.arange(len(segments))
        self.references = np.arange(len(segments), len(self.texts))
        self.owners = np.repeat(self.candidates, segments.times)  # whose the references are
        self._tokens: dict[str, Tokens] = {}

    def tokens(self, name: str) -> Tokens:
        """Return the tokens by one tokeniser."""
        if name not in self._tokens:
            self._tokens[name] = tokenise(self.texts, name)
        return self._tokens[name]

    def matches(self, tokens: Tokens, order: int, shortest: int = 1) -> Rows:
        """Return n-grams that each reference shares with its candidate, one column a length."""
        alone = np.arange(len(self.references) + 1)
        return clipped_matches(tokens, self.owners, self.references, alone, order, shortest)

    def best(self, rows: Rows, values: Callable[[Rows], npt.NDArray[np.float64]]) -> Rows:
        """Return for each candidate the row of its best reference, of equal ones the first."""
        if len(rows) == len(self.candidates):
            return rows
        order = np.lexsort((-values(rows), self.owners))
        return rows[order[self.first[:-1]]]

    def fewest(self, values: Rows) -> Rows:
        """Return for each candidate the least value of its references."""
        least: Rows = np.minimum.reduceat(values, self.first[:-1])
        return least


def _ngrams(lengths: Rows, order: int) -> Rows:
    """Return how many n-grams texts of these lengths have, shape (texts, order)."""
    found: Rows = np.maximum(lengths[:, None] - np.arange(order), 0)
    return found


def _bleu(part: _Part, name: str, arguments: Arguments) -> Rows:
    """Lengths of candidate and closest reference; matches, n-grams of both, by order."""
    order, tokens = int(arguments["order"]), part.tokens(name)
    matches = clipped_matches(tokens, part.candidates, part.references, part.first, order)
    ours, theirs = tokens.lengths[part.candidates], tokens.lengths[part.references]
    # Of two that are equally near, the shorter.
    nearness = (np.abs(theirs - tokens.lengths[part.owners]) << 32) + theirs
    closest = part.fewest(nearness) & 0xFFFFFFFF
    return np.column_stack([ours, closest, matches, _ngrams(ours, order), _ngrams(closest, order)])


def _chrf(part: _Part, name: str, arguments: Arguments) -> Rows:
    """n-grams of the candidate, of the reference, and common ones, for each order."""
    rows = _shared(part, "char", int(arguments["order"]))
    if arguments["word_order"]:
        rows = np.hstack([rows, _shared(part, "chrf_words", int(arguments["word_order"]))])
    beta, effective_order = float(arguments["beta"]), str(arguments["effective_order"])
    return part.best(rows, lambda each: chrf_values(each, beta, effective_order))


def _shared(part: _Part, name: str, order: int) -> Rows:
    tokens = part.tokens(name)
    ours = _ngrams(tokens.lengths[part.owners], order)
    theirs = _ngrams(tokens.lengths[part.references], order)
    # Without a reference of this order the candidate's n-grams cannot be wrong.
    columns = [np.where(theirs > 0, ours, 0), theirs, part.matches(tokens, order)]
    return np.stack(columns, axis=2).reshape(len(ours), 3 * order)


def _ter(part: _Part, name: str, arguments: Arguments) -> Rows:
    """Fewest edits, words of all references, and how many references there are."""
    tokens = part.tokens(name)
    edits = fewest_edits(tokens, part.owners, part.references)
    words = np.add.reduceat(tokens.lengths[part.references], part.first[:-1])
    return np.column_stack([part.fewest(edits), words, np.diff(part.first)])


def _rouge_n(n: int) -> Callable[[_Part, str, Arguments], Rows]:
    def count(part: _Part, name: str, arguments: Arguments) -> Rows:
        tokens = part.tokens(name)
        ngrams = np.maximum(tokens.lengths - (n - 1), 0)
        ours, theirs = ngrams[part.owners], ngrams[part.references]
        return _best_f1(part, [part.matches(tokens, n, n)[:, 0], ours, theirs])

    return count


def _rouge_l(part: _Part, name: str, arguments: Arguments) -> Rows:
    tokens = part.tokens(name)
    common = common_lengths(tokens, part.owners, part.references)
    return _best_f1(part, [common, tokens.lengths[part.owners], tokens.lengths[part.references]])


def _rouge_lsum(part: _Part, name: str, arguments: Arguments) -> Rows:
    lines = [[line for line in text.split("\n") if line] for text in part.texts]
    ends = np.cumsum([len(own) for own in lines])
    lines_of = np.column_stack([ends - [len(own) for own in lines], ends])
    tokens = tokenise([line for own in lines for line in own], name)
    words = np.diff(tokens.offsets[lines_of], axis=1)[:, 0]
    broken = np.array(["\n" in text for text in part.texts])
    ours, theirs = part.owners, part.references
    hits = summary_hits(tokens, lines_of[ours], lines_of[theirs])
    return _best_f1(part, [hits, words[ours], words[theirs], broken[ours] | broken[theirs]])


def _best_f1(part: _Part, columns: list[npt.NDArray[Any]]) -> Rows:
    rows = np.column_stack(columns).astype(np.int64)
    return part.best(rows, rouge_values)


_COUNTERS: dict[str, Callable[[_Part, str, Arguments], Rows]] = {
    "bleu": _bleu,
    "corpus_bleu": _bleu,
    "chrf": _chrf,
    "ter": _ter,
    "rouge_1": _rouge_n(1),
    "rouge_2": _rouge_n(2),
    "rouge_l": _rouge_l,
    "rouge_lsum": _rouge_lsum,
}
