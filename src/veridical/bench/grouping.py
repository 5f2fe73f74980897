"""Which trajectories may stand in one figure, and which may not even stand side by side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace

from veridical import strict_json
from veridical.bench.cases import Case
from veridical.bench.trajectories import Trajectory
from veridical.errors import MismatchError

__all__ = [
    "CaseHashMismatchError",
    "GroupKey",
    "MixedBenchVersionError",
    "PromptHashMismatchError",
    "check_cases",
    "check_one_bench",
    "grouped",
]


class MixedBenchVersionError(MismatchError):
    """Results of several versions of the bench, which are never pooled."""


class PromptHashMismatchError(MismatchError):
    """One version of the bench, and more than one prompt under its name."""


class CaseHashMismatchError(MismatchError):
    """A trajectory about a case that the suite does not have, or has otherwise."""


@dataclass(frozen=True, slots=True, order=True)
class GroupKey:
    """What must be the same for trajectories to be of one agent.

    Attributes
    ----------
    bench_version, prompt_sha256, suite
        What was asked.
    agent, agent_version, config_sha256
        Who answered.
    provider, model
        Which model was behind it, as its provider names it; "" where none was.
    sampling_sha256
        Hash of temperature, top_p, max_tokens and seed.
    """

    bench_version: str
    prompt_sha256: str
    suite: str
    agent: str
    agent_version: str
    config_sha256: str
    provider: str
    model: str
    sampling_sha256: str

    @property
    def label(self) -> str:
        """A short name: the agent, and its model where there is one."""
        return f"{self.agent} ({self.model})" if self.model else self.agent

    def to_dict(self) -> dict[str, str]:
        """Return the key as JSON has it."""
        return asdict(self)


def check_one_bench(benches: Iterable[tuple[str, str]]) -> None:
    """Refuse to put results together that were not asked the same.

    Parameters
    ----------
    benches
        Version of the bench and hash of the prompt of each.

    Raises
    ------
    MixedBenchVersionError, PromptHashMismatchError
        They differ.
    """
    found = sorted(set(benches))
    versions = sorted({version for version, _ in found})
    if len(versions) > 1:
        raise MixedBenchVersionError(
            f"these are results of the bench versions {', '.join(map(ascii, versions[:5]))}",
            why="what an agent is told differs between them, and so does what it does",
            fix="score each version alone",
        )
    if len(found) > 1:
        prompts = ", ".join(ascii(prompt[:12]) for _, prompt in found[:5])
        raise PromptHashMismatchError(
            f"bench version {versions[0]!a} was run with more than one prompt: {prompts}",
            why="one version has one prompt; somebody changed it without a new version",
            fix="run again with the prompt that is shipped",
        )


def check_cases(cases: Mapping[str, Case], lines: Iterable[Trajectory]) -> None:
    """Refuse trajectories about other cases than those of the suite.

    Parameters
    ----------
    cases
        By id.
    lines
        What is to be scored.

    Raises
    ------
    CaseHashMismatchError
        A case is not in the suite, or is another one there.
    """
    hashes = {name: case.sha256 for name, case in cases.items()}
    for line in lines:
        if line.case_id not in hashes:
            raise CaseHashMismatchError(
                f"the suite has no case {ascii(line.case_id)[:80]}",
                fix="score it with the suite that it was run on",
            )
        if line.case_sha256 != hashes[line.case_id]:
            raise CaseHashMismatchError(
                f"the case {ascii(line.case_id)[:80]} is not the one that was run",
                why="its truth may be another one",
                fix="generate the suite with the version that ran it",
            )


def grouped(lines: Iterable[Trajectory]) -> dict[GroupKey, list[Trajectory]]:
    """Return the trajectories of each agent, in the order of their keys.

    An attempt in which no model answered belongs to the agent that asked: its model is that of the
    other attempts, where they agree on one.

    Parameters
    ----------
    lines
        Of any number of files.
    """
    groups: dict[GroupKey, list[Trajectory]] = {}
    for line in lines:
        groups.setdefault(_key(line), []).append(line)
    for key in [key for key in groups if not key.model]:
        answered = [
            other
            for other in groups
            if other.model and _but_for_model(other) == _but_for_model(key)
        ]
        if len(answered) == 1:
            groups[answered[0]] += groups.pop(key)
    return dict(sorted(groups.items()))


def _key(line: Trajectory) -> GroupKey:
    agent = [str(line.agent.get(name, "")) for name in ("name", "version", "config_sha256")]
    return GroupKey(
        line.bench_version,
        line.prompt_sha256,
        line.suite,
        agent[0],
        agent[1],
        agent[2],
        line.provider or "",
        line.model_returned or "",
        strict_json.sha256(dict(line.sampling)),
    )


def _but_for_model(key: GroupKey) -> GroupKey:
    return replace(key, model="", provider="")
