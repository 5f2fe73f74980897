"""``LossSums``: the sums that the mean of a loss over rows, and its moments, follow from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from veridical import strict_json
from veridical.errors import MismatchError
from veridical.kernels import power_sums
from veridical.summaries.base import check_schema
from veridical.summaries.confusion import Count
from veridical.summaries.fixed_point import (
    FRACTION_BITS,
    PRODUCT_BITS,
    FixedArray,
    dot_exactly,
    exact_number,
)
from veridical.summaries.score_table import ScoreTable

__all__ = ["ClassLoss", "Loss", "LossSums", "losses_of"]

Floats: TypeAlias = npt.NDArray[np.float64]
Loss: TypeAlias = Literal["squared_error", "log"]


# Rows whose forecasts and powers of losses stay in the second-level cache.
_BLOCK = 1 << 16

_LOSSES: Mapping[tuple[Loss, bool], Callable[[Floats], Floats]] = {
    ("squared_error", True): lambda p: np.square(1 - p),
    ("squared_error", False): np.square,
    ("log", True): lambda p: -np.log(p),
    ("log", False): lambda p: -np.log1p(-p),
}


def losses_of(
    loss: Loss, forecasts: npt.NDArray[np.floating], clip: float = 0.0
) -> tuple[Floats, Floats]:
    """Return the loss of each forecast if its row is positive, and if it is negative.

    Parameters
    ----------
    loss
        ``"squared_error"``: (p - y)^2; ``"log"``: -ln of the probability given to what happened.
    forecasts
        In [0, 1], shape (n,).
    clip
        Forecasts are first moved into [clip, 1 - clip].

    Examples
    --------
    >>> [loss.tolist() for loss in losses_of("squared_error", np.array([0.25]))]
    [[0.5625], [0.0625]]
    """
    if_positive, if_negative = (_loss_if(y, loss, forecasts, clip) for y in (True, False))
    return if_positive, if_negative


def _loss_if(
    y: bool,  # noqa: FBT001 - the label, not a switch
    loss: Loss,
    forecasts: npt.NDArray[np.floating],
    clip: float,
) -> Floats:
    p = forecasts.astype(np.float64)
    if clip:
        p = np.clip(p, clip, 1 - clip)
    with np.errstate(divide="ignore"):  # the log of 0 is meant: that forecast was certain
        return _LOSSES[loss, y](p)


@dataclass(frozen=True, slots=True)
class ClassLoss:
    """Exact sums over the rows of one class.

    Attributes
    ----------
    n, infinite
        Rows (or summed weights) of finite and of infinite loss, in units of 2**-52.
    total, squares, cubes, fourths
        Sums of the finite losses and of their powers, in units of 2**-104.
    """

    n: int = 0
    infinite: int = 0
    total: int = 0
    squares: int = 0
    cubes: int = 0
    fourths: int = 0

    def __add__(self, other: ClassLoss) -> ClassLoss:
        return ClassLoss(
            self.n + other.n,
            self.infinite + other.infinite,
            self.total + other.total,
            self.squares + other.squares,
            self.cubes + other.cubes,
            self.fourths + other.fourths,
        )

    @classmethod
    def of(cls, losses: Floats, weights: FixedArray | None) -> ClassLoss:
        """Sum losses; ``weights`` None counts every row once."""
        if weights is None:
            infinite_rows, units = power_sums(losses)
            finite_rows = (len(losses) - infinite_rows) << FRACTION_BITS
            sums_of_rows = (one << FRACTION_BITS for one in units)
            return cls(finite_rows, infinite_rows << FRACTION_BITS, *sums_of_rows)
        finite = np.isfinite(losses)
        infinite = 0 if finite.all() else weights[~finite].total()
        losses, weights = losses[finite], weights[finite]
        squared = np.square(losses)
        powers = (losses, squared, squared * losses, np.square(squared))
        sums = (dot_exactly(weights, FixedArray.from_float(power)) for power in powers)
        return cls(weights.total(), infinite, *sums)

    def about(self, centre: Fraction) -> tuple[Fraction, Fraction]:
        """Return the sums of the second and the fourth power of loss - centre, exactly."""
        n, c = Fraction(self.n, 1 << FRACTION_BITS), centre
        one, two, three, four = (
            Fraction(units, 1 << PRODUCT_BITS)
            for units in (self.total, self.squares, self.cubes, self.fourths)
        )
        second = two - 2 * c * one + c**2 * n
        fourth = four - 4 * c * three + 6 * c**2 * two - 4 * c**3 * one + c**4 * n
        return second, fourth


@dataclass(frozen=True, slots=True)
class LossSums:
    """Sums of a loss and of its powers, for each class; a commutative monoid.

    Attributes
    ----------
    loss, clip
        Which loss (see ``losses_of``).
    positives, negatives
        The sums of each class.

    Examples
    --------
    >>> y, p = np.array([True, False]), np.array([0.75, 0.25])
    >>> LossSums.from_rows(y, p, "squared_error").mean
    0.0625
    """

    schema: ClassVar[str] = "veridical.loss_sums/1"

    loss: Loss
    clip: float = 0.0
    positives: ClassLoss = ClassLoss()
    negatives: ClassLoss = ClassLoss()

    @classmethod
    def from_rows(
        cls,
        positive: npt.NDArray[np.bool_],
        forecasts: npt.NDArray[np.floating],
        loss: Loss,
        clip: float = 0.0,
    ) -> LossSums:
        """Summarise unweighted rows; both arrays of shape (n,)."""
        sums = cls(loss, clip)
        for start in range(0, len(forecasts), _BLOCK):
            y, p = positive[start : start + _BLOCK], forecasts[start : start + _BLOCK]
            # Each class has one of the two losses, so only that one is computed for it.
            of_each = (
                ClassLoss.of(_loss_if(label, loss, p[rows], clip), None)
                for label, rows in ((True, y), (False, ~y))
            )
            sums += cls(loss, clip, *of_each)
        return sums

    @classmethod
    def from_scores(cls, table: ScoreTable, loss: Loss, clip: float = 0.0) -> LossSums:
        """Summarise the forecasts of a score table; all must lie in [0, 1]."""
        if_positive, if_negative = losses_of(loss, table.scores, clip)
        has_positive, has_negative = (c.to_float() > 0 for c in (table.positives, table.negatives))
        return cls(
            loss,
            clip,
            ClassLoss.of(if_positive[has_positive], table.positives[has_positive]),
            ClassLoss.of(if_negative[has_negative], table.negatives[has_negative]),
        )

    @property
    def n(self) -> Count:
        """Rows (or summed weights) of finite loss."""
        return exact_number(self.positives.n + self.negatives.n)

    @property
    def infinite(self) -> Count:
        """Rows (or summed weights) of infinite loss."""
        return exact_number(self.positives.infinite + self.negatives.infinite)

    @property
    def mean(self) -> float:
        """Mean loss of the rows of finite loss; there must be one."""
        units = self.positives.total + self.negatives.total
        # Integers divide with one rounding.
        return units / ((self.positives.n + self.negatives.n) << FRACTION_BITS)

    def moments(self, shifts: tuple[float, float] = (0.0, 0.0)) -> tuple[float, float]:
        """Return the second and fourth central moment of loss + shift of the class.

        Parameters
        ----------
        shifts
            What is added to the loss of a positive, and of a negative.

        Returns
        -------
        second, fourth
            Means over the rows of finite loss of the centred values' powers.
        """
        n = Fraction(self.n)
        of_class = list(zip((self.positives, self.negatives), map(Fraction, shifts), strict=True))
        total = sum(
            Fraction(sums.total, 1 << PRODUCT_BITS) + shift * Fraction(sums.n, 1 << FRACTION_BITS)
            for sums, shift in of_class
        )
        mean = total / n
        parts = [sums.about(mean - shift) for sums, shift in of_class]
        second, fourth = (
            max(Fraction(0), sum(column, Fraction(0))) for column in zip(*parts, strict=True)
        )
        return float(second / n), float(fourth / n)

    def __add__(self, other: LossSums) -> LossSums:
        if not isinstance(other, LossSums):
            return NotImplemented
        if (self.loss, self.clip) != (other.loss, other.clip):
            raise MismatchError(
                f"sums of {self.loss} (clip {self.clip}) and of {other.loss} (clip {other.clip})",
                why="their losses are different quantities",
                fix="summarise both with the same loss",
            )
        return LossSums(
            self.loss,
            self.clip,
            self.positives + other.positives,
            self.negatives + other.negatives,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the portable form; exact sums as decimal strings."""
        return {
            "schema": self.schema,
            "loss": self.loss,
            "clip": self.clip,
            "positives": _written(self.positives),
            "negatives": _written(self.negatives),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> LossSums:
        """Read back what ``to_dict`` wrote."""
        check_schema(data, cls.schema)
        classes = (
            ClassLoss(**{k: int(v) for k, v in data[name].items()})
            for name in ("positives", "negatives")
        )
        return cls(data["loss"], data["clip"], *classes)

    @property
    def sha256(self) -> str:
        """Hash of the canonical form."""
        return strict_json.sha256(self.to_dict())


def _written(one: ClassLoss) -> dict[str, str]:
    return {
        k: str(getattr(one, k)) for k in ("n", "infinite", "total", "squares", "cubes", "fourths")
    }
