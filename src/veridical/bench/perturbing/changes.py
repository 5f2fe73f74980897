"""All changes, in the order in which they are made."""

from __future__ import annotations

from veridical.bench.perturbing.balances import BALANCES
from veridical.bench.perturbing.clocks import CLOCKS
from veridical.bench.perturbing.draft import Change
from veridical.bench.perturbing.figures import FIGURES
from veridical.bench.perturbing.ledger import LEDGER
from veridical.bench.perturbing.lines import LINES
from veridical.bench.perturbing.payments import PAYMENTS

__all__ = ["CHANGES"]

CHANGES: dict[str, Change] = {
    one.name: one for one in (*BALANCES, *CLOCKS, *PAYMENTS, *LEDGER, *FIGURES, *LINES)
}
"""By name; first all of their facts in this order, then all that they show, in this order too."""
