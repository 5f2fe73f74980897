"""Exit codes, and what goes to which stream."""

import subprocess
import sys

import pytest

from veridical import errors, evaluation

TO_SCORE = ["--label", "y", "--score", "p"]


def raising(error):
    def evaluate(*_args, **_keywords):
        raise error

    return evaluate


def test_zero_when_something_was_measured(veridical, scores):
    outcome = veridical("evaluate", scores, *TO_SCORE)
    assert (outcome.code, outcome.err) == (0, "")
    assert "0.7500" in outcome.out


def test_three_when_nothing_could_be_scored(veridical, scores):
    outcome = veridical("evaluate", scores, *TO_SCORE, "-m", "precision")
    assert outcome.code == 3
    assert "no_threshold" in outcome.out
    assert "--threshold" in outcome.out


@pytest.mark.parametrize(
    "words",
    [
        ["evalute"],
        ["evaluate"],
        ["evaluate", "scores.csv"],
        ["evaluate", "scores.csv", *TO_SCORE, "--no-such-option"],
        ["evaluate", "scores.csv", *TO_SCORE, "--threshold", "high"],
        ["evaluate", "scores.csv", *TO_SCORE, "--level", "1.5"],
        ["evaluate", "scores.csv", *TO_SCORE, "-m", "no_such_metric"],
        ["evaluate", "scores.csv", *TO_SCORE, "-m", "recall@fpr=2"],
        ["evaluate", "scores.csv", *TO_SCORE, "--cost-fn", "5"],
        ["evaluate", "scores.csv", *TO_SCORE, "--cost-fn", "-5", "--cost-fp", "1"],
        ["evaluate", "scores.csv", *TO_SCORE, "--cost-fn", "nan", "--cost-fp", "1"],
        ["evaluate", "scores.csv", *TO_SCORE, "--json", "--markdown"],
        ["evaluate", "scores.csv", *TO_SCORE, "--missing", "ignore"],
        ["evaluate", "scores.csv", *TO_SCORE, "--score", "p"],
        ["metrics", "no_such_metric"],
        ["example", "no_such_example"],
        ["example", "fraud", "--rows", "0"],
        ["example", "fraud", "-o", "fraud.xlsx"],
    ],
)
def test_sixty_four_for_a_usage_error(veridical, scores, words):
    del scores
    outcome = veridical(*words)
    assert (outcome.code, outcome.out) == (64, "")
    assert outcome.err.startswith("veridical: error: ")


@pytest.mark.parametrize(
    "words",
    [
        ["evaluate", "absent.csv", *TO_SCORE],
        ["evaluate", "scores.csv", "--label", "y", "--score", "absent"],
        ["evaluate", "scores.csv", "--label", "segment", "--score", "p"],
        ["evaluate", "scores.csv", "--label", "y", "--score", "p", "--positive", "7"],
        ["evaluate", "scores.csv", *TO_SCORE, "--id", "customer"],
        ["evaluate", "scores.csv", *TO_SCORE, "--report", "absent/report.html"],
        ["evaluate", "scores.csv", *TO_SCORE, "--report", "."],
    ],
)
def test_sixty_five_for_bad_data(veridical, scores, words):
    del scores
    outcome = veridical(*words)
    assert (outcome.code, outcome.out) == (65, "")
    assert "  fix: " in outcome.err


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (errors.MismatchError("the seeds differ"), 4),
        (errors.MissingExtraError("matplotlib is not installed"), 69),
        (RuntimeError("boom"), 70),
        (KeyboardInterrupt(), 130),
    ],
)
def test_the_other_codes(veridical, scores, monkeypatch, error, code):
    monkeypatch.setattr(evaluation, "evaluate", raising(error))
    outcome = veridical("evaluate", scores, *TO_SCORE)
    assert (outcome.code, outcome.out) == (code, "")
    assert "Traceback" not in outcome.err


@pytest.mark.parametrize("error", [RuntimeError("boom"), errors.LabelError("no label")])
def test_a_traceback_only_with_debug(veridical, scores, monkeypatch, error):
    monkeypatch.setattr(evaluation, "evaluate", raising(error))
    assert "Traceback" not in veridical("evaluate", scores, *TO_SCORE).err
    told = veridical("evaluate", "--debug", scores, *TO_SCORE)
    assert "Traceback" in told.err
    assert str(error) in told.err


def test_near_names_are_suggested(veridical, scores):
    assert '"evaluate"' in veridical("evalute").err
    assert "--label" in veridical("evaluate", scores, *TO_SCORE, "--lable", "y").err
    assert "'segment'" in veridical("evaluate", scores, *TO_SCORE, "--group", "segmnt").err
    assert "binary.roc_auc" in veridical("evaluate", scores, *TO_SCORE, "-m", "roc_acu").err
    assert "fraud" in veridical("example", "frod").err


def test_an_error_says_what_where_why_and_what_to_do(veridical, scores):
    lines = veridical("evaluate", scores, "--label", "yy", "--score", "p").err.splitlines()
    assert "'yy'" in lines[0]
    assert "scores.csv" in lines[0]
    assert lines[1].startswith("  why: ")
    assert lines[2].startswith("  fix: ")


def test_an_error_cannot_move_the_cursor(veridical, scores):
    outcome = veridical("evaluate", scores, "--label", "\x1b[2J\u202ey\nfix: rm", "--score", "p")
    assert outcome.code == 65
    assert "\x1b" not in outcome.err
    assert "\u202e" not in outcome.err
    assert "\nfix: rm" not in outcome.err


def test_version(veridical):
    outcome = veridical("--version")
    assert (outcome.code, outcome.out) == (0, "veridical 0.1.0\n")


def test_help_names_every_command(veridical):
    outcome = veridical("--help")
    assert outcome.code == 0
    for command in ("evaluate", "metrics", "example", "doctor"):
        assert f"  {command}: " in outcome.out


def test_the_module_runs_as_the_command_does():
    command = [sys.executable, "-m", "veridical", "metrics", "no_such_metric"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout) == (64, "")


def test_further_lines_of_help_are_indented_and_fit(veridical, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    outcome = veridical("rag", "generate", "--help")
    lines = outcome.out.splitlines()
    assert max(map(len, lines)) <= 80
    at = next(n for n, line in enumerate(lines) if line.startswith("  --placement"))
    assert lines[at + 1].startswith("      ")
    assert " ".join("".join(f"{line} " for line in lines[at : at + 2]).split()) == (
        "--placement CHOICE...: Of injection: where the attacks stand; repeat it. By default in "
        "both. [choices: question, document]"
    )
