"""Simulated coverage: data from a known world, and how often an interval holds the truth.

``python -m tests.stats.coverage`` prints the tables of design/interval-coverage.md.

A world has normal scores, of standard deviation 1 around 0 for negatives and around ``separation``
for positives.  Negatives are drawn as counts between the sorted positives, so a million of them
cost no more than a thousand.
"""

from __future__ import annotations

import argparse
import math
import sys
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import stats

from veridical.results import Interval
from veridical.stats import resampled_costs as costs
from veridical.stats import resampled_walks as rw
from veridical.stats.bootstrap import bootstrap, percentile_interval, walk_replicates
from veridical.stats.delong import auc_interval
from veridical.stats.influence import average_precision_at_slots
from veridical.stats.intervals import (
    average_precision_interval,
    bias_corrected_bootstrap_interval,
    mean_loss_interval,
    recall_at_fpr_interval,
    skill_interval,
)
from veridical.stats.normal import normal_interval
from veridical.stats.proportions import wilson
from veridical.stats.standard_error import StandardError, scaled_interval, standard_error
from veridical.summaries import Walk
from veridical.summaries.fixed_point import FixedArray

LEVEL = 0.95
REPLICATES = 300
BANK = costs.Prices(fn=850, fp=25, review=5)
POSITIVES = (30, 100, 300, 1000)
PREVALENCES = (0.001, 0.01, 0.1, 0.5)
SEPARATIONS = (0.8, 2.0, 3.5)  # AUC 0.71, 0.92 and 0.993


@dataclass(frozen=True)
class World:
    """What the data are drawn from; ``positives`` is the expected number of them."""

    positives: int
    prevalence: float
    separation: float

    def __str__(self) -> str:
        return f"P={self.positives} prevalence={self.prevalence:g} d={self.separation:g}"

    @property
    def rows(self) -> int:
        return round(self.positives / self.prevalence)

    @cached_property
    def curve(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Thresholds, true recall and true false-positive rate."""
        t = np.linspace(-9, 9 + self.separation, 200_001)
        return t, stats.norm.sf(t - self.separation), stats.norm.sf(t)

    def generator(self, seed: int, what: str) -> np.random.Generator:
        name = zlib.crc32(f"{what} {self}".encode())
        return np.random.default_rng([seed, name])

    def walks(self, seed: int, what: str, simulations: int) -> Iterator[Walk]:
        """Draw data sets with at least two positives."""
        generator = self.generator(seed, what)
        for _ in range(simulations):
            positives = max(2, int(generator.binomial(self.rows, self.prevalence)))
            scores = np.sort(generator.normal(self.separation, 1, positives))[::-1]
            share = np.diff(np.concatenate([[0.0], stats.norm.sf(scores), [1.0]]))
            between = generator.multinomial(self.rows - positives, share / share.sum())
            ones, none = np.ones(positives, dtype=np.int64), FixedArray.zeros(positives)
            yield Walk(scores, FixedArray.from_int(ones), none, FixedArray.from_int(between))


# --- what is true in a world -------------------------------------------------------------------


def true_auc(world: World) -> float:
    return float(stats.norm.cdf(world.separation / math.sqrt(2)))


def true_average_precision(world: World) -> float:
    t, recall, fpr = world.curve
    flagged = world.prevalence * recall + (1 - world.prevalence) * fpr
    precision = world.prevalence * recall / np.maximum(flagged, 1e-300)
    return float(np.trapezoid(precision * stats.norm.pdf(t - world.separation), t))


def true_recall_at(fpr: float) -> Callable[[World], float]:
    return lambda world: float(stats.norm.sf(stats.norm.isf(fpr) - world.separation))


def true_saving(world: World) -> float:
    _, recall, fpr = world.curve
    positives, negatives = world.prevalence, 1 - world.prevalence
    missed, wrong, found = positives * (1 - recall), negatives * fpr, positives * recall
    cost = BANK.fn * missed + BANK.fp * wrong + BANK.review * (wrong + found)
    idle = min(BANK.fn * positives, BANK.fp * negatives + BANK.review)
    return float(idle - min(cost.min(), idle)) * world.rows


def true_ks(world: World) -> float:
    _, recall, fpr = world.curve
    return float((recall - fpr).max())


# --- intervals from a walk -----------------------------------------------------------------------

Method = Callable[[Walk, int], Interval | None]


def _interval(outcome: object) -> Interval | None:
    return outcome if isinstance(outcome, Interval) else None


def _value(walk: Walk, statistic: rw.Statistic) -> float:
    return float(statistic(rw.ResampledWalks.of(walk))[0])


def _replicates(walk: Walk, statistic: rw.Statistic, seed: int, **kwargs: bool) -> np.ndarray:
    drawn = walk_replicates(walk, REPLICATES, seed, **kwargs)
    return bootstrap(drawn, {"value": statistic})["value"]


def by_percentiles(statistic: rw.Statistic, **kwargs: bool) -> Method:
    def method(walk: Walk, seed: int) -> Interval | None:
        return percentile_interval(_replicates(walk, statistic, seed, **kwargs), LEVEL)[0]

    return method


def by_basic_bootstrap(statistic: rw.Statistic) -> Method:
    def method(walk: Walk, seed: int) -> Interval | None:
        interval, _ = percentile_interval(_replicates(walk, statistic, seed), LEVEL)
        twice = 2 * _value(walk, statistic)
        return interval and Interval(twice - interval.high, twice - interval.low, LEVEL, "basic")

    return method


def by_bias_corrected_bootstrap(statistic: rw.Statistic) -> Method:
    def method(walk: Walk, seed: int) -> Interval | None:
        values = _replicates(walk, statistic, seed)
        return bias_corrected_bootstrap_interval(_value(walk, statistic), values, LEVEL)[0]

    return method


def on_logit_scale(estimate: float, error: float, method: str) -> Interval | None:
    """With the normal quantile, as if the standard error were known."""
    found = scaled_interval(estimate, StandardError(error), LEVEL, method, scale="logit")
    return found if isinstance(found, Interval) else None


def by_bootstrap_error_on_logit(statistic: rw.Statistic) -> Method:
    def method(walk: Walk, seed: int) -> Interval | None:
        values = _replicates(walk, statistic, seed)
        estimate, error = _value(walk, statistic), float(np.nanstd(values, ddof=1))
        return on_logit_scale(estimate, error, "logit")

    return method


def average_precision_by_bca(walk: Walk, seed: int) -> Interval | None:
    """Efron's accelerated interval, with the acceleration from the influence values."""
    values = _replicates(walk, rw.average_precision, seed)
    at = average_precision_at_slots(walk)
    counts = np.concatenate([c.to_float() for c in (walk.positives, walk.tied, walk.between)])
    spread = counts @ at.values**2
    if not spread:
        return None
    acceleration = counts @ at.values**3 / (6 * spread**1.5)
    below = np.mean(values < at.estimate) + np.mean(values == at.estimate) / 2
    shift = stats.norm.ppf(np.clip(below, 1 / REPLICATES, 1 - 1 / REPLICATES))
    z = shift + stats.norm.ppf([(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    low, high = np.nanquantile(values, stats.norm.cdf(shift + z / (1 - acceleration * z)))
    return Interval(low, high, LEVEL, "bca")


def _average_precision_error(walk: Walk) -> tuple[float, float] | None:
    at = average_precision_at_slots(walk)
    counts = np.concatenate([c.to_float() for c in (walk.positives, walk.tied, walk.between)])
    error = standard_error(at.values, counts)
    return None if error is None else (at.estimate, error.value)


def average_precision_by_plain_influence(walk: Walk, _seed: int) -> Interval | None:
    found = _average_precision_error(walk)
    return found and normal_interval(*found, LEVEL, "influence")


def average_precision_by_plain_logit(walk: Walk, _seed: int) -> Interval | None:
    found = _average_precision_error(walk)
    return found and on_logit_scale(*found, "influence-logit-normal")


def chosen_recall_at(fpr: float) -> Method:
    def method(walk: Walk, _seed: int) -> Interval:
        recall = _value(walk, rw.recall_at_fpr(fpr))
        return recall_at_fpr_interval(recall, walk, fpr, LEVEL)

    return method


@dataclass(frozen=True)
class Question:
    """A metric of a walk: its truth, the chosen interval, and what else was tried."""

    truth: Callable[[World], float]
    chosen: Method
    tried: dict[str, Method]


QUESTIONS = {
    "roc_auc": Question(true_auc, lambda walk, _: _interval(auc_interval(walk, LEVEL)), {}),
    "average_precision": Question(
        true_average_precision,
        lambda walk, _: _interval(average_precision_interval(walk, LEVEL)),
        {
            "percentile": by_percentiles(rw.average_precision),
            "basic": by_basic_bootstrap(rw.average_precision),
            "BCa": average_precision_by_bca,
            "bootstrap error, logit": by_bootstrap_error_on_logit(rw.average_precision),
            "influence": average_precision_by_plain_influence,
            "influence, logit, z": average_precision_by_plain_logit,
        },
    ),
    **{
        f"recall@fpr={fpr:g}": Question(
            true_recall_at(fpr),
            chosen_recall_at(fpr),
            {
                "percentile": by_percentiles(rw.recall_at_fpr(fpr)),
                "percentile, stratified": by_percentiles(rw.recall_at_fpr(fpr), stratified=True),
            },
        )
        for fpr in (0.001, 0.01)
    },
    "saving": Question(
        true_saving,
        by_bias_corrected_bootstrap(costs.cost_saving(BANK)),
        {
            "percentile": by_percentiles(costs.cost_saving(BANK)),
            "basic": by_basic_bootstrap(costs.cost_saving(BANK)),
        },
    ),
    "ks": Question(
        true_ks, by_bias_corrected_bootstrap(rw.ks), {"percentile": by_percentiles(rw.ks)}
    ),
}


# --- forecasts -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Forecasts:
    """Forecasts of a world on a grid of 300 values, calibrated or not, with their probabilities."""

    p: np.ndarray
    positive: np.ndarray
    negative: np.ndarray

    @classmethod
    def of(cls, world: World, *, calibrated: bool) -> Forecasts:
        edges = np.linspace(-5, 5 + world.separation, 301)
        cuts = np.concatenate([[-np.inf], edges[1:-1], [np.inf]])
        middle = (edges[:-1] + edges[1:]) / 2
        odds = math.log(world.prevalence / (1 - world.prevalence))
        logits = odds + world.separation * middle - world.separation**2 / 2
        if not calibrated:
            logits = 0.7 * logits + 1.0
        positive = np.diff(stats.norm.cdf(cuts - world.separation)) * world.prevalence
        negative = np.diff(stats.norm.cdf(cuts)) * (1 - world.prevalence)
        return cls(1 / (1 + np.exp(-logits)), positive, negative)

    @property
    def losses(self) -> dict[str, np.ndarray]:
        p = self.p
        return {
            "brier": np.concatenate([(1 - p) ** 2, p**2]),
            "log_loss": np.concatenate([-np.log(p), -np.log1p(-p)]),
        }


def brier_ratio(losses: np.ndarray, y: np.ndarray, share: np.ndarray) -> tuple[float, np.ndarray]:
    """Brier over ybar (1 - ybar), and the influence of each cell."""
    brier, rate = share @ losses, share @ y
    spread = rate * (1 - rate)
    ratio = brier / spread
    return ratio, (losses - brier - ratio * (1 - 2 * rate) * (y - rate)) / spread


def forecast_coverage(
    world: World, metric: str, simulations: int, seed: int, *, calibrated: bool = True
) -> Coverage:
    """Coverage of the interval of the Brier score, log loss or Brier skill."""
    forecasts = Forecasts.of(world, calibrated=calibrated)
    share = np.concatenate([forecasts.positive, forecasts.negative])
    share /= share.sum()
    y = np.repeat([1.0, 0.0], len(forecasts.p))
    losses = forecasts.losses["brier" if metric == "brier_skill" else metric]
    truth = 1 - brier_ratio(losses, y, share)[0] if metric == "brier_skill" else share @ losses
    generator = world.generator(seed, metric)
    intervals = []
    for _ in range(simulations):
        counts = generator.multinomial(world.rows, share).astype(float)
        if metric == "brier_skill":
            if not 0 < counts @ y < world.rows:
                continue
            ratio, influence = brier_ratio(losses, y, counts / world.rows)
            outcome = skill_interval(ratio, standard_error(influence, counts), LEVEL)
        else:
            mean = float(counts @ losses / world.rows)
            outcome = mean_loss_interval(mean, standard_error(losses, counts), LEVEL)
        intervals.append(_interval(outcome))
    return Coverage.of(intervals, float(truth))


def recall_coverage(world: World, simulations: int, seed: int) -> Coverage:
    """Coverage of Wilson's interval of recall at a fixed threshold."""
    generator = world.generator(seed, "recall")
    truth = float(stats.norm.sf(1 - world.separation))
    positives = np.maximum(1, generator.binomial(world.rows, world.prevalence, simulations))
    hits = generator.binomial(positives, truth)
    pairs = zip(hits.tolist(), positives.tolist(), strict=True)
    return Coverage.of([wilson(h, p, LEVEL) for h, p in pairs], truth)


# --- counting -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Coverage:
    """How many intervals held the truth, lay above it, lay below it, or did not exist."""

    held: int
    above: int
    below: int
    missing: int

    @classmethod
    def of(cls, intervals: list[Interval | None], truth: float) -> Coverage:
        found = [i for i in intervals if i is not None]
        above, below = sum(truth < i.low for i in found), sum(truth > i.high for i in found)
        return cls(len(found) - above - below, above, below, len(intervals) - len(found))

    @property
    def total(self) -> int:
        return self.held + self.above + self.below

    @property
    def share(self) -> float:
        return self.held / self.total

    def consistent_with(self, lowest: float, highest: float) -> bool:
        """Whether the count could come from a coverage in this range (one chance in 10,000)."""
        enough = stats.binom.ppf(1e-4, self.total, lowest)
        not_too_many = stats.binom.isf(1e-4, self.total, highest)
        return bool(enough <= self.held <= not_too_many)


def walk_coverage(
    world: World, metric: str, simulations: int, seed: int, method: Method | None = None
) -> Coverage:
    """Coverage of an interval that is made from a walk; the chosen method by default."""
    question = QUESTIONS[metric]
    method = method or question.chosen
    intervals = [method(walk, i) for i, walk in enumerate(world.walks(seed, metric, simulations))]
    return Coverage.of(intervals, question.truth(world))


def worlds(positives: tuple[int, ...] = POSITIVES) -> list[World]:
    return [World(p, q, d) for p in positives for q in PREVALENCES for d in SEPARATIONS]


def is_claimed(metric: str, world: World) -> bool:
    """Whether coverage is claimed in a world; the design note says this in words."""
    nearly_perfect = world.separation > 3
    losses = {"brier", "log_loss", "brier_skill"}
    exceptions = [
        metric == "ks",
        metric == "roc_auc" and nearly_perfect and world.positives <= 100,
        metric.startswith("recall@fpr=") and allowed_false_positives(metric, world) < 5,
        metric in losses and nearly_perfect and world.rows < 200,
        metric == "brier_skill" and world.positives < 100 and world.prevalence < 0.1,
        metric == "saving" and (world.prevalence > 0.01 or world.separation < 2),
    ]
    return not any(exceptions)


def claimed_range(metric: str, world: World) -> tuple[float, float]:
    """Return the lowest and highest coverage that is claimed for a nominal 95%."""
    if metric == "average_precision" and not 0.05 < true_average_precision(world) < 0.99:
        return 0.93, 0.99
    return 0.93, 0.97


def allowed_false_positives(metric: str, world: World) -> float:
    return float(metric.partition("=")[2]) * world.rows * (1 - world.prevalence)


def coverage(world: World, metric: str, simulations: int, seed: int) -> Coverage:
    """Coverage of the chosen interval of a metric."""
    if metric == "recall":
        return recall_coverage(world, simulations, seed)
    if metric in QUESTIONS:
        return walk_coverage(world, metric, simulations, seed)
    return forecast_coverage(world, metric, simulations, seed)


def _print(name: str, cells: list[str]) -> None:
    sys.stdout.write("| " + " | ".join([name, *cells]) + " |\n")
    sys.stdout.flush()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("metric")
    parser.add_argument("--simulations", type=int, default=1000)
    parser.add_argument("--positives", type=int, nargs="+", default=list(POSITIVES))
    parser.add_argument("--tried", action="store_true", help="also the methods not chosen")
    parser.add_argument("--miscalibrated", action="store_true")
    options = parser.parse_args()
    n, metric = options.simulations, options.metric
    question = QUESTIONS.get(metric)
    methods = {"chosen": None, **(question.tried if question and options.tried else {})}
    _print("world", list(methods))
    for world in worlds(tuple(options.positives)):
        if question:
            found = [walk_coverage(world, metric, n, 1, method) for method in methods.values()]
        elif options.miscalibrated:
            found = [forecast_coverage(world, metric, n, 1, calibrated=False)]
        else:
            found = [coverage(world, metric, n, 1)]
        truth = f" ({question.truth(world):.3g})" if question else ""
        cells = [
            f"{100 * c.share:.1f} ({100 * c.above / c.total:.1f}/{100 * c.below / c.total:.1f})"
            for c in found
        ]
        _print(f"{world}{truth}", cells)


if __name__ == "__main__":
    main()
