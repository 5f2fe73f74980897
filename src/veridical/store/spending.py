"""``Spending``: what a run may spend, held to by the database, and what it did spend.

Before a call its worst case is *reserved*, in one statement that fails where the limit would be
passed, however many ask at once; after it the reservation is *settled* by what the call cost.  A
reservation that a crash left unsettled stays, and counts as spent.  The sums belong to the run, and
so to all its resumes.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import Final

from sqlalchemy import Connection, select, update

from veridical.errors import ParameterError
from veridical.store import schema
from veridical.store.database import Database, insert_unless_there

__all__ = ["Spending", "Spent"]

_PICO: Final = Decimal(10) ** 12
_MOST: Final = 1 << 62
_B = schema.budgets.c
_SUMS = [column.name for column in schema.budgets.c if column.name != "run_id"]


@dataclass(frozen=True, slots=True)
class Spent:
    """What a run spent so far.

    Attributes
    ----------
    committed
        All that counts against its limit: what is settled, and every open reservation.
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
            return self.reserve_in(connection, amount, limit)

    def reserve_in(self, connection: Connection, amount: Decimal, limit: Decimal | None) -> bool:
        """Do as ``reserve`` within a transaction that is open, ``GroupCommit``'s for one."""
        worst = _pico(amount)
        most = _MOST if limit is None else _pico(limit, ROUND_FLOOR) - worst
        change = (
            update(schema.budgets)
            .where(_B.run_id == self.run_id, _B.committed <= most)
            .values(committed=_B.committed + worst, unsettled_calls=_B.unsettled_calls + 1)
        )
        if connection.execute(change).rowcount == 1:
            return True
        return self._begun(connection) and connection.execute(change).rowcount == 1

    def settle(
        self,
        reserved: Decimal,
        cost: Decimal,
        *,
        input_tokens: int = 0,
        output_tokens: int = 0,
        estimated: bool = False,
    ) -> None:
        """Replace a reservation by what the call cost.

        Parameters
        ----------
        reserved
            What was reserved for it.
        cost
            What it cost, which a provider may make more than was reserved.
        input_tokens, output_tokens, estimated
            What it took, and whether that is an estimate.
        """
        with self._database.writing() as connection:
            self.settle_in(
                connection,
                reserved,
                cost,
                input_tokens=input_tokens,
                output_tokens=output_tokens,
                estimated=estimated,
            )

    def settle_in(
        self,
        connection: Connection,
        reserved: Decimal,
        cost: Decimal,
        *,
        input_tokens: int = 0,
        output_tokens: int = 0,
        estimated: bool = False,
    ) -> None:
        """Do as ``settle`` within a transaction that is open, ``GroupCommit``'s for one."""
        price = _pico(cost)
        connection.execute(
            update(schema.budgets)
            .where(_B.run_id == self.run_id)
            .values(
                committed=_B.committed - _pico(reserved) + price,
                settled=_B.settled + price,
                unsettled_calls=_B.unsettled_calls - 1,
                calls=_B.calls + 1,
                estimated_calls=_B.estimated_calls + int(estimated),
                input_tokens=_B.input_tokens + input_tokens,
                output_tokens=_B.output_tokens + output_tokens,
            )
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


def _pico(amount: Decimal, rounding: str = ROUND_CEILING) -> int:
    """Return money as a whole number that a database adds without error."""
    if not amount.is_finite() or amount < 0 or amount * _PICO > _MOST:
        raise ParameterError(f"{str(amount)[:40]} is no amount of money")
    return int((amount * _PICO).to_integral_value(rounding))


def _decimal(pico: int) -> Decimal:
    return (Decimal(pico) / _PICO).normalize() + Decimal(0)
