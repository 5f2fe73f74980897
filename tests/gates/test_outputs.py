"""A verdict in the forms of CI: JUnit XML, Markdown, workflow commands; names are hostile."""

import unicodedata

import lxml.html
import pytest
from lxml import etree
from markdown_it import MarkdownIt

from tests.gates.documents import document, house, result, written
from veridical.errors import OutputError
from veridical.gates import gate
from veridical.gates.github import append_summary, workflow_commands
from veridical.gates.junit import gate_junit
from veridical.gates.markdown import gate_markdown
from veridical.gates.terminal import gate_text

HOSTILE = [
    "</failure><script>alert(1)</script>",
    "]]>&amp;\"'",
    "a\x00b\x08\x1b[31mc",
    "\ud800 half",
    "\ufffe\uffff",
    "line\r\n::error::owned",
    "%0A::set-output name=x::y",
    "| a | b |\n|---|---|",
    "![x](https://example.org/x.png) @everyone <img src=x>",
    "\u202eright to left",
    "x" * 5_000,
]
RULES = (
    {"metric": "roc_auc", "at_least": 0.8},
    {"metric": "ap", "at_least": 0.9, "note": 'because <b>bold</b> & "quoted" | piped'},
    {"metric": "ks", "at_least": 0.1},
)


@pytest.fixture
def verdict(tmp_path):
    def make(subject="p", group="g=a", rules=RULES):
        results = [
            result(0.9, 0.86, 0.93, subject=subject),
            result(0.5, 0.4, 0.6, metric="binary.average_precision", subject=subject),
            result(0.4, 0.3, 0.5, metric="binary.average_precision", subject=subject, group=group),
        ]
        return gate(written(tmp_path / "run.json", document(*results)), house(*rules))

    return make


def parsed(text):
    # libxml2: another parser than the one beside the library that wrote it.
    return etree.fromstring(text.encode("utf-8"), etree.XMLParser(recover=False))


def hidden(text):
    """Return control, format and surrogate characters, other than line ends."""
    return {c for c in text if unicodedata.category(c) in {"Cc", "Cf", "Cs"}} - {"\n"}


def test_junit_counts_what_it_holds(verdict):
    root = parsed(gate_junit(verdict()))
    (suite,) = root.findall("testsuite")
    cases = suite.findall("testcase")
    for element in (root, suite):
        assert element.get("tests") == str(len(cases)) == "3"
        for name in ("failure", "error"):
            assert element.get(f"{name}s") == str(len(suite.findall(f"testcase/{name}"))) == "1"
    failure, error = suite.find("testcase/failure"), suite.find("testcase/error")
    assert failure.get("message").startswith("fail: binary.average_precision at least 0.9")
    assert "worst group: g=a, 0.4000" in failure.text
    assert error.get("type") == "undecided"


def test_junit_is_not_green_where_all_rules_pass_and_none_counts(verdict):
    found = verdict(rules=[{"metric": "roc_auc", "at_least": 0.5}])
    assert [rule.verdict for rule in found.rules] == ["pass"]
    root = parsed(gate_junit(found))
    assert (root.get("tests"), root.get("errors")) == ("2", "1")
    assert len(root.findall("testsuite/testcase/error")) == 1


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_names_stay_text_in_junit(verdict, name):
    text = gate_junit(verdict(name, f"g={name}"))
    root = parsed(text)
    known = {"testsuites", "testsuite", "properties", "property", "testcase", "failure", "error"}
    assert {element.tag for element in root.iter()} <= {*known, "system-out"}
    assert len(root.findall("testsuite/testcase")) == 3
    assert not hidden(text)


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_names_stay_text_in_markdown(verdict, name):
    text = gate_markdown(verdict(name, f"g={name}"))
    page = lxml.html.fromstring(MarkdownIt("commonmark").enable("table").render(text))
    tags = {element.tag for element in page.iter()}
    assert tags <= {"div", "h3", "p", "table", "thead", "tbody", "tr", "th", "td", "br"}
    rows = page.findall(".//tbody/tr")
    assert [len(row.findall("td")) for row in rows] == [3, 3, 3]
    assert "@" not in text
    assert not hidden(text)


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_names_end_no_workflow_command(verdict, name):
    commands = list(workflow_commands(verdict(name, f"g={name}")))
    levels = [command.partition(" title=veridical gate%3A ")[0] for command in commands]
    assert levels == ["::error", "::warning"]
    for command in commands:
        assert not hidden(command)
        assert "\n" not in command


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_names_are_visible_on_a_terminal(verdict, name):
    assert not hidden(gate_text(verdict(name, f"g={name}")))


def test_many_annotations_end_with_their_number(verdict):
    rules = [{"metric": "ap", "at_least": 0.7 + at / 100} for at in range(15)]
    commands = list(workflow_commands(verdict(rules=rules)))
    assert len(commands) == 10
    assert commands[-1].endswith("::6 more rules do not pass")


def test_a_vacuous_pass_is_annotated(verdict):
    (command,) = workflow_commands(verdict(rules=[{"metric": "roc_auc", "at_least": 0.5}]))
    assert command.startswith("::warning ")
    assert "vacuous" in command


def test_the_summary_of_the_job_is_appended_to(verdict, tmp_path, monkeypatch):
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    assert append_summary(verdict()) is None
    path = tmp_path / "summary.md"
    path.write_text("# earlier\n", encoding="utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(path))
    append_summary(verdict())
    text = path.read_text(encoding="utf-8")
    assert text.startswith("# earlier\n### ")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path))
    with pytest.raises(OutputError, match="summary of the job"):
        append_summary(verdict())
