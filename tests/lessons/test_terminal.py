"""The lessons as a reader meets them: in a pipe, and on a terminal that waits for answers."""

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
from contextlib import contextmanager
from functools import cache

import pytest

from veridical.cli import main
from veridical.lessons import LESSONS
from veridical.lessons.metrics import demo

MODULE = [sys.executable, "-m", "veridical.lessons.metrics"]
COMMAND = [sys.executable, "-m", "veridical", "learn", "metrics"]
GUESS, CHOICE = "Your guess, then Enter: ", "Your choice, a to c: "
PATIENCE_S = 60  # a hang is a failure; a busy machine is not

# The tables and the lines to take away, as the walk-through prints them.
EXPECTED = """
  precision  6 of 8 flagged                  0.750
  recall     6 of 10 frauds                  0.600
  accuracy   94 of 100 right                 0.940
Take away: accuracy says 94%, and 4 of 10 frauds went through.
  honest  FP 0     TN 9900
  accuracy    0.99
  recall      0.00
Take away: where frauds are rare, a model that does nothing is 99% accurate.
  area under the ROC curve     0.8895
  share of pairs ranked right  0.8895
Take away: AUC 0.89: in 89% of pairs the fraud has the higher score.
  a miss  a false alarm  threshold  precision  recall  total cost
       1              1      2.140       0.75    0.30          40
      10              1      0.757       0.30    0.88         162
       1             10      3.302       1.00    0.04          48
Take away: the same scores, other prices: another threshold is best.
  recall@5         2 of 3 relevant are there     0.667
  precision@5      2 of 5 places hold one        0.400
  reciprocal rank  the first stands second       0.500
  nDCG@5           grades by place, of the best  0.560
Take away: recall@k asks whether it was found, nDCG also at which place.
  correct paraphrase        0.16     0.26
  wrong but copies wording  0.73     0.91
  exact copy                1.00     1.00
Take away: overlap measures wording, not truth: the false one wins.
  passes everything         90%        90%   0.00
  finds the bad ones        95%        78%   0.77
Take away: 90% agreement can be worth nothing; kappa takes chance away.
"""


def environment(**more):
    unset = {"NO_COLOR", "FORCE_COLOR", "COLUMNS", "TERM"}
    kept = {name: value for name, value in os.environ.items() if name not in unset}
    return {**kept, "TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8", **more}


@cache
def piped(*command):
    """Run a command whose input is no terminal; of the same words only once."""
    run = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=environment(),
        timeout=PATIENCE_S,
        check=False,
    )
    return run.returncode, run.stdout.decode(), run.stderr.decode()


class Terminal:
    """A process on a terminal of 80 columns, and all that it wrote so far."""

    def __init__(self, process, master):
        self.process = process
        self.master = master
        self.text = ""

    def read_until(self, wanted, times):
        while self.text.count(wanted) < times:
            assert self._read(), f"ended before {wanted!r} came {times} times:\n{self.text}"

    def rest(self):
        while self._read():
            pass
        return self.process.wait(PATIENCE_S)

    def write(self, keys):
        os.write(self.master, keys)

    def _read(self):
        ready, _, _ = select.select([self.master], [], [], PATIENCE_S)
        assert ready, f"nothing more came:\n{self.text}"
        try:
            got = os.read(self.master, 65_536)
        except OSError:  # the other side is closed
            return False
        self.text += got.decode(errors="replace").replace("\r\n", "\n")
        return bool(got)


@contextmanager
def terminal(command, **more):
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    process = subprocess.Popen(
        command, stdin=slave, stdout=slave, stderr=slave, env=environment(**more)
    )
    os.close(slave)
    try:
        yield Terminal(process, master)
    finally:
        process.kill()
        process.wait(PATIENCE_S)
        os.close(master)


@pytest.mark.parametrize("command", [MODULE, COMMAND, [*COMMAND, "--no-pause"]])
def test_in_a_pipe_it_runs_through(command):
    code, out, err = piped(*command)
    assert (code, err) == (0, "")
    lines = iter(out.splitlines())
    for wanted in EXPECTED.strip("\n").splitlines():
        assert wanted in lines, wanted  # takes the lines before it: in this order
    assert GUESS not in out
    assert out.isascii()
    assert max(map(len, out.splitlines())) <= 80


def test_both_ways_to_start_it_are_one():
    assert piped(*MODULE) == piped(*COMMAND)
    assert piped(*MODULE, "--quiz") == piped(*COMMAND, "--quiz")


def test_demo_is_what_the_command_tells(capsys):
    demo()
    called = capsys.readouterr().out
    assert main(["learn", "metrics"]) == 0
    assert capsys.readouterr().out == called


def test_a_reader_who_has_read_enough_closes_the_pipe():
    piping = f"{sys.executable} -m veridical learn metrics | head -1"
    code, out, err = piped("/bin/sh", "-c", piping)
    assert (code, out, err) == (0, "How you know whether a model is any good\n", "")


def test_input_that_is_closed_is_nobody():
    closed = f"exec {sys.executable} -m veridical learn metrics <&-"
    with terminal(["/bin/sh", "-c", closed]) as reader:
        assert reader.rest() == 0
    assert GUESS not in reader.text


def test_on_a_terminal_it_waits_at_each_stop_for_a_guess():
    with terminal(COMMAND) as reader:
        for stop in range(1, 8):
            reader.read_until(GUESS, stop)
            assert f"{stop} of 7" in reader.text
            assert f"{stop + 1} of 7" not in reader.text
            assert reader.text.count("What do you expect?") == stop
            assert reader.text.count("Take away") == stop - 1
            reader.write(b"half\n")
        assert reader.rest() == 0
    assert reader.text.count("Take away") == 7


def test_no_pause_asks_nothing_on_a_terminal():
    with terminal([*MODULE, "--no-pause"]) as reader:
        assert reader.rest() == 0
    assert GUESS not in reader.text
    assert reader.text.count("Take away") == 7


@pytest.mark.parametrize("plain", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_a_terminal_that_wants_no_colour_gets_the_text_of_a_pipe(plain):
    with terminal([*COMMAND, "--no-pause"], **plain) as reader:
        assert reader.rest() == 0
    assert reader.text == piped(*COMMAND)[1]


def test_other_terminals_get_styles_and_the_same_words():
    with terminal([*COMMAND, "--no-pause"]) as reader:
        assert reader.rest() == 0
    assert "\x1b[1m" in reader.text
    assert "Take away: recall@k asks whether it was found" in reader.text


def test_the_end_of_input_at_a_prompt_goes_on_without_pauses():
    with terminal(COMMAND, NO_COLOR="1") as reader:
        reader.read_until(GUESS, 1)
        reader.write(b"\x04")
        assert reader.rest() == 0
    assert reader.text.count(GUESS) == 1
    assert reader.text.count("Take away") == 7


def test_what_no_terminal_can_spell_is_a_guess_like_any_other():
    with terminal(COMMAND, NO_COLOR="1") as reader:
        reader.read_until(GUESS, 1)
        reader.write(b"\xff\xfe\n")
        reader.read_until(GUESS, 2)
        reader.write(b"\x04")
        assert reader.rest() == 0


@pytest.mark.parametrize("command", [MODULE, COMMAND, [*COMMAND, "--quiz"]])
def test_ctrl_c_ends_with_130_and_no_traceback(command):
    with terminal(command) as reader:
        reader.read_until("Your ", 1)
        reader.process.send_signal(signal.SIGINT)
        assert reader.rest() == 130
    assert reader.text.rstrip().endswith(": \ninterrupted")
    assert "Traceback" not in reader.text


def test_a_quiz_on_a_terminal():
    with terminal([*COMMAND, "--quiz"], NO_COLOR="1") as reader:
        reader.read_until(CHOICE, 1)
        reader.write(b"seven\n")  # no letter: it is asked again
        reader.read_until(CHOICE, 2)
        reader.write(b"A)\n")
        reader.read_until(CHOICE, 3)
        reader.write(b"c\n")
        reader.read_until(CHOICE, 4)
        reader.write(b"\x04")
        assert reader.rest() == 0
    assert "not a: that is precision, 6 of the 8 flagged." in reader.text
    assert "b is right: recall asks of the frauds" in reader.text
    assert "Right: accuracy means something only beside" in reader.text
    assert reader.text.rstrip().endswith("1 of 2 right.")


def test_a_quiz_in_a_pipe_is_printed_with_its_answers():
    code, out, err = piped(*COMMAND, "--quiz")
    assert (code, err) == (0, "")
    assert out.count("Question ") == out.count(" is right: ") == 8
    assert out.count("not ") >= 16
    assert "of 8 right." not in out


@pytest.mark.parametrize(
    ("module", "absent"),
    [("veridical.lessons", "numpy"), ("veridical.lessons.metrics", "matplotlib")],
)
def test_what_is_not_needed_is_not_loaded(module, absent):
    look = f"import {module}, sys; print({absent!r} in sys.modules)"
    assert piped(sys.executable, "-c", look) == (0, "False\n", "")


def test_lessons_are_listed(capsys):
    assert main(["learn"]) == 0
    out = capsys.readouterr().out
    assert all(f"{lesson.name} " in out and lesson.title in out for lesson in LESSONS)


@pytest.mark.parametrize(
    ("name", "fix"), [("metrix", "did you mean metrics?"), ("\x1b[2J", "known: metrics")]
)
def test_a_lesson_that_does_not_exist(capsys, name, fix):
    assert main(["learn", name]) == 64
    captured = capsys.readouterr()
    assert captured.out == ""
    assert fix in captured.err
    assert "\x1b" not in captured.err
