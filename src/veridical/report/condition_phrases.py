"""Conditions of fairness and drift in words, for tables that show one result a row."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from veridical.report.display import count_text, rate_text

__all__ = ["OF_DRIFT", "OF_FAIRNESS", "side_text"]

Found = Mapping[str, Any]
Phrases = dict[str, Callable[[Found], str]]


def _hidden(found: Found) -> str:
    del found
    return ""


def _counts(found: Found) -> str:
    return " against ".join(side_text(found, side) for side in ("group", "reference"))


def side_text(found: Found, side: str) -> str:
    """Return the hits of a group or its reference, or within what their rate is open."""
    n = count_text(found[f"{side}_n"])
    if f"{side}_hits" in found:
        return f"{count_text(found[f'{side}_hits'])} of {n}"
    low, high = (rate_text(found[f"{side}_rate_{end}"]) for end in ("low", "high"))
    return f"{low} to {high} of {n}"


def _unfavourable(found: Found) -> str:
    ratio = found["ratio_of_unfavourable"]
    return f"ratio of unfavourable {'undefined' if ratio is None else f'{ratio:.4g}'}"


def _nearness(found: Found) -> str:
    nearness = found["min_over_max"]
    return "" if nearness is None else f"smaller over larger {rate_text(nearness)}"


OF_FAIRNESS: Phrases = {
    "group_hits": _counts,
    "four_fifths": lambda found: f"four-fifths screen {found['four_fifths'] or 'undefined'}",
    "min_over_max": _nearness,
    "ratio_of_unfavourable": _unfavourable,
    "per_10_000": lambda found: f"{found['per_10_000']:+,.1f} in 10,000",
    "correlation": lambda found: f"correlation over clusters {found['correlation']:.2f}",
    "fisher_p_value": lambda found: f"Fisher p {found['fisher_p_value']:.2g}",
    "fisher_p_value_holm": lambda found: f"adjusted by Holm {found['fisher_p_value_holm']:.2g}",
    "z_p_value_holm": lambda found: f"adjusted by Holm {found['z_p_value_holm']:.2g}",
    "z_p_value": lambda found: f"z {found['z']:.2f}, p {found['z_p_value']:.2g}",
    **dict.fromkeys(
        (
            "group_n",
            "group_rate",
            "group_degrees_of_freedom",
            "group_n_effective",
            "group_rate_high",
            "group_rate_low",
            "reference_degrees_of_freedom",
            "reference_hits",
            "reference_n_effective",
            "reference_rate_high",
            "reference_rate_low",
            "reference_n",
            "reference_rate",
            "of_favourable_labels",
            "of_unfavourable_labels",
            "z",
        ),
        _hidden,
    ),
}

OF_DRIFT: Phrases = {
    "expected_without_drift": lambda found: (
        f"noise alone would show about {rate_text(found['expected_without_drift'])}, "
        f"at most {rate_text(found['quantile_without_drift'])} in 19 of 20 samples"
    ),
    "share_from_one_sided_cells": lambda found: (
        f"{100 * found['share_from_one_sided_cells']:.0f}% of it from cells empty on one side"
    ),
    "eps_1e-6": lambda found: (
        f"eps 1e-6: {rate_text(found['eps_1e-6'])}, 1e-4: {rate_text(found['eps_1e-4'])}, "
        f"half a row more: {rate_text(found['laplace'])}"
    ),
    "light": lambda found: str(found["light"]).replace("_", " "),
    "p_value": lambda found: f"p {found['p_value']:.2g}",
    "p_value_holm": lambda found: f"adjusted by Holm {found['p_value_holm']:.2g}",
    **dict.fromkeys(
        (
            "cells",
            "column_kind",
            "contributions",
            "degrees_of_freedom",
            "eps_1e-4",
            "laplace",
            "n_current",
            "n_reference",
            "quantile_without_drift",
            "share_above_reference",
            "share_below_reference",
            "smallest_expected",
        ),
        _hidden,
    ),
}
