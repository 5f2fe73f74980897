"""Ranks of the judged documents of each query, from dictionaries, by sorting."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

__all__ = ["rank_dicts"]

LARGEST_GRADE = 2.0**53  # up to it sums of gains stay exact


def rank_dicts(
    run: dict[Any, Any], qrels: dict[Any, Any], kind: type, query_kind: type
) -> tuple[tuple[Any, ...], tuple[Any, ...]] | None:
    """Return the fields of ``Ranks`` and those of ``Judgements``, or None."""
    if set(map(type, qrels)) - {query_kind} or not _of_kind(run, query_kind):
        return None
    if not _plain_ids(qrels, query_kind) or any(type(one) is not dict for one in run.values()):
        return None
    retrieved, listed, counts, rank, grades, judged_counts, ideal = ([] for _ in range(7))
    own, ties, texts, judged_in_order = [], 0, [], []
    queries = sorted(qrels, key=str)
    for query in queries:
        judged, results = qrels[query], run.get(query, {})
        if type(judged) is not dict:
            return None
        if not (_plain(results, kind) and _plain(judged, kind) and _plain_ids(judged, kind)):
            return None
        results, judged = _as_floats(results), _as_floats(judged)
        if not all(abs(grade) <= LARGEST_GRADE for grade in judged.values()):
            return None
        order = sorted(results, key=lambda one: (results[one], str(one)), reverse=True)
        found = [(at, judged[one]) for at, one in enumerate(order, 1) if one in judged]
        retrieved.append(len(results))
        listed.append(query in run)
        counts.append(len(found))
        rank += [at for at, _ in found]
        grades += [grade for _, grade in found]
        judged_counts.append(len(judged))
        ideal += sorted(judged.values(), reverse=True)
        own += [str(query)] if query in results else []
        ties += _tied_with_relevant(results, judged)
        texts += [str(one).encode() for one in sorted(judged, key=str)]
        judged_in_order += [judged[one] for one in sorted(judged, key=str)]
    names = [*map(str, queries)]
    query_texts = [name.encode() for name in names]
    ranks = (
        *(np.array(one, np.int64) for one in (retrieved, listed, counts, rank)),
        _floats(grades), own, ties,
    )  # fmt: skip
    judgements = (
        names, np.array(judged_counts, np.int64), _floats(ideal),
        np.array([*map(len, query_texts)], np.uint32), b"".join(query_texts),
        np.array([*map(len, texts)], np.uint32), b"".join(texts), _floats(judged_in_order),
    )  # fmt: skip
    return ranks, judgements


def _plain(entries: dict[Any, Any], kind: type) -> bool:
    """Whether all ids are of one kind, and all values floats or ints, no NaN among them."""
    return _of_kind(entries, kind) and all(map(_is_number, entries.values()))


def _of_kind(ids: Iterable[Any], kind: type) -> bool:
    return all(type(one) is kind for one in ids)


def _plain_ids(ids: Iterable[Any], kind: type) -> bool:
    """Whether all texts can be written as UTF-8, and all numbers in 64 bits."""
    if kind is int:
        return all(-(2**63) <= one < 2**63 for one in ids)
    return not any("\ud800" <= character <= "\udfff" for one in ids for character in one)


def _is_number(value: Any) -> bool:
    try:
        return (type(value) is int or isinstance(value, float)) and not math.isnan(value)
    except OverflowError:  # an int beyond float64
        return False


def _as_floats(numbers: dict[Any, Any]) -> dict[Any, float]:
    """Return the numbers that floats are, whatever those of a subclass say that they are."""
    return {
        one: float.__float__(number) if isinstance(number, float) else float(number)
        for one, number in numbers.items()
    }


def _tied_with_relevant(results: dict[Any, float], judged: dict[Any, float]) -> int:
    """Return how many scores several documents have, a relevant one among them."""
    times: dict[float, int] = {}
    for score in results.values():
        times[score] = times.get(score, 0) + 1
    relevant = (one for one, grade in judged.items() if grade >= 1 and one in results)
    return len({results[one] for one in relevant if times[results[one]] > 1})


def _floats(values: list[Any]) -> Any:
    return np.array(values, np.float64) + 0.0  # no negative zero
