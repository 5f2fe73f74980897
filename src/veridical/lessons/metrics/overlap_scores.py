"""Section 5: how much of its wording a text shares with another.  Wording, not truth."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from veridical.errors import ParameterError
from veridical.lessons.metrics.confusion_matrix import share

__all__ = ["GEN_CANDIDATES", "GEN_REFERENCE", "bleu", "ngrams", "rouge_l", "words"]

GEN_REFERENCE = "The meeting was moved to Friday because the manager is sick."
GEN_CANDIDATES = {
    "correct paraphrase": "Since the boss is ill, the team rescheduled the meeting for Friday.",
    "wrong but copies wording": "The meeting was moved to Monday because the manager is sick.",
    "exact copy": GEN_REFERENCE,
}


def words(text: str) -> list[str]:
    """Return the words of a text, in lower case and without the marks around them.

    Examples
    --------
    >>> words('He said: "Friday!"')
    ['he', 'said', 'friday']
    """
    stripped = [word.strip(".,!?;:'\"").lower() for word in text.split()]
    return [word for word in stripped if word]


def ngrams(tokens: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    """Count the runs of ``n`` words.

    Examples
    --------
    >>> ngrams(["to", "be", "or", "to", "be"], 2)[("to", "be")]
    2
    """
    return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


def bleu(candidate: str, reference: str, max_n: int = 4, smooth: bool = True) -> float:  # noqa: FBT001, FBT002
    """Return how far the runs of words of a candidate occur in a reference, between 0 and 1.

    Parameters
    ----------
    candidate
        The text that is measured.
    reference
        The text that a person wrote.
    max_n
        How long the runs are that count: 1 to ``max_n`` words.
    smooth
        Whether 1 is added above and below the line from two words on, so that one length without
        a match does not make the whole 0.

    References
    ----------
    Papineni et al. (2002), ACL, doi:10.3115/1073083.1073135; the smoothing: Lin and Och (2004),
    ACL, doi:10.3115/1218955.1219032

    Examples
    --------
    >>> round(bleu(GEN_CANDIDATES["wrong but copies wording"], GEN_REFERENCE), 2)
    0.73
    """
    if max_n < 1:
        raise ParameterError(f"max_n is at least 1, not {max_n}")
    c, r = words(candidate), words(reference)
    if not c:
        return 0.0
    logs = 0.0
    for n in range(1, max_n + 1):
        found, wanted = ngrams(c, n), ngrams(r, n)
        # No run counts more often than the reference has it.
        matches, total = sum((found & wanted).values()), sum(found.values())
        if (smooth and n > 1) or (not found and not wanted):
            matches, total = matches + 1, total + 1
        if matches == 0:
            return 0.0
        logs += math.log(matches / total)
    # Precision alone would reward a candidate that says little.
    brevity = 1.0 if len(c) > len(r) else math.exp(1 - len(r) / len(c))
    return brevity * math.exp(logs / max_n)


def rouge_l(candidate: str, reference: str) -> float:
    """Return the F1 of the longest sequence of words that both texts have in the same order.

    Between 0 and 1; 0 where a text is empty.

    References
    ----------
    Lin (2004), Text Summarization Branches Out, ACL, W04-1013

    Examples
    --------
    >>> rouge_l("a b c d", "a c d e")
    0.75
    """
    c, r = words(candidate), words(reference)
    common = _longest_common(c, r)
    precision, recall = share(common, len(c)), share(common, len(r))
    return share(2 * precision * recall, precision + recall)


def _longest_common(first: Sequence[str], second: Sequence[str]) -> int:
    """Fill a table: the longest sequence of the first i words of one and the first j of the other.

    Where the two last words are equal it is one longer than without both; otherwise as long as
    without one of them.
    """
    longest = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
    for i, left in enumerate(first, start=1):
        for j, right in enumerate(second, start=1):
            if left == right:
                longest[i][j] = longest[i - 1][j - 1] + 1
            else:
                longest[i][j] = max(longest[i - 1][j], longest[i][j - 1])
    return longest[-1][-1]
