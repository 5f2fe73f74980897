"""A number that nothing computes is entered twice: a slip in one of the two places is seen."""

import re

import pytest

from tests.docs.pages import Page
from tests.docs.register import FILE, all_pages, differences, entered, register

PAGES = {one.name: one for one in all_pages()}
TEXT = FILE.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", PAGES)
def test_each_is_entered(name):
    if wrong := differences(entered(name, TEXT), register(PAGES[name])):
        told = "\n".join([*wrong, "if the page is right: python -m tests.docs.register"])
        pytest.fail(f"{name}\n{told}", pytrace=False)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("vd.GateVerdict", "exit_code: 0 1 3"),
        ("vd.Comparison", "detectable: 80%"),
        ("vd.errors.MismatchError", "Two"),
    ],
)
def test_members_of_public_names_are_entered(name, told):
    assert told in "".join(register(PAGES[name]))


@pytest.mark.parametrize("wrong", [r"\frac{b}{a + b}", r"\frac{a}{a - b}", r"\frac{a}{a + c}"])
def test_a_formula_of_a_lesson_is_entered(wrong):
    right = "# A\n\nAt 2:\n\n$$x \\le \\frac{a}{a + b}$$\n"
    was = register(Page("docs/lessons/a.md", right))
    assert was == ["    : 2 $$x\\le\\frac{a}{a+b}$$\n"]
    assert register(Page("docs/lessons/a.md", right.replace(r"\frac{a}{a + b}", wrong))) != was
    assert register(Page("docs/lessons/a.md", right.replace(r"\le", r"\ge"))) != was


def test_a_block_that_is_run_nowhere_is_entered():
    text = "# A\n\n```text\n8\n```\n"
    assert register(Page("docs/a.md", text)) == []
    assert register(Page("examples/a/README.md", text)) == ["    : 8\n"]
    assert "examples/credit/README.md" in PAGES


def test_no_page_is_entered_that_is_gone():
    assert set(re.findall(r"^\S.*$", TEXT, re.MULTILINE)) <= set(PAGES)


PLANTED = """\
# A page of 3.11

Of two, -0.5 and `recall@5`: **0.60**<!-- = 6 / 10 -->.

![A picture of 12 bars](a7.svg)

## 4. More

```python
print(8)  # half of 16
```

```text
8
```

```yaml
k: 9
```

$x^2 / 2n$, see [there](../b.md#c3), doi:10.1/1.

A dozen in April, `m@1e-9`.
"""


def test_what_is_entered():
    assert register(Page("x", PLANTED)) == [
        "    : 3.11 two -0.5 5 12 7\n",
        "    4. More: 4 8 half 16 9 2 2 3 10.1 1 dozen April 1e-9\n",
    ]


@pytest.mark.parametrize(
    ("right", "wrong", "told"),
    [
        ("3.11", "3.12", "after ':': 3.12, entered as 3.11"),
        ("Of two", "Of one", "after ': 3.11': nothing, entered as two"),
        ("-0.5", "0.5", "after ': 3.11 two': 0.5, entered as -0.5"),
        ("recall@5", "recall@6", "6, entered as 5"),
        ("12 bars", "13 bars", "13, entered as 12"),
        ("half", "a third", "third, entered as half"),
        ("k: 9", "k: 8", "8, entered as 9"),
        ("x^2", "x^3", "3, entered as 2"),
        ("2n", "4n", "4, entered as 2"),
        ("dozen", "pair", "nothing, entered as dozen"),
        ("April", "August", "August, entered as April"),
        ("1e-9", "1e9", "1 9, entered as 1e-9"),
        ("## 4", "## 5", "5., entered as 4."),
    ],
)
def test_what_is_changed_is_told(right, wrong, told):
    assert right in PLANTED
    changed = register(Page("x", PLANTED.replace(right, wrong, 1)))
    found = differences(register(Page("x", PLANTED)), changed)
    assert any(told in one for one in found), found
