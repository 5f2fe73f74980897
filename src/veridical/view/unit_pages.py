"""The units of a run: rows, queries, texts or cases, page by page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from starlette.requests import Request
from starlette.responses import Response

from veridical.errors import VeridicalError
from veridical.store import Run, Units
from veridical.store.browsing import Browser
from veridical.store.ledger import UNIT_STATES
from veridical.store.run import UNITS
from veridical.view.one_run import asked_for
from veridical.view.parameters import chosen, given, heads, ordered, pages
from veridical.view.rendering import rendered, run_path
from veridical.view.run_report import readable
from veridical.view.unit_table import UnitTable

__all__ = ["units_page"]

_SIZE = 100
_COLUMNS_AT_ONCE = 8


def units_page(request: Request) -> Response:
    """Answer with the units that the address asks for."""
    run = asked_for(request)
    if UNITS not in run.parts:
        return _ledger(request, run)
    table = request.app.state.held.units.of(
        (run.id, run.sha256), lambda: _table(run), lasting=run.sha256 is not None
    )
    return _measured(request, run, table)


def _table(run: Run) -> UnitTable:
    with readable(run):
        return UnitTable(run.units or Units("row", []))


def _measured(request: Request, run: Run, table: UnitTable) -> Response:
    parameters, path = given(request), run_path(run.id, "units")
    shown = _shown(table, parameters)
    sort, down = ordered(parameters, ["id", "place", *map(str, range(len(table.columns)))], "place")
    down = down and "sort" in parameters
    rows = table.order(sort, down=down)
    rows = rows[table.matching(parameters)[rows]]
    place = pages(parameters, path, len(rows), _SIZE)
    page = rows[(place.number - 1) * _SIZE : place.number * _SIZE]
    numbers = set(table.numeric())
    columns = [("id", table.units.noun.capitalize(), False)]
    columns += [(str(at), table.label(at), at in numbers) for at in shown]
    return rendered(
        request,
        "units.html",
        title=f"Units of {run.name or run.id}",
        run=run,
        tab="units",
        has_units=True,
        noun=table.units.noun,
        total=len(table),
        found=len(rows),
        pages=place,
        path=path,
        heads=heads(parameters, path, columns, sort, down=down),
        subjects_of=[None, *(table.columns[at].subject for at in shown)],
        numbers=[False, *(at in numbers for at in shown)],
        rows=[(table.units.ids[row], table.cells(row, shown)) for row in page],
        asked=parameters,
        words=[(f"w{at}", table.label(at), table.words[at]) for at in table.words if at in shown],
        ranges=[(str(at), _full_label(table, at)) for at in table.numeric()],
        subjects=table.subjects if len(table.columns) > _COLUMNS_AT_ONCE else [],
    )


def _shown(table: UnitTable, parameters: Mapping[str, str]) -> Sequence[int]:
    """Return the columns of the subject that was chosen; all, where there are few."""
    every = range(len(table.columns))
    if len(every) <= _COLUMNS_AT_ONCE or not table.subjects:
        return every
    subject = chosen(parameters, "subject", table.subjects, table.subjects[0])
    return [at for at in every if table.columns[at].subject in {None, subject}]


def _full_label(table: UnitTable, at: int) -> str:
    subject = table.columns[at].subject
    return f"{table.label(at)}, {subject}" if subject else table.label(at)


def _ledger(request: Request, run: Run) -> Response:
    """Answer with the units that a run works through, and the last attempt at each."""
    browser: Browser = request.app.state.browser
    parameters, path = given(request), run_path(run.id, "units")
    state = chosen(parameters, "state", ("", *UNIT_STATES), "") or None
    text = parameters.get("text")
    total = browser.count_units(run.id)
    if not total:
        with readable(run):
            why = run.left_out.get(UNITS, "")
        error = VeridicalError(
            "the run keeps no units", where=run.label, why=why, fix="save it with --id"
        )
        title = "No units were kept"
        return rendered(request, "problem.html", status=404, title=title, error=error)
    found = browser.count_units(run.id, state=state, text=text)
    place = pages(parameters, path, found, _SIZE)
    rows = browser.unit_page(
        run.id, state=state, text=text, offset=(place.number - 1) * _SIZE, limit=_SIZE
    )
    return rendered(
        request,
        "ledger.html",
        title=f"Units of {run.name or run.id}",
        run=run,
        tab="units",
        has_units=True,
        total=total,
        found=found,
        pages=place,
        path=path,
        rows=rows,
        states=UNIT_STATES,
        asked=parameters,
    )
