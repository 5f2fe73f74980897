"""What is understood without the parser is what the parser understands."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.retrieval.commands import veridical
from veridical.cli.app import build_app
from veridical.cli.plain_words import understood
from veridical.cli.rank import rank
from veridical.cli.ranking import rank_runs

OPTIONS = [
    ["--qrels", "q"], ["--qrels", "golden.qrels"], ["--metric", "map"], ["-m", "ndcg@10"],
    ["--json"], ["--markdown"], ["--no-intervals"], ["--per-query"], ["--strict"], ["--trec"],
]  # fmt: skip
ODD = ["--help", "-h", "--version", "--", "-", "", " ", "--qrels=q", "-mmap", "--no-json", "--js",
       "--json=false", "--per_query", "--PER-QUERY", "--level", "--seed", "7", "--save", "rank",
       "--qrels", "-m", "--ties", "input", "-x", "a=b", "é", "--metric=map"]  # fmt: skip
RUNS = st.lists(st.sampled_from(["a.trec", "b.json", "-7", "rank"]), max_size=3)


@st.composite
def words_of(draw):
    """Draw a command, mostly plain, with an odd word or two anywhere."""
    chosen = draw(st.lists(st.sampled_from(OPTIONS), max_size=5))
    words = ["rank", *draw(RUNS), *(word for option in chosen for word in option)]
    for odd in draw(st.lists(st.sampled_from(ODD), max_size=2)):
        words.insert(draw(st.integers(0, len(words))), odd)
    return words


@pytest.fixture(autouse=True)
def _nowhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def bound_by_the_parser(words):
    command, bound, _ = build_app().parse_args(words, exit_on_error=False, print_error=False)
    assert command is rank
    bound.apply_defaults()
    return dict(bound.arguments)


def with_defaults(options):
    bound = inspect.signature(rank_runs).bind(**options)
    bound.apply_defaults()
    return dict(bound.arguments)


@given(words_of())
@example(["rank", "a", "--qrels", "q", "--json", "--json"])
@example(["rank", "a", "--qrels", "q", "--qrels", "r"])
@example(["rank", "a", "--json", "b", "--qrels", "q"])
def test_the_parser_understands_alike(words):
    plain = understood(words)
    if plain is not None:
        assert with_defaults(plain) == bound_by_the_parser(words)


def test_every_plain_option_is_understood():
    words = ["rank", "a", "b", *(word for option in OPTIONS[1:] for word in option)]
    assert with_defaults(understood(words)) == bound_by_the_parser(words)


@pytest.mark.parametrize(
    "words",
    [
        [], ["rank"], ["rank", "a"], ["rank", "--qrels", "q"], ["rank", "a", "--qrels"],
        ["rank", "a", "--qrels", "q", "--help"], ["rank", "a", "--qrels", "-q"],
        ["rank", "a", "--qrels", "q", "b"], ["rank", "", "--qrels", "q"], ["evaluate", "a"],
    ],
)  # fmt: skip
def test_anything_else_is_left_to_the_parser(words):
    assert understood(words) is None


def test_both_functions_have_the_same_options():
    parsed, plain = (inspect.signature(one).parameters for one in (rank, rank_runs))
    assert {k: v.default for k, v in parsed.items()} == {k: v.default for k, v in plain.items()}


PLAIN = ["rank", "a.trec", "--qrels", "q.qrels"]


def test_settings_from_outside_are_left_to_the_parser(monkeypatch):
    assert understood(PLAIN) is not None
    monkeypatch.setenv("VERIDICAL_KERNELS", "numpy")  # no option of a command
    monkeypatch.setenv("VERIDICAL_REQUIRE_KERNELS", "1")
    assert understood(PLAIN) is not None
    monkeypatch.setenv("VERIDICAL_SEED", "7")
    assert understood(PLAIN) is None
    monkeypatch.delenv("VERIDICAL_SEED")
    Path("veridical.yaml").write_text("seed: 7\n", encoding="utf-8")
    assert understood(PLAIN) is None


@pytest.mark.parametrize(
    "words",
    [[], ["--no-intervals"], ["-m", "none"], ["--json"], ["--json", "--trec"], ["--strict"]],
)
def test_the_whole_command_says_the_same(words):
    Path("a.trec").write_text("q1 Q0 x 1 2 A\nq1 Q0 y 2 1 A\nq9 Q0 x 1 1 A\n", encoding="utf-8")
    Path("q.qrels").write_text("q1 0 x 1\nq2 0 z 1\nq3 0 z 0\n", encoding="utf-8")
    plain, parsed = (veridical(*PLAIN, *words, *more) for more in ([], ["--seed", "0"]))
    assert understood([*PLAIN, *words]) is not None
    assert (plain.returncode, plain.stdout, plain.stderr) == (
        parsed.returncode, parsed.stdout, parsed.stderr,
    )  # fmt: skip


def test_the_parser_is_not_loaded():
    Path("a.trec").write_text("q1 Q0 x 1 2 A\n", encoding="utf-8")
    Path("q.qrels").write_text("q1 0 x 1\n", encoding="utf-8")
    code = "import json, sys; from veridical.cli import main; main(sys.argv[1:]); "
    code += "print(json.dumps(sorted(sys.modules)), file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", code, *PLAIN, "--no-intervals"],
        capture_output=True,
        text=True,
        check=True,
    )
    heavy = {"cyclopts", "pyarrow", "rich", "scipy", "tomllib", "sqlite3", "veridical.store"}
    assert not heavy & set(json.loads(done.stderr.splitlines()[-1]))
    assert "nDCG@10" in done.stdout


@pytest.mark.parametrize("own", [None, "12"])
def test_threads_without_work_sleep_at_once_unless_told_otherwise(monkeypatch, own):
    name = "OPENBLAS_THREAD_TIMEOUT"
    monkeypatch.delenv(name, raising=False)
    if own:
        monkeypatch.setenv(name, own)
    code = "import os, sys; from veridical.cli import main; sys.argv[1:] = ['--version']; main(); "
    code += f"print(os.environ['{name}'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == (own or "4")
