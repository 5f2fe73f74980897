"""Ranked retrieval: runs, golden sets, and how runs compare query by query."""

from veridical.ranking.evaluating import evaluate_ranking, measure_ranking
from veridical.ranking.evaluation import RankingEvaluation
from veridical.ranking.fusion import fuse

__all__ = ["RankingEvaluation", "evaluate_ranking", "fuse", "measure_ranking"]
