"""Settings: command line, then environment, then project file, then default."""

import pytest

EVALUATE = ["evaluate", "scores.csv", "--json"]


def settings(outcome):
    assert outcome.code == 0, outcome.err
    return outcome.document["source"]["seed"]


def write(folder, name, text):
    (folder / name).write_text(text, encoding="utf-8")


@pytest.fixture
def project(scores, tmp_path):
    """A project whose file says everything that a run needs."""
    del scores
    text = "seed: 1\nevaluate:\n  label: y\n  score: [p, q]\n  no-intervals: yes\n"
    write(tmp_path, "veridical.yaml", text)
    return tmp_path


def test_the_project_file_fills_in_what_is_left_open(veridical, project):
    del project
    document = veridical(*EVALUATE).document
    assert document["source"]["label"] == "y"
    assert {result["subject"] for result in document["results"]} == {"p", "q"}
    assert not any(result.get("interval") for result in document["results"])


def test_command_line_beats_environment_beats_file_beats_default(veridical, project, monkeypatch):
    assert settings(veridical(*EVALUATE)) == 1
    monkeypatch.setenv("VERIDICAL_SEED", "2")
    assert settings(veridical(*EVALUATE)) == 2
    monkeypatch.setenv("VERIDICAL_EVALUATE_SEED", "3")
    assert settings(veridical(*EVALUATE)) == 3
    assert settings(veridical(*EVALUATE, "--seed", "4")) == 4
    monkeypatch.delenv("VERIDICAL_SEED")
    monkeypatch.delenv("VERIDICAL_EVALUATE_SEED")
    write(project, "veridical.yaml", "")
    assert settings(veridical(*EVALUATE, "--label", "y", "--score", "p")) == 0


def test_a_section_beats_the_top_of_the_file(veridical, project):
    text = "seed: 1\nevaluate: {label: y, score: p, seed: 5}\nexample: {seed: 6}\n"
    write(project, "veridical.yaml", text)
    assert settings(veridical(*EVALUATE)) == 5


def test_repeated_options_from_the_command_line_replace_the_list(veridical, project):
    del project
    document = veridical(*EVALUATE, "--score", "q").document
    assert {result["subject"] for result in document["results"]} == {"q"}


def test_the_pyproject_file_works_too_and_from_below(veridical, scores, tmp_path, monkeypatch):
    write(
        tmp_path,
        "pyproject.toml",
        '[tool.veridical.evaluate]\nlabel = "y"\nscore = ["p"]\nseed = 9\n',
    )
    below = tmp_path / "below"
    below.mkdir()
    monkeypatch.chdir(below)
    assert settings(veridical("evaluate", scores, "--json")) == 9


def test_a_mark_before_the_text_is_no_part_of_it(veridical, scores, tmp_path):
    table = '\ufeff[tool.veridical.evaluate]\nlabel = "y"\nscore = ["p"]\nseed = 9\n'
    write(tmp_path, "pyproject.toml", table)
    assert settings(veridical("evaluate", scores, "--json")) == 9


def test_a_pyproject_file_of_others_is_left_alone(veridical, scores, tmp_path):
    write(tmp_path, "pyproject.toml", "[tool.other]\nseed = 3\n")
    assert settings(veridical("evaluate", scores, "--label", "y", "--score", "p", "--json")) == 0


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("sede: 1\n", "did you mean seed?"),
        ("evaluate:\n  lable: y\n", "did you mean label?"),
        ("evalute:\n  label: y\n", "did you mean evaluate?"),
        ("seed: [1, 2]\n", "takes one value"),
        ("seed: {a: 1}\n", "one word or number"),
        ("seed: high\n", "seed"),
        ("no-intervals: perhaps\n", "yes or no"),
        ("seed: 1\nseed: 2\n", "stands twice"),
        ("seed: [1\n", "is not YAML"),
        ("- seed\n", "table of settings"),
        ("evaluate: 5\n", "section of options"),
        ("!!python/object/apply:os.getcwd []\n", "tags are not allowed"),
    ],
)
def test_a_setting_that_means_nothing_is_an_error(veridical, scores, tmp_path, text, told):
    write(tmp_path, "veridical.yaml", text)
    outcome = veridical("evaluate", scores, "--label", "y", "--score", "p")
    assert (outcome.code, outcome.out) == (65, "")
    assert told in outcome.err
    assert "veridical.yaml" in outcome.err


def test_an_unknown_variable_is_an_error(veridical, scores, monkeypatch):
    monkeypatch.setenv("VERIDICAL_SEDE", "1")
    outcome = veridical("evaluate", scores, "--label", "y", "--score", "p")
    assert outcome.code == 65
    assert "did you mean VERIDICAL_SEED?" in outcome.err


def test_the_variable_of_the_kernels_is_no_option(veridical, scores, monkeypatch):
    monkeypatch.setenv("VERIDICAL_KERNELS", "numpy")
    assert veridical("evaluate", scores, "--label", "y", "--score", "p").code == 0


def test_two_project_files_in_one_folder_are_refused(veridical, scores, tmp_path):
    write(tmp_path, "veridical.yaml", "seed: 1\n")
    write(tmp_path, "pyproject.toml", "[tool.veridical]\nseed = 2\n")
    outcome = veridical("evaluate", scores, "--label", "y", "--score", "p")
    assert outcome.code == 65
    assert "keep one of them" in outcome.err


def test_help_works_beside_a_broken_file(veridical, tmp_path):
    write(tmp_path, "veridical.yaml", "seed: [1\n")
    assert veridical("evaluate", "--help").code == 0
    assert veridical("--version").code == 0


def test_doctor_finds_the_broken_file(veridical, tmp_path):
    write(tmp_path, "veridical.yaml", "seed: [1\n")
    outcome = veridical("doctor", "--json")
    assert outcome.code == 65
    (found,) = outcome.document["problems"]
    assert "is not YAML" in found["problem"]
    assert "veridical.yaml:" in found["problem"]
    assert found["fix"]


def test_a_section_that_says_nothing_is_legal(veridical, scores, tmp_path):
    write(tmp_path, "veridical.yaml", "evaluate:\nseed: 3\n")
    assert settings(veridical("evaluate", scores, "--label", "y", "--score", "p", "--json")) == 3


def test_the_configuration_of_rag_may_stand_where_other_commands_run(veridical, scores, tmp_path):
    write(tmp_path, "veridical.yaml", "version: 1\npipeline: {kind: static}\nrun: {k: 3}\n")
    outcome = veridical("evaluate", scores, "--label", "y", "--score", "p", "--json")
    assert outcome.code == 0, outcome.err
    write(tmp_path, "veridical.yaml", "version: 1\npipeline: {kind: static}\nsede: 3\n")
    outcome = veridical("evaluate", scores, "--label", "y", "--score", "p")
    assert (outcome.code, "'sede'" in outcome.err) == (65, True)


def test_the_bounds_of_rag_alone_are_its_configuration(veridical, scores, tmp_path):
    write(tmp_path, "veridical.yaml", "version: 1\nmetrics: {retrieval.mrr: {min: 0.5}}\n")
    outcome = veridical("evaluate", scores, "--label", "y", "--score", "p", "--json")
    assert outcome.code == 0, outcome.err
