"""How sources are matched, and the retrieval metrics: each sentence with a case worked by hand."""

from math import log2

import pytest

from tests.rag.scoring.rules import (
    EVERYTHING,
    EXACT,
    GROUNDED,
    MRR,
    NDCG,
    NO_RETRIEVAL,
    NO_SOURCES,
    PRECISION,
    RECALL,
    SUPPORT,
    TIMEOUT,
    VALIDITY,
    Rule,
    holds,
    rows,
)
from veridical.rag.answer_fields import BadAnswerError, chunks_of
from veridical.rag.answers import CaseError
from veridical.rag.scoring import ScoreSettings, metric_names

RETRIEVAL = (PRECISION, RECALL, MRR, NDCG)
SECOND, THIRD = 1 / log2(3), 1 / log2(4)
BROKEN = CaseError("exception", "the pipeline raised KeyError")


def part(id_, document=None, score=None):
    metadata = {} if document is None else {"metadata": {"document_id": document}}
    return {"id": id_, "text": f"Part {id_}.", "score": score, **metadata}


PARTS = [part("a#1", "a"), part("a#2", "a"), part("b#1", "b")]

MATCHING = {
    "by default the id of the chunk is looked for": Rule(
        case={"expected_source_ids": ["a#2"]},
        chunks=PARTS,
        expect={MRR: 1 / 2, RECALL: 1},
    ),
    "by default the id of the document is not": Rule(
        case={"expected_source_ids": ["a", "b"]}, chunks=PARTS, expect={MRR: 0, RECALL: 0}
    ),
    "document: the chunk stands for metadata.document_id": Rule(
        case={"expected_source_ids": ["a", "b"]},
        chunks=PARTS,
        run={"source_match": "document"},
        expect={MRR: 1, RECALL: 1, PRECISION: 2 / 5},
    ),
    "document: a chunk without one stands for itself": Rule(
        case={"expected_source_ids": ["b"]},
        chunks=["a", "b"],
        run={"source_match": "document"},
        expect={MRR: 1 / 2},
    ),
    "a list is deduplicated first, the best rank kept": Rule(
        # By document: a, b. Were it cut at 2 first, b would be lost; were the last rank of a kept,
        # b would be first.
        case={"expected_source_ids": ["b"]},
        chunks=PARTS,
        run={"source_match": "document", "k": 2},
        expect={MRR: 1 / 2, "retrieval.recall@2": 1, "retrieval.precision@2": 1 / 2},
    ),
    "the same chunk twice is one": Rule(
        case={"expected_source_ids": ["b"]},
        chunks=["a", "a", "b"],
        expect={MRR: 1 / 2, PRECISION: 1 / 5},
    ),
    "the order is the ranking, scores are not": Rule(
        case={"expected_source_ids": ["b"]},
        chunks=[part("a", score=0.1), part("b", score=0.9)],
        expect={MRR: 1 / 2},
    ),
}

METRICS = {
    "without retrieval they are skipped": Rule(
        case={"expected_source_ids": ["a"]}, expect=dict.fromkeys(RETRIEVAL, NO_RETRIEVAL)
    ),
    "without expected ids they are skipped": Rule(
        chunks=["a"], expect=dict.fromkeys(RETRIEVAL, NO_SOURCES)
    ),
    "an empty list of expected ids counts as none": Rule(
        case={"expected_source_ids": []},
        chunks=["a"],
        expect=dict.fromkeys(RETRIEVAL, NO_SOURCES),
    ),
    "grades that are all zero expect nothing": Rule(
        case={"expected_source_ids": {"a": 0}},
        chunks=["a"],
        expect=dict.fromkeys(RETRIEVAL, NO_SOURCES),
    ),
    "an empty retrieval scores 0 on all four": Rule(
        case={"expected_source_ids": ["a"]}, chunks=[], expect=dict.fromkeys(RETRIEVAL, 0)
    ),
    "retrieve() gives the list where the answer does not": Rule(
        case={"expected_source_ids": ["a"]},
        retrieved=["x", "a"],
        expect={MRR: 1 / 2, RECALL: 1},
    ),
    "retrieve() alone failed: an error of the retrieval metrics alone": Rule(
        case={"expected_source_ids": ["a"], "expected_answer": "Two euros."},
        retrieved=BROKEN,
        cites=["a"],
        judge=True,
        expect={
            **dict.fromkeys(RETRIEVAL, "case_error exception: the pipeline raised KeyError"),
            EXACT: 1,
            VALIDITY: "skipped no_retrieval: retrieve() failed: exception",
            SUPPORT: "skipped no_retrieval: retrieve() failed: exception",
            GROUNDED: "skipped no_retrieval: retrieve() failed: exception",
        },
    ),
    "a failed answer is an error of every metric, skipped ones too": Rule(
        answer=TIMEOUT,
        retrieved=["a"],
        judge=True,
        expect=dict.fromkeys(EVERYTHING, "case_error timeout: no answer within 60 s"),
    ),
    "an empty answer has a retrieval all the same": Rule(
        answer="", case={"expected_source_ids": ["a"]}, chunks=["a"], expect={RECALL: 1}
    ),
    "precision is of k, however short the list": Rule(
        case={"expected_source_ids": ["a", "b"]}, chunks=["a"], expect={PRECISION: 1 / 5}
    ),
    "precision is of the first k": Rule(
        case={"expected_source_ids": ["a", "b"]},
        chunks=["a", "x", "b"],
        run={"k": 2},
        expect={"retrieval.precision@2": 1 / 2},
    ),
    "recall is of all relevant ones, also where k is smaller": Rule(
        case={"expected_source_ids": ["a", "b", "c"]},
        chunks=["a", "b", "c"],
        run={"k": 2},
        expect={"retrieval.recall@2": 2 / 3},
    ),
    "mrr looks past k": Rule(
        case={"expected_source_ids": ["a"]},
        chunks=[*"uvwxyz", "a"],
        expect={MRR: 1 / 7, RECALL: 0, NDCG: 0, PRECISION: 0},
    ),
    "mrr is 0 where nothing relevant is found": Rule(
        case={"expected_source_ids": ["a"]}, chunks=["x"], expect={MRR: 0}
    ),
    "ndcg with binary relevance": Rule(
        case={"expected_source_ids": ["a", "b", "c"]},
        chunks=["x", "a", "b"],
        expect={NDCG: (SECOND + THIRD) / (1 + SECOND + THIRD)},
    ),
    "the ideal list ends at k": Rule(
        case={"expected_source_ids": ["a", "b", "c"]},
        chunks=["a", "x", "b"],
        run={"k": 2},
        expect={"retrieval.ndcg@2": 1 / (1 + SECOND)},
    ),
    "the ideal list ends with the relevant ones": Rule(
        case={"expected_source_ids": ["a"]}, chunks=["x", "a"], expect={NDCG: SECOND}
    ),
    "grades are gains, and that is flagged": Rule(
        case={"expected_source_ids": {"a": 3, "b": 1}},
        chunks=["b", "a"],
        expect={NDCG: ((1 + 3 * SECOND) / (3 + SECOND), "graded"), PRECISION: 2 / 5},
    ),
    "a grade of 0 is not relevant": Rule(
        case={"expected_source_ids": {"a": 0, "b": 2}},
        chunks=["a", "b"],
        expect={MRR: 1 / 2, RECALL: 1, PRECISION: 1 / 5, NDCG: (SECOND, "graded")},
    ),
}


@rows(MATCHING)
def test_matching(rule):
    holds(rule)


@rows(METRICS)
def test_retrieval(rule):
    holds(rule)


def test_k_is_5_unless_it_is_said():
    assert metric_names(ScoreSettings())[:4] == RETRIEVAL


def test_a_chunk_without_an_id_is_an_error_of_the_adapter():
    with pytest.raises(BadAnswerError, match="chunk 2 has no id"):
        chunks_of([{"id": "a", "text": ""}, {"text": "no id"}])
