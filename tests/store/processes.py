"""Processes of their own, to be killed or to be many."""

import subprocess
import sys


def python(code: str, *arguments: object, **options: object) -> subprocess.Popen:
    """Start a Python process of its own."""
    words = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options
    )
