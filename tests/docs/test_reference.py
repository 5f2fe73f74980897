"""The generated reference: nothing is dropped, nothing invented, and nothing acts as markup."""

import doctest
import html
import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from rich.console import Console

import veridical as vd
from tests.bench.building import case, line, submission
from tests.docs.generated import reference
from tools.reference import hidden_behind, markdown
from tools.reference.command_pages import commands, exit_codes, is_group
from tools.reference.markdown import fence, paragraphs, plain
from tools.reference.metric_pages import FAMILIES
from veridical import errors
from veridical.bench.scoring.agent_score import score_agents
from veridical.cli.app import build_app
from veridical.metrics import find
from veridical.notes import NOTES
from veridical.policy import load_policy, shipped_policies
from veridical.reasons import SkipReason

ROOT = Path(__file__).resolve().parents[2]
ENTRIES = vd.catalogue()
APP = build_app()
COMMANDS = {words: one for words, one in commands(APP) if not is_group(one)}
# "..." stands for a value on a page.
VALUES = {"k": "5"}


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    return reference(tmp_path_factory.mktemp("reference") / "docs")


def under(text, heading):
    """Return what stands below a heading, up to the next."""
    found = re.search(rf"^#+ {re.escape(heading)}$(.*?)(?=^#+ |\Z)", text, re.MULTILINE | re.DOTALL)
    assert found, f"there is no heading {heading}"
    return found[1]


def test_every_metric_of_the_catalogue_has_its_entry_and_no_other(pages):
    listed = {
        heading
        for family in FAMILIES
        for heading in re.findall(r"^## `(.+)`$", pages[f"metrics/{family}.md"], re.MULTILINE)
    }
    assert listed == {entry.id for entry in ENTRIES}
    assert set(FAMILIES) == {entry.family for entry in ENTRIES}


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.id)
def test_an_entry_says_all_that_the_catalogue_knows(pages, entry):
    shown = under(pages[f"metrics/{entry.family}.md"], f"`{entry.id}`")
    read = " ".join(html.unescape(re.sub(r"\]\(https:[^)\s]*\)", "", shown)).split())
    told = [entry.definition_text, entry.formula, entry.undefined, entry.references]
    told += [entry.facts()[name] for name in ("better", "range", "interval")]
    told += [entry.purpose or "", *entry.evidence, *(one["name"] for one in entry.parameters)]
    for text in told:
        bare = re.sub(r"[\[`]", "", " ".join(text.split()))
        assert bare in re.sub(r"[\[`]", "", read)
    for name in (*entry.aliases, *entry.definition.companions):
        assert f"`{name}`" in shown
    assert entry.id in pages["metrics/index.md"]
    assert entry.family == "trec" or " may hide** " in shown


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.id)
def test_the_names_on_the_page_are_answered(pages, entry):
    shown = under(pages[f"metrics/{entry.family}.md"], f"`{entry.id}`")
    names = [re.search(r'\*\*Python\*\*: `"(.+?)"`', shown)[1]]
    names += [re.search(r"\*\*command line\*\*: `-m (.+?)`", shown)[1]]
    for name in names:
        measure = find(
            name.replace("...", VALUES.get(entry.definition.point or entry.definition.main, "0.5"))
        )
        assert measure.definition is entry.definition
    if called := re.search(r'", `(\w+)\.(\w+)(.*?)`$', shown, re.MULTILINE):
        family = getattr(vd, called[1])
        keywords = dict.fromkeys(re.findall(r"(\w+)=\.\.\.", called[3]), 0.5)
        keywords |= {"k": 5} if "k" in keywords else {}
        assert getattr(family, called[2])(**keywords).definition is entry.definition


def test_targets_are_those_of_the_shipped_policies(pages):
    for name in shipped_policies():
        shown = under(pages["policies.md"], name)
        for rule in load_policy(name).rules:
            line = next(line for line in shown.splitlines() if f"`{rule.metric}`" in line)
            assert str(rule) in html.unescape(line.replace("`", ""))


def test_the_table_of_the_standard_has_every_metric_that_it_names(pages):
    named = [entry for entry in ENTRIES if entry.symbol is not None]
    shown = html.unescape(pages["metrics/standard.md"])
    assert len(named) > 8
    metrics = re.findall(r"^\* \*\*metric\*\*: \[`(.+?)`", shown, re.MULTILINE)
    assert sorted(metrics) == sorted(entry.id for entry in named)
    for entry in named:
        for text in (entry.symbol, entry.purpose, entry.standard, entry.reading, *entry.evidence):
            assert text in shown


def test_every_figure_of_a_scored_agent_is_listed_and_no_other(pages):
    one = case("c1", {"A": ("1.00", "GBP")})
    (agent,) = score_agents({"c1": one}, [line(one, submission(("A", "1.00", "GBP")))])
    scored = agent.to_dict()
    results = [*scored["results"], *scored["confidence_levels"], scored["twin_delta"]["difference"]]
    headings = re.findall(r"^## `(.+)`$", pages["metrics/bench.md"], re.MULTILINE)
    assert set(headings) == {result["metric"] for result in results}
    assert len(headings) == len(set(headings))


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_every_command_has_all_that_its_help_has(pages, words):
    whole = f"veridical {' '.join(words)}"
    shown = html.unescape(under(pages[f"commands/{words[0]}.md"], f"`{whole}`"))
    bare = shown.replace("`", "")
    assert f"[`{' '.join(words)}`]" in pages["commands/index.md"]
    printed = io.StringIO()
    APP.help_print(list(words), console=Console(file=printed, width=10_000))
    described = re.findall(r"^  ((?:-|[A-Z]{2}|[A-Z]:).*: .*)$", printed.getvalue(), re.MULTILINE)
    assert described or not COMMANDS[words].assemble_argument_collection()
    for row in described:
        names, text = row.split(": ", 1)
        for name in re.findall(r"--?[a-z][\w-]*|^[A-Z][A-Z_-]*", names):
            assert f"`{name}`" in shown
        said, *marks = re.split(r"\s\[(?=choices|default|required)", text)
        assert said.strip() in bare
        for mark in marks:
            kind, _, values = mark.rstrip("]").partition(": ")
            if kind == "choices":
                assert f"`{'|'.join(values.split(', '))}`" in shown
            elif kind == "default" and values != '""':
                assert f"default `{values}`" in shown


def test_commands_are_those_that_the_command_line_lists(pages):
    printed = io.StringIO()
    APP.help_print([], console=Console(file=printed, width=10_000))
    listed = re.findall(r"^  ([a-z][a-z-]+): ", printed.getvalue(), re.MULTILINE)
    assert listed
    assert {f"commands/{name}.md" for name in listed} <= pages.keys()


def test_every_exit_code_that_an_error_has_is_explained(pages):
    codes = dict(exit_codes())
    assert set(codes) == {0, 1, 2, 3, 4, 64, 65, 69, 70, 130}
    assert {getattr(errors, name).exit_code for name in errors.__all__} <= set(codes)
    for code, text in codes.items():
        assert f"| `{code}` | {text}" in html.unescape(pages["commands/index.md"])


def test_an_example_is_a_line_that_its_page_runs(pages):
    how_to = (ROOT / "docs/how-to/bench-scores.md").read_text(encoding="utf-8")
    shown = under(pages["commands/bench.md"], "`veridical bench compare`")
    example = re.search(r"```sh\n(.+?)\n```", shown, re.DOTALL)[1]
    assert f"\n{example}\n" in how_to
    assert "](../../how-to/bench-scores.md):" in shown


def test_every_public_name_is_read_from_its_docstring_and_every_closed_list_is_whole(pages):
    python = "".join(pages[f"python/{name}.md"] for name in ("verbs", "nouns", "errors"))
    directives = set(
        re.findall(r"^\.\. auto\w+:: veridical\.(?:errors\.)?(\w+)$", python, re.MULTILINE)
    )
    apart = {"Result", *FAMILIES}
    assert directives | apart == {*vd.__all__, *errors.__all__}
    for name in vd.__all__:
        assert f"`vd.{name}`: " in pages["python/index.md"]
    for reason in SkipReason:
        assert f"* `{reason}`: " in pages["reasons.md"]
    for note in NOTES:
        assert f"* `{note}`: " in pages["notes.md"]


def test_the_same_code_makes_the_same_bytes(pages, tmp_path):
    script = "import sys, tests.docs.generated as g; g.reference(g.Path(sys.argv[1]))"
    folder = tmp_path / "docs"
    environment = {**os.environ, "PYTHONHASHSEED": "1", "PYTHONPATH": str(ROOT)}
    subprocess.run(
        [sys.executable, "-c", script, folder], check=True, env=environment, cwd=tmp_path
    )
    made = {
        str(path.relative_to(folder / "reference")): path.read_text(encoding="utf-8")
        for path in sorted((folder / "reference").rglob("*.md"))
    }
    assert made == pages


@pytest.mark.parametrize("module", [hidden_behind, markdown], ids=lambda module: module.__name__)
def test_the_examples_of_the_generator(module):
    found = doctest.testmod(module)
    assert found.attempted
    assert not found.failed


MARKS = r"\\*_[]()<>&|$`#~{}!-+.=:/1ax \"'"


@given(st.text(st.sampled_from(MARKS) | st.characters(codec="utf-8")))
def test_prose_stays_prose(text):
    text = text.replace("`", "").replace("doi:", "").replace("https://", "")
    said = " ".join(text.split())
    rendered = MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(plain(text))
    assert html.unescape(rendered) == (f"<p>{said}</p>\n" if said else "")


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "`<img src=x onerror=alert(1)>`",
        "``a`` <b onclick=x> `c",
        "doi:10.1/x)<script>",
        "https://a.example/](javascript:alert(1))",
        "[a](javascript:alert(1))",
    ],
)
def test_no_markup_gets_through(text):
    (made,) = paragraphs(text)
    rendered = MarkdownIt("commonmark").render(made)
    assert set(re.findall(r"<(\w+)", rendered)) <= {"p", "code", "a"}
    assert all(link.startswith("https://") for link in re.findall(r'href="(.*?)"', rendered))


@given(
    st.text(st.sampled_from("`~ab\n<&") | st.characters(codec="utf-8", exclude_characters="\r\0"))
)
def test_a_block_of_code_ends_where_it_ends(code):
    first, *rest = MarkdownIt("commonmark").parse(fence(code, "text") + "\n\nafter")
    assert first.type == "fence"
    assert first.content.strip("\n") == code.strip("\n")
    assert rest[1].content == "after"
