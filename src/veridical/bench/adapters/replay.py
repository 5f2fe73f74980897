"""``replay``: runs that were made elsewhere, one JSON object a line, scored here.

A line has ``case_id``, ``submission_raw``, ``bench_version`` and ``prompt_sha256``; it may have
``trial``, ``usage``, ``shape``, ``model`` and ``provider``.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from veridical import strict_json
from veridical.bench.agents.protocol import NOT_RECORDED, AgentResult, InfraError
from veridical.bench.cases import BENCH_VERSION
from veridical.bench.prompting import hashes
from veridical.bench.trajectories import DuplicateTrialError
from veridical.errors import FileFormatError, FileMissingError, MismatchError

if TYPE_CHECKING:
    from veridical.bench.agents.protocol import Tools
    from veridical.bench.cases import TaskView

__all__ = ["ReplayAgent"]

_TEXT: Final = (str, type(None))
_FIELDS: Final[dict[str, tuple[Any, bool]]] = {
    "case_id": (str, True),
    "submission_raw": (_TEXT, True),
    "bench_version": (str, True),
    "prompt_sha256": (str, True),
    "trial": (int, False),
    "usage": ((dict, list, type(None)), False),
    "shape": (_TEXT, False),
    "model": (_TEXT, False),
    "provider": (_TEXT, False),
}


class ReplayAgent:
    """An agent that says again what was said before.

    Parameters
    ----------
    path
        The lines.
    name, version
        Of the agent that was recorded.

    Raises
    ------
    FileMissingError, FileFormatError
        There are no such lines.
    MismatchError
        They were made with another prompt or version of the bench.
    DuplicateTrialError
        One trial of one case stands there twice.
    """

    def __init__(self, path: str | Path, name: str | None = None, version: str = "1") -> None:
        self._lines = _read(Path(path))
        self.name = name or Path(path).stem
        self.version = version
        self.config: Mapping[str, Any] = {
            "kind": "replay",
            "lines_sha256": strict_json.sha256([self._lines[key] for key in sorted(self._lines)]),
        }

    def run(self, task: TaskView, tools: Tools) -> AgentResult:
        """Return the first trial of a case."""
        return self.run_trial(task, tools, 0)

    def run_trial(self, task: TaskView, tools: Tools, trial: int) -> AgentResult:
        """Return what was recorded of a trial."""
        del tools
        line = self._lines.get((task.case_id, trial))
        if line is None:
            raise InfraError(NOT_RECORDED, "no line holds this trial of this case")
        return AgentResult(
            final_text=line["submission_raw"],
            usage=line.get("usage"),
            shape=line.get("shape"),
            model=line.get("model"),
            provider=line.get("provider"),
        )


def _read(path: Path) -> dict[tuple[str, int], dict[str, Any]]:
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise FileMissingError(
            f"the lines to replay cannot be read: {error.strerror}",
            where=str(path),
            fix="check the name",
        ) from error
    now = {"bench_version": BENCH_VERSION, "prompt_sha256": hashes()["prompt_sha256"]}
    found: dict[tuple[str, int], dict[str, Any]] = {}
    for number, raw in enumerate(lines, start=1):
        if not raw.strip():
            continue
        where = f"{path}:{number}"
        line = _line(raw, where)
        for name, value in now.items():
            if line[name] != value:
                raise MismatchError(
                    f"a line was made with another {name}",
                    where=where,
                    why="the prompt holds the policy and the vocabulary; under another one the "
                    "same agent answers otherwise",
                    fix=f"run the agent with {name} {value}",
                )
        key = line["case_id"], line.get("trial", 0)
        if key in found:
            raise DuplicateTrialError(
                f"trial {key[1]} of case {key[0][:60]!a} stands there twice",
                where=where,
                fix="number the trials from 0",
            )
        found[key] = line
    return found


def _line(raw: bytes, where: str) -> dict[str, Any]:
    try:
        line = strict_json.loads(raw.decode("utf-8-sig"))
    except (UnicodeDecodeError, FileFormatError) as error:
        raise FileFormatError(
            "a line is no JSON", where=where, fix="write one object a line"
        ) from error
    if not isinstance(line, dict):
        raise FileFormatError(
            "a line is no JSON object", where=where, fix="write one object a line"
        )
    for name, (kinds, required) in _FIELDS.items():
        if name not in line:
            if required:
                raise FileFormatError(f"the field {name!r} is missing", where=where, fix="add it")
        elif not isinstance(line[name], kinds) or line[name] is True:
            raise FileFormatError(
                f"the field {name!r} has another type",
                where=where,
                fix="write it as the how-to on agents shows",
            )
    if unknown := sorted(set(line) - set(_FIELDS)):
        raise FileFormatError(
            f"the field {ascii(unknown[0])[:60]} is unknown",
            where=where,
            fix="take it out, or correct its name",
        )
    return line
