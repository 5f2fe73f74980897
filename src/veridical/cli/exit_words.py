"""What each command ends with, in the words of its ``--help``."""

from __future__ import annotations

from typing import Final

from veridical.cli.commands import all_commands

__all__ = ["ALL_CODES", "exit_words"]

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
    return f"{all_commands()[command].ends}; {_COMMON}"
