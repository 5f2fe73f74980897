"""Model files and their samples, for tests: fraud as it is, and models without any skill."""

from __future__ import annotations

from functools import cache

import numpy as np
import pyarrow as pa
import yaml
from pyarrow import csv

from veridical.examples import fraud_table

ROWS = 4000
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
    """Payments with the scores of a model, a champion, and models without skill."""
    table = fraud_table(40 * ROWS, seed=0)
    # Every fraud and some of the rest: events enough for few rows.
    frauds = np.asarray(table["is_fraud"], np.bool_)
    chosen = np.flatnonzero(frauds | (np.arange(len(frauds)) % 20 == 0))[: 2 * ROWS]
    table = table.take(pa.array(chosen))
    rng = np.random.default_rng(1)
    score, n = np.asarray(table["score"]), table.num_rows
    for name, values in {
        "old": np.clip(0.6 * score + 0.02 * rng.random(n), 0, 1),
        "zero": np.zeros(n),
        "one": np.ones(n),
        "random": rng.random(n),
        "points": 100 * score,
    }.items():
        table = table.append_column(name, pa.array(values))
    return table


def write_model(folder, table=None, **changes):
    """Write a model file and its samples; keys of ``data`` may be changed by their own name."""
    table = payments() if table is None else table
    half = table.num_rows // 2
    csv.write_csv(table.slice(0, half), folder / "dev.csv")
    csv.write_csv(table.slice(half), folder / "oot.csv")
    return describe(folder, **changes)


def describe(folder, **changes):
    """Write a model file alone; a value of None takes the key away."""
    data = {name: value for name, value in changes.items() if name not in MODEL}
    whole = {name: value for name, value in changes.items() if name in MODEL}
    model = MODEL | whole
    model["data"] = {k: v for k, v in (MODEL["data"] | data).items() if v is not None}
    file = folder / "model.yaml"
    text = yaml.safe_dump({k: v for k, v in model.items() if v is not None}, sort_keys=False)
    file.write_text(text, encoding="utf-8")
    return file
