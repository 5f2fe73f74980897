"""Judges without judgement fail to calibrate; the labels themselves pass."""

import asyncio
import json
import random
from collections import Counter

import pytest

from veridical.errors import FileFormatError, FileMissingError, InputError
from veridical.judge import lexical
from veridical.judge.calibration.agreement import Judged, PromptCalibration, Thresholds
from veridical.judge.calibration.calibrating import asking, calibrate
from veridical.judge.calibration.samples import band, read_samples, shipped_samples
from veridical.judge.contracts import CONTRACTS
from veridical.judge.verdicts import Failure, Verdict

SAMPLES = shipped_samples()
LEVELS = {
    "answer_relevance": {"0": "irrelevant", "0.5": "partial", "1": "relevant"},
    "completeness": {"0": "missing", "0.5": "partial", "1": "complete"},
}


def reply(question, wanted):
    if question.contract == "groundedness":
        votes = {"0": [False], "0.5": [True, False], "1": [True], "not_applicable": []}[wanted]
        claim = {"claim": "", "chunk_ids": [], "quote": None}
        return {"claims": [{**claim, "supported": vote} for vote in votes]}
    if question.contract == "citation_support":
        vote = {"supported": wanted == "1", "reason": ""}
        return {"citations": [{"id": alias, **vote} for alias in question.passages]}
    if question.contract == "refusal":
        return {"refused": wanted == "1", "reason": ""}
    return {"verdict": LEVELS[question.contract].get(wanted, "partial"), "reason": ""}


def judged_by(choose):
    async def ask(question, repeat):
        return Verdict(question.contract, reply(question, choose(question)), "")

    return asyncio.run(calibrate(ask, SAMPLES, judge="test"))


LABELS = {json.dumps([s.contract, s.question, s.answer]): s.band for s in SAMPLES}


def of_labels(question):
    fields = question.fields
    return LABELS[json.dumps([question.contract, fields["question"], fields["answer"]])]


def test_a_judge_that_knows_the_labels_passes():
    found = judged_by(of_labels)
    assert found.passed
    assert [prompt.exact.value for prompt in found.prompts] == [1.0] * len(CONTRACTS)


@pytest.mark.parametrize("constant", ["0", "0.5", "1"])
def test_a_constant_judge_fails_on_every_prompt(constant):
    assert all(prompt.failures for prompt in judged_by(lambda _: constant).prompts)


def test_a_random_judge_fails_on_every_prompt():
    draw = random.Random(7)
    found = judged_by(lambda _: draw.choice(["0", "0.5", "1"]))
    assert all(prompt.failures for prompt in found.prompts)


def test_one_prompt_that_falls_below_fails_the_judge():
    found = judged_by(lambda q: "0.5" if q.contract == "completeness" else of_labels(q))
    assert [prompt.contract for prompt in found.prompts if prompt.failures] == ["completeness"]
    assert not found.passed


def test_a_judge_without_verdicts_disagrees_everywhere():
    async def ask(question, repeat):
        return Failure(question.contract, "timeout", "")

    found = asyncio.run(calibrate(ask, SAMPLES, judge="test"))
    assert {prompt.exact.value for prompt in found.prompts} == {0.0}


def test_the_lexical_judge_agrees_as_committed():
    found = asyncio.run(calibrate(asking(lexical.answer), SAMPLES, judge=lexical.MODEL))
    exact = {p.contract: round(p.exact.value * p.exact.n) for p in found.prompts}
    assert exact == {
        "groundedness": 34,
        "citation_support": 30,
        "answer_relevance": 28,
        "completeness": 38,
        "refusal": 42,
    }


def test_the_samples_are_distinct_balanced_and_enough():
    for contract in CONTRACTS:
        labels = Counter(s.band for s in SAMPLES if s.contract == contract)
        assert labels.total() >= 60
        assert min(labels.values()) / labels.total() >= 0.2
    assert len({s.answer for s in SAMPLES}) == len(SAMPLES)
    assert {s.source for s in SAMPLES} == {"constructed"}


def test_bands_and_what_is_near():
    bands = [band(score) for score in (0, 0.2499, 0.25, 0.7499, 0.75, 1, None)]
    assert bands == ["0", "0", "0.5", "0.5", "1", "1", "not_applicable"]
    sample = next(s for s in SAMPLES if s.band == "not_applicable")
    prompt = PromptCalibration("groundedness", (Judged(sample, ("0", "1")),), Thresholds())
    assert prompt.within.value == 0
    assert prompt.self_agreement.value == 0


def test_too_few_samples_and_a_bad_line_are_errors(tmp_path):
    with pytest.raises(InputError, match="at least 10"):
        asyncio.run(calibrate(asking(lexical.answer), SAMPLES[:9], judge="test"))
    path = tmp_path / "bad.jsonl"
    path.write_text('{"id": "a", "contract": "refusal"}\n', encoding="utf-8")
    with pytest.raises(FileFormatError, match=r"bad\.jsonl:1"):
        read_samples(path)
    with pytest.raises(FileMissingError, match="a device, which may have no end"):
        read_samples("/dev/zero")
