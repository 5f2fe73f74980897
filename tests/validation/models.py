"""Model files and their samples, for tests: fraud as it is, and models without any skill."""

from __future__ import annotations

from functools import cache

import numpy as np
import pyarrow as pa
import yaml
from pyarrow import csv

from veridical.examples import fraud_table

DAY = "2026-11-30"
MODEL = {
    "name": "Card fraud score",
    "version": "3.1",
    "purpose": "Ranks card payments by how likely they are fraud.",
    "owner": "Payments risk",
    "data": {
        "development": "dev.csv",
        "out_of_time": "oot.csv",
        "label": "is_fraud",
        "score": "score",
        "champion": "old",
        "groups": ["channel"],
        "proxies": ["channel"],
        "favourable": 0,
        "costs": {"fn": 850, "fp": 25, "review": 5, "currency": "USD"},
        "features": ["amount", "channel"],
    },
    "policy": ["metric-standard", "fairness-standard"],
    "limitations": ["The payments are synthetic."],
}


@cache
def payments() -> pa.Table:
    """About 1,500 payments: every fraud of 60,000, and some others; scores of two models."""
    table = fraud_table(60_000, seed=0)
    frauds = np.asarray(table["is_fraud"]) == 1
    table = table.take(pa.array(np.flatnonzero(frauds | (np.arange(len(frauds)) % 43 == 0))))
    rng = np.random.default_rng(1)
    score = np.asarray(table["score"])
    old = np.clip(0.6 * score + 0.02 * rng.random(len(score)), 0, 1)
    return table.append_column("old", pa.array(old))


def write_model(folder, table=None, **changes):
    """Write a model file and its samples, the two halves of a table."""
    table = payments() if table is None else table
    half = table.num_rows // 2
    csv.write_csv(table.slice(0, half), folder / "dev.csv")
    csv.write_csv(table.slice(half), folder / "oot.csv")
    return describe(folder, **changes)


def describe(folder, **changes):
    """Write a model file alone; keys of its data stand by their own name, None takes one away."""
    whole = {name: value for name, value in changes.items() if name in MODEL}
    data = {name: value for name, value in changes.items() if name not in MODEL}
    model = MODEL | whole
    if "data" not in whole:
        model["data"] = _without_none(MODEL["data"] | data)
    file = folder / "model.yaml"
    text = yaml.safe_dump(_without_none(model), sort_keys=False, allow_unicode=True)
    file.write_text(text, encoding="utf-8")
    return file


def _without_none(mapping):
    return {name: value for name, value in mapping.items() if value is not None}
