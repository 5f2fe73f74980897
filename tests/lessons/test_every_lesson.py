"""What holds for every lesson: a new one is tested by being listed."""

from functools import cache

import pytest

from veridical.lessons import LESSONS, lesson_called
from veridical.lessons.lesson import Table
from veridical.lessons.narrating import examine, narrate

WIDEST = 80
EVERY = pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
QUESTIONS = [
    pytest.param(question, id=f"{lesson.name}-{index}")
    for lesson in LESSONS
    for index, question in enumerate(lesson.quiz, 1)
]


def told(tell, lesson, ask=None):
    lines = []
    tell(lesson, lines.append, ask)
    return "".join(lines)


@cache
def run_through(tell, name):
    """Return what is told where nobody is asked; it takes its time, and many tests read it."""
    return told(tell, lesson_called(name))


def test_names_and_titles_are_distinct():
    assert len({lesson.name for lesson in LESSONS}) == len(LESSONS)
    assert len({lesson.title for lesson in LESSONS}) == len(LESSONS)


def test_every_page_is_of_a_lesson_and_has_its_title(root):
    pages = {lesson.page: lesson for lesson in LESSONS}
    found = {path for path in (root / "docs" / "lessons").glob("*.md") if path.name != "index.md"}
    assert found
    for path in found:
        lesson = pages[path.relative_to(root).as_posix()]
        heading = path.read_text(encoding="utf-8").partition("\n")[0]
        assert lesson.title.casefold() in heading.casefold()


@EVERY
def test_a_lesson_is_found_by_its_name(lesson):
    assert lesson_called(lesson.name) is lesson


@EVERY
@pytest.mark.parametrize("tell", [narrate, examine])
def test_it_is_told_alike_each_time_and_no_line_is_wider_than_80_columns(lesson, tell, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    assert told(tell, lesson) == run_through(tell, lesson.name)
    too_wide = [line for line in run_through(tell, lesson.name).splitlines() if len(line) > WIDEST]
    assert not too_wide


@EVERY
def test_every_stop_shows_a_table_and_one_line_to_take_away(lesson):
    for stop in lesson.stops:
        shown = stop.show()
        assert any(isinstance(part, Table) for part in shown.parts), stop.title
        line = f"Take away: {shown.take_away}"
        assert len(line) <= WIDEST, line
        assert line in run_through(narrate, lesson.name).splitlines()
        assert stop.expect.endswith("?")


@EVERY
def test_every_stop_asks_before_it_shows(lesson):
    asked = []
    text = []

    def ask(prompt):
        asked.append((prompt, "".join(text)))
        return ""

    narrate(lesson, text.append, ask)
    assert len(asked) == len(lesson.stops)
    for stop, (_, before) in zip(lesson.stops, asked, strict=True):
        assert stop.title in before
        assert stop.show().take_away not in before


@EVERY
def test_a_reader_who_leaves_gets_the_rest_at_once(lesson):
    prompts = []

    def leave(prompt):
        prompts.append(prompt)

    assert told(narrate, lesson, leave) == run_through(narrate, lesson.name)
    assert len(prompts) == 1


@EVERY
def test_a_lesson_has_questions(lesson):
    assert len(lesson.quiz) >= 4


@pytest.mark.parametrize("question", QUESTIONS)
def test_exactly_the_answer_holds(question):
    holding = [choice for choice in question.choices if choice.holds()]
    assert holding == [question.answer]
    assert len(question.choices) >= 3
    assert len({choice.text for choice in question.choices}) == len(question.choices)


@pytest.mark.parametrize("question", QUESTIONS)
def test_wrong_choices_name_their_misconception_and_the_answer_has_none(question):
    for choice in question.choices:
        if choice is question.answer:
            assert not choice.misconception
        else:
            assert choice.misconception.endswith("."), choice.text
            assert choice.misconception[0].islower() or not choice.misconception[0].isalpha()
    assert question.why.endswith(".")


@EVERY
def test_the_answers_do_not_all_have_one_letter(lesson):
    assert len({question.choices.index(question.answer) for question in lesson.quiz}) > 1


@EVERY
def test_a_quiz_answered_right_and_one_answered_wrong(lesson):
    of = len(lesson.quiz)
    right = iter([q.choices.index(q.answer) for q in lesson.quiz])
    wrong = iter([int(q.choices[0].holds()) for q in lesson.quiz])
    passed = told(examine, lesson, lambda _: "abcd"[next(right)])
    failed = told(examine, lesson, lambda _: "abcd"[next(wrong)])
    assert passed.splitlines()[-1] == f"{of} of {of} right."
    assert failed.splitlines()[-1] == f"0 of {of} right."
    assert passed.count("Right: ") == failed.count(" is right: ") == of
    assert "not " + "a: " not in passed
