"""A pytest plugin: results as assertions, and the rules of a policy as tests.

``pytest --veridical`` runs tests that use the fixture ``veridical``::

    def test_the_model_finds_fraud(veridical):
        ev = vd.evaluate("scores.parquet", label="denied", score="p", groups=["region"])
        veridical.check(ev, "binary.recall@fpr=0.001", lower_bound=0.6, min_n=300)

and ``pytest --veridical-policy rules.yaml run.json`` makes each rule of the policy a test about the
document that ``--json`` wrote; a policy includes ``--veridical``.  What is undecided fails, unless
``--veridical-undecided`` says ``skip`` or ``xfail``.  Without either such tests are skipped, and
nothing of the library is loaded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from veridical.evaluation.result_set import ResultSet
    from veridical.gates import GateRule, GateVerdict
    from veridical.measures import Measure
    from veridical.policy import Policy
    from veridical.results import Result

__all__ = [
    "Checks",
    "PolicyFile",
    "RuleTest",
    "WholePolicyTest",
    "pytest_addoption",
    "pytest_collect_file",
    "veridical",
]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options; called by pytest."""
    group = parser.getgroup("veridical", "model quality")
    group.addoption(
        "--veridical",
        action="store_true",
        help="run tests that use the fixture veridical, and hold JSON documents against a policy",
    )
    group.addoption("--veridical-policy", metavar="FILE", help="rules for the documents given")
    group.addoption("--veridical-baseline", metavar="RUN", help="what no_worse_than compares with")
    group.addoption(
        "--veridical-allow",
        metavar="WHAT",
        action="append",
        default=[],
        help="a condition in which both may differ; data of two models without their rows",
    )
    group.addoption(
        "--veridical-undecided",
        choices=("fail", "skip", "xfail"),
        default="fail",
        help="what an undecided verdict makes of a test (default: fail)",
    )


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Take a JSON file that was named on the command line; called by pytest."""
    config = parent.config
    if file_path.suffix.lower() != ".json" or not _is_asked(config):
        return None
    words = (arg.partition("::")[0] for arg in config.args)
    named = {(config.invocation_params.dir / word).resolve() for word in words}
    if file_path.resolve() not in named:
        return None
    return PolicyFile.from_parent(parent, path=file_path)


def _is_asked(config: pytest.Config) -> bool:
    """Whether models are to be measured; a policy that is ignored would look as if it were met."""
    return bool(config.getoption("--veridical") or config.getoption("--veridical-policy"))


@pytest.fixture
def veridical(request: pytest.FixtureRequest) -> Checks:
    """Checks of results, which explain themselves when they fail; skips without --veridical."""
    if not _is_asked(request.config):
        pytest.skip("measures a model: run with --veridical")
    return Checks(request.config.getoption("--veridical-undecided"))


class Checks:
    """What the fixture ``veridical`` offers.

    Parameters
    ----------
    undecided
        What an undecided verdict becomes: ``"fail"``, ``"skip"`` or ``"xfail"``.
    """

    def __init__(self, undecided: str = "fail") -> None:
        self.undecided = undecided

    def check(
        self,
        what: ResultSet | Result,
        metric: str | Measure | None = None,
        *,
        subject: str | None = None,
        **rule: Any,
    ) -> None:
        """Assert that a metric keeps a rule.

        Parameters
        ----------
        what
            An evaluation, whose worst group is then named in the message; or one result.
        metric
            The metric of an evaluation; not needed for one result.
        subject
            Which score column, run or system, where there are several.
        **rule
            The keys of a rule in a policy: ``at_least``, ``at_most``, ``above``, ``below``,
            ``value``, ``lower_bound``, ``upper_bound``, ``min_n``, ``max_skip_rate``,
            ``max_error_rate``, ``group``.

        Raises
        ------
        AssertionError
            The rule is not kept, or it is undecided: the message has value, interval, n and
            conditions.
        """
        __tracebackhide__ = True
        from pydantic import ValidationError

        from veridical.errors import ParameterError
        from veridical.policy import Policy

        name = _named(what, metric)
        try:
            rules = [{"metric": name, **rule}]
            policy = Policy(version=1, name="check", rules=rules)  # type: ignore[arg-type]
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            raise ParameterError(
                f"this is no rule: {first['msg'].removeprefix('Value error, ')}",
                where=".".join(str(part) for part in first["loc"][2:]),
                fix="correct it; the policies' page lists what a rule may say",
            ) from None
        self.gate(what, policy, subject=subject)

    def gate(
        self,
        run: Any,
        policy: str | Path | Policy,
        *,
        baseline: Any = None,
        subject: str | None = None,
        allow: Iterable[str] = (),
    ) -> GateVerdict:
        """Assert that a run passes a policy, and return the verdict; see ``veridical.gate``.

        Raises
        ------
        AssertionError
            It does not; the message has every rule that does not pass.
        """
        __tracebackhide__ = True
        from veridical.gates import gate

        verdict = gate(run, policy, baseline=baseline, subject=subject, allow=list(allow))
        if verdict.verdict != "pass":
            _settle(verdict.verdict, _explained(verdict), self.undecided)
        return verdict


class PolicyFile(pytest.File):
    """A document of results; each rule of the policy is a test about it."""

    def collect(self) -> Iterator[pytest.Item]:
        """Yield one test a rule and subject."""
        from veridical.errors import VeridicalError
        from veridical.gates import gate

        policy = self.config.getoption("--veridical-policy")
        if policy is None:
            raise pytest.UsageError(f"--veridical-policy is needed to judge {self.path.name}")
        baseline = self.config.getoption("--veridical-baseline")
        allowed = self.config.getoption("--veridical-allow")
        try:
            verdict = gate(self.path, policy, baseline=baseline, allow=allowed)
        except VeridicalError as error:
            raise self.CollectError(str(error)) from error
        for rule in verdict.rules:
            yield RuleTest.of(self, rule)
        if verdict.verdict != "pass" and all(rule.verdict == "pass" for rule in verdict.rules):
            yield WholePolicyTest.of(self, verdict)


class _Judged(pytest.Item):
    """A test whose outcome was found while it was collected."""

    verdict: str
    message: str

    def runtest(self) -> None:
        """Fail, skip or pass."""
        if self.verdict != "pass":
            undecided = self.config.getoption("--veridical-undecided")
            _settle(self.verdict, self.message, undecided)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return the message alone: there is no source line to show."""
        if isinstance(excinfo.value, AssertionError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Return where the test is, and the headline of its failure."""
        return self.path, None, f"{self.path.name}: {self.name}"


class RuleTest(_Judged):
    """One rule about one subject."""

    @classmethod
    def of(cls, parent: PolicyFile, rule: GateRule) -> RuleTest:
        """Return the test of a rule."""
        from veridical.report.visible import visible

        words = f"{rule.row.result.subject or 'result'}: {rule.row.rule}"
        item: RuleTest = cls.from_parent(parent, name=visible(words))
        item.verdict, item.message = rule.verdict, "\n".join(_lines(rule))
        return item


class WholePolicyTest(_Judged):
    """The verdict over all rules, where it is worse than that of each."""

    @classmethod
    def of(cls, parent: PolicyFile, verdict: GateVerdict) -> WholePolicyTest:
        """Return the test of the whole."""
        item: WholePolicyTest = cls.from_parent(parent, name="the whole policy")
        item.verdict, item.message = verdict.verdict, f"{verdict.verdict}: {verdict.why}"
        return item


def _named(what: ResultSet | Result, metric: str | Measure | None) -> str:
    """Return the canonical name of the metric to judge."""
    from veridical.errors import ParameterError
    from veridical.evaluation.result_set import ResultSet

    if not isinstance(what, ResultSet):
        return what.metric
    if metric is None:
        raise ParameterError("say which metric", fix="write check(ev, 'roc_auc', at_least=0.8)")
    if any(result.metric == str(metric) for result in what.results):
        return str(metric)
    part = what.subject(what.subjects[0]) if len(what.subjects) > 1 else what
    return part[metric].metric


def _settle(verdict: str, message: str, undecided: str) -> None:
    """End the test as the verdict says."""
    __tracebackhide__ = True
    if verdict == "undecided" and undecided == "skip":
        pytest.skip(message)
    if verdict == "undecided" and undecided == "xfail":
        pytest.xfail(message)
    raise AssertionError(message)


def _explained(verdict: GateVerdict) -> str:
    lines = [line for rule in verdict.rules if rule.verdict != "pass" for line in _lines(rule)]
    if not lines:
        lines = [f"{verdict.verdict}: {verdict.why}"]
        lines += [line for rule in verdict.rules for line in _lines(rule)]
    return "\n".join(lines)


def _lines(rule: GateRule) -> Iterator[str]:
    """Yield the rule, and below it the numbers with their passport."""
    from veridical.gates.wording import details
    from veridical.report.visible import visible

    yield visible(f"{rule.verdict}: {rule.row.rule}")
    yield from (f"  {detail}" for detail in details(rule))
