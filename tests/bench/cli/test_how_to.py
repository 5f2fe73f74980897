"""The page about scores: what it says of limits is so."""

from __future__ import annotations

from pathlib import Path

PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "bench-scores.md"


def test_what_it_says_of_the_limits_is_so():
    from veridical.bench.scoring.calibration import CONFIDENCE_MAP, brier, ece
    from veridical.bench.scoring.grid import FEW_CASES

    text = PAGE.read_text("utf-8")
    assert f"fewer than {FEW_CASES} cases" in text
    always = [("high", True)]
    floors = [f"{float(of(always, CONFIDENCE_MAP)):g}" for of in (brier, ece)]
    assert f"the floors are {' and '.join(floors)}" in text
    for word, chance in CONFIDENCE_MAP.items():
        assert f"{word} {chance:g}" in text
