"""``FaultSchedule``: which request meets which fault, decided by a seed and nothing else."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal, Self, TypeAlias

from veridical.errors import ParameterError

__all__ = ["FAULTS", "Fault", "FaultSchedule", "Group"]

Group: TypeAlias = Literal["transport", "parameter", "stop", "cut", "content", "harmless"]

FAULTS: Final[dict[str, Group]] = {
    # Nothing readable comes: worth another try.
    "429": "transport",
    "500": "transport",
    "502": "transport",
    "503": "transport",
    "504": "transport",
    "reset": "transport",
    "hang": "transport",
    "drip": "transport",
    "garbage": "transport",
    "html": "transport",
    "truncated": "transport",
    "no_choices": "transport",
    "gzip_bomb": "transport",
    "huge": "transport",
    # A status of 400 about one parameter, or of 401.
    "400_temperature": "parameter",
    "400_max_tokens": "parameter",
    "400_response_format": "parameter",
    "401": "stop",
    # The reply is cut off by its length, and says so.
    "cut": "cut",
    # A completion that no contract allows.
    "two_objects": "content",
    "nan": "content",
    "duplicate_keys": "content",
    "wrong_enum": "content",
    "unknown_id": "content",
    "surrogate": "content",
    "bom_in_reply": "content",
    "prose": "content",
    # Unusual, and to be understood all the same.
    "fenced": "harmless",
    "think": "harmless",
    "usage_missing": "harmless",
    "bom": "harmless",
    "gzip": "harmless",
    "wrong_type": "harmless",
}
"""Every fault and its group."""

_MOST_TRANSPORT: Final = 2


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault, and when it happens.

    Attributes
    ----------
    kind
        One of ``FAULTS``.
    rate
        The share of requests that meet it.
    at
        The numbers of requests, from 1, that meet it for certain.

    Raises
    ------
    ParameterError
        There is no such fault, or a rate that is none.
    """

    kind: str
    rate: float = 0.0
    at: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if self.kind not in FAULTS:
            raise ParameterError(
                f"there is no fault {self.kind[:40]!r}", fix=f"the faults are {', '.join(FAULTS)}"
            )
        if not 0 <= self.rate <= 1 or min(self.at, default=1) < 1:
            raise ParameterError(
                f"{self.kind} cannot happen so often", fix="give a rate from 0 to 1, or numbers"
            )


class FaultSchedule:
    """Decides about each request.

    A rate is drawn by seed, prompt and the how manieth request with that prompt it is, so that the
    order in which tasks happen to ask changes nothing.

    Parameters
    ----------
    faults
        Their rates add up to 1 at most.
    seed
        Another seed, other requests.
    finally_succeeds
        Whether every question comes through in the end: each meets two faults of the transport at
        most, and one of each other group that costs a try.

    Examples
    --------
    >>> schedule = FaultSchedule.parse("429=0.5,reset@2", seed=1)
    >>> [schedule.draw(n, "a prompt") for n in (1, 2, 3, 4)]
    [None, 'reset', '429', None]
    """

    def __init__(
        self, faults: Iterable[Fault] = (), *, seed: int = 0, finally_succeeds: bool = False
    ) -> None:
        self.faults = tuple(faults)
        self.seed = seed
        self.finally_succeeds = finally_succeeds
        if sum(fault.rate for fault in self.faults) > 1 + 1e-9:
            raise ParameterError(
                "the rates of faults add up to more than 1",
                fix="lower them: at most one fault answers a call",
            )
        self._at = {number: fault.kind for fault in self.faults for number in fault.at}
        self._asked: Counter[str] = Counter()
        self._met: Counter[tuple[str, Group]] = Counter()

    @classmethod
    def parse(cls, text: str, *, seed: int = 0, finally_succeeds: bool = False) -> Self:
        """Read a schedule such as ``"429=0.1,reset@3,reset@7"``.

        Raises
        ------
        ParameterError
            It does not parse.
        """
        rates: dict[str, float] = {}
        numbers: dict[str, list[int]] = {}
        for word in filter(None, map(str.strip, text.split(","))):
            found = re.fullmatch(r"(\w+)(?:=([0-9]*\.?[0-9]+)|@([0-9]{1,9}))", word, re.ASCII)
            if found is None:
                raise ParameterError(
                    f"{word[:40]!r} is no fault", fix="write 429=0.1 for a rate, reset@3 for one"
                )
            kind, rate, number = found.groups()
            if rate is None:
                numbers.setdefault(kind, []).append(int(number))
            else:
                rates[kind] = float(rate)
        faults = [
            Fault(kind, rates.get(kind, 0.0), tuple(numbers.get(kind, ())))
            for kind in {**rates, **numbers}
        ]
        return cls(faults, seed=seed, finally_succeeds=finally_succeeds)

    def draw(self, number: int, prompt: str) -> str | None:
        """Return the fault that a request meets; None for none.

        Parameters
        ----------
        number
            Of the request, from 1.
        prompt
            What it asks; a repair asks the same.
        """
        self._asked[prompt] += 1
        kind = self._at.get(number) or self._drawn(prompt)
        if kind is None:
            return None
        met = prompt, FAULTS[kind]
        allowed = {"transport": _MOST_TRANSPORT, "harmless": self._asked[prompt]}.get(met[1], 1)
        if self.finally_succeeds and self._met[met] >= allowed:
            return None
        self._met[met] += 1
        return kind

    def _drawn(self, prompt: str) -> str | None:
        share = random.Random(f"{self.seed}/{prompt}/{self._asked[prompt]}").random()  # noqa: S311
        for fault in self.faults:
            if share < fault.rate:
                return fault.kind
            share -= fault.rate
        return None
