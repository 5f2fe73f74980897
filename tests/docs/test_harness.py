"""What runs the pages finds what is wrong in one."""

import pytest

from tests.docs.pages import Page, faults_of_form
from tests.docs.reading import read, unsupported

RIGHT = """\
# A page

```python
hits = [1, 1, 1, 0, 0]
recall = sum(hits) / len(hits)
print(f"recall {recall:.2f}, of {len(hits)}")
```

```text
recall 0.60, of 5
```

The recall is **0.60**<!-- = f"{recall:.2f}" -->, or `3`<!-- = sum(hits) --> of 5, in the year 2026.

| what | value |
|---|---|
| recall | 0.6<!-- = recall --> |

## Commands

```sh
export WORD=there
mkdir folder
cd folder
echo 'hello 17' > note.txt
```

```sh
cat note.txt
echo "$WORD"
sleep 60 &
```

```text
hello 17
...
```

They print 17, and $17 = 10 + 7$ where the block has 10 + 7.

```python
# rules.py
value = 10 + 7
```

```python
from rules import value

print(value)
```

```text
17
```

```yaml
a: {b: 1}
```

<!-- file: cases.jsonl -->
```json
{"id": 1}
{"id": 2}
```

```sh
grep -c id cases.jsonl
```

```text
2
```

<!-- not run: it needs a network -->
```sh
exit 3
```

```mermaid
flowchart TD
  accTitle: from a to b
  a --> b
```

![A picture of nothing at all](nothing.svg)
"""


def faults(text, folder, *, facts=("2026",), name="docs/how-to/planted.md"):
    one = Page(name, text)
    if wrong := faults_of_form(one):
        return wrong
    reading = read(one, folder)
    return reading.wrong + unsupported(one, reading, set(facts))


def test_a_page_that_is_right(tmp_path):
    assert faults(RIGHT, tmp_path) == []
    assert Page("x", RIGHT).counts == {
        "claims": 3, "json": 1, "mermaid": 1, "python": 3, "sh": 4, "text": 4, "yaml": 1
    }  # fmt: skip


@pytest.mark.parametrize(
    ("right", "wrong", "told"),
    [
        ("**0.60**<!--", "**0.61**<!--", "13: the page says 0.61"),
        ("**0.60**<!--", "**0.6**<!--", "13: the page says 0.6,"),
        ("`3`<!--", "`4`<!--", "13: the page says 4"),
        ("0.6<!--", "0.7<!--", "17: the page says 0.7"),
        ("**0.60**<!-- = f", "**0.60**<!-- = g", "13: "),
        ("recall 0.60, of 5", "recall 0.61, of 5", "9: not printed"),
        ("hello 17\n...", "hello 18\n...", "34: not printed"),
        ("hello 17\n...", "hello 17", None),
        ("hello 17\n...", "there\n...\nhello 17", "34: not printed"),
        ("They print 17", "They print 18", "39: 18 is in no claim"),
        ("$17 = 10", "$18 = 10", "39: 18 is in no claim"),
        ("$17 = 10", "$\\frac{z^2}{18n} = 10", "39: 18 is in no claim"),
        ("of 5, in", "of 6, in", "13: 6 is in no claim"),
        ("the year 2026", "the year 2027", "13: 2027 is in no claim"),
        ("the year 2026", "the year 17", "13: 17 is in no claim"),
        ("the year 2026", "version 2026.11.30", "13: 2026.11.30 is in no claim"),
        ("the year 2026", "the year `2027`", "13: 2027 is in no claim"),
        ("0, 0]\n", "0, 0]  # 18 hits\n", "3: 18, in a comment, is nowhere else on the page"),
        ("0, 0]\n", "0, 0]  # 3 hits\n", None),
        ("mkdir folder", "rmdir folder", "21: a command failed"),
        ("a: {b: 1}", "a: {b: 1", "56: ParserError"),
        ('{"id": 2}', "{'id': 2}", "61: JSONDecodeError"),
        ('{"id": 2}', '{"id": NaN}', "61: NaN is not JSON"),
        ("value = 10 + 7", "value = 10 + 8", "52: not printed"),
        ("print(value)", "print(values)", "46: NameError"),
        ("```yaml", "```", "56: a fence tagged ''"),
        ("```yaml", "```pycon", "56: a fence tagged 'pycon'"),
        ("```yaml", "````yaml", "a fence that is left open"),
        ("a --> b\n", "a -->|18 of them| b\n", "79: 18 is in no claim"),
        ("```mermaid\nflow", "<!-- numbers: [] -->\n```mermaid\nflow", None),
        ("```mermaid\nflow", "<!-- numbers: [5] -->\n```mermaid\nflow", "80: the diagram has []"),
        ("  accTitle: from a to b\n", "", "a diagram without accTitle"),
        ("![A picture of nothing at all]", "![]", "a picture without alt text"),
        ("## Commands", "### Commands", "a heading of level 3 below one of level 1"),
        ("## Commands", "# Commands", "a heading of level 1 below one of level 1"),
        ("They print", "<b>They</b> print", "HTML that is no comment"),
        ("They print", "    They print", "an indented block"),
        ("**0.60**<!--", "**0.60** <!--", "a claim's comment has nothing right before it"),
        ("is **0.60**<", "is -**0.60**<", "13: a sign beside a claim"),
        ("(hits) -->", "(hits) -->%", "13: a sign beside a claim"),
        ("not run: it needs a network", "a network", "a command failed"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told(tmp_path, right, wrong, told):
    assert right in RIGHT
    found = faults(RIGHT.replace(right, wrong, 1), tmp_path)
    if told is None:
        assert found == []
    else:
        assert any(told in one for one in found), found


def test_a_lesson_has_no_other_fences(tmp_path):
    found = faults(RIGHT, tmp_path, name="docs/lessons/planted.md")
    assert len(found) == 10
    assert all("here may stand mermaid, python" in one for one in found)


def test_what_runs_on_is_ended(tmp_path):
    import time
    from pathlib import Path

    page = Page("x.md", "# P\n\n```sh\nsleep 600 &\necho $!\n```\n")
    reading = read(page, tmp_path)
    process = Path("/proc") / reading.printed[0].strip()
    until = time.monotonic() + 60
    while process.exists() and "\nState:\tZ" not in (process / "status").read_text():
        assert time.monotonic() < until
        time.sleep(0.01)


def test_a_later_block_runs_after_one_that_failed(tmp_path):
    page = Page("x.md", "# P\n\n```sh\nfalse\n```\n\n```sh\necho on\n```\n\n```text\non\n```\n")
    assert [one.partition("\n")[0] for one in read(page, tmp_path).wrong] == [
        "x.md:3: a command failed, exit code 1:"
    ]


def test_a_server_gets_a_free_port(tmp_path):
    text = "# P\n\n```sh\necho 127.0.0.1:8643 > kept\ngrep -c :8643 kept || true\ncat kept\n```\n"
    (printed,) = read(Page("x.md", text), tmp_path).printed
    # Within the block the name is replaced everywhere, and what is shown has the page's again.
    assert printed == "1\n127.0.0.1:8643\n"
    assert "8643" not in (tmp_path / "clone" / "kept").read_text()
