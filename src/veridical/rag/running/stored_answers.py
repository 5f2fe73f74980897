"""A stored run read back: its records, and its answers in the place of a pipeline and a judge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from veridical import strict_json
from veridical.errors import InputError, InternalError, MismatchError, ParameterError
from veridical.judge.verdicts import Question, Usage, Verdict
from veridical.rag.answers import Reply
from veridical.rag.cases import Case
from veridical.rag.record import Attempted
from veridical.rag.running.measured import Measured
from veridical.rag.running.recorded import answered_records
from veridical.rag.scoring import ScoreSettings, questions
from veridical.store.ledger_batches import BatchLedger

if TYPE_CHECKING:
    from veridical.store.run import Run
    from veridical.store.runs import Store

__all__ = [
    "StoredAnswers",
    "check_has_cases",
    "measured_again",
    "stored_answers",
    "stored_records",
]


class StoredAnswers:
    """What a run has on record, to be scored again.

    Parameters
    ----------
    records
        Of the run.
    same_judge
        Whether its verdicts are those that would be asked for.
    """

    def __init__(self, records: Sequence[Attempted], *, same_judge: bool) -> None:
        self._replies = {(one.case.id, one.repeat): one.reply for one in records}
        self._verdicts = _verdicts(records) if same_judge else {}

    async def answer(self, case: Case, repeat: int) -> Reply:
        """Return what the pipeline replied."""
        reply = self._replies.get((case.id, repeat))
        if reply is None:
            raise InternalError("a finished run has no answer to a case", where=case.id[:80])
        return reply

    def verdict(self, question: Question, repeat: int) -> Verdict | None:
        """Return what the judge said to exactly this question; None where it was not asked."""
        return self._verdicts.get(_key(question, repeat))


def measured_again(origin: Run, measured: Measured) -> Measured:
    """Return what is measured when the answers of a run are scored again.

    Raises
    ------
    MismatchError
        The run measured another dataset.
    InputError
        It keeps no texts.
    """
    before = origin.settings["measured"]
    if before["dataset_sha256"] != measured.dataset.sha256:
        raise MismatchError(
            "the run measured another dataset",
            where=origin.label,
            why="its answers are answers to other questions",
            fix="put the dataset back, or begin another run with `veridical rag run`",
        )
    if before["store_text"] != "full":
        raise InputError(
            f"the run keeps no texts (privacy.store_text: {before['store_text']})",
            where=origin.label,
            why="what is not there cannot be scored again",
            fix="begin another run with `veridical rag run`",
        )
    return replace(
        measured,
        pipeline_sha256=before["pipeline_sha256"],
        pipeline=origin.source["pipeline"],
        repeats=before["repeats"],
    )


def stored_answers(store: Store, origin: Run, measured: Measured) -> StoredAnswers:
    """Return the answers of a run, and its verdicts where the same judge would see the same."""
    before, now = origin.settings["measured"], measured.to_dict()
    same = all(before[name] == now[name] for name in ("judge_sha256", "redact_sha256"))
    return StoredAnswers(stored_records(store, origin), same_judge=same)


def stored_records(store: Store, run: Run) -> list[Attempted]:
    """Return the records of a stored run, as far as it was answered."""
    settings = ScoreSettings(**run.settings["score"])
    return answered_records(BatchLedger(store.database, run.id), settings)


def check_has_cases(run: Run) -> None:
    """Refuse a run that has no cases on a ledger.

    Raises
    ------
    ParameterError
        It is no RAG run, or its results were saved alone.
    """
    if run.kind != "rag":
        raise ParameterError(
            f"{run.label} is no RAG run but {run.kind}",
            why="only runs of `veridical rag` have answers",
            fix="name one that `veridical runs list --kind rag` lists",
        )
    if "score" not in run.settings:
        raise ParameterError(
            "the run did not keep its cases",
            where=run.label,
            why="its results were saved without the ledger of its calls",
            fix="see them with `veridical runs show`",
        )


def _verdicts(records: Sequence[Attempted]) -> dict[str, Verdict]:
    found = {}
    for record in records:
        if record.reply is None:
            continue
        asked = questions(record.case, record.reply, ScoreSettings(judge=True))
        for contract, question in asked.items():
            verdict = record.verdicts.get(contract)
            if isinstance(question, Question) and isinstance(verdict, Verdict):
                found[_key(question, record.repeat)] = replace(verdict, usage=Usage(), cached=True)
    return found


def _key(question: Question, repeat: int) -> str:
    return strict_json.sha256(
        [question.contract, dict(question.fields), dict(question.passages), repeat]
    )
