"""``stored_cases``: a stored run with its cases, read back for a report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from veridical.errors import ParameterError
from veridical.rag.running.stored_answers import check_has_cases, stored_records
from veridical.rag.showing import worst_first
from veridical.report.rag_case import ShownCase
from veridical.store import Store

if TYPE_CHECKING:
    from veridical.evaluation.result_set import ResultSet

__all__ = ["StoredCases", "stored_cases"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredCases:
    """A stored run as reports show it.

    Attributes
    ----------
    heading
        Its name or id, and its state where it is not finished.
    evaluation
        Its results.
    cases
        Every case that was answered, the worst first.
    texts
        What was kept of texts: ``full``, ``hashed`` or ``none``.
    """

    heading: str
    evaluation: ResultSet
    cases: Sequence[ShownCase]
    texts: str


def stored_cases(reference: str, store: str | None = None) -> StoredCases:
    """Read a run with its cases.

    Parameters
    ----------
    reference
        By name, by id or its beginning, or ``"latest"``.
    store
        Where it is; None for the usual place.

    Raises
    ------
    RunNotFoundError
        There is none.
    ParameterError
        It is no RAG run, did not keep its cases, or has no results yet.
    FileFormatError
        What it holds is damaged.
    """
    with Store(store) as opened:
        run = opened.load(reference)
        check_has_cases(run)
        if not run.evaluation.results:
            raise ParameterError(
                "the run has no results yet",
                where=run.label,
                why="it is under way, or its process was killed",
                fix=f"go on with `veridical rag resume {run.id}`",
            )
        records = stored_records(opened, run)
        evaluation = run.evaluation
    name = run.name or run.id
    return StoredCases(
        heading=name if run.state == "finished" else f"{name} ({run.state})",
        evaluation=evaluation,
        cases=worst_first(records, evaluation.source.get("source_match", "chunk")),
        texts=str(run.settings.get("measured", {}).get("store_text", "full")),
    )
