"""What each command ends with, in the words of its ``--help``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["ALL_CODES", "exit_words"]

_MEASURED = "0 done, 3 nothing could be measured"
_COMPARED = "0 done, 3 nothing could be compared"
_JUDGED = "0 it passes, 1 it does not, 3 undecided"
_ASKED = "0 done, whatever the values are, 2 the budget is spent"
_SOUND = "0 nothing is wrong"

_OF: Final[Mapping[str, str]] = {
    "ablate": _MEASURED,
    "agree": _MEASURED,
    "compare": _COMPARED,
    "doctor": _SOUND,
    "drift": _MEASURED,
    "evaluate": _MEASURED,
    "fairness": _MEASURED,
    "gate": _JUDGED,
    "merge": _MEASURED,
    "rank": _MEASURED,
    "text": _MEASURED,
    "trend": _MEASURED,
    "validate": "0 every rule is met, 1 one is not, 3 undecided",
    "runs verify": "0 every hash is right, 1 something is damaged",
    "rag calibrate": "0 the judge keeps the thresholds, 1 it does not, 2 the budget is spent",
    "rag compare": _COMPARED,
    "rag doctor": _SOUND,
    "rag gate": _JUDGED,
    "rag generate": "0 done, 2 the budget is spent, 3 no document has a draft",
    "rag rescore": _ASKED,
    "rag resume": _ASKED,
    "rag run": _ASKED,
    "bench compare": _COMPARED,
    "bench gate": _JUDGED,
    "bench report": "0 done, 3 nothing could be scored",
    "bench resume": "0 done, whatever was answered",
    "bench run": "0 done, whatever was answered",
    "bench score": "0 done, 3 nothing could be scored",
    "bench verify-suite": "0 the suite holds, 1 it does not",
    "monitor dispatch": "0 nothing waits that may go out, 69 a request still does",
    "monitor observe": "0 done, whatever follows from it",
}
_COMMON = (
    "4 refused, for what belongs together does not match; 64 usage; 65 bad data, configuration or "
    "file; 69 an extra or a service is not there; 70 a fault of veridical; 130 interrupted"
)

ALL_CODES: Final = (
    "0 done; 1 a gate, calibration or validation failed, or a stored run is damaged; 2 a budget is "
    f"spent; 3 undecided, or nothing could be measured; {_COMMON}"
)
"""The codes of all commands, in one sentence."""


def exit_words(command: str) -> str:
    """Return what a command ends with.

    Parameters
    ----------
    command
        Its words, such as ``"monitor observe"``.

    Examples
    --------
    >>> exit_words("gate").partition(";")[0]
    '0 it passes, 1 it does not, 3 undecided'
    """
    return f"{_OF.get(command, '0 done')}; {_COMMON}"
