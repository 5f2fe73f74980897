"""Whatever a pipeline returns or raises: a case of its own, and no other one moves."""

import asyncio
import json
import sys
import types

import pytest

from tests.rag.campaigns.world import CASES, Settings, check_conserved, summary
from veridical.cli import main
from veridical.judge.serving import FaultSchedule
from veridical.rag.answers import Answer, Chunk
from veridical.rag.configuration import read_configuration
from veridical.rag.running.runs import begin

NAN, INF = float("nan"), float("inf")
DEEP = []
for _ in range(100_000):
    DEEP = [DEEP]


class Odd(str):
    """A text that lies about itself."""

    __slots__ = ()

    def strip(self, *_):
        return 1 / 0


def chunks(**fields):
    return {"text": "a", "retrieved_chunks": [{"id": "d", "text": "t", **fields}]}


def raising(error):
    def call():
        raise error

    return call


HOSTILE = {
    "none": None,
    "number": 3,
    "nan": NAN,
    "bytes": b"text",
    "list": ["text"],
    "deep": DEEP,
    "no text": {"citations": []},
    "text nan": {"text": NAN},
    "surrogate": "half a pair: \ud800",
    "nul": "a\x00b",
    "long": "word " * 100_000,
    "markup": "<script>alert(1)</script>]]>&'\"",
    "formula": "=cmd|' /C calc'!A0",
    "odd": Odd("text"),
    "unknown field": {"text": "a", "txet": "b"},
    "citation none": {"text": "a", "citations": [None]},
    "citation nan": {"text": "a", "citations": [NAN]},
    "citations text": {"text": "a", "citations": "abc"},
    "citation surrogate": {"text": "a", "citations": ["\udfff"]},
    "chunks none": {"text": "a", "retrieved_chunks": [None]},
    "chunk id": chunks(id=None),
    "chunk id huge": chunks(id=10**400),
    "score nan": chunks(score=NAN),
    "score inf": chunks(score=-INF),
    "score huge": chunks(score=10**400),
    "metadata nan": chunks(metadata={"a": NAN}),
    "metadata set": chunks(metadata={"a": {1, 2}}),
    "metadata deep": chunks(metadata={"a": DEEP}),
    "metadata keys": chunks(metadata={(1, 2): "a", None: "b"}),
    "document": chunks(metadata={"document_id": NAN}),
    "document list": chunks(metadata={"document_id": ["d"]}),
    "answer none": Answer(None),
    "answer citations": Answer("a", (None, 3, NAN)),
    "answer chunk": Answer("a", (), (Chunk(None, None),)),
    "answer chunks": Answer("a", (), ("d",)),
    "answer score": Answer("a", (), (Chunk("d", "t", INF),)),
    "chunk object": {"text": "a", "retrieved_chunks": [Chunk(3, None, "x", None)]},
    "raises": raising(ValueError("sk-secret-4711")),
    "exits": raising(SystemExit(3)),
    "interrupts": raising(KeyboardInterrupt()),
    "cancels": raising(asyncio.CancelledError()),
    "stops": raising(StopIteration()),
    "recursion": raising(RecursionError()),
    "memory": raising(MemoryError()),
    "timeout": raising(TimeoutError()),
    "generator": (part for part in ("a", "b")),
}
GOOD = [case for case in CASES if case["id"] in {"fee", "declined", "resisted"}]


def ask(question):
    """The pipeline: what is good, and what is not."""
    known = {case["question"]: case["answer"] for case in GOOD}
    if question in known:
        return known[question]
    given = HOSTILE[question.removeprefix("hostile: ")]
    return given() if isinstance(given, types.FunctionType) else given


@pytest.fixture
def pipeline(world, monkeypatch):
    """Put the pipeline into a module, and cases for it into the configuration."""
    module = types.ModuleType("hostile_pipeline")
    module.ask = ask
    monkeypatch.setitem(sys.modules, "hostile_pipeline", module)
    world.judge_faults.now = FaultSchedule()

    def configured(cases, settings):
        world.configured(settings)
        document = json.loads((world.folder / "veridical.yaml").read_text())
        how = {"timeout_s": 20, "retries": 0, "concurrency": 8}
        document["pipeline"] = {"kind": "python", "target": "hostile_pipeline:ask", **how}
        (world.folder / "veridical.yaml").write_text(json.dumps(document))
        lines = "".join(json.dumps({**case, "answer": None}) + "\n" for case in cases)
        (world.folder / "cases.jsonl").write_text(lines)
        return read_configuration(world.folder)

    return configured


def by_case(closed):
    return {
        (one.case.id, metric): (outcome.state, outcome.value, outcome.reason)
        for one in closed.evaluation.records
        for metric, outcome in one.outcomes.items()
    }


@pytest.mark.parametrize(
    "settings",
    [
        Settings(),
        Settings(judged=False),
        Settings(store_text="hashed", source_match="document"),
        Settings(store_text="none", redact=("email", "secret")),
    ],
    ids=lambda one: f"{one.store_text}-{one.judged}",
)
def test_hostile_answers_move_no_other_case(
    world, store, pipeline, settings, tmp_path, capsys, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    alone = by_case(begin(pipeline(GOOD, settings), store))
    hostile = [
        {"id": f"h/{name}", "kind": kind, "question": f"hostile: {name}",
         "expected_answer": "a", "expected_source_ids": ["d"], "adversarial_payload": "MARK"}
        for name, kind in zip(HOSTILE, ["qa", "unanswerable", "injection"] * 99, strict=False)
    ]  # fmt: skip
    configuration = pipeline([*GOOD, *hostile], settings)
    closed = begin(configuration, store, name="hostile")
    assert closed.status == "finished"
    check_conserved(closed)
    together = by_case(closed)
    assert {key: together[key] for key in alone} == alone
    again = begin(configuration, store)
    assert together == by_case(again)
    words = ["--report", "a.html", "--csv", "a.csv", "--junit", "a.xml", "--json"]
    assert main(["rag", "report", "hostile", *words, "--store", str(tmp_path / "runs.db")]) == 0
    written = [(tmp_path / name).read_text("utf-8") for name in ("a.html", "a.csv", "a.xml")]
    assert "sk-secret-4711" not in capsys.readouterr().out + "".join(written)
    assert "<script>alert(1)" not in written[0]
    assert "NaN" not in summary(closed).decode()
