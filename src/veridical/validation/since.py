"""``Since``: rule by rule, what an earlier validation of the same model found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from veridical.errors import MismatchError
from veridical.policy import PolicyVerdict
from veridical.policy.verdict import PolicyRow
from veridical.validation.record import ValidationRecord

__all__ = ["RuleSince", "Since", "since"]

_Key = tuple[str, str, str | None, str | None]


@dataclass(frozen=True, slots=True)
class RuleSince:
    """One rule, then and now.

    Attributes
    ----------
    policy, rule
        Which.
    before, now
        What was found; None where the rule was not held then, or is not any more.
    """

    policy: str
    rule: str
    before: PolicyRow | None
    now: PolicyRow | None

    @property
    def place(self) -> str:
        """The score column, column or group that it is about."""
        of = (self.now or self.before).result  # type: ignore[union-attr]  # one of them is there
        return ", ".join(part for part in (of.subject, of.group) if part) or "all rows"

    @property
    def words(self) -> tuple[str, str]:
        """Both verdicts."""
        return _word(self.before), _word(self.now)

    @property
    def altered(self) -> bool:
        """Whether the verdict is another one, or was not given then or now."""
        return self.words[0] != self.words[1]


@dataclass(frozen=True, slots=True)
class Since:
    """A validation beside an earlier one.

    Attributes
    ----------
    before
        The earlier one.
    rules
        Every rule of either.
    remarks
        What must be known before the two are read beside each other.
    """

    before: ValidationRecord
    rules: tuple[RuleSince, ...]
    remarks: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return it as one JSON object."""
        return {
            "run": self.before.label,
            "date": self.before.date.isoformat(),
            "verdict": self.before.verdict,
            "remarks": list(self.remarks),
            "rules": [
                {
                    "policy": one.policy,
                    "rule": one.rule,
                    "altered": one.altered,
                    "before": None if one.before is None else one.before.to_dict(),
                    "now": None if one.now is None else one.now.to_dict(),
                }
                for one in self.rules
            ],
        }


def since(before: ValidationRecord, now: ValidationRecord) -> Since:
    """Return both validations rule by rule.

    Raises
    ------
    MismatchError
        They are of two models, or their intervals have two levels.
    """
    for what, one, two in (
        ("model", before.model["name"], now.model["name"]),
        ("level of intervals", f"{before.level:g}", f"{now.level:g}"),
    ):
        if one != two:
            raise MismatchError(
                f"the {what} differs: {one[:80]} then, {two[:80]} now",
                where=before.label,
                why="verdicts on two things do not follow each other",
                fix="name an earlier validation of the same model",
            )
    then, here = _rows(before.verdicts), _rows(now.verdicts)
    return Since(
        before,
        tuple(
            RuleSince(key[0], key[1], then.get(key), here.get(key))
            for key in dict.fromkeys([*here, *then])
        ),
        tuple(_remarks(before, now)),
    )


def _rows(verdicts: Sequence[PolicyVerdict]) -> dict[_Key, PolicyRow]:
    return {
        (one.name, row.rule, row.result.subject, row.result.group): row
        for one in verdicts
        for row in one.rows
    }


def _word(row: PolicyRow | None) -> str:
    if row is None:
        return "not asked"
    return f"{row.verdict}, vacuous" if row.vacuous else row.verdict


def _remarks(before: ValidationRecord, now: ValidationRecord) -> Iterator[str]:
    if before.model["version"] != now.model["version"]:
        yield f"The version is another one: {before.model['version']} then."
    hashes = {one.name: one.sha256 for one in now.verdicts}
    for one in before.verdicts:
        if hashes.get(one.name, one.sha256) != one.sha256:
            yield f"The policy {one.name} says something else now (then sha256 {one.sha256})."
    same = [
        before.source[name].get("sha256") == now.source[name].get("sha256")
        for name in ("development", "out_of_time")
    ]
    if same[1]:
        yield "The out-of-time sample is the same: nothing here is news of the world."
    if not same[0]:
        yield "The development sample is another one."
    if before.threshold != now.threshold:
        yield "The threshold is another one, and decisions are not the same."
