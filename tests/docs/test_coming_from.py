"""The tables of names: theirs exist where they can be asked, and ours are answered."""

import importlib
import re
from pathlib import Path

import pytest

import veridical as vd
from tests.docs.pages import ROOT
from veridical.metrics import find

PAGES = sorted(path for path in (ROOT / "docs/coming-from").glob("*.md") if path.stem != "index")
FAMILIES = {entry.family for entry in vd.catalogue()}
# Where they lie in the two libraries that the tests have anyway.
THEIRS = {
    "scikit-learn": ("sklearn.metrics", "sklearn.calibration", "sklearn.model_selection"),
    "fairlearn": (
        "fairlearn.metrics",
        "fairlearn.postprocessing",
        "fairlearn.reductions",
        "fairlearn.preprocessing",
    ),
}


def rows(page: Path) -> list[tuple[str, str]]:
    """Return the first cell of each row of the table of names, and the rest of it."""
    text = page.read_text(encoding="utf-8")
    table = re.search(r"^## Names$.*?^\|---.*?\n(.*?)\n\n", text, re.MULTILINE | re.DOTALL)[1]
    return [tuple(line.strip("| ").split(" | ", 1)) for line in table.splitlines()]


def code(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def ours() -> list:
    """Return each metric that a table names, with the family that the one before it had."""
    found = []
    for page in PAGES:
        for _, cell in rows(page):
            family = None
            for name in code(cell):
                head, dot, _ = name.partition(".")
                if dot and head in FAMILIES:
                    family, whole = head, name
                elif family and re.fullmatch(r"\w+(@\d+)?", name):
                    whole = f"{family}.{name}"
                else:
                    continue
                found.append(pytest.param(whole, id=f"{page.stem}: {whole}"))
    return found


@pytest.mark.parametrize("name", ours())
def test_our_names_are_answered(name):
    assert find(name).definition.family in FAMILIES


@pytest.mark.parametrize("page", THEIRS)
def test_their_names_exist(page):
    known = {name for module in THEIRS[page] for name in dir(importlib.import_module(module))}
    path = ROOT / f"docs/coming-from/{page}.md"
    only = re.search(
        r"^## What only .*?\n\n(.*?)\n\n",
        path.read_text(encoding="utf-8"),
        re.MULTILINE | re.DOTALL,
    )[1]
    cells = [cell for cell, _ in rows(path)] + [only]
    names = [re.match(r"\w+", name)[0] for cell in cells for name in code(cell)]
    assert len(names) > 12
    assert [name for name in names if name not in known | {"average", "positive", "sklearn"}] == []


def test_every_measure_of_pytrec_eval_is_in_the_table_or_said_to_be_absent():
    pytrec_eval = pytest.importorskip("pytrec_eval")
    text = (ROOT / "docs/coming-from/trec-eval.md").read_text(encoding="utf-8")
    text = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    said = {re.split(r"\W", name)[0] for name in code(text)}
    # No measures: labels that the program prints.
    assert pytrec_eval.supported_measures - {"runid", "relstring"} - said == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_has_what_the_others_have(page):
    headings = re.findall(r"^## (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    assert headings[-4:-2] == ["Names", "Where the numbers differ"]
    assert headings[-2].startswith("What only ")
    assert headings[-1] == "What is only here"
