"""Random small tables, and the golden and real data, for the tests of the statistics."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import strategies as st

SHARED = Path(__file__).resolve().parents[2].parent / "shared"


def golden(case: str) -> dict:
    path = SHARED / "golden" / "classification_cases.json"
    if not path.exists():
        pytest.skip(f"the golden cases are not beside the project ({path})")
    return next(c for c in json.loads(path.read_text())["cases"] if c["id"] == case)


def hmda() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    path = SHARED / "data" / "credit" / "hmda_scores.csv"
    if not path.exists():
        pytest.skip(f"the HMDA scores are not beside the project ({path})")
    with path.open() as file:
        rows = list(csv.DictReader(file))
    columns = (
        np.array([float(r[c]) for r in rows]) for c in ("denied", "p_logistic", "p_boosting")
    )
    denied, logistic, boosting = columns
    return denied == 1, logistic, boosting


@st.composite
def rows(draw, *, both_classes: bool = True, max_size: int = 30):
    """Labels and scores with many ties, at least one row."""
    n = draw(st.integers(2 if both_classes else 1, max_size))
    positive = np.array(draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    if both_classes:
        positive[0], positive[-1] = True, False
    levels = draw(st.integers(1, 12))
    scores = draw(st.lists(st.integers(0, levels), min_size=n, max_size=n))
    return positive, np.array(scores) / levels


def random_rows(seed: int, n: int = 60, levels: int = 15) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    positive = generator.random(n) < 0.4
    positive[:2] = [True, False]
    return positive, np.round((generator.normal(size=n) + positive) * levels / 4)
