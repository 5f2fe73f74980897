"""How often and when a pipeline is asked again, how many cases at a time, and for how long."""

import asyncio
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest

from veridical.judge.transport import retry_after
from veridical.rag.adapters import answering
from veridical.rag.adapters.answering import Adapter, CallFailedError
from veridical.rag.answers import Answer, CaseError
from veridical.rag.cases import Case


class Scripted:
    """A pipeline whose calls fail as the list says, each case for itself, and then succeed."""

    has_retrieve = False

    def __init__(self, *failures):
        self.failures, self.asked = failures, {}
        self.running, self.most = 0, []

    async def open(self):
        self.opened = True

    async def close(self):
        self.opened = False

    async def answer(self, case):
        at = self.asked[case.id] = self.asked.get(case.id, 0) + 1
        self.running += 1
        self.most.append(self.running)
        try:
            await asyncio.get_running_loop().run_in_executor(None, lambda: None)
            if at <= len(self.failures):
                failure = self.failures[at - 1]
                if failure == "hang":
                    await asyncio.Event().wait()
                raise failure
            return Answer("two")
        finally:
            self.running -= 1


@pytest.fixture
def pauses(monkeypatch):
    """Write down how long is waited, and do not wait."""
    found = []

    async def sleep(seconds):
        found.append(seconds)

    monkeypatch.setattr(answering, "asyncio", SimpleNamespace(**vars(asyncio) | {"sleep": sleep}))
    return found


def asked(calling, *, cases=1, **settings):
    """Return the replies to some cases, all asked at once."""
    usual = {"kind": "python", "timeout_s": 60.0, "concurrency": 8, "retries": 3}

    async def ask():
        async with Adapter(SimpleNamespace(**usual | settings), calling) as adapter:
            return await asyncio.gather(
                *(adapter.answer(Case(id=f"c{at}", question="?")) for at in range(cases))
            )

    return asyncio.run(ask())


def busy(after_s=None, *, too_many=False):
    return CallFailedError("http_503", "busy", again=True, after_s=after_s, too_many=too_many)


def test_retry_after_is_honoured_over_the_usual_pause(pauses):
    (reply,) = asked(Scripted(busy(7.0), busy(0.0)))
    assert (reply.answer, reply.attempts) == (Answer("two"), 3)
    assert pauses[0] == 7.0
    assert 0.2 <= pauses[1] <= 0.4  # asked to come at once: the usual pause all the same


def test_a_wish_of_hours_is_cut_to_minutes(pauses):
    asked(Scripted(busy(86_400.0)))
    assert pauses == [answering.LONGEST_ASKED_S]


def test_pauses_double_up_to_the_longest_and_are_not_in_step(pauses):
    asked(Scripted(*[busy()] * 12), retries=12)
    usual = [min(30.0, 0.2 * 2**n) for n in range(12)]
    assert all(0.5 * whole <= pause <= whole for pause, whole in zip(pauses, usual, strict=True))
    mine, pauses[:] = list(pauses), []
    asked(Scripted(*[busy()] * 12), retries=12)
    assert pauses == mine  # drawn from the case: another case has others
    pauses[:] = []
    asked(Scripted(busy()), cases=5)
    assert len(set(pauses)) == 5


@pytest.mark.parametrize("retries", [0, 1, 3])
def test_a_call_is_made_once_more_than_it_is_repeated(pauses, retries):
    calling = Scripted(*[busy()] * 20)
    (reply,) = asked(calling, retries=retries)
    assert reply.answer == CaseError("http_503", "busy")
    assert reply.attempts == calling.asked["c0"] == len(pauses) + 1 == retries + 1


def test_what_will_not_pass_is_not_repeated(pauses):
    (reply,) = asked(Scripted(CallFailedError("http_404", "gone")))
    assert (reply.attempts, pauses) == (1, [])


def test_complaints_lower_how_many_are_asked_at_once(pauses):
    complaint = busy(too_many=True)
    calling = Scripted(complaint)
    replies = asked(calling, cases=24)
    assert all(reply.answer == Answer("two") for reply in replies)
    # Eight at once complained, and halved the limit eight times; it never is below one.
    assert max(calling.most[:8]) == 8
    assert calling.most[20] == 1
    assert max(calling.most[-8:]) < 8


def test_without_complaints_as_many_as_allowed_are_asked_at_once(pauses):
    calling = Scripted(busy())
    asked(calling, cases=40, concurrency=5)
    assert max(calling.most) == 5


def test_each_call_has_its_own_time(pauses):
    calling = Scripted("hang", "hang")
    late, prompt = asked(calling, cases=2, timeout_s=0.5)
    assert (late.answer, late.attempts) == (Answer("two"), 3)
    assert prompt.answer == Answer("two")
    (reply,) = asked(Scripted(*["hang"] * 9), timeout_s=0.02, retries=1)
    assert (reply.answer, reply.attempts) == (CaseError("timeout", "no answer within 0.02 s"), 2)


def test_latency_is_of_the_last_call_without_waiting_and_pauses(pauses, monkeypatch):
    now = iter(range(0, 1000, 10))
    clock = SimpleNamespace(monotonic=lambda: float(next(now)))
    monkeypatch.setattr(answering, "time", clock)
    (reply,) = asked(Scripted(busy(60.0), busy(60.0)))
    assert (reply.attempts, reply.latency_s) == (3, 10.0)
    (failed,) = asked(Scripted(CallFailedError("http_404", "gone")))
    assert failed.latency_s == 10.0
    (static,) = asked(Scripted(), kind="static")
    assert static.latency_s is None


def test_a_failed_answer_needs_no_retrieval(pauses):
    class Retrieves(Scripted):
        has_retrieve = True

        async def retrieve(self, case):
            self.retrieved = case.id
            return ()

    failing = Retrieves(CallFailedError("http_404", "gone"))
    (reply,) = asked(failing)
    assert (reply.retrieved, hasattr(failing, "retrieved")) == (None, False)
    answering_one = Retrieves()
    (reply,) = asked(answering_one)
    assert reply.retrieved == ()


def test_a_pipeline_that_gave_up_itself_is_not_said_to_have_had_its_time(pauses):
    (reply,) = asked(Scripted(*[TimeoutError("socket")] * 9), retries=1)
    told = "the pipeline gave up waiting: it raised TimeoutError"
    assert (reply.answer, reply.attempts) == (CaseError("timeout", told), 2)


def test_one_case_that_hangs_holds_up_no_other():
    class OneHangs(Scripted):
        async def answer(self, case):
            if case.id == "c0":
                await asyncio.Event().wait()
            return await super().answer(case)

    first, *others = asked(OneHangs(), cases=20, timeout_s=2.0, retries=0, concurrency=2)
    assert first.answer.code == "timeout"
    assert all(reply.answer == Answer("two") for reply in others)


NOW = datetime(2026, 1, 31, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("0", 0.0),
        ("120", 120.0),
        (" 1.5 ", 1.5),
        ("-5", 0.0),
        ((NOW + timedelta(seconds=90)).strftime("%a, %d %b %Y %H:%M:%S GMT"), 90.0),
        ((NOW - timedelta(days=1)).strftime("%a, %d %b %Y %H:%M:%S GMT"), 0.0),
        ("nan", None),
        ("inf", None),
        ("soon", None),
        ("", None),
        ("99999999999999999999 Jan", None),
    ],
)
def test_what_a_retry_after_says(header, seconds):
    assert retry_after({"retry-after": header}, NOW) == seconds
