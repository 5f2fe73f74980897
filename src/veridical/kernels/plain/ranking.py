"""Ranks of the judged documents of each query, from dictionaries, by sorting."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

__all__ = ["rank_dicts"]


def rank_dicts(run: dict[Any, Any], qrels: dict[Any, Any], kind: type) -> tuple[Any, ...] | None:
    """Return (retrieved, listed, counts, rank, grades, ideal counts, ideal, own, ties) or None."""
    retrieved, listed, counts, rank, grades, ideals, ideal = ([] for _ in range(7))
    own, ties = [], 0
    for query, judged in qrels.items():
        results = run.get(query, {})
        if type(results) is not dict or type(judged) is not dict:
            return None
        if not (_plain(results, kind) and _plain(judged, kind)):
            return None
        if not all(map(math.isfinite, judged.values())):
            return None
        order = sorted(results, key=lambda one: (float(results[one]), str(one)), reverse=True)
        found = [(at, judged[one]) for at, one in enumerate(order, 1) if one in judged]
        retrieved.append(len(results))
        listed.append(query in run)
        counts.append(len(found))
        rank += [at for at, _ in found]
        grades += [grade for _, grade in found]
        ideals.append(len(judged))
        ideal += sorted(map(float, judged.values()), reverse=True)
        own += [query] if query in results else []
        ties += _tied_with_relevant(results, judged)
    whole = (np.array(one, np.int64) for one in (retrieved, listed, counts, rank, ideals))
    retrieved_array, listed_array, counts_array, rank_array, ideals_array = whole
    grades_array, ideal_array = np.array(grades, np.float64), np.array(ideal, np.float64)
    return (
        retrieved_array, listed_array, counts_array, rank_array,
        grades_array, ideals_array, ideal_array, own, ties,
    )  # fmt: skip


def _plain(entries: dict[Any, Any], kind: type) -> bool:
    """Whether all ids are of one kind, and all values floats or ints, no NaN among them."""
    return all(type(one) is kind for one in entries) and all(map(_is_number, entries.values()))


def _is_number(value: Any) -> bool:
    if type(value) is int:
        return abs(value) < 2**1023
    return type(value) is float and not math.isnan(value)


def _tied_with_relevant(results: dict[Any, Any], judged: dict[Any, Any]) -> int:
    """Return how many scores several documents have, a relevant one among them."""
    times: dict[float, int] = {}
    for score in _floats(results.values()):
        times[score] = times.get(score, 0) + 1
    relevant = (one for one, grade in judged.items() if grade >= 1 and one in results)
    return len({float(results[one]) for one in relevant if times[float(results[one])] > 1})


def _floats(values: Iterable[Any]) -> Iterable[float]:
    return map(float, values)
