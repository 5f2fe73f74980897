"""The lexical judge beside labels of people: figures that change only when the judge does."""

import json
from collections import Counter

from veridical.judge.contracts import verdict_score
from veridical.judge.lexical import verdict
from veridical.judge.verdicts import Question


def rows(shared, name):
    path = shared / "data" / "judge" / f"{name}.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def score(contract, fields, passages=()):
    asked = Question(contract, fields, dict(passages))
    return verdict_score(asked, verdict(asked))


RIGHT = {
    "Fully attributable": lambda s: s == 1,
    "Not fully attributable": lambda s: s is not None and s < 1,
    "Generic": lambda s: s is None,
}


def test_groundedness_of_begin(shared):
    right = Counter()
    for row in rows(shared, "groundedness_begin"):
        fields = {"question": row["question"], "answer": row["answer"]}
        found = score("groundedness", fields, {"c1": row["context"]})
        right[row["label"]] += RIGHT[row["label"]](found)
    assert right == {"Fully attributable": 59, "Not fully attributable": 50, "Generic": 35}


def sign(number):
    return (number > 0) - (number < 0)


def test_completeness_of_ragchecker_by_the_sign(shared):
    same = Counter()
    for row in rows(shared, "completeness_ragchecker"):
        fields = {"question": row["question"], "expected": row["expected_answer"]}
        first, second = (
            score("completeness", {**fields, "answer": row[name]})
            for name in ("answer_1", "answer_2")
        )
        people = [sign(row[f"annotator_{who}"]["completeness"]) for who in "ab"]
        same["judge"] += sign(second - first) == people[0]
        same["people"] += people[0] == people[1]
    assert same == {"judge": 38, "people": 58}
