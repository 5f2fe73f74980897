"""The conditions that matter to a reader, in words; the rest stands in the JSON document."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from veridical.report.condition_phrases import OF_DRIFT, OF_FAIRNESS
from veridical.report.display import count_text, money_text, rate_text, threshold_text
from veridical.report.visible import visible
from veridical.results import Result

__all__ = ["condition_texts"]

Found: TypeAlias = Mapping[str, Any]


def condition_texts(result: Result) -> list[str]:
    """Return what a reader must know about a result, a short phrase each.

    Examples
    --------
    >>> from veridical.results import Conditions, Measured
    >>> at = {"threshold": 0.9, "flag_nothing": False, "attained_fpr": 0.00095}
    >>> condition_texts(Measured(0.1, 285, conditions=Conditions(observed=at)))
    ['threshold 0.9', 'attained FPR 0.00095']
    """
    found = result.conditions.observed
    told = [text for key in found for text in [_PHRASES.get(key, _plain(key))(found)] if text]
    return [*told, *_counts(found)]


def _plain(key: str) -> Callable[[Found], str]:
    return lambda found: f"{visible(key.replace('_', ' '))} {_value(found[key])}"


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, (list, tuple)):
        return " ".join(_value(one) for one in value)
    return f"{value:,}" if isinstance(value, int) else visible(str(value))


def _rate(words: str, key: str) -> Callable[[Found], str]:
    return lambda found: f"{words} {rate_text(float(found[key])) if found[key] else 0}"


def _money(words: str, key: str) -> Callable[[Found], str]:
    return lambda found: f"{words} {money_text(float(found[key]))}"


def _threshold(found: Found) -> str:
    if found.get("flag_nothing"):
        return "flag nothing"
    return f"threshold {threshold_text(found['threshold'])}"


def _threshold_interval(found: Found) -> str:
    ends = (found["threshold_low"], found["threshold_high"])
    low, high = ("flag nothing" if end is None else threshold_text(end) for end in ends)
    return f"best threshold between {low} and {high}"


def _degenerate(found: Found) -> str:
    if not found["degenerate_replicates"]:
        return ""
    of = f" of {found['replicates']:,}" if "replicates" in found else ""
    return f"{found['degenerate_replicates']:,}{of} replicates had no value"


def _positives(found: Found) -> str:
    count = found["positives"]
    return f"{count if isinstance(count, str) else count_text(float(count))} positive"


def _against(found: Found) -> str:
    words = {
        "flag_nothing": "flagging nothing",
        "flag_all": "flagging everything",
        "threshold": "the threshold in use",
    }
    return f"against {words[found['against']]}, {money_text(float(found['baseline_cost']))}"


def _rows_per_bin(found: Found) -> str:
    return "rows per bin " + " ".join(count_text(float(n)) for n in found["rows_per_bin"])


def _calibrated(found: Found) -> str:
    mean, high = rate_text(found["calibrated_mean"]), rate_text(found["calibrated_high"])
    return f"a calibrated model would show about {mean}, at most {high}"


def _flags(found: Found) -> str:
    flags = found["flags"].items()
    return ", ".join(f"{n:,} {visible(flag.replace('_', ' '))}" for flag, n in flags)


def _references(found: Found) -> str:
    several = found["references"]
    if isinstance(several, tuple):
        return f"{several[0]} to {several[1]} references each"
    return f"{several:,} references each" if several > 1 else ""


def _hidden(found: Found) -> str:
    del found
    return ""


def _counts(found: Found) -> Iterator[str]:
    if {"tp", "fp", "fn", "tn"} <= set(found):
        yield ", ".join(f"{c.upper()} {count_text(found[c])}" for c in ("tp", "fp", "fn", "tn"))


_PHRASES: dict[str, Callable[[Found], str]] = {
    **OF_FAIRNESS,
    **OF_DRIFT,
    "against": _against,
    "attained_fpr": _rate("attained FPR", "attained_fpr"),
    "attained_precision": _rate("attained precision", "attained_precision"),
    "attained_recall": _rate("attained recall", "attained_recall"),
    "bayes_threshold": _rate("best threshold if calibrated", "bayes_threshold"),
    "base_rate": _rate("base rate", "base_rate"),
    "calibrated_mean": _calibrated,
    "cost_at_threshold_in_use": _money("in use", "cost_at_threshold_in_use"),
    "cost_flag_all": _money("flagging everything", "cost_flag_all"),
    "cost_flag_nothing": _money("flagging nothing", "cost_flag_nothing"),
    "debiased": _rate("without the bias of noise", "debiased"),
    "degenerate_replicates": _degenerate,
    "flags": _flags,
    "fpr_upper_bound": _rate("true FPR at most", "fpr_upper_bound"),
    "lift": lambda found: f"lift {found['lift']:.3g}",
    "majority_class_accuracy": _rate("majority class alone", "majority_class_accuracy"),
    "n_clamped": lambda found: f"{found['n_clamped']:,} clamped",
    "n_tied_thresholds": lambda found: f"{found['n_tied_thresholds']:,} thresholds tie",
    "positives": _positives,
    "prevalence": _rate("prevalence", "prevalence"),
    "references": _references,
    "rows_per_bin": _rows_per_bin,
    "threshold": _threshold,
    "threshold_low": _threshold_interval,
    # Said elsewhere: at the top, in the threshold, in the counts, in the prices, in the saving, in
    # the lists of signatures and of what was left out.
    **dict.fromkeys(
        (
            "band_level",
            "baseline_cost",
            "calibrated_high",
            "calibration_p_value",
            "cost_of_one_false_alarm",
            "flag_nothing",
            "fn",
            "fp",
            "lowest_cost",
            "n_clusters",
            "replicates",
            "signature",
            "threshold_high",
            "summary",
            "tied_thresholds",
            "ties_with_relevant",
            "tn",
            "tp",
        ),
        _hidden,
    ),
}
