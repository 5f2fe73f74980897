"""Run one command: parse, call, and turn whatever happens into an exit code."""

from __future__ import annotations

import gc
import os
import sys
import warnings
from collections.abc import Callable, Sequence
from typing import Any

from veridical.cli.output import prepare_streams, talk, told, writing
from veridical.cli.plain_words import understood
from veridical.errors import VeridicalError
from veridical.exit_codes import BAD_DATA, INTERNAL, INTERRUPTED, USAGE

__all__ = ["run"]

_FILES = {"--output", "-o", "--out", "--html", "--page"}
_COLLECTIONS = (50_000, 20, 100)
"""Python's own thresholds suit a program that runs for days, and look at all that was imported
again and again."""


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command that ``arguments`` spell, and return its exit code.

    Parameters
    ----------
    arguments
        The words after ``veridical``; None takes those of the process.
    """
    if arguments is None:
        return _run_process()
    prepare_streams()
    words, debug = _without_debug(arguments)
    with warnings.catch_warnings():
        warnings.showwarning = _warn
        return _guarded(lambda: _called(words), debug=debug)


def _run_process() -> int:
    """Run the command of this process, which ends with it: garbage is hardly worth looking for."""
    gc.set_threshold(*_COLLECTIONS)
    # Threads for linear algebra start with numpy, and would each spin for 25 ms before they sleep.
    os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "4")
    try:
        return run(sys.argv[1:])
    finally:
        gc.freeze()  # else every module is looked at once more on the way out


def _called(words: Sequence[str]) -> int:
    plain = understood(words)
    if plain is not None:
        from veridical.cli.ranking import rank_runs

        return rank_runs(**plain)
    from cyclopts import CycloptsError

    from veridical.cli.app import build_app

    app = build_app()
    try:
        command, bound, _ = app.parse_args(words, exit_on_error=False, print_error=False)
    except CycloptsError as error:
        return _misused(error)
    if isinstance(getattr(command, "__self__", None), type(app)):  # --help, --version
        with writing():
            command(*bound.args, **bound.kwargs)
        return 0
    outcome = command(*bound.args, **bound.kwargs)
    return outcome if isinstance(outcome, int) else 0


def _guarded(call: Callable[[], int], *, debug: bool) -> int:
    try:
        return call()
    except KeyboardInterrupt:
        talk("interrupted")
        return INTERRUPTED
    except VeridicalError as error:
        if debug:
            _print_traceback()
        talk(told(error), "error")
        return error.exit_code
    except Exception as error:  # noqa: BLE001 - the last line of defence is to say so briefly
        if debug:
            _print_traceback()
        talk(f"internal error: {type(error).__name__}: {error}", "error")
        talk("  fix: run it again with --debug, and report the traceback")
        return INTERNAL


def _print_traceback() -> None:
    import traceback

    traceback.print_exc()


def _misused(error: Any) -> int:
    """Say what is wrong with the words; a wrong setting from a file is bad configuration."""
    argument, token = error.argument, getattr(error, "token", None)
    tokens = [token] if token is not None else argument.tokens if argument is not None else []
    outside = next((t.source for t in tokens if t.source not in {"", "cli"}), None)
    if token is not None and not outside and _meant_a_page(error):
        talk(f"Unknown option: {token.keyword}.", "error")
        talk("  fix: a page is written by --report FILE; what is printed, by > FILE")
        return USAGE
    talk(str(error), "error")
    if outside:
        talk(f"  fix: correct it in {outside}")
    else:
        chain = " ".join(["veridical", *(error.command_chain or ())])
        talk(f"  fix: see `{chain} --help`")
    return BAD_DATA if outside else USAGE


def _meant_a_page(error: Any) -> bool:
    """Whether an option that names a file elsewhere was given where ``--report`` does."""
    from cyclopts import UnknownOptionError

    if not isinstance(error, UnknownOptionError) or error.token.keyword not in _FILES:
        return False
    return any("--report" in argument.names for argument in error.argument_collection)


def _without_debug(words: Sequence[str]) -> tuple[list[str], bool]:
    """Take ``--debug`` out of the options; after ``--`` it is a value like any other."""
    end = words.index("--") if "--" in words else len(words)
    kept = [word for word in words[:end] if word != "--debug"]
    return [*kept, *words[end:]], len(kept) < end


def _warn(message: Warning | str, *_: Any, **__: Any) -> None:
    talk(str(message), "warning")
