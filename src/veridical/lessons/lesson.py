"""What a lesson is made of: stops of a walk-through, and questions whose answers are computed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from veridical.lessons.figure_style import drawn

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Choice", "Lesson", "Question", "Shown", "Stop", "Table", "number"]


@dataclass(frozen=True)
class Table:
    """A small table; columns of numbers are set to the right."""

    head: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]


@dataclass(frozen=True)
class Shown:
    """What a stop shows once the reader has guessed.

    Attributes
    ----------
    parts
        Paragraphs and tables, in their order.
    take_away
        The one line to remember.
    """

    parts: Sequence[str | Table]
    take_away: str


@dataclass(frozen=True)
class Stop:
    """One stop of a walk-through.

    Attributes
    ----------
    title
        What it is about.
    scene
        What must be known to guess.
    expect
        The question that is asked first: what does the reader expect?
    show
        Computes what is shown then.
    """

    title: str
    scene: str
    expect: str
    show: Callable[[], Shown]


@dataclass(frozen=True)
class Choice:
    """One of the answers that a question offers.

    Attributes
    ----------
    text
        The answer, written by a person.
    holds
        Whether it is right, evaluated when the quiz runs.
    misconception
        What somebody believes who takes it; empty for the right one.
    """

    text: str
    holds: Callable[[], bool]
    misconception: str = ""


@dataclass(frozen=True)
class Question:
    """A question of a quiz: exactly one of its choices holds.

    Attributes
    ----------
    text
        The question.
    choices
        In the order in which they are offered.
    why
        Why the right one is right; told whatever was taken.
    """

    text: str
    choices: tuple[Choice, ...]
    why: str

    @property
    def answer(self) -> Choice:
        """The first choice that holds."""
        return next(choice for choice in self.choices if choice.holds())


@dataclass(frozen=True)
class Lesson:
    """A lesson; what it tells is loaded when it is told.

    Attributes
    ----------
    name
        The package ``veridical.lessons.<name>`` and the word after ``veridical learn``.
    title
        What it is about, as the heading of its page has it.
    teaches
        The names that the learner will know.
    """

    name: str
    title: str
    teaches: str

    @property
    def page(self) -> str:
        """Where it can be read at length, from the root of the repository."""
        return f"docs/lessons/{self.name}.md"

    @property
    def stops(self) -> tuple[Stop, ...]:
        """Its walk-through: ``STOPS`` of ``stops.py``."""
        stops: tuple[Stop, ...] = import_module(f"veridical.lessons.{self.name}.stops").STOPS
        return stops

    @property
    def quiz(self) -> tuple[Question, ...]:
        """Its questions: ``QUIZ`` of ``quiz.py``."""
        quiz: tuple[Question, ...] = import_module(f"veridical.lessons.{self.name}.quiz").QUIZ
        return quiz

    @property
    def figure_alts(self) -> dict[str, str]:
        """What each figure shows, for who cannot see it: ``FIGURE_ALTS`` of ``drawing.py``."""
        alts: dict[str, str] = import_module(f"veridical.lessons.{self.name}.drawing").FIGURE_ALTS
        return alts

    def figures(self) -> dict[str, Figure]:
        """Draw its figures, by the names of their files: ``FIGURES`` of ``drawing.py``.

        Raises
        ------
        MissingExtraError
            matplotlib is not installed.
        """
        return drawn(import_module(f"veridical.lessons.{self.name}.drawing").FIGURES)


def number(shown: str, value: Callable[[], float], misconception: str = "") -> Choice:
    """Return the choice of a number: it holds where ``value`` rounds to what is shown.

    Parameters
    ----------
    shown
        The number as the reader sees it; it sets how many decimals count.
    value
        Computes what it should be.
    misconception
        As in ``Choice``.

    Examples
    --------
    >>> number("0.67", lambda: 2 / 3).holds(), number("0.7", lambda: 2 / 3).holds()
    (True, True)
    >>> number("0.66", lambda: 2 / 3).holds()
    False
    """
    decimals = len(shown.partition(".")[2])
    return Choice(shown, lambda: f"{value():.{decimals}f}" == shown, misconception)
