"""Work on a run: every unit ends once, and stopping on the way moves no digit."""

import asyncio
import random

import pytest

from veridical import strict_json
from veridical.errors import MismatchError
from veridical.judge.verdicts import Failure, Verdict
from veridical.rag.answers import Answer, CaseError, Chunk, Reply
from veridical.rag.cases import Case
from veridical.rag.running.planning import plan
from veridical.rag.running.privacy import Privacy
from veridical.rag.running.recorded import answered_records, records, tasks
from veridical.rag.running.stopping import Stop
from veridical.rag.running.whole_cases import WholeCases
from veridical.rag.running.working import UNUSABLE, Work
from veridical.rag.scoring import ScoreSettings
from veridical.rag.summary import RunConditions, summarise
from veridical.store import Store
from veridical.store.drafts import draft
from veridical.store.group_commit import GroupCommit
from veridical.store.ledger_batches import BatchLedger

IDENTITY = {"model": "judge-1", "endpoint": "http://127.0.0.1:1/v1", "prompts": {}}
SETTINGS = ScoreSettings(judge=True)
SAID = {
    "groundedness": {
        "claims": [{"claim": "It is 2.", "supported": True, "chunk_ids": ["c1"], "quote": None}]
    },
    "citation_support": {"citations": [{"id": "c1", "supported": True, "reason": ""}]},
    "answer_relevance": {"verdict": "partial", "reason": ""},
    "completeness": {"verdict": "complete", "reason": ""},
    "refusal": {"refused": False, "reason": ""},
}
CASES = [
    Case(
        id=f"case/{at}",
        question="What is the fee?",
        kind=("qa", "unanswerable", "injection")[at % 3],
        expected_answer="2 euros",
        expected_sources={"d1": 1.0},
        adversarial_payload="MARK" if at % 3 == 2 else None,
        line=at + 1,
        sha256=str(at),
    )
    for at in range(12)
]


async def answer(case, _repeat):
    """A pipeline that times out on two cases."""
    if case.id in {"case/3", "case/10"}:
        return Reply(CaseError("timeout", "no answer in 60 s"))
    return Reply(Answer("The fee is 2 euros [d1].", ("d1",), (Chunk("d1", "The fee is 2."),)))


class Judge:
    """Answers every question, and does something else at the calls that are named."""

    def __init__(self, at=None):
        self.at = at or {}
        self.calls = 0

    async def __call__(self, question, _repeat):
        self.calls += 1
        instead = self.at.get(self.calls)
        await asyncio.sleep(0)
        if instead is not None and (found := instead(question)) is not None:
            return found
        return Verdict(question.contract, SAID[question.contract], "as it came", "judge-1")


class Run:
    """One run in a store of its own, worked on by one process after another."""

    def __init__(self, folder, privacy=None, repeats=1):
        self.store = Store(f"{folder}/runs.db")
        self.privacy = privacy or Privacy()
        self.plan = plan(
            CASES, repeats=repeats, pipeline_sha256="p", judge=IDENTITY, privacy=self.privacy
        )
        self.id = self.store.save(draft(kind="rag", state="running")).id
        self.repeats = repeats
        self.ledger.plan(self.plan.units)

    @property
    def ledger(self):
        """A ledger of a process of its own."""
        return BatchLedger(self.store.database, self.id)

    def process(self, ask, stop=None, pipeline=answer):
        """Work until all is done or there is a cause to stop."""
        ledger, stop = self.ledger, stop or Stop()
        ledger.resume()
        kind = Work if self.privacy.keeps_texts else WholeCases

        async def work():
            async with GroupCommit(self.store) as commit:
                await kind(
                    ledger=ledger,
                    commit=commit,
                    answer=pipeline,
                    ask=ask,
                    settings=SETTINGS,
                    privacy=self.privacy,
                    stop=stop,
                    pipeline_slots=2,
                    judge_slots=3,
                ).run(tasks(self.plan.jobs, ledger))

        asyncio.run(work())
        return stop

    def summary(self):
        """The results as they are hashed; the records are checked to add up on the way."""
        found = records(self.plan.jobs, self.ledger, SETTINGS, self.privacy)
        conditions = RunConditions(
            dataset_sha256="d", judge={"model": "judge-1"}, repeats=self.repeats
        )
        return strict_json.canonical(summarise(found, conditions=conditions).to_dict())


@pytest.fixture
def undisturbed(tmp_path_factory):
    """The summary of a run that nothing disturbed."""
    run = Run(tmp_path_factory.mktemp("undisturbed"))
    run.process(Judge())
    return run.summary()


def test_every_unit_ends_once(tmp_path):
    run = Run(tmp_path)
    judge = Judge()
    run.process(judge)
    # Ten answers; four cases of each kind, one qa and one unanswerable case failed.
    asked = 3 * 5 + 3 * 5 + 4 * 4
    assert judge.calls == asked
    failed = 2 + 2 * 5
    assert run.ledger.counts() == {
        "pending": 0,
        "running": 0,
        "done": 10 + asked,
        "failed": failed,
        "skipped": 0,
    }
    assert len(run.ledger.attempts()) == 12 + asked


@pytest.mark.parametrize("store_text", ["full", "hashed", "none"])
@pytest.mark.parametrize("seed", range(3))
def test_stopping_and_going_on_moves_no_digit(tmp_path, undisturbed, store_text, seed):
    run = Run(tmp_path, Privacy(store_text))
    draw = random.Random(seed)
    causes = [lambda q: Failure(q.contract, "over", "spent", kind="budget"), None]
    for _ in range(3):
        stop = Stop()

        def interrupt(_question, stop=stop):
            stop.interrupt()

        cause = draw.choice(causes) or interrupt
        run.process(Judge({draw.randrange(1, 12): cause}), stop)
    run.process(Judge())
    assert run.ledger.counts()["pending"] == run.ledger.counts()["running"] == 0
    assert run.summary() == undisturbed


def test_a_budget_stops_and_keeps_what_there_is(tmp_path):
    run = Run(tmp_path)
    over = Failure("refusal", "budget", "0.02 of 0.02 is spent", kind="budget")
    stop = run.process(Judge({7: lambda _question: over}))
    assert (stop.cause, stop.failure) == ("aborted:budget", over)
    counts = run.ledger.counts()
    assert counts["running"] == 0
    assert counts["pending"] > 0
    judged = [one for one in run.ledger.attempts() if one.outcome == "judged"]
    assert 6 <= len(judged) <= 6 + 2  # those under way with it were waited for


def test_a_failed_verdict_is_an_error_of_its_metric_alone(tmp_path):
    run = Run(tmp_path)
    run.process(Judge({1: lambda q: Failure(q.contract, "schema", "no JSON", ("?",))}))
    found = records(run.plan.jobs, run.ledger, SETTINGS, run.privacy)
    errors = [name for one in found for name, o in one.outcomes.items() if o.state == "judge_error"]
    assert len(errors) == 1


def test_a_killed_process_cannot_count_twice(tmp_path):
    run = Run(tmp_path)
    late = run.ledger
    with run.store.database.writing() as connection:
        [claim] = late.claim_these_in(connection, ["answer/case/0/1"])
    run.process(Judge())
    with pytest.raises(MismatchError):
        late.record(claim, "answered", artefact=b"{}", settle="done")
    assert [one.outcome for one in run.ledger.attempts("answer/case/0/1")] == [
        "abandoned",
        "answered",
    ]


def test_a_reply_that_no_file_can_hold_is_an_error_of_its_case(tmp_path):
    async def infinite(_case, _repeat):
        return Reply(Answer("2", (), (Chunk("d1", "2", float("inf")),)))

    run = Run(tmp_path)
    run.process(Judge(), pipeline=infinite)
    found = records(run.plan.jobs, run.ledger, SETTINGS, run.privacy)
    assert {one.outcomes["echo.exact_match"].reason for one in found} == {UNUSABLE}


def test_records_are_read_from_the_store_alone(tmp_path):
    run = Run(tmp_path, repeats=2)
    run.process(Judge())
    assert answered_records(run.ledger, SETTINGS) == records(
        run.plan.jobs, run.ledger, SETTINGS, run.privacy
    )


@pytest.mark.parametrize("store_text", ["hashed", "none"])
def test_no_text_is_in_the_store_unless_it_may_be(tmp_path, store_text):
    run = Run(tmp_path, Privacy(store_text))
    run.process(Judge())
    kept = b"".join(one.artefact or b"" for one in run.ledger.settled())
    for text in (b"fee", b"euros", b"It is 2", b"as it came", b"MARK", b"no answer"):
        assert text not in kept


def test_what_is_redacted_is_neither_kept_nor_judged(tmp_path):
    seen = []

    async def personal(_case, _repeat):
        return Reply(Answer("Write to ann@example.org or call +44 20 7946 0000."))

    async def ask(question, _repeat):
        seen.append(str(question.fields))
        return Verdict(question.contract, SAID[question.contract], "ann@example.org", None)

    run = Run(tmp_path, Privacy("full", ["email", "phone"]))
    run.process(ask, pipeline=personal)
    kept = b"".join(one.artefact or b"" for one in run.ledger.settled())
    assert seen
    for text in ("ann@example.org", "7946"):
        assert not any(text in one for one in seen)
        assert text.encode() not in kept


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("on 2024-01-15 at 10:30", "on 2024-01-15 at 10:30"),
        ("order 123456789", "order 123456789"),
        ("call 555-123-4567 now", "call [redacted phone] now"),
        ("api_key=abcd1234", "[redacted secret]"),
        ("ring +49 30 1234567.", "ring [redacted phone]."),
        ("vrd-override-1f3a90c4", "vrd-override-1f3a90c4"),
    ],
)
def test_rules_take_out_what_they_name_and_no_more(text, kept):
    given = Case(id="a", question=text, expected_answer=text, tags=(text,), metadata={"of": [text]})
    case = Privacy("full", ["email", "phone", "secret"]).redacted_case(given)
    assert (case.question, case.expected_answer) == (kept, kept)
    assert (case.tags, case.metadata) == ((kept,), {"of": [kept]})
