"""How ``veridical rag generate draft`` asks the configured model, within its budget."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veridical.cli.output import talk
from veridical.errors import ConfigurationError

if TYPE_CHECKING:
    from veridical.judge.settings import JudgeSettings
    from veridical.rag.generate import Corpus
    from veridical.rag.generate.draft import Draft
    from veridical.rag.running.redaction import Redactor

__all__ = ["drafted"]

_USUAL = Path("veridical.yaml")


def drafted(
    corpus: Corpus, config: Path | None, count: int, seed: int
) -> tuple[Draft, dict[str, Any]]:
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
    draft, calls = asyncio.run(_asked(corpus, settings, redact, count, seed))
    marked = ", partly estimated" if calls["estimated_calls"] else ""
    cost = "" if settings.price is None else f", {calls['cost']} spent"
    talk(f"model {settings.model}: {calls['calls']:,} calls{cost}{marked}")
    return draft, calls


def _configured(config: Path | None) -> tuple[JudgeSettings, Redactor]:
    from veridical.judge.settings import JudgeSettings
    from veridical.rag.configuration import read_configuration
    from veridical.rag.running.redaction import Redactor

    if config is None and not _USUAL.exists():
        settings, rules = JudgeSettings.from_configuration(), []
    else:
        configuration = read_configuration(config or _USUAL)
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
) -> tuple[Draft, dict[str, Any]]:
    from veridical.judge.endpoint import Endpoint
    from veridical.judge.own_budget import budget_of_its_own
    from veridical.rag.generate.draft import draft_cases

    async with budget_of_its_own() as (budget, spending):
        endpoint = Endpoint(settings, budget, None)
        try:
            draft = await draft_cases(
                corpus,
                endpoint,
                count=count,
                seed=seed,
                concurrency=settings.concurrency,
                redact=redact,
            )
        finally:
            await endpoint.close()
        spent = spending.spent()
    return draft, {
        "calls": spent.calls,
        "estimated_calls": spent.estimated_calls,
        "input_tokens": spent.input_tokens,
        "output_tokens": spent.output_tokens,
        "cost": None if settings.price is None else str(spent.settled),
    }
