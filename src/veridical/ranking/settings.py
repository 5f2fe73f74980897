"""``RankingSettings``: how runs are evaluated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from veridical.errors import ParameterError
from veridical.parameters import truth, whole
from veridical.ranking.ordering import Duplicates, Ties
from veridical.stats.normal import check_level
from veridical.stats.resolution import FEWEST_REPLICATES

__all__ = ["Average", "RankingSettings"]

Average: TypeAlias = Literal["golden", "intersection"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingSettings:
    """How runs are evaluated; see ``evaluate_ranking``."""

    ties: Ties = "docid_desc"
    duplicates: Duplicates = "error"
    average: Average = "golden"
    level: float = 0.95
    intervals: bool = True
    seed: int = 0
    replicates: int = 1000

    def __post_init__(self) -> None:
        check_level(self.level)
        for name, known in (
            ("ties", ("docid_desc", "input", "average", "error")),
            ("duplicates", ("error", "keep-first")),
            ("average", ("golden", "intersection")),
        ):
            if getattr(self, name) not in known:
                raise ParameterError(
                    f"{name}= is one of {', '.join(known)}, not {getattr(self, name)!r}",
                    fix="choose one of them",
                )
        truth("intervals", self.intervals)
        whole("seed", self.seed)
        whole("replicates", self.replicates, FEWEST_REPLICATES, 1_000_000)
