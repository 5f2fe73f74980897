"""``evaluate_text``: how much of its wording a text shares with references."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from veridical.errors import InputError, MismatchError, UnsupportedTypeError
from veridical.evaluation.result_set import ResultSet
from veridical.evaluation.unit_results import UnitSettings, asked_of, unit_result
from veridical.measures import Measure
from veridical.metrics import find
from veridical.metrics.text_counts import token_statistics
from veridical.results import Result
from veridical.summaries.cosines import Cosines
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
Segment = tuple[str, list[str]]


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class TextEvaluation(ResultSet):
    """Results by metric for one system, by ``(system, metric)`` for several.

    Attributes
    ----------
    results, source, subjects
        As for ``ResultSet``; the subjects are systems.
    """

    subject_noun: ClassVar[str] = "system"

    def __repr__(self) -> str:
        from veridical.report.text import overlap_text

        return overlap_text(self)


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
    results = tuple(
        result
        for system, texts in systems.items()
        for result in _results(system, texts, references, asked, settings)
    )
    n = len(next(iter(systems.values()))) if systems else 0
    return TextEvaluation(
        results=results,
        source={"kind": "texts", "n_rows": n},
        subjects=tuple(systems),
        keyed_by_subject=several and len(systems) > 1,
    )


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


def _results(
    system: str,
    candidates: Any,
    references: Any,
    asked: Mapping[Measure, str | None],
    settings: UnitSettings,
) -> Iterator[Result]:
    segments: list[Segment] | None = None
    for measure, requested in asked.items():
        summary: TokenStatistics | Cosines
        if measure.definition.summary is Cosines:
            summary = Cosines.from_vectors(*read_vectors(candidates, references))
            n = summary.n + summary.zero_vectors
        else:
            segments = _segments(candidates, references) if segments is None else segments
            summary, n = token_statistics(measure, segments), len(segments)
        yield unit_result(
            measure,
            summary,
            settings,
            subject=system,
            requested=requested,
            n_rows=n,
        )


def _segments(candidates: Any, references: Any) -> list[Segment]:
    """Return each candidate with its references, or say what does not fit."""
    texts, given = _listed(candidates, "candidates"), _listed(references, "references")
    if len(texts) != len(given):
        raise _mismatch(texts, given)
    segments = []
    for number, (text, own) in enumerate(zip(texts, given, strict=True), 1):
        several = [own] if isinstance(own, str) else _listed(own, f"references of {number}")
        if not several:
            raise InputError(
                "a candidate has no reference",
                where=f"candidate {number}",
                fix="give at least one text for each",
            )
        for one in (text, *several):
            if not isinstance(one, str):
                raise InputError(
                    f"a text is expected, not {type(one).__name__}",
                    where=f"segment {number}",
                    why="a missing text is neither right nor wrong; an empty one scores 0",
                    fix="give text, or leave the segment out",
                )
        segments.append((text, several))
    return segments


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
