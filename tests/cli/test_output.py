"""What the streams carry: plain text in a pipe, colour on a terminal, nothing broken anywhere."""

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from veridical.report.visible import width

ESCAPE = "\x1b"
EVALUATE = ["evaluate", "scores.csv", "--label", "y", "--score", "p"]


def command(*words):
    return [sys.executable, "-m", "veridical", *words]


def environment(**variables):
    kept = {k: v for k, v in os.environ.items() if k not in {"NO_COLOR", "COLUMNS", "TERM"}}
    return kept | {"TERM": "xterm-256color"} | variables


def on_a_terminal(*words, **variables):
    """Return what a command writes to a terminal, and its exit code."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        command(*words), stdout=theirs, stderr=theirs, env=environment(**variables)
    )
    os.close(theirs)
    written = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # Linux says so when the other end is closed
            break
        if not part:
            break
        written += part
    os.close(ours)
    return written.decode("utf-8"), process.wait()


def test_a_terminal_gets_styles(scores):
    del scores
    out, code = on_a_terminal(*EVALUATE)
    assert code == 0
    assert ESCAPE in out
    assert "ROC-AUC" in out


@pytest.mark.parametrize("variables", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_a_terminal_that_wants_none_gets_none(scores, variables):
    del scores
    out, code = on_a_terminal(*EVALUATE, **variables)
    assert code == 0
    assert "ROC-AUC" in out
    assert ESCAPE not in out


@pytest.mark.parametrize("words", [EVALUATE, ["--help"], ["metrics"], ["doctor"], ["nonsense"]])
def test_a_pipe_gets_plain_text_even_when_colour_is_forced(scores, words):
    del scores
    run = subprocess.run(
        command(*words),
        capture_output=True,
        text=True,
        check=False,
        env=environment(FORCE_COLOR="1", CLICOLOR_FORCE="1"),
    )
    assert run.stdout + run.stderr
    assert ESCAPE not in run.stdout + run.stderr


def test_a_table_fits_eighty_columns(veridical, tmp_path):
    long = "a_model_with_a_very_long_name_" * 4
    wide = "\N{CJK UNIFIED IDEOGRAPH-6536}" * 50
    rows = (
        f"y,{long}1,{long}2,{wide}\n1,0.9,0.8,{wide}\n0,0.6,0.7,b\n1,0.4,0.3,b\n0,0.1,0.2,{wide}\n"
    )
    (tmp_path / "a.csv").write_text(rows, encoding="utf-8")
    words = ["evaluate", "a.csv", "--label", "y", "--score", f"{long}1", "--score", f"{long}2"]
    words += ["--group", wide, "--threshold", "0.5", "--cost-fn", "850000000", "--cost-fp", "25"]
    out = veridical(*words, "--cost-review", "5", "--currency", "USD").out
    assert max(map(width, out.splitlines())) <= 80
    # Names that differ at their ends alone are still told apart.
    assert re.search(r"…\w+_1 ", out)
    assert re.search(r"…\w+_2 ", out)


def test_a_reader_that_has_read_enough_is_no_error(scores):
    del scores
    reading, writing = os.pipe()
    os.close(reading)
    run = subprocess.run(
        command("metrics"), stdout=writing, stderr=subprocess.PIPE, text=True, check=False
    )
    os.close(writing)
    assert (run.returncode, run.stderr) == (0, "")


def test_a_closed_pipe_does_not_hide_the_outcome(scores):
    del scores
    reading, writing = os.pipe()
    os.close(reading)
    words = command(*EVALUATE, "-m", "precision")
    run = subprocess.run(words, stdout=writing, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writing)
    assert (run.returncode, run.stderr) == (3, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_said(scores):
    del scores
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        run = subprocess.run(
            command(*EVALUATE, "--json"),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert run.returncode == 65
    assert "cannot be written" in run.stderr
    assert "Traceback" not in run.stderr


def ascii_only(*words):
    variables = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C"}
    return subprocess.run(
        command(*words), capture_output=True, check=False, env=environment(**variables)
    )


def test_a_terminal_that_speaks_ascii_gets_ascii(tmp_path):
    (tmp_path / "scores.csv").write_text("y,p\n1,0.9\n0,0.6\n1,0.4\n0,0.1\n", encoding="utf-8")
    run = ascii_only(*EVALUATE)
    assert run.returncode == 0
    assert run.stdout.isascii()
    assert b"\\x" not in run.stdout
    assert b"=o=" in run.stdout


def test_json_is_utf8_whatever_the_terminal_speaks(tmp_path):
    rows = "y,p,ort\n1,0.9,Z\u00fcrich\n0,0.6,Bern\n1,0.4,Bern\n0,0.1,Z\u00fcrich\n"
    (tmp_path / "scores.csv").write_text(rows, encoding="utf-8")
    run = ascii_only(*EVALUATE, "--group", "ort", "--json")
    groups = {result["group"] for result in json.loads(run.stdout.decode("utf-8"))["results"]}
    assert "ort=Z\u00fcrich" in groups


def in_a_shell(line, *words):
    """Run a command with the redirections of a shell, which a test cannot make otherwise."""
    script = " ".join(f'"{word}"' for word in command(*words))
    return subprocess.run(
        ["/bin/sh", "-c", line.replace("COMMAND", script)],
        capture_output=True,
        text=True,
        env=environment(),
        check=False,
    )


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["evaluate", "--help"], EVALUATE])
@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("COMMAND >/dev/full", 65),
        ("COMMAND >&-", 0),
        ("COMMAND 2>&-", 0),
        ("COMMAND >&- 2>&-", 0),
        ("{ COMMAND; echo $? >code; } | true; exit $(cat code)", 0),
    ],
)
def test_a_stream_that_cannot_be_written(scores, words, line, code):
    del scores
    outcome = in_a_shell(line, *words)
    assert outcome.returncode == code
    assert "internal" not in outcome.stderr
    assert "Traceback" not in outcome.stderr


def test_an_error_is_an_error_where_nobody_hears_it(scores):
    del scores
    assert in_a_shell("COMMAND 2>&-", "evaluate", "absent.csv", *EVALUATE[2:]).returncode == 65
    assert in_a_shell("COMMAND 2>/dev/full", "--nonsense").returncode == 64
