"""``veridical rag doctor``: whether a project is ready to be run."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from veridical.cli.options import Json
from veridical.cli.output import emit, emit_json
from veridical.cli.rag.running import RUNNING, USUAL_CONFIG, Config, printing_is_talk
from veridical.cli.saving import StoreAt
from veridical.exit_codes import BAD_DATA, SERVICE
from veridical.report.visible import visible

if TYPE_CHECKING:
    from veridical.rag.checkup import Check

__all__ = ["doctor"]


def doctor(
    *,
    config: Config = USUAL_CONFIG,
    ask: Annotated[
        bool,
        Parameter(
            negative=(),
            group=RUNNING,
            show_default=False,
            help="Ask the pipeline the first case, and the judge one short question.",
        ),
    ] = False,
    store: StoreAt = None,
    json: Json = False,
) -> int:
    """Look at all that a run needs, and say what is wrong; without --ask nobody is asked.

    The exit code is 0 where nothing is wrong, 69 where only a service or a library is missing, and
    65 otherwise.
    """
    from veridical.rag.checkup import checkup

    with printing_is_talk():
        checks = asyncio.run(checkup(config, store, ask=ask))
    if json:
        emit_json({"schema": "veridical.rag_doctor/1", "checks": [_entry(one) for one in checks]})
    else:
        emit("\n".join(line for one in checks for line in _lines(one)))
    codes = {one.finding.exit_code for one in checks if one.state == "problem"}
    if not codes:
        return 0
    return SERVICE if codes == {SERVICE} else BAD_DATA


def _entry(check: Check) -> dict[str, object]:
    finding = check.finding
    return {
        "name": check.name,
        "state": check.state,
        "told": list(finding.told),
        "problem": finding.problem or None,
        "fix": finding.fix or None,
    }


def _lines(check: Check) -> Iterator[str]:
    finding = check.finding
    told = [*finding.told]
    if check.state == "untried":
        told = ["not looked at, because of a problem above"]
    if finding.problem:
        told += [f"problem: {finding.problem}", *([f"fix: {finding.fix}"] if finding.fix else [])]
    for at, line in enumerate(told):
        head = f"{check.state.ljust(9)}{check.name}" if at == 0 else ""
        yield f"{head.ljust(24)}{visible(line)}"
