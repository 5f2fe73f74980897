"""What correct answers cost: every token that was spent, whatever came of it.

Cache reads and writes count, and so do failures.  What is not known is no number: unknown usage is
not zero usage, and a model without a price makes no estimate.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from typing import Any, Final, TypeAlias

from veridical.bench.money import decimal_text
from veridical.bench.prices.table import PriceTable
from veridical.bench.trajectories import Trajectory
from veridical.bench.usage import Usage, recorded
from veridical.errors import FileFormatError
from veridical.results import Conditions, Measured, Result, Skipped

__all__ = ["NO_MODEL", "Cost", "Spent", "cost_of", "spent_on"]

NO_MODEL: Final = "no model"
_LISTED: Final = 5
Amount: TypeAlias = Fraction | Skipped


@dataclass(frozen=True, slots=True)
class Spent:
    """What one attempt took.

    Attributes
    ----------
    provider, model
        Which model answered; None where none was asked.
    day
        Of the attempt, in UTC.
    usage
        None where it is unknown.
    """

    provider: str | None
    model: str | None
    day: date
    usage: Usage | None


@dataclass(frozen=True, slots=True)
class Cost:
    """What an agent took, in all and for each exact match.

    Attributes
    ----------
    tokens, tokens_per_correct
        Over all attempts; ``usage_unknown`` where one of them is unknown.
    money, money_per_correct
        By the price table; ``unpriced_model`` where an attempt has no price.
    unpriced
        The models without one.
    """

    tokens: Result
    tokens_per_correct: Result
    money: Result
    money_per_correct: Result
    unpriced: tuple[str, ...]


def spent_on(line: Trajectory) -> Spent:
    """Return what a trajectory took.

    Raises
    ------
    FileFormatError
        It does not say on which day.
    """
    try:
        day = date.fromisoformat(line.started_at[:10])
    except ValueError as error:
        raise FileFormatError(
            f"a trajectory of case {line.case_id[:60]!a} began at {line.started_at[:40]!a}",
            why="prices are those of the day",
            fix="give a file that `veridical bench run` wrote",
        ) from error
    model = line.model_returned or line.model_requested
    return Spent(line.provider, model, day, recorded(line.usage))


def cost_of(spent: Sequence[Spent], n_correct: int, prices: PriceTable) -> Cost:
    """Return the cost of all attempts.

    Parameters
    ----------
    spent
        Of every attempt, those that ended in an ``infra_error`` included.
    n_correct
        Exact matches among them.
    prices
        The table.
    """
    tokens = _tokens(spent)
    money, unpriced = _money(spent, prices) if isinstance(tokens, Fraction) else (tokens, ())
    table = {"currency": prices.currency, "price_table_version": prices.version}
    return Cost(
        _result("bench.tokens", tokens, len(spent)),
        _result("bench.tokens_per_correct", _each(tokens, n_correct), n_correct),
        _result("bench.money", money, len(spent), table),
        _result("bench.money_per_correct", _each(money, n_correct), n_correct, table),
        unpriced,
    )


def _tokens(spent: Sequence[Spent]) -> Amount:
    known = [one.usage.total for one in spent if one.usage is not None]
    if len(known) < len(spent):
        unknown = len(spent) - len(known)
        return Skipped(
            "usage_unknown", detail=f"{unknown:,} of {len(spent):,} attempts report no usage"
        )
    return Fraction(sum(known))


def _money(spent: Iterable[Spent], prices: PriceTable) -> tuple[Amount, tuple[str, ...]]:
    total, unpriced = Fraction(0), set()
    for one in spent:
        if one.usage is not None:
            cost = prices.cost(one.provider, one.model, one.day, one.usage)
            if cost is None:
                unpriced.add(f"{one.provider or 'no provider'}/{one.model}" if one.model else "")
            else:
                total += Fraction(cost)
    if not unpriced:
        return total, ()
    ids = tuple(sorted(name or NO_MODEL for name in unpriced))
    listed = ", ".join(ids[:_LISTED]) + (", ..." if len(ids) > _LISTED else "")
    detail = "no model was asked" if ids == (NO_MODEL,) else f"no price for {listed}"
    return Skipped("unpriced_model", detail=detail), ids


def _each(total: Amount, n_correct: int) -> Amount:
    if isinstance(total, Skipped):
        return total
    return total / n_correct if n_correct else Skipped("no_correct_answer")


def _result(
    metric: str, amount: Amount, n: int, settings: Mapping[str, Any] | None = None
) -> Result:
    if isinstance(amount, Skipped):
        return replace(amount, metric=metric, conditions=Conditions(settings))
    found = Conditions(settings, {"exact": decimal_text(amount)})
    return Measured(float(amount), n, metric=metric, conditions=found)
