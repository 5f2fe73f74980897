"""Every exception that veridical raises.

    VeridicalError
    ├── InputError (ValueError)          the data cannot be used as it is
    │   ├── MissingColumnError (KeyError)
    │   ├── LabelError                   labels that do not say which class is positive
    │   ├── ScoreError                   NaN, infinite or out-of-range scores
    │   ├── CellError                    fewer rows than may be told of
    │   └── FileFormatError              a file that is not what its name says
    ├── FileMissingError (FileNotFoundError)
    ├── OutputError (OSError)             a file that cannot be written
    ├── UnsupportedTypeError (TypeError) an object we do not know how to read
    ├── MetricNameError (KeyError, ValueError)   no such metric, or several
    ├── MetricFailedError (RuntimeError) a metric whose function raised an exception
    ├── ParameterError (ValueError)      a parameter outside its range
    ├── ConfigurationError (ValueError)  a policy or project file that does not parse
    ├── MismatchError (ValueError)       things that may not be compared or merged
    ├── StoreError (OSError)              a run store that cannot be read or written
    │   └── StoreUnreachableError        its server does not answer
    ├── JudgeStoppedError (RuntimeError) a judge that cannot be asked any further
    │   └── BudgetSpentError             because no more may be spent on it
    ├── RunNotFoundError (LookupError)   no such run, or several
    ├── MissingExtraError (ImportError)  an optional dependency that is not installed
    ├── SkippedError (ValueError)        float() of a result that has no value
    └── InternalError (RuntimeError)     what must always hold does not: a fault of veridical

An error says *what* is wrong, *where*, *why* it matters, and *one thing to do*.  The command line
turns each into its documented exit code.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from veridical import exit_codes

__all__ = [
    "BudgetSpentError",
    "CellError",
    "ConfigurationError",
    "FileFormatError",
    "FileMissingError",
    "InputError",
    "InternalError",
    "JudgeStoppedError",
    "LabelError",
    "MetricFailedError",
    "MetricNameError",
    "MismatchError",
    "MissingColumnError",
    "MissingExtraError",
    "OutputError",
    "ParameterError",
    "RunNotFoundError",
    "ScoreError",
    "SkippedError",
    "StoreError",
    "StoreUnreachableError",
    "UnsupportedTypeError",
    "VeridicalError",
]


class VeridicalError(Exception):
    """Base of every error raised by veridical.

    Parameters
    ----------
    what
        One sentence: what is wrong.
    where
        The place: a column, ``file:line``, or row numbers.
    why
        Why this cannot be worked around silently.
    fix
        One thing the reader can do; by default the usual one about errors of the kind.
    listed
        Several problems at once, each told on a line of its own.
    """

    exit_code: ClassVar[int] = exit_codes.BAD_DATA
    usual_fix: ClassVar[str] = ""
    """What to do about an error of this kind that names nothing better."""

    def __init__(
        self,
        what: str,
        *,
        where: str = "",
        why: str = "",
        fix: str = "",
        listed: Sequence[str] = (),
    ) -> None:
        self.what = what
        self.where = where
        self.why = why
        self.fix = fix or self.usual_fix
        self.listed = tuple(listed)
        super().__init__(what)

    def __str__(self) -> str:
        lines = [f"{self.what} ({self.where})" if self.where else self.what]
        lines += [f"  {one}" for one in self.listed]
        if self.why:
            lines.append(f"  why: {self.why}")
        if self.fix:
            lines.append(f"  fix: {self.fix}")
        return "\n".join(lines)

    @staticmethod
    def what_of(error: BaseException) -> str:
        """Return what is wrong, without the place, the reason and what to do about it.

        Parameters
        ----------
        error
            Any exception; of one that is not ours its text.

        Examples
        --------
        >>> VeridicalError.what_of(InputError("no rows", where="a.csv", fix="add some"))
        'no rows'
        """
        return error.what if isinstance(error, VeridicalError) else str(error)

    def __reduce__(self) -> tuple[object, ...]:
        # Keyword-only fields would be lost by the default pickling of exceptions.
        return (_rebuild, (type(self), self.what, self.where, self.why, self.fix, self.listed))


def _rebuild(
    kind: type[VeridicalError],
    what: str,
    where: str,
    why: str,
    fix: str,
    listed: Sequence[str] = (),
) -> VeridicalError:
    return kind(what, where=where, why=why, fix=fix, listed=listed)


class InputError(VeridicalError, ValueError):
    """The data cannot be used as it is."""


class MissingColumnError(InputError, KeyError):
    """A named column is not in the table."""

    __str__ = VeridicalError.__str__


class LabelError(InputError):
    """The labels do not say which class is positive, or are missing."""


class ScoreError(InputError):
    """A score is missing, infinite where that is meaningless, or outside its range."""


class CellError(InputError):
    """A count is of fewer rows than may be told."""


class FileFormatError(InputError):
    """A file is damaged, or is not what its name says."""


class FileMissingError(VeridicalError, FileNotFoundError):
    """A file or folder does not exist."""

    __str__ = VeridicalError.__str__


class OutputError(VeridicalError, OSError):
    """A result cannot be written where it should go."""

    __str__ = VeridicalError.__str__


class UnsupportedTypeError(VeridicalError, TypeError):
    """An object of a type that cannot be read as data."""


class MetricNameError(VeridicalError, KeyError, ValueError):
    """A metric name that answers to no metric, or to several."""

    exit_code = exit_codes.USAGE
    __str__ = VeridicalError.__str__


class MetricFailedError(VeridicalError, RuntimeError):
    """A metric, perhaps of a third party, whose function raised an exception of its own."""

    exit_code = exit_codes.INTERNAL


class ParameterError(VeridicalError, ValueError):
    """A parameter is outside its range or contradicts another one."""

    exit_code = exit_codes.USAGE


class ConfigurationError(VeridicalError, ValueError):
    """A policy or project file does not parse, or names something unknown."""


class MismatchError(VeridicalError, ValueError):
    """Two things may not be compared or merged: a condition differs."""

    exit_code = exit_codes.REFUSED


class StoreError(VeridicalError, OSError):
    """A run store cannot be read or written, or holds what does not belong there."""

    __str__ = VeridicalError.__str__


class StoreUnreachableError(StoreError):
    """The database server of a run store does not answer."""

    exit_code = exit_codes.SERVICE


class JudgeStoppedError(VeridicalError, RuntimeError):
    """A judge cannot be asked any further: its key, its address or the budget stops it."""

    exit_code = exit_codes.SERVICE


class BudgetSpentError(JudgeStoppedError):
    """The next call might cost more than is left."""

    exit_code = exit_codes.BUDGET


class RunNotFoundError(VeridicalError, LookupError):
    """A reference that stands for no run, or for several."""


class MissingExtraError(VeridicalError, ImportError):
    """An optional dependency is not installed."""

    exit_code = exit_codes.SERVICE


class SkippedError(VeridicalError, ValueError):
    """A number was asked of a result that has none."""

    exit_code = exit_codes.UNDECIDED


class InternalError(VeridicalError, RuntimeError):
    """Something that must always hold does not: a fault of veridical, not of what it was given."""

    exit_code = exit_codes.INTERNAL
    usual_fix = "report it with its traceback, which the command line prints with --debug"
