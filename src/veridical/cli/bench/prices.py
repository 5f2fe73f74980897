"""``veridical bench prices``: whether a price table can be used, and what one looks like."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from veridical.cli.options import Json
from veridical.cli.output import emit, emit_json

__all__ = ["check", "example"]


def check(
    table: Annotated[Path, Parameter(help="A price table, prices/1.")],
    /,
    *,
    json: Json = False,
) -> int:
    """Check a price table, and say what each model costs from when on."""
    from veridical.bench.prices.table import KINDS, PriceTable
    from veridical.report.visible import visible

    found = PriceTable.read(table)
    if json:
        emit_json(
            {
                "schema": "veridical.bench_prices/1",
                "price_table_version": found.version,
                "currency": found.currency,
                "sha256": found.sha256,
                "n_entries": len(found.entries),
            }
        )
        return 0
    lines = [f"price table {found.version}, {found.currency} for a million tokens, {found.sha256}"]
    for one in found.entries:
        amounts = ", ".join(
            f"{kind} {'unknown' if one.prices[kind] is None else one.prices[kind]}"
            for kind in KINDS
        )
        lines.append(f"{one.provider}/{one.names[0]} from {one.effective_from}: {amounts}")
        lines += [f"  also {name}" for name in one.names[1:]]
        lines.append(f"  {one.source}, read on {one.retrieved}")
    emit("\n".join(map(visible, lines)))
    return 0


def example() -> int:
    """Print a worked example with invented names, to begin a table of one's own with."""
    from veridical.bench.prices.table import example_text

    emit(example_text())
    return 0
