"""The strict parser.  A submission parses, or it has exactly one reason code.

Where several things are wrong, the reason is the one that stands first in ``REASONS``; the order of
accounts and flags decides nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from veridical.bench.submissions.strict_text import NumberText, read_text
from veridical.bench.submissions.submission import CONFIDENCES, AccountAnswer, Flag, Submission

__all__ = ["MAX_FLAGS", "REASONS", "Parsing", "faults_of", "first_of", "parse", "submission_of"]

MAX_FLAGS: Final = 1_000
"""Flags beyond which a submission is not read."""

REASONS: Final = {
    "no_submission": "nothing was submitted",
    "too_large": "the submission has more than 1 MiB",
    "too_deep": "objects and lists stand more than 32 deep in one another",
    "multiple_objects": "the text has more than one fenced block",
    "not_json": "the text is not wholly JSON, and has no fenced block that is",
    "duplicate_json_key": "a key occurs twice in one object",
    "non_finite_number": "a number is NaN or infinite",
    "not_object": "the JSON is not an object",
    "missing_field:accounts": "the field accounts is missing",
    "missing_field:flags": "the field flags is missing",
    "missing_field:confidence": "the field confidence is missing",
    "missing_field:account_id": "an account has no account_id",
    "missing_field:closing_balance": "an account has no closing_balance",
    "missing_field:currency": "an account has no currency",
    "missing_field:type": "a flag has no type",
    "unknown_field": "there is a field that submission/1 does not have",
    "wrong_type:accounts": "accounts is not a list of objects",
    "wrong_type:flags": "flags is not a list of objects",
    "wrong_type:account_id": "an account_id is not a string",
    "wrong_type:type": "the type of a flag is not a string",
    "wrong_type:note": "a note, or the account_id of a flag, is neither a string nor null",
    "too_many_flags": "more than 1,000 flags are raised",
    "balance_not_string": "a closing_balance is not a string",
    "balance_grammar": 'a closing_balance is not like "1250.00" or "-3.5": ASCII digits, at most '
    "15 before and 6 after one point",
    "currency_grammar": "a currency is not three capital letters",
    "bad_confidence": "confidence is not exactly high, medium or low",
}
"""Reason codes with their sentences, in the order of precedence."""

_RANK: Final = {reason: rank for rank, reason in enumerate(REASONS)}
_BALANCE: Final = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,6})?\Z")
_CURRENCY: Final = re.compile(r"[A-Z]{3}\Z")
_ACCOUNT: Final = ("account_id", "closing_balance", "currency")


@dataclass(frozen=True, slots=True)
class Parsing:
    """A submission, or the reason why there is none.

    Attributes
    ----------
    submission
        None where it did not parse.
    reason
        One of ``REASONS``; None where it parsed.
    """

    submission: Submission | None
    reason: str | None

    @property
    def outcome(self) -> str:
        """``parsed``, ``parse_failure`` or ``no_submission``."""
        if self.submission is not None:
            return "parsed"
        return "no_submission" if self.reason == "no_submission" else "parse_failure"


def parse(raw: str | None) -> Parsing:
    """Parse a submission strictly; whatever the text is, nothing is raised.

    Parameters
    ----------
    raw
        The argument of the last call of ``submit``, else the agent's last text; None for neither.

    Examples
    --------
    >>> parse('{"accounts": [], "flags": [], "confidence": "low"}').outcome
    'parsed'
    >>> parse('{"accounts": [], "flags": [], "confidence": "Low"}').reason
    'bad_confidence'
    """
    text = read_text(raw)
    faults = text.faults or set(faults_of(text.value))
    if faults:
        return Parsing(None, first_of(faults))
    return Parsing(submission_of(text.value), None)


def first_of(faults: set[str]) -> str:
    """Return the fault that takes precedence."""
    return min(faults, key=_RANK.__getitem__)


def submission_of(value: Mapping[str, Any]) -> Submission:
    """Return what a JSON value without faults says."""
    return Submission(
        tuple(
            AccountAnswer(one["account_id"], Decimal(one["closing_balance"]), one["currency"])
            for one in value["accounts"]
        ),
        tuple(Flag(one["type"], one.get("account_id"), one.get("note")) for one in value["flags"]),
        value["confidence"],
        value.get("notes"),
    )


def faults_of(value: Any) -> Iterator[str]:
    """Yield every reason why a JSON value is no submission, in no order."""
    if not isinstance(value, dict):
        yield "not_object"
        return
    required = ("accounts", "flags", "confidence")
    yield from _fields(value, required, ("notes",))
    yield from _accounts(value.get("accounts", []))
    yield from _flags(value.get("flags", []))
    if "confidence" in value and not _is_one_of(value["confidence"], CONFIDENCES):
        yield "bad_confidence"
    if not _is_text_or_null(value.get("notes")):
        yield "wrong_type:note"


def _accounts(accounts: Any) -> Iterator[str]:
    if not isinstance(accounts, list) or not all(isinstance(one, dict) for one in accounts):
        yield "wrong_type:accounts"
        return
    for one in accounts:
        yield from _fields(one, _ACCOUNT, ())
        if not _is_text(one.get("account_id", "")):
            yield "wrong_type:account_id"
        balance = one.get("closing_balance", "0")
        if not _is_text(balance):
            yield "balance_not_string"
        elif not _BALANCE.match(balance):
            yield "balance_grammar"
        currency = one.get("currency", "GBP")
        if not (_is_text(currency) and _CURRENCY.match(currency)):
            yield "currency_grammar"


def _flags(flags: Any) -> Iterator[str]:
    if not isinstance(flags, list) or not all(isinstance(one, dict) for one in flags):
        yield "wrong_type:flags"
        return
    if len(flags) > MAX_FLAGS:
        yield "too_many_flags"
        return
    for one in flags:
        yield from _fields(one, ("type",), ("account_id", "note"))
        if not _is_text(one.get("type", "")):
            yield "wrong_type:type"
        if not (_is_text_or_null(one.get("account_id")) and _is_text_or_null(one.get("note"))):
            yield "wrong_type:note"


def _fields(
    value: Mapping[str, Any], required: tuple[str, ...], optional: tuple[str, ...]
) -> Iterator[str]:
    for name in required:
        if name not in value:
            yield f"missing_field:{name}"
    if not value.keys() <= {*required, *optional}:
        yield "unknown_field"


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and not isinstance(value, NumberText)


def _is_text_or_null(value: Any) -> bool:
    return value is None or _is_text(value)


def _is_one_of(value: Any, words: tuple[str, ...]) -> bool:
    return _is_text(value) and value in words
