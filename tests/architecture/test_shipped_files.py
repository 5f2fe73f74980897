"""Every data file that the project ships parses, and strictly."""

import csv
import json
import math
import subprocess
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
NOT_OURS = {"build", "dist", "node_modules", "out"}


def shipped(suffix: str) -> list[Path]:
    return sorted(
        path
        for path in ROOT.rglob(f"*{suffix}")
        if not any(
            part in NOT_OURS or part.startswith(".") for part in path.relative_to(ROOT).parts
        )
    )


def refuse(constant: str) -> float:
    raise ValueError(f"{constant} is not JSON")


def no_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
    keys = [key for key, _ in pairs]
    assert len(set(keys)) == len(keys), f"a key stands twice among {keys}"
    return dict(pairs)


def read_strictly(text: str) -> object:
    return json.loads(text, parse_constant=refuse, object_pairs_hook=no_duplicates)


@pytest.mark.parametrize("text", ["[NaN]", "[Infinity]", "[-Infinity]"])
def test_the_reader_refuses_what_is_not_json(text):
    with pytest.raises(ValueError, match="not JSON"):
        read_strictly(text)


def test_json_is_strict():
    for path in shipped(".json"):
        read_strictly(path.read_text(encoding="utf-8"))


def test_yaml_parses():
    for path in [*shipped(".yaml"), *shipped(".yml")]:
        yaml.safe_load(path.read_text(encoding="utf-8"))


def test_example_scores_are_probabilities_and_labels_binary():
    tables = [path for path in shipped(".csv") if path.stem.endswith("_scores")]
    assert tables
    for path in tables:
        with path.open(encoding="utf-8", newline="") as lines:
            rows = list(csv.DictReader(lines))
        assert rows
        label = next(name for name in ("denied", "bad") if name in rows[0])
        assert {row[label] for row in rows} == {"0", "1"}
        for column in ("p_logistic", "p_boosting"):
            scores = [float(row[column]) for row in rows]
            assert all(math.isfinite(p) and 0 <= p <= 1 for p in scores)


def test_text_files_end_in_a_newline_and_are_unix():
    tracked = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if tracked.returncode != 0:
        pytest.skip("not a git checkout")
    for name in filter(None, tracked.stdout.split("\0")):
        path = ROOT / name
        if path.suffix in {".py", ".md", ".toml", ".yml", ".yaml", ".csv"}:
            content = path.read_bytes() if path.is_file() else b""
            assert b"\r\n" not in content, name
            assert not content or content.endswith(b"\n"), name
