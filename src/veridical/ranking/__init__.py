"""Ranked retrieval: runs, golden sets, and how runs compare query by query.

In the order to read them:

* ``evaluating``: ``evaluate_ranking``, run by run; ``names`` says which runs there are, and
  ``settings`` how they are evaluated.
* ``golden``: the golden set, its hash, and who puts a run in order: a kernel, or ``columns`` with
  all checks.  ``ordering`` is what both return; ``row_order`` sorts rows.
* ``matching``: which queries the two share.  ``measuring``: the metrics of one run.
* ``evaluation``: ``RankingEvaluation``, the answer, in the ``terminal`` and as trec_eval prints it
  (``trec_form``).
* ``restored``, ``refinalising``: a stored ranking as it was returned, and computed again.
* ``fusion``: several runs made into one, by ``fused_rows``.
"""

from veridical.ranking.evaluating import evaluate_ranking, measure_ranking
from veridical.ranking.evaluation import RankingEvaluation
from veridical.ranking.fusion import fuse

__all__ = ["RankingEvaluation", "evaluate_ranking", "fuse", "measure_ranking"]
