"""The progress of a long read: on a terminal, after half a second, and gone in the end."""

import io

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

import veridical as vd
from veridical.cli.progress import ProgressLine, progress_line, rows_of


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def terminal(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    return Terminal()


def shown(steps):
    """Return what stands on the screen after steps of (seconds, pass, rows)."""
    seconds = iter([0.0, *(at for at, _, _ in steps)])
    screen = io.StringIO()
    line = ProgressLine(screen, lambda: next(seconds))
    for _, name, rows in steps:
        line(name, rows)
    return screen.getvalue().split("\x1b[K")[-1]


def test_nothing_is_shown_in_the_first_half_second():
    assert shown([(0.1, "first pass", 10), (0.49, "first pass", 20)]) == ""
    assert shown([(0.1, "first pass", 10), (0.51, "first pass", 20)]) == "first pass  20 rows"


def test_the_second_pass_knows_what_is_left():
    steps = [(1.0, "first pass", 1000), (2.0, "second pass", 0), (5.0, "second pass", 750)]
    assert shown(steps).endswith("750 of 1,000 rows, 1 s left")


def test_a_first_pass_knows_what_is_left_where_the_file_says_how_many_rows_there_are(terminal):
    seconds = iter([0.0, 0.1, 1.0])
    asked = []
    line = ProgressLine(terminal, lambda: next(seconds), lambda: asked.append(1) or 800)
    line("counting", 100)
    assert asked == []  # nobody waits yet
    line("counting", 400)
    assert terminal.getvalue().endswith("400 of 800 rows, 1 s left")


def test_a_pass_that_starts_again_has_a_time_of_its_own():
    steps = [(1.0, "counting", 900), (2.0, "counting", 300), (3.0, "counting", 600)]
    assert shown(steps).endswith("600 of 900 rows, 0 s left")


def test_a_summary_tells_its_rows(tmp_path):
    table = pa.table({"y": np.arange(100) % 2, "p": np.linspace(0, 1, 100)})
    parquet.write_table(table, tmp_path / "rows.parquet")
    told = []
    path = tmp_path / "rows.parquet"
    vd.summarise(path, label="y", score="p", progress=lambda name, rows: told.append((name, rows)))
    assert told[-1] == ("counting", 100)
    assert rows_of([str(path)])() == 100


def interrupted_read(terminal):
    with progress_line(terminal) as line:
        line._shown = -1.0
        line("first pass", 5)
        raise KeyboardInterrupt


def test_the_line_is_erased_also_when_the_read_fails(terminal):
    with pytest.raises(KeyboardInterrupt):
        interrupted_read(terminal)
    assert terminal.getvalue().endswith("5 rows\r\x1b[K")


def test_a_short_read_writes_nothing(terminal):
    with progress_line(terminal) as line:
        line("first pass", 5)
    assert terminal.getvalue() == ""


def test_pipes_and_dumb_terminals_see_nothing(terminal, monkeypatch):
    with progress_line(io.StringIO()) as line:
        assert line is None
    monkeypatch.setenv("TERM", "dumb")
    with progress_line(terminal) as line:
        assert line is None


def test_a_read_in_batches_tells_both_passes(tmp_path):
    table = pa.table({"y": np.arange(100) % 2, "p": np.linspace(0, 1, 100)})
    parquet.write_table(table, tmp_path / "rows.parquet")
    told = []
    vd.evaluate(
        tmp_path / "rows.parquet",
        ["roc_auc"],
        label="y",
        score="p",
        engine="batches",
        intervals=False,
        progress=lambda name, rows: told.append((name, rows)),
    )
    assert told[0][0] == "first pass"
    assert told[-1] == ("second pass", 100)
