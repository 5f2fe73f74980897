"""Running the command line from a test."""

from __future__ import annotations

import os
import subprocess
import sys


def veridical(*words):
    """Run ``veridical`` with these words, without the settings of the machine."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("VERIDICAL_")}
    return subprocess.run(
        [sys.executable, "-m", "veridical", *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
        env={**kept, "NO_COLOR": "1", "COLUMNS": "100"},
    )
