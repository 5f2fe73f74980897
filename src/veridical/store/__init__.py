"""Runs that are kept: results with their conditions, summaries, outcomes of units, and a ledger.

Nothing here is imported before a run is saved or read; a database library costs 0.2 s.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from veridical.store.group_commit import GroupCommit
    from veridical.store.ledger import Ledger
    from veridical.store.loading import load_run
    from veridical.store.run import Run, RunHead
    from veridical.store.runs import Store
    from veridical.store.units import UnitColumn, Units

__all__ = ["GroupCommit", "Ledger", "Run", "RunHead", "Store", "UnitColumn", "Units", "load_run"]

_HOMES = {
    "GroupCommit": "group_commit",
    "Ledger": "ledger",
    "Run": "run",
    "RunHead": "run",
    "Store": "runs",
    "UnitColumn": "units",
    "Units": "units",
    "load_run": "loading",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'veridical.store' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"veridical.store.{_HOMES[name]}"), name)
    globals()[name] = value
    return value
