"""Patterns of what must not be kept: addresses, telephone numbers, secrets, and the user's own."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, Final, TypeAlias

from veridical.errors import ConfigurationError

__all__ = ["KNOWN", "Redactor"]

_Rule: TypeAlias = tuple[re.Pattern[str], Callable[[re.Match[str]], str]]

_EMAIL: Final = re.compile(r"(?<![\w.+%-])[\w.+%-]{1,64}@(?:[\w-]{1,63}\.){1,8}[^\W\d_]{2,24}\b")
_PHONE: Final = re.compile(r"(?<![\w.,+-])[+(]{0,2}\d[\d ().\u00a0/-]{5,22}\d(?![\w-])")
_DATE: Final = re.compile(r"\d{4}[-./ ]\d{1,2}[-./ ]\d{1,2}|\d{1,2}[-./ ]\d{1,2}[-./ ]\d{4}")
_GROUPED: Final = re.compile(r"\d{2,4}[ .\u00a0/-]+\d{2,4}[ .\u00a0/-]+\d{2,}")
# Forms that issuers of keys document, and words that announce one.
_SECRET: Final = re.compile(
    r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----.*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|\Z)"
    r"|\b(?:sk|pk|rk)[-_][\w-]{16,200}"
    r"|\bgh[pousr]_\w{20,200}|\bgithub_pat_\w{20,200}|\bglpat-[\w-]{16,200}"
    r"|\bxox[abeprs]-[\w-]{10,200}|\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\bAIza[\w-]{35}"
    r"|\beyJ[\w-]{5,2000}\.[\w-]{5,4000}\.[\w-]{5,1000}"
    r"|(?i:\bbearer\s{1,4})[\w.~+/-]{16,2000}=*"
    r"|(?i:\b(?:password|passwd|pwd|secret|api[_-]?key|access[_-]?token|auth[_-]?token))"
    r"[\"']?\s{0,4}[:=]\s{0,4}[^\s,;]{4,200}",
    re.DOTALL,
)
KNOWN: Final = ("email", "phone", "secret")
_REGEX: Final = "regex:"


class Redactor:
    """Takes out of texts what must not be kept.

    What is found is replaced by ``[redacted ...]``, so that a reader sees that something stood
    there.  The same text always becomes the same text, and a text that was redacted stays as it
    is under the known rules.

    Parameters
    ----------
    rules
        ``email``, ``phone``, ``secret``, or ``regex:`` and a pattern of Python.

    Raises
    ------
    ConfigurationError
        A rule is none of them, or its pattern does not compile.

    Examples
    --------
    >>> Redactor(["email", "phone"])("Write to desk@example.org or call +44 20 7946 0000.")
    'Write to [redacted email] or call [redacted phone].'
    """

    def __init__(self, rules: Iterable[str] = ()) -> None:
        self._rules: list[_Rule] = [_rule(rule) for rule in rules]

    def __bool__(self) -> bool:
        return bool(self._rules)

    def __call__(self, text: str) -> str:
        """Return a text without what the rules name."""
        for pattern, replacement in self._rules:
            text = pattern.sub(replacement, text)
        return text

    def within(self, value: Any) -> Any:
        """Return a JSON value with every text in it redacted; the keys stay."""
        if isinstance(value, str):
            return self(value)
        if isinstance(value, dict):
            return {key: self.within(one) for key, one in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.within(one) for one in value]
        return value


def _rule(rule: str) -> _Rule:
    if rule == "email":
        return _EMAIL, _as("email")
    if rule == "phone":
        return _PHONE, lambda found: "[redacted phone]" if _is_phone(found[0]) else found[0]
    if rule == "secret":
        return _SECRET, _as("secret")
    if not rule.startswith(_REGEX):
        raise ConfigurationError(
            f"{rule[:80]!r} is no rule of redaction",
            where="privacy.redact",
            fix=f'write {", ".join(KNOWN)} or "regex:..."',
        )
    try:
        return re.compile(rule.removeprefix(_REGEX)), _as("text")
    except (re.error, RecursionError, OverflowError) as error:
        raise ConfigurationError(
            f"the pattern {rule[:80]!r} does not compile: {error}",
            where="privacy.redact",
            fix="write a regular expression of Python",
        ) from error


def _as(what: str) -> Callable[[re.Match[str]], str]:
    # An empty match, of "x*" for one, redacts nothing.
    return lambda found: f"[redacted {what}]" if found[0] else ""


def _is_phone(text: str) -> bool:
    """Whether digits are those of a telephone; dates and plain numbers are none."""
    if not 7 <= sum(c.isdigit() for c in text) <= 15 or _DATE.fullmatch(text.strip("()")):
        return False
    return text.startswith(("+", "(", "00")) or _GROUPED.search(text) is not None
