"""What the suffix of a file says."""

from __future__ import annotations

from pathlib import Path

__all__ = ["COMPRESSIONS", "KINDS", "suffixes"]

KINDS = {
    ".csv": "csv", ".tsv": "csv", ".tab": "csv",
    ".jsonl": "jsonl", ".ndjson": "jsonl", ".jsonlines": "jsonl", ".json": "json",
    ".parquet": "parquet", ".pq": "parquet", ".parq": "parquet",
    ".arrow": "arrow", ".arrows": "arrow", ".ipc": "arrow", ".feather": "arrow",
}  # fmt: skip
COMPRESSIONS = {".gz": "gzip", ".bz2": "bz2", ".zst": "zstd", ".lz4": "lz4"}


def suffixes(path: str) -> tuple[str, str | None]:
    """Return the suffix that tells the kind, and the compression that the last one tells.

    Examples
    --------
    >>> suffixes("a/run.TREC.gz"), suffixes("scores.csv")
    (('.trec', 'gzip'), ('.csv', None))
    """
    *_, before, last = ["", "", *Path(path.lower()).suffixes]
    return (before, COMPRESSIONS[last]) if last in COMPRESSIONS else (last, None)
