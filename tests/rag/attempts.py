"""Records of RAG runs made by hand: outcomes as given, and ones that were really scored."""

from veridical.judge.verdicts import Failure, Verdict
from veridical.rag.answers import Answer, CaseError, Chunk, Reply
from veridical.rag.cases import Case
from veridical.rag.outcomes import Outcome
from veridical.rag.record import Attempted
from veridical.rag.scoring import ScoreSettings, score
from veridical.rag.summary import RunConditions, summarise

JUDGE = {"model": "judge-1", "base_url": "http://127.0.0.1:1/v1", "temperature": 0}
PROMPTS = {
    "groundedness": "a" * 64,
    "citation_support": "b" * 64,
    "answer_relevance": "c" * 64,
    "completeness": "d" * 64,
    "refusal": "e" * 64,
}
JUDGED = RunConditions(dataset_sha256="f" * 64, dataset="cases.jsonl", judge=JUDGE, prompts=PROMPTS)
UNJUDGED = RunConditions(dataset_sha256="f" * 64, dataset="cases.jsonl")

ERROR = Outcome("judge_error", reason="schema", detail="the reply has no claims")
FAILED = Reply(CaseError("timeout", "no answer within 60 s"))
ANSWERED = Reply(Answer("yes"))


def outcome(given):
    """A number is a score, an outcome itself; None is skipped."""
    if isinstance(given, Outcome):
        return given
    return Outcome("skipped", reason="no_answer") if given is None else Outcome("scored", given)


def records_of(columns, *, kinds=None, repeats=1, prefix="c"):
    """Return one record a case and repeat from metric to outcomes; ``"failed"`` fails the call."""
    n = len(next(iter(columns.values())))
    records = []
    for at in range(n):
        case = Case(
            id=f"{prefix}{at // repeats:03}",
            question=f"Question {at // repeats}?",
            kind="qa" if kinds is None else kinds[at // repeats],
            line=at // repeats + 1,
        )
        given = {metric: values[at] for metric, values in columns.items()}
        failed = "failed" in given.values()
        outcomes = {
            metric: Outcome("case_error", reason="timeout", detail="no answer within 60 s")
            if failed
            else outcome(value)
            for metric, value in given.items()
        }
        reply = FAILED if failed else ANSWERED
        records.append(Attempted(case, at % repeats + 1, reply, outcomes=outcomes))
    return records


def evaluated(columns, conditions=UNJUDGED, **given):
    """Summarise columns of outcomes."""
    return summarise(records_of(columns, **given), conditions=conditions)


def verdict(contract, reply, raw=None):
    """Return a verdict whose raw text is its JSON, or another."""
    import json

    return Verdict(contract, reply, raw or json.dumps(reply), model="judge-1-0613")


def scored(case, reply, verdicts=(), *, judge=True, repeat=1, k=5):
    """Return a record whose outcomes the scoring made."""
    by_contract = {one.contract: one for one in verdicts}
    settings = ScoreSettings(k=k, judge=judge)
    outcomes = score(case, reply, by_contract, settings)
    return Attempted(case, repeat, reply, by_contract, outcomes)


__all__ = [
    "ANSWERED",
    "ERROR",
    "FAILED",
    "JUDGE",
    "JUDGED",
    "PROMPTS",
    "UNJUDGED",
    "Answer",
    "Attempted",
    "Case",
    "CaseError",
    "Chunk",
    "Failure",
    "Outcome",
    "Reply",
    "RunConditions",
    "evaluated",
    "outcome",
    "records_of",
    "scored",
    "summarise",
    "verdict",
]
