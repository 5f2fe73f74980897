"""``veridical rag validate``: configuration and dataset, checked before anybody is asked."""

from __future__ import annotations

from collections import Counter

from veridical.cli.output import emit
from veridical.cli.rag.running import USUAL_CONFIG, Config, printing_is_talk

__all__ = ["validate"]


def validate(*, config: Config = USUAL_CONFIG) -> int:
    """Check the configuration and the dataset; nobody is asked."""
    from veridical.rag.adapters import adapter
    from veridical.rag.configuration import read_configuration
    from veridical.rag.running.measured import measured_by

    configuration = read_configuration(config)
    measured = measured_by(configuration)
    with printing_is_talk():
        adapter(configuration)  # a target or a template that cannot be is an error here
    cases = measured.dataset.cases
    kinds = Counter(case.kind for case in cases)
    emit(f"{len(cases):,} cases: {', '.join(f'{n:,} {kind}' for kind, n in sorted(kinds.items()))}")
    judged = "no judge" if measured.judge is None else f"judge {measured.judge.model}"
    emit(f"pipeline of kind {configuration.pipeline.kind}, {judged}")
    for warning in measured.dataset.warnings:
        emit(f"warning: {warning}")
    return 0
