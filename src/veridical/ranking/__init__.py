"""Ranked retrieval: runs, golden sets, and how runs compare query by query."""

from veridical.ranking.evaluating import evaluate_ranking, measure_ranking
from veridical.ranking.evaluation import RankingEvaluation

__all__ = ["RankingEvaluation", "evaluate_ranking", "measure_ranking"]
