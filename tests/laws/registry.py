"""Every registered metric, with legal parameters: what is registered is what is tested."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from veridical.measures import Definition, Measure, Parameter
from veridical.metrics import every_measure


def forms() -> list[tuple[Measure, Definition]]:
    """Return each form of each of our metrics."""
    return [
        (measure, definition)
        for measure in every_measure()
        if measure.function.__module__.startswith("veridical.")
        for definition in measure.forms.values()
    ]


def score_forms() -> list[tuple[Measure, Definition]]:
    """Return the forms that are measured on labels and scores, one row an item."""
    return [form for form in forms() if form[1].family in {"binary", "calibration", "cost"}]


def label(form: tuple[Measure, Definition]) -> str:
    """Return the id of a form, for the name of its test."""
    return form[1].id


def legal_values(parameter: Parameter) -> st.SearchStrategy[Any]:
    """Return a strategy of legal values, extremes among them."""
    if parameter.choices:
        return st.sampled_from(parameter.choices)
    if parameter.kind is int:
        high = int(parameter.high) if parameter.high < 1e18 else 10**17
        return st.integers(int(parameter.low), high)
    high = parameter.high if parameter.high < 1e18 else None
    return st.floats(parameter.low, high, allow_nan=False, allow_infinity=False)


@st.composite
def bound(draw: st.DrawFn, form: tuple[Measure, Definition]) -> Measure:
    """Return the measure of a form with drawn parameters; optional ones may be left out."""
    measure, definition = form
    given = {}
    for parameter in definition.parameters:
        if parameter.required or parameter.name == definition.point or draw(st.booleans()):
            given[parameter.name] = draw(legal_values(parameter))
    return measure(**given)


def example(form: tuple[Measure, Definition]) -> Measure:
    """Return one ordinary measure of a form: a rate of 0.1, the top 3, the defaults."""
    measure, definition = form
    usual = {"fpr": 0.1, "precision": 0.5, "recall": 0.5, "k": 3}
    needed = [p for p in definition.parameters if p.required or p.name == definition.point]
    return measure(**{p.name: usual[p.name] for p in needed})
