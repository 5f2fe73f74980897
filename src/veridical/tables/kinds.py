"""What the suffix of a file says."""

from __future__ import annotations

import os

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
    name = os.path.basename(path.lower().rstrip(os.sep))
    parts = [] if name.endswith(".") else name.lstrip(".").split(".")[1:]
    *_, before, last = ["", "", *(f".{part}" for part in parts)]
    return (before, COMPRESSIONS[last]) if last in COMPRESSIONS else (last, None)
