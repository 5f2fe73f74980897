"""Runs of suites: interrupted anywhere and gone on with, nothing is lost and nothing doubled."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from tests.bench.running.agents import ANSWER, Scripted, case
from veridical.bench.agents.protocol import AgentResult, InfraError
from veridical.bench.cases import Limits
from veridical.bench.running.plan import RunPlan, plan_path
from veridical.bench.running.suite_run import run_suite
from veridical.bench.trajectories import (
    DuplicateTrialError,
    TrajectoryWriter,
    read_trajectories,
    settled,
)
from veridical.cli import main
from veridical.errors import (
    FileFormatError,
    FileMissingError,
    MismatchError,
    OutputError,
    ParameterError,
)

CASES = [case(f"c{number}") for number in range(6)]


def right(_, tools):
    tools.submit(ANSWER)


def ran(path: Path, agent, cases=CASES, **rest):
    given = {"suite": "test", "limits": Limits(seconds=20.0), "run_id": "run", **rest}
    return run_suite(agent, cases, path, **given)


def keys(path: Path) -> Counter:
    return Counter(line.key for line in read_trajectories(path).lines)


def test_every_case_and_trial_has_one_line(tmp_path):
    path = tmp_path / "t.jsonl"
    done = []
    told = ran(path, Scripted(right), trials=3, progress=lambda *both: done.append(both))
    assert keys(path) == Counter({(one.case_id, trial): 1 for one in CASES for trial in range(3)})
    assert (told.planned, told.kept, told.outcomes) == (18, 0, {"parsed": 18})
    assert done[-1] == (18, 18)


def test_workers_change_nothing_but_the_order(tmp_path):
    ran(tmp_path / "one.jsonl", Scripted(right), trials=2)
    ran(tmp_path / "many.jsonl", Scripted(right), trials=2, workers=4)
    assert keys(tmp_path / "one.jsonl") == keys(tmp_path / "many.jsonl")


def test_going_on_leaves_what_ended_alone(tmp_path):
    path = tmp_path / "t.jsonl"
    ran(path, Scripted(right), CASES)
    before = path.read_bytes()
    asked = []
    told = ran(path, Scripted(lambda task, _: asked.append(task.case_id)))
    assert not asked
    assert told.kept == 6
    assert path.read_bytes() == before


def test_what_could_not_be_asked_is_tried_again_as_another_attempt(tmp_path):
    path = tmp_path / "t.jsonl"

    def broken(task, tools):
        if task.case_id in {"c1", "c4"}:
            raise InfraError("connection", "no connection")
        tools.submit(ANSWER)

    assert ran(path, Scripted(broken)).outcomes == {"infra_error": 2, "parsed": 4}
    assert ran(path, Scripted(broken)).outcomes == {"infra_error": 2, "parsed": 4}
    assert ran(path, Scripted(right)).outcomes == {"parsed": 6}
    lines = read_trajectories(path).lines
    assert [line.attempt for line in lines if line.case_id == "c1"] == [1, 2, 3]
    counted = settled(lines)
    assert len(counted) == 6
    assert all(line.outcome == "parsed" for line in counted.values())
    assert settled(lines[::-1]) == counted  # whatever order they stand in
    failed = [line for line in lines if line.outcome == "infra_error"]
    assert {line.attempt for line in settled(failed[::-1]).values()} == {2}


def test_after_ten_in_a_row_that_cannot_be_asked_the_rest_is_left(tmp_path):
    path = tmp_path / "t.jsonl"
    many = [case(f"c{number}") for number in range(40)]
    reachable = {"c0", "c5"}

    def work(task, tools):
        if task.case_id not in reachable:
            raise InfraError("connection", "no connection")
        tools.submit(ANSWER)

    told = ran(path, Scripted(work), many)
    # c0 and c5 were answered, and ten in a row were not after c5.
    assert told.outcomes == {"infra_error": 14, "parsed": 2}
    assert (told.left, told.last_error) == (24, "connection: no connection")
    reachable |= {one.case_id for one in many}
    assert ran(path, Scripted(work), many).outcomes == {"parsed": 40}


def test_what_was_not_recorded_stops_no_replay(tmp_path):
    def work(task, tools):
        if task.case_id == "c0":
            tools.submit(ANSWER)
        raise InfraError("not_recorded", "no line")

    many = [case(f"c{number}") for number in range(40)]
    told = ran(tmp_path / "t.jsonl", Scripted(work), many)
    assert told.outcomes == {"infra_error": 39, "parsed": 1}
    assert told.left == 0


def test_a_trial_that_ended_twice_is_refused(tmp_path):
    path = tmp_path / "t.jsonl"
    ran(path, Scripted(right))
    lines = read_trajectories(path).lines
    with TrajectoryWriter(path) as writer:
        writer.append(replace(lines[0], attempt=2))
    with pytest.raises(DuplicateTrialError):
        settled(read_trajectories(path).lines)
    with pytest.raises(DuplicateTrialError):
        ran(path, Scripted(right))


@pytest.mark.parametrize("cut", [1, 5, 200])
def test_a_torn_last_line_is_reported_and_run_again(tmp_path, cut):
    path = tmp_path / "t.jsonl"
    ran(path, Scripted(right))
    content = path.read_bytes()
    path.write_bytes(content[:-cut])
    torn = read_trajectories(path)
    assert len(torn.lines) == 5
    last = content[:-1].rpartition(b"\n")[2]
    assert torn.torn_bytes == len(last) + 1 - cut
    told = ran(path, Scripted(right))
    assert told.torn_bytes == torn.torn_bytes
    assert keys(path) == Counter({(one.case_id, 0): 1 for one in CASES})
    assert read_trajectories(path).torn_bytes == 0


def test_a_last_line_that_came_to_the_disk_in_part_is_torn_too(tmp_path):
    path = tmp_path / "t.jsonl"
    ran(path, Scripted(right))
    with path.open("ab") as file:
        file.write(b"\x00" * 50 + b"\n")
    assert read_trajectories(path).torn_bytes == 51
    assert ran(path, Scripted(right)).kept == 6
    assert len(read_trajectories(path).lines) == 6


def test_a_damaged_line_in_the_middle_is_an_error_with_its_number(tmp_path):
    path = tmp_path / "t.jsonl"
    ran(path, Scripted(right))
    lines = path.read_bytes().split(b"\n")
    lines[2] = lines[2][:-10]
    path.write_bytes(b"\n".join(lines))
    with pytest.raises(FileFormatError) as caught:
        read_trajectories(path)
    assert caught.value.where.endswith("t.jsonl:3")


@pytest.mark.parametrize(
    "spoil",
    [
        {"schema": "trajectory/2"},
        {"trial": True},
        {"trial": "0"},
        {"outcome": "fine"},
        {"outcome": None},
        {"surprise": 1},
        {"messages": {}},
        {"agent": []},
    ],
)
def test_a_line_of_another_shape_is_refused(tmp_path, spoil):
    path = tmp_path / "t.jsonl"
    ran(path, Scripted(right), CASES[:1])
    document = json.loads(path.read_bytes())
    path.write_text(json.dumps({**document, **spoil}) + "\n")
    with pytest.raises(FileFormatError):
        read_trajectories(path)


@pytest.mark.parametrize("missing", ["run_id", "case_sha256", "outcome", "agent"])
def test_a_line_without_a_field_is_refused(tmp_path, missing):
    path = tmp_path / "t.jsonl"
    ran(path, Scripted(right), CASES[:1])
    document = json.loads(path.read_bytes())
    del document[missing]
    path.write_text(json.dumps(document) + "\n")
    with pytest.raises(FileFormatError):
        read_trajectories(path)


def test_another_run_agent_suite_or_case_is_refused(tmp_path):
    path = tmp_path / "t.jsonl"
    ran(path, Scripted(right))
    other = [replace(CASES[0], truth={}), *CASES[1:]]
    for agent, rest in (
        (Scripted(right), {"run_id": "other"}),
        (Scripted(right), {"suite": "other"}),
        (Scripted(right, config={"other": 1}), {}),
        (Scripted(right), {"cases": other}),
        (Scripted(right), {"cases": CASES[1:]}),
    ):
        with pytest.raises(MismatchError):
            ran(path, agent, **rest)


def test_two_processes_do_not_write_one_file(tmp_path):
    path = tmp_path / "t.jsonl"
    with TrajectoryWriter(path), pytest.raises(OutputError):
        TrajectoryWriter(path)
    ran(path, Scripted(right))


@pytest.mark.parametrize("workers", [1, 3])
def test_a_file_that_cannot_be_written_stops_the_run(tmp_path, workers, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OutputError):
        ran(tmp_path / "t.jsonl", Scripted(right), workers=workers)


def test_trials_and_workers_are_whole_numbers_from_one(tmp_path):
    for bad in ({"trials": 0}, {"workers": 0}):
        with pytest.raises(ParameterError):
            ran(tmp_path / "t.jsonl", Scripted(right), **bad)


def test_the_truth_and_the_seed_are_not_in_the_lines(tmp_path):
    path = tmp_path / "t.jsonl"
    ran(path, Scripted(lambda *_: AgentResult(final_text="?")))
    assert b"1250.00" not in path.read_bytes()
    assert b"the-secret-seed" not in path.read_bytes()


def begun(path: Path, *words: str) -> subprocess.Popen:
    agent = ["--function", "tests.bench.running.slow_agent:run"]
    suite = ["--suite", "kill", "--suite-seed", "k", "--cases", "40"]
    command = [sys.executable, "-m", "veridical", "bench", "run", "--output", str(path)]
    return subprocess.Popen(
        [*command, *agent, *suite, *words],
        cwd=Path(__file__).parents[3],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


@pytest.mark.parametrize("workers", ["1", "4"])
def test_killed_and_resumed_nothing_is_lost_or_doubled(tmp_path, workers, monkeypatch, capsys):
    path = tmp_path / "t.jsonl"
    process = begun(path, "--workers", workers)
    give_up = time.monotonic() + 60
    while not (path.exists() and path.read_bytes().count(b"\n") >= 3):
        assert process.poll() is None, "it ended before it could be killed"
        assert time.monotonic() < give_up
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.wait()
    before = read_trajectories(path).lines
    assert 3 <= len(before) < 40
    with path.open("ab") as file:  # as if the kill had come in the middle of a line
        file.write(b'{"schema":"trajectory/1","run_id":"')
    monkeypatch.chdir(Path(__file__).parents[3])
    assert main(["bench", "resume", str(path), "--json"]) == 0
    out = capsys.readouterr()
    assert "35 bytes were cut off" in out.err
    told = json.loads(out.out)
    assert (told["planned"], told["kept"], told["outcomes"]) == (40, len(before), {"parsed": 40})
    after = read_trajectories(path).lines
    assert after[: len(before)] == before
    assert Counter(line.key for line in after) == Counter(
        {(f"v1-kill-{number:06d}", 0): 1 for number in range(1, 41)}
    )
    assert len({line.run_id for line in after}) == 1


def test_a_plan_is_read_as_it_was_written_and_not_written_over(tmp_path):
    path = tmp_path / "t.jsonl"
    plan = RunPlan(
        run_id="r",
        suite="dev",
        suite_seed=None,
        cases=None,
        manifest_sha256="m",
        trials=2,
        agent={"kind": "shipped", "name": "naive"},
    )
    plan.write(path)
    assert RunPlan.read(path) == plan
    with pytest.raises(OutputError):
        plan.write(path)
    for content in ("{}", "[]", '{"schema": "bench_run/1"}', "{"):
        plan_path(path).write_text(content)
        with pytest.raises(FileFormatError):
            RunPlan.read(path)
    plan_path(path).unlink()
    with pytest.raises(FileMissingError):
        RunPlan.read(path)
