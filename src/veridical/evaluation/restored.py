"""From a stored run back to the results as the verb returned them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np

from veridical.comparison.comparison import Comparison
from veridical.costs import Costs
from veridical.errors import FileFormatError, MetricNameError
from veridical.evaluation.agreement_evaluation import AgreementEvaluation
from veridical.evaluation.evaluation import Evaluation
from veridical.evaluation.result_set import ResultSet
from veridical.evaluation.text_evaluation import TextEvaluation
from veridical.evaluation.unit_results import UnitSettings
from veridical.metrics import find
from veridical.policy.verdict import BandFound, PolicyRow, PolicyVerdict
from veridical.results import Result, Skipped, result_from_dict
from veridical.slices import Settings
from veridical.summaries.contingency import ContingencyTable
from veridical.tables.ratings import Ratings

if TYPE_CHECKING:
    from veridical.store.run import Run

__all__ = ["Restored", "policy_verdict", "restored", "unit_settings"]


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Restored(ResultSet):
    """Results of a kind that has no class of its own here, or whose units were not kept.

    Attributes
    ----------
    kind
        What was measured.
    document
        Everything that was printed.
    """

    kind: str
    document: Mapping[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """Return the document, with the results that are here."""
        return {**self.document, **super().to_dict()}

    def __repr__(self) -> str:
        return "\n".join(map(str, self.results))


def restored(run: Run) -> ResultSet:
    """Return the results of a stored run: ``restored(run).to_dict() == run.document``.

    An evaluation of scores has its settings, its comparisons and the verdict of its policy again.

    Raises
    ------
    FileFormatError
        A field of the document is missing or of the wrong kind.
    """
    try:
        return _restored(run)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        if isinstance(error, FileFormatError):
            raise
        raise FileFormatError(
            f"the results of the run cannot be read: {type(error).__name__}: {error}"[:300],
            where=run.label,
            fix="check the store with `veridical runs verify`",
        ) from error


def _restored(run: Run) -> ResultSet:
    document = run.document
    subjects = tuple(dict.fromkeys(str(result.subject) for result in run.results))
    common: dict[str, Any] = {
        "results": run.results,
        "source": document.get("source", {}),
        "subjects": subjects,
        "comparisons": tuple(_comparison(one) for one in document.get("comparisons", ())),
        "keyed_by_subject": len(subjects) > 1,
    }
    if run.kind == "ranking":
        from veridical.ranking.restored import ranking

        return ranking(run, common)
    if run.kind == "text":
        return TextEvaluation(**common, settings=unit_settings(run))
    if run.kind == "agreement" and run.units is not None:
        return _agreement(run, common)
    if run.kind in {"fairness", "drift"}:
        return _of_counts(run, common)
    if run.kind != "evaluation":
        return Restored(**common, kind=run.kind, document=document)
    policy = document.get("policy")
    return Evaluation(
        **common,
        settings=_settings(run.settings),
        policy=None if policy is None else policy_verdict(policy, run.results),
    )


def _of_counts(run: Run, common: Mapping[str, Any]) -> ResultSet:
    settings = unit_settings(run)
    if run.kind == "drift":
        from veridical.stability.restored import drift

        return drift(run, common, settings)
    from veridical.parity.restored import fairness

    policy = run.document.get("policy")
    judged = None if policy is None else policy_verdict(policy, run.results)
    return fairness(run, common, settings, judged)


def _agreement(run: Run, common: Mapping[str, Any]) -> AgreementEvaluation:
    settings, units = run.settings, run.units
    columns = {} if units is None else {c.name: units.columns[c] for c in units.find("rating")}
    codes = {rater: np.ma.filled(np.ma.asarray(columns[rater]), -1) for rater in settings["raters"]}
    tables = {one["subject"]: one["summary"] for one in run.summaries if one["metric"] is None}
    return AgreementEvaluation(
        **common,
        raters=tuple(settings["raters"]),
        tables={pair: ContingencyTable.from_dict(one) for pair, one in tables.items()},
        ratings=Ratings(tuple(settings["labels"]), bool(settings["declared"]), codes),
        settings=unit_settings(run),
        judge=settings["judge"],
    )


def unit_settings(run: Run) -> UnitSettings:
    """Return how the intervals of texts and raters were made."""
    names = {one.name for one in fields(UnitSettings)}
    return UnitSettings(**{k: v for k, v in run.settings.items() if k in names}).checked()


def _comparison(data: Mapping[str, Any]) -> Comparison:
    known = {name: data[name] for name in data if name not in {"difference", "verdict"}}
    return Comparison(
        **{name: value for name, value in known.items() if name in _COMPARED},
        difference=result_from_dict(data["difference"]),
        better=_better(data["metric"]),
    )


_COMPARED = set(Comparison.__dataclass_fields__) - {"better"}


def _better(metric: str) -> Any:
    try:
        return find(metric).definition.better
    except MetricNameError:  # of a version or a plug-in that is not here
        return "target"


def _settings(data: Mapping[str, Any]) -> Settings:
    given = {name: data[name] for name in Settings.__dataclass_fields__ if name in data}
    costs = given.get("costs")
    return Settings(**{**given, "costs": None if costs is None else _costs(costs)})


def _costs(data: Mapping[str, Any]) -> Costs:
    prices = {
        name: text.removeprefix("column:") if text.startswith("column:") else Decimal(text)
        for name, text in data.items()
        if name != "currency"
    }
    return Costs(**prices, currency=data.get("currency"))


def policy_verdict(data: Mapping[str, Any], results: Sequence[Result] = ()) -> PolicyVerdict:
    """Return a verdict from its document; bands may be about results that no rule is about."""
    rows = tuple(_policy_row(row) for row in data["rows"])
    known = (*results, *(row.result for row in rows))
    bands = tuple(_band(band, known) for band in data["bands"])
    named = {name: data[name] for name in ("name", "version", "sha256", "source")}
    return PolicyVerdict(**named, rows=rows, bands=bands)


def _policy_row(data: Mapping[str, Any]) -> PolicyRow:
    fields = {name: data[name] for name in PolicyRow.__dataclass_fields__ if name in data}
    difference = data.get("difference")
    return PolicyRow(
        **{
            **fields,
            "result": result_from_dict(data["result"]),
            "skill": tuple(map(result_from_dict, data["skill"])),
            "difference": None if difference is None else result_from_dict(difference),
        }
    )


def _band(data: Mapping[str, Any], known: Iterable[Result]) -> BandFound:
    if "result" in data:
        return BandFound(
            result_from_dict(data["result"]), data["label"], tuple(data["spanned"]), data["note"]
        )
    # Documents of older versions do not have it: it stands elsewhere, unless nothing measured it.
    metric, subject = data["metric"], data["subject"]
    absent = Skipped("unsupported_by_engine", metric=metric, subject=subject)
    found = (r for r in known if (r.metric, r.subject, r.group) == (metric, subject, None))
    of = next(found, absent)
    return BandFound(of, data["label"], tuple(data["spanned"]), data["note"])
