"""``gate_rag``: a run against the bounds of its configuration, and against a policy."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from veridical.errors import ConfigurationError, ParameterError
from veridical.gates import GateVerdict, gate
from veridical.policy import Policy, Rule, load_policy
from veridical.rag.comparing import JUDGE_CONDITIONS, MIXED_JUDGES

__all__ = ["Bounds", "gate_rag", "rules_of"]

_FILE = "veridical.yaml"


class Bounds(Protocol):
    """What ``metrics:`` of a configuration says of one metric."""

    @property
    def min(self) -> float | None:
        """The value is at least this."""

    @property
    def max(self) -> float | None:
        """The value is at most this."""

    @property
    def max_error_rate(self) -> float | None:
        """No larger share of the cases tried ended in an error."""


def rules_of(bounds: Mapping[str, Bounds]) -> tuple[Rule, ...]:
    """Return the bounds of a configuration as rules of a policy.

    Parameters
    ----------
    bounds
        Canonical name of a metric to what it is held to.

    Raises
    ------
    ConfigurationError
        A bound that no value can reach.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> bounds = SimpleNamespace(min=0.7, max=None, max_error_rate=0.02)
    >>> [str(rule) for rule in rules_of({"retrieval.recall@5": bounds})]
    ['retrieval.recall@5 at least 0.7, errors at most 0.02']
    """
    return tuple(_rule(metric, one) for metric, one in bounds.items())


def _rule(metric: str, one: Bounds) -> Rule:
    from pydantic import ValidationError

    try:
        return Rule(
            metric=metric,
            at_least=one.min,
            at_most=one.max,
            max_error_rate=one.max_error_rate,
        )
    except ValidationError as error:
        message = error.errors(include_url=False)[0]["msg"].removeprefix("Value error, ")
        raise ConfigurationError(
            f"no value reaches a bound: {message}", where=f"metrics: {metric}", fix="correct it"
        ) from None


def gate_rag(
    run: Any,
    bounds: Mapping[str, Bounds] | None = None,
    policy: str | Path | Policy | None = None,
    *,
    baseline: Any = None,
    allow_mixed_judges: bool = False,
    allow: Collection[str] = (),
    store: str | None = None,
) -> GateVerdict:
    """Say whether a RAG run reaches what it has to.

    Parameters
    ----------
    run
        A stored run by name or id, a file that ``--json`` wrote, or an evaluation.
    bounds
        ``metrics:`` of its configuration, by canonical name.
    policy
        Rules that count beside them: a file, the name of a shipped policy, or a policy.
    allow_mixed_judges
        Whether run and baseline may be judged by other models, parameters or prompts; recorded.
    baseline, allow, store
        As for ``veridical.gates.gate``.

    Raises
    ------
    ParameterError
        There is nothing to judge by, or the run is no RAG run.
    MismatchError
        Run and baseline were judged differently.

    Notes
    -----
    A bound is met where the whole interval is on its side, not met where all of it is on the
    other, and undecided between.  The error rate is that of the cases that were tried: those
    that are scored, not applicable, or ended in an error.
    """
    rules = _policy(bounds or {}, policy)
    if allow_mixed_judges:
        allow = (*allow, *JUDGE_CONDITIONS)
    verdict = gate(run, rules, baseline=baseline, allow=allow, store=store)
    if verdict.run.kind != "rag":
        raise ParameterError(
            f"{verdict.run.label} is no RAG run but {verdict.run.kind}",
            fix="judge it with `veridical gate`",
        )
    mixed = [one.field for one in verdict.allowed if one.field in JUDGE_CONDITIONS]
    banner = (MIXED_JUDGES.format(", ".join(mixed)),) if mixed else ()
    return replace(verdict, notes=(*verdict.notes, *banner))


def _policy(bounds: Mapping[str, Bounds], policy: str | Path | Policy | None) -> Policy:
    rules = rules_of(bounds)
    if policy is None:
        if not rules:
            raise ParameterError(
                "there is nothing to judge the run by",
                fix="write metrics: with min or max into veridical.yaml, or give --policy FILE",
            )
        return Policy(version=1, name=_FILE, rules=rules)
    house = load_policy(policy)
    if not rules:
        return house
    both = {"rules": (*house.rules, *rules), "name": f"{house.name[:80]} and {_FILE}"}
    return house.model_copy(update=both)
