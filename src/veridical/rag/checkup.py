"""``checkup``: everything that a run needs, looked at one after the other."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from veridical.errors import InternalError, VeridicalError
from veridical.exit_codes import BAD_DATA, SERVICE
from veridical.judge.verdicts import Failure, Question, Verdict
from veridical.rag.adapters import adapter
from veridical.rag.answers import Answer, CaseError
from veridical.rag.configuration import Configuration, read_configuration
from veridical.rag.dataset import Dataset, read_dataset
from veridical.rag.foreseen import Foreseeing
from veridical.rag.running.measured import measured_by
from veridical.rag.scoring import ScoreSettings, score

if TYPE_CHECKING:
    from veridical.rag.answers import Reply
    from veridical.rag.cases import Case

__all__ = ["Check", "Finding", "checkup", "computable"]

_ASKED: Final = Question(
    "refusal", {"question": "What is the fee?", "answer": "The fee is 2 euros."}
)
_STEPS: Final = ("configuration", "dataset", "pipeline", "store", "judge", "metrics")
_NEEDS: Final[Mapping[str, tuple[str, ...]]] = {"metrics": ("dataset", "judge")}


@dataclass(frozen=True, slots=True)
class Finding:
    """What one look gave: sentences, and where there is a problem one thing to do."""

    told: tuple[str, ...] = ()
    problem: str = ""
    fix: str = ""
    exit_code: int = BAD_DATA


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at.

    Attributes
    ----------
    name
        ``configuration``, ``dataset``, ``pipeline``, ``store``, ``judge`` or ``metrics``.
    state
        ``ok``, ``problem``, or ``untried`` because of an earlier problem.
    finding
        What was found.
    """

    name: str
    state: Literal["ok", "problem", "untried"]
    finding: Finding = Finding()


async def checkup(path: Path, store: str | None, *, ask: bool = False) -> list[Check]:
    """Look at a project, and return what was found in the order of a run.

    Parameters
    ----------
    path
        The configuration, or the folder that has one.
    store
        Where runs are kept, if not where the configuration says.
    ask
        Whether the pipeline is asked one case, and the judge one short question, which costs what
        such calls cost.  Without it nobody is asked.
    """
    looking = _Looking(path, store, ask=ask)
    checks: list[Check] = []
    for name in _STEPS:
        failed = {one.name for one in checks if one.state != "ok"}
        if "configuration" in failed or failed & set(_NEEDS.get(name, ())):
            checks.append(Check(name, "untried"))
            continue
        look: Callable[[], Awaitable[Finding]] = getattr(looking, name)
        try:
            finding = await look()
        except VeridicalError as error:
            where = f" ({error.where})" if error.where else ""
            finding = Finding(error.listed, f"{error.what}{where}", error.fix, error.exit_code)
        checks.append(Check(name, "problem" if finding.problem else "ok", finding))
    return checks


def computable(
    dataset: Dataset, settings: ScoreSettings, *, static: bool
) -> dict[str, Counter[str]]:
    """Return for each metric how many cases have a value (under ``""``) or why they have none.

    Parameters
    ----------
    dataset
        The cases.
    settings
        How they are scored.
    static
        Whether their answers stand in the dataset.  Otherwise they are assumed to have all that a
        metric may need of them, so that the reasons are those of the cases alone.
    """
    foreseeing = Foreseeing(static, settings.k)
    counts: dict[str, Counter[str]] = {}
    for case in dataset.cases:
        reply, _ = foreseeing.reply(case)
        for metric, outcome in score(case, reply, {}, settings).items():
            valued = outcome.state in {"scored", "pending"}  # the judge is still to be asked
            counts.setdefault(metric, Counter())["" if valued else outcome.reason] += 1
    return counts


@dataclass(slots=True)
class _Looking:
    """The looks, one method each, and what they found for the next."""

    path: Path
    store_at: str | None
    ask: bool
    read: Configuration | None = None
    cases: Dataset = field(default_factory=lambda: Dataset(()))

    @property
    def configured(self) -> Configuration:
        if self.read is None:
            raise InternalError("a configuration is used that was not read")
        return self.read

    async def configuration(self) -> Finding:
        self.read = read_configuration(self.path)
        return Finding((str(self.read.path),))

    async def dataset(self) -> Finding:
        section = self.configured.dataset
        asked = self.configured.pipeline.kind != "static"
        self.cases = read_dataset(self.configured.dataset_path, section.map, asked=asked)
        kinds = sorted(Counter(case.kind for case in self.cases.cases).items())
        told = ", ".join(f"{n:,} {kind}" for kind, n in kinds)
        warnings = (f"warning: {one}" for one in self.cases.warnings)
        return Finding((f"{len(self.cases.cases):,} cases: {told}", *warnings))

    async def pipeline(self) -> Finding:
        kind = self.configured.pipeline.kind
        made = adapter(self.configured)
        if kind == "static":
            return _static(self.cases)
        if not self.ask or not self.cases.cases:
            return Finding((f"kind {kind}", "was not asked" + ("" if self.ask else " (--ask)")))
        case = self.cases.cases[0]
        async with made:
            reply = await made.answer(case)
        return _asked(f"kind {kind}", case, reply)

    async def store(self) -> Finding:
        from veridical.store.location import locate

        where = self.configured.store_at(self.store_at)
        location = locate(where)
        if location.path is not None and not location.path.exists():
            return _to_be_made(location.path)
        from veridical.store import Store

        with Store(where, create=False) as opened, opened.database.writing():
            return Finding((location.shown,))

    async def judge(self) -> Finding:
        judge = self.configured.judge_settings()
        if judge is None:
            return Finding(("none is configured: what needs one is skipped",))
        from veridical.judge.client import JudgeClient
        from veridical.judge.purse import Purse

        price = "its price is unknown" if judge.price is None else "its price is known"
        told = [f"{judge.model} at {judge.endpoint}", price]
        if judge.max_cost_usd is not None:
            told.append(f"a run may spend {judge.max_cost_usd:f} USD")
        # Making a client looks for the key, the library, and a price where there is a budget.
        async with JudgeClient(judge, spending=Purse()) as client:
            if not self.ask:
                return Finding((*told, "was not asked (--ask)"))
            return _judged(await client.ask(_ASKED), told)

    async def metrics(self) -> Finding:
        measured_by(self.configured)  # what dataset, judge and redaction must not be together
        settings = self.configured.score_settings
        static = self.configured.pipeline.kind == "static"
        counts = computable(self.cases, settings, static=static)
        rests = () if static else ("as far as the cases tell; answers may leave out more",)
        told = (*rests, *_computable_told(counts))
        empty = [name for name in self.configured.bounds if not counts[name][""]]
        if not empty:
            return Finding(told)
        reason = counts[empty[0]].most_common(1)[0][0]
        problem = f"{empty[0]} has bounds, and no case can have a value: {reason}"
        return Finding(told, problem, "give the cases what it needs, or remove its bounds")


def _static(dataset: Dataset) -> Finding:
    """Return how many answers stand in a dataset."""
    n, of = sum(isinstance(one.answer, Answer) for one in dataset.cases), len(dataset.cases)
    if not of:  # the dataset could not be read
        return Finding(("kind static",))
    if n:
        return Finding((f"kind static: answers of {n:,} of {of:,} cases stand in the dataset",))
    fix = "name a pipeline under pipeline, or give each case an answer"
    return Finding((), "the pipeline is static, and no case has an answer", fix)


def _asked(kind: str, case: Case, reply: Reply) -> Finding:
    """Return what a pipeline made of a case."""
    answer, context = reply.answer, reply.context
    if isinstance(answer, CaseError):
        problem = f"no answer to case {case.id[:80]!r}: {answer.code}: {answer.detail}"
        return Finding((kind,), problem, "correct the pipeline, or its settings", SERVICE)
    told = f"answered case {case.id[:80]!r} in {len(answer.text):,} characters"
    if isinstance(context, CaseError):
        problem = f"retrieve() failed: {context.code}: {context.detail}"
        return Finding((kind, told), problem, "correct retrieve()", SERVICE)
    if context is None:
        return Finding((kind, told, "exposes no retrieval, so metrics that need it are skipped"))
    cited = len(answer.citations)
    return Finding((kind, told, f"{len(context):,} passages retrieved, {cited:,} cited"))


def _to_be_made(path: Path) -> Finding:
    """Return whether a store can be made where there is none; none is made."""
    folder = path.parent
    if not folder.exists() and folder.name == ".veridical":
        folder = folder.parent
    if folder.is_dir() and os.access(folder, os.W_OK | os.X_OK):
        return Finding((f"{path}, made by the first run",))
    problem = f"no store can be made in {str(folder)[:200]}"
    return Finding((), problem, "make the folder, or name another place with --store")


def _judged(verdict: Verdict | Failure, told: list[str]) -> Finding:
    """Return what a judge made of the question."""
    if isinstance(verdict, Failure):
        problem = f"no verdict: {verdict.code}: {verdict.detail}"
        spent = verdict.kind == "budget"
        fix = (
            "raise judge.max_cost_usd" if spent else "correct judge.base_url, the model or the key"
        )
        return Finding(tuple(told), problem, fix, SERVICE)
    usage = verdict.usage
    cost = "" if usage.cost is None else f", {usage.cost:f} USD"
    took = f"{usage.calls} calls, {usage.input_tokens + usage.output_tokens:,} tokens{cost}"
    return Finding((*told, f"keeps its contract ({took})"))


def _computable_told(counts: Mapping[str, Counter[str]]) -> Iterator[str]:
    for metric, found in counts.items():
        n = sum(found.values())
        reasons = ", ".join(f"{k:,} {why}" for why, k in sorted(found.items()) if why)
        yield f"{metric}: {found['']:,} of {n:,} cases" + (f"; {reasons}" if reasons else "")
