"""Evaluating a summary: what was decided when it was made is read from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from veridical.engines.read import Read
from veridical.errors import ParameterError
from veridical.parameters import names
from veridical.portable import Summary, slices_of
from veridical.portable.slicing import are_forecasts, kind_of
from veridical.slices import Settings, Slice
from veridical.tables import Roles

__all__ = ["read_summary", "roles_of", "settings_of"]


def roles_of(
    summary: Summary,
    *,
    label: str | None,
    score: str | Sequence[str] | None,
    groups: Sequence[str],
    positive: Any,
    cluster: str | None,
    weight: str | None,
    costs: dict[str, str],
) -> Roles:
    """Return the roles of the columns of a summary, or the part of them that was asked for.

    Raises
    ------
    ParameterError
        Something was asked for that the summary does not hold.
    """
    header = summary.header
    _refuse_other("label", label, header.label)
    _refuse_other("positive", None if positive is None else str(positive), header.positive)
    _refuse_other("weight", weight, header.weight)
    if cluster is not None or costs:
        asked = "clusters" if cluster is not None else "prices in columns"
        raise ParameterError(
            f"a summary holds no {asked}", why="they belong to rows", fix="evaluate the rows"
        )
    scores = tuple(header.scores) if score is None else names("score", score)
    for asked_for, held, noun in (
        (scores, header.scores, "score column"),
        (groups, header.groups, "grouping column"),
    ):
        for name in asked_for:
            if name not in held:
                known = ", ".join(map(repr, held)) or "none"
                raise ParameterError(
                    f"the summary has no {noun} {name!r}", fix=f"it was made with: {known}"
                )
    return Roles(
        label=header.label,
        scores=tuple(scores),
        weight=header.weight,
        groups=tuple(groups) or header.groups,
        positive=header.positive,
    )


def _refuse_other(name: str, given: str | None, held: str | None) -> None:
    if given is not None and given != held:
        raise ParameterError(
            f"the summary was made with {name}={held!r}, not {given!r}",
            why="what was counted cannot be counted otherwise",
            fix=f"leave {name}= out, or summarise the data again",
        )


def settings_of(summary: Summary, settings: Settings) -> Settings:
    """Return the settings with what the summary decides: its threshold, and no impossible interval.

    The only threshold that it counted decisions at is the one in use, unless another was given.
    """
    known = summary.header.thresholds
    if settings.threshold is None and len(known) == 1:
        settings = replace(settings, threshold=known[0])
    # Sums of fractional weights do not tell how many rows there are to resample.
    return replace(settings, intervals=settings.intervals and not summary.tally.fractional)


def read_summary(summary: Summary, roles: Roles) -> tuple[tuple[Slice, ...], Read]:
    """Return the slices of a summary, and what was read.

    Parameters
    ----------
    summary
        What was summarised.
    roles
        Its columns, or some of them.
    """
    kinds = dict.fromkeys(kind_of(summary, name) for name in roles.scores)
    source = {
        "kind": "summary",
        "summary": ", ".join(kinds),
        "sources": sum(summary.sources.values()),
        "missing": dict(summary.tally.missing),
    }
    tally = summary.tally
    read = Read(
        source,
        tally.n_read,
        tally.rows,
        tally.positives,
        summary.sha256,
        (),
        {name: are_forecasts(summary, name) for name in roles.scores},
        "summary",
    )
    return tuple(slices_of(summary, roles.scores, roles.groups)), read
