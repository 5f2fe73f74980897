"""Files: the command line as a whole process, and Parquet files larger than one wants in memory.

    python benchmarks/files_bench.py [--command 1e6] [--files 1e6,1e7] [--huge 1e8]

``--huge`` is left out by default: its file takes 900 MB and DuckDB minutes.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
from harness import WORK, Side, Time, arguments, race, ratio, record, whole_process
from memory_bench import FN, FP, REVIEW, SHORT, SIX

PREVALENCE = 0.0015
CHUNK = 1_000_000
MOST_AUC = 10_000_000

Answers = dict[str, float]


def veridical(path: Path) -> Answers:
    """Measure the six metrics in two passes over the file."""
    import veridical as vd

    costs = vd.Costs(fn=FN, fp=FP, review=REVIEW)
    ev = vd.evaluate(
        path, SIX, label="y", score="s", costs=costs, intervals=False, engine="batches"
    )
    return {short: ev[name].value for short, name in zip(SHORT, SIX, strict=True)}


def duckdb_counts(path: Path) -> Answers:
    """Let DuckDB count each score, in order: what every ranking metric would start from."""
    _counted(path)
    return {}


def duckdb_auc(path: Path) -> Answers:
    """Take ROC-AUC from these counts."""
    auc = (
        _counted(path)
        .execute("""
            WITH ranked AS (SELECT p, n, sum(n) OVER (ORDER BY s) AS up_to FROM scores)
            SELECT sum(p * (up_to - n / 2.0)) / (sum(p) * sum(n)) FROM ranked
        """)
        .fetchone()
    )
    return {"auc": auc[0]}


def _counted(path: Path) -> Any:
    import duckdb

    connection = duckdb.connect()
    connection.execute("SET threads = 1")
    connection.execute(
        """
        CREATE TABLE scores AS SELECT s, sum(y) AS p, count(*) - sum(y) AS n
        FROM read_parquet(?) GROUP BY s ORDER BY s
        """,
        [str(path)],
    )
    return connection


def parquet(n: int) -> Path:
    """Return a Parquet file of seeded rows, written in chunks."""
    import pyarrow as pa
    from pyarrow import parquet as pq

    path = WORK / "data" / f"rows-{n}.parquet"
    if path.exists():
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(0)
    unfinished = path.with_suffix(".part")
    schema = pa.schema({"y": pa.int8(), "s": pa.float64()})
    with pq.ParquetWriter(unfinished, schema, use_dictionary=["y"]) as writer:
        for start in range(0, n, CHUNK):
            size = min(CHUNK, n - start)
            y = rng.random(size) < PREVALENCE
            s = rng.beta(1, 30, size)
            s[y] = rng.beta(4, 6, int(y.sum()))
            writer.write_table(pa.table({"y": y.astype(np.int8), "s": s}, schema=schema))
    return unfinished.rename(path)


def command(n: int) -> None:
    """Time ``veridical evaluate`` from the shell's point of view, and what starting up costs."""
    path = parquet(n)
    binary = str(Path(sys.executable).with_name("veridical"))
    commands = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "import veridical": [sys.executable, "-c", "import veridical"],
        "import sklearn.metrics": [sys.executable, "-c", "import sklearn.metrics"],
        "veridical --help": [binary, "--help"],
        f"veridical evaluate, {n:,} rows, intervals on": [
            binary, "evaluate", str(path), "--label", "y", "--score", "s",
        ],
    }  # fmt: skip
    rows = []
    for name, words in commands.items():
        wall, processor, megabytes = whole_process(words)
        rows.append((name, f"{wall:.3f}", f"{processor:.3f}", f"{megabytes:.0f}"))
    record(
        "8-command",
        "Whole processes",
        "From start to exit, byte code cached; the best of five.",
        ("", "wall seconds", "processor seconds", "peak MB"),
        rows,
    )


def files(every: list[int]) -> None:
    """Race with DuckDB on Parquet files, and draw the line to a billion rows."""
    rows, ours = [], {}
    sides = (
        Side("veridical, six metrics", "veridical", runs=2),
        Side("DuckDB, GROUP BY score ORDER BY score", "duckdb_counts", runs=1),
    )
    with_auc = Side("DuckDB, the same and ROC-AUC", "duckdb_auc", runs=1)
    for n in every:
        # Beyond that its window over all scores takes more memory than many machines have.
        times = race("files_bench", parquet(n), (*sides, with_auc) if n <= MOST_AUC else sides)
        ours[n] = times[sides[0].name]
        rows += [
            (f"{n:,}", name, f"{t.seconds:.2f}", ratio(t, ours[n]), f"{t.megabytes:.0f}")
            for name, t in times.items()
        ]
    record(
        "9-files",
        "Parquet files, one thread",
        "Two exact passes in batches beside the query that a ranking metric starts from in SQL. "
        f"{_line(ours)}",
        ("rows", "", "seconds", "ratio", "peak MB"),
        rows,
    )


def _line(times: dict[int, Time]) -> str:
    if len(times) < 2:
        return ""
    slope, start = np.polyfit(list(times), [t.seconds for t in times.values()], 1)
    largest = max(times)
    return (
        f"A straight line through the sizes up to {largest:,} ({slope * 1e9:.0f} ns a row) says "
        f"{(start + slope * 1e9) / 60:.1f} minutes for 10^9 rows."
    )


def main() -> None:
    """Run the races."""
    asked = arguments("files", command="1e6", files="1e6,1e7", huge="")
    for n in asked.command:
        command(n)
    if every := [*asked.files, *asked.huge]:
        files(every)
    for n in asked.huge:
        parquet(n).unlink()


if __name__ == "__main__":
    main()
