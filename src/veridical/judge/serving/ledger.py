"""``ServerLedger``: what the server saw and would charge, counted on its own side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from veridical.judge.settings import Price

__all__ = ["ServerLedger"]


@dataclass(slots=True)
class ServerLedger:
    """What happened at one server since it started.

    Attributes
    ----------
    price
        What it charges; None for nothing.
    requests, paid
        Requests for a completion; those that are charged, read by the client or not.
    input_tokens, output_tokens
        Of the paid ones: four characters are one.
    most_at_once
        How many requests were under way at the same time, at most.
    faults
        How often each fault happened.
    prompts
        How often each prompt was paid.
    """

    price: Price | None = None
    requests: int = 0
    paid: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    most_at_once: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    prompts: Counter[str] = field(default_factory=Counter)
    _now: int = 0

    @contextmanager
    def under_way(self) -> Iterator[int]:
        """Count a request, and yield its number."""
        self.requests += 1
        self._now += 1
        self.most_at_once = max(self.most_at_once, self._now)
        try:
            yield self.requests
        finally:
            self._now -= 1

    def charge(self, prompt: str, input_tokens: int, output_tokens: int) -> None:
        """Charge a request."""
        self.paid += 1
        self.prompts[prompt] += 1
        self.input_tokens += input_tokens
        self.output_tokens += output_tokens

    @property
    def cost(self) -> Decimal:
        """What all of it costs."""
        if self.price is None:
            return Decimal(0)
        return self.price.cost(self.input_tokens, self.output_tokens)

    @property
    def repeated(self) -> int:
        """How many paid requests asked what had been paid before."""
        return self.paid - len(self.prompts)

    def to_dict(self) -> dict[str, Any]:
        """Return it as one JSON object."""
        return {
            "schema": "veridical.mock_ledger/1",
            "requests": self.requests,
            "paid": self.paid,
            "repeated": self.repeated,
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
            "cost": str(self.cost),
            "most_at_once": self.most_at_once,
            "faults": dict(sorted(self.faults.items())),
        }
