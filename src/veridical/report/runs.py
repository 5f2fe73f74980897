"""What ``veridical runs list`` and ``veridical runs show`` print."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from veridical.report.visible import fitted, padded, visible, width

if TYPE_CHECKING:
    from veridical.store import Run, RunHead
    from veridical.store.runs import Point

__all__ = ["list_text", "origin_text"]

_WIDEST = 40


def list_text(heads: Sequence[RunHead], points: Iterable[Point] = ()) -> str:
    """Return a table of runs, with a line for each result that is to be shown.

    Parameters
    ----------
    heads
        The runs, in order.
    points
        Results of these runs.
    """
    by_run: dict[str, list[Point]] = {}
    for point in points:
        by_run.setdefault(point.run.id, []).append(point)
    rows = [("id", "name", "kind", "created (UTC)", "results", "tags")]
    lines: list[tuple[int, str]] = []
    for head in heads:
        state = "" if head.state == "finished" else f", {head.state}"
        rows.append(
            (
                head.id,
                fitted(visible(head.name or ""), _WIDEST),
                f"{head.kind}{state}",
                f"{head.created:%Y-%m-%d %H:%M}",
                f"{head.n_results:,}",
                fitted(visible(", ".join(head.tags)), _WIDEST),
            )
        )
        lines += [(len(rows), f"  {_point(point)}") for point in by_run.get(head.id, ())]
    texts = _aligned(rows)
    for at, line in reversed(lines):
        texts.insert(at, line)
    return "\n".join(texts) + "\n"


def _point(point: Point) -> str:
    subject = visible(point.subject or "")
    if point.value is None:
        return f"{point.metric} {subject}: skipped ({point.skip})"
    ends = "" if point.low is None else f" [{point.low:.4g}, {point.high:.4g}]"
    return f"{point.metric} {subject}: {point.value:.4g}{ends} (n = {point.n:,})"


def _aligned(rows: Sequence[tuple[str, ...]]) -> list[str]:
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            padded(cell, size, right=index == 4)
            for index, (cell, size) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def origin_text(run: Run) -> str:
    """Return where a run came from: name, time, commit, versions, settings, data."""
    lines = [visible(run.label)]
    lines += [f"  {name:<9} {visible(text)}" for name, text in _origin(run)]
    return "\n".join(lines) + "\n"


def _origin(run: Run) -> Iterator[tuple[str, str]]:
    yield "kind", f"{run.kind}, {run.state}, {run.created:%Y-%m-%d %H:%M:%S} UTC"
    if run.tags:
        yield "tags", ", ".join(run.tags)
    if run.git:
        changed = ", with changes that are not committed" if run.git["dirty"] else ""
        yield "commit", f"{run.git['commit'][:12]}{changed}"
    made = run.environment
    versions = ", ".join(f"{name} {version}" for name, version in made["versions"].items())
    yield "made with", f"Python {made['python']} on {made['system']} {made['machine']}, {versions}"
    given = [f"{name} {_told(value)}" for name, value in run.settings.items() if value is not None]
    if given:
        yield "settings", ", ".join(given)
    if run.data_sha256:
        yield "data", f"sha256 {run.data_sha256}"
    if run.units is not None:
        yield "units", f"{len(run.units):,} by id, each a {run.units.noun}"
    for part, why in run.left_out.items():
        yield "without", f"{part}: {why}"


def _told(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_told(inner)}" for name, inner in value.items())
    if isinstance(value, list):
        return " + ".join(map(_told, value))
    return str(value)
