"""What an agent is: something with a name that is given a task and three tools."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from veridical.bench.cases import TaskView

__all__ = [
    "NOT_RECORDED",
    "NO_USAGE",
    "Agent",
    "AgentResult",
    "InfraError",
    "Page",
    "RunEndedError",
    "Tools",
    "Verdict",
]

NO_USAGE: Mapping[str, int] = {"input": 0, "output": 0, "cache_read": 0, "cache_write": 0}
"""Of an agent that asks no model: zero is measured, not unknown."""


NOT_RECORDED = "not_recorded"
"""Kind of the ``InfraError`` of a trial that recorded lines do not hold; others may be there."""


class RunEndedError(Exception):
    """The run is over: its time or its turns are used up.

    Parameters
    ----------
    stop_reason
        ``time_limit`` or ``turn_limit``.
    """

    def __init__(self, stop_reason: str) -> None:
        self.stop_reason = stop_reason
        super().__init__(stop_reason)


class InfraError(Exception):
    """The agent could not be asked: nobody's answer is right or wrong because of it.

    Parameters
    ----------
    kind
        A stable string: ``timeout``, ``connection``, ``status``, ``exit``, ``exception``, ...
    message
        One sentence, without any secret.
    retries
        How often it was tried again.
    usage, shape
        What was spent all the same, as in ``AgentResult``; None where that is unknown.
    """

    def __init__(
        self,
        kind: str,
        message: str,
        *,
        retries: int = 0,
        usage: Any = NO_USAGE,
        shape: str | None = None,
    ) -> None:
        self.kind = kind
        self.message = message
        self.retries = retries
        self.usage = usage
        self.shape = shape
        super().__init__(kind, message)


@dataclass(frozen=True, slots=True)
class Page:
    """A piece of a file.

    Attributes
    ----------
    text
        From the asked character on.
    next_offset
        Where the next piece begins; None at the file's end.
    characters
        The length of the whole file.
    """

    text: str
    next_offset: int | None
    characters: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is said about a submission.

    Attributes
    ----------
    accepted
        Whether it parsed.  The run is then over.
    reason
        The reason code; None where it parsed, or where this turn has had its reason.
    """

    accepted: bool
    reason: str | None = None


class Tools(Protocol):
    """The tools of a case.  Each raises ``RunEndedError`` once the run is over."""

    def list_files(self) -> list[tuple[str, int]]:
        """Return name and size in bytes of each file."""
        ...

    def read_file(self, name: str, offset: int = 0, limit: int = 32_768) -> Page:
        """Return a piece of a file as text; ``LookupError`` where there is no such file."""
        ...

    def submit(self, json_text: str) -> Verdict:
        """Submit an answer."""
        ...

    def raw_files(self) -> Mapping[str, bytes]:
        """Return the bytes of all files by name, for agents that are given a folder."""
        ...

    def unreadable(self, name: str, arguments: str) -> None:
        """Say that a model called no tool, or with arguments that cannot be read."""
        ...

    def name_last(self, call_id: str) -> None:
        """Give the last call the id that a model gave it."""
        ...

    def next_turn(self) -> None:
        """Say that a model is about to be asked again; the limit of turns counts these."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentResult:
    """What an agent leaves behind.

    Attributes
    ----------
    final_text
        Its last words, which are the submission where ``submit`` was never called.
    messages
        The conversation, without headers and keys.
    usage
        ``input output cache_read cache_write`` in tokens; or a provider's own record, or a list of
        them, one a call, with ``shape``; None where it is unknown.
    shape
        Of ``usage``: ``openai_chat``, ``openai_responses`` or ``anthropic_messages``; None where
        it is in our form.
    model, provider
        Who answered; None where no model was asked.
    stop_reason
        Why it ended, in its own words; None leaves the word to the harness.
    retries
        Calls that had to be repeated.
    isolation
        What kept a program from reading more than its inputs.
    """

    final_text: str | None = None
    messages: tuple[Any, ...] = ()
    usage: Any = field(default_factory=lambda: dict(NO_USAGE))
    shape: str | None = None
    model: str | None = None
    provider: str | None = None
    stop_reason: str | None = None
    retries: int = 0
    isolation: str | None = None


class Agent(Protocol):
    """Something that can be given a task.

    It may also have ``config`` (a mapping without secrets, whose hash is kept), ``model``,
    ``provider`` and ``sampling``.
    """

    @property
    def name(self) -> str:
        """As reports show it."""
        ...

    @property
    def version(self) -> str:
        """Changes whenever its answers may."""
        ...

    def run(self, task: TaskView, tools: Tools) -> AgentResult:
        """Work on one case; what it submits goes through ``tools``."""
        ...
