"""The plugin in real runs of pytest: what passes, what fails and what it says, what it loads."""

import tomllib
from importlib import metadata

import pytest

import veridical as vd
from tests.gates.documents import document, result, written
from veridical.pytest_plugin import Checks

pytest_plugins = "pytester"

# An installation registers the plugin by its entry point; a folder of sources does not.
INSTALLED = bool(metadata.entry_points(group="pytest11", name="veridical"))
WITH = [] if INSTALLED else ["-p", "veridical.pytest_plugin"]
QUIET = ["-p", "no:cacheprovider", "-p", "no:hypothesispytest"]

DATA = """
import numpy as np
import veridical as vd

SCORES = np.tile([0.9, 0.8, 0.7, 0.3, 0.2, 0.1], 20)
LABELS = np.tile([1, 1, 0, 1, 0, 0], 20)
GROUPS = np.repeat(["east", "west"], 60)
EV = vd.evaluate(
    {"y": LABELS, "p": SCORES, "g": GROUPS}, ["roc_auc", "brier"], label="y", score="p", groups="g"
)
"""
RULES = """version: 1
name: house
rules:
  - {metric: roc_auc, at_least: 0.8}
  - {metric: ap, at_least: 0.9}
  - {metric: ks, at_least: 0.1}
"""


@pytest.fixture(scope="module")
def loaded():
    """Load what the runs below load: numpy cannot be loaded twice in one process."""
    space = {}
    exec(DATA, space)  # noqa: S102 - it is ours
    for metric in ("roc_auc", "brier"):
        with pytest.raises(AssertionError):
            Checks().check(space["EV"], metric, at_least=0.99)
    vd.measure("retrieval.mrr", {"q": {"d": 1.0}}, {"q": {"d": 1}})


@pytest.fixture
def run(pytester, loaded):
    del loaded

    def go(*words, source="", data=DATA):
        if source:
            pytester.makepyfile(test_model=data + source)
        return pytester.runpytest_inprocess(*WITH, *QUIET, *words)

    return go


def test_the_entry_point_is_declared(root):
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["entry-points"]["pytest11"] == {"veridical": "veridical.pytest_plugin"}


def test_a_plain_run_loads_nothing_of_the_library(pytester):
    pytester.makepyfile(
        """
        import sys

        def test_what_is_loaded():
            ours = {name for name in sys.modules if name.split(".")[0] == "veridical"}
            assert ours == {"veridical", "veridical.pytest_plugin"}
            assert not {"numpy", "pyarrow", "scipy", "pydantic", "rich"} & set(sys.modules)

        def test_model(veridical):
            raise AssertionError("not without --veridical")
        """
    )
    outcome = pytester.runpytest_subprocess(*WITH, *QUIET, "-rs")
    outcome.assert_outcomes(passed=1, skipped=1)
    outcome.stdout.fnmatch_lines(["*measures a model: run with --veridical*"])


def test_a_fixture_of_the_same_name_is_left_alone(run):
    outcome = run(
        data="""
import pytest

@pytest.fixture
def veridical():
    return 7

def test_it(veridical):
    assert veridical == 7
""",
        source="\n",
    )
    outcome.assert_outcomes(passed=1)


PASSING = """
def test_one_result(veridical):
    veridical.check(EV["roc_auc"], at_least=0.6, min_n=100)

def test_an_evaluation(veridical):
    veridical.check(EV, "roc_auc", at_least=0.6)

def test_a_group(veridical):
    veridical.check(EV, "roc_auc", lower_bound=0.6, group="g=east")

def test_a_metric_without_scores(veridical):
    run, golden = {"q": {"d": 1.0}, "r": {"e": 1.0}}, {"q": {"d": 1}, "r": {"e": 1}}
    veridical.check(vd.measure("retrieval.mrr", run, golden), value=0.9)

def test_a_policy(veridical):
    rules = [{"metric": "roc_auc", "no_worse_than": "baseline", "margin": 0.0}]
    assert veridical.gate(EV, Policy(version=1, name="x", rules=rules), baseline=EV).exit_code == 0
"""
FAILING = """
def test_too_low(veridical):
    veridical.check(EV, "roc_auc", at_least=0.99)

def test_straddling(veridical):
    veridical.check(EV["roc_auc"], at_least=0.88)

def test_too_few(veridical):
    veridical.check(EV, "roc_auc", at_least=0.6, min_n=121)

def test_vacuous(veridical):
    veridical.check(EV, "brier", at_most=0.3)

def test_skipped(veridical):
    veridical.check(vd.measure("precision", [1, 0], [0.9, 0.1]), at_least=0.1)

def test_absent(veridical):
    veridical.check(EV, "roc_auc", at_least=0.6, group="g=north")
"""


def test_rules_that_are_kept_pass(run):
    source = "from veridical.policy import Policy\n" + PASSING
    run("--veridical", source=source).assert_outcomes(passed=5)


def test_failures_explain_themselves(run):
    outcome = run("--veridical", source=FAILING)
    outcome.assert_outcomes(failed=6)
    outcome.stdout.fnmatch_lines(
        [
            '*veridical.check(EV, "roc_auc", at_least=0.99)',
            "*AssertionError: fail: binary.roc_auc at least 0.99",
            "*0.8889, 95% interval 0.* to 0.*, n = 120",
            "*worst group: g=*, 0.8889, *n = 60",
            "*prevalence 0.5000*",
            "*undecided: binary.roc_auc at least 0.88",
            "*the interval straddles the bound",
            "*n = 120, fewer than 121",
            "*every rule that passes is vacuous: a forecast without skill meets it too",
            "*also met by always the base rate (0.25)*",
            "*undecided: binary.precision at least 0.1",
            "*skipped: this metric needs a decision threshold and none was given (no_threshold)",
            "*no group 'g=north' was measured*",
        ]
    )
    assert "pytest_plugin.py" not in outcome.stdout.str()


@pytest.mark.parametrize(("word", "outcome"), [("skip", "skipped"), ("xfail", "xfailed")])
def test_undecided_may_be_something_else(run, word, outcome):
    found = run("--veridical", f"--veridical-undecided={word}", source=FAILING)
    found.assert_outcomes(failed=1, **{outcome: 5})


def test_misuse_is_told_as_what_it_is(run):
    outcome = run(
        "--veridical",
        source="""
def test_no_metric(veridical):
    veridical.check(EV, at_least=0.5)

def test_no_bound(veridical):
    veridical.check(EV, "roc_auc")

def test_a_misspelt_bound(veridical):
    veridical.check(EV, "roc_auc", atleast=0.5)
""",
    )
    outcome.assert_outcomes(failed=3)
    outcome.stdout.fnmatch_lines(
        ["*ParameterError: say which metric*", "*this is no rule: the rule for*has no bound*"]
    )
    outcome.stdout.fnmatch_lines(["*ParameterError: this is no rule: Extra inputs*(atleast)*"])


@pytest.fixture
def judged(pytester):
    """Write a document and a policy; return the words that hold one against the other."""
    good = result(0.9, 0.86, 0.93)
    average = result(0.5, 0.4, 0.6, metric="binary.average_precision")
    written(pytester.path / "run.json", document(good, average))
    (pytester.path / "rules.yaml").write_text(RULES, encoding="utf-8")
    return ["--veridical", "--veridical-policy=rules.yaml", "run.json"]


def test_each_rule_of_a_policy_is_a_test(run, judged):
    outcome = run(*judged, "-v")
    outcome.assert_outcomes(passed=1, failed=2)
    outcome.stdout.fnmatch_lines(
        [
            "run.json::p: binary.roc_auc at least 0.8 PASSED*",
            "run.json::p: binary.average_precision at least 0.9 FAILED*",
            "run.json::p: binary.ks at least 0.1 FAILED*",
            "fail: binary.average_precision at least 0.9",
            "  0.5000, 95% interval 0.4000 to 0.6000, n = 500",
            "undecided: binary.ks at least 0.1",
            "  skipped: binary.ks was not measured*",
        ]
    )


def test_a_policy_is_never_ignored(run, judged, pytester):
    run(*judged[1:]).assert_outcomes(passed=1, failed=2)
    failing = "def test_it(veridical):\n    assert False\n"
    pytester.makepyfile(test_model=failing)
    run(judged[1], "test_model.py").assert_outcomes(failed=1)


def test_one_rule_may_be_chosen(run, judged):
    *words, name = judged
    run(*words, f"{name}::p: binary.roc_auc at least 0.8").assert_outcomes(passed=1)


def test_rules_are_spread_over_workers(run, judged):
    run(*judged, "-p", "xdist", "-n2").assert_outcomes(passed=1, failed=2)


def test_a_policy_that_only_vacuous_rules_pass_is_not_green(run, judged, pytester):
    rules = RULES.partition("  - {metric: ap")[0].replace("0.8", "0.5")
    (pytester.path / "rules.yaml").write_text(rules, encoding="utf-8")
    outcome = run(*judged, "-v")
    outcome.assert_outcomes(passed=1, failed=1)
    outcome.stdout.fnmatch_lines(["run.json::the whole policy FAILED*"])


def test_a_baseline_of_other_data_needs_leave(run, pytester):
    for name, value in (("run", 0.9), ("old", 0.7)):
        best = result(value, value - 0.02, value + 0.02)
        written(pytester.path / f"{name}.json", document(best, sha256=name[0].encode().hex() * 32))
    rule = "{metric: roc_auc, no_worse_than: baseline, margin: 0.1}"
    (pytester.path / "rules.yaml").write_text(f"version: 1\nname: x\nrules: [{rule}]\n")
    words = ["--veridical-policy=rules.yaml", "--veridical-baseline=old.json", "run.json"]
    refused = run(*words)
    assert refused.ret != 0
    refused.stdout.fnmatch_lines(["*the two differ in data*"])
    run(*words, "--veridical-allow=data").assert_outcomes(passed=1)


def test_documents_that_were_not_named_are_left_alone(run, judged, pytester):
    del judged
    pytester.makepyfile("def test_nothing(): pass")
    run("--veridical").assert_outcomes(passed=1)


@pytest.mark.parametrize(
    ("content", "words", "message"),
    [
        ("{}", ["--veridical-policy=rules.yaml"], "*this holds no results*"),
        (None, ["--veridical-policy=absent.yaml"], "*there is no such policy*"),
        (None, [], "*--veridical-policy is needed to judge run.json*"),
    ],
)
def test_what_cannot_be_judged_is_an_error(run, judged, pytester, content, words, message):
    del judged
    if content is not None:
        (pytester.path / "run.json").write_text(content, encoding="utf-8")
    outcome = run("--veridical", *words, "run.json")
    assert outcome.ret != 0
    text = "\n".join([*outcome.outlines, *outcome.errlines])
    assert message.strip("*") in text
    assert "Traceback" not in text
