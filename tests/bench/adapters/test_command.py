"""A program as an agent: what it is given, what it cannot reach, and how it fails."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.bench.adapters.programs import program, ran
from tests.bench.running.agents import FAST, case
from veridical.bench.adapters import confine
from veridical.bench.adapters.command import CommandAgent
from veridical.bench.adapters.isolation import chosen, readable_of, wrapped
from veridical.bench.prompting import prompt_for
from veridical.bench.running.one_case import run_case
from veridical.bench.suites import generate
from veridical.errors import ConfigurationError

LANDLOCK = pytest.mark.skipif(confine.abi() < 1, reason="this kernel has no Landlock")


def running(mark: str) -> list[str]:
    """Return the processes whose words hold a mark, the tests' own aside."""
    told = subprocess.run(["ps", "-eww", "-o", "args"], capture_output=True, text=True, check=True)
    return [one for one in told.stdout.splitlines() if mark in one and "bench run" not in one]


def await_end(mark: str) -> None:
    """Wait until none is left: a signal takes its time."""
    give_up = time.monotonic() + 30
    while running(mark):
        assert time.monotonic() < give_up
        time.sleep(0.02)


def test_a_program_in_a_bin_does_not_open_what_lies_around_it(tmp_path):
    home, env = tmp_path / "home" / "me", tmp_path / "env"
    for folder in (home, env):
        (folder / "bin").mkdir(parents=True)
        (folder / "bin" / "agent").touch()
    (env / "pyvenv.cfg").touch()
    assert readable_of([str(home / "bin" / "agent")]) == [str(home / "bin" / "agent")]
    assert str(env) in readable_of([str(env / "bin" / "agent")])


def notes(line):
    return json.loads(json.loads(line.submission_raw)["notes"])


def test_it_gets_the_task_the_prompt_and_a_folder_of_the_inputs_alone(tmp_path):
    of = case(a_dot_csv=b"one", b_dot_xml=b"\xff")
    body = """
folder = asked["files_dir"]
answer({"asked": asked, "cwd": os.getcwd(), "files": {n: open(n, "rb").read().hex()
        for n in sorted(os.listdir(folder))}})
"""
    line = ran(tmp_path, body, of=of)
    assert line.outcome == "parsed"
    said = notes(line)
    assert said["files"] == {"a.csv": b"one".hex(), "b.xml": "ff"}
    assert said["cwd"] == said["asked"]["files_dir"]
    assert said["asked"]["prompt"] == prompt_for(of)
    assert said["asked"]["task"] == {
        "case_id": "c1",
        "files": [{"name": "a.csv", "bytes": 3}, {"name": "b.xml", "bytes": 1}],
        "limits": {"turns": 40, "seconds": 20.0},
    }
    assert not Path(said["cwd"]).exists()


def test_the_environment_is_empty_but_for_what_is_allowed(tmp_path, monkeypatch):
    monkeypatch.setenv("MY_KEY", "sk-secret")
    monkeypatch.setenv("OTHER_KEY", "sk-other")
    line = ran(tmp_path, "answer(sorted(os.environ))", environment=["MY_KEY", "NOT_SET"])
    allowed = {"PATH", "LANG", "HOME", "TMPDIR", "MY_KEY"}
    assert set(notes(line)) - {"LC_CTYPE", "PWD"} == allowed
    assert "sk-" not in json.dumps(line.to_dict())


@LANDLOCK
def test_landlock_hides_everything_else_and_is_recorded(tmp_path):
    secret = tmp_path / "elsewhere"
    secret.mkdir()
    (secret / "truth.json").write_text("1250.00")
    body = f"""
def tried(work):
    try:
        work()
    except OSError as error:
        return type(error).__name__
    return "done"
answer([
    tried(lambda: open({str(secret / "truth.json")!r}).read()),
    tried(lambda: os.listdir({str(secret)!r})),
    tried(lambda: os.listdir("/proc")),
    tried(lambda: open(f"/proc/{{os.getppid()}}/environ", "rb").read()),
    tried(lambda: open({str(tmp_path / "made")!r}, "w")),
    tried(lambda: os.kill(os.getppid(), 0)),
    tried(lambda: open("mine", "w").write("x")),
    tried(lambda: open(os.environ["TMPDIR"] + "/mine", "w").write("x")),
    tried(lambda: open("/dev/null", "w").write("x")),
])
"""
    line = ran(tmp_path, body, isolation="landlock")
    *refused, here, scratch, null = notes(line)
    refused = [*refused[:5], *(refused[5:] if confine.abi() >= 6 else [])]
    assert set(refused) == {"PermissionError"}
    assert (here, scratch, null) == ("done", "done", "done")
    assert line.isolation == f"landlock abi {confine.abi()}"


@LANDLOCK
def test_it_may_read_what_it_is_allowed_to(tmp_path):
    extra = tmp_path / "library"
    extra.mkdir()
    (extra / "words.txt").write_text("hello")
    body = f"answer(open({str(extra / 'words.txt')!r}).read())"
    refused = ran(tmp_path, body, isolation="landlock")
    assert refused.outcome == "infra_error"
    allowed = ran(tmp_path, body, isolation="landlock", readable=[str(extra)])
    assert notes(allowed) == "hello"


def test_nothing_of_a_case_but_its_inputs_is_on_the_disk_while_it_runs(tmp_path):
    suite = generate("leak", "a-seed-nobody-writes", 8)
    of = next(one for one in suite.cases if one.injection is not None)
    # All that the run has written anywhere lies in the folder above its files.
    body = """
import glob
answer([open(p, errors="replace").read() for p in glob.glob("../**/*.*", recursive=True)])
"""
    line = ran(tmp_path, body, of=of, isolation="none")
    seen = "".join(notes(line))
    assert "period" in seen
    for hidden in ("a-seed-nobody-writes", "expected_flags", "case/1", of.template_id, "twin_of"):
        assert hidden not in seen


@pytest.mark.parametrize("isolation", ["auto", "none"])
def test_which_isolation_was_in_force_is_recorded(tmp_path, isolation):
    line = ran(tmp_path, "answer()", isolation=isolation)
    way = chosen(isolation)
    assert line.isolation is not None
    assert line.isolation.startswith(way)


@pytest.mark.parametrize(
    ("body", "outcome", "reason"),
    [
        ("sys.exit(3)", "infra_error", "infra_error"),
        ("answer(); sys.exit(1)", "infra_error", "infra_error"),
        ("os.kill(os.getpid(), 11)", "infra_error", "infra_error"),
        ("", "no_submission", "final_text"),
        ("print()", "no_submission", "final_text"),
        ("print('hello')", "parse_failure", "final_text"),
        ("sys.stdout.buffer.write(bytes([255, 254]))", "parse_failure", "final_text"),
        ("print('x' * 5_000_000)", "parse_failure", "final_text"),
    ],
)
def test_how_a_program_fails(tmp_path, body, outcome, reason):
    line = ran(tmp_path, body)
    assert (line.outcome, line.stop_reason) == (outcome, reason)
    if "5_000_000" in body:
        assert line.parse_reason == "too_large"
        assert len(line.submission_raw) <= (1 << 20) + 1


def test_a_program_that_says_what_it_spent(tmp_path):
    body = """
print(json.dumps({"submission_raw": json.dumps({"accounts": [], "flags": [], "confidence": "low"}),
    "usage": {"input_tokens": 7, "output_tokens": 123}, "shape": "anthropic_messages",
    "model": "m-1", "provider": "p"}))
"""
    line = ran(tmp_path, body)
    assert line.parsed
    assert (line.usage["input"], line.usage["output"]) == (7, 123)
    assert (line.model_returned, line.provider) == ("m-1", "p")
    plain = ran(tmp_path, "answer()")
    assert plain.usage is None
    assert plain.usage_reason


def test_it_ends_with_its_time_and_all_that_it_started_with_it(tmp_path):
    mark = f"veridical-test-{os.getpid()}-{time.time_ns()}"
    body = f"""
import subprocess, time
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)", {mark!r}])
time.sleep(60)
"""
    line = ran(tmp_path, body, seconds=1.0)
    assert (line.outcome, line.stop_reason) == ("no_submission", "time_limit")
    await_end(mark)


def test_what_it_leaves_running_is_ended_when_it_has_answered(tmp_path):
    mark = f"veridical-test-{os.getpid()}-{time.time_ns()}"
    body = f"""
import subprocess
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)", {mark!r}],
                 stdout=subprocess.DEVNULL)
answer()
"""
    assert ran(tmp_path, body).parsed
    await_end(mark)


def test_its_last_words_are_told_once_and_kept_nowhere(tmp_path, capsys):
    path = tmp_path / "broken.py"
    path.write_text(
        "import sys\n"
        "sys.stderr.write('x' * 3_000_000 + '\\nno \\x1b[31mkey sk-secret\\n')\n"
        "sys.exit(3)\n"
    )
    agent = CommandAgent([sys.executable, str(path)], isolation="none")
    lines = [run_case(agent, case(), FAST) for _ in range(2)]
    assert capsys.readouterr().err == "broken.py: no \\x1b[31mkey sk-secret\n"
    for line in lines:
        assert line.outcome == "infra_error"
        assert line.error["message"] == "the command ended with code 3"
        assert "sk-secret" not in json.dumps(line.to_dict())


@LANDLOCK
@pytest.mark.parametrize("gone", [False, True])
def test_a_program_whose_run_is_gone_already_does_not_begin(tmp_path, gone):
    parent = os.getppid() if gone else os.getpid()
    launcher = [sys.executable, "-I", "-S", confine.__file__, str(parent)]
    places = ["/usr", "/bin", "/lib", "/lib64", "--", str(tmp_path), "--"]
    program = ["/bin/sh", "-c", "echo begun > here"]
    done = subprocess.run([*launcher, *places, *program], cwd=tmp_path, check=False)
    assert done.returncode == gone
    assert (tmp_path / "here").exists() is not gone


@LANDLOCK
def test_a_run_that_is_killed_takes_its_program_along(tmp_path):
    mark = f"veridical-test-{os.getpid()}-{time.time_ns()}"
    program_path = tmp_path / "slow.py"
    program_path.write_text("import time; time.sleep(60)")
    command = f"{sys.executable} {program_path} {mark}"
    run = ["bench", "run", "--command", command, "--isolation", "landlock"]
    suite = [
        "--suite",
        "k",
        "--suite-seed",
        "k",
        "--cases",
        "4",
        "--output",
        str(tmp_path / "t.jsonl"),
    ]
    process = subprocess.Popen(
        [sys.executable, "-m", "veridical", *run, *suite],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )

    give_up = time.monotonic() + 60
    while not running(mark):
        assert process.poll() is None
        assert time.monotonic() < give_up
        time.sleep(0.02)
    process.kill()
    process.wait()
    await_end(mark)


def test_a_program_need_not_listen(tmp_path):
    path = tmp_path / "deaf.py"
    path.write_text("import sys; sys.stdin.close()\nprint('{}')")
    agent = CommandAgent([sys.executable, str(path)])
    assert agent.name == "deaf.py"
    line = run_case(agent, case(a_dot_csv=b"x" * 1_000_000), FAST)
    assert line.parse_reason == "missing_field:accounts"


def test_a_command_that_cannot_be_started_is_refused_before_a_run():
    for words in ([], ["no-such-program-anywhere"]):
        with pytest.raises(ConfigurationError):
            CommandAgent(words)


def test_the_words_make_the_configuration(tmp_path):
    words = program(tmp_path, "answer()")
    assert CommandAgent(words).config != CommandAgent([*words, "--more"]).config


def test_an_isolation_that_does_not_work_here_is_refused(monkeypatch):
    monkeypatch.setattr(confine, "abi", lambda: 0)
    monkeypatch.setattr("veridical.bench.adapters.isolation._bubblewrap_works", lambda: False)
    for way in ("landlock", "bubblewrap"):
        with pytest.raises(ConfigurationError):
            chosen(way)
    assert chosen("auto") == "none"


def test_bubblewrap_comes_first_and_hides_processes(monkeypatch, tmp_path):
    monkeypatch.setattr("veridical.bench.adapters.isolation._bubblewrap_works", lambda: True)
    assert chosen("auto") == "bubblewrap"
    words = wrapped("bubblewrap", ["/bin/prog", "x"], tmp_path, ["/opt/lib"])
    assert Path(words[0]).name == "bwrap"
    assert "--unshare-pid" in words
    assert words[-3:] == ["--", "/bin/prog", "x"]
    at = words.index("/opt/lib")
    assert words[at - 1 : at + 2] == ["--ro-bind-try", "/opt/lib", "/opt/lib"]
