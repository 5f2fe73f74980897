"""``veridical rag estimate``: what a run will ask, and what that may cost; nobody is asked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import Parameter

from veridical.cli.options import Json
from veridical.cli.output import emit, emit_json
from veridical.cli.rag.running import RUNNING, USUAL_CONFIG, Config, NoCache
from veridical.cli.saving import StoreAt

if TYPE_CHECKING:
    from veridical.judge.settings import JudgeSettings
    from veridical.rag.configuration import Configuration
    from veridical.rag.estimating import Estimate, Share

__all__ = ["estimate"]

_FITS: Final = {
    "certainly": "the run ends within it, whatever is repeated",
    "unless_repeated": "the run ends within it, unless calls have to be repeated",
    "likely": "the run likely ends within it",
    "unlikely": "the run likely stops before its end, with exit code 2; what was asked is kept",
}


def estimate(
    *,
    config: Config = USUAL_CONFIG,
    like: Annotated[
        str | None,
        Parameter(group=RUNNING, help="A run whose answers and usage stand for those to come."),
    ] = None,
    no_cache: NoCache = False,
    store: StoreAt = None,
    json: Json = False,
) -> int:
    """Count the calls of a run, and what they may cost; nobody is asked."""
    from veridical.rag.configuration import read_configuration

    configuration = read_configuration(config)
    found = _estimated(configuration, store, like, use_cache=not no_cache)
    if json:
        emit_json(found.to_dict())
    else:
        emit("\n".join(_lines(found)))
    return 0


def _estimated(
    configuration: Configuration, where: str | None, like: str | None, *, use_cache: bool
) -> Estimate:
    from veridical.rag.estimating import earlier_run, estimate
    from veridical.store import Store
    from veridical.store.location import locate

    place = configuration.store_at(where)
    path = locate(place).path
    if like is None and (not use_cache or (path is not None and not path.exists())):
        return estimate(configuration)
    with Store(place, create=False) as kept:
        earlier = None if like is None else earlier_run(kept, kept.load(like))
        return estimate(configuration, earlier, kept.verdicts().get_all if use_cache else None)


def _lines(found: Estimate) -> Iterator[str]:
    repeats = f", {found.repeats} times each" if found.repeats > 1 else ""
    yield f"{found.cases:,} cases{repeats}"
    if found.answers:
        most = f"{found.pipeline_most:,} calls at most, retries included"
        yield f"pipeline: {found.answers:,} answers, {most}"
    else:
        yield "pipeline: its answers stand in the dataset"
    if found.judge is None:
        yield "judge: none is configured, so none is asked"
        return
    yield f"judge {found.judge.model}:"
    yield from _table(found, found.judge)
    yield from _budget(found, found.judge)
    for sentence in found.assumptions:
        yield f"assumed: {sentence}"
    if not found.known:
        length = f"{found.judge.longest_prompt:,} characters"
        yield f"the most allows for answers of any length: prompts of {length}, the longest sent"
    yield "likely figures are estimates; a provider's count of tokens may differ from any of them"


def _table(found: Estimate, judge: JudgeSettings) -> Iterator[str]:
    for contract, asked in found.contracts.items():
        counts = f"{asked.likely.calls:,} calls likely, {asked.questions:,} questions at most"
        counts += f", {asked.cached:,} kept in the cache" if asked.cached else ""
        yield f"  {contract.ljust(24)} {counts}"
    total = found.total
    rows = {
        "likely": total.likely,
        "reserved, one call each": total.reserved,
        "at the very most": total.most,
    }
    yield from (f"  {name.ljust(24)} {_told(share, judge)}" for name, share in rows.items())


def _told(share: Share, judge: JudgeSettings) -> str:
    cost = share.cost(judge)
    price = "price unknown" if cost is None else f"{cost:,.4f} USD"
    tokens = f"{share.input_tokens:,} + {share.output_tokens:,} tokens"
    return f"{share.calls:,} calls, {tokens}, {price}"


def _budget(found: Estimate, judge: JudgeSettings) -> Iterator[str]:
    if judge.max_cost_usd is None or found.fits is None:
        yield "budget: none is set (judge.max_cost_usd)"
    else:
        yield f"budget: {judge.max_cost_usd:f} USD; {_FITS[found.fits]}"
