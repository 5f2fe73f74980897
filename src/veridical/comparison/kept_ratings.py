"""Pairs of raters of two runs against each other, evaluated again from ratings that both kept."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from veridical.comparison.matching import At
from veridical.comparison.recorded import Recorded
from veridical.evaluation.agreement_evaluation import AgreementEvaluation
from veridical.evaluation.unit_results import UnitSettings
from veridical.tables.ratings import Ratings

__all__ = ["pair_of_raters", "raters_apart"]


def pair_of_raters(run: Recorded, subject: str, at: At) -> AgreementEvaluation | None:
    """Return the evaluation of a pair of raters on chosen items; None where it is not of a pair."""
    if run.units is None or run.run is None:
        return None
    settings = run.run.settings
    columns = {column.name: run.units.columns[column] for column in run.units.find("rating")}
    pair = next(
        ((a, b) for a in columns for b in columns if a != b and f"{a} / {b}" == subject), None
    )
    if pair is None:
        return None
    codes = {name: np.ma.filled(np.ma.asarray(columns[name]), -1)[at] for name in pair}
    return AgreementEvaluation(
        results=tuple(r for r in run.results if r.subject == subject),
        source=run.source,
        subjects=(subject,),
        raters=pair,
        tables={},
        ratings=Ratings(
            tuple(settings["labels"]),
            bool(settings["declared"]),
            {name: column.astype(np.int32) for name, column in codes.items()},
        ),
        settings=UnitSettings(**{name: settings[name] for name in ("level", "seed", "replicates")}),
    )


def raters_apart(
    one: AgreementEvaluation, two: AgreementEvaluation
) -> tuple[AgreementEvaluation, AgreementEvaluation]:
    """Give raters of one name other names, unless they said the same: two judges called judge."""
    same = {
        rater
        for rater in one.raters
        if rater in two.raters and _said(one, rater) == _said(two, rater)
    }
    if not same:
        return one, two
    return _marked(one, same, "a"), _marked(two, same, "b")


def _marked(ev: AgreementEvaluation, same: set[str], mark: str) -> AgreementEvaluation:
    names = {rater: rater if rater in same else f"{rater} ({mark})" for rater in ev.raters}
    codes = {names[rater]: codes for rater, codes in ev.ratings.codes.items()}
    ratings = replace(ev.ratings, codes=codes)
    return replace(ev, raters=tuple(names.values()), ratings=ratings)


def _said(ev: AgreementEvaluation, rater: str) -> list[Any]:
    named = [*ev.ratings.labels, None]
    return [named[code] for code in ev.ratings.codes[rater].tolist()]
