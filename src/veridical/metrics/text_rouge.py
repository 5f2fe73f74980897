"""ROUGE: how summarisation counts overlap.  Mean F1 over segments, against the best reference."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from veridical.measures import choice, metric
from veridical.metrics.text_results import each_segment, mean_over_segments, mean_result
from veridical.metrics.text_values import rouge_values
from veridical.results import Result
from veridical.summaries.token_statistics import TokenStatistics

__all__ = ["rouge_1", "rouge_2", "rouge_l", "rouge_lsum"]

_PARAMETERS = [
    choice("tokeniser", ["unicode", "rouge_score", "rouge_score_stemmed", "words"], "unicode"),
    choice("score", ["f1", "precision", "recall"], "f1"),
]


def _rouge(rows: Any, *, score: str, **_: Any) -> npt.NDArray[np.float64]:
    return rouge_values(rows, score)


def _mean(statistics: TokenStatistics, score: str, notes: tuple[str, ...] = ()) -> Result:
    rows = statistics.rows if statistics.n else np.zeros((0, 3), dtype=np.int64)
    return mean_result(statistics, rouge_values(rows, score), notes)


@metric(
    "text",
    summary=TokenStatistics,
    parameters=_PARAMETERS,
    bounds=(0, 1),
    interval=mean_over_segments(_rouge),
    statistic=each_segment(_rouge),
    aliases=["rouge1"],
)
def rouge_1(statistics: TokenStatistics, tokeniser: str = "unicode", score: str = "f1") -> Result:
    """Share of words in common, repeats included.

    Formula
    -------
    F1 = 2 matches / (words of the candidate + words of the reference)

    When it is undefined
    --------------------
    No segment: skipped ``no_rows``.  A side without words: 0.

    References
    ----------
    Lin (2004), ROUGE: A Package for Automatic Evaluation of Summaries, ACL workshop, W04-1013.

    Examples
    --------
    >>> rouge_1.function(TokenStatistics.from_rows("rouge_1", "words", [[3, 4, 4]])).value
    0.75
    """
    return _mean(statistics, score)


@metric(
    "text",
    summary=TokenStatistics,
    parameters=_PARAMETERS,
    bounds=(0, 1),
    interval=mean_over_segments(_rouge),
    statistic=each_segment(_rouge),
    aliases=["rouge2"],
)
def rouge_2(statistics: TokenStatistics, tokeniser: str = "unicode", score: str = "f1") -> Result:
    """Share of pairs of neighbouring words in common, repeats included.

    Formula
    -------
    F1 = 2 matches / (pairs of the candidate + pairs of the reference)

    When it is undefined
    --------------------
    No segment: skipped ``no_rows``.  A side with fewer than two words: 0.

    References
    ----------
    Lin (2004), ROUGE: A Package for Automatic Evaluation of Summaries, ACL workshop, W04-1013.

    Examples
    --------
    >>> rouge_2.function(TokenStatistics.from_rows("rouge_2", "words", [[1, 3, 5]])).value
    0.25
    """
    return _mean(statistics, score)


@metric(
    "text",
    summary=TokenStatistics,
    parameters=_PARAMETERS,
    bounds=(0, 1),
    interval=mean_over_segments(_rouge),
    statistic=each_segment(_rouge),
    aliases=["rougel"],
)
def rouge_l(statistics: TokenStatistics, tokeniser: str = "unicode", score: str = "f1") -> Result:
    """Longest common subsequence of words, which need not be neighbours but keep their order.

    Formula
    -------
    F1 = 2 LCS / (words of the candidate + words of the reference)

    When it is undefined
    --------------------
    No segment: skipped ``no_rows``.  A side without words: 0.

    References
    ----------
    Lin (2004), ROUGE: A Package for Automatic Evaluation of Summaries, ACL workshop, W04-1013.

    Examples
    --------
    >>> rouge_l.function(TokenStatistics.from_rows("rouge_l", "words", [[3, 4, 4]])).value
    0.75
    """
    return _mean(statistics, score)


@metric(
    "text",
    summary=TokenStatistics,
    parameters=_PARAMETERS,
    bounds=(0, 1),
    interval=mean_over_segments(_rouge),
    statistic=each_segment(_rouge),
    aliases=["rougelsum"],
)
def rouge_lsum(
    statistics: TokenStatistics, tokeniser: str = "unicode", score: str = "f1"
) -> Result:
    """ROUGE-L of summaries, sentence by sentence; a line is a sentence.

    Formula
    -------
    F1 = 2 hits / (words of the candidate + words of the reference), hits the words of each
    reference sentence in the union of its longest common subsequences with all candidate
    sentences, none counted twice

    When it is undefined
    --------------------
    No segment: skipped ``no_rows``.  A side without words: 0.  Without any line break it is one
    sentence against one, and a note says so.

    References
    ----------
    Lin (2004), ROUGE: A Package for Automatic Evaluation of Summaries, ACL workshop, W04-1013.

    Examples
    --------
    >>> rouge_lsum.function(TokenStatistics.from_rows("rouge_lsum", "words", [[3, 4, 4, 0]])).notes
    ('no_line_break',)
    """
    broken = statistics.n and statistics.rows[:, 3].any()
    return _mean(statistics, score, () if broken else ("no_line_break",))
