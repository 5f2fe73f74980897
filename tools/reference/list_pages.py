"""Pages of closed lists: why a number is absent, what is noted beside one, shipped targets."""

from __future__ import annotations

from collections.abc import Iterator

from tools.reference.markdown import bullets, plain
from veridical.notes import NOTES
from veridical.policy import Policy, Rule, load_policy, shipped_policies
from veridical.reasons import SkipReason

__all__ = ["list_pages"]


def list_pages() -> Iterator[tuple[str, str]]:
    """Yield name and text of each page."""
    reasons = (f"`{one}`: {plain(one.sentence)}. To do: {plain(one.fix)}." for one in SkipReason)
    yield (
        "reasons.md",
        _page(
            "Why a number is absent",
            "A skipped result has no value, and one of these reasons. `float()` of it raises.",
            bullets(reasons),
        ),
    )
    yield (
        "notes.md",
        _page(
            "Notes beside a number",
            "A note is a code that never changes; its figures are in the conditions of the result.",
            bullets(f"`{note}`: {plain(text)}." for note, text in NOTES.items()),
        ),
    )
    yield (
        "policies.md",
        _page(
            "Policies that are shipped",
            "Targets are data: copy the file, edit it, raise its version. Meeting one is no proof.",
            *(part for name in shipped_policies() for part in _policy(load_policy(name))),
        ),
    )


def _page(title: str, *parts: str) -> str:
    return "\n\n".join([f"# {title}", *parts]) + "\n"


def _policy(policy: Policy) -> Iterator[str]:
    yield f"## {plain(policy.name)}"
    yield f"Version {plain(policy.version)}. {plain(policy.description or '')}".strip()
    yield bullets(_rule(rule) for rule in policy.rules)
    for bands in policy.bands:
        yield f"Bands of `{bands.metric}`: {plain(bands.note or '')}"
        yield bullets(
            f"{'below that' if band.at_least is None else f'from {band.at_least:g}'}: "
            f"{plain(band.label)}"
            for band in bands.bands
        )
    if policy.costs is not None:
        prices = policy.costs
        yield (
            f"Prices: {prices.fn:g} a missed positive, {prices.fp:g} a false alarm, "
            f"{prices.review:g} every flagged row, in {plain(prices.currency or 'no currency')}. "
            f"{plain(prices.note or '')}"
        )


def _rule(rule: Rule) -> str:
    told = str(rule).removeprefix(str(rule.metric)).strip()
    return f"`{rule.metric}` {plain(told)}" + (f": {plain(rule.note)}" if rule.note else "")
