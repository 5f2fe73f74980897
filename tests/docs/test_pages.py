"""Every page says what is so: its blocks run, and its numbers come from somewhere."""

import re
import shutil
from pathlib import Path

import pytest
import yaml

from tests.docs.pages import ROOT, faults_of_form, page, pages
from tests.docs.reading import PORT, read, unsupported

TABLE = Path(__file__).with_name("examples.yaml")
# All as text: 0.10 is another number to a reader than 0.1.
EXPECTED = yaml.load(TABLE.read_text(encoding="utf-8"), yaml.BaseLoader)  # noqa: S506 - as safe
PAGES = {one.name: one for one in map(page, pages())}


def marked(name: str):
    """Return a page as a parameter: some are long, and those with a server run one by one."""
    marks = [pytest.mark.long] if EXPECTED.get(name, {}).get("long") else []
    if PORT in PAGES[name].text or "serve-mock" in PAGES[name].text:
        marks.append(pytest.mark.xdist_group("judge"))
    return pytest.param(PAGES[name], id=name, marks=marks)


def expected(one):
    return EXPECTED.get(one.name, {})


@pytest.mark.parametrize("one", PAGES.values(), ids=PAGES)
def test_its_form(one):
    if faults := faults_of_form(one):
        pytest.fail("\n".join(faults), pytrace=False)


@pytest.mark.parametrize("one", PAGES.values(), ids=PAGES)
def test_the_number_of_its_examples(one):
    counts = {name: int(n) for name, n in expected(one).items() if name not in {"facts", "long"}}
    if one.counts != counts:
        line = ", ".join(f"{tag}: {n}" for tag, n in one.counts.items())
        pytest.fail(f"{TABLE.name} needs the line\n{one.name}: {{{line}}}", pytrace=False)


@pytest.mark.parametrize("one", PAGES.values(), ids=PAGES)
def test_the_verbs_of_make_that_it_names_exist(one):
    # They make environments and take minutes: no block that has them alone is run.
    verbs = re.findall(r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    code = " ".join(re.findall(r"```sh\n.*?```|`[^`\n]*`", one.text, re.DOTALL))
    assert set(re.findall(r"\bmake ([a-z][a-z-]+)", code)) <= set(verbs)


def test_the_table_names_no_page_that_is_gone():
    assert set(EXPECTED) <= set(PAGES)


@pytest.mark.parametrize("one", [marked(name) for name in PAGES])
def test_what_it_says_is_so(one, tmp_path):
    if shutil.which("bash") is None:
        pytest.skip("commands of pages are run by bash, which is not here")
    given = Path(__file__).parent / "given" / Path(one.name).stem
    reading = read(one, tmp_path, given=given if given.exists() else None)
    facts = set(expected(one).get("facts", []))
    if faults := reading.wrong + unsupported(one, reading, facts):
        pytest.fail("\n".join(faults), pytrace=False)
