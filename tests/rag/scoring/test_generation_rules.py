"""The generation metrics: each sentence with a case worked by hand."""

import pytest

from tests.rag.scoring.rules import (
    ABSTENTION,
    COMPLETE,
    EXACT,
    GROUNDED,
    JUDGED,
    NO_RETRIEVAL,
    OVERREFUSAL,
    RELEVANCE,
    RESISTANCE,
    SUPPORT,
    VALIDITY,
    Rule,
    cited,
    claims,
    holds,
    rows,
    said,
)
from veridical.rag.answers import Chunk
from veridical.rag.scoring.context import aliased_citations, aliased_context

NO_ANSWER = "skipped no_answer"
OUTSIDE, UNJUDGED, NOT_QUOTED = "cited_outside_retrieved", "no_verdict", "quote_not_found"
FEES = {"id": "fees", "text": "A ticket costs\n  two   euros."}

CONTEXT = {
    "the answer's own chunks are the context": Rule(
        cites=["a", "b", "x"], chunks=["a", "b"], retrieved=["x"], expect={VALIDITY: 2 / 3}
    ),
    "an empty list of its own is one too": Rule(
        cites=["b"], chunks=[], retrieved=["b"], expect={VALIDITY: 0}
    ),
    "those of retrieve() where it has none": Rule(
        cites=["a", "b"],
        retrieved=["b"],
        verdicts={"groundedness": claims(True)},
        expect={VALIDITY: 1 / 2, GROUNDED: 1},
    ),
    "with neither, what needs a context is skipped": Rule(
        cites=["a"], judge=True, expect=dict.fromkeys((VALIDITY, GROUNDED, SUPPORT), NO_RETRIEVAL)
    ),
    "groundedness on an empty context is skipped": Rule(
        chunks=[], judge=True, expect={GROUNDED: "skipped no_context"}
    ),
    "a context of white space is empty": Rule(
        chunks=[{"id": "a", "text": " \n"}], judge=True, expect={GROUNDED: "skipped no_context"}
    ),
    "an empty answer is no answer": Rule(
        answer=" \n",
        case={"expected_answer": "Two euros."},
        cites=["a"],
        chunks=["a"],
        judge=True,
        expect=dict.fromkeys((VALIDITY, EXACT, OVERREFUSAL, *JUDGED), NO_ANSWER),
    ),
    "an empty answer neither declines nor resists": Rule(
        answer="", case={"kind": "unanswerable"}, expect={ABSTENTION: NO_ANSWER}
    ),
    "an empty answer to an attack is none": Rule(
        answer="",
        case={"kind": "injection", "adversarial_payload": "X-1"},
        expect={RESISTANCE: NO_ANSWER},
    ),
}

CITATIONS = {
    "validity: cited ids that were retrieved / cited ids": Rule(
        cites=["a", "x", "b"], chunks=["a", "b", "c", "d"], expect={VALIDITY: 2 / 3}
    ),
    "cited ids are deduplicated": Rule(
        cites=["a", "a", "x"], chunks=["a"], expect={VALIDITY: 1 / 2}
    ),
    "validity without a citation is skipped": Rule(
        chunks=["a"], expect={VALIDITY: "skipped no_citation"}
    ),
    "validity of a citation where nothing was retrieved is 0": Rule(
        cites=["a"], chunks=[], expect={VALIDITY: 0}
    ),
    "a citation is of a chunk, also where documents are matched": Rule(
        cites=["a"],
        chunks=[{"id": "a#1", "text": "", "metadata": {"document_id": "a"}}],
        run={"source_match": "document"},
        expect={VALIDITY: 0},
    ),
    "support: supported / cited ids": Rule(
        cites=["a", "b", "a"],
        chunks=["a", "b"],
        verdicts={"citation_support": cited(c1=True, c2=False)},
        expect={SUPPORT: 1 / 2},
    ),
    "support without a citation is skipped": Rule(
        chunks=["a"], judge=True, expect={SUPPORT: "skipped no_citation"}
    ),
    "a cited id without a verdict is unsupported": Rule(
        cites=["a", "b"],
        chunks=["a", "b"],
        verdicts={"citation_support": cited(c1=True)},
        expect={SUPPORT: (1 / 2, UNJUDGED)},
    ),
    "an id outside the retrieved set is unsupported, and that is said": Rule(
        cites=["a", "x"],
        chunks=["a"],
        verdicts={"citation_support": cited(c1=True)},
        expect={SUPPORT: (1 / 2, OUTSIDE)},
    ),
    "where all are outside nobody is asked": Rule(
        cites=["x"], chunks=["a"], judge=True, expect={SUPPORT: (0, OUTSIDE)}
    ),
    "nor where nothing was retrieved": Rule(
        cites=["x"], chunks=[], judge=True, expect={SUPPORT: (0, OUTSIDE)}
    ),
    "an unknown id is a failure of the schema": Rule(
        cites=["a"],
        chunks=["a"],
        verdicts={"citation_support": cited(c1=True, c2=True)},
        expect={SUPPORT: "judge_error unknown_id"},
    ),
    "so is the pipeline's own id": Rule(
        cites=["a"],
        chunks=["a"],
        verdicts={"citation_support": cited(a=True)},
        expect={SUPPORT: "judge_error unknown_id"},
    ),
    "and an id that stands twice": Rule(
        cites=["a"],
        chunks=["a"],
        verdicts={"citation_support": {"citations": 2 * cited(c1=True)["citations"]}},
        expect={SUPPORT: "judge_error repeated_id"},
    ),
}

CLAIMS = {
    "groundedness: supported claims / all claims": Rule(
        chunks=["a"],
        verdicts={"groundedness": claims(True, False, True)},
        expect={GROUNDED: 2 / 3},
    ),
    "an answer without a claim is not applicable": Rule(
        chunks=["a"],
        verdicts={"groundedness": claims()},
        expect={GROUNDED: "not_applicable no_claims"},
    ),
    "a quote that is in the chunk, white space folded, is not marked": Rule(
        chunks=[FEES],
        verdicts={"groundedness": claims(True, ids=["c1"], quote="costs two\teuros")},
        expect={GROUNDED: 1},
    ),
    "a quote that is not is marked, and moves no score": Rule(
        chunks=[FEES],
        verdicts={"groundedness": claims(True, ids=["c1"], quote="costs three euros")},
        expect={GROUNDED: (1, NOT_QUOTED)},
    ),
    "a quote from another chunk than the one named is marked": Rule(
        chunks=["a", FEES],
        verdicts={"groundedness": claims(True, ids=["c1"], quote="two euros")},
        expect={GROUNDED: (1, NOT_QUOTED)},
    ),
    "a claim may name no chunk but ours": Rule(
        chunks=["a"],
        verdicts={"groundedness": claims(True, ids=["c2"])},
        expect={GROUNDED: "judge_error unknown_id"},
    ),
    "a score in the reply is a failure of the closed schema": Rule(
        chunks=["a"],
        verdicts={"groundedness": {**claims(False), "score": 1.0}},
        expect={GROUNDED: "judge_error schema"},
    ),
}

WORDS = {
    f"relevance: {word} is {value}": Rule(
        verdicts={"answer_relevance": said(word)}, expect={RELEVANCE: value}
    )
    for word, value in {"relevant": 1, "partial": 0.5, "irrelevant": 0}.items()
} | {
    f"completeness: {word} is {value}": Rule(
        case={"expected_answer": "Two."}, verdicts={"completeness": said(word)},
        expect={COMPLETE: value},
    )
    for word, value in {"complete": 1, "partial": 0.5, "missing": 0}.items()
} | {
    "completeness without an expected answer is skipped": Rule(
        judge=True, expect={COMPLETE: "skipped no_reference: the case has no expected_answer"}
    ),
    "a word of another contract is no verdict": Rule(
        verdicts={"answer_relevance": said("complete")}, expect={RELEVANCE: "judge_error schema"}
    ),
    "without a judge its metrics are skipped, never scored": Rule(
        case={"expected_answer": "Two."}, cites=["a"], chunks=["a"],
        expect=dict.fromkeys(JUDGED, "skipped no_judge"),
    ),
}  # fmt: skip

MATCHES = {
    "an exact match": Rule(case={"expected_answer": "Two euros."}, expect={EXACT: 1}),
    "white space around both is nothing": Rule(
        answer="\n Two euros. ", case={"expected_answer": "Two euros.\t"}, expect={EXACT: 1}
    ),
    "white space within is something": Rule(
        answer="Two  euros.", case={"expected_answer": "Two euros."}, expect={EXACT: 0}
    ),
    "so is the case of letters": Rule(
        answer="two euros.", case={"expected_answer": "Two euros."}, expect={EXACT: 0}
    ),
    "no expected answer, no match": Rule(expect={EXACT: "skipped no_reference"}),
    "an expected answer of white space is none": Rule(
        case={"expected_answer": " "}, expect={EXACT: "skipped no_reference"}
    ),
}


@pytest.mark.parametrize(
    "rule", [*CONTEXT.values(), *CITATIONS.values()], ids=[*CONTEXT, *CITATIONS]
)
def test_contexts_and_citations(rule):
    holds(rule)


@rows(CLAIMS | WORDS)
def test_verdicts(rule):
    holds(rule)


@rows(MATCHES)
def test_exact_match(rule):
    holds(rule)


@pytest.mark.parametrize(
    ("answer", "seen"),
    [
        ("Two [fees].", "Two [c2]."),
        ("Two [ fees ] euros.", "Two [c2] euros."),
        ("Two [fees, dogs].", "Two [c2, c1]."),
        ("Two [fees, page 3].", "Two [c2, page 3]."),
        # Ids of the pipeline that look like ours mean its own chunks.
        ("Two [c1] [c2].", "Two [c3] [?]."),
        ("Two [moon].", "Two [?]."),
        ("Two [see below] [1].", "Two [see below] [1]."),
        ("Two [a, b].", "Two [c4]."),
    ],
)
def test_ids_in_an_answer_are_shown_to_the_judge_under_its_names(answer, seen):
    chunks = tuple(Chunk(id_, id_) for id_ in ("dogs", "fees", "c1", "a, b"))
    assert aliased_context(chunks).rewritten(answer.replace("moon", "c4")) == seen
    cited = aliased_citations(["dogs", "fees", "c1", "a, b", "moon"], chunks)
    assert cited.rewritten(answer) == seen
