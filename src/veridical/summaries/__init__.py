"""The mergeable values that metrics are computed from, one noun a file."""

from typing import TYPE_CHECKING

from veridical.late import loaded_late

if TYPE_CHECKING:
    from veridical.summaries.case_outcomes import CaseOutcomes
    from veridical.summaries.confusion import ConfusionCounts
    from veridical.summaries.contingency import ContingencyTable, RatingPatterns
    from veridical.summaries.cosines import Cosines
    from veridical.summaries.grouped import GroupedCounts
    from veridical.summaries.judged_sample import JudgedSample
    from veridical.summaries.key_grid import KeyGrid
    from veridical.summaries.losses import LossSums
    from veridical.summaries.query_values import QueryValues
    from veridical.summaries.ranked_queries import RankedQueries
    from veridical.summaries.ranking import Ranking
    from veridical.summaries.reliability import ReliabilityTable
    from veridical.summaries.score_bins import ScoreBins
    from veridical.summaries.score_histogram import ScoreHistogram
    from veridical.summaries.score_slots import ScoreSlots
    from veridical.summaries.score_table import ScoreTable
    from veridical.summaries.tied_queries import TiedQueries
    from veridical.summaries.token_matches import TokenMatches
    from veridical.summaries.token_statistics import TokenStatistics
    from veridical.summaries.walk import Walk

__all__ = [
    "CaseOutcomes",
    "ConfusionCounts",
    "ContingencyTable",
    "Cosines",
    "GroupedCounts",
    "JudgedSample",
    "KeyGrid",
    "LossSums",
    "QueryValues",
    "RankedQueries",
    "Ranking",
    "RatingPatterns",
    "ReliabilityTable",
    "ScoreBins",
    "ScoreHistogram",
    "ScoreSlots",
    "ScoreTable",
    "TiedQueries",
    "TokenMatches",
    "TokenStatistics",
    "Walk",
]

__getattr__ = loaded_late(
    __name__,
    {
        "case_outcomes": ["CaseOutcomes"],
        "confusion": ["ConfusionCounts"],
        "contingency": ["ContingencyTable", "RatingPatterns"],
        "cosines": ["Cosines"],
        "grouped": ["GroupedCounts"],
        "judged_sample": ["JudgedSample"],
        "key_grid": ["KeyGrid"],
        "losses": ["LossSums"],
        "query_values": ["QueryValues"],
        "ranked_queries": ["RankedQueries"],
        "ranking": ["Ranking"],
        "reliability": ["ReliabilityTable"],
        "score_bins": ["ScoreBins"],
        "score_histogram": ["ScoreHistogram"],
        "score_slots": ["ScoreSlots"],
        "score_table": ["ScoreTable"],
        "token_matches": ["TokenMatches"],
        "tied_queries": ["TiedQueries"],
        "token_statistics": ["TokenStatistics"],
        "walk": ["Walk"],
    },
)
