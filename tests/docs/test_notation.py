"""Every sign in a formula of the lessons is explained on the page of notation."""

import re

import pytest

from tests.docs.pages import ROOT, page

NOTATION = page(ROOT / "docs" / "notation.md")
LESSONS = [page(path) for path in sorted((ROOT / "docs" / "lessons").glob("*.md"))]
COMMAND = re.compile(r"\\[A-Za-z]+")
WORDS = re.compile(r"\\(text|mathrm|operatorname|begin|end)\{[^}]*\}")
# These set letters and spaces, and mean nothing.
LAYOUT = {
    *(r"\begin", r"\end", r"\cr", r"\quad", r"\qquad", r"\text", r"\mathrm", r"\operatorname"),
    *(r"\left", r"\right", r"\bigl", r"\bigr", r"\Big", r"\big", r"\tfrac", r"\dfrac"),
}


def formulas(one):
    for token in one.tokens:
        for part in [token, *(token.children or [])]:
            if part.type.startswith("math_"):
                yield part.content


@pytest.mark.parametrize("one", LESSONS, ids=lambda one: one.name)
def test_no_sign_is_left_unexplained(one):
    explained = set(COMMAND.findall(" ".join(formulas(NOTATION))))
    used = set(COMMAND.findall(" ".join(formulas(one))))
    assert used - explained - LAYOUT == set(), "explain it in docs/notation.md"


def letters(one):
    """Return the names in the formulas of a page; what stands at their feet is a name as well."""
    bare = COMMAND.sub(" ", WORDS.sub(" ", " ".join(formulas(one))))
    return set(re.findall("[A-Za-z]+'?", bare))


@pytest.mark.parametrize("one", LESSONS, ids=lambda one: one.name)
def test_no_letter_is_left_unexplained(one):
    assert letters(one) - letters(NOTATION) == set(), "explain it in docs/notation.md"


def test_formulas_are_found():
    assert r"\kappa" in " ".join(formulas(NOTATION))
    assert all("{cases}" in " ".join(formulas(one)) for one in LESSONS if "metrics" in one.name)
