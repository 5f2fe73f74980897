"""``Calibration``: a judge's bands beside the labels, prompt by prompt, and what is not enough."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Any, Final

from veridical.evaluation.agreement import measure_agreement
from veridical.judge.calibration.samples import NOT_APPLICABLE, Sample
from veridical.judge.verdicts import Contract
from veridical.results import Interval, Measured, Result, Skipped
from veridical.stats.normal import normal_interval
from veridical.stats.proportions import wilson

__all__ = ["JUDGE_ERROR", "MIN_SAMPLES", "Calibration", "Judged", "PromptCalibration", "Thresholds"]

JUDGE_ERROR: Final = "judge_error"
MIN_SAMPLES: Final = 10

_STEPS = ("0", "0.5", "1")
_NEEDED: Final = {"citation_support": ("0", "1"), "refusal": ("0", "1")}


@dataclass(frozen=True, slots=True)
class Thresholds:
    """What each prompt must reach: shares in [0, 1], and what kappa's lower bound must exceed."""

    exact: float = 0.7
    within: float = 0.9
    kappa: float = 0.2
    label_share: float = 0.2


@dataclass(frozen=True, slots=True)
class Judged:
    """A sample with the band of each repeat; ``judge_error`` where there was no verdict."""

    sample: Sample
    bands: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PromptCalibration:
    """A judge under one prompt.

    Attributes
    ----------
    contract
        The prompt.
    judged
        The samples; the first repeat counts, the others are for ``self_agreement``.
    thresholds
        What has to be reached.
    """

    contract: Contract
    judged: tuple[Judged, ...]
    thresholds: Thresholds

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """(label, band of the judge) of each sample."""
        return [(item.sample.band, item.bands[0]) for item in self.judged]

    @property
    def exact(self) -> Measured:
        """Share of the samples in the same band."""
        return _share([label == said for label, said in self.pairs])

    @property
    def within(self) -> Measured:
        """Share of the samples at most one band apart; not applicable is near to nothing else."""
        return _share([_near(label, said) for label, said in self.pairs])

    @property
    def kappa(self) -> Result:
        """Cohen's kappa of labels and judge.

        Where both agree on every sample the usual interval has no width; the bound is then the
        kappa that the lower Wilson bound of agreement comes to at the chance of these labels.
        """
        labels, said = zip(*self.pairs, strict=True)
        result = measure_agreement("agreement.cohens_kappa", list(labels), list(said))
        if isinstance(result, Measured) and result.interval is None and result.value == 1:
            chance = sum((n / len(labels)) ** 2 for n in Counter(labels).values())
            least = wilson(len(labels), len(labels), 0.95).low
            low = (least - chance) / (1 - chance)
            return Measured(1, result.n, interval=Interval(low, 1, 0.95, "wilson-at-chance"))
        return result

    @property
    def bias(self) -> Result:
        """Mean of judge minus label where both have a band: positive is lenient."""
        apart = [float(b) - float(a) for a, b in self.pairs if a in _STEPS and b in _STEPS]
        if not apart:
            return Skipped("no_rows", detail="no sample has a band from both")
        mean, n = fmean(apart), len(apart)
        error = stdev(apart) / math.sqrt(n) if n > 1 else 0.0
        within = normal_interval(mean, error, 0.95, "normal", bounds=(-1, 1)) if error else None
        return Measured(mean, n, interval=within)

    @property
    def self_agreement(self) -> Result:
        """Share of the samples that got the same band at every repeat."""
        if any(len(item.bands) < 2 for item in self.judged):
            return Skipped("no_rows", detail="each sample was judged once")
        return _share([len(set(item.bands)) == 1 for item in self.judged])

    @property
    def ceiling(self) -> Result:
        """Share of the samples on which two people agree, where two labelled."""
        both = [people for item in self.judged if (people := item.sample.bands_of_people)]
        if not both:
            return Skipped("no_reference", detail="no sample was labelled by two people")
        return _share([one == other for one, other in both])

    @property
    def corrected(self) -> Result:
        """Rate of band 1, from the judge's rate on these samples and his errors on them."""
        labels, said = zip(*self.pairs, strict=True)
        full = [band == "1" for band in said], [band == "1" for band in labels]
        if True not in full[0] and True not in full[1]:
            return Skipped("no_positives", detail="neither judge nor labels gave full marks")
        return measure_agreement("agreement.rogan_gladen_rate", *full, rate=True)

    @property
    def best_constant(self) -> float:
        """Exact agreement of the best judge that always says the same."""
        return max(Counter(label for label, _ in self.pairs).values()) / len(self.judged)

    @property
    def failures(self) -> list[str]:
        """What is not enough, in sentences; empty where the judge passes."""
        t, kappa = self.thresholds, self.kappa
        low = kappa.interval.low if kappa.interval else None
        labels = Counter(label for label, _ in self.pairs)
        needed = dict.fromkeys((*_NEEDED.get(self.contract, _STEPS), *labels))
        rare = [b for b in needed if labels[b] / len(self.judged) < t.label_share]
        wrong = {
            f"exact agreement {self.exact.value:.1%} is below {t.exact:.0%}": (
                self.exact.value < t.exact
            ),
            f"agreement within one band {self.within.value:.1%} is below {t.within:.0%}": (
                self.within.value < t.within
            ),
            f"the lower bound of kappa is not above {t.kappa:g}": low is None or low <= t.kappa,
            f"a judge that always says the same reaches {self.best_constant:.1%}": (
                self.exact.value <= self.best_constant
            ),
            f"fewer than {t.label_share:.0%} of the samples have the label {', '.join(rare)}": (
                bool(rare)
            ),
        }
        return [sentence for sentence, failed in wrong.items() if failed]

    def to_dict(self) -> dict[str, Any]:
        """Return the prompt as a JSON object."""
        names = ("exact", "within", "kappa", "bias", "self_agreement", "ceiling", "corrected")
        confusion: dict[str, Counter[str]] = {}
        for label, said in self.pairs:
            confusion.setdefault(label, Counter())[said] += 1
        return {
            "prompt": self.contract,
            "n": len(self.judged),
            "sources": dict(Counter(item.sample.source for item in self.judged)),
            **{name: _brief(getattr(self, name)) for name in names},
            "best_constant": self.best_constant,
            "confusion": {label: dict(said) for label, said in sorted(confusion.items())},
            "judge_errors": sum(said == JUDGE_ERROR for _, said in self.pairs),
            "passed": not self.failures,
            "failures": self.failures,
        }


@dataclass(frozen=True, slots=True)
class Calibration:
    """A judge under every prompt that there are samples for.

    Attributes
    ----------
    judge
        Its name.
    prompts
        One calibration a prompt.
    fallen_for
        The forged verdicts that raised a score, or took the answer out of the mean; None where none
        was tried.
    """

    judge: str
    prompts: tuple[PromptCalibration, ...]
    fallen_for: tuple[str, ...] | None = None

    @property
    def passed(self) -> bool:
        """Whether no prompt falls below, and no forgery paid."""
        return not self.fallen_for and all(not prompt.failures for prompt in self.prompts)

    def to_dict(self) -> dict[str, Any]:
        """Return the document ``veridical.calibration/1``."""
        return {
            "schema": "veridical.calibration/1",
            "judge": self.judge,
            "passed": self.passed,
            "prompts": [prompt.to_dict() for prompt in self.prompts],
            "fallen_for": None if self.fallen_for is None else list(self.fallen_for),
        }


def _near(label: str, said: str) -> bool:
    if label in _STEPS and said in _STEPS:
        return abs(float(label) - float(said)) <= 0.5
    return label == said == NOT_APPLICABLE


def _share(yes: Sequence[bool]) -> Measured:
    return Measured(sum(yes) / len(yes), len(yes), interval=wilson(sum(yes), len(yes), 0.95))


def _brief(result: Result) -> dict[str, Any]:
    if isinstance(result, Skipped):
        skip = {"reason": str(result.reason), "detail": result.detail}
        return {"value": None, "skip": skip, "n": result.n}
    interval = result.interval.to_dict() if result.interval else None
    return {"value": result.value, "interval": interval, "n": result.n}
