"""``evaluate_text``: how much of its wording a text shares with references."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from veridical.comparison.units import compare_subjects
from veridical.errors import InputError, MismatchError, UnsupportedTypeError
from veridical.evaluation.text_evaluation import TextEvaluation
from veridical.evaluation.unit_results import UnitSettings, asked_of, unit_result
from veridical.measures import Measure
from veridical.metrics import find
from veridical.metrics.text_counts import token_statistics
from veridical.metrics.text_results import SegmentSums
from veridical.overlap.segments import Segments
from veridical.results import Conditions, Result
from veridical.summaries.cosines import Cosines, cosines_of
from veridical.summaries.token_statistics import TokenStatistics
from veridical.tables.vectors import read_vectors

__all__ = ["TextEvaluation", "evaluate_text", "example", "measure_text"]

DEFAULT = (
    "text.bleu",
    "text.corpus_bleu",
    "text.chrf",
    "text.rouge_1",
    "text.rouge_2",
    "text.rouge_l",
)


def evaluate_text(
    candidates: Sequence[str] | Mapping[str, Sequence[str]],
    references: Sequence[str] | Sequence[Sequence[str]],
    metrics: Iterable[str | Measure] | str | Measure | None = None,
    *,
    level: float = 0.95,
    intervals: bool = True,
    seed: int = 0,
    replicates: int = 1000,
) -> TextEvaluation:
    """Measure how much of its wording each candidate shares with its references.

    Overlap measures wording, not truth: a text that says Monday for Friday scores almost 1.

    Parameters
    ----------
    candidates
        One text a segment, or a mapping from systems to their texts; for ``embedding_cosine``
        one vector a segment, shape (n, dimensions).
    references
        For each candidate one text, or a list of several; or one vector.
    metrics
        Names or measure objects of the family ``text``; by default sentence and corpus BLEU,
        chrF, and ROUGE-1, 2 and L.
    level, intervals, seed, replicates
        As for ``evaluate``; intervals resample segments.

    Returns
    -------
    TextEvaluation
        A mapping from metric to result.

    Raises
    ------
    MismatchError
        There are not as many candidates as references, or the references are transposed.
    InputError, UnsupportedTypeError
        Something is not a text, or a candidate has no reference.
    MetricNameError, ParameterError
        A metric or a parameter that does not exist.

    Examples
    --------
    >>> ev = evaluate_text(["a b c d"], ["a c d e"], ["rouge_l"])
    >>> ev["text.rouge_l"].value
    0.75
    """
    settings = UnitSettings(level, intervals, seed, replicates).checked()
    several = isinstance(candidates, Mapping)
    systems = dict(candidates) if isinstance(candidates, Mapping) else {"candidates": candidates}
    asked = asked_of(DEFAULT if metrics is None else metrics, "text")
    if metrics is None:
        asked = dict.fromkeys(asked)
    measured = [
        _measured(system, texts, references, asked, settings) for system, texts in systems.items()
    ]
    results, sums, segments = zip(*measured, strict=True) if measured else ((), (), ())
    ev = TextEvaluation(
        results=tuple(result for of_system in results for result in of_system),
        source=_source(results, len(next(iter(systems.values()))) if systems else 0),
        subjects=tuple(systems),
        keyed_by_subject=several and len(systems) > 1,
        settings=settings,
        sums={key: one for of_system in sums for key, one in of_system.items()},
        texts={
            system: of_system.candidates
            for system, of_system in zip(systems, segments, strict=True)
            if of_system
        },
        references=segments[0].listed_references() if segments and segments[0] else [],
    )
    if intervals and len(systems) > 1:
        ev = replace(ev, comparisons=compare_subjects(ev))
    return ev


def measure_text(
    metric: str | Measure,
    candidates: Sequence[str],
    references: Sequence[str] | Sequence[Sequence[str]],
    **settings: Any,
) -> Result:
    """Measure one metric of the family ``text``.

    Parameters
    ----------
    metric
        Name or measure object.
    candidates, references
        As for ``evaluate_text``; one text each may stand without its list.
    **settings
        As for ``evaluate_text``.

    Examples
    --------
    >>> measure_text("text.rouge_l", "a b c d", "a c d e").value
    0.75
    """
    if isinstance(candidates, str):
        candidates = [candidates]
        references = [references]  # type: ignore[list-item]
    return evaluate_text(candidates, references, [metric], **settings).results[0]


def _source(results: Sequence[Sequence[Result]], n: int) -> dict[str, Any]:
    digests = (one.conditions.get("references_sha256") for every in results for one in every)
    return {"kind": "texts", "n_rows": n, "references_sha256": next(digests, None)}


Measuring = tuple[list[Result], dict[tuple[str, str], SegmentSums], Segments | None]


def _measured(
    system: str,
    candidates: Any,
    references: Any,
    asked: Mapping[Measure, str | None],
    settings: UnitSettings,
) -> Measuring:
    """Return the results of one system, what each text adds to them, and the texts."""
    of_texts = [one for one in asked if one.definition.summary is not Cosines]
    segments = _segments(candidates, references) if of_texts else None
    counted = {} if segments is None else token_statistics(of_texts, segments)
    digest = "" if segments is None else segments.references_sha256
    results, sums = [], {}
    for measure, requested in asked.items():
        summary: TokenStatistics | Cosines
        added: SegmentSums | None
        if measure in counted:
            summary = counted.pop(measure)
            n, sha256 = summary.n, digest
            statistic = measure.definition.statistic
            added = statistic(summary, **measure.arguments()) if n and statistic else None
        else:
            vectors = read_vectors(candidates, references)
            summary, each = Cosines.from_vectors(*vectors), cosines_of(*vectors)
            n, sha256 = len(each), hashlib.sha256(vectors[1].tobytes()).hexdigest()
            added = SegmentSums(each[:, np.newaxis])
        result = unit_result(
            measure,
            summary,
            settings,
            subject=system,
            requested=requested,
            conditions=Conditions({"references_sha256": sha256}),
            n_rows=n,
        )
        results.append(result)
        if added is not None:
            sums[system, result.metric] = added
    return results, sums, segments


def _segments(candidates: Any, references: Any) -> Segments:
    """Return candidates with their references, or say what does not fit."""
    texts, given = _listed(candidates, "candidates"), _listed(references, "references")
    if len(texts) != len(given):
        raise _mismatch(texts, given)
    _check_texts(texts)
    if set(map(type, given)) <= {str}:
        return Segments(texts, given, np.arange(len(texts) + 1))
    several = [
        [own] if isinstance(own, str) else _listed(own, f"references of {number}")
        for number, own in enumerate(given, 1)
    ]
    times = list(map(len, several))
    if 0 in times:
        raise InputError(
            "a candidate has no reference",
            where=f"candidate {times.index(0) + 1}",
            fix="give at least one text for each",
        )
    flat = list(chain.from_iterable(several))
    _check_texts(flat, times)
    return Segments(texts, flat, np.cumsum([0, *times]))


def _check_texts(texts: Sequence[Any], times: Sequence[int] | None = None) -> None:
    """Refuse anything but texts; ``times`` says how many of them each segment has, if not one."""
    if set(map(type, texts)) <= {str}:
        return
    wrong = next((at for at, one in enumerate(texts) if not isinstance(one, str)), None)
    if wrong is None:
        return
    segment = wrong if times is None else int(np.searchsorted(np.cumsum(times), wrong, "right"))
    raise InputError(
        f"a text is expected, not {type(texts[wrong]).__name__}",
        where=f"segment {segment + 1}",
        why="a missing text is neither right nor wrong; an empty one scores 0",
        fix="give text, or leave the segment out",
    )


def _listed(texts: Any, what: str) -> list[Any]:
    if isinstance(texts, (str, bytes)) or not hasattr(texts, "__iter__"):
        raise UnsupportedTypeError(
            f"{what} are a list of texts, not {type(texts).__name__}",
            fix="put them into a list",
        )
    return list(texts)


def _mismatch(texts: Sequence[Any], given: Sequence[Any]) -> MismatchError:
    lengths = {len(own) if isinstance(own, (list, tuple)) else -1 for own in given}
    if lengths == {len(texts)}:
        return MismatchError(
            f"the references are transposed: {len(given)} lists of {len(texts)} texts",
            why="references are given for each candidate, not in streams",
            fix="write list(zip(*references))",
        )
    return MismatchError(
        f"there are {len(texts):,} candidates and {len(given):,} references",
        why="no candidate can be told from its neighbour's reference",
        fix="give as many references as candidates, several of one as a list",
    )


def example() -> Iterator[tuple[str, str, Result, Result]]:
    """Yield what overlap cannot see: kind, text, BLEU and ROUGE-L of three answers."""
    reference = "The meeting was moved to Friday because the manager is sick."
    answers = {
        "the same in other words": "Since the boss is ill, the team rescheduled the meeting for "
        "Friday.",
        "one wrong word, and false": reference.replace("Friday", "Monday"),
        "an exact copy": reference,
    }
    for kind, text in answers.items():
        bleu, rouge = (
            measure_text(find(name), [text], [reference], intervals=False)
            for name in ("text.bleu", "text.rouge_l,tokeniser=words")
        )
        yield kind, text, bleu, rouge
