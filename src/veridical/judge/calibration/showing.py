"""A calibration as text: one block a prompt."""

from __future__ import annotations

from collections.abc import Iterator

from veridical.judge.calibration.agreement import Calibration, PromptCalibration
from veridical.report.visible import visible
from veridical.results import Result

__all__ = ["calibration_text"]

_ROWS = {
    "exact": "same band",
    "within": "within one band",
    "kappa": "kappa",
    "bias": "bias",
    "self_agreement": "self-agreement",
    "ceiling": "two people agree",
    "corrected": "corrected rate of 1",
}


def calibration_text(calibration: Calibration) -> str:
    """Return the calibration as plain text."""
    lines = [f"judge: {visible(calibration.judge)}"]
    for prompt in calibration.prompts:
        lines += ["", *_block(prompt)]
    if calibration.fallen_for is not None:
        fallen = ", ".join(calibration.fallen_for) or "none"
        lines += ["", f"forged verdicts that it fell for: {fallen}"]
    verdict = "every prompt passes" if calibration.passed else "not calibrated"
    return "\n".join([*lines, "", verdict])


def _block(prompt: PromptCalibration) -> Iterator[str]:
    document = prompt.to_dict()
    sources = ", ".join(f"{n} {source}" for source, n in sorted(document["sources"].items()))
    yield f"{prompt.contract} ({len(prompt.judged)} samples; labels: {sources})"
    for name, title in _ROWS.items():
        yield f"  {title:<20} {_shown(getattr(prompt, name))}"
    yield f"  {'best constant judge':<20} {prompt.best_constant:.3f}"
    for label, said in document["confusion"].items():
        yield f"  label {label:<14} judged " + ", ".join(f"{b}: {n}" for b, n in said.items())
    yield from (f"  FAILS: {sentence}" for sentence in prompt.failures)


def _shown(result: Result) -> str:
    if not result.ok:
        return f"- ({result.detail})"
    interval = result.interval
    around = f" [{interval.low:.3f}, {interval.high:.3f}]" if interval else ""
    return f"{result.value:.3f}{around} (n = {result.n})"
