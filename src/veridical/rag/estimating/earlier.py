"""``earlier_run``: what a stored run tells about the next one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from veridical.judge.verdicts import Contract, Usage
from veridical.rag.running.stored_answers import check_has_cases, stored_records

if TYPE_CHECKING:
    from veridical.rag.answers import Reply
    from veridical.store.run import Run
    from veridical.store.runs import Store

__all__ = ["Earlier", "earlier_run"]


@dataclass(frozen=True, slots=True)
class Earlier:
    """What an earlier run tells.

    Attributes
    ----------
    label
        Its name or id.
    replies
        Id of a case to the reply that it got; empty where the run keeps no texts.
    usage
        Contract to what one question took in the mean: calls, input and output tokens.
    """

    label: str
    replies: Mapping[str, Reply] = field(default_factory=dict)
    usage: Mapping[Contract, tuple[Fraction, ...]] = field(default_factory=dict)


def earlier_run(store: Store, run: Run) -> Earlier:
    """Return what a stored run tells about the next one.

    Raises
    ------
    ParameterError
        It is no RAG run, or did not keep its cases.
    """
    check_has_cases(run)
    records = stored_records(store, run)
    kept = run.settings["measured"]["store_text"] == "full"
    replies = {one.case.id: one.reply for one in records if kept and one.reply is not None}
    usages: dict[Contract, list[Usage]] = {}
    for record in records:
        for verdict in record.verdicts.values():
            if verdict.usage.calls:  # what came from the cache took nothing
                usages.setdefault(verdict.contract, []).append(verdict.usage)
    return Earlier(run.label, replies, {one: _mean(found) for one, found in usages.items()})


def _mean(usages: Sequence[Usage]) -> tuple[Fraction, ...]:
    names = ("calls", "input_tokens", "output_tokens")
    return tuple(Fraction(sum(getattr(one, name) for one in usages), len(usages)) for name in names)
