"""Write RESULTS.md from what the benchmarks of this machine left behind."""

from __future__ import annotations

import json
from typing import Any

from harness import HERE, WORK, versions

HEAD = """# Results

Written by `make bench`; every table by the script that measured it. Times depend on the machine;
ratios are of one run on the same data, after both sides gave the same numbers. Each side ran alone
in a fresh process. Seconds are processor time of the best run unless a table says otherwise.
"""


def main() -> None:
    """Join the tables."""
    kept = sorted((WORK / "results").glob("*.json"), key=lambda path: int(path.stem.split("-")[0]))
    tables = [json.loads(path.read_text()) for path in kept]
    parts = [HEAD, "\n".join(_measured(tables)), *map(_table, tables)]
    (HERE / "RESULTS.md").write_text("\n".join(parts))


def _measured(tables: list[dict[str, Any]]) -> list[str]:
    """Say on which machine, when, and with which versions."""
    found = versions(
        "veridical", "numpy", "scipy", "pyarrow", "scikit-learn", "torch", "torchmetrics",
        "polars", "polars_ds", "duckdb", "pyspark", "confidenceinterval", "rouge-score",
        "sacrebleu",
        "pytrec_eval-terrier", "ranx",
    )  # fmt: skip
    machines = sorted({table["machine"] for table in tables})
    dates = sorted({table["date"] for table in tables})
    return [f"* {'; '.join(machines)}", f"* {' and '.join(dates)}", f"* {found}", ""]


def _table(table: dict[str, Any]) -> str:
    rows = [table["head"], ["---" if k == 0 else "---:" for k in range(len(table["head"]))]]
    rows += table["rows"]
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([f"## {table['title']}", "", table["text"].strip(), "", *lines, ""])


if __name__ == "__main__":
    main()
