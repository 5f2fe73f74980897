"""Ctrl-C and SIGTERM: what is under way is waited for, once; the run goes on later."""

import json
import signal
import subprocess
import sys
import time
from collections import Counter

import pytest

from tests.rag.campaigns.test_kills import asked, slow  # noqa: F401
from tests.rag.campaigns.world import Doomed, Settings, check_conserved, summary
from veridical.judge.serving import FaultSchedule
from veridical.rag.running.runs import begin, resume
from veridical.store import Store

_PATIENCE_S = 60
SETTINGS = Settings(copies=2, at_once=3, judged_at_once=3)


def started(folder, place):
    """A process that runs the configuration of a folder."""
    words = ["rag", "run", "--name", "stopped", "--store", place, "--config", str(folder)]
    return subprocess.Popen(
        [sys.executable, "-m", "veridical", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for(true, process):
    """Wait until something holds while a process runs."""
    until = time.monotonic() + _PATIENCE_S
    while not true():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < until
        time.sleep(0.001)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_one_signal_waits_for_what_is_under_way(slow, tmp_path, number):  # noqa: F811
    place = str(tmp_path / "runs.db")
    slow.judge_faults.now = FaultSchedule()
    configuration = slow.configured(SETTINGS)
    began, paid = asked(slow), Counter(slow.judge.ledger.prompts)
    process = started(slow.folder, place)
    wait_for(lambda: asked(slow) - began > 25, process)
    process.send_signal(number)
    out, told = process.communicate(timeout=_PATIENCE_S)
    assert process.returncode == 130, told
    assert "stopping: calls under way are waited for" in told
    assert "go on with: veridical rag resume" in told
    assert "pending" in out
    with Store(place) as store:
        run = store.load("stopped")
        assert (run.state, run.settings["status"]) == ("interrupted", "interrupted")
        assert store.ledger(run.id).counts()["running"] == 0
        stopped = Counter(slow.judge.ledger.prompts)
        closed = resume(configuration, store, "stopped", use_cache=False)
        resumed = slow.judge.ledger.prompts - stopped
        assert stopped - paid
        assert resumed
        assert not (stopped - paid) & resumed  # all that was asked is on record
        plain = begin(configuration, store, use_cache=False)
    assert summary(closed) == summary(plain)


def test_the_second_signal_waits_for_nothing(slow, tmp_path):  # noqa: F811
    place = str(tmp_path / "runs.db")
    configuration = slow.configured(SETTINGS)
    slow.judge_faults.now = Doomed(["hang"], seed=0, share=1.0)
    process = started(slow.folder, place)
    wait_for(lambda: slow.judge.ledger._now == SETTINGS.judged_at_once, process)
    process.send_signal(signal.SIGINT)
    assert any("stopping" in line for line in process.stderr)  # waits for the line
    time.sleep(0.1)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=_PATIENCE_S)
    assert process.returncode == 130
    slow.judge_faults.now = FaultSchedule()
    with Store(place) as store:
        closed = resume(configuration, store, "stopped", use_cache=False)
        check_conserved(closed)
        assert closed.status == "finished"
        assert summary(closed) == summary(begin(configuration, store, use_cache=False))


def test_a_pipeline_that_hangs_keeps_no_process(tmp_path):
    cases = "".join(json.dumps({"id": f"c{n}", "question": "How?"}) + "\n" for n in range(3))
    (tmp_path / "cases.jsonl").write_text(cases, encoding="utf-8")
    (tmp_path / "hanging.py").write_text(
        "import time\ndef ask(question):\n    time.sleep(600)\n", encoding="utf-8"
    )
    (tmp_path / "veridical.yaml").write_text(
        "version: 1\npipeline: {kind: python, target: 'hanging:ask', timeout_s: 0.2, retries: 0}\n",
        encoding="utf-8",
    )
    process = started(tmp_path, str(tmp_path / "runs.db"))
    out, told = process.communicate(timeout=_PATIENCE_S)
    assert process.returncode == 0, told
    assert "timeout" in out
