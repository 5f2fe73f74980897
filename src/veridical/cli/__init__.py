"""The command line: thin commands that parse, call, print and give an exit code.

stdout is the result, stderr is the talk.  Exit codes:

=====  ==========================================================================
0      done
1      a gate, calibration or validation threshold failed; a stored run is damaged
2      stopped by a cost budget
3      undecided: nothing could be scored, or an interval straddles its bound
4      refused: the things compared or pooled do not match
64     usage error
65     bad data or configuration, or a file that cannot be written
69     something needed is not there: an extra, a service
70     internal error
130    interrupted
=====  ==========================================================================
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    Parameters
    ----------
    arguments
        The words after ``veridical``; None takes those of the process.
    """
    from veridical.cli.run import run

    return run(arguments)
