"""The golden classification cases, as they are in the shared folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

SHARED = Path(__file__).resolve().parents[2].parent / "shared"
CASES = SHARED / "golden" / "classification_cases.json"
OTHER_ISSUES = {"drift", "fairness", "streaming"}


def all_cases() -> dict[str, dict[str, Any]]:
    """Return every case by its id; skips where the shared folder is absent."""
    if not CASES.exists():
        pytest.skip("the shared folder with the golden cases is not beside the project")
    return {case["id"]: case for case in json.loads(CASES.read_text())["cases"]}


def in_scope() -> set[str]:
    """Return the ids of the cases that belong to classification and calibration."""
    return {name for name, case in all_cases().items() if case["area"] not in OTHER_ISSUES}


def number(value: Any) -> float:
    """Return a number of a case; the file writes NaN and Infinity as text."""
    return float(value)


def scores(case: dict[str, Any], key: str = "score", dtype: type = np.float64) -> np.ndarray:
    """Return a column of a case as floats."""
    return np.array([number(value) for value in case["input"][key]], dtype=dtype)
