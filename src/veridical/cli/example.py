"""``veridical example``: synthetic data to try things on."""

from __future__ import annotations

import difflib
import io
import os
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from veridical.cli.output import emit, talk
from veridical.errors import ParameterError

__all__ = ["example"]

_EXAMPLES = {"fraud": "card transactions, 0.15% of them fraud, with the scores of a made-up model"}
_SUFFIXES = {".csv", ".parquet"}


def example(
    name: Annotated[str | None, Parameter(help="Which example: fraud.")] = None,
    /,
    *,
    rows: Annotated[int, Parameter(help="Number of rows.")] = 100_000,
    seed: Annotated[int, Parameter(help="Determines every random draw.")] = 0,
    output: Annotated[
        Path | None,
        Parameter(name=["--output", "-o"], help="File to write, .csv or .parquet."),
    ] = None,
) -> int:
    """Write synthetic data to try things on."""
    if name is None:
        emit("\n".join(f"{known}: {what}" for known, what in _EXAMPLES.items()))
        return 0
    if name not in _EXAMPLES:
        near = difflib.get_close_matches(name, _EXAMPLES, n=1)
        raise ParameterError(
            f"there is no example {name!r}",
            fix=f"did you mean {near[0]}?" if near else f"known: {', '.join(_EXAMPLES)}",
        )
    target = Path(f"{name}.csv") if output is None else output
    if output is None and os.path.lexists(target):
        raise ParameterError(
            "there is such a file already, and it was not named",
            where=str(target),
            why="it may be somebody's data",
            fix=f"write -o {target} to replace it, or name another file",
        )
    if target.suffix.lower() not in _SUFFIXES:
        raise ParameterError(
            f"an example is written as .csv or .parquet, not {target.suffix or 'without a suffix'}",
            where=str(target),
            fix=f"write {target.stem or name}.csv",
        )
    _write(target, rows, seed)
    emit(str(target))
    return 0


def _write(target: Path, rows: int, seed: int) -> None:
    from veridical.writing import check_writable, write_atomically

    check_writable(target)  # before the work, not after it
    from veridical.examples import fraud_table

    table = fraud_table(rows, seed)
    write_atomically(target, _encoded(table, target.suffix.lower()))
    talk(
        f"{rows:,} SYNTHETIC transactions, seed {seed}: made up, no real customer or payment. "
        "Try:\n"
        f"  veridical evaluate {target} --label is_fraud --score score --cluster customer_id "
        "--cost-fn amount --cost-fp 25 --cost-review 5"
    )


def _encoded(table: Any, suffix: str) -> bytes:
    buffer = io.BytesIO()
    if suffix == ".csv":
        from pyarrow import csv

        csv.write_csv(table, buffer, csv.WriteOptions(quoting_style="needed"))
    else:
        from pyarrow import parquet

        parquet.write_table(table, buffer)
    return buffer.getvalue()
