"""``JudgedSample``: what a judge said, and how often he was right where the truth is known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from veridical import strict_json
from veridical.errors import FileFormatError
from veridical.summaries.base import check_schema
from veridical.summaries.confusion import ConfusionCounts

__all__ = ["JudgedSample"]


@dataclass(frozen=True, slots=True)
class JudgedSample:
    """A judge's verdicts on many items, some of which have a true label.

    A commutative monoid: ``a + b`` merges, ``JudgedSample()`` is the identity.

    Attributes
    ----------
    labelled
        The judge's verdicts (flagged) against the truth (positive), where both are known.
    judged_positive, judged
        Items that the judge gave the label, of all that he rated, the labelled ones too.

    Examples
    --------
    >>> sample = JudgedSample(ConfusionCounts(tp=45, fn=5, fp=10, tn=40), 280, 400)
    >>> sample.unlabelled, sample.unlabelled_positive
    (300, 225)
    """

    schema: ClassVar[str] = "veridical.judged_sample/1"

    labelled: ConfusionCounts = field(default_factory=ConfusionCounts)
    judged_positive: int = 0
    judged: int = 0

    @property
    def unlabelled(self) -> int:
        """Judged items without a true label."""
        return self.judged - round(self.labelled.n)

    @property
    def unlabelled_positive(self) -> int:
        """Those of them that the judge gave the label."""
        return self.judged_positive - round(self.labelled.flagged)

    @property
    def power(self) -> float:
        """The weight of the judge's word that gives the corrected rate least variance, in [0, 1].

        The covariance divides by the number of items, the variance of the judge's word by one
        less, as ppi-python has it.  It is 0 where the judge never varies, or where all items are
        labelled.
        """
        counts, n = self.labelled, self.labelled.n
        if n == 0 or self.unlabelled == 0:
            return 0.0
        said = self.judged_positive / self.judged
        variance = said * (1 - said) * self.judged / max(self.judged - 1, 1)
        if variance == 0:
            return 0.0
        covariance = counts.tp / n - (counts.positives / n) * (counts.flagged / n)
        ratio = float(covariance) / (variance * (1 + float(n) / self.unlabelled))
        return min(1.0, max(0.0, ratio))

    def corrected_rate(self, power: float) -> float:
        """Return the prediction-powered rate under a weight of the judge's word."""
        n = self.labelled.n
        truth, said = float(self.labelled.positives / n), float(self.labelled.flagged / n)
        if power == 0:
            return truth
        return truth + power * (self.unlabelled_positive / self.unlabelled - said)

    def corrected_variance(self, power: float) -> float:
        """Return the variance of that rate."""
        c, n = self.labelled, float(self.labelled.n)
        # y - power f takes one of four values.
        values = ((1 - power, c.tp), (-power, c.fp), (1.0, c.fn), (0.0, c.tn))
        mean = sum(value * float(count) for value, count in values) / n
        spread = sum((value - mean) ** 2 * float(count) for value, count in values) / n
        if power == 0:
            return spread / n
        said = self.unlabelled_positive / self.unlabelled
        return spread / n + power**2 * said * (1 - said) / self.unlabelled

    def __add__(self, other: JudgedSample) -> JudgedSample:
        if not isinstance(other, JudgedSample):
            return NotImplemented
        return JudgedSample(
            self.labelled + other.labelled,
            self.judged_positive + other.judged_positive,
            self.judged + other.judged,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the portable form."""
        return {
            "schema": self.schema,
            "labelled": self.labelled.to_dict(),
            "judged_positive": self.judged_positive,
            "judged": self.judged,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read back what ``to_dict`` wrote."""
        check_schema(data, cls.schema)
        positive, judged = data["judged_positive"], data["judged"]
        if not (type(positive) is int and type(judged) is int and 0 <= positive <= judged):
            raise FileFormatError(
                "judged items are whole numbers, and no more of them positive than there are",
                fix="summarise the data again",
            )
        return cls(ConfusionCounts.from_dict(data["labelled"]), positive, judged)

    @property
    def sha256(self) -> str:
        """Hash of the canonical form."""
        return strict_json.sha256(self.to_dict())
