"""What a command ends with: the exit codes, all of them."""

from __future__ import annotations

from typing import Final

__all__ = [
    "BAD_DATA",
    "BUDGET",
    "FAILED",
    "INTERNAL",
    "INTERRUPTED",
    "OK",
    "REFUSED",
    "SERVICE",
    "UNDECIDED",
    "USAGE",
]

OK: Final = 0
FAILED: Final = 1
"""A gate, a calibration or a validation did not hold."""
BUDGET: Final = 2
"""Stopped, for no more may be spent."""
UNDECIDED: Final = 3
"""Nothing could be scored, compared or followed; or an interval straddles its bound."""
REFUSED: Final = 4
"""The things compared or pooled do not match."""
USAGE: Final = 64
BAD_DATA: Final = 65
"""Bad data or configuration."""
SERVICE: Final = 69
"""A service that is needed cannot be reached."""
INTERNAL: Final = 70
"""A fault of veridical, or of a metric that was added to it."""
INTERRUPTED: Final = 130
"""By the user; what was done is kept."""
