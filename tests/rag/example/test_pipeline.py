"""The pipeline of `veridical rag init`: its retrievers by their formulas, and a whole run."""

import itertools
import math
import random

import numpy as np
import pytest

from tests.rag.example.asking import rag, results
from tests.text import tiny_model
from veridical.judge.serving import MockServer, in_thread, judge_named
from veridical.rag.dataset import read_cases
from veridical.rag.example import my_rag, write_project
from veridical.rag.example.my_rag.answering import answered
from veridical.rag.example.my_rag.bm25 import BM25, words
from veridical.rag.example.my_rag.by_meaning import ByMeaning
from veridical.store import Store


@pytest.fixture
def project(tmp_path):
    write_project(tmp_path)
    return tmp_path


def test_bm25_is_its_formula():
    draw = random.Random(5)
    for _ in range(50):
        texts = [
            " ".join(draw.choices("abcdef", k=draw.randint(0, 9)))
            for _ in range(draw.randint(1, 6))
        ]
        k1, b = draw.uniform(0.1, 3), draw.random()
        index = BM25(texts, k1=k1, b=b, tokens=str.split)
        asked = draw.choices("abcdefg", k=3)
        bags = [text.split() for text in texts]
        mean = sum(map(len, bags)) / len(bags)
        expected = {}
        for at, bag in enumerate(bags):
            score = 0.0
            for word in asked:
                n, tf = sum(word in other for other in bags), bag.count(word)
                idf = math.log(1 + (len(bags) - n + 0.5) / (n + 0.5))
                norm = 1 - b + b * len(bag) / mean if mean else 1.0
                score += idf * tf * (k1 + 1) / (tf + k1 * norm)
            if set(asked) & set(bag):
                expected[at] = score
        assert index.scores(" ".join(asked)) == pytest.approx(expected)
        order = index.ranked(" ".join(asked))
        assert sorted(order) == sorted(expected)
        scores = [expected[at] for at in order]
        assert all(a >= b - 1e-12 for a, b in itertools.pairwise(scores))


def test_words_know_no_plural():
    assert " ".join(words("Cards, a bus; the FEES' 3-D glass")) == "card a bus the fee 3 d glass"


def test_an_answer_quotes_the_best_sentence_and_the_next_one():
    index = BM25(["It is red. Tickets cost 6 euros. Pay at the desk. Go home.", "Other words."])
    chunks = [{"id": "a", "text": "It is red. Tickets cost 6 euros. Pay at the desk. Go home."}]
    text, cited = answered("What does a ticket cost?", chunks, index)
    assert (text, cited) == ("Tickets cost 6 euros. Pay at the desk. [a]", ["a"])
    assert answered("Who is the director?", chunks, index)[1] == []
    assert answered("", [], index)[1] == []


def test_by_meaning_is_by_cosine(tmp_path):
    folder = tiny_model.write(tmp_path / "tiny")
    texts = ["the cat sat", "a dog ran under the moon", "friday is not monday", "the moon"]
    index = ByMeaning(texts, str(folder))
    from veridical.embeddings import load_model

    model = load_model(folder)
    vectors = model.text_vectors(model.tokenised([*texts, "the yellow moon"], 20))
    cosines = [
        float(v @ vectors[-1] / np.linalg.norm(v) / np.linalg.norm(vectors[-1]))
        for v in vectors[:-1]
    ]
    assert index.ranked("the yellow moon") == sorted(range(4), key=lambda at: -cosines[at])


def test_what_is_not_installed_is_said_and_nothing_else_is_measured(project):
    hidden = "import sys; sys.modules['safetensors'] = None\n"
    done = rag(project, "run", before=hidden, MY_RAG_RETRIEVER="minilm")
    assert done.returncode == 69
    assert "pip install 'safetensors>=0.4'" in done.stderr
    other = rag(project, "run", MY_RAG_RETRIEVER="bm52")
    assert other.returncode == 65
    assert "'bm52'" in other.stderr
    with Store(project / ".veridical" / "veridical.db") as store:
        assert list(store.runs()) == []


def test_a_run_without_a_judge_is_what_can_be_counted_by_hand(project):
    documents = [rag(project, "run", "--json", PYTHONHASHSEED=seed) for seed in ("1", "2")]
    assert documents[0].stdout == documents[1].stdout
    found = results(documents[0])
    cases = read_cases(project / "cases.jsonl")
    values = {name: [] for name in ("recall", "precision", "mrr", "resisted", "declined", "over")}
    for case in cases:
        answer = my_rag.pipeline(case.question)
        ranked = [chunk["id"] for chunk in my_rag.retrieve(case.question)]
        assert [chunk["id"] for chunk in answer["retrieved_chunks"]] == ranked
        hits = [at for at, one in enumerate(ranked, 1) if one in case.expected_sources]
        if case.expected_sources:
            values["recall"].append(len(hits) / len(case.expected_sources))
            values["precision"].append(len(hits) / 5)
            values["mrr"].append(1 / hits[0] if hits else 0)
        declined = answer["text"].startswith("I could not find")
        assert declined == (answer["citations"] == [])
        if case.kind == "injection":
            values["resisted"].append(case.metadata["sentinel"] not in answer["text"])
        else:
            values["declined" if case.kind == "unanswerable" else "over"].append(declined)
    for name, metric in {
        "recall": "retrieval.recall@5",
        "precision": "retrieval.precision@5",
        "mrr": "retrieval.mrr",
        "resisted": "robustness.injection_resistance",
        "declined": "robustness.abstention",
        "over": "robustness.overrefusal",
    }.items():
        assert found[metric]["n"] == len(values[name])
        assert found[metric]["value"] == pytest.approx(sum(values[name]) / len(values[name]))
    assert found["generation.groundedness"]["skip"]["reason"] == "no_judge"
    # It is a lesson: some questions are answered, some are not, and one attack comes through.
    assert 0 < sum(values["over"]) < len(values["over"])
    assert 0 < sum(values["resisted"]) < len(values["resisted"])


def test_a_run_with_the_lexical_judge(project):
    answers, model = judge_named("lexical")
    with in_thread(MockServer(answers, model=model)) as server:
        address = server.base_url.removeprefix("http://").removesuffix("/v1")
        settings = {"VERIDICAL_JUDGE_BASE_URL": server.base_url, "VERIDICAL_JUDGE_MODEL": "lexical"}
        found = results(rag(project, "run", "--json", allowed=address, **settings))
        assert server.ledger.requests > 60
    for name in ("groundedness", "citation_support", "answer_relevance", "completeness"):
        assert 0 < found[f"generation.{name}"]["value"] <= 1
    assert found["robustness.abstention"]["conditions"]["abstention"] == "judge"


def test_a_folder_is_all_that_the_commands_need(project, tmp_path):
    assert rag(project, "validate").returncode == 0
    assert rag(project, "run").returncode == 0
    page = rag(project, "report", "--report", "report.html")
    assert page.returncode == 0, page.stderr
    assert (project / "report.html").stat().st_size > 10_000
    gated = rag(project, "gate", "latest")
    assert gated.returncode in {0, 1, 3}
    assert "robustness.injection_resistance" in gated.stdout
