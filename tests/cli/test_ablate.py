"""``veridical ablate``: forms of output, exit codes, and tables that cannot be used."""

import json

import pytest

from tests.ablation.runs import write_experiment, write_scores

WORDS = ("--label", "y", "--score", "p")
HOSTILE = "<img src=x onerror=alert(1)>|\x1b[31m"


@pytest.fixture
def experiment(tmp_path):
    return write_experiment(tmp_path, n=80)


def written(folder, text, name="experiment.csv"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def some_files(folder, *names):
    for at, name in enumerate(names):
        scores = [0.9 - 0.01 * at, 0.6, 0.4 + 0.05 * at, 0.1]
        write_scores(folder / f"{name}.csv", (1, 0, 1, 0), scores)


def test_every_form_says_the_same(veridical, experiment):
    text = veridical("ablate", experiment, *WORDS)
    assert (text.code, text.err) == (0, "")
    document = veridical("ablate", experiment, *WORDS, "--json").document
    assert document["schema"] == "veridical.ablation/1"
    markdown = veridical("ablate", experiment, *WORDS, "--markdown").out
    for one in document["results"]:
        assert f"{one['value']:.4f}" in text.out
        assert f"| {one['subject']} | {one['value']:.4f} |" in markdown
    for term in document["terms"]:
        (contrast,) = term["contrasts"]
        assert f"{contrast['value']:+.4f}" in text.out
        assert f"{contrast['value']:+.4f}" in markdown
        assert f"{term['f_statistic']:.4g}" in text.out
    assert len(document["runs"]) == 12
    assert document["runs"][0]["levels"] == {"loss": "ce", "features": "few"}
    assert document["runs"][0]["file"].endswith("ce-few-1.csv")
    for word in ("seeds and rows", "Holm", "all runs are on the same 80 rows"):
        assert word in text.out.replace("\n", " ")


def test_a_report_escapes_hostile_names(veridical, tmp_path):
    some_files(tmp_path, "a1", "a2", "b1", "b2")
    rows = [("a", 1), ("a", 2), (HOSTILE, 1), (HOSTILE, 2)]
    runs = [
        {HOSTILE: level, "seed": seed, "file": f"{'a' if level == 'a' else 'b'}{seed}.csv"}
        for level, seed in rows
    ]
    # JSON is YAML too.
    path = written(tmp_path, json.dumps({"runs": runs, "label": "y", "score": "p"}), "e.yaml")
    done = veridical("ablate", path, "--report", "r.html", "--markdown")
    assert done.code == 0, done.err
    html = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "<img" not in html
    assert "<img" not in done.out
    assert "\x1b" not in done.out
    assert "&lt;img" in html
    assert "\x1b" not in veridical("ablate", path).out


def test_the_report_holds_what_is_printed(veridical, experiment, tmp_path):
    done = veridical("ablate", experiment, *WORDS, "--report", "r.html", "--json")
    assert done.err == "report: r.html\n"
    html = (tmp_path / "r.html").read_text(encoding="utf-8")
    for term in done.document["terms"]:
        assert f"{term['contrasts'][0]['value']:+.4f}" in html.replace("&#43;", "+")
    assert "What do loss and features move?" in html
    assert "http://" not in html.partition("<body")[2].partition("<script>")[0]


def test_a_report_does_not_replace_the_table(veridical, experiment):
    done = veridical("ablate", experiment, *WORDS, "--report", experiment)
    assert done.code == 64
    assert experiment.read_text(encoding="utf-8").startswith("loss,")


def test_a_yaml_file_says_how_it_is_measured(veridical, tmp_path):
    some_files(tmp_path, "a1", "a2", "b1", "b2")
    path = written(
        tmp_path,
        """label: y
score: p
metrics: [brier]
reference: {depth: 3}
runs:
  - {depth: 2, seed: 1, file: a1.csv}
  - {depth: 2, seed: 2, file: a2.csv}
  - {depth: 3, seed: 1, file: b1.csv}
  - {depth: 3, seed: 2, file: b2.csv}
""",
        "e.yaml",
    )
    document = veridical("ablate", path, "--json").document
    assert {one["metric"] for one in document["results"]} == {"calibration.brier"}
    (term,) = document["terms"]
    assert term["contrasts"][0]["subject"] == "depth: 2 − 3"
    # The command line wins.
    other = veridical("ablate", path, "-m", "roc_auc", "--reference", "depth=2", "--json").document
    assert {one["metric"] for one in other["results"]} == {"binary.roc_auc"}
    assert other["terms"][0]["contrasts"][0]["subject"] == "depth: 3 − 2"


def test_chosen_factors_pool_the_others(veridical, experiment):
    # Without the column of features two rows would be one run.
    done = veridical("ablate", experiment, *WORDS, "--factor", "loss")
    assert done.code == 65
    assert "two rows are the same run: loss=ce, seed 1" in done.err
    assert "experiment.csv:2" in done.err


@pytest.mark.parametrize(
    ("table", "said", "where"),
    [
        ("f,seed,file\na,1,a1.csv\na,1,a2.csv\n", "two rows are the same run: f=a, seed 1", ":3"),
        ("f,file\na,a1.csv\na,a2.csv\n", "add a column seed", ":3"),
        ("f,seed,file\na,1,a1.csv\na,2,./a1.csv\n", "two rows name the same file", ":3"),
        ("f,seed,file\na,1,a1.csv\n,2,a2.csv\n", "has no level of 'f'", ":3"),
        ("f,seed,file\na,1,a1.csv\na,,a2.csv\n", "has no level of 'seed'", ":3"),
        ("f,seed,file\na,1,a1.csv\na,2,\n", "a run has no file", ":3"),
        ("f,seed,file\na,1,a1.csv\na,2,none.csv\n", "none.csv", ""),
        ("f,seed\na,1\n", "neither a column file nor a column run", "'f'"),
        ("f,seed,file,run\na,1,a1.csv,x\n", "both a column file and a column run", "'f'"),
        ("f,seed,file\n0.1,1,a1.csv\n0.10,2,a2.csv\n", "are the same number", "'0.1'"),
        ("f,seed,file\n", "only a header", "experiment.csv"),
        ("f,f,seed,file\na,b,1,a1.csv\n", "f", "experiment.csv"),
    ],
)
def test_tables_that_cannot_be_used(veridical, tmp_path, table, said, where):
    some_files(tmp_path, "a1", "a2")
    done = veridical("ablate", written(tmp_path, table), *WORDS)
    assert done.code == 65, done.err
    assert done.out == ""
    assert said in done.err
    assert where in done.err
    assert "fix:" in done.err


@pytest.mark.parametrize(
    ("text", "said", "line"),
    [
        ("runs: 7\n", "a mapping with runs", ""),
        ("- a\n", "a mapping with runs", ""),
        ("runs:\n  - 7\n", "a run is a mapping", ":2"),
        ("lable: y\nruns: []\n", "no key 'lable'", ":1"),
        ("label: [y]\nruns: []\n", "label is the name of a column", ":1"),
        ("metrics: brier\nruns: []\n", "metrics is a list", ":1"),
        ("runs: []\n", "has no runs", ""),
        ("runs:\n  - {f: [1], seed: 1, file: a1.csv}\n", "neither text nor number", ":2"),
        ("runs:\n  - {f: a, seed: 1, file: 7}\n", "named by its path", ":2"),
        ('runs:\n  - {f: a, seed: 1, file: "a\\0b"}\n', "no file can have this name", ":2"),
        ("runs: [\n", "not YAML", ":2"),
        ("runs: &a [*a]\n", "aliases", ":1"),
    ],
)
def test_yaml_that_cannot_be_used(veridical, tmp_path, text, said, line):
    some_files(tmp_path, "a1")
    done = veridical("ablate", written(tmp_path, text, "e.yaml"), *WORDS)
    assert done.code == 65, done.err
    assert said in done.err
    assert f"e.yaml{line}" in done.err or not line
    assert "fix:" in done.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "label= is missing"),
        (("--label", "y"), "score= is missing"),
        ((*WORDS, "--reference", "loss"), "FACTOR=LEVEL"),
        ((*WORDS, "--reference", "lost=ce"), "no factor 'lost'"),
        ((*WORDS, "--reference", "loss=hinge"), "no level 'hinge'"),
        ((*WORDS, "--factor", "lost"), "no factor 'lost'"),
        ((*WORDS, "--factor", "seed"), "no factor 'seed'"),
        ((*WORDS, "--level", "2"), "level"),
        ((*WORDS, "--json", "--markdown"), "both claim stdout"),
        ((*WORDS, "-m", "rock_auc"), "rock_auc"),
        ((*WORDS, "--allow", "bin"), "no condition of these runs"),
    ],
)
def test_words_that_cannot_be_used(veridical, experiment, words, said):
    done = veridical("ablate", experiment, *words)
    assert done.code == 64, done.err
    assert said in done.err


def test_a_missing_table_and_a_folder(veridical, tmp_path):
    assert veridical("ablate", "none.csv", *WORDS).code == 65
    assert veridical("ablate", "none.yaml", *WORDS).code == 65
    (tmp_path / "d.yaml").mkdir()
    assert veridical("ablate", "d.yaml", *WORDS).code == 65


def test_nothing_that_could_be_measured_is_undecided(veridical, tmp_path):
    some_files(tmp_path, "a1", "a2")
    table = written(tmp_path, "f,seed,file\na,1,a1.csv\na,2,a2.csv\n")
    done = veridical("ablate", table, *WORDS, "-m", "recall")
    assert done.code == 3
    assert "no_threshold" in done.out
    assert veridical("ablate", table, *WORDS, "-m", "recall", "--threshold", "0.5").code == 0


def test_a_table_of_many_levels_is_refused_before_any_file_is_read(veridical, tmp_path):
    rows = "\n".join(f"{at % 30},{at},{at % 29},a{at}.csv" for at in range(60))
    table = written(tmp_path, f"f,seed,g,file\n{rows}\n")
    done = veridical("ablate", table, *WORDS, "-m", "brier")
    assert done.code == 64
    assert "more than 500" in done.err


def test_stored_runs_take_no_columns(veridical, tmp_path):
    some_files(tmp_path, "a1", "a2")
    for name in ("a1", "a2"):
        veridical("evaluate", f"{name}.csv", *WORDS, "--id", "id", "--save", name)
    table = written(tmp_path, "f,seed,run\na,1,a1\na,2,a2\n")
    assert veridical("ablate", table).code == 0
    assert veridical("ablate", table, *WORDS).code == 64
    missing = written(tmp_path, "f,seed,run\na,1,a1\na,2,a9\n", "other.csv")
    done = veridical("ablate", missing)
    assert done.code == 65
    assert "a9" in done.err
