"""``veridical runs``: what was measured before, and is kept."""

from __future__ import annotations

import sys
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Group, Parameter

from veridical.cli.options import OUTPUT, Json
from veridical.cli.output import emit, emit_json, talk
from veridical.cli.saving import StoreAt
from veridical.cli.targets import check_target
from veridical.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from veridical.store import Run, RunHead
    from veridical.store.runs import Point

__all__ = [
    "delete_runs",
    "export_runs",
    "import_runs",
    "list_runs",
    "show_run",
    "verify_runs",
]

DAMAGED = 1
_FILTER = Group("Which runs", sort_key=1)

References = Annotated[
    list[str], Parameter(help="A name, an id, the beginning of one, or latest; several.")
]


def list_runs(
    *,
    kind: Annotated[
        str | None,
        Parameter(
            group=_FILTER,
            help="evaluation, ranking, text, agreement, drift, fairness, validation, rag, bench.",
        ),
    ] = None,
    name: Annotated[str | None, Parameter(group=_FILTER, help="Of this name.")] = None,
    tag: Annotated[str | None, Parameter(group=_FILTER, help="With this tag.")] = None,
    state: Annotated[
        str | None, Parameter(group=_FILTER, help="running, finished, interrupted, failed.")
    ] = None,
    since: Annotated[
        str | None, Parameter(group=_FILTER, help="A date such as 2026-01-31, or 12h, 7d, 4w ago.")
    ] = None,
    metric: Annotated[
        str | None,
        Parameter(name=["--metric", "-m"], group=_FILTER, help="With a result of this metric."),
    ] = None,
    limit: Annotated[int, Parameter(group=_FILTER, help="At most so many; 0 for all.")] = 50,
    json: Json = False,
    store: StoreAt = None,
) -> int:
    """List runs, newest first."""
    from veridical.metrics import find
    from veridical.store import Store
    from veridical.store.run import KINDS, STATES

    _check_choice("--kind", kind, KINDS)
    _check_choice("--state", state, STATES)
    if limit < 0:
        raise ParameterError("--limit is a number of runs", fix="give 0 for all")
    wanted = None if metric is None else find(metric)
    with Store(store, create=False) as opened:
        heads = opened.runs(
            kind=kind,
            name=name,
            tag=tag,
            state=state,  # type: ignore[arg-type]  # checked above
            since=None if since is None else _moment(since),
            metric=wanted,
            limit=limit or None,
        )
        points = opened.points([wanted], runs=[h.id for h in heads]) if wanted else []
        where = opened.location.shown
    if json:
        runs = [_described(head, points if wanted else None) for head in heads]
        emit_json({"schema": "veridical.runs_list/1", "store": where, "runs": runs})
        return 0
    from veridical.report.runs import list_text

    emit(list_text(heads, points) if heads else f"no such runs in {where}\n")
    if limit and len(heads) == limit:
        talk(f"the newest {limit} are shown; --limit 0 shows all")
    return 0


def _described(head: RunHead, points: Sequence[Point] | None) -> dict[str, Any]:
    """Return a run as JSON, with its results of the metric that was asked for."""
    if points is None:
        return head.to_dict()
    results = [
        {
            "metric": point.metric,
            "subject": point.subject,
            "value": point.value,
            "low": point.low,
            "high": point.high,
            "n": point.n,
            "skip": point.skip,
        }
        for point in points
        if point.run.id == head.id
    ]
    return {**head.to_dict(), "results": results}


def show_run(
    run: Annotated[
        str, Parameter(help="A name, an id, the beginning of one, or latest.")
    ] = "latest",
    /,
    *,
    json: Json = False,
    store: StoreAt = None,
) -> int:
    """Show one run: where it came from, and its table."""
    from veridical.store import load_run

    found = load_run(run, store=store)
    if json:
        emit_json(
            {
                "schema": "veridical.run/1",
                "run": found.to_dict(),
                "settings": found.settings,
                "seed": found.seed,
                "environment": found.environment,
                "git": found.git,
                "left_out": found.left_out,
                "n_units": 0 if found.units is None else len(found.units),
                "document": found.document,
            }
        )
        return 0
    from veridical.report.runs import origin_text

    emit(f"{origin_text(found)}\n{_table(found)}")
    return 0


def _table(run: Run) -> str:
    """Return the table that the command printed which made the run."""
    from veridical.evaluation import Evaluation
    from veridical.evaluation.refinalising import with_slices
    from veridical.ranking import RankingEvaluation

    if run.kind == "validation":
        from veridical.validation.record import record_of

        return repr(record_of(run))
    ev = with_slices(run)
    if isinstance(ev, Evaluation):
        from veridical.report.terminal import terminal_text

        return terminal_text(ev)
    if isinstance(ev, RankingEvaluation):
        from veridical.ranking.terminal import ranking_text

        return ranking_text(ev)
    return repr(ev)


def export_runs(
    run: Annotated[
        list[str] | None, Parameter(help="Names, ids, or their beginnings; by default all runs.")
    ] = None,
    /,
    *,
    output: Annotated[
        Path, Parameter(name=["--output", "-o"], group=OUTPUT, help="The file to write.")
    ],
    store: StoreAt = None,
) -> int:
    """Write runs into one portable file."""
    from veridical.store import Store

    with Store(store, create=False) as opened:
        if opened.location.path is not None:
            check_target(output, sources=[str(opened.location.path)])
        runs = opened.export(run, output)
    size = output.stat().st_size
    emit(f"{output}: {_counted(len(runs))}, {size:,} bytes")
    return 0


def import_runs(
    file: Annotated[str, Parameter(help="A file that `veridical runs export` wrote.")],
    /,
    *,
    store: StoreAt = None,
) -> int:
    """Take in the runs of a portable file, all or none."""
    from veridical.store import Store
    from veridical.store.archive import read_archive

    read_archive(file)  # before a store is made for it
    with Store(store) as opened:
        new, every = opened.import_file(file)
    known = len(every) - len(new)
    emit("\n".join([f"{_counted(len(new))} imported, {known} there already", *map(_line, new)]))
    return 0


def delete_runs(
    run: References,
    /,
    *,
    yes: Annotated[bool, Parameter(show_default=False, help="Do not ask.")] = False,
    store: StoreAt = None,
) -> int:
    """Delete runs, with all they hold."""
    from veridical.store import Store

    with Store(store, create=False) as opened:
        heads = list({head.id: head for head in map(opened.find, run)}.values())
        if not yes:
            _ask(heads)
        gone = opened.delete([head.id for head in heads])
    emit("\n".join([f"{_counted(len(gone))} deleted", *map(_line, gone)]))
    return 0


def verify_runs(
    run: Annotated[
        list[str] | None, Parameter(help="Names, ids, or their beginnings; by default all runs.")
    ] = None,
    /,
    *,
    json: Json = False,
    store: StoreAt = None,
) -> int:
    """Recompute every hash, and name what is damaged."""
    from veridical.report.visible import visible
    from veridical.store import Store

    with Store(store, create=False) as opened:
        n_runs, damaged = opened.verify(run)
        where = opened.location.shown
    if json:
        found = [one.to_dict() for one in damaged]
        document = {"store": where, "n_runs": n_runs, "damaged": found}
        emit_json({"schema": "veridical.verification/1", **document})
    elif damaged:
        emit("\n".join(f"{visible(one.where)}: {visible(one.what)}" for one in damaged))
    else:
        emit(f"{_counted(n_runs)} in {visible(where)}: every hash is right")
    return DAMAGED if damaged else 0


def _check_choice(option: str, value: str | None, known: Sequence[str]) -> None:
    if value is not None and value not in known:
        raise ParameterError(
            f"{option} is one of {', '.join(known)}, not {value[:80]!r}", fix="choose one of them"
        )


def _moment(text: str) -> datetime:
    """Return a date, or a time ago, as a moment in UTC."""
    hours = {"h": 1, "d": 24, "w": 24 * 7}
    number, unit = text[:-1], text[-1:]
    try:
        if unit in hours and number.isascii() and number.isdigit():
            return datetime.now(UTC) - timedelta(hours=int(number) * hours[unit])
        if len(text) == len("2026-01-31"):
            return datetime.combine(date.fromisoformat(text), datetime.min.time(), UTC)
        moment = datetime.fromisoformat(text)
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError) as error:
        raise ParameterError(
            f"--since is a date such as 2026-01-31, or 12h, 7d, 4w, not {text[:40]!r}",
            fix="dates are read in UTC",
        ) from error


def _ask(heads: Sequence[RunHead]) -> None:
    """Go on only where somebody says yes.

    Raises
    ------
    ParameterError
        Nobody is there to answer, or the answer is no.
    """
    if not sys.stdin.isatty():
        raise ParameterError(
            f"{_counted(len(heads))} would be deleted, and nobody is there to be asked",
            fix="add --yes",
        )
    for head in heads:
        talk(_line(head))
    sys.stderr.write(f"delete {_counted(len(heads))}? [y/N] ")
    sys.stderr.flush()
    if sys.stdin.readline().strip().casefold() not in {"y", "yes"}:
        raise ParameterError("nothing was deleted", fix="answer y")


def _counted(n: int) -> str:
    return f"{n:,} run{'' if n == 1 else 's'}"


def _line(head: RunHead) -> str:
    from veridical.report.visible import visible

    return f"  {visible(head.label)}: {head.kind}, {head.state}"
