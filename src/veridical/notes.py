"""Short stable notes that stand beside a number, and the sentence each one stands for.

A note's figures are in the conditions of the same result; the note itself never changes, so that
tools can look for it.
"""

from __future__ import annotations

__all__ = ["NOTES", "sentence"]

NOTES: dict[str, str] = {
    "one_vs_rest": "the labels have more than two values: one is positive, all others are negative",
    "decimals_rounded": "decimals of more than 15 digits were rounded to float64",
    "in_sample": "the threshold was chosen and evaluated on the same rows, which flatters it",
    "only_flag_nothing": "no observed threshold satisfies the constraint; flagging nothing does",
    "fpr_resolution": "fewer than 3 negatives are expected at this false positive rate; "
    "the sample cannot resolve it",
    "no_negatives": "there are no negatives, so precision is 1 everywhere",
    "majority_baseline": "one class is rare: read it beside what always answering the majority "
    "class scores",
    "ranking_reversed": "negatives score above positives where the distance is largest",
    "ties_at_k": "k cuts a group of equal scores: the value is the mean over their orders",
    "k_exceeds_rows": "there are fewer than k rows, so all of them are the top",
    "clamped": "forecasts within 1e-9 outside [0, 1] were moved to 0 or 1",
    "no_interval_degenerate": "no interval: the variance cannot be estimated from so few or so "
    "uniform rows",
    "no_interval_uniform": "no interval: all units say the same; resampling changes nothing",
    "no_interval_replicates": "no interval: most bootstrap replicates had no value",
    "no_interval_replicates_equal": "no interval: all replicates have the same value, and rows are "
    "not known",
    "few_replicates": "too few bootstrap replicates for this level: the interval is too narrow",
    "no_interval_binned": "no interval: noise alone makes a binned calibration error positive, and "
    "a bootstrap of it covers nothing",
    "no_interval_known": "no interval: no method is known to cover",
    "no_interval_clustered_fit": "no interval: the standard error of the fit takes rows to be "
    "independent and equally weighted",
    "consistent_with_calibration": "a calibrated model would show as much error at this n",
    "beside_roc_auc": "shown because ROC-AUC is never reported alone",
    "frequency_weights": "whole-number weights count as repeated rows",
    "sampling_weights": "fractional weights: the interval resamples weighted rows",
    "no_interval_without_rows": "no interval: fractional weights are resampled row by row, and a "
    "summary holds no rows",
    "bounds_wider_than_asked": "the bounds are wider than asked, for the rows that would narrow "
    "them are no longer there",
    "curves_of_bins": "scores were counted in bins: curves go through the edges of bins, where "
    "counts are exact",
    "repeated_source": "the same data were added more than once, and count as often",
    "clustered": "the interval resamples whole clusters",
    "effective_rows": "fractional weights: intervals and tests are those of as many rows of equal "
    "weight as know the rate as well",
    "effective_clusters": "rows of a cluster belong together: intervals and tests are those of as "
    "many separate rows as know the rate as well",
    "no_unit_differs": "the two are the same on every unit",
    "not_tested": "the difference alone: no interval and no test of it is known to hold",
    "unpaired": "the two were measured on different rows and compared as independent samples",
    "units_not_kept": "compared as independent samples, for want of an outcome for each unit; on "
    "the same data that usually widens the interval",
    "paired_by_position": "rows of two sources were paired by their order and equal labels",
    "common_units": "the difference is over the units that have a value on both sides, fewer than "
    "one of the two was measured on",
    "missing_could_turn": "some cases lack a value on a side, and their values, whatever they are, "
    "could turn the sign of the difference",
    "hash_of_counts": "rows of a cluster have no order: the data hash is that of counts by score",
    "no_line_break": "there is no line break to tell sentences by, so each text is one sentence",
    "labels_alike": "some labels differ only by case, white space or letters that look the same, "
    "and count as different labels",
    "texts_cut": "texts longer than the model's window were cut to it",
    "small_group": "the group has fewer rows than the stated minimum: it is shown, and not ranked",
    "favourable_absent": "no decision has the favourable value: its rate is 0 everywhere",
    "rate_cut": "the correction led outside [0, 1] and was cut off there",
    "few_clusters": "fewer than 30 clusters: the interval is rough",
    "few_units": "the interval rests on fewer than 30 units (rows, queries, texts, cases): it is "
    "rough",
}


def sentence(note: str) -> str:
    """Return the sentence of a note; a note of a third-party metric is its own sentence.

    Examples
    --------
    >>> sentence("k_exceeds_rows")
    'there are fewer than k rows, so all of them are the top'
    """
    return NOTES.get(note, note)
