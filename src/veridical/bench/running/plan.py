"""What a run is about, beside its trajectories, so that it can be gone on with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

from veridical import strict_json
from veridical.errors import FileFormatError, FileMissingError, OutputError
from veridical.writing import write_atomically

__all__ = ["RunPlan", "plan_path"]

_SCHEMA = "bench_run/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPlan:
    """One run.

    Attributes
    ----------
    run_id
        Its name.
    suite, suite_seed, cases
        Which suite; seed and number are null of one that goes by its name.
    manifest_sha256
        What the suite must be.
    trials
        How often each case is run.
    agent
        Its description; names of environment variables, never what they hold.
    """

    run_id: str
    suite: str
    suite_seed: str | None
    cases: int | None
    manifest_sha256: str
    trials: int
    agent: Mapping[str, Any]

    def write(self, trajectories: Path) -> None:
        """Write the plan beside a file of trajectories that does not exist yet.

        Raises
        ------
        OutputError
            There is such a run already, or nothing can be written there.
        """
        path = plan_path(trajectories)
        there = [str(one) for one in (trajectories, path) if one.exists()]
        if there:
            raise OutputError(
                "there is a run of this name already",
                where=", ".join(there),
                fix="go on with it by `veridical bench resume`, name another file, or remove "
                f"{' and '.join(there)}",
            )
        write_atomically(path, strict_json.dumps({"schema": _SCHEMA, **asdict(self)}) + "\n")

    @classmethod
    def read(cls, trajectories: Path) -> Self:
        """Read the plan that belongs to a file of trajectories.

        Raises
        ------
        FileMissingError
            There is none.
        FileFormatError
            It is no plan.
        """
        path = plan_path(trajectories)
        try:
            document = strict_json.loads(path.read_bytes())
        except OSError as error:
            raise FileMissingError(
                "the plan of this run cannot be read", where=str(path), fix="check the file's name"
            ) from error
        if not isinstance(document, dict) or document.pop("schema", None) != _SCHEMA:
            raise FileFormatError(
                f"this is no {_SCHEMA}",
                where=str(path),
                fix="begin a new run with `veridical bench run`",
            )
        try:
            return cls(**document)
        except TypeError as error:
            raise FileFormatError(
                f"this is no {_SCHEMA}",
                where=str(path),
                fix="begin a new run with `veridical bench run`",
            ) from error


def plan_path(trajectories: Path) -> Path:
    """Return where the plan of a file of trajectories stands.

    Examples
    --------
    >>> plan_path(Path("naive.jsonl")).name
    'naive.run.json'
    """
    return trajectories.with_name(f"{trajectories.name.removesuffix('.jsonl')}.run.json")
