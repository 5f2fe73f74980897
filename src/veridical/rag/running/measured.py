"""What a run measures: what may not change while it is resumed, and what its numbers hold under."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from veridical import strict_json
from veridical.errors import ConfigurationError, MismatchError
from veridical.judge.settings import JudgeSettings
from veridical.rag.configuration import Configuration
from veridical.rag.dataset import Dataset, read_dataset
from veridical.rag.payloads import PAYLOADS
from veridical.rag.running.planning import Plan, plan
from veridical.rag.running.privacy import Privacy
from veridical.rag.running.redaction import Redactor
from veridical.rag.scoring import ScoreSettings

if TYPE_CHECKING:
    from veridical.rag.summary import RunConditions

__all__ = ["Measured", "measured_by"]

_HOW: Final = frozenset({"timeout_s", "concurrency", "retries", "max_response_bytes"})
"""Settings of a pipeline that decide how it is asked, and not what."""


@dataclass(frozen=True, kw_only=True)
class Measured:
    """Everything that decides what the numbers of a run mean.

    Attributes
    ----------
    dataset, dataset_name
        The cases, and what their file is called.
    pipeline_sha256
        Of what is asked of the pipeline.
    pipeline
        What is shown of it: no secret.
    judge
        None where there is none.
    score
        How cases are scored.
    repeats, seed
        As configured.
    privacy, redact
        What may be kept, and its rules.
    """

    dataset: Dataset
    dataset_name: str
    pipeline_sha256: str
    pipeline: Mapping[str, Any]
    judge: JudgeSettings | None
    score: ScoreSettings
    repeats: int
    seed: int
    privacy: Privacy
    redact: tuple[str, ...] = ()

    @property
    def conditions(self) -> RunConditions:
        """What the results hold under."""
        from veridical.rag.summary import RunConditions

        identity = {} if self.judge is None else self.judge.identity()
        prompts = identity.pop("prompts", {})
        return RunConditions(
            dataset_sha256=self.dataset.sha256,
            dataset=self.dataset_name,
            source_match=self.score.source_match,
            repeats=self.repeats,
            judge=identity or None,
            prompts=prompts,
            pipeline=self.pipeline,
        )

    def plan(self) -> Plan:
        """Return every call that may be made."""
        return plan(
            self.dataset.cases,
            repeats=self.repeats,
            pipeline_sha256=self.pipeline_sha256,
            judge=None if self.judge is None else self.judge.identity(),
            privacy=self.privacy,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return what is stored with a run, to know it again; hashes for what may hold secrets."""
        judge = None if self.judge is None else strict_json.sha256(self.judge.identity())
        return {
            "dataset_sha256": self.dataset.sha256,
            "pipeline_sha256": self.pipeline_sha256,
            "judge_sha256": judge,
            "k": self.score.k,
            "source_match": self.score.source_match,
            "repeats": self.repeats,
            "seed": self.seed,
            "store_text": self.privacy.store_text,
            "redact_sha256": strict_json.sha256(list(self.redact)),
        }

    def check_same(self, stored: Mapping[str, Any], where: str) -> None:
        """Refuse to go on with a run that measured something else.

        Raises
        ------
        MismatchError
            The dataset or the configuration changed.
        """
        now = self.to_dict()
        changed = [name for name in now if stored.get(name) != now[name]]
        if changed:
            raise MismatchError(
                f"the run was begun with another {', '.join(_WORDS[name] for name in changed)}",
                where=where,
                why="one run measures one thing",
                fix="put it back, or begin another run with `veridical rag run`",
            )


_WORDS: Final = {
    "dataset_sha256": "dataset",
    "pipeline_sha256": "pipeline",
    "judge_sha256": "judge",
    "k": "run.k",
    "source_match": "run.source_match",
    "repeats": "run.repeats",
    "seed": "run.seed",
    "store_text": "privacy.store_text",
    "redact_sha256": "privacy.redact",
}


def measured_by(configuration: Configuration) -> Measured:
    """Return what a configuration measures; its dataset is read, and nobody is asked.

    Raises
    ------
    ConfigurationError, FileFormatError, FileMissingError
        The dataset cannot be read, the judge's key is missing, a budget has no price, a rule of
        redaction is none, or would take out what an attack is recognised by.
    """
    redact = tuple(configuration.privacy.redact)
    privacy = Privacy(configuration.privacy.store_text, redact)
    dataset = read_dataset(
        configuration.dataset_path,
        configuration.dataset.map,
        asked=configuration.pipeline.kind != "static",
    )
    _check_markers(dataset, Redactor(redact))
    judge = configuration.judge_settings()
    if judge is not None:
        judge.check_budget()
        judge.key()
    asked = configuration.pipeline.model_dump(exclude=set(_HOW))
    return Measured(
        dataset=dataset,
        dataset_name=configuration.dataset_path.name,
        pipeline_sha256=strict_json.sha256(asked),
        pipeline=_shown(configuration),
        judge=judge,
        score=configuration.score_settings,
        repeats=configuration.run.repeats,
        seed=configuration.run.seed,
        privacy=privacy,
        redact=redact,
    )


def _shown(configuration: Configuration) -> dict[str, Any]:
    """Return what may be printed of a pipeline: no query, no user, no words of a command."""
    pipeline = configuration.pipeline
    target = pipeline.target
    if isinstance(target, list) or pipeline.kind == "command":
        words = [target] if isinstance(target, str) else target or [""]
        target = (words[0].split() or [""])[0]
    elif target is not None and pipeline.kind != "python":
        parts = urlsplit(target)
        target = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
    shown = {"kind": pipeline.kind, "target": target}
    if pipeline.openai is not None:
        shown["model"] = pipeline.openai.model
    return {name: value for name, value in shown.items() if value is not None}


def _check_markers(dataset: Dataset, redact: Redactor) -> None:
    for case in dataset.cases:
        marker = case.adversarial_payload
        if marker and marker not in PAYLOADS and redact(marker) != marker:
            raise ConfigurationError(
                "a rule of redaction takes out what an attack is recognised by",
                where=f"case {case.id[:80]!r}, line {case.line}",
                why="an answer that obeys would count as one that resists",
                fix="choose another marker, or a narrower rule in privacy.redact",
            )
