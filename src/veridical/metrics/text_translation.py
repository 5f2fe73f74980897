"""BLEU, chrF and TER: how machine translation counts overlap.  All are fractions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from veridical import __version__
from veridical.measures import choice, integer, metric, number
from veridical.metrics.text_results import (
    each_segment,
    mean_over_segments,
    mean_result,
    of_sums,
    summed,
    summed_result,
)
from veridical.metrics.text_values import bleu_values, chrf_values, ter_values
from veridical.results import Result
from veridical.summaries.token_statistics import TokenStatistics

__all__ = ["bleu", "chrf", "corpus_bleu", "ter"]

Floats = npt.NDArray[np.float64]

_BLEU_TOKENISERS = ["words", "13a", "13a_characters", "intl", "char", "none"]
_SMOOTHINGS = ["exp", "floor", "add-k", "none"]
_ORDERS = ["both", "yes", "no"]
_CASES = ["mixed", "lower"]


def _bleu(
    rows: Any,
    *,
    order: int,
    smoothing: str,
    effective_order: str,
    added: float = 1.0,
    floor: float = 0.1,
    **_: Any,
) -> Floats:
    return bleu_values(
        rows,
        order,
        smoothing=smoothing,
        added=added,
        floor=floor,
        effective_order=effective_order,
    )


def _chrf(rows: Any, *, beta: float, effective_order: str, **_: Any) -> Floats:
    return chrf_values(rows, beta, effective_order)


def _ter(rows: Any, **_: Any) -> Floats:
    return ter_values(rows)


def _floats(rows: npt.NDArray[np.int64]) -> Floats:
    return rows.astype(np.float64)


def _edits_and_words(rows: npt.NDArray[np.int64]) -> Floats:
    """Return edits and the mean length of the references of each segment."""
    return np.stack([rows[:, 0], rows[:, 1] / rows[:, 2]], axis=1)


@metric(
    "text",
    summary=TokenStatistics,
    parameters=[
        choice("tokeniser", _BLEU_TOKENISERS, "words"),
        choice("smoothing", _SMOOTHINGS, "add-k"),
        number("added", 1.0, low=0),
        number("floor", 0.1, low=0),
        choice("effective_order", _ORDERS, "both"),
        integer("order", 4, low=1, high=10),
        choice("case", _CASES, "mixed"),
    ],
    bounds=(0, 1),
    interval=mean_over_segments(_bleu),
    statistic=each_segment(_bleu),
    aliases=["sentence_bleu"],
)
def bleu(
    statistics: TokenStatistics,
    tokeniser: str = "words",
    smoothing: str = "add-k",
    effective_order: str = "both",
    order: int = 4,
    case: str = "mixed",
    added: float = 1.0,
    floor: float = 0.1,
) -> Result:
    """Mean over segments of sentence BLEU: clipped n-gram precision times a penalty for brevity.

    Formula
    -------
    BP (p_1 ... p_4)^(1/4), p_n = (matches_n + 1)/(n-grams_n + 1) for n >= 2, p_1 not smoothed;
    BP = 1 where the candidate is at least as long as the closest reference (the shorter of two
    equally close ones), else e^(1 - r/c).

    When it is undefined
    --------------------
    No segment: skipped ``no_rows``.  A candidate that is empty or matches nothing scores 0.

    References
    ----------
    Papineni et al. (2002), ACL, doi:10.3115/1073083.1073135; smoothing: Lin and Och (2004), ACL,
    doi:10.3115/1218955.1219032.

    Examples
    --------
    >>> counts = TokenStatistics.from_rows("bleu:2", "words", [[3, 4, 2, 1, 3, 2, 4, 3]])
    >>> round(bleu.function(counts, order=2).value, 4)
    0.4777
    """
    values = _bleu(
        _rows(statistics, 2 + 3 * order),
        order=order,
        smoothing=smoothing,
        effective_order=effective_order,
        added=added,
        floor=floor,
    )
    return mean_result(statistics, values)


@metric(
    "text",
    summary=TokenStatistics,
    parameters=[
        choice("tokeniser", ["auto", *_BLEU_TOKENISERS], "auto"),
        choice("smoothing", _SMOOTHINGS, "exp"),
        number("added", 1.0, low=0),
        number("floor", 0.1, low=0),
        choice("effective_order", _ORDERS, "both"),
        integer("order", 4, low=1, high=10),
        choice("case", _CASES, "mixed"),
    ],
    bounds=(0, 1),
    interval=of_sums(_floats, _bleu),
    statistic=summed(_floats, _bleu),
    aliases=["sacrebleu"],
)
def corpus_bleu(
    statistics: TokenStatistics,
    tokeniser: str = "auto",
    smoothing: str = "exp",
    effective_order: str = "both",
    order: int = 4,
    case: str = "mixed",
    added: float = 1.0,
    floor: float = 0.1,
) -> Result:
    """BLEU of the whole corpus, from summed counts: the number that sacrebleu prints, over 100.

    Formula
    -------
    BP (p_1 ... p_4)^(1/4) of sums over segments; a p_n without matches is 1/(2^j n-grams_n), j
    the how manieth such order it is (``exp``).  The tokeniser is sacrebleu's ``13a``; where a
    script writes no spaces its characters are first set apart.

    When it is undefined
    --------------------
    No segment: skipped ``no_rows``.  Nothing matches: 0.  Orders longer than all candidates and
    references are left out, so that identical short texts score 1; ``effective_order=no`` makes
    them 0, as sacrebleu does.

    References
    ----------
    Post (2018), A Call for Clarity in Reporting BLEU Scores, doi:10.18653/v1/W18-6319.

    Examples
    --------
    >>> counts = TokenStatistics.from_rows("bleu:2", "13a", [[3, 4, 2, 1, 3, 2, 4, 3]])
    >>> round(corpus_bleu.function(counts, order=2).value, 4)
    0.4137
    """
    (value,) = _bleu(
        _floats(_rows(statistics, 2 + 3 * order)).sum(axis=0, keepdims=True),
        order=order,
        smoothing=smoothing,
        effective_order=effective_order,
        added=added,
        floor=floor,
    )
    put_in = {"floor": f"[{floor:.2f}]", "add-k": f"[{added:.2f}]"}.get(smoothing, "")
    effective = "yes" if effective_order == "yes" else "no"
    signature = (
        f"case:{'lc' if case == 'lower' else 'mixed'}|eff:{effective}"
        f"|tok:{statistics.tokeniser}|smooth:{smoothing}{put_in}|version:veridical-{__version__}"
    )
    return summed_result(statistics, float(value), signature)


@metric(
    "text",
    summary=TokenStatistics,
    parameters=[
        integer("order", 6, low=1, high=10),
        integer("word_order", 0, low=0, high=4),
        number("beta", 2.0, low=0),
        choice("effective_order", ["yes", "no"], "yes"),
        choice("case", _CASES, "mixed"),
    ],
    bounds=(0, 1),
    interval=of_sums(_floats, _chrf),
    statistic=summed(_floats, _chrf),
    aliases=["chrf2"],
)
def chrf(
    statistics: TokenStatistics,
    order: int = 6,
    word_order: int = 0,
    beta: float = 2.0,
    effective_order: str = "yes",
    case: str = "mixed",
) -> Result:
    """Mean character n-gram F score of the whole corpus; it needs no tokeniser.

    Formula
    -------
    (1 + beta^2) P R / (beta^2 P + R), P and R the means over orders 1..6 of n-gram precision and
    recall from summed counts, white space removed; ``word_order=2`` (chrF++) adds words and pairs
    of words.

    When it is undefined
    --------------------
    No segment: skipped ``no_rows``.  Orders that one of the sides does not reach are left out;
    with ``effective_order=no`` they count as almost 0.

    References
    ----------
    Popovic (2015), WMT, doi:10.18653/v1/W15-3049; chrF++: Popovic (2017), doi:10.18653/v1/W17-4770.

    Examples
    --------
    >>> counts = TokenStatistics.from_rows("chrf:1+0", "characters", [[4, 2, 2]])
    >>> round(chrf.function(counts, order=1).value, 4)
    0.8333
    """
    rows = _rows(statistics, 3 * (order + word_order))
    (value,) = chrf_values(_floats(rows).sum(axis=0, keepdims=True), beta, effective_order)
    signature = (
        f"case:{'lc' if case == 'lower' else 'mixed'}|eff:{effective_order}|nc:{order}"
        f"|nw:{word_order}|space:no|version:veridical-{__version__}"
    )
    return summed_result(statistics, float(value), signature)


@metric(
    "text",
    summary=TokenStatistics,
    parameters=[choice("tokeniser", ["auto", "tercom", "tercom_characters", "words"], "auto")],
    better="lower",
    bounds=(0, None),
    interval=of_sums(_edits_and_words, _ter),
    statistic=summed(_edits_and_words, _ter),
    aliases=["translation_edit_rate"],
)
def ter(statistics: TokenStatistics, tokeniser: str = "auto") -> Result:
    """Edits that turn the candidates into references, for each word of the references.

    Formula
    -------
    sum of the fewest insertions, deletions, substitutions and shifts of blocks, over the sum of
    mean reference lengths; shifts are searched as tercom does.

    When it is undefined
    --------------------
    No segment: skipped ``no_rows``.  References without words: 1 if there is any edit, else 0.

    References
    ----------
    Snover et al. (2006), A Study of Translation Edit Rate with Targeted Human Annotation, AMTA.

    Examples
    --------
    >>> ter.function(TokenStatistics.from_rows("ter", "tercom", [[1, 5, 1], [0, 3, 1]])).value
    0.125
    """
    columns = _edits_and_words(_rows(statistics, 3)).T.tolist()
    (value,) = ter_values([[math.fsum(column) for column in columns]])
    signature = (
        f"case:lc|tok:{statistics.tokeniser}|norm:no|punct:yes|asian:no"
        f"|version:veridical-{__version__}"
    )
    return summed_result(statistics, float(value), signature)


def _rows(statistics: TokenStatistics, columns: int) -> npt.NDArray[np.int64]:
    """Return the rows; without any they still have their columns."""
    return statistics.rows if statistics.n else np.zeros((0, columns), dtype=np.int64)
