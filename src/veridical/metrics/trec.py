"""trec_eval's own measures, by its definitions and under its names.

They differ from the family ``retrieval`` in one rule: a query without a relevant document counts
as 0.  A document of a negative grade was pooled and never judged.
"""

from veridical.metrics.trec_counts import (
    num_nonrel_judged_ret,
    num_q,
    num_rel,
    num_rel_ret,
    num_ret,
    p,
    recall,
    rprec,
    set_f,
    set_map,
    set_p,
    set_recall,
    set_relative_p,
    success,
)
from veridical.metrics.trec_gains import ndcg, ndcg_cut, ndcg_rel, rbp, rbp_resid, rndcg
from veridical.metrics.trec_ranks import (
    bing,
    bpref,
    eleven_point_average,
    gm_bpref,
    gm_map,
    infap,
    iprec_at_recall,
    map,  # noqa: A004 - the field's name
    map_cut,
    recip_rank,
)

# The name that trec_eval gives it is no identifier.
globals()["11pt_avg"] = eleven_point_average

__all__ = [
    "bing",
    "bpref",
    "eleven_point_average",
    "gm_bpref",
    "gm_map",
    "infap",
    "iprec_at_recall",
    "map",
    "map_cut",
    "ndcg",
    "ndcg_cut",
    "ndcg_rel",
    "num_nonrel_judged_ret",
    "num_q",
    "num_rel",
    "num_rel_ret",
    "num_ret",
    "p",
    "rbp",
    "rbp_resid",
    "recall",
    "recip_rank",
    "rndcg",
    "rprec",
    "set_f",
    "set_map",
    "set_p",
    "set_recall",
    "set_relative_p",
    "success",
]
