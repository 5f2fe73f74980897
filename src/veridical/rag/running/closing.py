"""The end of a run, whatever ended it: its scores from the ledger, and the run as it is kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from veridical.judge.verdicts import Failure
from veridical.rag.record import Attempted
from veridical.rag.running.measured import Measured
from veridical.rag.running.planning import Plan
from veridical.rag.running.recorded import records
from veridical.rag.running.stopping import Stop
from veridical.store.drafts import draft
from veridical.store.ledger_batches import BatchLedger
from veridical.store.run import State

if TYPE_CHECKING:
    from veridical.rag.evaluation import RagEvaluation
    from veridical.store.run import Run
    from veridical.store.runs import Store

__all__ = ["FINISHED", "Closed", "close", "settings_of"]

FINISHED: Final = "finished"


@dataclass(frozen=True, slots=True)
class Closed:
    """A run that ended, or stopped.

    Attributes
    ----------
    run
        As the store keeps it.
    evaluation
        Its results; what was not asked is pending in them.
    status
        ``finished``, ``interrupted``, ``aborted:budget`` or ``stopped:judge``.
    failure
        What the judge said, where it is the cause.
    calls
        What it took: never part of the results.
    warnings
        What is odd about the dataset.
    """

    run: Run
    evaluation: RagEvaluation
    status: str
    failure: Failure | None
    calls: Mapping[str, Any]
    warnings: tuple[str, ...] = ()


def settings_of(measured: Measured, status: str, **more: Any) -> dict[str, Any]:
    """Return the settings that a run is stored with."""
    score = measured.score
    return {
        "status": status,
        "measured": measured.to_dict(),
        "score": {"k": score.k, "source_match": score.source_match, "judge": score.judge},
        **{name: value for name, value in more.items() if value is not None},
    }


def close(store: Store, run: Run, measured: Measured, plan: Plan, stop: Stop) -> Closed:
    """Score what is in the ledger, and keep the run with its results.

    The results depend on the artefacts of the ledger alone, so that it does not matter how often
    the run was stopped and resumed on the way.
    """
    from veridical.rag.summary import summarise

    ledger = BatchLedger(store.database, run.id)
    # Before the records are read: another process may still settle what it works on.
    counts = ledger.counts()
    left = counts["pending"] + counts["running"]
    found = records(plan.jobs, ledger, measured.score, measured.privacy)
    ev = summarise(found, conditions=measured.conditions, seed=measured.seed)
    status = (stop.cause or "interrupted") if left else FINISHED
    priced = measured.judge is not None and measured.judge.price is not None
    calls = _calls(store, run.id, found, priced=priced)
    kept = ev.kept()
    origin = run.settings.get("origin")
    kept["settings"] = kept["settings"] | settings_of(measured, status, calls=calls, origin=origin)
    state: State = "finished" if status == FINISHED else "interrupted"
    made = draft(document=ev.to_dict(), name=run.name, tags=run.tags, state=state, **kept)
    stored = store.update(replace(made, id=run.id, created=run.created))
    return Closed(stored, ev, status, stop.failure, calls, measured.dataset.warnings)


def _calls(
    store: Store, run_id: str, found: Sequence[Attempted], *, priced: bool
) -> dict[str, Any]:
    """Return what the run took: it stands beside the results, and never in them."""
    spent = store.spending(run_id).spent()
    replies = [one.reply for one in found if one.reply is not None]
    latencies = sorted(one.latency_s for one in replies if one.latency_s is not None)
    places = {}
    if latencies:
        n = len(latencies)
        places = {f"p{f}": latencies[max(1, -(-f * n // 100)) - 1] for f in (50, 95)}
    return {
        "pipeline": {"answers": len(replies), "calls": sum(one.attempts for one in replies)}
        | ({"latency_s": places} if places else {}),
        "judge": {
            "calls": spent.calls,
            "estimated_calls": spent.estimated_calls,
            "unsettled_calls": spent.unsettled_calls,
            "input_tokens": spent.input_tokens,
            "output_tokens": spent.output_tokens,
            # Without a price nothing was added up, which is another thing than a cost of zero.
            "cost": str(spent.settled) if priced or spent.settled else None,
            "counted_against_the_budget": str(spent.committed),
        },
    }
