"""``budget_of_its_own``: a budget for calls that belong to no run that is kept."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from veridical.judge.costs import RunBudget
from veridical.store.spending import Spending

__all__ = ["budget_of_its_own"]


@asynccontextmanager
async def budget_of_its_own() -> AsyncIterator[tuple[RunBudget, Spending]]:
    """Open a budget that nothing was spent of, and that is gone at the end.

    Yields
    ------
    tuple of RunBudget and Spending
        What calls are reserved from, and what they took so far.

    Examples
    --------
    >>> import asyncio
    >>> from decimal import Decimal
    >>> async def once():
    ...     async with budget_of_its_own() as (budget, spending):
    ...         reserved = await budget.reserve(Decimal(2), Decimal(3))
    ...         return reserved, spending.spent().committed
    >>> asyncio.run(once())
    (True, Decimal('2'))
    """
    from veridical.store import GroupCommit, Store
    from veridical.store.drafts import draft

    with TemporaryDirectory(prefix="veridical-") as folder, Store(Path(folder, "runs.db")) as store:
        run = store.save(draft(kind="rag", state="running"))
        async with GroupCommit(store) as commit:
            yield RunBudget(commit, run.id), store.spending(run.id)
