"""The few loops that decide how fast veridical is.

Each kernel exists twice: in numpy (``plain/``), which is its definition and always works, and in
Cython (``compiled/``), built where a compiler is.  Both give the same result to the bit, so which
one runs is never visible in a number.  ``VERIDICAL_KERNELS=numpy`` or ``=compiled`` forces one.

Arrays come in as float64 or float32 scores and bool or uint8 labels, one-dimensional.  NaN is
refused before it gets here; given one anyway, a kernel returns a wrong answer, never a crash.
"""

from typing import TYPE_CHECKING

from veridical.late import loaded_late

if TYPE_CHECKING:
    from veridical.kernels.bootstrap import SlotReplicates, slot_bootstrap, slot_resamples
    from veridical.kernels.choice import backend
    from veridical.kernels.edits import fewest_edits
    from veridical.kernels.histogram import Histogram, histogram_counts
    from veridical.kernels.ngrams import clipped_matches
    from veridical.kernels.powers import MOMENT_UNIT, MomentSums, PowerSums, moment_sums, power_sums
    from veridical.kernels.query_sums import (
        discounted_list_sums,
        discounted_sums,
        exact_sum,
        first_ranks,
        hit_counts,
        precision_sums,
        relevant_counts,
    )
    from veridical.kernels.ranking import Judgements, Ranks, rank_dicts
    from veridical.kernels.reliability import ReliabilitySums, reliability_sums
    from veridical.kernels.slots import SlotCounts, slot_counts, slot_edges
    from veridical.kernels.sorting import Groups, SortedSlots, sorted_groups, sorted_slots
    from veridical.kernels.subsequences import common_lengths, summary_hits
    from veridical.kernels.tokens import Tokens, tokenise
    from veridical.kernels.trec import RankedLines, rank_lines, read_judgements

__all__ = [
    "MOMENT_UNIT",
    "Groups",
    "Histogram",
    "Judgements",
    "MomentSums",
    "PowerSums",
    "RankedLines",
    "Ranks",
    "ReliabilitySums",
    "SlotCounts",
    "SlotReplicates",
    "SortedSlots",
    "Tokens",
    "backend",
    "clipped_matches",
    "common_lengths",
    "discounted_list_sums",
    "discounted_sums",
    "exact_sum",
    "fewest_edits",
    "first_ranks",
    "histogram_counts",
    "hit_counts",
    "moment_sums",
    "power_sums",
    "precision_sums",
    "rank_dicts",
    "rank_lines",
    "read_judgements",
    "relevant_counts",
    "reliability_sums",
    "slot_bootstrap",
    "slot_counts",
    "slot_edges",
    "slot_resamples",
    "sorted_groups",
    "sorted_slots",
    "summary_hits",
    "tokenise",
]

__getattr__ = loaded_late(
    __name__,
    {
        "bootstrap": ["SlotReplicates", "slot_bootstrap", "slot_resamples"],
        "choice": ["backend"],
        "edits": ["fewest_edits"],
        "histogram": ["Histogram", "histogram_counts"],
        "ngrams": ["clipped_matches"],
        "powers": ["MOMENT_UNIT", "MomentSums", "PowerSums", "moment_sums", "power_sums"],
        "query_sums": [
            "discounted_list_sums",
            "discounted_sums",
            "exact_sum",
            "first_ranks",
            "hit_counts",
            "precision_sums",
            "relevant_counts",
        ],
        "ranking": ["Judgements", "Ranks", "rank_dicts"],
        "reliability": ["ReliabilitySums", "reliability_sums"],
        "slots": ["SlotCounts", "slot_counts", "slot_edges"],
        "sorting": ["Groups", "SortedSlots", "sorted_groups", "sorted_slots"],
        "subsequences": ["common_lengths", "summary_hits"],
        "tokens": ["Tokens", "tokenise"],
        "trec": ["RankedLines", "rank_lines", "read_judgements"],
    },
)
