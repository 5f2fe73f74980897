"""How lessons are told in a terminal: a walk-through, and a quiz.

Whoever calls says where the text goes and who is asked.  On a terminal the reader guesses before
anything is shown; elsewhere everything is told in one go.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from functools import partial

from veridical.lessons.lesson import Lesson, Question, Shown, Stop, Table
from veridical.report.pieces import Pieces, folded
from veridical.report.printing import printed

__all__ = ["Ask", "examine", "narrate", "reader"]

Ask = Callable[[str], str | None]
"""From a prompt to what was typed; None where nobody answers any more."""

Say = Callable[[str], None]

_WIDEST = 80
_INDENT = "  "
_NUMBER = re.compile(r"[-+\N{MINUS SIGN}]?([\d,]*\.?\d+%?|inf)|\N{EN DASH}")


def reader(*, pause: bool = True) -> Ask | None:
    """Return who is asked: the person at the terminal, or None where there is none.

    Parameters
    ----------
    pause
        False asks nobody.
    """
    there = sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()
    return _typed if pause and there else None


def _typed(prompt: str) -> str | None:
    line = ""
    try:
        sys.stdout.write(prompt)
        sys.stdout.flush()
        line = sys.stdin.readline()
    except UnicodeDecodeError:
        line = "\n"  # what this terminal cannot spell is a guess like any other
    finally:
        if not line:  # neither Ctrl-D nor Ctrl-C ends the line
            sys.stdout.write("\n")
    return line or None


def narrate(lesson: Lesson, say: Say, ask: Ask | None) -> None:
    """Tell a walk-through, stop by stop.

    Parameters
    ----------
    lesson
        The lesson.
    say
        Prints text, which ends with a newline.
    ask
        Is asked at each stop what the reader expects; None, or an answer of None, runs through.
    """
    stops = lesson.stops
    say(printed(partial(_opening, lesson.title, f"{len(stops)} stops: {lesson.teaches}.")))
    for index, stop in enumerate(stops, 1):
        say(printed(partial(_before, f"{index} of {len(stops)}  {stop.title}", stop)))
        if ask is not None and ask("Your guess, then Enter: ") is None:
            ask = None
        say(printed(partial(_after, stop.show())))
    further = (
        f"Now the questions: `veridical learn {lesson.name} --quiz`. At length, with every "
        f"formula: {lesson.page} in the repository."
    )
    say(printed(partial(_closing, further)))


def examine(lesson: Lesson, say: Say, ask: Ask | None) -> None:
    """Ask the questions of a lesson, and say what a wrong choice shows.

    Parameters
    ----------
    lesson
        The lesson.
    say, ask
        As in ``narrate``; where nobody is asked, the questions are printed with their answers.
    """
    quiz = lesson.quiz
    say(printed(partial(_opening, lesson.title, f"{len(quiz)} questions.")))
    right = told = 0
    for index, question in enumerate(quiz, 1):
        say(printed(partial(_asked, f"Question {index} of {len(quiz)}", question)))
        taken = None if ask is None else _taken(question, ask)
        if ask is not None and taken is None:
            break
        answer = question.choices.index(question.answer)
        told, right = told + 1, right + (taken == answer)
        say(printed(partial(_verdict, question, taken, answer)))
    if ask is not None:
        say(printed(partial(_closing, f"{right} of {told} right.")))


def _taken(question: Question, ask: Ask) -> int | None:
    """Return the index of the reader's choice; None where nobody answers any more."""
    letters = [_letter(index) for index in range(len(question.choices))]
    while (typed := ask(f"Your choice, {letters[0]} to {letters[-1]}: ")) is not None:
        if (chosen := typed.strip().casefold().rstrip(")")) in letters:
            return letters.index(chosen)
    return None


def _letter(index: int) -> str:
    return "abcdefgh"[index]


def _opening(title: str, contents: str, columns: int) -> Iterator[Pieces]:
    yield [(title, "bold")]
    yield from _paragraph(contents, columns)


def _before(heading: str, stop: Stop, columns: int) -> Iterator[Pieces]:
    yield []
    yield [(heading, "bold")]
    yield from _paragraph(stop.scene, columns)
    yield []
    yield from _paragraph(f"What do you expect? {stop.expect}", columns, "cyan")


def _after(shown: Shown, columns: int) -> Iterator[Pieces]:
    for part in shown.parts:
        yield []
        yield from (_table(part) if isinstance(part, Table) else _paragraph(part, columns))
    yield []
    yield from _paragraph(f"Take away: {shown.take_away}", columns, "bold green")


def _closing(text: str, columns: int) -> Iterator[Pieces]:
    yield []
    yield from _paragraph(text, columns)


def _asked(heading: str, question: Question, columns: int) -> Iterator[Pieces]:
    yield []
    yield [(heading, "bold")]
    yield from _paragraph(question.text, columns)
    for index, choice in enumerate(question.choices):
        yield from _item(f"{_letter(index)}) ", choice.text, columns)


def _verdict(question: Question, taken: int | None, answer: int, columns: int) -> Iterator[Pieces]:
    """Say what the reader's choice shows; where nobody was asked, what every choice shows."""
    yield []
    if taken == answer:
        yield from _paragraph(f"Right: {question.why}", columns, "green")
        return
    for index, choice in enumerate(question.choices):
        if index != answer and taken in {index, None}:
            yield from _item(f"not {_letter(index)}: ", choice.misconception, columns, "yellow")
    yield from _item(f"{_letter(answer)} is right: ", question.why, columns, "green")


def _paragraph(text: str, columns: int, style: str = "") -> Iterator[Pieces]:
    yield from folded(text, min(columns, _WIDEST), style=style)


def _item(mark: str, text: str, columns: int, style: str = "") -> Iterator[Pieces]:
    yield from folded(text, min(columns, _WIDEST), indent=len(_INDENT), style=style, mark=mark)


def _table(table: Table) -> Iterator[Pieces]:
    columns = list(zip(table.head, *table.rows, strict=True))
    widths = [max(map(len, cells)) for cells in columns]
    to_right = [all(map(_NUMBER.fullmatch, cells[1:])) for cells in columns]

    def line(cells: tuple[str, ...]) -> str:
        aligned = zip(cells, widths, to_right, strict=True)
        return _INDENT + "  ".join(
            cell.rjust(width) if right else cell.ljust(width) for cell, width, right in aligned
        )

    yield [(line(table.head), "bold")]
    yield [(_INDENT + "  ".join("-" * width for width in widths), "")]
    yield from ([(line(row), "")] for row in table.rows)
