"""Whatever a judge replies: a verdict that keeps its contract, or an error of its own."""

import hashlib
import json

import pytest

from tests.rag.campaigns.world import Settings, check_conserved, hasty, summary
from veridical.judge import lexical
from veridical.judge.contracts import verdict_score
from veridical.judge.serving import FaultSchedule
from veridical.judge.verdicts import Question, Verdict
from veridical.rag.running.runs import begin
from veridical.rag.scoring import ScoreSettings, questions

REPLIES = [
    "", " ", "\x00", "null", "[]", "{}", "0", '"yes"', "NaN", "[" * 50_000, "{" * 50_000,
    '{"a":' * 50_000, '{"claims": 1e999}', '{"claims": [1e999]}', '{"claims": {}}',
    '{"claims": null}', '{"citations": [{"id": "c1"}]}', '{"citations": []}',
    '{"refused": "true", "reason": ""}', '{"refused": 1, "reason": ""}',
    '{"verdict": "relevant"}', '{"verdict": "RELEVANT", "reason": ""}',
    '{"verdict": ["relevant"], "reason": ""}', '{"verdict": "relevant", "reason": null}',
    '{"verdict": "complete", "reason": "", "score": 1}', "```json\n{}\n```", "<think>" * 1000,
    "<think></think>" + '{"refused": true, "reason": ""}' * 2, "\ufeff\ufeff{}", "\u202e{}",
    '{"refused": true, "reason": "' + "x" * 100_000 + '"}', "score: 1.0", "\\ud800",
    '{"__proto__": {}, "constructor": 1}', '{"refused": true, "reason": "\\ud800"}',
]  # fmt: skip


@pytest.mark.parametrize("seed", range(3))
def test_hostile_replies_break_nothing(world, store, monkeypatch, seed):
    hasty(monkeypatch, retries=0)
    world.judge_faults.now = FaultSchedule()
    settings = Settings(kind="static", copies=2)
    honest = begin(world.configured(settings), store, use_cache=False)

    def reply(request):
        prompt = json.dumps([seed, request["messages"][1]["content"]]).encode()
        draw = int.from_bytes(hashlib.sha256(prompt).digest()[:4], "big")
        return lexical.answer(request) if draw % 3 == 0 else REPLIES[draw // 3 % len(REPLIES)]

    monkeypatch.setattr(world.judge, "_judge", reply)
    closed = begin(world.configured(settings), store)
    assert closed.status == "finished"
    check_conserved(closed)
    states = set()
    for was, now in zip(honest.evaluation.records, closed.evaluation.records, strict=True):
        for metric, outcome in now.outcomes.items():
            states.add(outcome.state)
            if was.outcomes[metric] != outcome:
                assert was.outcomes[metric].state in {"scored", "not_applicable"}
                assert outcome.state in {"scored", "judge_error", "not_applicable"}
        for contract, question in questions(now.case, now.reply, ScoreSettings(judge=True)).items():
            given = now.verdicts.get(contract)
            if isinstance(question, Question) and isinstance(given, Verdict):
                score = verdict_score(question, given.reply)
                assert score is None or 0 <= score <= 1
    assert "judge_error" in states
    warm = begin(world.configured(settings), store)
    assert summary(warm) == summary(closed)
