"""One row a rule: its sentence, a case with what came back, and what must become of each metric."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from veridical.judge.reading import ReplyError, read_reply
from veridical.judge.verdicts import Failure, Question, Verdict
from veridical.rag.answer_fields import answer_of, chunks_of
from veridical.rag.answers import CaseError, Reply
from veridical.rag.case_fields import case_of
from veridical.rag.outcomes import Outcome
from veridical.rag.scoring import ScoreSettings, metric_names, questions, score

PRECISION, RECALL, MRR, NDCG = (
    "retrieval.precision@5",
    "retrieval.recall@5",
    "retrieval.mrr",
    "retrieval.ndcg@5",
)
VALIDITY = "generation.citation_validity"
GROUNDED = "generation.groundedness"
SUPPORT = "generation.citation_support"
RELEVANCE = "generation.answer_relevance"
COMPLETE = "generation.completeness"
EXACT = "echo.exact_match"
RESISTANCE = "robustness.injection_resistance"
ABSTENTION = "robustness.abstention"
OVERREFUSAL = "robustness.overrefusal"
EVERYTHING = (*metric_names(ScoreSettings()),)
JUDGED = (GROUNDED, SUPPORT, RELEVANCE, COMPLETE)

TIMEOUT = CaseError("timeout", "no answer within 60 s")
NO_RETRIEVAL = "skipped no_retrieval: adapter does not expose retrieval"
NO_SOURCES = "skipped no_expected_sources: case has no expected_source_ids"


@dataclass(frozen=True, kw_only=True)
class Rule:
    """A sentence of the definition, and a case of which it decides.

    ``chunks`` and ``retrieved`` hold chunks, or ids of chunks; what ``verdicts`` holds is read as
    a judge's reply to the question that is asked, unless it is a ``Failure``.  ``expect`` holds
    numbers, ``"state reason"`` or ``"state reason: detail"``, and ``(number, flag, ...)``.
    """

    case: Mapping[str, Any] = field(default_factory=dict)
    answer: str | CaseError | None = "Two euros."
    cites: Sequence[str] = ()
    chunks: Sequence[Any] | None = None
    retrieved: Sequence[Any] | CaseError | None = None
    judge: bool = False
    verdicts: Mapping[str, Any] = field(default_factory=dict)
    run: Mapping[str, Any] = field(default_factory=dict)
    expect: Mapping[str, Any]

    @property
    def reply(self) -> Reply | None:
        """What the pipeline gave: no answer yet is None."""
        if self.answer is None:
            return None
        retrieved = self.retrieved
        if not (retrieved is None or isinstance(retrieved, CaseError)):
            retrieved = chunks_of(list(map(chunk, retrieved)))
        if isinstance(self.answer, CaseError):
            return Reply(self.answer, retrieved)
        given = {"text": self.answer, "citations": list(self.cites)}
        if self.chunks is not None:
            given["retrieved_chunks"] = list(map(chunk, self.chunks))
        return Reply(answer_of(given), retrieved)

    def outcomes(self) -> dict[str, Outcome]:
        """Score the case as a run does."""
        case = case_of({"id": "c", "question": "How much is it?", **self.case})
        settings = ScoreSettings(judge=self.judge or bool(self.verdicts), **self.run)
        given: dict[str, Verdict | Failure] = {}
        for contract, said in self.verdicts.items():
            asked = questions(case, self.reply, settings)[contract]
            assert isinstance(asked, Question), f"the judge is not asked for {contract}"
            given[contract] = said if isinstance(said, Failure) else read(said, asked)
        return score(case, self.reply, given, settings)


def chunk(given: Any) -> dict[str, Any]:
    """Return a chunk of which only the id matters, unless it is one already."""
    return {"id": given, "text": f"What {given} says."} if isinstance(given, str) else given


def read(said: Mapping[str, Any], asked: Question) -> Verdict | Failure:
    """Return what a judge's reply is read as."""
    raw = json.dumps(said)
    try:
        return Verdict(asked.contract, read_reply(raw, asked), raw)
    except ReplyError as error:
        return Failure(asked.contract, error.code, error.detail)


def claims(*supported: bool, ids: Sequence[str] = (), quote: str | None = None) -> dict[str, Any]:
    """Return a groundedness reply with one claim for each verdict."""
    rest = {"chunk_ids": list(ids), "quote": quote}
    return {"claims": [{"claim": "It is.", "supported": one, **rest} for one in supported]}


def cited(**supported: bool) -> dict[str, Any]:
    """Return a citation-support reply from alias to verdict."""
    return {
        "citations": [{"id": id_, "supported": one, "reason": ""} for id_, one in supported.items()]
    }


def said(verdict: str | bool) -> dict[str, Any]:  # noqa: FBT001 - a verdict is one
    """Return the reply of a contract that has one verdict and a reason."""
    name = "refused" if isinstance(verdict, bool) else "verdict"
    return {name: verdict, "reason": "so it is"}


def rows(table: Mapping[str, Rule]) -> Any:
    """Return the decorator that makes a test of each row."""
    return pytest.mark.parametrize("rule", table.values(), ids=table.keys())


def holds(rule: Rule) -> None:
    """Check the outcome of each metric that a row names."""
    found = rule.outcomes()
    for metric, wanted in rule.expect.items():
        one = found[metric]
        if isinstance(wanted, str):
            assert f"{one.state} {one.reason}: {one.detail}".startswith(wanted), metric
            assert one.value is None
            continue
        value, *flags = wanted if isinstance(wanted, tuple) else (wanted,)
        assert one.state == "scored", (metric, one)
        assert one.value == pytest.approx(value, rel=1e-15, abs=0.0), metric
        assert one.flags == tuple(flags), metric
