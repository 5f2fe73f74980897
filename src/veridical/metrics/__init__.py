"""The metrics: pure functions of a summary, one family a file, and how to find one by name."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Iterable
from contextlib import suppress
from functools import cache

from veridical import names
from veridical.errors import MetricNameError, ParameterError, UnsupportedTypeError
from veridical.measures import Measure, registered

__all__ = ["FAMILIES", "every_measure", "find"]

FAMILIES = ("binary", "calibration", "cost", "agreement", "text")
# Whose short names give way to those of the families above: "recall" is binary.recall.
BEHIND = ("retrieval", "drift", "fairness", "generation", "robustness", "echo")
OURS = (*FAMILIES, *BEHIND, "trec")  # the last is always written in full
ENTRY_POINT_GROUP = "veridical.metrics"


@cache
def _load(families: tuple[str, ...]) -> None:
    """Import our modules of these families; one that is looked for alone needs no other."""
    for family in families:
        if family in OURS:
            importlib.import_module(f"veridical.metrics.{family}")


@cache
def _load_theirs() -> None:
    """Import the modules that other packages announce; a broken one is reported, not fatal."""
    from importlib.metadata import entry_points

    for entry in entry_points(group=ENTRY_POINT_GROUP):
        try:
            entry.load()
        except Exception as error:  # noqa: BLE001 - anything may go wrong in someone else's module
            warnings.warn(f"metrics of {entry.value!r} could not be loaded: {error}", stacklevel=2)


def find(name: str | Measure, families: Iterable[str] | None = None) -> Measure:
    """Return the measure that a name, an alias or a measure object stands for.

    Parameters
    ----------
    name
        ``"binary.recall@fpr=0.001"``, ``"PR-AUC"``, or a measure.
    families
        Families to look in for short names first; None looks in ours.  Only a name that is not
        found there is looked for in other packages, so that installing one never changes what a
        short name of ours means.

    Raises
    ------
    MetricNameError
        Nothing answers to the name, or several metrics do; near names are listed.
    ParameterError
        A parameter is unknown or out of range.

    Examples
    --------
    >>> str(find("PR-AUC")), str(find("recall@fpr=1e-3"))
    ('binary.average_precision', 'binary.recall@fpr=0.001')
    """
    if isinstance(name, Measure):
        return name
    if not isinstance(name, str):
        raise UnsupportedTypeError(
            f"a metric is a name or a measure object, not {type(name).__name__}",
            fix='write for example "binary.roc_auc"',
        )
    known = registered().get(name)
    if known is not None and None in known.forms:
        return known  # written in full and without parameters: nothing to read
    first = tuple(FAMILIES if families is None else families)
    in_full = name.strip().lower().partition(".")[0]
    for searched in ((in_full,) if in_full in OURS else first, first, (*FAMILIES, *BEHIND)):
        _load(searched)
        try:
            return names.parse(name, searched)
        except MetricNameError:
            continue
        except ParameterError as error:
            raise _with_namesake(error, name, searched) from None
    _load(OURS)
    _load_theirs()
    return names.parse(name, None)


def _with_namesake(error: ParameterError, name: str, searched: Iterable[str]) -> ParameterError:
    """Say which metric behind those that were searched has the short name with such a value."""
    for family in BEHIND:
        if family in searched:
            continue
        _load((family,))
        with suppress(MetricNameError, ParameterError):
            return ParameterError(
                error.what,
                where=error.where,
                why=error.why,
                fix=f"write {names.parse(name, (family,))} if that is meant; else {error.fix}",
            )
    return error


def every_measure() -> list[Measure]:
    """Return every measure, ours first, those of other packages after, in order of name."""
    _load(OURS)
    ours = set(registered())
    _load_theirs()
    return [registered()[key] for key in sorted(registered(), key=lambda k: (k not in ours, k))]
