"""Two groups of known rates, drawn by weights and in clusters, and what intervals say: simulations.

``python -m tests.fairness.worlds`` prints the table of design/interval-coverage.md.

Labels say nothing of the decisions here, so that the true rates among rows with the favourable
label are those among all, on half as many rows.
"""

from __future__ import annotations

import argparse
import math
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import astuple, dataclass
from typing import NamedTuple

import numpy as np
from scipy.stats import beta

from tests.stats.coverage import LEVEL, Coverage
from veridical.parity.decisions import Decisions
from veridical.results import Interval
from veridical.stats.two_shares import difference_interval, ratio_interval
from veridical.summaries.compared_groups import ComparedGroups, Share
from veridical.tables import Groups

Shares = tuple[Share, Share]
Rates = tuple[float, float]

NAMES = ("a", "b")


@dataclass(frozen=True, slots=True)
class World:
    """Where decisions come from.

    Attributes
    ----------
    told
        What is special about it.
    rows, rates
        Before some are left out; true rates of the group and of the reference.
    uneven
        Standard deviation of the logarithm of weights that know nothing of the decision.
    kept
        Chances to be kept of a favourable decision, and of another one; each row draws one of
        them, and is weighted by its inverse.
    clusters, alike
        How many; the correlation of two decisions of one cluster about one group.
    both
        Whether clusters have rows of both groups: ``1`` where both rates of a cluster rise
        together, ``-1`` where one falls as the other rises, ``0`` where groups have their own.
    uneven_clusters
        As ``uneven``, of weights that all rows of a cluster have.
    """

    told: str
    rows: int = 1_500
    rates: Rates = (0.3, 0.4)
    uneven: float = 0.0
    kept: tuple[tuple[float, ...], tuple[float, ...]] | None = None
    clusters: int = 0
    alike: float = 0.0
    both: int = 0
    uneven_clusters: float = 0.0

    def __str__(self) -> str:
        return self.told

    def draws(self, seed: int, simulations: int) -> Iterator[ComparedGroups]:
        """Yield what is seen of both groups."""
        rng = np.random.default_rng([seed, zlib.crc32(self.told.encode())])
        for _ in range(simulations):
            yield self._decisions(rng).tallied(["b"]).beside("g", *NAMES)

    def _decisions(self, rng: np.random.Generator) -> Decisions:
        cluster = rng.integers(0, self.clusters, self.rows) if self.clusters else None
        apart = cluster is not None and not self.both
        group = cluster % 2 if apart else rng.integers(0, 2, self.rows)
        favoured = rng.random(self.rows) < self._chances(rng, group, cluster)
        weight = np.exp(self.uneven * rng.normal(size=self.rows))
        if self.uneven_clusters:
            weight *= np.exp(self.uneven_clusters * rng.normal(size=self.clusters))[cluster]
        there = np.ones(self.rows, bool)
        if self.kept is not None:
            one, other = (rng.choice(chances, self.rows) for chances in self.kept)
            chance = np.where(favoured, one, other)
            there, weight = rng.random(self.rows) < chance, weight / chance
        return Decisions(
            favoured[there],
            rng.random(int(there.sum())) < 0.5,
            {"g": Groups(group[there].astype(np.uint32), NAMES)},
            {},
            weight=weight[there] if self.is_weighted else None,
            cluster=None if cluster is None else cluster[there],
        )

    def _chances(
        self, rng: np.random.Generator, group: np.ndarray, cluster: np.ndarray | None
    ) -> np.ndarray:
        """Return the chance of a favourable decision of each row."""
        if cluster is None or not self.alike:
            return np.array(self.rates)[group]
        # Beta distributed rates of clusters, by the place of a cluster among all.
        place, more = rng.random(self.clusters), 1 / self.alike - 1
        places = place, place if self.both >= 0 else 1 - place
        of = [
            beta.ppf(at, more * p, more * (1 - p)) for at, p in zip(places, self.rates, strict=True)
        ]
        return np.stack(of)[group, cluster]

    def fewest(self, metric: str) -> float:
        """Return how many rows of equal weight the rarer outcome of either side has, expected.

        By Kish's formula: rows divided by the mean of w^2 over the square of the mean of w.
        """
        rows = self.rows / (4 if metric == "opportunity" else 2)
        uneven = math.exp(self.uneven**2 + self.uneven_clusters**2)
        chances = self.kept or ((1.0,), (1.0,))
        return min(
            rows * share / uneven / np.mean([1 / chance for chance in chances[other]])
            for rate in self.rates
            for other, share in enumerate((rate, 1 - rate))
        )

    def claimed(self, metric: str) -> tuple[float, float] | None:
        """Return the lowest and highest coverage that is claimed for a nominal 95%.

        With fewer than ten such rows Kish's limit holds now and then, and with fewer than fifteen
        clusters on a side Student's quantile is large: both cover more often.  With fewer than five
        nothing is claimed.
        """
        fewest = self.fewest(metric)
        clusters = (self.clusters if self.both else self.clusters / 2) or math.inf
        if min(fewest, clusters) < 5:
            return None
        return 0.93, 0.97 if fewest >= 10 and clusters >= 15 else 1.0

    @property
    def is_weighted(self) -> bool:
        """Whether rows have fractional weights."""
        return bool(self.uneven or self.kept or self.uneven_clusters)

    def coverage(
        self, seed: int, simulations: int, methods: Sequence[str] = ("chosen",)
    ) -> dict[tuple[str, str], Counted]:
        """Return, by method and metric, how often intervals hold the truth, and how wide they are.

        Where the reference has no favourable decision there is no ratio.
        """
        found: dict[tuple[str, str], list[Interval | None]] = {}
        for groups in self.draws(seed, simulations):
            for metric, (of, interval, _) in METRICS.items():
                shares = of(groups)
                exists = interval is difference_interval or shares[1].hits
                for name in methods:
                    a, b = TRIED[name](*shares)
                    one = interval(a, b, LEVEL) if exists else None
                    found.setdefault((name, metric), []).append(one)
        return {
            (name, metric): Counted.of(intervals, METRICS[metric][2](*self.rates))
            for (name, metric), intervals in found.items()
        }


class Counted(NamedTuple):
    """Where intervals were, and how wide they are on average."""

    coverage: Coverage
    width: float

    @classmethod
    def of(cls, intervals: list[Interval | None], truth: float) -> Counted:
        widths = [one.width for one in intervals if one is not None]
        return cls(Coverage.of(intervals, truth), math.fsum(widths) / len(widths))

    def __str__(self) -> str:
        held, above, below, _ = astuple(self.coverage)
        shares = (100 * count / self.coverage.total for count in (held, above, below))
        return "{:.1f} ({:.1f}/{:.1f}) {:.3f}".format(*shares, self.width)


Method = Callable[[Share, Share], Shares]

METRICS = {
    "difference": (lambda groups: groups.selected, difference_interval, lambda a, b: a - b),
    "ratio": (lambda groups: groups.selected, ratio_interval, lambda a, b: a / b),
    "opportunity": (lambda groups: groups.found, difference_interval, lambda a, b: a - b),
}


def chosen(a: Share, b: Share) -> Shares:
    """As they are."""
    return a, b


def capped(a: Share, b: Share) -> Shares:
    """Never more than Kish's number of units, known as if it were counted, groups apart."""
    return tuple(  # type: ignore[return-value]
        one if one.effective is None else Share(one.hits, one.n, one.worth) for one in (a, b)
    )


def normal(a: Share, b: Share) -> Shares:
    """With the normal quantile, as if variances were known."""
    return a._replace(degrees_of_freedom=math.inf), b._replace(degrees_of_freedom=math.inf)


def apart(a: Share, b: Share) -> Shares:
    """Clusters of both groups taken for two."""
    return a._replace(correlation=0.0), b._replace(correlation=0.0)


TRIED: dict[str, Method] = {
    "chosen": chosen, "capped": capped, "normal": normal, "apart": apart
}  # fmt: skip

OFTEN, RARELY = (0.9,), (0.15, 0.5)

WORLDS = [
    World("uneven weights (0.5), 1,500 rows", uneven=0.5),
    World("uneven weights (1), 1,500 rows", uneven=1.0),
    World("uneven weights (1), 300 rows", 300, uneven=1.0),
    World("uneven weights (1), 120 rows", 120, uneven=1.0),
    World("uneven weights (1.5), 300 rows", 300, uneven=1.5),
    World("favoured kept often, 1,500 rows", kept=(OFTEN, RARELY)),
    World("favoured kept often, 300 rows", 300, kept=(OFTEN, RARELY)),
    World("favoured kept often, 120 rows", 120, kept=(OFTEN, RARELY)),
    World("favoured kept rarely, 1,500 rows", kept=(RARELY, OFTEN)),
    World("favoured kept rarely, 300 rows", 300, kept=(RARELY, OFTEN)),
    World("favoured kept rarely, 120 rows", 120, kept=(RARELY, OFTEN)),
    World("all favoured, one other in 50", 10_000, (0.02, 0.03), kept=((0.9,), (0.02,))),
    World("all favoured, one other in 9", 1_000, (0.02, 0.03), kept=((1.0,), (0.11,))),
    World("rates near 0, uneven weights", 1_000, (0.02, 0.03), uneven=0.7),
    World("rates near 1, uneven weights", 1_000, (0.97, 0.98), uneven=0.7),
    World("200 clusters of one group", 2_000, clusters=200, alike=0.1),
    World("60 clusters of one group", 600, clusters=60, alike=0.3),
    World("30 clusters of one group", 600, clusters=30, alike=0.1),
    World("200 clusters of one group, rates near 0", 4_000, (0.02, 0.03), clusters=200, alike=0.05),
    World("200 clusters of both", 2_000, clusters=200, alike=0.1, both=1),
    World("40 clusters of both", 1_600, clusters=40, alike=0.2, both=1),
    World("20 clusters of both", 800, clusters=20, alike=0.1, both=1),
    World("100 clusters of both, one for the other", 2_000, clusters=100, alike=0.2, both=-1),
    World("40 clusters of both, one for the other", 800, clusters=40, alike=0.2, both=-1),
    World("400 clusters of two rows", 800, clusters=400, alike=0.4, both=1),
    World("200 weighted clusters", 2_000, clusters=200, alike=0.1, uneven_clusters=0.7),
    World(
        "clusters of both, weights, favoured kept often",
        2_000, uneven=0.7, kept=((0.9,), (0.3, 0.6)), clusters=100, alike=0.1, both=1,
    ),
    World("10 clusters of one group", 400, clusters=10, alike=0.1),
    World("10 clusters of both", 400, clusters=10, alike=0.1, both=1),
    World("30 clusters of one group, rates near 0", 1_200, (0.02, 0.03), clusters=30, alike=0.05),
]  # fmt: skip


def main() -> None:
    """Print the coverage of each world."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--simulations", type=int, default=2_000)
    parser.add_argument("--tried", action="store_true", help="also what was not chosen")
    parser.add_argument("--only", default="", help="worlds that are called so")
    options = parser.parse_args()
    names = list(TRIED) if options.tried else ["chosen"]
    for world in (one for one in WORLDS if options.only in one.told):
        found = world.coverage(2, options.simulations, names)
        for name in names:
            cells = [str(world), name, *(str(found[name, metric]) for metric in METRICS)]
            print(f"| {' | '.join(cells)} |", flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
