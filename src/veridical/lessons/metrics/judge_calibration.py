"""Section 6: how far two judges agree beyond what chance alone would give."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from veridical.errors import InputError
from veridical.lessons.metrics.confusion_matrix import share

__all__ = ["cohens_kappa", "expected_agreement", "judge_examples", "raw_agreement"]


def raw_agreement(a: Sequence[Hashable], b: Sequence[Hashable]) -> float:
    """Return the share of items to which two judges gave the same label; 0 without items.

    Examples
    --------
    >>> raw_agreement("yynn", "ynnn")
    0.75
    """
    if len(a) != len(b):
        raise InputError(f"{len(a)} labels and {len(b)}: both judge the same items")
    same = 0
    for label_a, label_b in zip(a, b, strict=True):
        if label_a == label_b:
            same += 1
    return share(same, len(a))


def expected_agreement(a: Sequence[Hashable], b: Sequence[Hashable]) -> float:
    """Return how often two judges would agree who give labels as often as these, but at random.

    Examples
    --------
    >>> expected_agreement("yynn", "ynnn")
    0.5
    """
    p_e = 0.0
    for label in set(a) | set(b):
        p_e += share(list(a).count(label), len(a)) * share(list(b).count(label), len(b))
    return p_e


def cohens_kappa(a: Sequence[Hashable], b: Sequence[Hashable]) -> float:
    """Return agreement beyond chance: 0 is what chance gives, 1 is perfect.

    Parameters
    ----------
    a, b
        The labels that two judges gave to the same items, in the same order.

    Returns
    -------
    float
        1 where both use one and the same label throughout, as textbooks have it, and 0 without
        items.  The library says of both that nothing can be computed.

    References
    ----------
    Cohen (1960), Educational and Psychological Measurement 20, doi:10.1177/001316446002000104

    Examples
    --------
    >>> cohens_kappa("yynn", "ynnn")
    0.5
    """
    p_o, p_e = raw_agreement(a, b), expected_agreement(a, b)
    return 1.0 if p_e == 1 else (p_o - p_e) / (1 - p_e)


def judge_examples() -> dict[str, tuple[list[str], list[str]]]:
    """Return two judges of 20 answers, each beside the labels of the same person.

    Examples
    --------
    >>> for name, (person, judge) in judge_examples().items():
    ...     print(f"{name}: {raw_agreement(person, judge):.0%}, {cohens_kappa(person, judge):.2f}")
    passes everything: 90%, 0.00
    finds the bad ones: 95%, 0.77
    """
    person = ["pass"] * 18 + ["fail"] * 2
    return {
        "passes everything": (person, ["pass"] * 20),
        "finds the bad ones": (person, ["pass"] * 17 + ["fail"] * 3),
    }
