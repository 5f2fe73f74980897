"""``trajectory/1``: what one agent did with one case, once, and the append-only file of them.

Scores live elsewhere: they can always be computed again from the cases and these lines.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, asdict, dataclass, field, fields
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Literal, Self, get_args

from veridical import strict_json
from veridical.errors import FileFormatError, FileMissingError, MismatchError, OutputError

__all__ = [
    "DuplicateTrialError",
    "Outcome",
    "Trajectories",
    "Trajectory",
    "TrajectoryWriter",
    "read_trajectories",
    "settled",
]

SCHEMA: Final = "trajectory/1"
Outcome = Literal["parsed", "parse_failure", "no_submission", "infra_error"]
OUTCOMES: Final = get_args(Outcome)


class DuplicateTrialError(MismatchError):
    """One trial of one case ended twice: which of the two counts is nobody's choice to make."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trajectory:
    """One line of a trajectory file.

    Attributes
    ----------
    run_id, suite, case_id, template_id, trial, attempt
        Which case, which time.  ``trial`` counts from 0; ``attempt`` counts from 1, and grows where
        an ``infra_error`` was tried again.
    bench_version, prompt_sha256, case_sha256, harness_version
        Under which conditions.  ``case_sha256`` is the hash of the case, truth included.
    agent
        ``name``, ``version``, ``config_sha256``.
    model_requested, model_returned, provider, sampling
        Null where no model was asked; ``sampling`` has ``temperature top_p max_tokens seed``.
    started_at, ended_at, latency_s
        ISO 8601 in UTC, and seconds by a clock that never goes back.
    outcome
        ``parsed``, ``parse_failure``, ``no_submission`` (all the agent's) or ``infra_error``.
    stop_reason
        Why the run ended: ``submitted``, ``final_text``, ``turn_limit``, ...
    error
        ``class``, ``message``, ``retries`` of what went wrong, or null.
    messages
        What was said, as the adapter has it; never a header, never a key.
    tool_calls
        ``id name arguments_raw result_sha256 result_bytes started_at``.  The text of the arguments
        is kept: a float round trip would lose digits.  Results can be made again from the inputs.
    usage
        ``input output cache_read cache_write reasoning_included calls``, or null where unknown.
    usage_reason
        Why it is unknown.
    submission_raw, parsed, parse_reason
        What was submitted, whether it parsed, and the reason code where it did not.
    submit_attempts
        How often ``submit`` was called.
    isolation
        What kept a command from reading more than its inputs; null for other agents.
    """

    run_id: str
    bench_version: str
    prompt_sha256: str
    suite: str
    case_id: str
    case_sha256: str
    template_id: str
    trial: int
    attempt: int
    agent: Mapping[str, str]
    started_at: str
    ended_at: str
    latency_s: float
    outcome: Outcome
    stop_reason: str
    harness_version: str
    model_requested: str | None = None
    model_returned: str | None = None
    provider: str | None = None
    sampling: Mapping[str, Any] = field(default_factory=dict)
    error: Mapping[str, Any] | None = None
    messages: tuple[Any, ...] = ()
    tool_calls: tuple[Mapping[str, Any], ...] = ()
    usage: Mapping[str, Any] | None = None
    usage_reason: str | None = None
    submission_raw: str | None = None
    parsed: bool = False
    parse_reason: str | None = None
    submit_attempts: int = 0
    isolation: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the line as JSON has it."""
        return {"schema": SCHEMA, **asdict(self)}

    @classmethod
    def from_dict(cls, document: Any, where: str = "") -> Self:
        """Return the trajectory of one line.

        Raises
        ------
        FileFormatError
            It is no ``trajectory/1``.
        """
        if not isinstance(document, dict) or document.get("schema") != SCHEMA:
            raise FileFormatError(
                f"this is no {SCHEMA}",
                where=where,
                fix="give a file that `veridical bench run` wrote",
            )
        given = {name: value for name, value in document.items() if name != "schema"}
        for name, (kinds, required) in _FIELDS.items():
            if name not in given:
                if required:
                    raise FileFormatError(
                        f"the field {name!r} is missing",
                        where=where,
                        fix="give a file that `veridical bench run` wrote",
                    )
                continue
            if not isinstance(given[name], kinds) or (kinds is int and given[name] is True):
                raise FileFormatError(
                    f"the field {name!r} has another type",
                    where=where,
                    fix="give a file that `veridical bench run` wrote",
                )
        if unknown := sorted(set(given) - set(_FIELDS)):
            raise FileFormatError(
                f"the field {ascii(unknown[0])[:60]} is unknown",
                where=where,
                fix="read it with the version that wrote it, or take the field out",
            )
        if given["outcome"] not in OUTCOMES:
            raise FileFormatError(
                f"the outcome is none of {', '.join(OUTCOMES)}",
                where=where,
                fix="give a file that `veridical bench run` wrote",
            )
        for name in ("messages", "tool_calls"):
            given[name] = tuple(given.get(name, ()))
        return cls(**given)

    @property
    def key(self) -> tuple[str, int]:
        """Case and trial."""
        return self.case_id, self.trial


_KINDS: Final[dict[str, Any]] = {
    "trial": int,
    "attempt": int,
    "submit_attempts": int,
    "latency_s": (int, float),
    "parsed": bool,
    "agent": dict,
    "sampling": dict,
    "messages": list,
    "tool_calls": list,
    "usage": (dict, type(None)),
    "error": (dict, type(None)),
    **dict.fromkeys(
        (
            "model_requested",
            "model_returned",
            "provider",
            "usage_reason",
            "submission_raw",
            "parse_reason",
            "isolation",
        ),
        (str, type(None)),
    ),
}
_FIELDS: Final = {
    f.name: (_KINDS.get(f.name, str), f.default is MISSING and f.default_factory is MISSING)
    for f in fields(Trajectory)
}


@dataclass(frozen=True, slots=True)
class Trajectories:
    """What a file holds.

    Attributes
    ----------
    lines
        Whole trajectories, in the order of the file.
    torn_bytes
        The length of a last line that was never finished; 0 where there is none.
    """

    lines: tuple[Trajectory, ...]
    torn_bytes: int = 0


def read_trajectories(path: str | Path) -> Trajectories:
    """Read a file of trajectories; a last line that was torn is skipped and counted.

    Raises
    ------
    FileMissingError
        There is no such file.
    FileFormatError
        A line that is not the last one is damaged.
    """
    try:
        content = Path(path).read_bytes()
    except FileNotFoundError as error:
        raise FileMissingError(
            "there is no such file of trajectories", where=str(path), fix="check the name"
        ) from error
    except OSError as error:
        raise FileFormatError(
            f"the file cannot be read: {error.strerror}", where=str(path), fix="check the name"
        ) from error
    *whole, torn = content.split(b"\n")
    lines: list[Trajectory] = []
    for number, line in enumerate(whole, start=1):
        where = f"{path}:{number}"
        try:
            document = strict_json.loads(line.decode("utf-8"))
        except (UnicodeDecodeError, FileFormatError) as error:
            if number == len(whole) and not torn:  # its end reached the disk, its middle did not
                return Trajectories(tuple(lines), len(line) + 1)
            raise FileFormatError(
                "a line of the trajectories is damaged",
                where=where,
                why="a score without it would be a score of fewer cases",
                fix="restore the file, or run the suite again",
            ) from error
        lines.append(Trajectory.from_dict(document, where))
    return Trajectories(tuple(lines), len(torn))


def settled(lines: Iterable[Trajectory]) -> dict[tuple[str, int], Trajectory]:
    """Return the one line that counts for every case and trial.

    It is the line that is no ``infra_error``, else the newest attempt.

    Raises
    ------
    DuplicateTrialError
        A trial ended more than once.
    """
    found: dict[tuple[str, int], Trajectory] = {}
    for line in lines:
        before = found.get(line.key)
        newer = before is None or line.attempt > before.attempt
        if line.outcome == "infra_error":  # never beside an end of another kind, and the newest
            if before is None or (before.outcome == "infra_error" and newer):
                found[line.key] = line
        elif before is None or before.outcome == "infra_error":
            found[line.key] = line
        else:
            raise DuplicateTrialError(
                f"trial {line.trial} of case {line.case_id[:60]!r} ended twice",
                why="which of the two counts would be a choice",
                fix="score the files of one run alone",
            )
    return found


class TrajectoryWriter:
    """Appends to a file, each line whole and on the disk before the next begins.

    Parameters
    ----------
    path
        Created where it is not there.  A torn last line is cut off: it was never finished.

    Attributes
    ----------
    before
        What the file held.

    Raises
    ------
    OutputError
        It cannot be written, or another process is writing it.
    FileFormatError
        What is there are no trajectories.
    """

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)
        try:
            self._file = os.open(
                self._path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o644
            )
        except OSError as error:
            raise self._refused(error) from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self.before = read_trajectories(self._path)
            if self.before.torn_bytes:
                size = os.fstat(self._file).st_size
                os.ftruncate(self._file, size - self.before.torn_bytes)
        except BlockingIOError as error:
            os.close(self._file)
            raise OutputError(
                "another process is writing these trajectories",
                where=str(path),
                fix="wait for it, or name another file",
            ) from error
        except BaseException:
            os.close(self._file)
            raise

    def append(self, trajectory: Trajectory) -> None:
        """Write one line.

        Raises
        ------
        OutputError
            It cannot be written.
        """
        line = strict_json.canonical(trajectory.to_dict()) + b"\n"
        try:
            while line:
                line = line[os.write(self._file, line) :]
            os.fsync(self._file)
        except OSError as error:
            raise self._refused(error) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        os.close(self._file)

    def _refused(self, error: OSError) -> OutputError:
        return OutputError(
            f"the trajectories cannot be written: {error.strerror or error}",
            where=str(self._path),
            fix="free space or change permissions, or write somewhere else",
        )
