"""Fair races: each side alone in a fresh process, on the same data, its answer checked first.

A *side* is a function ``(data, **settings) -> {name: number}`` in one of the scripts beside this
one.  ``race`` runs every side in a process of its own, which reads the data, warms up, and reports
its answers, its best processor time and its peak memory.  Before a ratio is printed the answers
must agree.  Processor time counts all threads, and what else the machine does counts for nobody.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import json
import os
import platform
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).resolve().parent
WORK = HERE.parent / ".bench"
ONE_THREAD = dict.fromkeys(
    (
        "ARROW_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS",
        "POLARS_MAX_THREADS", "RAYON_NUM_THREADS",
    ),
    "1",
)  # fmt: skip
# A harmless warning of a peer on each of a hundred runs would hide the table.
QUIET = {"PYTHONWARNINGS": "ignore"}


@dataclass(frozen=True)
class Side:
    """One competitor: what it is called, the function that runs it, and its environment."""

    name: str
    function: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)
    runs: int = 3


@dataclass(frozen=True)
class Time:
    """What a side took.

    ``seconds`` is processor time of the best run, ``megabytes`` the peak of the process, and
    ``added`` how far that lies above what the process held once the data were read.
    """

    seconds: float
    megabytes: float
    added: float
    answers: dict[str, float]


def race(script: str, data: Path, sides: Sequence[Side], *, rtol: float = 1e-9) -> dict[str, Time]:
    """Run every side on the data; all answers must agree with those of the first."""
    times: dict[str, Time] = {}
    for side in sides:
        print(f"    {side.name} ...", end="", flush=True, file=sys.stderr)
        try:
            times[side.name] = _alone(script, data, side)
        except subprocess.CalledProcessError as error:
            (last,) = error.stderr.strip().splitlines()[-1:] or ["no message"]
            print(f" left out: {last}", file=sys.stderr)
            if side is sides[0] or "ModuleNotFoundError" not in last:
                raise
            continue
        print(f" {times[side.name].seconds:.3f} s", file=sys.stderr)
        _agree(times[sides[0].name].answers, times[side.name].answers, side.name, rtol)
    return times


def _alone(script: str, data: Path, side: Side) -> Time:
    task = {"function": side.function, "settings": dict(side.settings), "runs": side.runs}
    done = subprocess.run(
        [sys.executable, str(HERE / "harness.py"), script, str(data), json.dumps(task)],
        env={**os.environ, **ONE_THREAD, **QUIET, **side.environment},
        check=True,
        capture_output=True,
        text=True,
    )
    return Time(**json.loads(done.stdout.splitlines()[-1]))


def _agree(
    expected: Mapping[str, float], found: Mapping[str, float], name: str, rtol: float
) -> None:
    for what in expected.keys() & found.keys():
        np.testing.assert_allclose(found[what], expected[what], rtol=rtol, err_msg=f"{name} {what}")


def _run_alone(script: str, data: str, task: str) -> None:
    """Run one side in this process, and print what it took."""
    sys.path.insert(0, str(HERE))
    told = json.loads(task)
    function: Callable[..., dict[str, float]]
    function = getattr(importlib.import_module(script), told["function"])
    held = read(Path(data))
    before = _peak()
    seconds, answers = [], {}
    for _ in range(told["runs"]):
        start = time.process_time()
        answers = function(held, **told["settings"])
        seconds.append(time.process_time() - start)
    taken = Time(min(seconds), _peak(), _peak() - before, {k: float(v) for k, v in answers.items()})
    print(json.dumps(vars(taken)))


def _peak() -> float:
    """Return the peak memory of this process in MB."""
    status = Path("/proc/self/status")
    if status.exists():
        # What getrusage says begins with the peak of the process that started this one.
        (line,) = (line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) / 1024
    # Linux counts in kilobytes, macOS in bytes.
    unit = 1 << (20 if sys.platform == "darwin" else 10)
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


def read(path: Path) -> Any:
    """Return the arrays of a folder by name, or the path itself where it is a file."""
    if path.is_dir():
        return {file.stem: np.load(file) for file in sorted(path.glob("*.npy"))}
    return path


def written(name: str, make: Callable[[], Mapping[str, np.ndarray]]) -> Path:
    """Return the folder with these arrays, made when it was not there."""
    folder = WORK / "data" / name
    if not folder.exists():
        folder.mkdir(parents=True)
        for column, values in make().items():
            np.save(folder / f"{column}.npy", values)
    return folder


def rare_events(n: int, prevalence: float, seed: int = 0) -> dict[str, np.ndarray]:
    """Return seeded labels and scores of a detector: continuous forecasts in [0, 1]."""
    rng = np.random.default_rng(seed)
    y = rng.random(n) < prevalence
    s = rng.beta(1, 30, n)
    s[y] = rng.beta(4, 6, int(np.count_nonzero(y)))
    return {"y": y, "s": s}


def whole_process(command: Sequence[str], *, runs: int = 5) -> tuple[float, float, float]:
    """Return the best wall seconds, processor seconds and peak MB of a command."""
    # Byte code is cached by the first run, as on any machine that runs a command twice.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(
        [sys.executable, str(HERE / "whole_process.py"), str(runs + 1), *command],
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    )
    walls, processor, peaks = zip(*json.loads(done.stdout.splitlines()[-1])[1:], strict=True)
    return min(walls), min(processor), max(peaks)


def record(section: str, title: str, text: str, head: Sequence[str], rows: Sequence[Any]) -> None:
    """Print a table and keep it for RESULTS.md."""
    table = [list(map(str, row)) for row in (head, *rows)]
    widths = [max(len(row[k]) for row in table) for k in range(len(head))]
    print(f"\n{title}")
    for row in table:
        print("  " + "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)))
    folder = WORK / "results"
    folder.mkdir(parents=True, exist_ok=True)
    kept = {
        "title": title, "text": text, "head": list(head), "rows": table[1:],
        "date": datetime.now(UTC).strftime("%Y-%m-%d"), "machine": machine(),
    }  # fmt: skip
    (folder / f"{section}.json").write_text(json.dumps(kept, indent=1) + "\n")


def machine() -> str:
    """Return the kind of machine, without its name."""
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        lines = info.read_text().splitlines()
        model = next((line.split(":")[1].strip() for line in lines if "model name" in line), model)
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{model}, {os.cpu_count()} cores, {memory:.0f} GB, {platform.system()}"


def versions(*packages: str) -> str:
    """Return the versions of the packages that are installed."""
    found = [f"python {platform.python_version()}"]
    for package in packages:
        try:
            found.append(f"{package} {importlib.metadata.version(package)}")
        except importlib.metadata.PackageNotFoundError:
            continue
    return ", ".join(found)


def ratio(theirs: Time | None, ours: Time) -> str:
    """Return how many times as long the other side takes."""
    return "" if theirs is None else f"{theirs.seconds / ours.seconds:.1f}"


def sizes(text: str) -> list[int]:
    """Read ``1e5,1e6``; nothing is no size."""
    return [int(float(size)) for size in text.split(",") if size]


def arguments(description: str, **defaults: str) -> argparse.Namespace:
    """Read the command line: every option is a list of sizes."""
    parser = argparse.ArgumentParser(description=description)
    for name, default in defaults.items():
        parser.add_argument(f"--{name}", type=sizes, default=sizes(default), metavar="N[,N]")
    return parser.parse_args()


if __name__ == "__main__":
    _run_alone(*sys.argv[1:])
