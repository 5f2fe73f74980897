"""Write what `make demo-risk` works on: samples of two models, a year of months, three banks.

    python prepare.py FOLDER

The decisions and loans are real (see ../credit/README.md).  The *year* is simulated: each month is
drawn from the scores of the loans, and from August on a planted drift moves them.  The *banks* are
simulated too: the loans, parted so that no two have the same mix of terms.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import numpy as np

from veridical.simulate import dirichlet_split

CREDIT = Path(__file__).resolve().parent.parent / "credit"
MONTHS, ROWS, DRIFT_FROM = 12, 2_000, 8
BANKS, ALPHA = 3, 0.5

Row = dict[str, str]


def main(folder: Path) -> None:
    """Write all files into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    hmda, loans = (read(CREDIT / f"{name}_scores.csv") for name in ("hmda", "lending_club"))
    for name, rows in (("hmda", hmda), ("loans", loans)):
        half = len(rows) // 2
        write(folder / f"{name}-development.csv", rows[:half])
        write(folder / f"{name}-later.csv", rows[half:])
        model = Path(__file__).with_name(f"{name}.yaml").read_text(encoding="utf-8")
        (folder / f"{name}.yaml").write_text(model, encoding="utf-8")
    policy = Path(__file__).with_name("stability.yaml").read_text(encoding="utf-8")
    (folder / "stability.yaml").write_text(policy, encoding="utf-8")
    write_year(folder, loans)
    write_banks(folder, loans)


def write_year(folder: Path, loans: list[Row]) -> None:
    """Write twelve months of scores; from August on the odds of a bad loan double."""
    rng = np.random.default_rng(2026)
    scores = np.array([float(row["p_logistic"]) for row in loans])
    for month in range(1, MONTHS + 1):
        drawn = rng.choice(scores, ROWS)
        if month >= DRIFT_FROM:
            drawn = 2 * drawn / (1 + drawn)
        months = [{"p_logistic": f"{score:.6f}"} for score in drawn]
        write(folder / f"month-{month:02d}.csv", months)


def write_banks(folder: Path, loans: list[Row]) -> None:
    """Part the loans between banks by their terms."""
    banks = dirichlet_split([row["term"] for row in loans], BANKS, ALPHA, seed=3)
    for number, rows in enumerate(banks, 1):
        write(folder / f"bank-{number}.csv", [loans[row] for row in rows])


def read(path: Path) -> list[Row]:
    """Return the rows of a file."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write(path: Path, rows: list[Row]) -> None:
    """Write rows into a file."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
