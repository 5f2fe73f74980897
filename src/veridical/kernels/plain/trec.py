"""Runs and golden sets in TREC text, line by line."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from veridical.kernels.plain.ranking import LARGEST_GRADE, rank_dicts

__all__ = ["rank_lines", "read_judgements"]

Block: TypeAlias = bytes | memoryview
_DECIMAL = re.compile(rb"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")


def read_judgements(blocks: Iterable[Block]) -> tuple[int, tuple[Any, ...] | None]:
    """Return (bad line, the fields of ``Judgements`` or None)."""
    judged: dict[str, dict[str, float]] = {}
    twice = False
    for number, words in _lines(blocks, 4):
        if words is None:
            return number, None
        value = float(words[3])
        entries = judged.setdefault(words[0].decode(), {})
        if abs(value) > LARGEST_GRADE:
            return 0, None
        twice = twice or words[2].decode() in entries
        entries[words[2].decode()] = value
    ranked = rank_dicts({}, judged, str, str) if judged and not twice else None
    return 0, None if ranked is None else ranked[1]


def rank_lines(
    blocks: Iterable[Block],
    query_lengths: npt.NDArray[np.uint32],
    query_texts: bytes,
    counts: npt.NDArray[np.int64],
    lengths: npt.NDArray[np.uint32],
    texts: bytes,
    grades: npt.NDArray[np.float64],
) -> tuple[int, tuple[Any, ...] | None]:
    """Return (bad line, the fields of ``RankedLines`` or None)."""
    documents = zip(_parts(lengths, texts), grades.tolist(), strict=True)
    golden = {
        query: dict(next(documents) for _ in range(count))
        for query, count in zip(_parts(query_lengths, query_texts), counts.tolist(), strict=True)
    }
    run: dict[str, dict[str, float]] = {}
    tag, last = b"", None
    for number, words in _lines(blocks, 6):
        if words is None:
            return number, None
        query, document = words[0].decode(), words[2].decode()
        if b"\r" in words[5] or (query != last and query in run):
            return 0, None
        entries = run.setdefault(query, {})
        if document in entries:
            return 0, None
        entries[document] = float(words[4])
        tag, last = tag or words[5], query
    ranked = rank_dicts(run, golden, str, str) if run else None
    if ranked is None:
        return 0, None
    unknown = [query for query in run if query not in golden]
    retrieved, listed, *others = ranked[0]
    return 0, ((retrieved, listed > 0, *others), len(run), unknown, tag.decode("utf-8", "replace"))


def _lines(blocks: Iterable[Block], width: int) -> Iterator[tuple[int, list[bytes] | None]]:
    """Yield the number and the words of each line that has any; None for the words of a bad one."""
    number = 0
    for block in blocks:
        for line in bytes(block).removesuffix(b"\n").split(b"\n"):
            number += 1
            # What follows the tag of a run belongs to it.
            words = line.split(None, width - 1 if width == 6 else -1)
            if not words or words[0].startswith(b"#"):
                continue
            value = words[4 if width == 6 else 3] if len(words) == width else b""
            good = _DECIMAL.fullmatch(value) and math.isfinite(float(value))
            yield number, [*words[:-1], words[-1].rstrip()] if good else None


def _parts(lengths: npt.NDArray[np.uint32], texts: bytes) -> list[str]:
    ends = np.cumsum(lengths, dtype=np.int64).tolist()
    starts = [0, *ends]
    return [bytes(texts[a:b]).decode() for a, b in zip(starts, ends, strict=False)]
