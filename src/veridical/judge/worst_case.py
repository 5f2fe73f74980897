"""``most_of_a_question``: what one question can take, whatever goes wrong on the way."""

from __future__ import annotations

from typing import Final

from veridical.judge.client import LONGEST_ECHO
from veridical.judge.costs import Taken
from veridical.judge.settings import JudgeSettings

__all__ = ["longest", "most_calls", "most_of_a_question"]

_BYTES: Final = 4
_REPAIR: Final = 8_192
"""Bytes of what a repair says was wrong, at the very most."""


def longest(settings: JudgeSettings) -> Taken:
    """Return the most that one call can take when its prompt is not known: as long as allowed."""
    roles = len("system") + len("user")
    size = _BYTES * settings.longest_prompt + roles
    return Taken(size, settings.output_cap, estimated=True)


def most_calls(settings: JudgeSettings) -> int:
    """Return how many calls of one question can be charged.

    An exchange is a reply that is cut off, then every retry, the last of them perhaps successful;
    a question has two exchanges, the second to repair the reply of the first.
    """
    return 2 * (settings.retries + 2)


def most_of_a_question(call: Taken, settings: JudgeSettings) -> Taken:
    """Return the most that all calls of a question can take.

    Parameters
    ----------
    call
        The most that its first call can take.
    settings
        How often a call is repeated, and how long a reply may be.

    Examples
    --------
    >>> settings = JudgeSettings(base_url="http://127.0.0.1:1/v1", model="judge-1", retries=0)
    >>> most_of_a_question(Taken(100, 2048, estimated=True), settings).output_tokens == 6 * 2048
    True
    """
    calls = most_calls(settings)
    # The repair sends what the first exchange sent, the reply to it, and what was wrong with it.
    longer = _BYTES * LONGEST_ECHO + _REPAIR
    inputs = calls * call.input_tokens + calls // 2 * longer
    # After a reply that was cut off twice as much is allowed.
    outputs = (2 * calls - 2) * settings.output_cap
    return Taken(inputs, outputs, estimated=True)
