"""How ``veridical rag generate draft`` asks the configured model, within its budget."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from veridical.cli.output import talk
from veridical.cli.rag.running import USUAL_CONFIG
from veridical.errors import ConfigurationError

if TYPE_CHECKING:
    from veridical.judge.settings import JudgeSettings
    from veridical.rag.generate import Corpus
    from veridical.rag.generate.draft import Draft
    from veridical.rag.running.redaction import Redactor

__all__ = ["drafted"]


def drafted(corpus: Corpus, config: Path | None, count: int, seed: int) -> Draft:
    """Ask the judge's model for drafts, and say what that took.

    Raises
    ------
    ConfigurationError
        No model is configured, or a budget of it cannot be kept.
    MissingExtraError
        The libraries of the extra ``judge`` are not installed.
    """
    settings, redact = _configured(config)
    settings.check_budget()
    draft = asyncio.run(_asked(corpus, settings, redact, count, seed))
    marked = ", partly estimated" if draft.usage.estimated else ""
    cost = ", price unknown" if draft.usage.cost is None else f", {draft.usage.cost:f} USD spent"
    talk(f"model {settings.model}: {draft.usage.calls:,} calls{cost}{marked}")
    return draft


def _configured(config: Path | None) -> tuple[JudgeSettings, Redactor]:
    from veridical.judge.settings import JudgeSettings
    from veridical.rag.configuration import read_configuration
    from veridical.rag.running.redaction import Redactor

    if config is None and not USUAL_CONFIG.exists():
        settings, rules = JudgeSettings.from_configuration(), []
    else:
        configuration = read_configuration(config or USUAL_CONFIG)
        settings, rules = configuration.judge_settings(), configuration.privacy.redact
    if settings is None:
        raise ConfigurationError(
            "no model is configured to write drafts",
            where="judge.base_url",
            fix="name the endpoint and its model under judge, or in VERIDICAL_JUDGE_BASE_URL "
            "and VERIDICAL_JUDGE_MODEL",
        )
    return settings, Redactor(rules)


async def _asked(
    corpus: Corpus, settings: JudgeSettings, redact: Redactor, count: int, seed: int
) -> Draft:
    from veridical.judge.endpoint import Endpoint
    from veridical.judge.purse import Purse
    from veridical.rag.generate.draft import draft_cases

    endpoint = Endpoint(settings, Purse(), None)
    try:
        return await draft_cases(
            corpus,
            endpoint,
            count=count,
            seed=seed,
            concurrency=settings.concurrency,
            redact=redact,
        )
    finally:
        await endpoint.close()
