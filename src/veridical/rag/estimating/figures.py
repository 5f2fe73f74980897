"""``Estimate``: calls, tokens and cost of a run that was not begun, each figure with its bounds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import Any, Literal, TypeAlias

from veridical.judge.settings import JudgeSettings
from veridical.judge.verdicts import Contract

__all__ = ["Asked", "Estimate", "Fits", "Share"]

Fits: TypeAlias = Literal["certainly", "unless_repeated", "likely", "unlikely"]


@dataclass(frozen=True, slots=True)
class Share:
    """Calls, and the tokens that they take."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0

    def __add__(self, other: Share) -> Share:
        return Share(
            self.calls + other.calls,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
        )

    def times(self, n: int) -> Share:
        """Return what ``n`` of it take."""
        return Share(self.calls * n, self.input_tokens * n, self.output_tokens * n)

    def cost(self, settings: JudgeSettings) -> Decimal | None:
        """Return what it costs; None where the price is unknown."""
        price = settings.price
        return None if price is None else price.cost(self.input_tokens, self.output_tokens)


@dataclass(frozen=True, slots=True)
class Asked:
    """What the questions of one contract take.

    Attributes
    ----------
    questions
        How many there are at most; which of them are asked the answers decide.
    cached
        How many of them are not asked because their replies are kept.
    likely, reserved, most
        See `veridical.rag.estimating`.
    """

    questions: int = 0
    cached: int = 0
    likely: Share = Share()
    reserved: Share = Share()
    most: Share = Share()

    def __add__(self, other: Asked) -> Asked:
        return Asked(
            self.questions + other.questions,
            self.cached + other.cached,
            self.likely + other.likely,
            self.reserved + other.reserved,
            self.most + other.most,
        )


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """What a run will ask and may cost.

    Attributes
    ----------
    cases, repeats
        What is asked how often.
    answers, pipeline_most
        What the pipeline is asked, and the calls that it takes with every retry, and with
        ``retrieve()`` where it may have one; 0 where the answers stand in the dataset.
    judge
        None where there is none: then nothing is asked of it.
    contracts
        What the questions of each contract take.
    known
        Whether the prompts are exactly those of a run.
    assumptions
        What the likely figure rests on, a sentence each.
    """

    cases: int
    repeats: int
    answers: int
    pipeline_most: int
    judge: JudgeSettings | None
    contracts: Mapping[Contract, Asked]
    known: bool
    assumptions: tuple[str, ...]

    @property
    def total(self) -> Asked:
        """What all questions take."""
        return sum(self.contracts.values(), Asked())

    @property
    def fits(self) -> Fits | None:
        """Whether the run ends within ``judge.max_cost_usd``; None without a limit.

        ``certainly``: at the very most; ``unless_repeated``: where no call has to be repeated;
        ``likely``; ``unlikely``: the likely cost is above the limit.
        """
        judge, total = self.judge, self.total
        if judge is None or judge.max_cost_usd is None or judge.price is None:
            return None
        bounds: list[tuple[Fits, Share]] = [("certainly", total.most)]
        bounds += [("unless_repeated", total.reserved)] if self.known else []
        bounds += [("likely", total.likely)]
        for name, share in bounds:
            cost = judge.price.cost(share.input_tokens, share.output_tokens)
            if cost <= judge.max_cost_usd:
                return name
        return "unlikely"

    def to_dict(self) -> dict[str, Any]:
        """Return it as a JSON object; money is text, with all its digits."""
        judge = self.judge
        return {
            "schema": "veridical.rag_estimate/1",
            "estimated": True,
            "cases": self.cases,
            "repeats": self.repeats,
            "pipeline": {"answers": self.answers, "calls_at_most": self.pipeline_most},
            "judge": None
            if judge is None
            else {
                "model": judge.model,
                "max_cost_usd": _text(judge.max_cost_usd),
                "fits": self.fits,
                "prompts_known": self.known,
                "total": _asked(self.total, judge),
                "contracts": {name: _asked(one, judge) for name, one in self.contracts.items()},
            },
            "assumptions": list(self.assumptions),
        }


def _asked(asked: Asked, judge: JudgeSettings) -> dict[str, Any]:
    shares = {"likely": asked.likely, "reserved": asked.reserved, "most": asked.most}
    told = {
        name: asdict(share) | {"cost": _text(share.cost(judge))} for name, share in shares.items()
    }
    return {"questions": asked.questions, "cached": asked.cached, **told}


def _text(amount: Decimal | None) -> str | None:
    return None if amount is None else f"{amount:f}"
