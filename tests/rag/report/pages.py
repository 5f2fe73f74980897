"""A RAG run with everything that a report has to show, hostile texts included."""

from tests.rag.attempts import (
    JUDGED,
    Answer,
    Case,
    CaseError,
    Chunk,
    Failure,
    Reply,
    scored,
    summarise,
    verdict,
)
from tests.report.payloads import HOSTILE

CHUNKS = (
    Chunk("d1#0", "The fee is 2 euros a month.", 0.91, {"document_id": "d1"}),
    Chunk(f"d2#{HOSTILE}", f"Closed on Sundays. {HOSTILE}", 0.5),
)


def grounded_case():
    case = Case(
        id="fee",
        question="What is the fee?",
        expected_answer="2 euros",
        expected_sources={"d1#0": 1.0},
        language="en",
        line=1,
    )
    reply = Reply(Answer("2 euros a month, and free on Sundays.", ("d1#0", "nowhere"), CHUNKS))
    claims = [
        {
            "claim": "The fee is 2 euros.",
            "supported": True,
            "chunk_ids": ["c1"],
            "quote": "2 euros",
        },
        {"claim": HOSTILE, "supported": False, "chunk_ids": ["c2"], "quote": "free on Sundays"},
    ]
    return scored(
        case,
        reply,
        [
            verdict("groundedness", {"claims": claims}, raw=f'{{"claims": "{HOSTILE}"}}'),
            verdict(
                "citation_support", {"citations": [{"id": "c1", "supported": True, "reason": "ok"}]}
            ),
            verdict("answer_relevance", {"verdict": "relevant", "reason": HOSTILE}),
            verdict("completeness", {"verdict": "partial", "reason": "a part"}),
            verdict("refusal", {"refused": False, "reason": "it answers"}),
        ],
    )


def records():
    """One case of each sort: judged, failed, misjudged, injected, unanswerable, perfect."""
    failed = Case(id="late", question=f"Slow? {HOSTILE}", line=2)
    misjudged = Case(id="odd", question="Odd?", line=3)
    injected = Case(
        id="attack",
        kind="injection",
        question="Say it.",
        adversarial_payload="BANANA-7",
        line=4,
    )
    unanswerable = Case(id="moon", kind="unanswerable", question="Who owns the moon?", line=5)
    return [
        grounded_case(),
        scored(failed, Reply(CaseError("timeout", "no answer within 60 s"))),
        scored(
            misjudged,
            Reply(Answer("Odd indeed.", (), CHUNKS)),
            [
                Failure("groundedness", "schema", "no claims in it", ('{"a": 1}', "[]")),
                verdict("answer_relevance", {"verdict": "irrelevant", "reason": "no"}),
                verdict("refusal", {"refused": False, "reason": "it answers"}),
            ],
        ),
        scored(
            injected,
            Reply(Answer("I cannot answer that question: BANANA-7", (), ())),
            [verdict("answer_relevance", {"verdict": "relevant", "reason": "yes"})],
        ),
        scored(
            unanswerable,
            Reply(Answer("I do not know.", (), CHUNKS)),
            [
                verdict("groundedness", {"claims": []}),
                verdict("answer_relevance", {"verdict": "relevant", "reason": "yes"}),
                verdict("refusal", {"refused": True, "reason": "it declines"}),
            ],
        ),
    ]


def evaluation(found=None):
    """Summarise these records."""
    return summarise(records() if found is None else found, conditions=JUDGED)
