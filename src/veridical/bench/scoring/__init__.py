"""From a submission and the truth to numbers: a pure function, and no model judges anything."""

from typing import Final

__all__ = ["SCORER_VERSION"]

SCORER_VERSION: Final = "1.0.0"
"""Grows whenever a score of the same submission may differ."""
