"""``Spending``: what a run may spend, held to by the database, and what it did spend.

Before a call its worst case is *reserved*, in one statement that fails where the limit would be
passed, however many ask at once; after it the reservation is *settled* by what the call cost.  A
reservation that a crash left unsettled stays, and counts as spent.  The sums belong to the run, and
so to all its resumes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import Final

from sqlalchemy import Connection, bindparam, select, update

from veridical.errors import ParameterError
from veridical.store import schema
from veridical.store.database import Database, insert_unless_there

__all__ = ["Settlement", "Spending", "Spent"]

_PICO: Final = Decimal(10) ** 12
_MOST: Final = 1 << 62
_B = schema.budgets.c
_SUMS = [column.name for column in schema.budgets.c if column.name != "run_id"]
# Built once: a run makes each of them hundreds of times.
_RESERVE: Final = (
    update(schema.budgets)
    .where(_B.run_id == bindparam("of_run"), _B.committed <= bindparam("most"))
    .values(
        committed=_B.committed + bindparam("worst"),
        unsettled_calls=_B.unsettled_calls + bindparam("n"),
    )
)
_SETTLE: Final = (
    update(schema.budgets)
    .where(_B.run_id == bindparam("of_run"))
    .values(
        committed=_B.committed + bindparam("change"),
        settled=_B.settled + bindparam("price"),
        unsettled_calls=_B.unsettled_calls - bindparam("n"),
        calls=_B.calls + bindparam("n"),
        estimated_calls=_B.estimated_calls + bindparam("estimates"),
        input_tokens=_B.input_tokens + bindparam("tokens_in"),
        output_tokens=_B.output_tokens + bindparam("tokens_out"),
    )
)


@dataclass(frozen=True, slots=True)
class Spent:
    """What a run spent so far.

    Attributes
    ----------
    committed
        All that counts against its limit: what is settled, every open reservation, and the whole
        reservation of a call whose tokens are an estimate.
    settled
        What calls cost that came to an end.
    unsettled_calls
        Calls under way, or lost in a crash.
    calls, estimated_calls
        Calls that were settled; those whose tokens are an estimate.
    input_tokens, output_tokens
        Of the calls that were settled.
    """

    committed: Decimal = Decimal(0)
    settled: Decimal = Decimal(0)
    unsettled_calls: int = 0
    calls: int = 0
    estimated_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Settlement:
    """What became of one call.

    Attributes
    ----------
    reserved
        What was reserved for it.
    cost
        What it cost, which a provider may make more than was reserved.
    input_tokens, output_tokens, estimated
        What it took, and whether that is an estimate.
    """

    reserved: Decimal
    cost: Decimal
    input_tokens: int = 0
    output_tokens: int = 0
    estimated: bool = False


class Spending:
    """The budget of one run.  ``Store.spending(run_id)`` makes it.

    Examples
    --------
    >>> import tempfile
    >>> from veridical.store import Store
    >>> from veridical.store.drafts import draft
    >>> with tempfile.TemporaryDirectory() as folder, Store(f"{folder}/runs.db") as store:
    ...     spending = store.spending(store.save(draft(kind="rag", state="running")).id)
    ...     limit, worst = Decimal("0.05"), Decimal("0.03")
    ...     spending.reserve(worst, limit), spending.reserve(worst, limit)
    ...     spending.settle(worst, Decimal("0.01"))
    ...     spending.reserve(worst, limit), spending.spent().committed
    (True, False)
    (True, Decimal('0.04'))
    """

    def __init__(self, database: Database, run_id: str) -> None:
        self._database = database
        self.run_id = run_id

    def reserve(self, amount: Decimal, limit: Decimal | None) -> bool:
        """Set ``amount`` aside unless the limit would be passed; return whether it was.

        Parameters
        ----------
        amount
            The most that a call can cost.
        limit
            The most that the run may spend, None for no limit.
        """
        with self._database.writing() as connection:
            return self.reserve_in(connection, [amount], limit)

    def reserve_in(
        self, connection: Connection, amounts: Sequence[Decimal], limit: Decimal | None
    ) -> bool:
        """Set the worst cases of calls aside, all or none, within a transaction that is open."""
        worst = sum(map(_pico, amounts))
        values = {
            "of_run": self.run_id,
            "worst": worst,
            "n": len(amounts),
            "most": _MOST if limit is None else _pico(limit, ROUND_FLOOR) - worst,
        }
        if connection.execute(_RESERVE, values).rowcount == 1:
            return True
        return self._begun(connection) and connection.execute(_RESERVE, values).rowcount == 1

    def settle(self, reserved: Decimal, cost: Decimal) -> None:
        """Replace a reservation by what the call cost; see ``Settlement``."""
        with self._database.writing() as connection:
            self.settle_in(connection, [Settlement(reserved, cost)])

    def settle_in(self, connection: Connection, settlements: Sequence[Settlement]) -> None:
        """Replace reservations by what the calls cost, within a transaction that is open."""
        price = sum(_pico(one.cost) for one in settlements)
        connection.execute(
            _SETTLE,
            {
                "of_run": self.run_id,
                "change": sum(map(_change, settlements)),
                "price": price,
                "n": len(settlements),
                "estimates": sum(one.estimated for one in settlements),
                "tokens_in": sum(one.input_tokens for one in settlements),
                "tokens_out": sum(one.output_tokens for one in settlements),
            },
        )

    def spent(self) -> Spent:
        """Return what the run spent so far."""
        with self._database.reading() as connection:
            query = select(schema.budgets).where(_B.run_id == self.run_id)
            row = connection.execute(query).one_or_none()
        if row is None:
            return Spent()
        sums = {name: getattr(row, name) for name in _SUMS}
        money = {name: _decimal(sums[name]) for name in ("committed", "settled")}
        return Spent(**{**sums, **money})

    def _begun(self, connection: Connection) -> bool:
        row = {"run_id": self.run_id, **dict.fromkeys(_SUMS, 0)}
        return insert_unless_there(connection, schema.budgets, row)


def _change(one: Settlement) -> int:
    """Return what a settlement changes of what counts against the limit.

    An estimate frees nothing: the call may have cost all that was reserved for it.
    """
    change = _pico(one.cost) - _pico(one.reserved)
    return max(change, 0) if one.estimated else change


def _pico(amount: Decimal, rounding: str = ROUND_CEILING) -> int:
    """Return money as a whole number that a database adds without error."""
    if not amount.is_finite() or amount < 0 or amount * _PICO > _MOST:
        raise ParameterError(
            f"{str(amount)[:40]} is no amount of money", fix="give a finite amount of 0 or more"
        )
    return int((amount * _PICO).to_integral_value(rounding))


def _decimal(pico: int) -> Decimal:
    return (Decimal(pico) / _PICO).normalize() + Decimal(0)
