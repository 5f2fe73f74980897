"""``read_configuration``: a checked ``veridical.yaml``, with errors that name the line."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from veridical.checked_yaml import load_checked
from veridical.errors import ConfigurationError, FileMissingError, VeridicalError
from veridical.judge.settings import JudgeSettings
from veridical.metrics import find
from veridical.rag.configuration.sections import (
    ConfigurationFile,
    DatasetSection,
    JudgeSection,
    MetricBounds,
    PipelineSection,
    PrivacySection,
    RunSection,
)
from veridical.rag.scoring import METRICS, ScoreSettings, metric_names

__all__ = ["Configuration", "read_configuration"]

_NOUN = "the configuration"


@dataclass(frozen=True)
class Configuration:
    """A checked configuration.

    Attributes
    ----------
    path
        Its file; other files are found beside it.
    file
        What it says, with defaults filled in.
    bounds
        Canonical name of a metric to what ``gate`` holds it to.
    """

    path: Path
    file: ConfigurationFile
    bounds: Mapping[str, MetricBounds]

    @property
    def folder(self) -> Path:
        """The folder of its file."""
        return self.path.resolve().parent

    @property
    def dataset(self) -> DatasetSection:
        """Where the cases are."""
        return self.file.dataset

    @property
    def dataset_path(self) -> Path:
        """The file of the cases."""
        return self.folder / self.dataset.path

    @property
    def pipeline(self) -> PipelineSection:
        """What is evaluated."""
        return self.file.pipeline

    @property
    def run(self) -> RunSection:
        """How cases are run and scored."""
        return self.file.run

    @property
    def judge(self) -> JudgeSection:
        """The judge as the file has it; ``judge_settings`` knows the environment too."""
        return self.file.judge

    @property
    def privacy(self) -> PrivacySection:
        """What may be written."""
        return self.file.privacy

    @cached_property
    def score_settings(self) -> ScoreSettings:
        """What scores depend on; whether there is a judge says the environment too."""
        judge = self.judge_settings() is not None
        return ScoreSettings(self.run.k, self.run.source_match, judge)

    def store_at(self, named: str | None) -> str | None:
        """Return where runs are kept: as named, or as the file says; None where neither does."""
        said = "store" in self.file.model_fields_set
        return self.file.store if named is None and said else named

    def judge_settings(self, environment: Mapping[str, str] | None = None) -> JudgeSettings | None:
        """Return the judge that the file and the environment name, or None.

        Raises
        ------
        ConfigurationError
            Half a judge, or a value that cannot be.
        """
        return JudgeSettings.from_configuration(self.judge.model_dump(), environment)


def read_configuration(path: str | Path) -> Configuration:
    r"""Return the checked configuration of a file.

    Parameters
    ----------
    path
        A ``veridical.yaml``, or the folder that has one.

    Raises
    ------
    FileMissingError
        There is none.
    ConfigurationError
        A key is unknown, a value cannot be: with line, and for a key with the nearest legal one.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "veridical.yaml").write_text("version: 1\nrun: {k: 3}\n")
    ...     read_configuration(folder).run.k
    3
    """
    file = Path(path)
    if file.is_dir():
        file /= "veridical.yaml"
    try:
        checked, lines = load_checked(ConfigurationFile, file, _NOUN, first_key="version")
    except FileNotFoundError:
        raise FileMissingError(
            "there is no configuration",
            where=str(file)[:200],
            fix="name one with --config, or begin with a small project: veridical rag init FOLDER",
        ) from None
    bounds: dict[str, MetricBounds] = {}
    for name, one in checked.metrics.items():
        place = f"{file}:{lines['metrics', name]}"
        canonical = _canonical(name, checked.run.k, place)
        if canonical in bounds:
            raise ConfigurationError(
                f"{canonical} has bounds twice", where=place, fix="keep one of them"
            )
        bounds[canonical] = one
    return Configuration(file, checked, bounds)


def _canonical(name: str, k: int, where: str) -> str:
    """Return the name that a metric has in a run with this k."""
    names = metric_names(ScoreSettings(k=k))
    try:
        measure = find(name)
    except VeridicalError as error:
        near = difflib.get_close_matches(name, [*names, *METRICS], n=1)
        fix = f"did you mean {near[0]!r}?" if near else f"a run has {', '.join(names)}"
        raise ConfigurationError(error.what, where=where, fix=fix) from None
    of = METRICS.get(f"{measure.family}.{measure.name}")
    canonical = str(measure) if measure.parameters or of is None else of.canonical(k)
    if canonical not in names:
        raise ConfigurationError(
            f"a run with k {k} does not measure {canonical}",
            where=where,
            fix=f"it has {', '.join(names)}",
        )
    return canonical
