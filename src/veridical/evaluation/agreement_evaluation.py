"""``AgreementEvaluation``: results of pairs of raters, with what each of them called each item."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import Any, ClassVar, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from veridical.comparison.decisions import bonett_price
from veridical.evaluation.paired_results import Paired, PairedResults
from veridical.evaluation.unit_results import UnitSettings
from veridical.measures import Measure
from veridical.metrics.agreement_pairs import kappa_of_tables, step_weights
from veridical.stats.paired import mcnemar
from veridical.stats.paired_sums import paired_sums
from veridical.summaries.contingency import ContingencyTable
from veridical.tables._words import listed
from veridical.tables.ratings import Ratings

__all__ = ["AgreementEvaluation"]

Codes: TypeAlias = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class AgreementEvaluation(PairedResults):
    """Results by metric for two raters, by ``(raters, metric)`` for more.

    Attributes
    ----------
    results, source, subjects, comparisons
        As for ``ResultSet``; a subject is a pair of raters, or all of them: ``"a / b / c"``.
    raters
        Their names, in the order given.
    tables
        The contingency table of each pair, by subject.
    ratings
        What each rater called each item.
    settings
        Level, seed, replicates.
    judge
        The rater that is read against the agreement of the others; None where nobody is.
    """

    subject_noun: ClassVar[str] = "group of raters"
    units: ClassVar[str] = "items"

    raters: tuple[str, ...]
    tables: Mapping[str, ContingencyTable]
    ratings: Ratings
    settings: UnitSettings = field(default_factory=UnitSettings)
    judge: str | None = None

    @property
    def pairs(self) -> dict[str, tuple[str, str]]:
        """The pairs of raters, by subject."""
        return {" / ".join(pair): pair for pair in combinations(self.raters, 2)}

    def subject(self, name: str) -> Self:
        """Return the part that belongs to one group of raters; its keys are metric names."""
        part = super().subject(name)
        if name not in self.pairs:
            return part
        pair = self.pairs[name]
        kept = {rater: self.ratings.codes[rater] for rater in pair}
        return replace(
            part,
            raters=pair,
            tables={name: self.tables[name]},
            ratings=replace(self.ratings, codes=kept),
        )

    def comparable(self, measure: Measure) -> bool:
        """Whether the metric is one of pairs of raters."""
        return measure.definition.summary is ContingencyTable and len(self.raters) == 2

    def unlike(self, other: Self) -> Mapping[str, tuple[object, object]]:
        """Return ``reference``, unless the two have one rater in common who said the same."""
        common = self._reference(other)
        if common is None:
            return {"reference": (listed(self.raters), listed(other.raters))}
        _, mine, theirs = _on_one_scale((self.ratings, common), (other.ratings, common))
        if np.array_equal(mine, theirs):
            return {}
        one, two = (f"{len(codes):,} labels of {common}" for codes in (mine, theirs))
        return {"reference": (one, f"{two} that are not the same")}

    def _reference(self, other: Self) -> str | None:
        return next((rater for rater in self.raters if rater in other.raters), None)

    def paired_with(self, other: Self, measure: Measure) -> Paired | None:
        """Compare how far two raters agree with a third, on the items that all three rated."""
        difference = float(self[measure]) - float(other[measure])
        reference = self._reference(other)
        if reference is None or not (self.comparable(measure) and other.comparable(measure)):
            return Paired(difference=difference, n=self[measure].n, notes=("not_tested",))
        triple = _Triple.of(reference, self.ratings, other.ratings)
        if not len(triple.times):
            return None
        if measure.name == "raw_agreement":
            return triple.raw_agreement(self.settings)
        return triple.kappa(self.settings, str(measure.arguments()["weights"]))

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON document that ``--json`` prints, with the table of each pair."""
        tables = [_table_document(pair, table) for pair, table in self.tables.items()]
        return {**super().to_dict(), "tables": tables}

    def report(self, path: str | Path, *, title: str | None = None) -> Path:
        """Write the self-contained HTML report and return its path."""
        from veridical.report.agreement_page import agreement_html
        from veridical.writing import write_made

        return write_made(path, lambda: agreement_html(self, title))

    def __repr__(self) -> str:
        from veridical.report.agreement import agreement_text

        return agreement_text(self)


def _on_one_scale(*columns: tuple[Ratings, str]) -> tuple[Any, ...]:
    """Return the labels of all, and what each rater called each item as positions among them."""
    every = [ratings.labels for ratings, _ in columns]
    labels = every[0]
    if any(own != labels for own in every):
        labels = tuple(sorted({label for own in every for label in own}))
    codes = []
    for ratings, rater in columns:
        place = np.array([*map(labels.index, ratings.labels), -1], np.int64)
        codes.append(place[ratings.codes[rater]])
    return labels, *codes


@dataclass(frozen=True, slots=True, eq=False)
class _Triple:
    """Items that three raters labelled, those of one kind together.

    ``reference``, ``a`` and ``b`` are positions in ``labels``, shape (kinds,); ``times`` says how
    many items there are of each kind.
    """

    reference: Codes
    a: Codes
    b: Codes
    times: Codes
    labels: tuple[Any, ...]
    declared: bool

    @classmethod
    def of(cls, reference: str, one: Ratings, two: Ratings) -> _Triple:
        labels, *codes = _on_one_scale(
            (one, reference), (one, _other(one, reference)), (two, _other(two, reference))
        )
        size = len(labels)
        rated = (codes[0] >= 0) & (codes[1] >= 0) & (codes[2] >= 0)
        of_items = (codes[0] * size + codes[1]) * size + codes[2]
        kinds, times = np.unique(of_items[rated], return_counts=True)
        pairs, of_b = np.divmod(kinds, size)
        of_reference, of_a = np.divmod(pairs, size)
        return cls(of_reference, of_a, of_b, times.astype(np.int64), labels, one.declared)

    def raw_agreement(self, settings: UnitSettings) -> Paired:
        """McNemar's exact test on the items that only one of the two called like the reference."""
        right_a, right_b = self.a == self.reference, self.b == self.reference
        only_a, only_b = (
            int(self.times[one & ~two].sum())
            for one, two in ((right_a, right_b), (right_b, right_a))
        )
        n = int(self.times.sum())
        return Paired(
            difference=(only_a - only_b) / n,
            n=n,
            interval=bonett_price(only_a, only_b, n, settings.level),
            p_value=mcnemar(only_a, only_b).exact,
            method="mcnemar-exact",
            counts={"n_wins": only_a, "n_ties": n - only_a - only_b, "n_losses": only_b},
        )

    def kappa(self, settings: UnitSettings, weights: str) -> Paired:
        """Swap the two raters' labels at random, and resample items for the interval."""
        size = len(self.labels)
        table = ContingencyTable(self.labels, self.declared, np.zeros((size, size), np.int64))
        distance = step_weights(table, weights)
        of_a, of_b = self._cells(self.a), self._cells(self.b)

        def score(sums: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
            return kappa_of_tables(sums.reshape(-1, size, size), distance)

        found = paired_sums(
            of_a,
            of_b,
            score,
            times=self.times,
            level=settings.level,
            replicates=settings.replicates,
            seed=settings.seed,
        )
        every = self.times.astype(np.float64)[np.newaxis]
        value_a, value_b = (float(score(every @ cells)[0]) for cells in (of_a, of_b))
        apart = distance[self.reference, self.a] - distance[self.reference, self.b]
        won, lost = (int(self.times[side].sum()) for side in (apart < 0, apart > 0))
        n = int(self.times.sum())
        return Paired(
            difference=value_a - value_b,
            n=n,
            interval=found.interval,
            p_value=found.p_value,
            method="approximate-randomisation",
            observed={"degenerate_replicates": found.degenerate} if found.degenerate else {},
            counts={"n_wins": won, "n_ties": n - won - lost, "n_losses": lost},
            notes=found.notes,
        )

    def _cells(self, codes: Codes) -> Any:
        """Return which cell of the table with the reference each kind counts in."""
        from scipy.sparse import csr_array

        size, kinds = len(self.labels), len(self.times)
        at = np.arange(kinds), self.reference * size + codes
        return csr_array((np.ones(kinds), at), shape=(kinds, size * size))


def _other(ratings: Ratings, reference: str) -> str:
    return next(rater for rater in ratings.codes if rater != reference)


def _table_document(pair: str, table: ContingencyTable) -> dict[str, Any]:
    """Return a table with what is read off it: per-label agreement, base rates, bias."""
    n = table.n
    rows, columns = table.counts.sum(axis=1), table.counts.sum(axis=0)
    both = rows + columns
    agreed = np.diag(table.counts)
    return {
        "raters": pair,
        "labels": list(table.labels),
        "counts": table.counts.tolist(),
        "per_label_agreement": [
            None if total == 0 else 2 * int(same) / int(total)
            for same, total in zip(agreed, both, strict=True)
        ],
        "base_rates": None if n == 0 else [(rows / n).tolist(), (columns / n).tolist()],
        "bias": table.mean_difference,
    }
