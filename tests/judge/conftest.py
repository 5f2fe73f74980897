"""Judges to ask: a server of ours, and a client that does not wait long."""

from decimal import Decimal

import pytest

from veridical.judge.settings import JudgeSettings, Price
from veridical.judge.verdicts import Question
from veridical.store import Store
from veridical.store.drafts import draft

PRICE = Price(Decimal(1), Decimal(4))


def settings(server, **changes) -> JudgeSettings:
    """A judge behind a mock server, with short pauses."""
    quick = {
        "model": "asked-1", "backoff_s": 0.001, "longest_wait_s": 0.02, "timeout_s": 10.0,
        "concurrency": 16, "max_output_tokens": 200,
    }  # fmt: skip
    return JudgeSettings(base_url=server.base_url, **{**quick, **changes})


def asked(at: int = 0) -> Question:
    """One of many questions."""
    return Question("refusal", {"question": f"What is {at}?", "answer": f"It is {at} or so."})


def reply(_request) -> str:
    """A judge that finds no refusal."""
    return '{"refused": false, "reason": "it answers"}'


@pytest.fixture
def store(tmp_path):
    """An empty store in a file."""
    with Store(tmp_path / "runs.db") as opened:
        yield opened


@pytest.fixture
def run_id(store) -> str:
    """A run that has begun."""
    return store.save(draft(kind="rag", state="running")).id
